//! Trains a network on data points by gradient descent (Adam) on batches of shuffled groups (`group.rs`).
//!
//! The hidden layer is divided into tiles of neurons, which are trained separately within a step (`pass.rs`). So
//! the result does not depend on the number of threads.

mod adam;
mod example;
mod group;
mod pass;
mod weights;

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::thread;

use arrayvec::ArrayVec;
use engine::Net;
use engine::layout::{BUCKETS, FEATURES, HIDDEN, ROWS};
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use crate::data_point::Stored;
use adam::{Moments, Step};
use example::{Example, LOG_ODDS, Label, points};
use group::{GROUP, Group};
use weights::{Tile, Weights};

/// The validation set has one block of so many groups in fifty. Consecutive data points come from the same
/// game, so that single ones would resemble those that are trained on.
const BLOCK: usize = 4096 / GROUP;
const VALIDATION_BLOCKS: usize = 50;
/// The number of steps in which the learning rate rises.
const WARM_UP: usize = 200;
/// The learning rate at the end, as a fraction of the maximum.
const RATE_LEFT: f32 = 0.01;

/// How to train.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Training {
    /// Passes over the data.
    pub epochs: NonZeroUsize,
    /// Data points per step, rounded up to whole groups of 16.
    pub batch: NonZeroUsize,
    /// The maximum learning rate.
    pub rate: f32,
    /// The weight of the game result against the score, from 0 to 1.
    pub wdl_weight: f32,
    /// The seed of the initial weights and of the order of data points.
    pub seed: u64,
    /// The number of threads. There are 16 tiles, so more have little to do.
    pub threads: NonZeroUsize,
}

impl Default for Training {
    fn default() -> Self {
        Self {
            epochs: const { NonZeroUsize::new(10).unwrap() },
            batch: const { NonZeroUsize::new(8192).unwrap() },
            rate: 4e-3,
            wdl_weight: 0.1,
            seed: 1,
            threads: NonZeroUsize::MIN,
        }
    }
}

/// Mean squared errors, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses {
    /// On the training set, before the step that used each data point.
    pub training: f64,
    /// On the validation set, at the end of the epoch; 0 if the set is empty.
    pub validation: f64,
}

/// A network in training.
pub struct Trainer<'a> {
    training: Training,
    data: &'a [Stored],
    /// The numbers of the groups of the training set, in the order of the last epoch.
    training_set: Vec<u32>,
    /// The numbers of the groups of the validation set.
    validation_set: Vec<u32>,
    random: ChaCha8Rng,
    weights: Weights,
    /// Those of each tile.
    moments: Vec<Moments<Tile>>,
    bias_moments: Moments<[f32; BUCKETS]>,
    steps: usize,
}

impl<'a> Trainer<'a> {
    /// Creates a trainer that starts from a network, or from random weights. Neurons that no output uses,
    /// such as those by which the network was [widened](Net::widened), start from random inputs.
    #[must_use]
    pub fn new(training: Training, data: &'a [Stored], begin: Option<&Net>) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(training.seed);
        let groups = data.len().div_ceil(GROUP);
        let blocks = groups.div_ceil(BLOCK).max(1);
        let mut is_validation = vec![false; blocks];
        for _ in 0..blocks / VALIDATION_BLOCKS {
            is_validation[random.random_range(0..blocks)] = true;
        }
        let all = 0..u32::try_from(groups).unwrap_or(u32::MAX);
        let (validation_set, training_set) = all.partition(|&n| is_validation[n as usize / BLOCK]);
        let random_weights = random_weights(&mut random);
        let weights = match begin {
            Some(net) => {
                let mut weights = Weights::from(net);
                weights.revive(&random_weights);
                weights
            }
            None => random_weights,
        };
        let no_moments = Moments {
            mean: Tile::zero(),
            square: Tile::zero(),
        };
        Self {
            training,
            data,
            training_set,
            validation_set,
            random,
            moments: vec![no_moments; weights.tiles.len()],
            bias_moments: Moments {
                mean: [0.0; BUCKETS],
                square: [0.0; BUCKETS],
            },
            weights,
            steps: 0,
        }
    }

