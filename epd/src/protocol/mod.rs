//! Messages between a referee and its players (EPD 8).
//!
//! Every record from the referee is a [`Command`], every record from a player a [`Request`]. Both carry
//! a [`Message`]: a position and what is sent with it. They convert to records and back. [`frame`] splits
//! a stream of bytes into lines; [`time_control`] reads the rules of the clock.
//!
//! ```
//! use epode_epd::protocol::{PlayerActions, Command, Message, Request};
//! use epode_epd::movegen::Position;
//!
//! let start = Position::start();
//! let line = Command::Respond(Message::at(&start)).record().to_string();
//! assert_eq!(line, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - refcom respond;");
//!
//! let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - draw_offer; refreq reply; sm e4;";
//! let Request::Reply(reply) = Request::read(&line.parse()?)? else { panic!() };
//! assert_eq!(reply.supplied_move().unwrap().to_string(), "e2e4");
//! assert_eq!(reply.acts, PlayerActions::OFFER_DRAW);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod frame;
mod message;
pub mod time_control;

pub use message::{Command, Message, PlayerActions, ProtocolError, Request, Supplied, printable};
