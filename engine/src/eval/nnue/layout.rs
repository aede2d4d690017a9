//! The shape of the network, and the units of its integers.

/// Neurons of the hidden layer for each side.
pub const HIDDEN: usize = 1024;
/// Outputs, each for a range of piece counts.
pub const BUCKETS: usize = 8;
/// The integer that stands for 1 in the hidden layer.
pub const ONE: i32 = 255;
/// The integer that stands for 1 in the weights of the outputs.
pub const OUTPUT_ONE: i32 = 512;
/// The largest absolute weight of an output: sums of such weights cannot overflow.
pub const OUTPUT_LIMIT: i16 = 1023;
/// The centipawns that an output of 1 stands for.
pub const CENTIPAWNS: i64 = 400;

/// A 16-bit integer for each neuron of a side.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Row(pub [i16; HIDDEN]);

/// The output for a position with this number of pieces.
#[must_use]
pub fn bucket(pieces: usize) -> usize {
    (pieces.saturating_sub(2) / 4).min(BUCKETS - 1)
}
