//! What a referee and its players say to each other (EPD 8).
//!
//! Every record of the referee is a [`Command`], every record of a player a [`Request`]; both carry
//! a [`Content`], which is a position and whatever may travel with it. They turn into records and
//! back. [`frame`] cuts a stream of bytes into lines, [`time_control`] reads the clock rules.
//!
//! ```
//! use epode_epd::protocol::{Acts, Command, Content, Request};
//! use movegen::Position;
//!
//! let start = Position::start();
//! let line = Command::Respond(Content::at(&start)).record().to_string();
//! assert_eq!(line, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - refcom respond;");
//!
//! let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - draw_offer; refreq reply; sm e4;";
//! let Request::Reply(reply) = Request::read(&line.parse()?)? else { panic!() };
//! assert_eq!(reply.supplied_move().unwrap().to_string(), "e2e4");
//! assert_eq!(reply.acts, Acts::OFFER_DRAW);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod frame;
mod message;
pub mod time_control;

pub use message::{Acts, Command, Content, ProtocolError, Request, Supplied, printable};
