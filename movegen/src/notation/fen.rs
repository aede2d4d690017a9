//! FEN: the text of positions.
//!
//! A FEN has six fields, of which the last two can be missing: the halfmove clock is then 0 and the
//! fullmove number 1. The first four are the position fields of an EPD record (EPD 4). Any white space
//! can separate fields. Adjacent digits in the piece placement are added (decision 120), and castling
//! letters can be in any order (decision 48).
//!
//! Castling letters are `KQkq`, which mean the castlings of standard chess, or the files of rooks
//! (Shredder-FEN, `HAha`), for Chess960. [`Setup::from_fen`] also reads `KQkq` as Chess960 does (X-FEN),
//! and [`Setup::from_fen_lenient`] accepts castling rights that are impossible on the board.
//!
//! Output has one space between fields, no adjacent digits, and castling letters in the order `KQkq`.
//! Rights that standard chess does not have are written as files; [`Setup::to_x_fen`] and
//! [`Setup::to_shredder_fen`] write either notation.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayString;

use crate::notation::castling_field::{CastlingField, DroppedCastling};
use crate::position::Position;
use crate::position::setup::Setup;
use crate::position::validate::IllegalPosition;
use crate::types::{
    CastlingMode, CastlingRights, CastlingSide, Color, ParseError, Piece, Rank, Square,
};

/// An error in the text of a position: its column and kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {kind}")]
pub struct FenError {
    /// The column of the error in bytes, from 1.
    pub column: usize,
    /// The kind of the error.
    pub kind: FenErrorKind,
}

/// What is wrong with the text of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
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
    #[error(
        "the castling availability is {0:?}, expected \"-\", letters of \"KQkq\", or files of rooks"
    )]
    Castling(String),
    #[error("the en passant square is {0:?}, expected \"-\" or a square")]
    EnPassant(String),
    #[error("the {0} is {1:?}, expected a number from 0 to 65535")]
    Number(Field, String),
    #[error("{0:?} after the last field")]
    TrailingText(String),
}

/// A field of a FEN.
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

/// A text is not a legal position: it cannot be read, or the position is illegal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum PositionError {
    #[error(transparent)]
    Text(#[from] FenError),
    #[error("illegal position: {0}")]
    Illegal(IllegalPosition),
}

// Not `#[from]`: the message contains the cause, which must not be printed again as the source.
impl From<IllegalPosition> for PositionError {
    fn from(illegal: IllegalPosition) -> Self {
        Self::Illegal(illegal)
    }
}

/// The length of the longest four position fields: 64 pieces, 7 slashes, 1 letter for the side to
/// move, 16 castling letters, 2 for the en passant square, and 3 spaces.
const FIELDS_LEN: usize = 64 + 7 + 1 + 16 + 2 + 3;

/// The text of the four position fields.
pub type Fields = ArrayString<FIELDS_LEN>;

/// The letters of [`Piece::ALL`], then `0`, to which the number of empty squares is added.
static LETTERS: [u8; Piece::ALL.len() + 1] = *b"PNBRQKpnbrqk0";

/// A field of a text and its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// The text of the field.
    pub text: &'a str,
    /// The column of the first byte, from 1.
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

/// How castling rights are written.
#[derive(Clone, Copy)]
enum CastlingLetters {
    /// `KQkq` for rights of standard chess, otherwise files.
    Usual,
    /// `KQkq` for the outermost rooks, otherwise files.
    XFen,
    /// Files.
    Shredder,
}

