//! Simultaneous perturbation stochastic approximation (SPSA), by its formulas alone.
//!
//! J. C. Spall, "Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization", IEEE
//! Transactions on Aerospace and Electronic Systems 34 (1998), 817-823, with the gains given at the end of the
//! run as in fishtest and `OpenBench`. For iteration k of N, with alpha = 0.602, gamma = 0.101 and A = 0.1 N:
//!
//! ```text
//! c_k = c_end (N / k)^gamma                                        the perturbation
//! R_k = r_end c_end^2 ((A + N) / (A + k))^alpha / c_k^2            the learning rate
//! theta := theta + R_k c_k result delta                            delta: a random sign for each parameter
//! ```
//!
//! The result is wins minus losses of theta + `c_k` delta against theta - `c_k` delta. All values stay within
//! the range of their parameter.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::params::{Kind, Param};

const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// A as a part of N.
const STABILITY: f64 = 0.1;

/// The state of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    params: Vec<Param>,
    /// N.
    iterations: u64,
    values: Vec<f64>,
}

/// The two settings that play each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Perturbation {
    /// The number of the iteration, from 1.
    pub iteration: u64,
    /// Whether the first setting has the higher value, for each parameter.
    pub is_up: Vec<bool>,
    /// The values of both settings, as they are played: theta + `c_k` delta and theta - `c_k` delta.
    pub settings: [Vec<f64>; 2],
}

impl Spsa {
    /// A run at its start.
    pub fn new(params: Vec<Param>, iterations: u64) -> Self {
        let values = params.iter().map(|param| param.start).collect();
        Self {
            params,
            iterations,
            values,
        }
    }

    pub fn params(&self) -> &[Param] {
        &self.params
    }

    /// The number of iterations of the whole run.
    pub const fn iterations(&self) -> u64 {
        self.iterations
    }

    /// The current values (theta). Those of whole numbers have a fraction too.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The perturbation of an iteration, drawn from `random`.
    pub fn perturb(&self, iteration: u64, random: &mut impl rand::Rng) -> Perturbation {
        let is_up: Vec<bool> = self.params.iter().map(|_| random.random()).collect();
        let mut setting = |direction: f64| -> Vec<f64> {
            let all = self.params.iter().zip(&self.values).zip(&is_up);
            all.map(|((param, value), &is_up)| {
                let moved = value + direction * sign(is_up) * self.step(param, iteration);
                playable(param, moved, random)
            })
            .collect()
        };
        let settings = [setting(1.0), setting(-1.0)];
        Perturbation {
            iteration,
            is_up,
            settings,
        }
    }

    /// Learns from an iteration. The result is from the point of view of the first setting.
    pub fn learn(&mut self, iteration: u64, is_up: &[bool], result: f64) {
        let moves: Vec<f64> = self
            .params
            .iter()
            .map(|param| self.rate(param, iteration) * self.step(param, iteration) * result)
            .collect();
        for (i, param) in self.params.iter().enumerate() {
            let value = self.values[i] + moves[i] * sign(is_up[i]);
            self.values[i] = value.clamp(param.min, param.max);
        }
    }

    /// `c_k`.
    fn step(&self, param: &Param, iteration: u64) -> f64 {
        param.c_end * (self.iterations as f64 / iteration as f64).powf(GAMMA)
    }

    /// `R_k`.
    fn rate(&self, param: &Param, iteration: u64) -> f64 {
        let (end, now) = (self.iterations as f64, iteration as f64);
        let stability = STABILITY * end;
        let gain = ((stability + end) / (stability + now)).powf(ALPHA);
        let step = self.step(param, iteration);
        param.r_end * param.c_end * param.c_end * gain / (step * step)
    }
}

const fn sign(is_up: bool) -> f64 {
    if is_up { 1.0 } else { -1.0 }
}

/// The random numbers of an iteration. They depend on nothing else, so that a resumed run continues with the
/// same ones.
pub fn random_of(seed: u64, iteration: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(iteration);
    random
}