    /// Checks that bytes are data points.
    ///
    /// # Errors
    ///
    /// The index, from 0, of the first that is not.
    pub fn data_points(bytes: &[u8]) -> Result<&[Stored], usize> {
        let (data, rest) = bytes.as_chunks();
        let bad = data
            .iter()
            .position(|stored| Example::read(stored, 0.0).is_none());
        match bad {
            Some(bad) => Err(bad),
            None if !rest.is_empty() => Err(data.len()),
            None => Ok(data),
        }
    }

    /// The sizes of the training set and of the validation set.
    #[must_use]
    pub fn sizes(&self) -> (usize, usize) {
        (
            self.count(&self.training_set),
            self.count(&self.validation_set),
        )
    }

    /// The network so far.
    #[must_use]
    pub fn net(&self) -> Net {
        self.weights.to_net()
    }

    /// The number of data points in some groups.
    fn count(&self, groups: &[u32]) -> usize {
        groups.iter().map(|&group| self.stored(group).len()).sum()
    }

    /// The data points of a group.
    fn stored(&self, group: u32) -> &'a [Stored] {
        let begin = group as usize * GROUP;
        &self.data[begin..self.data.len().min(begin + GROUP)]
    }

    /// Trains on the whole training set once. The observer receives the number of data points of
    /// each step.
    pub fn epoch(&mut self, observer: &mut dyn FnMut(usize)) -> Losses {
        let mut order = std::mem::take(&mut self.training_set);
        order.shuffle(&mut self.random);
        let batch = self.groups_of_batch();
        let steps = self.training.epochs.get() * order.len().div_ceil(batch);
        let mut loss = 0.0;
        for groups in order.chunks(batch) {
            loss += self.step(groups, self.rate(steps));
            observer(self.count(groups));
        }
        let training = loss / self.count(&order).max(1) as f64;
        self.training_set = order;
        Losses {
            training,
            validation: self.validation_loss(),
        }
    }

    fn groups_of_batch(&self) -> usize {
        self.training.batch.get().div_ceil(GROUP)
    }

    /// The learning rate of the next step: a linear warm-up, then half a cosine.
    fn rate(&self, steps: usize) -> f32 {
        let done = self.steps as f32 / steps.max(1) as f32;
        let warm = (self.steps as f32 / WARM_UP as f32).min(1.0);
        let cosine = f32::midpoint(1.0, (std::f32::consts::PI * done.min(1.0)).cos());
        self.training.rate * warm * (RATE_LEFT + (1.0 - RATE_LEFT) * cosine)
    }

    /// Takes one step. Returns the sum of the losses before it.
    fn step(&mut self, groups: &[u32], rate: f32) -> f64 {
        let batch = self.read(groups);
        let errors = self.errors(&batch);
        let share_of_one = 1.0 / errors.len() as f32;
        let slopes = errors.iter().map(|error| error.slope() * share_of_one);
        let slopes: Vec<_> = slopes.collect();

        self.steps += 1;
        let step = Step::new(self.steps, rate);
        let tiles = self.weights.tiles.iter_mut().zip(&mut self.moments);
        share(self.training.threads, tiles, |(tile, moments)| {
            let gradient = pass::backward(tile, &batch, &slopes);
            step.change_tile(tile, &gradient, moments);
        });
        let mut gradient = [0.0; BUCKETS];
        for (label, slope) in labels(&batch).zip(slopes) {
            gradient[label.bucket] += slope;
        }
        let biases = &mut self.weights.output_biases;
        let moments = Moments {
            mean: &mut self.bias_moments.mean,
            square: &mut self.bias_moments.square,
        };
        step.change(biases, &gradient, moments, f32::INFINITY);
        errors.iter().map(Error::loss).sum()
    }

    /// The mean loss on the validation set.
    fn validation_loss(&self) -> f64 {
        let mut loss = 0.0;
        for groups in self.validation_set.chunks(self.groups_of_batch()) {
            let errors = self.errors(&self.read(groups));
            loss += errors.iter().map(Error::loss).sum::<f64>();
        }
        loss / self.count(&self.validation_set).max(1) as f64
    }

    /// Reads groups of data points. The caller has checked these with [`Trainer::data_points`].
    fn read(&self, numbers: &[u32]) -> Vec<Group> {
        let mut groups: Vec<_> = numbers.iter().map(|_| None).collect();
        let items = numbers.iter().zip(&mut groups);
        share(self.training.threads, items, |(&number, group)| {
            let stored = self.stored(number).iter();
            let wdl_weight = self.training.wdl_weight;
            let examples = stored.filter_map(|stored| Example::read(stored, wdl_weight));
            *group = Some(Group::new(&examples.collect::<ArrayVec<_, GROUP>>()));
        });
        groups.into_iter().flatten().collect()
    }

    /// The error of each example.
    fn errors(&self, batch: &[Group]) -> Vec<Error> {
        let outputs = self.outputs(batch);
        labels(batch).zip(outputs).map(Error::new).collect()
    }

    /// The output of the network for each example, by a forward pass.
    fn outputs(&self, batch: &[Group]) -> Vec<f32> {
        let mut of_tiles = vec![Vec::new(); self.weights.tiles.len()];
        let tiles = self.weights.tiles.iter().zip(&mut of_tiles);
        share(self.training.threads, tiles, |(tile, outputs)| {
            *outputs = pass::forward(tile, batch);
        });
        let biases = &self.weights.output_biases;
        let mut outputs: Vec<_> = labels(batch).map(|label| biases[label.bucket]).collect();
        for of_tile in of_tiles {
            for (output, of_tile) in outputs.iter_mut().zip(of_tile) {
                *output += of_tile;
            }
        }
        outputs
    }
}

