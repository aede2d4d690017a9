//! The text of positions.
//!
//! Read: the six fields of FEN, or the first four or five of them (halfmove clock 0 and fullmove
//! number 1 stand for what is missing), any white space between them. Adjacent digits of the
//! placement field are added up (decision 120), castling letters may come in any order
//! (decision 48). Everything else is as EPD 4 has it: the four fields of an EPD record are those
//! of FEN.
//!
//! Written: one blank between fields, merged digits, letters in the order `KQkq`.

use std::fmt;
use std::str::FromStr;

use crate::castling::CastlingRights;
use crate::color::Color;
use crate::piece::Piece;
use crate::position::Position;
use crate::setup::{IllegalPosition, Setup};
use crate::square::{File, Rank, Square};

/// What is wrong with the text of a position, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {kind}")]
pub struct FenError {
    /// The column of the first offending byte, from 1.
    pub column: usize,
    /// What is wrong.
    pub kind: FenErrorKind,
}

/// What is wrong with the text of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum FenErrorKind {
    #[error("the {0} is missing")]
    Missing(Field),
    #[error("{0:?} is neither a piece letter nor a digit from 1 to 8")]
    UnknownPiece(char),
    #[error("rank {rank} has {found} squares, expected 8")]
    RankSum { rank: char, found: u32 },
    #[error("{0} ranks, expected 8")]
    RankCount(usize),
    #[error("the active colour is {0:?}, expected \"w\" or \"b\"")]
    Turn(String),
    #[error("the castling availability is {0:?}, expected \"-\" or letters of \"KQkq\"")]
    Castling(String),
    #[error("the en passant square is {0:?}, expected \"-\" or a square")]
    EnPassant(String),
    #[error("the {0} is {1:?}, expected a number from 0 to 65535")]
    Number(Field, String),
    #[error("{0:?} after the last field")]
    TrailingText(String),
}

/// A field of FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Field {
    Placement,
    Turn,
    Castling,
    EnPassant,
    HalfmoveClock,
    FullmoveNumber,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Placement => "piece placement",
            Self::Turn => "active colour",
            Self::Castling => "castling availability",
            Self::EnPassant => "en passant square",
            Self::HalfmoveClock => "halfmove clock",
            Self::FullmoveNumber => "fullmove number",
        })
    }
}

/// A text is no legal position: it cannot be read, or the rules forbid what it says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum PositionError {
    #[error(transparent)]
    Text(#[from] FenError),
    #[error("illegal position: {0}")]
    Illegal(IllegalPosition),
}

// Not by `#[from]`: the message holds the cause, which is then no source to be printed again.
impl From<IllegalPosition> for PositionError {
    fn from(illegal: IllegalPosition) -> Self {
        Self::Illegal(illegal)
    }
}

/// A field of a text, with the column at which it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// The text of the field.
    pub text: &'a str,
    /// The column of its first byte, from 1.
    pub column: usize,
}

impl Word<'_> {
    fn error(self, kind: FenErrorKind) -> FenError {
        FenError {
            column: self.column,
            kind,
        }
    }
}

impl Setup {
    /// The setup of the four position fields.
    pub fn from_fields(
        [board, turn, castling, en_passant]: [Word<'_>; 4],
    ) -> Result<Self, FenError> {
        Ok(Self {
            board: placement(board)?,
            turn: match turn.text {
                "w" => Color::White,
                "b" => Color::Black,
                other => return Err(turn.error(FenErrorKind::Turn(other.to_owned()))),
            },
            castling: rights(castling)?,
            en_passant: match en_passant.text {
                "-" => None,
                square => {
                    Some(square.parse().map_err(|_| {
                        en_passant.error(FenErrorKind::EnPassant(square.to_owned()))
                    })?)
                }
            },
            ..Self::empty()
        })
    }

    /// The four position fields of an EPD record.
    #[must_use]
    pub fn fields(&self) -> impl fmt::Display + '_ {
        fmt::from_fn(|f| {
            for rank in Rank::ALL.into_iter().rev() {
                let mut empty = 0;
                for file in File::ALL {
                    let Some(piece) = self.board[Square::new(file, rank).index()] else {
                        empty += 1;
                        continue;
                    };
                    if empty > 0 {
                        write!(f, "{empty}")?;
                        empty = 0;
                    }
                    write!(f, "{}", piece.to_char())?;
                }
                if empty > 0 {
                    write!(f, "{empty}")?;
                }
                f.write_str(if rank == Rank::R1 { " " } else { "/" })?;
            }
            write!(f, "{} {} ", self.turn.to_char(), self.castling)?;
            match self.en_passant {
                Some(square) => write!(f, "{square}"),
                None => f.write_str("-"),
            }
        })
    }
}

/// Prints a FEN.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} {}",
            self.fields(),
            self.halfmove_clock,
            self.fullmove_number
        )
    }
}

fn placement(word: Word<'_>) -> Result<[Option<Piece>; Square::COUNT], FenError> {
    let mut board = [None; Square::COUNT];
    let ranks = word.text.split('/').count();
    if ranks != Rank::ALL.len() {
        return Err(word.error(FenErrorKind::RankCount(ranks)));
    }
    let mut column = word.column;
    for (text, rank) in word.text.split('/').zip(Rank::ALL.into_iter().rev()) {
        let mut files = 0;
        for (offset, letter) in text.char_indices() {
            if let Some(empty @ 1..=8) = letter.to_digit(10) {
                files += empty;
            } else if let Some(piece) = Piece::from_char(letter) {
                if let Some(&file) = File::ALL.get(files as usize) {
                    board[Square::new(file, rank).index()] = Some(piece);
                }
                files += 1;
            } else {
                return Err(FenError {
                    column: column + offset,
                    kind: FenErrorKind::UnknownPiece(letter),
                });
            }
        }
        if files != 8 {
            let kind = FenErrorKind::RankSum {
                rank: rank.to_char(),
                found: files,
            };
            return Err(FenError { column, kind });
        }
        column += text.len() + 1;
    }
    Ok(board)
}

