//! Adam with decoupled weight decay (Loshchilov and Hutter, 2019).

use super::weights::{Neurons, Weights};

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
const EPSILON: f32 = 1e-8;
const WEIGHT_DECAY: f32 = 0.01;

/// The running means of the gradient of one row of weights, and of its square.
#[derive(Clone)]
pub(super) struct Moments {
    mean: Neurons,
    square: Neurons,
}

impl Moments {
    pub fn all() -> Vec<Self> {
        let none = Self {
            mean: Neurons::ZERO,
            square: Neurons::ZERO,
        };
        vec![none; Weights::ROWS]
    }
}

/// One step of the optimizer.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// The number of the step, from 1.
    number: i32,
    rate: f32,
}

impl Step {
    pub fn new(number: usize, rate: f32) -> Self {
        Self {
            number: i32::try_from(number).unwrap_or(i32::MAX),
            rate,
        }
    }

    /// Changes one row of weights by its gradient; the weights stay within the limit.
    pub fn change(self, row: &mut Neurons, gradient: &Neurons, moments: &mut Moments, limit: f32) {
        let mean_scale = 1.0 / (1.0 - MEAN_DECAY.powi(self.number));
        let square_scale = 1.0 / (1.0 - SQUARE_DECAY.powi(self.number));
        let kept = 1.0 - self.rate * WEIGHT_DECAY;
        for (i, weight) in row.0.iter_mut().enumerate() {
            let gradient = gradient.0[i];
            let mean = &mut moments.mean.0[i];
            *mean += (1.0 - MEAN_DECAY) * (gradient - *mean);
            let square = &mut moments.square.0[i];
            *square += (1.0 - SQUARE_DECAY) * (gradient * gradient - *square);
            let size = (*square * square_scale).sqrt() + EPSILON;
            let changed = *weight * kept - self.rate * *mean * mean_scale / size;
            *weight = changed.clamp(-limit, limit);
        }
    }
}
