//! How much each parameter matters: a linear regression of the results of all iterations on the differences of their
//! values (ordinary least squares).

/// The sums that a regression needs.
#[derive(Clone, Debug)]
pub struct Effects {
    count: u64,
    /// For each pair of parameters, the sum of the products of their differences.
    products: Vec<Vec<f64>>,
    /// For each parameter, the sum of its differences times the results.
    moments: Vec<f64>,
    /// The sum of the squares of the results.
    squares: f64,
}

/// What a difference of one step changes in the result, and the standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    pub change: f64,
    pub error: f64,
}

impl Effects {
    /// The effects of so many parameters.
    pub fn new(params: usize) -> Self {
        Self {
            count: 0,
            products: vec![vec![0.0; params]; params],
            moments: vec![0.0; params],
            squares: 0.0,
        }
    }

    /// Adds an iteration: for each parameter, by how many steps the first setting was above the second, and the result.
    pub fn add(&mut self, steps: &[f64], result: f64) {
        self.count += 1;
        for ((row, moment), one) in self.products.iter_mut().zip(&mut self.moments).zip(steps) {
            *moment += one * result;
            for (product, other) in row.iter_mut().zip(steps) {
                *product += one * other;
            }
        }
        self.squares += result * result;
    }

    /// The effect of each parameter. `None` if there are too few iterations, or if a parameter never differed without
    /// others.
    pub fn solve(&self) -> Option<Vec<Effect>> {
        let freedom = self.count.checked_sub(self.moments.len() as u64)?;
        let inverse = inverse(&self.products).filter(|_| freedom > 0)?;
        let dot = |one: &[f64], other: &[f64]| -> f64 {
            one.iter().zip(other).map(|(one, other)| one * other).sum()
        };
        let changes: Vec<f64> = inverse.iter().map(|row| dot(row, &self.moments)).collect();
        let unexplained = self.squares - dot(&changes, &self.moments);
        let variance = unexplained.max(0.0) / freedom as f64;
        let effects = changes.iter().zip(&inverse).enumerate();
        let effects = effects.map(|(i, (&change, row))| Effect {
            change,
            error: (variance * row[i]).sqrt(),
        });
        Some(effects.collect())
    }
}

/// The inverse of a symmetric positive definite matrix by Gauss-Jordan elimination, which needs no pivoting there. `None`
/// if the matrix is singular, or nearly.
fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    /// The part of a diagonal element that must be left after the elimination of the others.
    const LEAST_PART: f64 = 1e-9;
    let size = matrix.len();
    let unit = |i: usize| (0..size).map(move |j| if i == j { 1.0 } else { 0.0 });
    let rows = matrix.iter().enumerate();
    let mut rows: Vec<Vec<f64>> = rows
        .map(|(i, row)| row.iter().copied().chain(unit(i)).collect())
        .collect();
    for i in 0..size {
        let pivot = rows[i][i];
        if pivot.is_nan() || pivot <= LEAST_PART * matrix[i][i] {
            return None;
        }
        for value in &mut rows[i] {
            *value /= pivot;
        }
        let eliminated = rows[i].clone();
        for (k, row) in rows.iter_mut().enumerate() {
            if k != i {
                let factor = row[i];
                for (value, other) in row.iter_mut().zip(&eliminated) {
                    *value -= factor * other;
                }
            }
        }
    }
    Some(rows.into_iter().map(|row| row[size..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    /// Results with known effects and noise: nearly all estimates are within three errors, and the error is that of the
    /// noise.
    #[test]
    fn effects_are_found() {
        let mut random = StdRng::seed_from_u64(3);
        let known = [0.3, -0.2, 0.0, 0.05];
        let mut far = 0;
        for _ in 0..200 {
            let mut effects = Effects::new(known.len());
            for _ in 0..400 {
                let steps = known.map(|_| if random.random() { 2.0 } else { -2.0 });
                let exact: f64 = steps
                    .iter()
                    .zip(known)
                    .map(|(step, known)| step * known)
                    .sum();
                effects.add(&steps, exact + random.random_range(-1.5..1.5));
            }
            let found = effects.solve().expect("enough iterations");
            for (effect, known) in found.iter().zip(known) {
                far += usize::from((effect.change - known).abs() > 3.0 * effect.error);
                // The standard deviation of the noise is 3 / sqrt(12), and the differences are 2.
                let error = 3.0 / 12_f64.sqrt() / 2.0 / 400_f64.sqrt();
                assert!((effect.error / error - 1.0).abs() < 0.2, "{effect:?}");
            }
        }
        // 0.3 % of 800 are expected.
        assert!(far < 12, "{far}");
    }

    #[test]
    fn what_cannot_be_told_apart_has_no_effect() {
        let mut effects = Effects::new(2);
        assert_eq!(effects.solve(), None);
        for i in 0..10 {
            let step = if i % 3 == 0 { 1.0 } else { -1.0 };
            effects.add(&[step, -2.0 * step], step);
        }
        assert_eq!(effects.solve(), None);
        effects.add(&[1.0, 1.0], 0.0);
        assert!(effects.solve().is_some());
    }
}