impl Setup {
    /// Reads the four position fields. Castling letters `KQkq` mean the castlings of standard chess.
    pub fn from_fields(fields: [Word<'_>; 4]) -> Result<Self, FenError> {
        Self::from_fields_in(fields, CastlingMode::Standard)
    }

    fn from_fields_in(
        [board, turn, castling, en_passant]: [Word<'_>; 4],
        mode: CastlingMode,
    ) -> Result<Self, FenError> {
        let mut setup = Self::empty();
        read_placement(board, &mut setup.board)?;
        setup.turn = match turn.text {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(turn.error(FenErrorKind::Turn(other.to_owned()))),
        };
        setup
            .read_castling(castling.text, mode)
            .map_err(|_| castling.error(FenErrorKind::Castling(castling.text.to_owned())))?;
        setup.en_passant = match en_passant.text {
            "-" => None,
            square => Some(
                square
                    .parse()
                    .map_err(|_| en_passant.error(FenErrorKind::EnPassant(square.to_owned())))?,
            ),
        };
        Ok(setup)
    }

    /// Reads the castling availability for the board.
    fn read_castling(&mut self, text: &str, mode: CastlingMode) -> Result<(), ParseError> {
        self.castling = text.parse()?;
        let names_files = text
            .bytes()
            .any(|byte| matches!(byte, b'A'..=b'H' | b'a'..=b'h'));
        if mode == CastlingMode::Standard && !names_files || self.castling.is_empty() {
            return Ok(());
        }
        if self.castling.is_standard() && self.impossible_castling().is_empty() {
            return Ok(());
        }
        let field = CastlingField::read(text, self, CastlingMode::Chess960);
        self.castling_mode = CastlingMode::Chess960;
        // What is impossible stays as it was read, so that `legality` can tell why.
        if field.dropped.is_empty() {
            self.castling = field.rights;
            self.castling_mode = field.mode;
        }
        Ok(())
    }

    /// The four position fields of an EPD record, as text.
    #[must_use]
    pub fn fields(&self) -> Fields {
        self.fields_as(CastlingLetters::Usual)
    }

    fn fields_as(&self, letters: CastlingLetters) -> Fields {
        let mut text = [b' '; FIELDS_LEN];
        let mut len = self.write_placement(&mut text) + 1;
        let mut push = |letter: char| {
            text[len] = letter as u8;
            len += 1;
        };
        push(self.turn.to_char());
        push(' ');
        if self.castling.is_empty() {
            push('-');
        }
        for (right, color, rook) in self.castling.rooks() {
            push(match letters {
                CastlingLetters::Usual => right.letter(self.castling_mode),
                CastlingLetters::XFen => self.x_fen_letter(color, rook),
                CastlingLetters::Shredder => right.letter(CastlingMode::Chess960),
            });
        }
        push(' ');
        if let Some(square) = self.en_passant {
            push(square.file().to_char());
            push(square.rank().to_char());
        } else {
            push('-');
        }
        // ASCII is UTF-8, so this cannot fail.
        let mut fields = Fields::from_byte_string(&text).unwrap_or_default();
        fields.truncate(len);
        fields
    }

    /// The letter of the right to castle with this rook in X-FEN.
    fn x_fen_letter(&self, color: Color, rook: Square) -> char {
        CastlingSide::ALL
            .into_iter()
            .find(|&side| self.outermost_rook(color, side) == Some(rook.file()))
            .map_or(CastlingRights::file_letter(color, rook.file()), |side| {
                CastlingRights::standard_letter(color, side)
            })
    }

    /// The FEN with castling letters `KQkq`, and the file of a rook in place of the letter where the
    /// king can castle with another than the outermost rook (X-FEN).
    #[must_use]
    pub fn to_x_fen(&self) -> String {
        self.fen(CastlingLetters::XFen)
    }

    /// The FEN with the files of rooks as castling letters (Shredder-FEN).
    #[must_use]
    pub fn to_shredder_fen(&self) -> String {
        self.fen(CastlingLetters::Shredder)
    }

    fn fen(&self, letters: CastlingLetters) -> String {
        let fields = self.fields_as(letters);
        format!("{fields} {} {}", self.halfmove_clock, self.fullmove_number)
    }

    /// Writes the piece placement field and returns its length.
    fn write_placement(&self, text: &mut [u8; FIELDS_LEN]) -> usize {
        let mut len = 0;
        for (i, rank) in self.board.chunks(8).rev().enumerate() {
            if i > 0 {
                text[len] = b'/';
                len += 1;
            }
            // A run of empty squares overwrites its digit as it grows, so the loop does not branch on
            // the square. Branches would be mispredicted: with them, writing a record takes 0.40 µs
            // instead of 0.13 (`benches/records.rs`).
            let mut empty = 0;
            for piece in rank {
                empty = if piece.is_none() { empty + 1 } else { 0 };
                len += usize::from(empty < 2);
                text[len - 1] =
                    LETTERS[piece.map_or(Piece::ALL.len(), |piece| piece as usize)] + empty;
            }
        }
        len
    }
}

/// Prints the FEN.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen(CastlingLetters::Usual))
    }
}

