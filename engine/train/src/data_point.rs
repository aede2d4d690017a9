//! A data point: a position with its search score and the result of its game, in 32 bytes.
//!
//! A file of data points has nothing else: game after game, each in the order of play. The position of
//! a side line precedes the position from which the line departs. Numbers are little-endian.
//!
//! | bytes | meaning |
//! |---|---|
//! | 0 to 7 | the occupied squares, bit 0 for a1, bit 7 for h1, bit 63 for h8 |
//! | 8 to 23 | four bits for each occupied square, from a1 to h8, the low half of a byte first: the role (0 pawn, 1 knight, 2 bishop, 3 rook, 4 queen, 5 king), plus 8 for Black; 15 after the last piece |
//! | 24 | bit 0: Black is to move; bits 1 to 4: castling K, Q, k, q |
//! | 25 | the en passant square if a capture there is legal, from 0 for a1; else 64 |
//! | 26 | plies since the last capture or pawn move |
//! | 27 | the result of the game: 0 Black won, 1 draw, 2 White won; 3 for a position of a side line, which has no result |
//! | 28, 29 | the score of the search in centipawns, from White's point of view, signed |
//! | 30, 31 | the ply in the game, from 0 at the first move of White |

use engine::Score;
use movegen::{
    Bitboard, CastlingField, CastlingMode, CastlingSide, Color, IllegalPosition, Piece, Position,
    Role, Setup, Square,
};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// Black won.
    BlackWon,
    /// Nobody won.
    Draw,
    /// White won.
    WhiteWon,
}

impl GameResult {
    /// All results, Black's win first.
    pub const ALL: [Self; 3] = [Self::BlackWon, Self::Draw, Self::WhiteWon];

    /// The result of a game that this side won.
    #[must_use]
    pub const fn won_by(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWon,
            Color::Black => Self::BlackWon,
        }
    }

    /// White's points: 0, 0.5 or 1.
    #[must_use]
    pub const fn points(self) -> f64 {
        self as u8 as f64 / 2.0
    }
}

/// A position with its search score and the result of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataPoint {
    /// The position. Its move number follows from the ply.
    pub position: Position,
    /// The score in centipawns, from White's point of view.
    pub score: i16,
    /// How the game ended; `None` for a position of a side line.
    pub result: Option<GameResult>,
    /// The number of plies before the position.
    pub ply: u16,
}

/// Bytes that are not a data point.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadDataPoint {
    /// The byte at this offset has an undefined value.
    #[error("byte {0} of the data point has an undefined value")]
    Value(usize),
    /// The position is illegal.
    #[error("illegal position: {0}")]
    Illegal(Box<IllegalPosition>),
}

/// The number of plies before a position, from its move number.
pub(crate) fn ply_of(position: &Position) -> u16 {
    let number = position.fullmove_number().saturating_sub(1);
    number
        .saturating_mul(2)
        .saturating_add(position.turn() as u16)
}

/// The four bits after the last piece.
const NO_PIECE: u8 = 15;
const NO_EN_PASSANT: u8 = 64;
const NO_RESULT: u8 = 3;

/// The letters of the castling flags.
const CASTLING_LETTERS: [(Color, CastlingSide, char); 4] = [
    (Color::White, CastlingSide::King, 'K'),
    (Color::White, CastlingSide::Queen, 'Q'),
    (Color::Black, CastlingSide::King, 'k'),
    (Color::Black, CastlingSide::Queen, 'q'),
];

/// The sides toward which the players may castle, one bit each.
fn castling_flags(position: &Position) -> u8 {
    let letters = CASTLING_LETTERS.into_iter().enumerate();
    letters.fold(0, |flags, (i, (color, side, _))| {
        flags | u8::from(position.castling_rook(color, side).is_some()) << i
    })
}

/// Sets the castling rights; false if some are impossible. In Chess960 each right is that of the
/// outermost rook on its side of the king.
fn set_castling(setup: &mut Setup, flags: u8) -> bool {
    let letters = CASTLING_LETTERS.into_iter().enumerate();
    let letters: String = letters
        .filter(|(i, _)| flags >> i & 1 != 0)
        .map(|(_, (.., letter))| letter)
        .collect();
    let field = CastlingField::read(&letters, setup, CastlingMode::Chess960);
    (setup.castling, setup.castling_mode) = (field.rights, field.mode);
    field.dropped.is_empty()
}

