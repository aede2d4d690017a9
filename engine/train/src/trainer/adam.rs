//! Adam with decoupled weight decay (Loshchilov and Hutter, 2019).

use super::weights::Tile;

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
const EPSILON: f32 = 1e-8;
const WEIGHT_DECAY: f32 = 0.01;

/// The running means of the gradient of some weights, and of its square.
#[derive(Clone)]
pub(super) struct Moments<T> {
    pub mean: T,
    pub square: T,
}

/// One step of the optimizer.
#[derive(Clone, Copy)]
pub(super) struct Step {
    rate: f32,
    /// The factors that undo the start of the running means at zero.
    mean_scale: f32,
    square_scale: f32,
}

impl Step {
    /// The step with this number, from 1.
    pub fn new(number: usize, rate: f32) -> Self {
        let number = i32::try_from(number).unwrap_or(i32::MAX);
        Self {
            rate,
            mean_scale: 1.0 / (1.0 - MEAN_DECAY.powi(number)),
            square_scale: 1.0 / (1.0 - SQUARE_DECAY.powi(number)),
        }
    }

    /// Changes a tile by its gradient. The weights stay within their limits.
    pub fn change_tile(self, tile: &mut Tile, gradient: &Tile, moments: &mut Moments<Tile>) {
        for (n, row) in tile.rows.iter_mut().enumerate() {
            let moments = Moments {
                mean: &mut moments.mean.rows[n].0,
                square: &mut moments.square.rows[n].0,
            };
            self.change(&mut row.0, &gradient.rows[n].0, moments, Tile::limit(n));
        }
    }

    /// Changes weights by their gradient. They stay within the limit.
    #[inline]
    pub fn change<const N: usize>(
        self,
        weights: &mut [f32; N],
        gradient: &[f32; N],
        moments: Moments<&mut [f32; N]>,
        limit: f32,
    ) {
        let kept = 1.0 - self.rate * WEIGHT_DECAY;
        let Moments { mean, square } = moments;
        for i in 0..N {
            mean[i] += (1.0 - MEAN_DECAY) * (gradient[i] - mean[i]);
            square[i] += (1.0 - SQUARE_DECAY) * (gradient[i] * gradient[i] - square[i]);
            let size = (square[i] * self.square_scale).sqrt() + EPSILON;
            let changed = weights[i] * kept - self.rate * mean[i] * self.mean_scale / size;
            weights[i] = changed.clamp(-limit, limit);
        }
    }
}
