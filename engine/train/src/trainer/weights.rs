//! The weights of a network in floating point, and their conversion to the integers of a [`Net`].

use engine::Net;
use engine::layout::{BUCKETS, FEATURES, HIDDEN, ONE, OUTPUT_LIMIT, OUTPUT_ONE, ROWS};

/// The largest absolute weight of an input: the 16-bit sums of 32 of them do not overflow.
const INPUT_LIMIT: f32 = 1.98;

/// A number for each neuron of a side.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Neurons(pub [f32; HIDDEN]);

impl Neurons {
    pub const ZERO: Self = Self([0.0; HIDDEN]);
}

/// All weights, or a number for each of them, such as a gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The rows of a [`Net`], and one more that begins with the biases of the outputs.
    pub rows: Vec<Neurons>,
}

impl Weights {
    /// The row of the biases of the neurons.
    pub const BIASES: usize = FEATURES;
    /// The row of the biases of the outputs.
    pub const OUTPUT_BIASES: usize = ROWS;
    pub const ROWS: usize = ROWS + 1;
    const OUTPUTS: usize = Self::BIASES + 1;

    pub fn zero() -> Self {
        Self {
            rows: vec![Neurons::ZERO; Self::ROWS],
        }
    }

    /// The row of an output, for the side to move (0) or the other side (1).
    pub const fn output(bucket: usize, side: usize) -> usize {
        Self::OUTPUTS + 2 * bucket + side
    }

    /// The largest absolute weight in a row that the integers of a [`Net`] can hold.
    pub fn limit(row: usize) -> f32 {
        match row {
            ..FEATURES => INPUT_LIMIT,
            Self::BIASES | Self::OUTPUT_BIASES.. => f32::INFINITY,
            _ => f32::from(OUTPUT_LIMIT) / OUTPUT_ONE as f32,
        }
    }

    /// Takes the inputs of the neurons that no output uses from other weights. This does not change the
    /// outputs, but lets these neurons learn.
    pub fn revive(&mut self, other: &Self) {
        let outputs = &self.rows[Self::OUTPUTS..Self::OUTPUT_BIASES];
        let is_unused: [bool; HIDDEN] =
            std::array::from_fn(|n| outputs.iter().all(|row| row.0[n] == 0.0));
        for (row, other) in self.rows.iter_mut().zip(&other.rows).take(Self::OUTPUTS) {
            for (n, weight) in row.0.iter_mut().enumerate() {
                if is_unused[n] {
                    *weight = other.0[n];
                }
            }
        }
    }

    /// The integer that stands for 1 in a row of a [`Net`].
    const fn one(row: usize) -> i32 {
        match row {
            ..=Self::BIASES => ONE,
            _ => OUTPUT_ONE,
        }
    }

    /// The network with the nearest integers.
    pub fn to_net(&self) -> Net {
        let rows = self.rows[..ROWS].iter().enumerate().map(|(n, row)| {
            let one = Self::one(n) as f32;
            row.0.map(|weight| (weight * one).round() as i16)
        });
        let biases = &self.rows[Self::OUTPUT_BIASES].0;
        let output_biases: [i32; BUCKETS] = std::array::from_fn(|bucket| {
            (biases[bucket] * (ONE * OUTPUT_ONE) as f32).round() as i32
        });
        let rows: Vec<_> = rows.collect();
        let rows = rows
            .as_slice()
            .try_into()
            .expect("a row for each of the network");
        Net::from_rows(rows, output_biases).expect("weights of outputs are within their limit")
    }
}

impl From<&Net> for Weights {
    fn from(net: &Net) -> Self {
        let mut weights = Self::zero();
        for (n, (weights, row)) in weights.rows.iter_mut().zip(net.rows()).enumerate() {
            let one = Self::one(n) as f32;
            *weights = Neurons(row.map(|weight| f32::from(weight) / one));
        }
        let biases = &mut weights.rows[Self::OUTPUT_BIASES].0;
        for (weight, &bias) in biases.iter_mut().zip(net.output_biases()) {
            *weight = bias as f32 / (ONE * OUTPUT_ONE) as f32;
        }
        weights
    }
}
