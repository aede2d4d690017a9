//! The event over HTTP: a page for viewers, JSON for programs, PGN for broadcasters, metrics.
//!
//! The [`Hub`] runs in a thread of its own and knows nothing but the stream of events, which the referee
//! passes on to it ([`Feed`]). Nothing that comes over HTTP reaches the referee: all requests are GET, and no
//! game can be changed, nor delayed, by viewers.
//!
//! | file | content |
//! |---|---|
//! | `hub` | the thread: reads `events.jsonl`, takes in what the referee reports, and broadcasts it |
//! | `shared` | the state, and how requests get at it |
//! | `state` | what viewers may know: the view of the event, finished games, the latest events |
//! | `archive`, `frames` | finished games on disk; the latest events, as they are sent to viewers |
//! | `server` | connections and their limits, paths, headers |
//! | `api`, `pgn`, `sse`, `metrics` | what is answered |
//! | `pages`, [`page`] | the pages, and the HTML of a view |

mod api;
mod archive;
mod frames;
mod hub;
mod metrics;
pub mod page;
mod pages;
mod pgn;
mod server;
mod shared;
mod sse;
mod state;

pub use self::hub::{Feed, Hub, Settings};
pub use self::server::MAX_SOCKETS;
