//! Trains a network on data points by gradient descent (Adam) on shuffled batches.
//!
//! The gradient of a batch is always summed in the same parts, so that the result does not depend on
//! the number of threads.

mod adam;
mod example;
mod gradient;
mod weights;

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::thread;

use engine::Net;
use engine::layout::{FEATURES, HIDDEN};
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use crate::data_point::Stored;
use adam::{Moments, Step};
use example::Example;
use weights::{Neurons, Weights};

/// The parts of a batch, each summed by one thread.
const PARTS: usize = 8;
/// The validation set has one block in fifty. Consecutive data points come from the same game, so that
/// single ones would resemble those that are trained on.
const BLOCK: usize = 4096;
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
    /// Data points per step.
    pub batch: NonZeroUsize,
    /// The maximum learning rate.
    pub rate: f32,
    /// The weight of the game result against the score, from 0 to 1.
    pub wdl_weight: f32,
    /// The seed of the initial weights and of the order of data points.
    pub seed: u64,
    /// The number of threads; more than eight do not help.
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
    /// The indices of the training set, in the order of the last epoch.
    training_set: Vec<u32>,
    /// The indices of the validation set.
    validation_set: Vec<u32>,
    random: ChaCha8Rng,
    weights: Weights,
    moments: Vec<Moments>,
    gradients: Vec<Weights>,
    steps: usize,
}

impl<'a> Trainer<'a> {
    /// Creates a trainer that starts from a network, or from random weights. Neurons that no output uses,
    /// such as those by which the network was [widened](Net::widened), start from random inputs.
    #[must_use]
    pub fn new(training: Training, data: &'a [Stored], begin: Option<&Net>) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(training.seed);
        let blocks = data.len().div_ceil(BLOCK).max(1);
        let mut is_validation = vec![false; blocks];
        for _ in 0..blocks / VALIDATION_BLOCKS {
            is_validation[random.random_range(0..blocks)] = true;
        }
        let all = 0..u32::try_from(data.len()).unwrap_or(u32::MAX);
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
        Self {
            training,
            data,
            training_set,
            validation_set,
            random,
            weights,
            moments: Moments::all(),
            gradients: vec![Weights::zero(); PARTS],
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
        (self.training_set.len(), self.validation_set.len())
    }

    /// The network so far.
    #[must_use]
    pub fn net(&self) -> Net {
        self.weights.to_net()
    }

    /// Trains on the whole training set once. The observer receives the number of data points of
    /// each step.
    pub fn epoch(&mut self, observer: &mut dyn FnMut(usize)) -> Losses {
        let mut order = std::mem::take(&mut self.training_set);
        order.shuffle(&mut self.random);
        let batch = self.training.batch.get();
        let steps = self.training.epochs.get() * order.len().div_ceil(batch);
        let mut loss = 0.0;
        for numbers in order.chunks(batch) {
            loss += self.step(numbers, self.rate(steps));
            observer(numbers.len());
        }
        let training = loss / order.len().max(1) as f64;
        self.training_set = order;
        Losses {
            training,
            validation: self.validation_loss(),
        }
    }

    /// The learning rate of the next step: a linear warm-up, then half a cosine.
    fn rate(&self, steps: usize) -> f32 {
        let done = self.steps as f32 / steps.max(1) as f32;
        let warm = (self.steps as f32 / WARM_UP as f32).min(1.0);
        let cosine = f32::midpoint(1.0, (std::f32::consts::PI * done.min(1.0)).cos());
        self.training.rate * warm * (RATE_LEFT + (1.0 - RATE_LEFT) * cosine)
    }

    /// Takes one step. Returns the sum of the losses before it.
    fn step(&mut self, numbers: &[u32], rate: f32) -> f64 {
        let (data, weights, wdl_weight) = (self.data, &self.weights, self.training.wdl_weight);
        let mut losses = [0.0; PARTS];
        let parts = numbers.chunks(numbers.len().div_ceil(PARTS));
        let parts = parts.zip(&mut self.gradients).zip(&mut losses);
        share(self.training.threads, parts, |((part, gradient), loss)| {
            gradient.rows.fill(Neurons::ZERO);
            for example in examples(data, part, wdl_weight) {
                *loss += f64::from(gradient::learn(weights, &example, gradient));
            }
        });

        self.steps += 1;
        let step = Step::new(self.steps, rate);
        let gradients = &self.gradients[..numbers.chunks(numbers.len().div_ceil(PARTS)).len()];
        let share_of_one = 1.0 / numbers.len() as f32;
        let rows = self.weights.rows.iter_mut().zip(&mut self.moments);
        let mut rows: Vec<_> = rows.enumerate().collect();
        share(
            self.training.threads,
            rows.chunks_mut(ROWS_AT_ONCE),
            |rows| {
                for (n, (row, moments)) in rows {
                    let mut sum = Neurons::ZERO;
                    for gradient in gradients {
                        for (sum, part) in sum.0.iter_mut().zip(&gradient.rows[*n].0) {
                            *sum += part;
                        }
                    }
                    sum.0.iter_mut().for_each(|sum| *sum *= share_of_one);
                    step.change(row, &sum, moments, Weights::limit(*n));
                }
            },
        );
        losses.iter().sum()
    }

    /// The mean loss on the validation set.
    fn validation_loss(&self) -> f64 {
        let parts = self.validation_set.chunks(BLOCK);
        let mut losses = vec![0.0; parts.len()];
        share(
            self.training.threads,
            parts.zip(&mut losses),
            |(part, loss)| {
                for example in examples(self.data, part, self.training.wdl_weight) {
                    *loss += f64::from(gradient::loss(&self.weights, &example));
                }
            },
        );
        losses.iter().sum::<f64>() / self.validation_set.len().max(1) as f64
    }
}

/// The number of rows of weights that a thread changes at a time.
const ROWS_AT_ONCE: usize = 32;

/// The examples with these indices. The caller has checked the data with [`Trainer::data_points`].
fn examples(data: &[Stored], numbers: &[u32], wdl_weight: f32) -> impl Iterator<Item = Example> {
    let stored = numbers.iter().map(|&n| &data[n as usize]);
    stored.filter_map(move |stored| Example::read(stored, wdl_weight))
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
    for n in 0..Weights::OUTPUT_BIASES {
        let bound = match n {
            ..FEATURES => 1.0 / 32_f32.sqrt(),
            Weights::BIASES => 0.0,
            _ => 1.0 / (2.0 * HIDDEN as f32).sqrt(),
        };
        for weight in &mut weights.rows[n].0 {
            *weight = bound * random.random_range(-1.0..=1.0);
        }
    }
    weights
}

#[cfg(test)]
mod tests;
