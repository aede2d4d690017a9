//! What programs that train a network need: its inputs, and its integers in rows.

use movegen::{Color, Role, Square};

use super::features::{FEATURES, Perspective, feature, kind};
use super::layout::{BUCKETS, HIDDEN, OUTPUT_LIMIT, Row};
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

    /// Reads the content of a file whose network may have fewer neurons. All weights of the others are 0.
    /// Weights of outputs that are too large, which older networks have, are set to the limit.
    ///
    /// # Errors
    ///
    /// The content is not a complete and undamaged network of this version, or it has more neurons.
    pub fn widened(bytes: &[u8]) -> Result<Self, BadNet> {
        let mut net = Self::read(bytes, 1..=HIDDEN)?;
        for weight in net.outputs.iter_mut().flatten().flat_map(|row| &mut row.0) {
            *weight = (*weight).clamp(-OUTPUT_LIMIT, OUTPUT_LIMIT);
        }
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
    use super::super::net::{CRC, VERSION};
    use super::*;

    /// The file of the built-in network without the last neurons.
    fn narrow(neurons: usize) -> Vec<u8> {
        let mut bytes = b"EPODENET".to_vec();
        for number in [VERSION, neurons as u32, BUCKETS as u32] {
            bytes.extend(number.to_le_bytes());
        }
        let net = Net::built_in();
        for row in net.rows() {
            let weights = &row[..neurons];
            bytes.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
        }
        bytes.extend(net.output_biases().map(i32::to_le_bytes).concat());
        bytes.extend(CRC.checksum(&bytes).to_le_bytes());
        bytes
    }

    #[test]
    fn missing_neurons_are_zero() {
        let net = Net::built_in();
        let narrower = Net::widened(&narrow(200)).expect("a network");
        for (row, whole) in narrower.rows().zip(net.rows()) {
            assert_eq!(row[..200], whole[..200]);
            assert!(row[200..].iter().all(|&weight| weight == 0));
        }
        assert_eq!(narrower.output_biases(), net.output_biases());
        assert_eq!(
            Net::from_bytes(&narrower.to_bytes()).as_ref(),
            Ok(&narrower)
        );
        assert_eq!(Net::widened(&net.to_bytes()).as_ref(), Ok(&*net));
    }

    #[test]
    fn only_a_whole_network_is_widened() {
        let bytes = narrow(200);
        let [version, buckets] = [VERSION, BUCKETS as u32];
        let shape = |neurons| BadNet::Shape {
            found: [version, neurons, buckets],
        };
        assert_eq!(Net::from_bytes(&bytes), Err(shape(200)));
        let wide = HIDDEN as u32 + 1;
        let mut wider = bytes.clone();
        wider[12..16].copy_from_slice(&wide.to_le_bytes());
        assert_eq!(Net::widened(&wider), Err(shape(wide)));
        let length = BadNet::Length {
            found: bytes.len() - 1,
            expected: bytes.len(),
        };
        assert_eq!(Net::widened(&bytes[..bytes.len() - 1]), Err(length));
        let mut damaged = bytes.clone();
        damaged[100] ^= 1;
        assert_eq!(Net::widened(&damaged), Err(BadNet::Corrupt));
        // The limit of outputs was higher when there were fewer neurons.
        let mut heavy = bytes;
        let at = heavy.len() - 4 - 4 * BUCKETS - 2;
        heavy[at..at + 2].copy_from_slice(&1447_i16.to_le_bytes());
        let end = heavy.len() - 4;
        let checksum = CRC.checksum(&heavy[..end]);
        heavy[end..].copy_from_slice(&checksum.to_le_bytes());
        let net = Net::widened(&heavy).expect("a network");
        assert_eq!(net.rows().last().expect("an output")[199], OUTPUT_LIMIT);
    }

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
