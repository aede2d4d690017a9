//! The conduct of an event, as a pure function: inputs and instants go in, effects come out.
//!
//! [`Event::handle`] owns who is there, who signs on and comes back, strikes and forfeits, pairing,
//! starts, pauses and the end of a test. It opens no socket, file or process and reads no clock, so
//! tests can drive whole events with instants of their own. The caller
//! (the server, in `io`) feeds it and carries out every [`Effect`] in order.
//!
//! | file | content |
//! |---|---|
//! | `interface` | what goes in and comes out |
//! | `ledger` | what the journal holds: games in progress, results, names |
//! | `machine` | the state, and the entry point [`Event::handle`] |
//! | `seat` | a player's place: its connection, its process, its game |
//! | `arrivals` | connections open, players sign on |
//! | `dedicated` | players whose connection says who they are |
//! | `departures` | connections close, programs exit and are started again |
//! | `disconnections` | who loses its connection too often in a game loses it |
//! | `requests` | what players send, and strikes |
//! | `observers` | observers sign on; another referee has taken over; all games wait |
//! | `equipment` | players say what they run on |
//! | `pings` | connections on which nothing passes any more are noticed |
//! | `pairing` | games begin, and players are informed of them |
//! | `games` | games ask, move and end |
//! | `order`, `orders` | the arbiter's orders: how they are written, and what they do |
//! | `overview` | what the arbiter is shown: the standings, the games in progress |
//! | `recovery` | what an error in the referee itself costs |
//! | `results` | the finished games, standings, and the state of the SPRT |
//! | `stream` | the stream of events, of which `events.jsonl` is the file |
//! | `tags` | tags of PGN about the event and the ratings |
//! | `view` | the state of an event as the stream tells it |
//! | `quota` | a limit on what is logged |

mod arrivals;
mod dedicated;
mod departures;
mod disconnections;
mod equipment;
mod games;
mod interface;
mod ledger;
mod machine;
mod observers;
mod order;
mod orders;
mod overview;
mod pairing;
mod pings;
mod quota;
mod recovery;
mod requests;
pub mod results;
mod seat;
pub mod stream;
mod tags;
pub mod view;

pub use self::interface::{Effect, Input, LinkId, Peer, ProgramId, SeatId, SendId};
pub use self::ledger::{Ledger, ResumeError, Running};
pub use self::machine::{Access, Event};
pub use self::order::{GivenOrder, NoOrder, Order, side_name};
pub use self::stream::Report;

#[cfg(test)]
mod tests;
