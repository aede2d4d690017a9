//! The weights of a network in floating point, and their conversion to the integers of a [`Net`].

use engine::Net;
use engine::layout::{BUCKETS, FEATURES, HIDDEN, ONE, OUTPUT_LIMIT, OUTPUT_ONE, ROWS};

/// The largest absolute weight of an input: the 16-bit sums of 32 of them do not overflow.
const INPUT_LIMIT: f32 = 1.98;
/// The neurons of a tile. Their weights take 200 kB, so that a core can keep them in its cache.
pub const TILE: usize = 64;
const _: () = assert!(HIDDEN.is_multiple_of(TILE));

/// A number for each neuron of a tile.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Neurons(pub [f32; TILE]);

impl Neurons {
    pub const ZERO: Self = Self([0.0; TILE]);

    /// Adds other numbers to these.
    #[inline]
    pub fn add(&mut self, other: &Self) {
        for (sum, number) in self.0.iter_mut().zip(&other.0) {
            *sum += number;
        }
    }

    /// Subtracts other numbers from these.
    #[inline]
    pub fn subtract(&mut self, other: &Self) {
        for (sum, number) in self.0.iter_mut().zip(&other.0) {
            *sum -= number;
        }
    }
}

/// The weights of some neurons of the hidden layer, or a number for each of these weights, such as a gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Tile {
    /// The rows of a [`Net`].
    pub rows: Box<[Neurons; ROWS]>,
}

impl Tile {
    /// The row of the biases of the neurons.
    pub const BIASES: usize = FEATURES;
    const OUTPUTS: usize = Self::BIASES + 1;

    pub fn zero() -> Self {
        let rows = vec![Neurons::ZERO; ROWS].into_boxed_slice();
        Self {
            rows: rows.try_into().expect("all rows"),
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
            Self::BIASES => f32::INFINITY,
            _ => f32::from(OUTPUT_LIMIT) / OUTPUT_ONE as f32,
        }
    }

    /// The integer that stands for 1 in a row of a [`Net`].
    const fn one(row: usize) -> i32 {
        match row {
            ..=Self::BIASES => ONE,
            _ => OUTPUT_ONE,
        }
    }

    /// [`Weights::revive`] for one tile.
    fn revive(&mut self, other: &Self) {
        let outputs = &self.rows[Self::OUTPUTS..];
        let is_unused: [bool; TILE] =
            std::array::from_fn(|n| outputs.iter().all(|row| row.0[n] == 0.0));
        let rows = self.rows.iter_mut().zip(&*other.rows);
        for (row, other) in rows.take(Self::OUTPUTS) {
            for (n, weight) in row.0.iter_mut().enumerate() {
                if is_unused[n] {
                    *weight = other.0[n];
                }
            }
        }
    }
}

/// All weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The first neurons, the next, and so on.
    pub tiles: Vec<Tile>,
    pub output_biases: [f32; BUCKETS],
}

impl Weights {
    pub fn zero() -> Self {
        Self {
            tiles: vec![Tile::zero(); HIDDEN / TILE],
            output_biases: [0.0; BUCKETS],
        }
    }

    /// A row of a [`Net`].
    pub fn row(&self, row: usize) -> impl Iterator<Item = &f32> {
        self.tiles.iter().flat_map(move |tile| &tile.rows[row].0)
    }

    /// A row of a [`Net`], to change it.
    pub fn row_mut(&mut self, row: usize) -> impl Iterator<Item = &mut f32> {
        let tiles = self.tiles.iter_mut();
        tiles.flat_map(move |tile| &mut tile.rows[row].0)
    }

    /// Takes the inputs of the neurons that no output uses from other weights. This does not change the
    /// outputs, but lets these neurons learn.
    pub fn revive(&mut self, other: &Self) {
        for (tile, other) in self.tiles.iter_mut().zip(&other.tiles) {
            tile.revive(other);
        }
    }

    /// The network with the nearest integers.
    pub fn to_net(&self) -> Net {
        let rows = (0..ROWS).map(|n| {
            let mut integers = [0; HIDDEN];
            for (integer, weight) in integers.iter_mut().zip(self.row(n)) {
                *integer = (weight * Tile::one(n) as f32).round() as i16;
            }
            integers
        });
        let rows: Vec<_> = rows.collect();
        let rows = rows
            .as_slice()
            .try_into()
            .expect("a row for each of the network");
        let output_biases = self
            .output_biases
            .map(|bias| (bias * (ONE * OUTPUT_ONE) as f32).round() as i32);
        Net::from_rows(rows, output_biases).expect("weights of outputs are within their limit")
    }
}

impl From<&Net> for Weights {
    fn from(net: &Net) -> Self {
        let mut weights = Self::zero();
        for (n, row) in net.rows().enumerate() {
            for (weight, &integer) in weights.row_mut(n).zip(row) {
                *weight = f32::from(integer) / Tile::one(n) as f32;
            }
        }
        let biases = net.output_biases().map(|bias| bias as f32);
        weights.output_biases = biases.map(|bias| bias / (ONE * OUTPUT_ONE) as f32);
        weights
    }
}
