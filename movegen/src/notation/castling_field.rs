//! The castling availability field, read by what stands on the board.

use std::fmt;

use crate::position::setup::Setup;
use crate::types::{CastlingRights, CastlingSide, Color, File, Piece, Rank, Role, Square};

/// What a castling availability field means on a board.
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
pub struct CastlingField {
    /// The rights whose king and rook are at home.
    pub rights: CastlingRights,
    /// All letters that mean something, if some of them name a rook from which only another chess
    /// castles (Chess960); else nothing.
    pub foreign: String,
    /// The letters that mean nothing: no king and rook are there, or it was said before.
    pub dropped: String,
}

impl CastlingField {
    /// The most letters that are looked at: twice as many as there are rights.
    const MOST: usize = 8;

    /// Whether a text other than `-` is made of the letters of this field: `KQkq`, files of rooks,
    /// and dashes.
    #[must_use]
    pub fn is_made_of_its_letters(text: &str) -> bool {
        let is_letter =
            |byte: u8| matches!(byte.to_ascii_lowercase(), b'a'..=b'h' | b'k' | b'q' | b'-');
        text != "-" && (1..=Self::MOST).contains(&text.len()) && text.bytes().all(is_letter)
    }

    /// What the letters mean on the board of a setup.
    #[must_use]
    pub fn read(text: &str, setup: &Setup) -> Self {
        let mut field = Self::default();
        let (mut kept, mut is_foreign) = (String::new(), false);
        for letter in text.chars() {
            let right = right(letter, setup);
            let is_new = match right {
                Some(Right::Usual(right)) => !field.rights.contains(right),
                Some(Right::Foreign) => !kept.contains(letter),
                None => false,
            };
            if !is_new {
                field.dropped.push(letter);
                continue;
            }
            kept.push(letter);
            match right {
                Some(Right::Usual(right)) => field.rights |= right,
                _ => is_foreign = true,
            }
        }
        if is_foreign {
            field.foreign = kept;
        }
        field
    }
}

/// What one letter gives.
#[derive(Clone, Copy)]
enum Right {
    Usual(CastlingRights),
    Foreign,
}

fn right(letter: char, setup: &Setup) -> Option<Right> {
    let color = if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    };
    let usual = |side| {
        setup
            .is_at_home(color, side)
            .then_some(Right::Usual(CastlingRights::of(color, side)))
    };
    let small = letter.to_ascii_lowercase();
    match small {
        'k' => return usual(CastlingSide::King),
        'q' => return usual(CastlingSide::Queen),
        _ => {}
    }
    let by_file = match small {
        'h' => usual(CastlingSide::King),
        'a' => usual(CastlingSide::Queen),
        _ => None,
    };
    by_file.or_else(|| {
        let has = |file, role| {
            let square = Square::new(file, Rank::R1).relative_to(color);
            setup.board[square.index()] == Some(Piece::new(color, role))
        };
        let rook = has(File::from_char(small)?, Role::Rook);
        let king = File::ALL.into_iter().any(|file| has(file, Role::King));
        (rook && king).then_some(Right::Foreign)
    })
}

/// What lenient reading left out of the castling availability of a FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedCastling {
    /// The column of the field, from 1.
    pub column: usize,
    /// The field as it was written.
    pub found: String,
    /// What was understood of it.
    pub field: CastlingField,
}

/// Prints what was found, what it was read as, and why.
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
