//! The integers of a network, its file, and its outputs.

use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock};

use crc::{CRC_32_ISO_HDLC, Crc};
use movegen::Position;

use super::features::FEATURES;
use super::layout::{BUCKETS, CENTIPAWNS, HIDDEN, ONE, OUTPUT_LIMIT, OUTPUT_ONE, Row, bucket};
use super::simd::{Arithmetic, Simd};

const MAGIC: &[u8; 8] = b"EPODENET";
pub(super) const VERSION: u32 = 3;
/// The checksum at the end of a file.
pub(super) const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// The weights and biases of a network.
#[derive(Debug, PartialEq, Eq)]
pub struct Net {
    /// The checksum of its file.
    pub(super) checksum: u32,
    /// A row for each input.
    pub(super) inputs: Vec<Row>,
    pub(super) biases: Row,
    /// For the side to move, and for the other.
    pub(super) outputs: [[Row; 2]; BUCKETS],
    pub(super) output_biases: [i32; BUCKETS],
}

/// Why bytes are not a network of this version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadNet {
    /// They do not begin with `EPODENET`.
    #[error("no network: it does not begin with EPODENET")]
    Foreign,
    /// The version, or the number of neurons or outputs, is another.
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
        /// Bytes in a network of this version.
        expected: usize,
    },
    /// The checksum does not match the bytes before it.
    #[error("the network is damaged: its checksum does not fit")]
    Corrupt,
    /// The weight of an output is out of range.
    #[error("an output has the weight {found}, expected -{OUTPUT_LIMIT} to {OUTPUT_LIMIT}")]
    Weight {
        /// The weight.
        found: i16,
    },
}

/// Reads numbers one after the other. The bytes must be long enough.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (first, rest) = self.0.split_first_chunk().expect("the length was checked");
        self.0 = rest;
        *first
    }

    /// A row of so many neurons; the others are 0.
    fn row(&mut self, neurons: usize) -> Row {
        let mut row = Row([0; HIDDEN]);
        for number in &mut row.0[..neurons] {
            *number = i16::from_le_bytes(self.take());
        }
        row
    }
}

impl Net {
    /// The size of a file in bytes.
    pub(super) const SIZE: usize = Self::size(HIDDEN);

    /// The size of the file of a network with so many neurons.
    pub(super) const fn size(neurons: usize) -> usize {
        8 + 3 * 4 + 2 * neurons * (FEATURES + 1 + 2 * BUCKETS) + 4 * BUCKETS + 4
    }

    /// Reads the content of a file.
    ///
    /// # Errors
    ///
    /// The content is not a complete and undamaged network of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BadNet> {
        let net = Self::read(bytes, HIDDEN..=HIDDEN)?;
        let bounds = -OUTPUT_LIMIT..=OUTPUT_LIMIT;
        let mut weights = net.outputs.iter().flatten().flat_map(|row| row.0);
        match weights.find(|weight| !bounds.contains(weight)) {
            Some(found) => Err(BadNet::Weight { found }),
            None => Ok(net),
        }
    }

    /// Reads the content of a file with a number of neurons in this range. What is missing is 0. The
    /// checksum is that of the file, and the weights of outputs may be out of range.
    pub(super) fn read(bytes: &[u8], neurons: RangeInclusive<usize>) -> Result<Self, BadNet> {
        if !bytes.starts_with(MAGIC) {
            return Err(BadNet::Foreign);
        }
        let length = |expected| BadNet::Length {
            found: bytes.len(),
            expected,
        };
        if bytes.len() < 8 + 3 * 4 {
            return Err(length(Self::SIZE));
        }
        let mut numbers = Numbers(&bytes[MAGIC.len()..]);
        let shape: [u32; 3] = std::array::from_fn(|_| u32::from_le_bytes(numbers.take()));
        let [version, width, buckets] = shape;
        let width = width as usize;
        if [version, buckets] != [VERSION, BUCKETS as u32] || !neurons.contains(&width) {
            return Err(BadNet::Shape { found: shape });
        }
        let size = Self::size(width);
        if bytes.len() != size {
            return Err(length(size));
        }
        let (content, rest) = bytes.split_at(size - 4);
        let checksum = CRC.checksum(content);
        if checksum.to_le_bytes() != rest {
            return Err(BadNet::Corrupt);
        }
        Ok(Self {
            checksum,
            inputs: (0..FEATURES).map(|_| numbers.row(width)).collect(),
            biases: numbers.row(width),
            outputs: std::array::from_fn(|_| [numbers.row(width), numbers.row(width)]),
            output_biases: std::array::from_fn(|_| i32::from_le_bytes(numbers.take())),
        })
    }

    /// The content of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.content();
        bytes.extend(CRC.checksum(&bytes).to_le_bytes());
        bytes
    }

    /// The content of a file without its checksum.
    pub(super) fn content(&self) -> Vec<u8> {
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

    /// The network that comes with the program. `engine/nets/README.md` describes how it was made.
    #[must_use]
    pub fn built_in() -> Arc<Self> {
        static NET: LazyLock<Arc<Net>> = LazyLock::new(|| {
            let net = Net::from_bytes(include_bytes!("../../../nets/epode.net"));
            Arc::new(net.expect("the file belongs to this version"))
        });
        Arc::clone(&NET)
    }

    /// A number that identifies the network: the checksum at the end of its file.
    #[must_use]
    pub const fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The instructions that evaluation uses on this processor, chosen at run time: `AVX-512`,
    /// `AVX2`, or `portable` for what the compiler makes of plain Rust.
    #[must_use]
    pub fn instructions() -> &'static str {
        Simd::detect().name()
    }

    /// The evaluation for the side to move in centipawns, given the hidden layer of both sides. The
    /// number of pieces selects the output.
    #[inline(always)]
    pub(super) fn output(
        &self,
        arithmetic: impl Arithmetic,
        position: &Position,
        sums: [&Row; 2],
    ) -> i32 {
        let bucket = bucket(position.occupied().len() as usize);
        self.output_of(arithmetic, bucket, position, sums)
    }

    /// The evaluation by the output of one bucket, whatever the number of pieces.
    #[inline(always)]
    pub(super) fn output_of(
        &self,
        arithmetic: impl Arithmetic,
        bucket: usize,
        position: &Position,
        sums: [&Row; 2],
    ) -> i32 {
        let turn = position.turn();
        let sides = [turn, !turn].map(|side| sums[side as usize]);
        let [ours, theirs] = &self.outputs[bucket];
        let halves = arithmetic.dot(sides[0], ours) + arithmetic.dot(sides[1], theirs);
        let value = 2 * halves / i64::from(ONE) + i64::from(self.output_biases[bucket]);
        (value * CENTIPAWNS / i64::from(ONE * OUTPUT_ONE)) as i32
    }
}
