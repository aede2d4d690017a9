//! Extended Position Description: records read, changed and written.
//!
//! The standard is that of S. J. Edwards, revised 1995.11.26; its sections are cited as "EPD 5.1".
//! Where it is silent or contradicts itself, numbered [decisions] are cited.
//!
//! ```
//! use epode_epd::Record;
//!
//! let line = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\";";
//! let record: Record = line.parse()?;
//! let position = record.position()?;
//! let best = record.get("bm").expect("there is one").moves(&position)?;
//! assert_eq!(best[0].to_string(), "d6d1");
//! assert_eq!(record.to_string(), line);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The words of the crate, in the order in which a file goes through them:
//!
//! - [`Lines`] cuts bytes into [`Line`]s; a line may be blank, a comment, or what ought to be a
//!   record.
//! - A [`Reader`] makes a [`Record`] of a line, in one of three [`Mode`]s: the letter of the standard,
//!   what is meant, or what is meant and spelt as the standard has it. What is not as the standard
//!   has it is told as a [`Repair`] each: where, what was there, what was taken. What cannot be read is
//!   a [`ReadError`].
//! - A record is a [`Setup`](movegen::Setup), what the four fields of the position say, and its
//!   [`Operation`]s in ASCII order: an opcode each, and operands, which are kept as text
//!   ([`Operand`]). [`Record::position`] is what the rules of chess make of it; [`Record::id`],
//!   [`Record::best_moves`] and the like read operands as values, and there is a setter for each.
//! - A [`Lexicon`] knows what opcodes mean: [those below](opcode#the-lexicon) and private ones.
//!   [`check()`] tells what a record says wrongly by it; [`diagnose()`] tells everything about a line.
//! - What a record prints is the normal form (EPD 7.1) once [`Record::normalise`] has sorted the
//!   operands that have no order of their own.
//! - What a record prints after [`Record::make_portable`] python-chess reads too: see there what
//!   is put in quotes. Characters beyond ASCII are kept in strings as they
//!   are, in UTF-8, though the standard knows ASCII alone.
//! - A [`GameReader`] carries comments, names and moves from record to record of a game.
//! - [`protocol`] is what a referee and its players say to each other in records (EPD 8).
//!
//! This crate opens no file and knows no search.

#![forbid(unsafe_code)]

mod chars;
#[doc = include_str!("../DECISIONS.md")]
pub mod decisions {}
mod lint;
pub mod opcode;
mod parse;
pub mod protocol;
mod record;

pub use lint::check::{Finding, Lint, check};
pub use lint::diagnostic::{Diagnostic, Severity, diagnose};
pub use opcode::lexicon::{Lexicon, LexiconEntry, LexiconError};
pub use opcode::{NotAnOpcode, Opcode, time, value};
pub use parse::deviation::{Deviation, Repair};
pub use parse::error::{ReadError, ReadErrorKind};
pub use parse::limits::{MAX_LINE, MAX_STRING};
pub use parse::lines::{self, Line, LineKind, Lines};
pub use parse::location::{Locations, Part, Span};
pub use parse::reader::{Mode, Reader, read};
pub use record::game_reader::{GameError, GameReader, Registers, Sequence};
pub use record::operand::{Operand, Quoted, Symbol};
pub use record::operation::{OperandError, Operation};
pub use record::{Counters, NoPosition, Record};
