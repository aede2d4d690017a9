//! The commands of `epode`, one module each, except `client` ([`crate::play`]) and `uci`
//! ([`crate::uci`]). The code calls a command a verb, as the standard does (EPD 7). Each has a function `run` from its arguments to the exit status. `filter` is
//! what the verbs that copy records share.

pub mod bench;
pub mod convert;
pub mod diagram;
mod filter;
mod identity;
mod lines;
pub mod merge;
pub mod perft;
pub mod pfdn;
pub mod pfdr;
pub mod pfga;
pub mod pfms;
pub mod pfop;
pub mod pfts;
pub mod query;
pub mod report;
pub mod sample;
pub mod shell;
pub mod sort;
pub mod split;
pub mod stats;
pub mod unique;
pub mod validate;
