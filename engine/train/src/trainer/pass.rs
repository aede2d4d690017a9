//! The forward and backward pass over a batch.
//!
//! Both take one tile of neurons at a time, so that the weights that they need, and the gradient, stay in
//! the cache. No two tiles share a weight, so threads need not add up gradients, and the sums do not depend
//! on the number of threads. The backward pass computes the hidden layer again instead of keeping it, which would
//! take 8 KiB for each example.

use movegen::Color;

use super::group::{GROUP, Group};
use super::weights::{Neurons, TILE, Tile};

/// Partial sums, so that their addition vectorizes.
const LANES: usize = 16;

/// The sum of all numbers, in an order that vectorizes.
fn total(sums: &[f32; LANES]) -> f32 {
    let sums: [f32; 8] = std::array::from_fn(|n| sums[n] + sums[n + 8]);
    let sums: [f32; 4] = std::array::from_fn(|n| sums[n] + sums[n + 4]);
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// Computes what a tile adds to the output, for each example of a batch.
pub fn forward(tile: &Tile, batch: &[Group]) -> Vec<f32> {
    let mut outputs = Vec::with_capacity(batch.len() * GROUP);
    for group in batch {
        let mut products = [[0.0; LANES]; GROUP];
        for side in Color::ALL {
            let mut sums = tile.rows[Tile::BIASES];
            let labels = group.labels.iter().zip(&mut products);
            for ((label, products), change) in labels.zip(group.changes(side)) {
                for &input in change.removed {
                    sums.subtract(&tile.rows[usize::from(input)]);
                }
                for &input in change.added {
                    sums.add(&tile.rows[usize::from(input)]);
                }
                let row = Tile::output(label.bucket, usize::from(side != label.turn));
                let weights = tile.rows[row].0.as_chunks::<LANES>().0;
                for (sums, weights) in sums.0.as_chunks::<LANES>().0.iter().zip(weights) {
                    for n in 0..LANES {
                        let ramp = sums[n].clamp(0.0, 1.0);
                        products[n] += ramp * ramp * weights[n];
                    }
                }
            }
        }
        outputs.extend(products[..group.labels.len()].iter().map(total));
    }
    outputs
}

/// Computes the gradient of a tile, given the slope of the loss of each example by its output.
pub fn backward(tile: &Tile, batch: &[Group], slopes: &[f32]) -> Tile {
    let mut gradient = Tile::zero();
    let mut slopes = slopes;
    for group in batch {
        let (of_group, rest) = slopes.split_at(group.labels.len());
        slopes = rest;
        for side in Color::ALL {
            backward_side(tile, group, side, of_group, &mut gradient);
        }
    }
    gradient
}

/// Adds the gradient of one side of the positions of a group. An input that is active from one position to
/// another has the gradient of all of them: the sum up to the other less the sum up to the first.
fn backward_side(tile: &Tile, group: &Group, side: Color, slopes: &[f32], gradient: &mut Tile) {
    let mut sums = tile.rows[Tile::BIASES];
    let mut so_far = Neurons::ZERO;
    let mut changes = group.changes(side);
    for (n, (label, slope)) in group.labels.iter().zip(slopes).enumerate() {
        let Some(change) = changes.next() else { break };
        for &input in change.removed {
            sums.subtract(&tile.rows[usize::from(input)]);
            gradient.rows[usize::from(input)].add(&so_far);
        }
        for &input in change.added {
            sums.add(&tile.rows[usize::from(input)]);
        }
        // Nothing has been summed up before the first position.
        if n > 0 {
            for &input in change.added {
                gradient.rows[usize::from(input)].subtract(&so_far);
            }
        }
        let row = Tile::output(label.bucket, usize::from(side != label.turn));
        let weights = &tile.rows[row].0;
        let outputs = &mut gradient.rows[row].0;
        for n in 0..TILE {
            let ramp = sums.0[n].clamp(0.0, 1.0);
            outputs[n] += slope * ramp * ramp;
            let steep = if ramp < 1.0 { 2.0 * ramp } else { 0.0 };
            so_far.0[n] += slope * weights[n] * steep;
        }
    }
    for &input in changes.flat_map(|end| end.removed) {
        gradient.rows[usize::from(input)].add(&so_far);
    }
    gradient.rows[Tile::BIASES].add(&so_far);
}
