//! The forward and backward pass over a batch.
//!
//! Both take one tile of neurons at a time, so that the weights that they need, and the gradient, stay in
//! the cache. No two tiles share a weight, so threads need not add up gradients, and the sums do not depend
//! on the number of threads.

use engine::layout::FEATURES;

use super::example::Example;
use super::weights::{Neurons, TILE, Tile};

/// Examples that are read together, and whose slopes stay in the cache.
pub const CHUNK: usize = 256;

/// Some examples of a batch, at most [`CHUNK`].
pub struct Chunk {
    examples: Vec<Example>,
    /// The sides that have each input, ordered by input: twice the number of the example, plus 1 for the side
    /// that is not to move.
    sides: Vec<u16>,
    /// Where the sides of each input begin, and the end.
    starts: Box<[u32; FEATURES + 1]>,
}

impl Chunk {
    pub fn new(examples: impl Iterator<Item = Example>) -> Self {
        let examples: Vec<_> = examples.collect();
        let mut starts = Box::new([0; FEATURES + 1]);
        for &input in examples.iter().flat_map(|e| &e.inputs).flatten() {
            starts[usize::from(input) + 1] += 1;
        }
        for input in 0..FEATURES {
            starts[input + 1] += starts[input];
        }
        let mut ends = starts.clone();
        let mut sides = vec![0; starts[FEATURES] as usize];
        let inputs = examples.iter().flat_map(|example| &example.inputs);
        for (side, inputs) in (0..).zip(inputs) {
            for &input in inputs {
                let end = &mut ends[usize::from(input)];
                sides[*end as usize] = side;
                *end += 1;
            }
        }
        Self {
            examples,
            sides,
            starts,
        }
    }

    pub fn examples(&self) -> &[Example] {
        &self.examples
    }

    /// The sides that have an input.
    fn sides(&self, input: usize) -> &[u16] {
        &self.sides[self.starts[input] as usize..self.starts[input + 1] as usize]
    }
}

/// The sum of all numbers, in an order that vectorizes.
fn total(numbers: &Neurons) -> f32 {
    let mut sums = [0.0; 16];
    for numbers in numbers.0.as_chunks::<16>().0 {
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum += number;
        }
    }
    let sums: [f32; 8] = std::array::from_fn(|n| sums[n] + sums[n + 8]);
    let sums: [f32; 4] = std::array::from_fn(|n| sums[n] + sums[n + 4]);
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// The forward pass of one tile.
#[derive(Clone, Default)]
pub struct Forward {
    /// For each example the neurons of the side to move after clipping, then those of the other side.
    ramps: Vec<[Neurons; 2]>,
    /// For each example what the tile adds to the output.
    pub outputs: Vec<f32>,
}

impl Forward {
    /// Computes the pass over the examples of a batch.
    pub fn run(&mut self, tile: &Tile, batch: &[Chunk]) {
        let count = batch.iter().map(|chunk| chunk.examples.len()).sum();
        self.ramps.resize(count, [Neurons::ZERO; 2]);
        self.outputs.clear();
        let examples = batch.iter().flat_map(Chunk::examples);
        for (example, kept) in examples.zip(&mut self.ramps) {
            let mut products = Neurons::ZERO;
            for (side, kept) in kept.iter_mut().enumerate() {
                let mut sums = tile.rows[Tile::BIASES];
                for &input in &example.inputs[side] {
                    sums.add(&tile.rows[usize::from(input)]);
                }
                let ramps = Neurons(sums.0.map(|sum| sum.clamp(0.0, 1.0)));
                let weights = &tile.rows[Tile::output(example.bucket, side)];
                for n in 0..TILE {
                    products.0[n] += ramps.0[n] * ramps.0[n] * weights.0[n];
                }
                *kept = ramps;
            }
            self.outputs.push(total(&products));
        }
    }

    /// Computes the gradient of the tile, given the slope of the loss of each example by its output.
    pub fn gradient(&self, tile: &Tile, batch: &[Chunk], slopes: &[f32]) -> Tile {
        let mut gradient = Tile::zero();
        let mut back = vec![[Neurons::ZERO; 2]; CHUNK];
        let mut passes = self.ramps.iter().zip(slopes);
        for chunk in batch {
            let examples = chunk.examples.iter().zip(&mut back);
            for ((example, back), (ramps, slope)) in examples.zip(&mut passes) {
                for side in 0..2 {
                    let (ramps, back) = (&ramps[side].0, &mut back[side]);
                    let row = Tile::output(example.bucket, side);
                    let weights = &tile.rows[row].0;
                    let outputs = &mut gradient.rows[row].0;
                    for n in 0..TILE {
                        let ramp = ramps[n];
                        outputs[n] += slope * ramp * ramp;
                        let steep = if ramp < 1.0 { 2.0 * ramp } else { 0.0 };
                        back.0[n] = slope * weights[n] * steep;
                    }
                    gradient.rows[Tile::BIASES].add(back);
                }
            }
            let back = back.as_flattened();
            for input in 0..FEATURES {
                let mut sum = gradient.rows[input];
                for &side in chunk.sides(input) {
                    sum.add(&back[usize::from(side)]);
                }
                gradient.rows[input] = sum;
            }
        }
        gradient
    }
}