/// The bytes of a data point.
pub type Stored = [u8; DataPoint::SIZE];

/// The four bits of each of the 32 places for pieces.
fn codes(stored: &Stored) -> impl Iterator<Item = u8> {
    let bytes = stored[8..24].iter();
    bytes.flat_map(|&byte| [byte & 15, byte >> 4])
}

/// The pieces of a stored data point, from a1 to h8.
pub(crate) fn pieces(
    stored: &Stored,
) -> impl Iterator<Item = Result<(Square, Color, Role), BadDataPoint>> {
    let mut codes = codes(stored).enumerate();
    let occupied = Bitboard(u64::from_le_bytes(stored.as_chunks().0[0]));
    occupied.into_iter().map(move |square| {
        let (i, code) = codes.next().ok_or(BadDataPoint::Value(0))?;
        let color = Color::ALL[usize::from(code >> 3)];
        match Role::ALL.get(usize::from(code & 7)) {
            Some(&role) => Ok((square, color, role)),
            None => Err(BadDataPoint::Value(8 + i / 2)),
        }
    })
}

/// The side to move of a stored data point.
pub(crate) fn turn(stored: &Stored) -> Color {
    Color::ALL[usize::from(stored[24] & 1)]
}

/// The result of a stored data point.
pub(crate) fn result(stored: &Stored) -> Result<Option<GameResult>, BadDataPoint> {
    match stored[27] {
        NO_RESULT => Ok(None),
        code => match GameResult::ALL.get(usize::from(code)) {
            Some(&result) => Ok(Some(result)),
            None => Err(BadDataPoint::Value(27)),
        },
    }
}

/// The score of a stored data point, in centipawns from White's point of view.
pub(crate) fn score(stored: &Stored) -> i16 {
    i16::from_le_bytes([stored[28], stored[29]])
}

impl DataPoint {
    /// Creates a data point from a position, its score from White's point of view, and the result
    /// of its game. The ply follows from the move number of the position.
    #[must_use]
    pub fn new(position: Position, score: Score, result: Option<GameResult>) -> Self {
        Self {
            position,
            score: score.ce() as i16,
            result,
            ply: ply_of(&position),
        }
    }

    /// The size of a data point in bytes.
    pub const SIZE: usize = 32;

    /// The bytes that store the data point.
    #[must_use]
    pub fn to_bytes(&self) -> Stored {
        let mut bytes = [0; Self::SIZE];
        let position = &self.position;
        let occupied = position.occupied();
        bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
        let mut codes = [NO_PIECE; 32];
        for (code, square) in codes.iter_mut().zip(occupied) {
            if let Some(piece) = position.piece_at(square) {
                *code = piece.role() as u8 | (piece.color() as u8) << 3;
            }
        }
        for (byte, pair) in bytes[8..24].iter_mut().zip(codes.chunks_exact(2)) {
            *byte = pair[0] | pair[1] << 4;
        }
        bytes[24] = position.turn() as u8 | castling_flags(position) << 1;
        bytes[25] = position
            .legal_en_passant()
            .map_or(NO_EN_PASSANT, |square| square.index() as u8);
        bytes[26] = position.halfmove_clock().min(255) as u8;
        bytes[27] = self.result.map_or(NO_RESULT, |result| result as u8);
        bytes[28..30].copy_from_slice(&self.score.to_le_bytes());
        bytes[30..].copy_from_slice(&self.ply.to_le_bytes());
        bytes
    }