fn rights(word: Word<'_>) -> Result<CastlingRights, FenError> {
    let mut rights = CastlingRights::empty();
    if word.text == "-" {
        return Ok(rights);
    }
    for letter in word.text.chars() {
        let right = "KQkq".find(letter).map_or(CastlingRights::empty(), |i| {
            CastlingRights::from_bits_truncate(1 << i)
        });
        if right.is_empty() || rights.contains(right) {
            return Err(word.error(FenErrorKind::Castling(word.text.to_owned())));
        }
        rights |= right;
    }
    Ok(rights)
}

/// The words of a line with their columns.
pub fn words(line: &str) -> impl Iterator<Item = Word<'_>> {
    line.split_ascii_whitespace().map(|text| Word {
        text,
        column: text.as_ptr().addr() - line.as_ptr().addr() + 1,
    })
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let mut words = words(text);
        let end = text.trim_end().len() + 1;
        let mut field = |field| {
            words.next().ok_or(FenError {
                column: end,
                kind: FenErrorKind::Missing(field),
            })
        };
        let mut setup = Self::from_fields([
            field(Field::Placement)?,
            field(Field::Turn)?,
            field(Field::Castling)?,
            field(Field::EnPassant)?,
        ])?;
        let mut number = |field, default| match words.next() {
            None => Ok(default),
            Some(word) => word
                .text
                .parse()
                .map_err(|_| word.error(FenErrorKind::Number(field, word.text.to_owned()))),
        };
        setup.halfmove_clock = number(Field::HalfmoveClock, 0)?;
        // Some programs count from 0; the first move is 1 all the same.
        setup.fullmove_number = number(Field::FullmoveNumber, 1)?.max(1);
        match words.next() {
            None => Ok(setup),
            Some(word) => Err(word.error(FenErrorKind::TrailingText(word.text.to_owned()))),
        }
    }
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        Ok(Self::from_setup(&text.parse::<Setup>()?)?)
    }
}

/// Prints a FEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.setup().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn error_of(text: &str, column: usize, message: &str) {
        let error = text.parse::<Setup>().expect_err(text);
        assert_eq!(
            error.to_string(),
            format!("column {column}: {message}"),
            "{text}"
        );
    }

    #[test]
    fn every_error_names_its_place() {
        error_of("", 1, "the piece placement is missing");
        error_of("8/8/8/8/8/8/8/8", 16, "the active colour is missing");
        error_of(
            "8/8/8/8/8/8/8/8 w - ",
            20,
            "the en passant square is missing",
        );
        error_of("8/8/8/8 w - -", 1, "4 ranks, expected 8");
        error_of(
            "8/8/ppp6/8/8/8/8/8 w - -",
            5,
            "rank 6 has 9 squares, expected 8",
        );
        error_of(
            "8/8/8/8/8/6/8/8 w - -",
            11,
            "rank 3 has 6 squares, expected 8",
        );
        error_of(
            "8/pi6/8/8/8/8/8/8 w - -",
            4,
            "'i' is neither a piece letter nor a digit from 1 to 8",
        );
        error_of(
            "8/8/8/8/0p7/8/8/8 w - -",
            9,
            "'0' is neither a piece letter nor a digit from 1 to 8",
        );
        error_of(
            "8/8/8/8/8/8/8/8 K - -",
            17,
            "the active colour is \"K\", expected \"w\" or \"b\"",
        );
        for bad in ["KQAb", "KK", "K-", "--"] {
            error_of(
                &format!("8/8/8/8/8/8/8/8 w {bad} -"),
                19,
                &format!(
                    "the castling availability is {bad:?}, expected \"-\" or letters of \"KQkq\""
                ),
            );
        }
        error_of(
            "8/8/8/8/8/8/8/8 w - e9",
            21,
            "the en passant square is \"e9\", expected \"-\" or a square",
        );
        error_of(
            "8/8/8/8/8/8/8/8 w - - -1",
            23,
            "the halfmove clock is \"-1\", expected a number from 0 to 65535",
        );
        error_of(
            "8/8/8/8/8/8/8/8 w - - 0 65536",
            25,
            "the fullmove number is \"65536\", expected a number from 0 to 65535",
        );
        error_of(
            "8/8/8/8/8/8/8/8 w - - 0 1 bm",
            27,
            "\"bm\" after the last field",
        );
    }

    /// Decisions 48 and 120, and what FEN writers leave out.
    #[test]
    fn lenient_where_nothing_is_lost() {
        let setup: Setup = " r11111k1/8/8/8/8/8/8/4K2R  w  kK - 3"
            .parse()
            .expect("readable");
        assert_eq!(setup.to_string(), "r5k1/8/8/8/8/8/8/4K2R w Kk - 3 1");
        assert_eq!(setup.fields().to_string(), "r5k1/8/8/8/8/8/8/4K2R w Kk -");
    }
}
