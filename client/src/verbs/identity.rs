//! Which positions count as the same.

use std::hash::{DefaultHasher, Hash, Hasher};

use epd::Record;
use movegen::{Position, Setup, Square};

use crate::cli::{EnPassant, SamePosition};

/// What makes a position different from others: pieces, side to move, and as chosen castling rights, en
/// passant square and counters. Keys sort by their bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity(pub [u8; Identity::SIZE]);

impl Identity {
    pub const SIZE: usize = Square::COUNT / 2 + 8;

    pub fn new(record: &Record, same: SamePosition) -> Self {
        let setup = &record.setup;
        let mut bytes = [0; Self::SIZE];
        let (squares, rest) = bytes.split_at_mut(Square::COUNT / 2);
        for (byte, pair) in squares.iter_mut().zip(setup.board.chunks_exact(2)) {
            let code = |i: usize| pair[i].map_or(0, |piece| piece as u8 + 1);
            *byte = code(0) << 4 | code(1);
        }
        let castling = if same.ignore_castling {
            0
        } else {
            setup.castling.bits()
        };
        let en_passant = en_passant(setup, same.en_passant);
        let counters = if same.counters {
            counters(record)
        } else {
            (0, 0)
        };
        rest[0] = setup.turn as u8 | en_passant.map_or(0, |square| square.index() as u8 + 1) << 1;
        rest[1..3].copy_from_slice(&castling.to_be_bytes());
        rest[3..5].copy_from_slice(&counters.0.to_be_bytes());
        rest[5..7].copy_from_slice(&counters.1.to_be_bytes());
        Self(bytes)
    }

    /// A hash of 128 bits. Among a billion different positions, two have the same hash with a probability
    /// of less than one in 10^20.
    pub fn hash(&self) -> [u32; 4] {
        let half = |salt: u8| {
            let mut hasher = DefaultHasher::new();
            hasher.write_u8(salt);
            self.0.hash(&mut hasher);
            hasher.finish()
        };
        let (one, two) = (half(1), half(2));
        [
            one as u32,
            (one >> 32) as u32,
            two as u32,
            (two >> 32) as u32,
        ]
    }
}

/// The en passant square that counts. In an illegal position no capture is legal, and the square counts as
/// written.
fn en_passant(setup: &Setup, counts: EnPassant) -> Option<Square> {
    let written = setup.en_passant?;
    match (counts, Position::from_setup(setup)) {
        (EnPassant::Capturable, Ok(position)) => position.legal_en_passant(),
        (EnPassant::Capturable, Err(_)) | (EnPassant::Written, _) => Some(written),
    }
}

/// The halfmove clock and the move number.
fn counters(record: &Record) -> (u16, u16) {
    let count = |count: Option<u32>, default| {
        count
            .and_then(|count| u16::try_from(count).ok())
            .unwrap_or(default)
    };
    (
        count(record.halfmove_clock().ok().flatten(), 0),
        count(record.fullmove_number().ok().flatten(), 1),
    )
}
