//! Files and streams: reading records, writing whole files, compression, passing records through several
//! threads in order, and lines for an interface.

pub mod compression;
pub mod input;
pub mod interface;
pub mod output;
pub mod parallel;
pub mod pgn;
pub mod sorter;
pub mod stream;
pub mod temporary;
