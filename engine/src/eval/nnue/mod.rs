//! The neural network that evaluates positions. It is updated incrementally from move to move
//! (<https://www.chessprogramming.org/NNUE>) and trained on self-play games.
//!
//! Each side has 768 inputs, one for each piece on each square, ordered by role, then by side, its own
//! first, then by square. The board is turned so that the first rank of the side is nearest, and
//! mirrored so that its king is on the left half. A layer of 1024 neurons sums up the inputs of each
//! side. Both layers, that of the side to move first, pass through a squared clipped ramp (`SCReLU`) to
//! one of 8 outputs, which is selected by the number of pieces.
//!
//! A file is little-endian and has no gaps. It holds the eight letters `EPODENET`; the version, the
//! number of neurons and the number of outputs, four bytes each; the weights of the inputs, input by
//! input, and the biases of the neurons, as 16-bit integers in units of 1/255; the weights of each
//! output, for the side to move and for the other side, as 16-bit integers from -1023 to 1023 in units
//! of 1/512; the bias of each output, as a 32-bit integer in units of 1/(255 * 512); and the CRC-32 of
//! all these bytes. `layout` defines these numbers.

mod accumulator;
mod features;
mod layout;
mod net;
mod simd;
#[cfg(test)]
mod tests;
mod training;

pub(crate) use accumulator::Accumulators;
pub use features::FEATURES;
pub use layout::{BUCKETS, CENTIPAWNS, HIDDEN, ONE, OUTPUT_LIMIT, OUTPUT_ONE, bucket};
pub use net::{BadNet, Net};
pub use training::{ROWS, input};
