//! What a position is worth without searching: a small neural network says it that is updated move by
//! move (<https://www.chessprogramming.org/NNUE>), trained on games of the engine against itself.
//!
//! Each side sees the board from where it sits, and its own king always on the left half: 768
//! inputs, one for each piece on each square, numbered by role, then by side, its own first, then by
//! square. A layer of [`HIDDEN`] neurons sums up what a side sees; both sums, that of the side to move
//! first, pass through the square of a clipped ramp (`SCReLU`) to one of [`BUCKETS`] outputs, chosen
//! by the number of pieces.
//!
//! A file holds, little-endian and without gaps: the eight letters `EPODENET`; the version, the
//! neurons and the buckets, four bytes each; the weights of the inputs, input by input, then the
//! biases of the neurons, as 16-bit integers where [`ONE`] stands for 1; the weights of each output,
//! for the side to move and for the other, as 16-bit integers from -2047 to 2047 where
//! [`OUTPUT_ONE`] stands for 1; a 32-bit bias for each output, where the product of both ones
//! stands for 1; and the CRC-32 of all these bytes.

mod accumulator;
mod features;
mod simd;
mod training;

use std::sync::{Arc, LazyLock};

use crc::{CRC_32_ISO_HDLC, Crc};
use movegen::{Color, Position};

pub(crate) use accumulator::Accumulators;
pub use features::FEATURES;
pub use training::{ROWS, input};

/// Neurons of the hidden layer for each side.
pub const HIDDEN: usize = 256;
/// Outputs, each for a range of piece counts.
pub const BUCKETS: usize = 8;
/// The integer that stands for 1 in the hidden layer.
pub const ONE: i32 = 255;
/// The integer that stands for 1 in the weights of the outputs.
pub const OUTPUT_ONE: i32 = 512;
/// The largest absolute weight of an output: sums of such weights cannot overflow.
pub const OUTPUT_LIMIT: i16 = 2047;
/// The centipawns that an output of 1 stands for.
pub const CENTIPAWNS: i64 = 400;

const MAGIC: &[u8; 8] = b"EPODENET";
const VERSION: u32 = 3;
/// What ends a file.
const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// A number for each neuron of a side.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
struct Row([i16; HIDDEN]);

/// The weights.
#[derive(Debug, PartialEq, Eq)]
pub struct Net {
    /// That of the file.
    checksum: u32,
    /// A row for each input.
    inputs: Vec<Row>,
    biases: Row,
    /// For the side to move, and for the other.
    outputs: [[Row; 2]; BUCKETS],
    output_biases: [i32; BUCKETS],
}

/// Bytes that are no network of this kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadNet {
    /// It does not begin with `EPODENET`.
    #[error("no network: it does not begin with EPODENET")]
    Foreign,
    /// Another version, or other numbers of neurons and outputs.
    #[error(
        "a network of version {} with {} neurons and {} outputs, expected version {VERSION} with \
         {HIDDEN} and {BUCKETS}", found[0], found[1], found[2]
    )]
    Shape {
        /// Version, neurons, buckets.
        found: [u32; 3],
    },
    /// There are more or fewer bytes than a network has.
    #[error("{found} bytes, expected the {expected} of a network")]
    Length {
        /// Bytes in the file.
        found: usize,
        /// Bytes in any network.
        expected: usize,
    },
    /// The checksum is not that of the bytes before it.
    #[error("the network is damaged: its checksum does not fit")]
    Corrupt,
    /// The weight of an output beyond its bounds.
    #[error("an output has the weight {found}, expected -{OUTPUT_LIMIT} to {OUTPUT_LIMIT}")]
    Weight {
        /// The weight.
        found: i16,
    },
}

/// Takes numbers off the front of bytes that are long enough.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (first, rest) = self.0.split_first_chunk().expect("the length was checked");
        self.0 = rest;
        *first
    }

    fn row(&mut self) -> Row {
        Row(std::array::from_fn(|_| i16::from_le_bytes(self.take())))
    }
}

impl Net {
    /// The bytes of a file.
    const SIZE: usize =
        8 + 3 * 4 + size_of::<Row>() * (FEATURES + 1 + 2 * BUCKETS) + 4 * BUCKETS + 4;