/// What a byte of the piece placement field stands for.
#[derive(Clone, Copy)]
struct Glyph {
    /// How many squares it describes: one piece, or a run of empty squares.
    squares: u8,
    piece: Option<Piece>,
    ends_rank: bool,
}

/// The glyphs by byte. A byte that cannot occur describes more squares than there are.
static GLYPHS: [Glyph; 256] = {
    let unknown = Glyph {
        squares: Square::COUNT as u8 + 1,
        piece: None,
        ends_rank: false,
    };
    let mut glyphs = [unknown; 256];
    glyphs[b'/' as usize] = Glyph {
        squares: 0,
        piece: None,
        ends_rank: true,
    };
    let mut squares = 1;
    while squares <= 8 {
        glyphs[(b'0' + squares) as usize].squares = squares;
        squares += 1;
    }
    let mut i = 0;
    while i < Piece::ALL.len() {
        let glyph = &mut glyphs[Piece::ALL[i].to_char() as usize];
        glyph.squares = 1;
        glyph.piece = Some(Piece::ALL[i]);
        i += 1;
    }
    glyphs
};

/// Reads the piece placement field onto an empty board.
fn read_placement(
    word: Word<'_>,
    board: &mut [Option<Piece>; Square::COUNT],
) -> Result<(), FenError> {
    // The loop does not branch on the kind of the byte. Branches would be mispredicted: with them here
    // and in `Board::of`, reading a record takes 1.07 µs instead of 0.56 (`benches/records.rs`). A
    // slash clears the square that the next byte fills. The first square is A8, so ranks are flipped.
    let (mut square, mut ranks, mut is_regular) = (Square::A1.index(), 1, true);
    for &byte in word.text.as_bytes() {
        let glyph = GLYPHS[usize::from(byte)];
        if let Some(content) = board.get_mut(square ^ Square::A8.index()) {
            *content = glyph.piece;
        }
        is_regular &= !glyph.ends_rank || square == 8 * ranks;
        ranks += usize::from(glyph.ends_rank);
        square += usize::from(glyph.squares);
    }
    if is_regular && ranks == Rank::ALL.len() && square == Square::COUNT {
        Ok(())
    } else {
        Err(placement_error(word))
    }
}

/// What is wrong with a piece placement field that cannot be read.
#[cold]
fn placement_error(word: Word<'_>) -> FenError {
    let ranks = word.text.split('/').count();
    if ranks != Rank::ALL.len() {
        return word.error(FenErrorKind::RankCount(ranks));
    }
    let mut column = word.column;
    for (text, rank) in word.text.split('/').zip(Rank::ALL.into_iter().rev()) {
        let mut found = 0;
        for (offset, letter) in text.char_indices() {
            found += match letter.to_digit(10) {
                Some(empty @ 1..=8) => empty,
                _ if Piece::from_char(letter).is_some() => 1,
                _ => {
                    return FenError {
                        column: column + offset,
                        kind: FenErrorKind::UnknownPiece(letter),
                    };
                }
            };
        }
        if found != 8 {
            let rank = rank.to_char();
            let kind = FenErrorKind::RankSum { rank, found };
            return FenError { column, kind };
        }
        column += text.len() + 1;
    }
    word.error(FenErrorKind::RankCount(ranks))
}

