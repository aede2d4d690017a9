//! Training: a network learns what search and games have said of stored positions
//! (`engine/train/README.md` tells the whole way).
//!
//! Batches of positions that are drawn without order pass the network one by one; what would have
//! made each answer better is summed up, and the weights take a step that way. A batch is always
//! summed up in the same parts, whatever the threads, so that their number changes nothing.

mod adam;
mod example;
mod gradient;

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::thread;

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use crate::eval::nnue::{FEATURES, HIDDEN, Net, Neurons, Weights};
use crate::selfplay::data_point::Stored;
use adam::{Moments, Step};
use example::Example;

/// The parts of a batch, each summed up by one thread.
const PARTS: usize = 8;
/// Positions in a row come from the same game: whole blocks are kept apart, one in so many.
const BLOCK: usize = 4096;
const VALIDATION_BLOCKS: usize = 50;
/// The steps in which the learning rate rises.
const WARM_UP: usize = 200;
/// The part of the learning rate that is left in the end.
const RATE_LEFT: f32 = 0.01;

/// How to train.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Training {
    /// How often each position is seen.
    pub epochs: NonZeroUsize,
    /// Positions a step.
    pub batch: NonZeroUsize,
    /// The learning rate at its height.
    pub rate: f32,
    /// The weight of a game's result beside the score of the search, from 0 to 1.
    pub wdl_weight: f32,
    /// What weights and order are drawn by.
    pub seed: u64,
    /// Threads, up to eight of use.
    pub threads: NonZeroUsize,
}

impl Default for Training {
    fn default() -> Self {
        Self {
            epochs: const { NonZeroUsize::new(10).unwrap() },
            batch: const { NonZeroUsize::new(8192).unwrap() },
            rate: 1e-3,
            wdl_weight: 0.1,
            seed: 1,
            threads: NonZeroUsize::MIN,
        }
    }
}

/// The mean squares of errors, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses {
    /// On the positions that were learnt, as they were seen.
    pub learnt: f64,
    /// On those kept apart, in the end.
    pub validation: f64,
}

/// A network in training.
pub struct Trainer<'a> {
    training: Training,
    samples: &'a [Stored],
    /// The numbers of the positions to learn, in the order in which they are drawn, and of those
    /// that are kept apart.
    learnt: Vec<u32>,
    validation: Vec<u32>,
    random: ChaCha8Rng,
    weights: Weights,
    moments: Vec<Moments>,
    gradients: Vec<Weights>,
    steps: usize,
}

impl<'a> Trainer<'a> {
    /// A trainer that begins with a network, or with random weights.
    #[must_use]
    pub fn new(training: Training, samples: &'a [Stored], begin: Option<&Net>) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(training.seed);
        let blocks = samples.len().div_ceil(BLOCK).max(1);
        let mut is_validation = vec![false; blocks];
        for _ in 0..blocks / VALIDATION_BLOCKS {
            is_validation[random.random_range(0..blocks)] = true;
        }
        let all = 0..u32::try_from(samples.len()).unwrap_or(u32::MAX);
        let (validation, learnt) = all.partition(|&n| is_validation[n as usize / BLOCK]);
        let weights = begin.map_or_else(|| random_weights(&mut random), Weights::from);
        Self {
            training,
            samples,
            learnt,
            validation,
            random,
            weights,
            moments: Moments::all(),
            gradients: vec![Weights::zero(); PARTS],
            steps: 0,
        }
    }

    /// The positions that bytes hold, or the number of the first, from 0, that is none.
    pub fn samples(bytes: &[u8]) -> Result<&[Stored], usize> {
        let (samples, rest) = bytes.as_chunks();
        let bad = samples
            .iter()
            .position(|stored| Example::read(stored, 0.0).is_none());
        match bad {
            Some(bad) => Err(bad),
            None if !rest.is_empty() => Err(samples.len()),
            None => Ok(samples),
        }
    }

    /// The positions to learn and those kept apart.
    #[must_use]
    pub fn sizes(&self) -> (usize, usize) {
        (self.learnt.len(), self.validation.len())
    }

    /// The network as far as it is.
    #[must_use]
    pub fn net(&self) -> Net {
        self.weights.to_net()
    }