    /// The network of a file's content.
    ///
    /// # Errors
    ///
    /// The content is not that of a whole and undamaged file of this kind.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BadNet> {
        if !bytes.starts_with(MAGIC) {
            return Err(BadNet::Foreign);
        }
        let length = BadNet::Length {
            found: bytes.len(),
            expected: Self::SIZE,
        };
        if bytes.len() < 8 + 3 * 4 {
            return Err(length);
        }
        let mut numbers = Numbers(&bytes[MAGIC.len()..]);
        let shape: [u32; 3] = std::array::from_fn(|_| u32::from_le_bytes(numbers.take()));
        if shape != [VERSION, HIDDEN as u32, BUCKETS as u32] {
            return Err(BadNet::Shape { found: shape });
        }
        if bytes.len() != Self::SIZE {
            return Err(length);
        }
        let (content, rest) = bytes.split_at(Self::SIZE - 4);
        let checksum = CRC.checksum(content);
        if checksum.to_le_bytes() != rest {
            return Err(BadNet::Corrupt);
        }
        let net = Self {
            checksum,
            inputs: (0..FEATURES).map(|_| numbers.row()).collect(),
            biases: numbers.row(),
            outputs: std::array::from_fn(|_| [numbers.row(), numbers.row()]),
            output_biases: std::array::from_fn(|_| i32::from_le_bytes(numbers.take())),
        };
        let bounds = -OUTPUT_LIMIT..=OUTPUT_LIMIT;
        let mut weights = net.outputs.iter().flatten().flat_map(|row| row.0);
        match weights.find(|weight| !bounds.contains(weight)) {
            Some(found) => Err(BadNet::Weight { found }),
            None => Ok(net),
        }
    }

    /// The content of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.content();
        bytes.extend(CRC.checksum(&bytes).to_le_bytes());
        bytes
    }

    /// What a file holds before its checksum.
    fn content(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for number in [VERSION, HIDDEN as u32, BUCKETS as u32] {
            bytes.extend(number.to_le_bytes());
        }
        let rows = self.inputs.iter().chain([&self.biases]);
        for row in rows.chain(self.outputs.iter().flatten()) {
            bytes.extend(row.0.iter().flat_map(|number| number.to_le_bytes()));
        }
        let biases = self.output_biases.iter();
        bytes.extend(biases.flat_map(|bias| bias.to_le_bytes()));
        bytes
    }

    /// The network that comes with the program (`engine/nets/README.md` tells how it was made).
    #[must_use]
    pub fn built_in() -> Arc<Self> {
        static NET: LazyLock<Arc<Net>> = LazyLock::new(|| {
            let net = Net::from_bytes(include_bytes!("../../../nets/epode.net"));
            Arc::new(net.expect("the file of this very version"))
        });
        Arc::clone(&NET)
    }

    /// A number that tells networks apart: the checksum that ends the file.
    #[must_use]
    pub const fn checksum(&self) -> u32 {
        self.checksum
    }

    /// What the sums of both sides are worth to the side to move, in centipawns.
    fn output(&self, position: &Position, sums: [&Row; 2]) -> i32 {
        self.output_of(bucket(position.occupied().len() as usize), position, sums)
    }

    /// The same by the output of one bucket, whatever the number of pieces.
    #[inline]
    fn output_of(&self, bucket: usize, position: &Position, sums: [&Row; 2]) -> i32 {
        let turn = position.turn();
        let sides = [turn, !turn].map(|side| sums[index(side)]);
        let [ours, theirs] = &self.outputs[bucket];
        let halves = simd::dot(sides[0], ours) + simd::dot(sides[1], theirs);
        let value = 2 * halves / i64::from(ONE) + i64::from(self.output_biases[bucket]);
        (value * CENTIPAWNS / i64::from(ONE * OUTPUT_ONE)) as i32
    }

    /// The worth of a position for the side to move, in centipawns, from nothing.
    #[must_use]
    pub fn evaluate(&self, position: &Position) -> i32 {
        Accumulators::new(self).evaluate(position, 0)
    }
}

/// The output for a position with this number of pieces.
#[must_use]
pub fn bucket(pieces: usize) -> usize {
    (pieces.saturating_sub(2) / 4).min(BUCKETS - 1)
}

