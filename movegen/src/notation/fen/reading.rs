//! Reads the fields of a FEN, strictly or leniently.

use std::str::FromStr;

use super::error::{FenError, FenErrorKind, Field, PositionError};
use super::placement::read_placement;
use super::word::{Word, words};
use crate::notation::castling_field::{CastlingField, DroppedCastling};
use crate::position::Position;
use crate::position::setup::Setup;
use crate::types::{CastlingMode, Color, ParseError};

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

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        Self::read(text, Self::from_fields)
    }
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        Ok(Self::from_setup(&text.parse::<Setup>()?)?)
    }
}