    /// Learns every position once. After each step the observer is told how many were learnt.
    pub fn epoch(&mut self, observer: &mut dyn FnMut(usize)) -> Losses {
        let mut order = std::mem::take(&mut self.learnt);
        order.shuffle(&mut self.random);
        let batch = self.training.batch.get();
        let steps = self.training.epochs.get() * order.len().div_ceil(batch);
        let mut loss = 0.0;
        for numbers in order.chunks(batch) {
            loss += self.step(numbers, self.rate(steps));
            observer(numbers.len());
        }
        let learnt = loss / order.len().max(1) as f64;
        self.learnt = order;
        Losses {
            learnt,
            validation: self.validation_loss(),
        }
    }

    /// The learning rate of the next step: it rises, and falls like a cosine.
    fn rate(&self, steps: usize) -> f32 {
        let done = self.steps as f32 / steps.max(1) as f32;
        let warm = (self.steps as f32 / WARM_UP as f32).min(1.0);
        let cosine = f32::midpoint(1.0, (std::f32::consts::PI * done.min(1.0)).cos());
        self.training.rate * warm * (RATE_LEFT + (1.0 - RATE_LEFT) * cosine)
    }

    /// Takes one step; the sum of the losses before it.
    fn step(&mut self, numbers: &[u32], rate: f32) -> f64 {
        let (samples, weights, wdl_weight) =
            (self.samples, &self.weights, self.training.wdl_weight);
        let mut losses = [0.0; PARTS];
        let parts = numbers.chunks(numbers.len().div_ceil(PARTS));
        let parts = parts.zip(&mut self.gradients).zip(&mut losses);
        share(self.training.threads, parts, |((part, gradient), loss)| {
            gradient.rows.fill(Neurons::ZERO);
            for example in examples(samples, part, wdl_weight) {
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

    /// The mean loss of the positions that are kept apart.
    fn validation_loss(&self) -> f64 {
        let parts = self.validation.chunks(BLOCK);
        let mut losses = vec![0.0; parts.len()];
        share(
            self.training.threads,
            parts.zip(&mut losses),
            |(part, loss)| {
                for example in examples(self.samples, part, self.training.wdl_weight) {
                    *loss += f64::from(gradient::loss(&self.weights, &example));
                }
            },
        );
        losses.iter().sum::<f64>() / self.validation.len().max(1) as f64
    }
}

/// The rows that a thread changes at once.
const ROWS_AT_ONCE: usize = 32;

/// The examples of these numbers. [`Trainer::samples`] has seen to it that there is one for each.
fn examples(samples: &[Stored], numbers: &[u32], wdl_weight: f32) -> impl Iterator<Item = Example> {
    let stored = numbers.iter().map(|&n| &samples[n as usize]);
    stored.filter_map(move |stored| Example::read(stored, wdl_weight))
}

/// Does work on all items, on so many threads.
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

/// Weights to begin with: small ones, so that some two dozen of them add up to about 1.
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
mod tests {
    use super::*;
    use crate::ordering::see;
    use crate::selfplay::data_point::{DataPoint, GameResult};
    use movegen::{Color, Position, Role};
    use rand::seq::IndexedRandom;

    /// Positions of random games with what their material is worth.
    fn stored(seed: u64, count: usize) -> Vec<u8> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut position = Position::start();
        let mut bytes = Vec::new();
        while bytes.len() < count * DataPoint::SIZE {
            let moves = position.legal_moves();
            let Some(&mv) = moves.choose(&mut rng) else {
                position = Position::start();
                continue;
            };
            position.play(mv);
            let worth = |color| -> i32 {
                let of = |role| position.pieces(color, role).len() as i32 * see::value(role);
                Role::ALL[..5].iter().map(|&role| of(role)).sum()
            };
            let sample = DataPoint {
                position,
                score: (worth(Color::White) - worth(Color::Black)) as i16,
                result: Some(GameResult::Draw),
                ply: 0,
            };
            bytes.extend(sample.to_bytes());
        }
        bytes
    }

    fn examples_of(bytes: &[u8]) -> Vec<Example> {
        let samples = Trainer::samples(bytes).expect("sound");
        let read = |stored| Example::read(stored, 0.1).expect("sound");
        samples.iter().map(read).collect()
    }

    fn some(number: usize) -> NonZeroUsize {
        NonZeroUsize::new(number).expect("at least one")
    }

    /// The integers of a network come back from the weights that they give.
    #[test]
    fn weights_are_those_of_the_network() {
        let net = Net::built_in();
        assert_eq!(Weights::from(&*net).to_net(), *net);
    }

    /// What is trained is what plays: but for the rounding in between, both say the same.
    #[test]
    fn the_trainer_and_the_engine_agree() {
        let net = Net::built_in();
        let weights = Weights::from(&*net);
        let bytes = stored(1, 2000);
        for (stored, example) in bytes.as_chunks().0.iter().zip(examples_of(&bytes)) {
            let position = DataPoint::from_bytes(stored).expect("sound").position;
            let played = net.evaluate(&position) as f32 / crate::eval::nnue::CENTIPAWNS as f32;
            let trained = gradient::output(&weights, &example);
            assert!(
                (played - trained).abs() < 0.01,
                "{position}: {played}, {trained}"
            );
        }
    }

    /// Each part of the gradient is what the loss changes by when that weight changes a little.
    #[test]
    fn gradients_are_slopes() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut weights = Weights::from(&*Net::built_in());
        let mut seen = 0;
        for example in &examples_of(&stored(3, 40)) {
            let mut gradient = Weights::zero();
            gradient::learn(&weights, example, &mut gradient);
            for _ in 0..50 {
                let row = if rng.random() {
                    *example.seen[rng.random_range(0..2)]
                        .choose(&mut rng)
                        .expect("kings") as usize
                } else {
                    rng.random_range(0..Weights::ROWS)
                };
                let n = rng.random_range(0..HIDDEN);
                let mut slope = |by: f32| {
                    let before = weights.rows[row].0[n];
                    weights.rows[row].0[n] = before + by;
                    let loss = gradient::loss(&weights, example);
                    weights.rows[row].0[n] = before;
                    f64::from(loss)
                };
                let step = 1.0 / 256.0;
                let found = (slope(step) - slope(-step)) / f64::from(2.0 * step);
                let told = f64::from(gradient.rows[row].0[n]);
                assert!(
                    (found - told).abs() < 2e-3 + 0.05 * told.abs(),
                    "{found}, {told}"
                );
                seen += usize::from(told.abs() > 1e-3);
            }
        }
        assert!(seen > 100, "{seen}");
    }

    #[test]
    fn any_number_of_threads_trains_the_same() {
        let bytes = stored(4, 3000);
        let samples = Trainer::samples(&bytes).expect("sound");
        let nets = [1, 2, 3, 20].map(|threads| {
            let training = Training {
                batch: some(500),
                threads: some(threads),
                ..Training::default()
            };
            let mut trainer = Trainer::new(training, samples, None);
            let losses = [0; 2].map(|_| trainer.epoch(&mut |_| ()));
            (trainer.net().to_bytes(), losses)
        });
        assert!(nets.iter().all(|net| *net == nets[0]));
        assert_ne!(nets[0].0, Net::built_in().to_bytes());
    }

    #[test]
    fn it_learns() {
        let bytes = stored(5, 4 * VALIDATION_BLOCKS * BLOCK / 10);
        let samples = Trainer::samples(&bytes).expect("sound");
        let training = Training {
            epochs: some(3),
            batch: some(256),
            threads: some(2),
            ..Training::default()
        };
        let mut trainer = Trainer::new(training, samples, None);
        let (learnt, validation) = trainer.sizes();
        assert_eq!(learnt + validation, samples.len());
        let mut told = 0;
        let losses: Vec<_> = (0..3).map(|_| trainer.epoch(&mut |n| told += n)).collect();
        assert_eq!(told, 3 * learnt);
        assert!(losses[2].learnt < losses[0].learnt / 4.0, "{losses:?}");
        assert!(losses[2].learnt < 0.002, "{losses:?}");
    }

    #[test]
    fn without_a_result_the_score_is_all_that_is_wanted() {
        let bytes = stored(7, 20);
        for stored in bytes.as_chunks().0 {
            let with = |result, wdl_weight| {
                let mut stored = *stored;
                stored[27] = result;
                let example = Example::read(&stored, wdl_weight).expect("sound");
                example.wanted.to_bits()
            };
            assert_eq!(with(3, 0.9), with(2, 0.0));
            assert_ne!(with(3, 0.9), with(2, 0.9));
        }
    }

    #[test]
    fn what_is_no_position_is_told() {
        let bytes = stored(6, 10);
        assert_eq!(Trainer::samples(&bytes[..9 * 32 + 5]), Err(9));
        assert_eq!(Trainer::samples(&[]).map(<[_]>::len), Ok(0));
        for (at, byte) in [(0, 0xFF), (8, 0xFF), (8, 0x55), (27, 4)] {
            let mut bad = bytes.clone();
            bad[4 * 32 + at] = byte;
            if at == 0 {
                bad[4 * 32..4 * 32 + 8].fill(0xFF);
            }
            assert_eq!(Trainer::samples(&bad), Err(4), "{at}");
        }
    }
}
