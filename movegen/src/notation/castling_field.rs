//! Lenient reading of the castling availability field: letters are checked against the board.

use std::fmt;

use crate::position::setup::Setup;
use crate::types::{CastlingMode, CastlingRights, CastlingSide, Color, File};

/// The meaning of a castling availability field on a board. Letters can be those of FEN (`KQkq`) or the
/// files of rooks (`HAha`).
///
/// `KQkq` mean the castlings of standard chess, unless the mode or a file letter says that the position
/// is of Chess960. Then each means the outermost rook on its side of the king (X-FEN).
///
/// ```
/// use epode_movegen::{CastlingField, CastlingMode, Setup};
///
/// let setup: Setup = "r3k2r/8/8/8/8/8/8/4K2R w - -".parse()?;
/// let field = CastlingField::read("KQAb", &setup, CastlingMode::Standard);
/// assert_eq!((field.rights.to_string().as_str(), field.dropped.as_str()), ("K", "QAb"));
///
/// let setup: Setup = "1r3k1r/8/8/8/8/8/8/1R3K1R w - -".parse()?;
/// let field = CastlingField::read("KQkb", &setup, CastlingMode::Standard);
/// assert_eq!((field.rights.to_string().as_str(), field.mode), ("HBhb", CastlingMode::Chess960));
/// # Ok::<(), epode_movegen::FenError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CastlingField {
    /// The castling rights that are possible on the board.
    pub rights: CastlingRights,
    /// Whether they are those of standard chess or of Chess960.
    pub mode: CastlingMode,
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
    pub fn read(text: &str, setup: &Setup, mode: CastlingMode) -> Self {
        let standard = Self::read_as(text, setup, CastlingMode::Standard);
        let names_file = |letter: char| matches!(letter.to_ascii_lowercase(), 'a'..='h');
        let is_standard = standard.dropped.is_empty()
            || mode == CastlingMode::Standard && !text.contains(names_file);
        if is_standard {
            return standard;
        }
        let chess960 = Self::read_as(text, setup, CastlingMode::Chess960);
        // Letters that mean nothing do not make the position one of Chess960.
        if chess960.rights == standard.rights {
            standard
        } else {
            chess960
        }
    }

    /// The files of the rooks that the letters mean by the rules of Chess960 (X-FEN), if each of them means
    /// a castling there, and some do not in standard chess: a file with such positions may be one of
    /// Chess960.
    ///
    /// ```
    /// use epode_movegen::{CastlingField, Setup};
    ///
    /// let setup: Setup = "1r3k1r/8/8/8/8/8/8/1R3K1R w - -".parse()?;
    /// assert_eq!(CastlingField::in_chess960("KQkq", &setup).as_deref(), Some("HBhb"));
    /// let setup: Setup = "r3k2r/8/8/8/8/8/8/4K2R w - -".parse()?;
    /// assert_eq!(CastlingField::in_chess960("KQkq", &setup), None);
    /// # Ok::<(), epode_movegen::FenError>(())
    /// ```
    #[must_use]
    pub fn in_chess960(text: &str, setup: &Setup) -> Option<String> {
        let field = Self::read(text, setup, CastlingMode::Chess960);
        if field.mode == CastlingMode::Standard || !field.dropped.is_empty() {
            return None;
        }
        let letters = field
            .rights
            .rooks()
            .map(|(right, ..)| right.letter(field.mode));
        Some(letters.collect())
    }

    fn read_as(text: &str, setup: &Setup, mode: CastlingMode) -> Self {
        let mut board = setup.clone();
        board.castling_mode = mode;
        board.castling = CastlingRights::empty();
        let mut dropped = String::new();
        for letter in text.chars() {
            let right = right(letter, &board).filter(|&right| {
                let is_new = !board.castling.contains(right);
                board.castling |= right;
                let fault = board.castling_fault(right);
                if is_new && fault.is_some() {
                    board.castling -= right;
                }
                is_new && fault.is_none()
            });
            if right.is_none() {
                dropped.push(letter);
            }
        }
        Self {
            rights: board.castling,
            mode,
            dropped,
        }
    }
}

/// The right that a letter names on the board of a setup.
fn right(letter: char, setup: &Setup) -> Option<CastlingRights> {
    let color = if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    };
    let side = match letter.to_ascii_lowercase() {
        'k' => CastlingSide::King,
        'q' => CastlingSide::Queen,
        file => return Some(CastlingRights::of_rook(color, File::from_char(file)?)),
    };
    Some(match setup.castling_mode {
        CastlingMode::Standard => CastlingRights::of(color, side),
        CastlingMode::Chess960 => setup
            .outermost_rook(color, side)
            .map_or(CastlingRights::of(color, side), |file| {
                CastlingRights::of_rook(color, file)
            }),
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
