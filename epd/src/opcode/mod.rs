//! Opcodes: their names, operands, meanings and use, in one table.
//!
//! [`LEXICON`] has an entry for each opcode with a meaning. Parser, checks, normal form, protocol and
//! documentation ask the table; opcodes without an entry are kept as they are (EPD 5.3). A program
//! can add private opcodes to its [`Lexicon`](crate::Lexicon).
//!
//! ```
//! use epode_epd::opcode::{LexiconEntry, PlayerActions, Role};
//!
//! let comment = LexiconEntry::find("c3").unwrap();
//! assert_eq!((comment.name, comment.meaning), ("c#", "comment, in one of ten registers"));
//! assert_eq!(comment.arity.describe(), "a string in quotes or none");
//! let resign = LexiconEntry::find("resign").unwrap();
//! assert_eq!(resign.role, Role::Action(PlayerActions::RESIGN));
//! assert!(LexiconEntry::find("Elo").is_none());
//! ```
//!
//! # How to add an opcode
//!
//! 1. Add a line to [`LEXICON`] in `opcode/table.rs`, in ASCII order: name, operands, source and
//!    meaning; then `.unordered()` if the order of operands means nothing, `.line()` if the operands
//!    are moves played one after the other, `.role(...)` if the protocol uses it. If no [`Basetype`]
//!    describes the operands, add one to `opcode/basetype.rs`.
//! 2. Add a line to one of the macros in `record/typed.rs` if programs should get and set the value
//!    by name, as in [`Record::depth`](crate::Record::depth).
//! 3. Run `EPODE_BLESS=1 cargo test -p epode-epd`, which writes the table below again
//!    (`LEXICON.md`) and tests the new entry.
//!
//! A private opcode needs no change here: a program calls [`Lexicon::add`](crate::Lexicon::add).
//!
//! # The lexicon
//!
#![doc = include_str!("../../LEXICON.md")]

mod basetype;
mod entry;
pub(crate) mod lexicon;
mod mnemonic;
mod role;
mod table;
pub mod time;
pub mod value;

pub use basetype::Basetype;
pub use entry::{Arity, LexiconEntry, Moves, Order};
pub use mnemonic::{Opcode, OpcodeError};
pub use role::{CommandKind, PlayerActions, RequestKind, Role};
pub use table::{LEXICON, documentation};

pub(crate) use table::SYNONYMS;
