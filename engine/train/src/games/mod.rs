//! Game files: self-play games in about 3 bytes per data point, or 8 if only every fourth position is one.
//!
//! A file is a sequence of frames. The first holds the settings of the games as JSON, every other one
//! a block of games. Each frame can be read on its own. A damaged one is skipped: the magic number
//! marks the next one.
//!
//! | bytes of a frame | meaning (little-endian) |
//! |---|---|
//! | 0 to 7 | the magic number: `89 45 50 47 41 4D 45 0A` |
//! | 8, 9 | the version of the format: 1 |
//! | 10, 11 | the kind: 0 settings, 1 games |
//! | 12 to 19 | the number of the first game, from 0 |
//! | 20 to 23 | the number of games |
//! | 24 to 27 | the number of data points in them |
//! | 28 to 31 | the length of the payload |
//! | 32 to 35 | CRC-32 of the payload |
//! | 36 to 39 | CRC-32 of bytes 0 to 35 |
//! | from 40 | the payload: JSON, or the columns of `codec.rs` compressed by Zstandard |

mod codec;
mod frame;
mod read;
mod write;

pub use frame::Counts;
pub(crate) use frame::checksum;
pub use read::{Block, Blocks, Damage};
pub use write::Store;
