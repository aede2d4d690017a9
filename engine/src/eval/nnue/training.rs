//! What programs that train a network need: its inputs, and its integers in rows.

use movegen::{Color, Role, Square};

use super::features::{FEATURES, Perspective, feature, kind};
use super::layout::{BUCKETS, HIDDEN, Row};
use super::net::{BadNet, Net};

/// The rows of 16-bit integers in a network: one for each input, one for the biases of the neurons,
/// two for each output (the side to move first).
pub const ROWS: usize = FEATURES + 1 + 2 * BUCKETS;

/// The input for a piece on a square, as seen by a side whose king is on the square `king`.
#[inline]
#[must_use]
pub fn input(side: Color, king: Square, color: Color, role: Role, square: Square) -> u16 {
    Perspective::of(side, king).input(feature(kind(color, role), square.index()))
}

impl Net {
    /// Creates a network from its rows, in the order of its file, and the biases of its outputs.
    ///
    /// # Errors
    ///
    /// The weight of an output is out of range.
    pub fn from_rows(
        rows: &[[i16; HIDDEN]; ROWS],
        output_biases: [i32; BUCKETS],
    ) -> Result<Self, BadNet> {
        let row = |n: usize| Row(rows[n]);
        let output = |bucket: usize, side: usize| row(FEATURES + 1 + 2 * bucket + side);
        let net = Self {
            checksum: 0,
            inputs: (0..FEATURES).map(row).collect(),
            biases: row(FEATURES),
            outputs: std::array::from_fn(|bucket| [output(bucket, 0), output(bucket, 1)]),
            output_biases,
        };
        // Reading the file checks the weights and sets the checksum.
        Self::from_bytes(&net.to_bytes())
    }

    /// The rows of 16-bit integers, in the order of the file.
    pub fn rows(&self) -> impl Iterator<Item = &[i16; HIDDEN]> {
        let layer = self.inputs.iter().chain([&self.biases]);
        layer.chain(self.outputs.iter().flatten()).map(|row| &row.0)
    }

    /// The bias of each output.
    #[must_use]
    pub const fn output_biases(&self) -> &[i32; BUCKETS] {
        &self.output_biases
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_comes_back_from_its_rows() {
        let net = Net::built_in();
        let mut rows: Vec<_> = net.rows().copied().collect();
        let of_rows = |rows: &[[i16; HIDDEN]]| {
            let rows = rows.try_into().expect("all rows");
            Net::from_rows(rows, *net.output_biases())
        };
        assert_eq!(of_rows(&rows).as_ref(), Ok(&*net));
        rows[ROWS - 1][HIDDEN - 1] = 2048;
        assert_eq!(of_rows(&rows), Err(BadNet::Weight { found: 2048 }));
    }
}