/// The words of a line, separated by white space, with their columns.
pub fn words(line: &str) -> impl Iterator<Item = Word<'_>> {
    line.split_ascii_whitespace().map(|text| Word {
        text,
        column: text.as_ptr().addr() - line.as_ptr().addr() + 1,
    })
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        Self::read(text, Self::from_fields)
    }
}

impl Setup {
    /// Reads a FEN of a game of standard chess or Chess960. In Chess960 the letters `KQkq` mean the
    /// outermost rook on their side of the king.
    ///
    /// ```
    /// use epode_movegen::{CastlingMode, Setup};
    ///
    /// let fen = "1r3k1r/8/8/8/8/8/8/1R3K1R w KQkq - 0 1";
    /// let setup = Setup::from_fen(fen, CastlingMode::Chess960)?;
    /// assert_eq!(setup.to_string(), "1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1");
    /// assert_eq!(setup.to_x_fen(), fen);
    /// assert!(Setup::from_fen(fen, CastlingMode::Standard)?.legality().is_err());
    /// # Ok::<(), epode_movegen::FenError>(())
    /// ```
    pub fn from_fen(text: &str, mode: CastlingMode) -> Result<Self, FenError> {
        Self::read(text, |fields| Self::from_fields_in(fields, mode))
    }

    /// Reads a FEN and drops castling letters that have no meaning on its board: rights whose king or
    /// rook is not at home (as in odds games), files without a rook, and repeated letters. Also
    /// returns what was dropped, for a message.
    ///
    /// ```
    /// use epode_movegen::Setup;
    ///
    /// let odds = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w KQkq - 0 1";
    /// let (setup, dropped) = Setup::from_fen_lenient(odds)?;
    /// assert_eq!(setup.castling.to_string(), "Kkq");
    /// assert_eq!(
    ///     dropped.unwrap().to_string(),
    ///     "column 47: the castling availability is \"KQkq\", read as \"Kkq\": \
    ///      no king and rook at home for \"Q\""
    /// );
    /// # Ok::<(), epode_movegen::FenError>(())
    /// ```
    pub fn from_fen_lenient(text: &str) -> Result<(Self, Option<DroppedCastling>), FenError> {
        let mut dropped = None;
        let setup = Self::read(text, |mut fields| {
            let castling = fields[2];
            if !CastlingField::is_well_formed(castling.text) {
                return Self::from_fields(fields);
            }
            fields[2].text = "-";
            let mut setup = Self::from_fields(fields)?;
            let read = CastlingField::read(castling.text, &setup, CastlingMode::Standard);
            setup.castling = read.rights;
            setup.castling_mode = read.mode;
            if !read.dropped.is_empty() {
                dropped = Some(DroppedCastling {
                    column: castling.column,
                    found: castling.text.to_owned(),
                    field: read,
                });
            }
            Ok(setup)
        })?;
        Ok((setup, dropped))
    }

    /// Reads a FEN. The caller reads the first four fields.
    fn read(
        text: &str,
        from_fields: impl FnOnce([Word<'_>; 4]) -> Result<Self, FenError>,
    ) -> Result<Self, FenError> {
        let mut words = words(text);
        let end = text.trim_end().len() + 1;
        let mut field = |field| {
            words.next().ok_or(FenError {
                column: end,
                kind: FenErrorKind::Missing(field),
            })
        };
        let mut setup = from_fields([
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
        // Some programs count moves from 0.
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

/// Prints the FEN.
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
    fn errors_have_columns() {
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
                    "the castling availability is {bad:?}, expected \"-\", letters of \"KQkq\", or \
                     files of rooks"
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

    /// Decisions 48 and 120, and missing fields.
    #[test]
    fn variants_are_accepted() {
        let setup: Setup = " r11111k1/8/8/8/8/8/8/4K2R  w  kK - 3"
            .parse()
            .expect("readable");
        assert_eq!(setup.to_string(), "r5k1/8/8/8/8/8/8/4K2R w Kk - 3 1");
        assert_eq!(setup.fields().to_string(), "r5k1/8/8/8/8/8/8/4K2R w Kk -");
    }
}
