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
//! Steps 1, 5, 8 and 9 are always needed. Paths without a package are below `epd/src`.
//!
//! 1. Add a row to [`LEXICON`] in `opcode/table.rs`, in ASCII order: name, operands, source and
//!    meaning; then `.unordered()` if the order of operands means nothing, `.variation()` if the
//!    operands are moves played one after the other, `.role(Role::Analysis)` for a
//!    result of an engine, or another [`Role`] if the protocol uses it.
//! 2. If no [`Basetype`] describes the operands, add one to `opcode/basetype.rs`: its description,
//!    its canonical form, what it accepts, whether it may be in quotes (`may_be_quoted`), and a row
//!    in the test `operands_of_each_basetype`. If its values must stay unquoted, as dates and clocks
//!    must, add it to `is_own_form` in `record/portable.rs`.
//! 3. If the operands are moves, add a variant to [`Lint`](crate::Lint) in `lint/lints.rs`:
//!    `XxNotLegal` for an opcode `xx`, or `XxNotPlayable` for one with `.variation()`. The test
//!    `every_opcode_with_moves_has_a_lint` fails without it.
//! 4. If the opcode is an action of a player, add a flag to [`PlayerActions`] in `opcode/role.rs`,
//!    name it in `.role(...)`, and raise the number in the test `every_action_has_one_opcode` in
//!    `opcode/table.rs`. Then say what it does: which actions it excludes in `actions_of` in
//!    `protocol/message.rs` and in `lint/contradictions.rs`, what the referee answers in
//!    `handle_reply` in `referee/src/core/game/replies.rs`, and when a player sends it in
//!    `client/src/play/session/replies.rs`.
//! 5. Add the opcode to a list in the test `every_opcode_of_the_standard_is_found` in
//!    `opcode/table.rs`: to `later` if it is not in the standard of 1995. If it stands in the list of
//!    unknown names there, remove it from that.
//! 6. If programs should get and set the value by name, as in
//!    [`Record::depth`](crate::Record::depth), add a row under its kind of value to the calls of
//!    the macro `accessors!` in `record/typed.rs`.
//! 7. If `epode` should write it into analysed records: add a variant to `Extra` in
//!    `client/src/cli/analysis.rs`, its value to `operations` in `client/src/batch/analyse.rs`, and a
//!    row to the table of opcodes in `client/README.md`.
//! 8. Add it to `epd/fuzz/read.dict`, from which the fuzzer takes words.
//! 9. Run `EPODE_BLESS=1 cargo test -p epode-epd`, which regenerates `LEXICON.md` (below) and tests
//!    the new entry.
//!
//! A private opcode needs no change here: a program calls [`Lexicon::add`](crate::Lexicon::add).
//!
//! # The lexicon
//!
#![doc = include_str!("../../LEXICON.md")]

mod basetype;
mod entry;
pub(crate) mod lexicon;
mod name;
mod role;
mod table;
pub mod time;
pub mod value;

pub use basetype::Basetype;
pub use entry::{Arity, LexiconEntry, Moves, Order};
pub use name::{Opcode, OpcodeError};
pub use role::{CommandKind, PlayerActions, RequestKind, Role};
pub use table::{LEXICON, documentation};

pub(crate) use table::SYNONYMS;