    /// Reads a data point from its bytes.
    pub fn from_bytes(stored: &Stored) -> Result<Self, BadDataPoint> {
        let ply = u16::from_le_bytes([stored[30], stored[31]]);
        let mut setup = Setup::empty();
        setup.halfmove_clock = stored[26].into();
        setup.fullmove_number = ply / 2 + 1;
        if stored[24] >> 5 != 0 {
            return Err(BadDataPoint::Value(24));
        }
        setup.turn = turn(stored);
        setup.en_passant = match stored[25] {
            NO_EN_PASSANT => None,
            index if index < NO_EN_PASSANT => Some(Square::from_index(index.into())),
            _ => return Err(BadDataPoint::Value(25)),
        };
        let mut count = 0;
        for piece in pieces(stored) {
            let (square, color, role) = piece?;
            setup.board[square.index()] = Some(Piece::new(color, role));
            count += 1;
        }
        let mut codes = codes(stored).enumerate().skip(count);
        if let Some((i, _)) = codes.find(|&(_, code)| code != NO_PIECE) {
            return Err(BadDataPoint::Value(8 + i / 2));
        }
        let are_possible = set_castling(&mut setup, stored[24] >> 1);
        let position =
            Position::from_setup(&setup).map_err(|fault| BadDataPoint::Illegal(Box::new(fault)))?;
        if !are_possible {
            return Err(BadDataPoint::Value(24));
        }
        Ok(Self {
            position,
            score: score(stored),
            result: result(stored)?,
            ply,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data_point(fen: &str, score: i16, result: impl Into<Option<GameResult>>) -> DataPoint {
        let position: Position = fen.parse().expect(fen);
        DataPoint {
            position,
            score,
            result: result.into(),
            ply: 2 * (position.fullmove_number() - 1) + position.turn() as u16,
        }
    }

    #[test]
    fn bytes_and_back() {
        for data_point in [
            data_point(
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                14,
                GameResult::Draw,
            ),
            data_point(
                "r3k2r/8/8/8/4pP2/8/8/4K3 b kq f3 0 33",
                -2999,
                GameResult::BlackWon,
            ),
            data_point(
                "8/8/8/8/8/4k3/8/4KQ2 w - - 99 180",
                i16::MAX,
                GameResult::WhiteWon,
            ),
            data_point("8/8/8/8/8/4k3/8/4KR2 w - - 3 60", 480, None),
        ] {
            let bytes = data_point.to_bytes();
            let again = DataPoint::from_bytes(&bytes).expect("a data point");
            assert_eq!(again, data_point);
            assert_eq!(again.position.to_string(), data_point.position.to_string());
            assert_eq!(again.to_bytes(), bytes);
        }
    }

    /// The table at the top of this file, byte by byte.
    #[test]
    fn the_format_is_as_documented() {
        let data_point = data_point(
            "4k3/8/8/8/8/8/8/R3K3 b Q - 7 20",
            -258,
            GameResult::WhiteWon,
        );
        let mut expected = [0xFF; 32];
        expected[..8].copy_from_slice(&[0x11, 0, 0, 0, 0, 0, 0, 0x10]);
        expected[8..10].copy_from_slice(&[0x53, 0xFD]);
        expected[24..].copy_from_slice(&[0b101, 64, 7, 2, 0xFE, 0xFE, 39, 0]);
        assert_eq!(data_point.to_bytes(), expected);
    }

    #[test]
    fn undefined_values_are_refused() {
        let good = data_point("4k3/8/8/8/8/8/8/R3K3 w Q - 7 20", 0, GameResult::Draw).to_bytes();
        for (at, byte, fault) in [
            (9, 0x0D, Some(9)),
            (8, 0x63, Some(8)),
            (24, 0x24, Some(24)),
            (25, 65, Some(25)),
            (27, 4, Some(27)),
            // Two white kings.
            (8, 0x55, None),
        ] {
            let mut bytes = good;
            bytes[at] = byte;
            let found = DataPoint::from_bytes(&bytes).expect_err("undefined");
            match fault {
                Some(offset) => assert_eq!(found, BadDataPoint::Value(offset)),
                None => assert!(
                    found.to_string().starts_with("illegal position: "),
                    "{found}"
                ),
            }
        }
        let mut crowded = good;
        crowded[..8].fill(0xFF);
        crowded[8..24].fill(0);
        assert_eq!(DataPoint::from_bytes(&crowded), Err(BadDataPoint::Value(0)));
    }
}
