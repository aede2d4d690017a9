//! Files and streams: reading records, writing whole files, compression, and passing records through
//! several threads in order.

pub mod compression;
pub mod input;
pub mod output;
pub mod parallel;
pub mod pgn;
pub mod sorter;
pub mod stream;