/// Which side's view a row is.
fn index(color: Color) -> usize {
    color as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use movegen::{Piece, Square};
    use rand::rngs::StdRng;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};

    impl Net {
        fn random(seed: u64) -> Self {
            let mut rng = StdRng::seed_from_u64(seed);
            let mut row =
                |limit: i16| Row(std::array::from_fn(|_| rng.random_range(-limit..=limit)));
            let inputs = (0..FEATURES).map(|_| row(60)).collect();
            let biases = row(100);
            let outputs = std::array::from_fn(|_| [row(OUTPUT_LIMIT), row(OUTPUT_LIMIT)]);
            Self {
                checksum: 0,
                inputs,
                biases,
                outputs,
                output_biases: std::array::from_fn(|_| rng.random_range(-9999..=9999)),
            }
        }
    }

    /// The value as the head of this file has it, in floating point and without any cleverness.
    fn by_definition(net: &Net, position: &Position) -> f64 {
        let sides = [position.turn(), !position.turn()].map(|side| {
            let mirrored = position.king(side).file() as usize >= 4;
            let mut sums = net.biases.0.map(f64::from);
            for square in position.occupied() {
                let piece = position.piece_at(square).expect("occupied");
                let mut seen = square;
                if side == Color::Black {
                    seen = seen.flip_rank();
                }
                let seen = if mirrored {
                    seen.index() ^ 7
                } else {
                    seen.index()
                };
                let kind = 2 * piece.role() as usize + usize::from(piece.color() != side);
                for (sum, weight) in sums.iter_mut().zip(net.inputs[64 * kind + seen].0) {
                    *sum += f64::from(weight);
                }
            }
            sums
        });
        let bucket = ((position.occupied().len() as usize - 2) / 4).min(7);
        let mut value = f64::from(net.output_biases[bucket]) / f64::from(ONE * OUTPUT_ONE);
        for (sums, weights) in sides.iter().zip(&net.outputs[bucket]) {
            for (sum, weight) in sums.iter().zip(weights.0) {
                let ramp = (sum / f64::from(ONE)).clamp(0.0, 1.0);
                value += ramp * ramp * f64::from(weight) / f64::from(OUTPUT_ONE);
            }
        }
        value * CENTIPAWNS as f64
    }

    /// Random games, with visits to other branches, to plies that were left out and to boards far
    /// away: the sums that are carried along are always those of the position.
    #[test]
    fn carried_along_or_from_nothing() {
        let net = Net::random(3);
        let mut rng = StdRng::seed_from_u64(4);
        for start in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let mut accumulators = Accumulators::new(&net);
            let start: Position = start.parse().expect(start);
            let mut path = vec![start];
            for _ in 0..400 {
                let position = path[path.len() - 1];
                let moves = position.legal_moves();
                let Some(&mv) = moves.choose(&mut rng) else {
                    path.truncate(1);
                    continue;
                };
                let mut after = position;
                after.play(mv);
                path.push(after);
                if rng.random_bool(0.7) {
                    let found = accumulators.evaluate(&after, path.len() - 1);
                    assert_eq!(found, net.evaluate(&after), "{after}");
                    let exact = by_definition(&net, &after);
                    assert!(
                        (f64::from(found) - exact).abs() < 2.0,
                        "{after}: {found}, {exact}"
                    );
                }
                let back = rng.random_range(0..4) / 2;
                path.truncate((path.len() - back).max(1));
                if path.len() > 60 {
                    path.truncate(1);
                }
            }
        }
    }

    #[test]
    fn both_colours_and_both_wings_see_the_same() {
        let net = Net::random(5);
        let position: Position = "3r2k1/p4p1p/1p4p1/2b5/2P2q2/1P1B1P1P/P3Q1P1/3R3K w - - 0 1"
            .parse()
            .expect("legal");
        let setup = position.setup();
        let (mut colours, mut wings) = (setup.clone(), setup.clone());
        for square in Square::all() {
            let piece = setup.board[square.index()];
            wings.board[square.index() ^ 7] = piece;
            colours.board[square.flip_rank().index()] =
                piece.map(|piece| Piece::new(!piece.color(), piece.role()));
        }
        colours.turn = !setup.turn;
        for other in [colours, wings] {
            let other = Position::from_setup(&other).expect("legal");
            assert_eq!(net.evaluate(&position), net.evaluate(&other));
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        let net = Net::random(1);
        let bytes = net.to_bytes();
        assert_eq!(bytes.len(), Net::SIZE);
        let read = Net::from_bytes(&bytes).expect("whole");
        assert_eq!(read.to_bytes(), bytes);
        assert_eq!(read.checksum().to_le_bytes(), bytes[bytes.len() - 4..]);
        assert_eq!(read.inputs, net.inputs);
        let refused = |bytes: &[u8]| Net::from_bytes(bytes).expect_err("refused");

        for length in [0, 7] {
            assert_eq!(refused(&bytes[..length]), BadNet::Foreign);
        }
        for length in [8, 19, 20, 1000, bytes.len() - 1] {
            let expected = BadNet::Length {
                found: length,
                expected: bytes.len(),
            };
            assert_eq!(refused(&bytes[..length]), expected);
        }
        let longer = [&bytes[..], b"x"].concat();
        assert!(matches!(refused(&longer), BadNet::Length { .. }));

        let changed = |at: usize| {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            refused(&bytes)
        };
        assert_eq!(changed(0), BadNet::Foreign);
        let found = [VERSION, HIDDEN as u32 ^ 1, BUCKETS as u32];
        assert_eq!(changed(12), BadNet::Shape { found });
        for at in [20, 5000, bytes.len() - 9, bytes.len() - 1] {
            assert_eq!(changed(at), BadNet::Corrupt);
        }

        let mut heavy = Net::random(2);
        heavy.outputs[3][1].0[7] = -2048;
        assert_eq!(refused(&heavy.to_bytes()), BadNet::Weight { found: -2048 });
    }
}
