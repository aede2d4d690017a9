//! Extended Position Description: records read, changed and written.
//!
//! The standard is that of S. J. Edwards, revised 1995.11.26; its sections are cited as "EPD 5.1".
//! Where it is silent, numbered decisions of the project are cited.
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
//! A [`Record`] is a [`Setup`](movegen::Setup) and its operations in ASCII order. What it prints is
//! the normal form (EPD 7.1) once [`Record::normalise`] has sorted the operands that have no order
//! of their own. [`read()`] understands what circulates and tells each [`Deviation`] from the
//! standard; reading by `parse` accepts none. [`check()`] tells what a record says wrongly.
//!
//! This crate does no I/O and knows no search.

mod check;
mod deviation;
pub mod opcode;
mod operation;
mod read;
mod record;
pub mod time;
pub mod value;

pub use check::{Finding, Rule, check};
pub use deviation::{Deviation, DeviationKind, ReadError, ReadErrorKind};
pub use opcode::Opcode;
pub use operation::{Operand, OperandError, Operation};
pub use read::{Line, MAX_LINE, MAX_STRING, read};
pub use record::Record;
