//! What a position is worth without searching: a small neural network says it that is updated move by
//! move (<https://www.chessprogramming.org/NNUE>), trained on games of the engine against itself.
//!
//! Each side sees the board from where it sits, and its own king always on the left half: 768
//! inputs, one for each piece on each square, numbered by role, then by side, its own first, then by
//! square. A layer of [`HIDDEN`] neurons sums up what a side sees; both sums, that of the side to move
//! first, pass through the square of a clipped ramp (`SCReLU`) to one of [`BUCKETS`] outputs, chosen
//! by the number of pieces.
//!
//! A file holds, little-endian and without gaps: the eight letters `EPODENET`; the version, the
//! neurons and the buckets, four bytes each; the weights of the inputs, input by input, then the
//! biases of the neurons, as 16-bit integers where [`ONE`] stands for 1; the weights of each output,
//! for the side to move and for the other, as 16-bit integers from -2047 to 2047 where
//! [`OUTPUT_ONE`] stands for 1; a 32-bit bias for each output, where the product of both ones
//! stands for 1; and the CRC-32 of all these bytes.

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
