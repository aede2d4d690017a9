//! Reads, checks, changes and writes Extended Position Description (EPD), the format of chess test
//! suites: one position and what is known about it in each line of text.
//!
//! ```
//! use epode_epd::Record;
//!
//! let line = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\";";
//! let record: Record = line.parse()?;
//! let position = record.position()?;
//! let best = record.best_moves(&position)?.unwrap();
//! assert_eq!(best[0].to_string(), "d6d1");
//! assert_eq!(record.to_string(), line);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The standard is that of S. J. Edwards, revised 1995.11.26. "EPD 5.1" cites a section of it;
//! "decision 46" cites an entry of [`decisions`], which says what this crate does where the standard
//! is silent or contradicts itself.
//!
//! # From a line to a record to a position
//!
//! A file with best moves in UCI notation, FEN counters and a name without quotes:
//!
//! ```
//! use epode_epd::{LineKind, Lines, Mode, Reader};
//!
//! let file = b"# rooks\nr1k5/8/8/8/8/8/8/4K2R w K - 0 1 ; bm h1h8 ; id Rook to the seventh\n";
//! let reader = Reader::new(Mode::Repair);
//! // 1. `Lines` splits the bytes of a file into lines.
//! for line in Lines::new(file, 1).filter(|line| line.kind() == LineKind::Record) {
//!     // 2. A `Reader` parses the line into a `Record` and reports what it repaired.
//!     let mut repairs = Vec::new();
//!     let record = line.read(&reader, &mut repairs)?;
//!     assert_eq!(repairs[0].to_string(), "column 29: FEN counters; EPD writes them as hmvc and fmvn; \
//!         read as hmvc 0; fmvn 1;");
//!     // 3. The record checks its position fields and returns a legal position.
//!     let position = record.position()?;
//!     assert_eq!(position.count_moves(), 15);
//!     // 4. Operands are text; getters such as `best_moves` give them a type.
//!     assert_eq!(record.best_moves(&position)?.unwrap().len(), 1);
//!     // 5. A record prints in normal form.
//!     assert_eq!(
//!         record.to_string(),
//!         "r1k5/8/8/8/8/8/8/4K2R w K - bm Rh8+; fmvn 1; hmvc 0; id \"Rook to the seventh\";"
//!     );
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Map
//!
//! | To | use | in the source |
//! |---|---|---|
//! | split a file into lines | [`Lines`], [`Line`], [`lines`] | `parse/lines.rs` |
//! | read a line strictly, leniently or with repairs | [`Reader`], [`Mode`], [`read`], `str::parse` | `parse/` |
//! | know what deviated from the standard | [`Repair`], [`RepairKind`], [`DroppedRights`], [`ReadError`] | `parse/repair.rs`, `parse/dropped.rs`, `parse/error.rs` |
//! | find the location of a part of a record in the line | [`Reader::locate`], [`Locations`] | `parse/location.rs` |
//! | get and set the position and the operations | [`Record`], [`Operation`], [`Operand`] | `record/` |
//! | get and set values with their types | [`Record::id`], [`Record::best_moves`], ... | `record/typed.rs` |
//! | write normal form, canonical values, or a form for other programs | [`Record::normalise`], [`Record::canonicalise`], [`Record::make_portable`] | `record/` |
//! | know what an opcode means | [`Lexicon`], [`opcode`] | `opcode/table.rs` |
//! | add an opcode | [`opcode`] | `opcode/mod.rs` (a list of steps) |
//! | check a record or a line | [`check()`], [`diagnose()`], [`Lint`] | `lint/` |
//! | follow a game from record to record | [`GameReader`] | `record/game_reader.rs` |
//! | exchange messages with a referee or a player (EPD 8) | [`protocol`] | `protocol/` |
//!
//! The crate does not open files and does not search for moves. Characters beyond ASCII are kept inside
//! strings as UTF-8.

#![forbid(unsafe_code)]

mod chars;
#[doc = include_str!("../DECISIONS.md")]
pub mod decisions {}
mod lint;
pub mod opcode;
mod parse;
pub mod protocol;
mod record;

/// The chess rules, in the version that this crate uses.
pub use movegen;

pub use lint::check::check;
pub use lint::diagnostic::{Diagnostic, Severity, diagnose};
pub use lint::lints::{Lint, LintMessage};
pub use opcode::lexicon::{Lexicon, LexiconError};
pub use opcode::{LexiconEntry, Opcode, OpcodeError, time, value};
pub use parse::dropped::DroppedRights;
pub use parse::error::{ReadError, ReadErrorKind};
pub use parse::limits::{MAX_LINE, MAX_STRING};
pub use parse::lines::{self, Line, LineKind, Lines};
pub use parse::location::{Locations, Part, Span};
pub use parse::reader::{Mode, Reader, read};
pub use parse::repair::{Repair, RepairKind};
pub use record::game_reader::{GameError, GameReader, Registers, Sequence};
pub use record::operand::{Operand, Quoted, Symbol, SymbolError};
pub use record::operation::{OperandError, Operation};
pub use record::{Counters, NoPosition, Record};

/// The examples of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
