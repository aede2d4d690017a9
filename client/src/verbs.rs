//! The commands of `epode`, one module each, except `client` ([`crate::play`]) and `uci`
//! ([`crate::uci`]). The code calls a command a verb, as the standard does (EPD 7). Each has a function `run` from its arguments to the exit status. `filter` is
//! what the verbs that rewrite records share, `lines` what those share that select, order or merge lines, and `identity`
//! says which positions are the same.

pub mod bench;
pub mod book;
pub mod convert;
pub mod diagram;
mod filter;
mod identity;
mod lines;
pub mod merge;
pub mod mine;
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
