//! The protocol between a referee and its players (EPD 8).
//!
//! The referee sends a [`Command`], a player sends a [`Request`]. Both carry a [`Message`]: a position,
//! and what is sent with it. A message travels as one [`Record`](crate::Record) in one line of text.
//! [`frame`] splits a stream of bytes into lines; [`serial`] protects lines on serial lines;
//! [`time_control`] has the rules of the clock; [`secret`] has the rule for files with passwords.
//!
//! ```
//! use epode_epd::movegen::Position;
//! use epode_epd::protocol::{Command, Message, PlayerActions, Request};
//!
//! let start = Position::start();
//! let line = Command::Respond(Message::at(&start)).record().to_string();
//! assert_eq!(line, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - refcom respond;");
//!
//! let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - draw_offer; refreq reply; sm e4;";
//! let Request::Reply(reply) = Request::read(&line.parse()?)? else { panic!() };
//! assert_eq!(reply.supplied_move().unwrap().to_string(), "e2e4");
//! assert_eq!(reply.actions, PlayerActions::OFFER_DRAW);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod command;
pub mod frame;
mod message;
pub mod secret;
pub mod serial;
#[cfg(test)]
mod tests;
pub mod time_control;

pub use command::{Command, ProtocolError, Request};
pub use message::{Message, Supplied, Term, printable};

pub use crate::opcode::PlayerActions;