/// A value within the range. Whole numbers are rounded at random, so that the mean is the value itself.
fn playable(param: &Param, value: f64, random: &mut impl rand::Rng) -> f64 {
    // The same draws for all kinds: a change of kind does not change the other parameters.
    let fraction: f64 = random.random();
    let value = value.clamp(param.min, param.max);
    match param.kind {
        Kind::Whole => (value + fraction).floor().min(param.max),
        Kind::Real => value,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn param(kind: Kind, start: f64, range: [f64; 2]) -> Param {
        Param::new("x", kind, start, range)
    }

    /// The gains reach those at the end of the run, and decrease until then.
    #[test]
    fn gains_end_as_given() {
        let param = param(Kind::Real, 0.0, [-10.0, 10.0]);
        let spsa = Spsa::new(vec![param.clone()], 1000);
        assert!((spsa.step(&param, 1000) - param.c_end).abs() < 1e-12);
        assert!((spsa.rate(&param, 1000) - param.r_end).abs() < 1e-12);
        // 1000^0.101 = 2.009, and (1100 / 101)^0.602 / 2.009^2 = 1.043.
        assert!((spsa.step(&param, 1) - 2.009).abs() < 1e-3);
        assert!((spsa.rate(&param, 1) / param.r_end - 1.043).abs() < 1e-3);
    }

    #[test]
    fn rounding_is_unbiased() {
        let param = param(Kind::Whole, 0.0, [-100.0, 100.0]);
        for value in [0.0, 0.25, -3.7, 99.5, 100.0] {
            let mut random = random_of(1, 1);
            let draws = 100_000;
            let sum: f64 = (0..draws)
                .map(|_| playable(&param, value, &mut random))
                .inspect(|rounded| {
                    assert!(rounded.fract() == 0.0 && (rounded - value).abs() < 1.0);
                })
                .sum();
            let mean = sum / f64::from(draws);
            assert!((mean - value).abs() < 0.01, "{value}: {mean}");
        }
    }

    /// Games whose chances depend on the distance from an optimum, as a quadratic function.
    fn play(
        settings: &[Vec<f64>; 2],
        best: &[f64],
        scale: &[f64],
        random: &mut impl rand::Rng,
    ) -> f64 {
        let elo = |values: &[f64]| -> f64 {
            let parts = values.iter().zip(best).zip(scale);
            parts
                .map(|((x, best), scale)| -100.0 * ((x - best) / scale).powi(2))
                .sum()
        };
        let expected = 1.0 / (1.0 + 10.0_f64.powf((elo(&settings[1]) - elo(&settings[0])) / 400.0));
        // Two games, half of them drawn.
        (0..2)
            .map(
                |_| match (random.random_bool(0.5), random.random_bool(expected)) {
                    (true, _) => 0.0,
                    (false, true) => 1.0,
                    (false, false) => -1.0,
                },
            )
            .sum()
    }

    fn tune(params: Vec<Param>, best: &[f64], iterations: u64, seed: u64) -> Vec<f64> {
        let scale: Vec<f64> = params
            .iter()
            .map(|param| (param.max - param.min) / 4.0)
            .collect();
        let mut spsa = Spsa::new(params, iterations);
        for k in 1..=iterations {
            let mut random = random_of(seed, k);
            let perturbation = spsa.perturb(k, &mut random);
            let result = play(&perturbation.settings, best, &scale, &mut random);
            spsa.learn(k, &perturbation.is_up, result);
        }
        spsa.values().to_vec()
    }

    /// From far away, in units of the range, tuning comes close to the best values.
    #[test]
    fn the_optimum_is_found() {
        let params = vec![
            param(Kind::Whole, 20.0, [0.0, 200.0]),
            param(Kind::Real, 0.9, [0.0, 1.0]),
            param(Kind::Whole, -50.0, [-50.0, 50.0]),
        ];
        let best = [120.0, 0.4, 10.0];
        for seed in 1..=5 {
            let found = tune(params.clone(), &best, 40_000, seed);
            for ((value, best), param) in found.iter().zip(best).zip(&params) {
                let off = (value - best).abs() / (param.max - param.min);
                let before = (param.start - best).abs() / (param.max - param.min);
                assert!(
                    off < 0.1 && off < before / 3.0,
                    "{seed}: {value} for {best}"
                );
            }
        }
    }

    proptest! {
        /// Values never leave the range, whatever happens, and perturbations are those of the formulas.
        #[test]
        fn values_stay_in_range(
            start in 0.0..=1.0_f64,
            whole in any::<bool>(),
            step in 0.01..100.0_f64,
            rate in 0.001..1.0_f64,
            results in prop::collection::vec(-2.0..=2.0_f64, 1..50),
            seed in any::<u64>(),
        ) {
            let kind = if whole { Kind::Whole } else { Kind::Real };
            let mut param = param(kind, (start * 30.0).round(), [0.0, 30.0]);
            (param.c_end, param.r_end) = (step, rate);
            let mut spsa = Spsa::new(vec![param.clone()], results.len() as u64);
            for (k, result) in (1..).zip(results) {
                let perturbation = spsa.perturb(k, &mut random_of(seed, k));
                let [plus, minus] = [0, 1].map(|side| perturbation.settings[side][0]);
                for value in [plus, minus, spsa.values()[0]] {
                    prop_assert!((0.0..=30.0).contains(&value));
                }
                let is_higher = if perturbation.is_up[0] { plus >= minus } else { minus >= plus };
                // Rounding may reverse two values less than 1 apart.
                prop_assert!(is_higher || whole && (plus - minus).abs() <= 1.0);
                spsa.learn(k, &perturbation.is_up, result);
            }
        }

        /// A run that is interrupted after any iteration continues as if it had not been.
        #[test]
        fn resuming_changes_nothing(seed in any::<u64>(), stop in 0..40_u64) {
            let params = vec![param(Kind::Whole, 3.0, [0.0, 9.0]), param(Kind::Real, 0.5, [0.0, 1.0])];
            let iterate = |spsa: &mut Spsa, k| {
                let mut random = random_of(seed, k);
                let perturbation = spsa.perturb(k, &mut random);
                let result = f64::from(random.random_range(-2..=2));
                spsa.learn(k, &perturbation.is_up, result);
                (k, perturbation.is_up, result)
            };
            let mut whole = Spsa::new(params.clone(), 40);
            let journal: Vec<_> = (1..=40).map(|k| iterate(&mut whole, k)).collect();
            let mut resumed = Spsa::new(params, 40);
            for (k, is_up, result) in &journal[..stop as usize] {
                resumed.learn(*k, is_up, *result);
            }
            for k in stop + 1..=40 {
                iterate(&mut resumed, k);
            }
            prop_assert_eq!(resumed, whole);
        }
    }
}
