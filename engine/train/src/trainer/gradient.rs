//! The forward and backward pass: the output of the network for an example, its loss and its gradient.

use engine::layout::HIDDEN;

use super::example::{Example, LOG_ODDS, points};
use super::weights::{Neurons, Weights};

/// The number of neurons that are summed in registers at a time.
const TILE: usize = 64;

/// The sums of the hidden neurons of one side.
fn sums(weights: &Weights, inputs: &[u16]) -> Neurons {
    let mut sums = weights.rows[Weights::BIASES];
    for (n, tile) in tiles(&mut sums.0) {
        let mut sum = *tile;
        for &input in inputs {
            let row = &weights.rows[usize::from(input)].0.as_chunks::<TILE>().0[n];
            for (sum, weight) in sum.iter_mut().zip(row) {
                *sum += weight;
            }
        }
        *tile = sum;
    }
    sums
}

fn tiles(neurons: &mut [f32; HIDDEN]) -> impl Iterator<Item = (usize, &mut [f32; TILE])> {
    neurons.as_chunks_mut().0.iter_mut().enumerate()
}

/// The dot product, in parallel parts that vectorize.
fn dot(one: &[f32; HIDDEN], other: &[f32; HIDDEN]) -> f32 {
    let mut parts = [0.0; 32];
    let (one, other) = (one.as_chunks::<32>().0, other.as_chunks::<32>().0);
    for (one, other) in one.iter().zip(other) {
        for i in 0..parts.len() {
            parts[i] += one[i] * other[i];
        }
    }
    parts.iter().sum()
}

/// The results of the forward pass, which the backward pass needs.
struct Pass {
    /// The neurons of both sides after clipping, and their squares.
    ramps: [Neurons; 2],
    squares: [Neurons; 2],
    output: f32,
}

fn pass(weights: &Weights, example: &Example) -> Pass {
    let ramps = [0, 1].map(|side| {
        let sums = sums(weights, &example.inputs[side]);
        Neurons(sums.0.map(|sum| sum.clamp(0.0, 1.0)))
    });
    let squares = ramps.map(|ramp| Neurons(ramp.0.map(|value| value * value)));
    let mut output = weights.rows[Weights::OUTPUT_BIASES].0[example.bucket];
    for (side, squares) in squares.iter().enumerate() {
        output += dot(
            &squares.0,
            &weights.rows[Weights::output(example.bucket, side)].0,
        );
    }
    Pass {
        ramps,
        squares,
        output,
    }
}

/// The output of the network for an example.
pub fn output(weights: &Weights, example: &Example) -> f32 {
    pass(weights, example).output
}

/// The loss of an example: the squared error in points.
pub fn loss(weights: &Weights, example: &Example) -> f32 {
    let error = points(output(weights, example)) - example.target;
    error * error
}

/// Returns the loss of an example, and adds its gradient to `gradient`.
pub fn learn(weights: &Weights, example: &Example, gradient: &mut Weights) -> f32 {
    let Pass {
        ramps,
        squares,
        output,
    } = pass(weights, example);
    let points = points(output);
    let error = points - example.target;
    let slope = 2.0 * error * points * (1.0 - points) * LOG_ODDS;
    gradient.rows[Weights::OUTPUT_BIASES].0[example.bucket] += slope;
    for side in 0..2 {
        let output = Weights::output(example.bucket, side);
        let weights = &weights.rows[output].0;
        for (sum, square) in gradient.rows[output].0.iter_mut().zip(&squares[side].0) {
            *sum += slope * square;
        }
        let mut back = Neurons::ZERO;
        for (i, back) in back.0.iter_mut().enumerate() {
            let ramp = ramps[side].0[i];
            let steep = if ramp < 1.0 { 2.0 * ramp } else { 0.0 };
            *back = slope * weights[i] * steep;
        }
        let inputs = example.inputs[side].iter().copied().map(usize::from);
        for row in inputs.chain([Weights::BIASES]) {
            for (sum, back) in gradient.rows[row].0.iter_mut().zip(&back.0) {
                *sum += back;
            }
        }
    }
    error * error
}
