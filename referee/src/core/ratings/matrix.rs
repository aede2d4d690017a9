//! Symmetric matrices.

/// A square matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    size: usize,
    /// Row by row.
    cells: Vec<f64>,
}

impl Matrix {
    pub fn zero(size: usize) -> Self {
        Self {
            size,
            cells: vec![0.0; size * size],
        }
    }

    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..(row + 1) * self.size]
    }

    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.size)
            .map(|row| dot(self.row(row), vector))
            .collect()
    }

    /// The product with a symmetric matrix.
    pub fn product(&self, other: &Self) -> Self {
        let mut product = Self::zero(self.size);
        for row in 0..self.size {
            for column in 0..self.size {
                product.add(row, column, dot(self.row(row), other.row(column)));
            }
        }
        product
    }

    /// The inverse of a symmetric, positive definite matrix, by Cholesky's decomposition; `None` if it is not
    /// positive definite.
    pub fn inverse(&self) -> Option<Self> {
        let size = self.size;
        // The lower triangle whose product with its transpose is the matrix.
        let mut lower = Self::zero(size);
        for row in 0..size {
            for column in 0..=row {
                let before = dot(&lower.row(row)[..column], &lower.row(column)[..column]);
                let rest = self.get(row, column) - before;
                if row == column {
                    if rest <= self.get(row, row) * 1e-13 {
                        return None;
                    }
                    lower.add(row, row, rest.sqrt());
                } else {
                    lower.add(row, column, rest / lower.get(column, column));
                }
            }
        }
        // The rows of the transposed inverse of the triangle.
        let mut upper = Self::zero(size);
        for column in 0..size {
            upper.add(column, column, 1.0 / lower.get(column, column));
            for row in column + 1..size {
                let before = dot(
                    &lower.row(row)[column..row],
                    &upper.row(column)[column..row],
                );
                upper.add(column, row, -before / lower.get(row, row));
            }
        }
        let mut inverse = Self::zero(size);
        for row in 0..size {
            for column in 0..=row {
                let value = dot(&upper.row(row)[row..], &upper.row(column)[row..]);
                inverse.add(row, column, value);
                if row != column {
                    inverse.add(column, row, value);
                }
            }
        }
        Some(inverse)
    }

    /// The covariance of the differences to the mean.
    pub fn relative_to_mean(&self) -> Self {
        let size = self.size as f64;
        let means: Vec<_> = (0..self.size)
            .map(|row| self.row(row).iter().sum::<f64>() / size)
            .collect();
        let mean = means.iter().sum::<f64>() / size;
        let mut relative = self.clone();
        for row in 0..self.size {
            for column in 0..self.size {
                relative.add(row, column, mean - means[row] - means[column]);
            }
        }
        relative
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses() {
        let mut matrix = Matrix::zero(3);
        for (i, row) in [[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 2.0]]
            .iter()
            .enumerate()
        {
            for (j, &value) in row.iter().enumerate() {
                matrix.add(i, j, value);
            }
        }
        let product = matrix.product(&matrix.inverse().expect("positive definite"));
        for i in 0..3 {
            for j in 0..3 {
                let expected = f64::from(u8::from(i == j));
                assert!((product.get(i, j) - expected).abs() < 1e-12, "{product:?}");
            }
        }
        assert_eq!(Matrix::zero(2).inverse(), None);
    }
}
