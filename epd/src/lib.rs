//! Reads, checks, changes and writes Extended Position Description (EPD).
//!
//! The standard is the one by S. J. Edwards, revised 1995.11.26. "EPD 5.1" cites one of its sections;
//! "decision 46" cites one of the [decisions] on points where it is silent or contradicts itself.
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
//! # From a file to records and back
//!
//! - [`Lines`] splits bytes into [`Line`]s. A line is blank, a comment, or should be a record.
//! - A [`Reader`] parses a line into a [`Record`]. It has three [`Mode`]s: strict accepts only what the
//!   standard allows, lenient accepts the deviations found in real files, and repair also rewrites moves
//!   and values in standard form. Each deviation is reported as a [`Repair`]: where it is, what was
//!   found and what was used instead. A line that cannot be read is a [`ReadError`].
//! - A record has a [`Setup`](movegen::Setup), the contents of the four position fields, and
//!   [`Operation`]s in ASCII order. An operation is an [`Opcode`] with [`Operand`]s, which are kept as
//!   text. [`Record::position`] checks the setup and returns a legal position. Typed getters and
//!   setters, such as [`Record::id`] and [`Record::best_moves`], cover the opcodes of the standard.
//! - A [`Lexicon`] knows the meaning of opcodes: [the standard ones](opcode#the-lexicon) and private
//!   ones that a program adds. [`check()`] checks a record against it; [`diagnose()`] returns
//!   everything there is to report about a line.
//! - A record prints in the normal form of EPD 7.1, apart from the order of operands, which
//!   [`Record::normalise`] sorts. [`Record::make_portable`] puts in quotes what python-chess could not
//!   read otherwise. Characters beyond ASCII are kept inside strings as UTF-8.
//! - A [`GameReader`] carries comments, names and moves from one record of a game to the next.
//! - [`protocol`] has the messages between a referee and its players (EPD 8).
//!
//! The crate neither opens files nor searches.

#![forbid(unsafe_code)]

mod chars;
#[doc = include_str!("../DECISIONS.md")]
pub mod decisions {}
mod lint;
pub mod opcode;
mod parse;
pub mod protocol;
mod record;

/// The chess rules that this crate reads moves and positions with, in the version that it uses.
pub use movegen;

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

/// The examples of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
