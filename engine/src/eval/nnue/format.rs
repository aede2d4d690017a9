//! The weights of a network in floating point, as they are trained, and their conversion to the
//! integers of a [`Net`].

use super::features::FEATURES;
use super::{BUCKETS, CRC, HIDDEN, Net, ONE, OUTPUT_LIMIT, OUTPUT_ONE, Row};

/// A number for each neuron of a side.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Neurons(pub [f32; HIDDEN]);

impl Neurons {
    pub const ZERO: Self = Self([0.0; HIDDEN]);
}

/// All weights, or a number for each of them: rows that can be gone through alike.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Weights {
    /// A row for each input, one for the biases of the neurons, two for each output (the side to
    /// move and the other), and one that begins with the biases of the outputs.
    pub rows: Vec<Neurons>,
}

impl Weights {
    pub const BIASES: usize = FEATURES;
    const OUTPUTS: usize = Self::BIASES + 1;
    pub const OUTPUT_BIASES: usize = Self::OUTPUTS + 2 * BUCKETS;
    pub const ROWS: usize = Self::OUTPUT_BIASES + 1;

    pub fn zero() -> Self {
        Self {
            rows: vec![Neurons::ZERO; Self::ROWS],
        }
    }

    /// The row of an output, for the side to move (0) or the other (1).
    pub const fn output(bucket: usize, side: usize) -> usize {
        Self::OUTPUTS + 2 * bucket + side
    }

    /// How far the weights of a row may go, so that the integers of a [`Net`] can hold them.
    pub fn limit(row: usize) -> f32 {
        if row < FEATURES {
            // Sums of 32 of them do not overflow.
            1.98
        } else if (Self::OUTPUTS..Self::OUTPUT_BIASES).contains(&row) {
            f32::from(OUTPUT_LIMIT) / OUTPUT_ONE as f32
        } else {
            f32::INFINITY
        }
    }

    /// The network with the nearest integers.
    pub fn to_net(&self) -> Net {
        let row = |row: usize, one: i32| {
            Row(self.rows[row]
                .0
                .map(|weight| (weight * one as f32).round() as i16))
        };
        let biases = &self.rows[Self::OUTPUT_BIASES].0;
        let mut net = Net {
            checksum: 0,
            inputs: (0..FEATURES).map(|input| row(input, ONE)).collect(),
            biases: row(Self::BIASES, ONE),
            outputs: std::array::from_fn(|bucket| {
                [0, 1].map(|side| row(Self::output(bucket, side), OUTPUT_ONE))
            }),
            output_biases: std::array::from_fn(|bucket| {
                (biases[bucket] * (ONE * OUTPUT_ONE) as f32).round() as i32
            }),
        };
        net.checksum = CRC.checksum(&net.content());
        net
    }
}

impl From<&Net> for Weights {
    fn from(net: &Net) -> Self {
        let mut weights = Self::zero();
        let of = |row: &Row, one: i32| Neurons(row.0.map(|weight| f32::from(weight) / one as f32));
        let layer = net.inputs.iter().chain([&net.biases]);
        let outputs = net.outputs.iter().flatten();
        let rows = layer.map(|row| of(row, ONE));
        let rows = rows.chain(outputs.map(|row| of(row, OUTPUT_ONE)));
        for (weights, row) in weights.rows.iter_mut().zip(rows) {
            *weights = row;
        }
        let biases = &mut weights.rows[Self::OUTPUT_BIASES].0;
        for (weight, &bias) in biases.iter_mut().zip(&net.output_biases) {
            *weight = bias as f32 / (ONE * OUTPUT_ONE) as f32;
        }
        weights
    }
}