/// The labels of all examples of a batch.
fn labels(batch: &[Group]) -> impl Iterator<Item = &Label> {
    batch.iter().flat_map(|group| &group.labels)
}

/// How far an output is from the target.
struct Error {
    /// The predicted points, from 0 to 1.
    points: f32,
    /// The same less the target.
    error: f32,
}

impl Error {
    fn new((label, output): (&Label, f32)) -> Self {
        let points = points(output);
        Self {
            points,
            error: points - label.target,
        }
    }

    /// The loss: the squared error.
    fn loss(&self) -> f64 {
        f64::from(self.error * self.error)
    }

    /// The derivative of the loss by the output.
    fn slope(&self) -> f32 {
        2.0 * self.error * self.points * (1.0 - self.points) * LOG_ODDS
    }
}

/// Does the work on all items, on this number of threads.
fn share<T: Send>(
    threads: NonZeroUsize,
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) + Sync,
) {
    let items = Mutex::new(items);
    let go_on = || {
        while let Some(item) = items.lock().ok().and_then(|mut items| items.next()) {
            work(item);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get() {
            scope.spawn(go_on);
        }
        go_on();
    });
}

/// Initial weights, so small that the sum of some two dozen of them is about 1.
fn random_weights(random: &mut ChaCha8Rng) -> Weights {
    let mut weights = Weights::zero();
    for n in 0..ROWS {
        let bound = match n {
            ..FEATURES => 1.0 / 32_f32.sqrt(),
            Tile::BIASES => 0.0,
            _ => 1.0 / (2.0 * HIDDEN as f32).sqrt(),
        };
        for weight in weights.row_mut(n) {
            *weight = bound * random.random_range(-1.0..=1.0);
        }
    }
    weights
}

#[cfg(test)]
mod tests;
