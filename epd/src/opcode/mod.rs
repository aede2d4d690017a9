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
//!    are moves played one after the other, `.role(...)` if the protocol uses it.
//! 2. If no [`Basetype`] describes the operands, add one to `opcode/basetype.rs`: its description,
//!    its canonical form, what it accepts, and a line of the test. If it has only one form, which must
//!    not be put in quotes, add it to `is_own_form` in `record/portable.rs`.
//! 3. If the operands are moves, add a variant to [`Lint`](crate::Lint) in `lint/lints.rs`:
//!    `XxNotLegal` for an opcode `xx`, or `XxNotPlayable` for one with `.line()`. The test
//!    `every_opcode_with_moves_has_a_lint` fails without it.
//! 4. If the opcode is an action of a player, add a flag to [`PlayerActions`] in `opcode/role.rs`,
//!    name it in `.role(...)`, and raise the number in the test `every_action_has_one_opcode` in
//!    `opcode/table.rs`.
//! 5. Add the opcode to the list in the test `every_opcode_of_the_standard_is_found` in
//!    `opcode/table.rs`: to `later` if it is not in the standard of 1995.
//! 6. Add a line to one of the macros in `record/typed.rs` if programs should get and set the value
//!    by name, as in [`Record::depth`](crate::Record::depth).
//! 7. Run `EPODE_BLESS=1 cargo test -p epode-epd`, which writes the table below again
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
