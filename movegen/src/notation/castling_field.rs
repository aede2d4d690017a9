//! Lenient reading of the castling availability field: letters are checked against the board.

use std::fmt;

use crate::position::setup::Setup;
use crate::types::{CastlingRights, CastlingSide, Color, File, Piece, Rank, Role, Square};

/// The meaning of a castling availability field on a board. Letters can be those of FEN (`KQkq`) or the
/// files of rooks (`HAha`).
///
/// ```
/// use epode_movegen::{CastlingField, Setup};
///
/// let setup: Setup = "r3k2r/8/8/8/8/8/8/4K2R w - -".parse()?;
/// let field = CastlingField::read("KQAb", &setup);
/// assert_eq!((field.rights.to_string().as_str(), field.dropped.as_str()), ("K", "QAb"));
/// # Ok::<(), epode_movegen::FenError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CastlingField {
    /// The castling rights whose king and rook are at home.
    pub rights: CastlingRights,
    /// If some letters name rooks that can castle only in Chess960, all letters that are not dropped;
    /// otherwise empty.
    pub chess960: String,
    /// The letters without a meaning: there is no such king and rook, or the letter is a repetition.
    pub dropped: String,
}

impl CastlingField {
    /// The longest text that counts as a castling field: twice the number of castling rights.
    const MAX_LEN: usize = 8;

    /// Whether a text other than `-` consists of characters of this field: `KQkq`, files of rooks and
    /// dashes.
    #[must_use]
    pub fn is_well_formed(text: &str) -> bool {
        let is_letter =
            |byte: u8| matches!(byte.to_ascii_lowercase(), b'a'..=b'h' | b'k' | b'q' | b'-');
        text != "-" && (1..=Self::MAX_LEN).contains(&text.len()) && text.bytes().all(is_letter)
    }

    /// Reads the field for the board of a setup.
    #[must_use]
    pub fn read(text: &str, setup: &Setup) -> Self {
        let mut field = Self::default();
        let (mut kept, mut is_chess960) = (String::new(), false);
        for letter in text.chars() {
            let right = right(letter, setup);
            let is_new = match right {
                Some(Right::Standard(right)) => !field.rights.contains(right),
                Some(Right::Chess960) => !kept.contains(letter),
                None => false,
            };
            if !is_new {
                field.dropped.push(letter);
                continue;
            }
            kept.push(letter);
            match right {
                Some(Right::Standard(right)) => field.rights |= right,
                _ => is_chess960 = true,
            }
        }
        if is_chess960 {
            field.chess960 = kept;
        }
        field
    }
}

/// The meaning of one letter.
#[derive(Clone, Copy)]
enum Right {
    /// A castling right of standard chess.
    Standard(CastlingRights),
    /// A rook that can castle only in Chess960.
    Chess960,
}

/// The meaning of a letter on the board of a setup, if it has one.
fn right(letter: char, setup: &Setup) -> Option<Right> {
    let color = if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    };
    let standard = |side| {
        setup
            .is_at_home(color, side)
            .then_some(Right::Standard(CastlingRights::of(color, side)))
    };
    let lower = letter.to_ascii_lowercase();
    match lower {
        'k' => return standard(CastlingSide::King),
        'q' => return standard(CastlingSide::Queen),
        _ => {}
    }
    let by_file = match lower {
        'h' => standard(CastlingSide::King),
        'a' => standard(CastlingSide::Queen),
        _ => None,
    };
    by_file.or_else(|| {
        let has = |file, role| {
            let square = Square::new(file, Rank::R1).relative_to(color);
            setup.board[square.index()] == Some(Piece::new(color, role))
        };
        let rook = has(File::from_char(lower)?, Role::Rook);
        let king = File::ALL.into_iter().any(|file| has(file, Role::King));
        (rook && king).then_some(Right::Chess960)
    })
}

/// What [`Setup::from_fen_lenient`] dropped from the castling availability field of a FEN.
///
/// It prints what was found, how it was read, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DroppedCastling {
    /// The column of the field, from 1.
    pub column: usize,
    /// The field as written.
    pub found: String,
    /// The field as read.
    pub field: CastlingField,
}

impl fmt::Display for DroppedCastling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "column {}: the castling availability is {:?}, read as \"{}\": no king and rook at \
             home for {:?}",
            self.column, self.found, self.field.rights, self.field.dropped
        )
    }
}
