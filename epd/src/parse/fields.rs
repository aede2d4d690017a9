//! The four fields of the position, and what stands in their place.

use movegen::{
    CastlingField, CastlingRights, FenErrorKind, Field, Rank, Setup, SetupFaults, Square, Word,
};
use smol_str::SmolStr;

use super::cursor::Parser;
use crate::chars::BYTE_ORDER_MARK;
use crate::parse::deviation::Deviation;
use crate::parse::error::{ReadError, ReadErrorKind};
use crate::parse::location::Span;

const FIELDS: [Field; 4] = [
    Field::Placement,
    Field::Turn,
    Field::Castling,
    Field::EnPassant,
];

/// The placement of the dialect that ends with a solidus and leaves out the empty squares at the
/// end of a rank, as the standard writes it.
fn close_placement(text: &str) -> Option<String> {
    let ranks: Vec<_> = text.strip_suffix('/')?.split('/').collect();
    let closed = ranks.into_iter().map(|rank| {
        let squares: u32 = rank
            .chars()
            .map(|letter| letter.to_digit(10).unwrap_or(1))
            .sum();
        match 8u32.checked_sub(squares) {
            Some(missing @ 1..) => format!("{rank}{missing}"),
            _ => rank.to_owned(),
        }
    });
    Some(closed.collect::<Vec<_>>().join("/"))
}

const fn span_of(word: Word<'_>) -> Span {
    let start = word.column - 1;
    Span::new(start, start + word.text.len())
}

impl<'a> Parser<'a, '_> {
    /// Reads the position; a castling field of another chess is returned as its text.
    pub(super) fn position(&mut self) -> Result<(Setup, Option<SmolStr>), ReadError> {
        if self.line.starts_with(BYTE_ORDER_MARK) {
            self.at = BYTE_ORDER_MARK.len_utf8();
            self.repair(self.since(0), Deviation::ByteOrderMark, "");
        }
        let begin = self.at;
        if self.space() > 0 {
            self.repair(self.since(begin), Deviation::SurplusSpace, "");
        }
        let mut fields = self.fields()?;
        if let Some(locations) = &mut self.locations {
            locations.fields = fields.map(span_of);
        }
        self.surplus_dash();
        let [placement, turn, castling, en_passant] = fields;

        let closed = close_placement(placement.text);
        if let Some(closed) = &closed {
            self.repair(
                span_of(placement),
                Deviation::OpenPlacement,
                closed.as_str(),
            );
            fields[0].text = closed;
        }
        let small = [turn, en_passant].map(|field| self.small_letters(field));
        if let Some(turn) = &small[0] {
            fields[1].text = turn;
        }
        if let Some(square) = &small[1] {
            fields[3].text = square;
        }
        let is_usual = castling.text == "-"
            || castling.text.bytes().is_sorted_by(|one, next| one < next)
                && castling
                    .text
                    .bytes()
                    .all(|letter| b"KQkq".contains(&letter));
        let by_board = !is_usual && CastlingField::is_well_formed(castling.text);
        if by_board {
            fields[2].text = "-";
        }

        let setup = Setup::from_fields(fields);
        let mut setup = setup.map_err(|error| {
            let mut error = ReadError::position(error, self.line);
            // A placement that was closed has other columns than the line.
            if closed.is_some() && error.span.start < span_of(turn).start {
                error.span = span_of(placement);
            }
            error
        })?;
        let foreign = if by_board || !setup.impossible_castling().is_empty() {
            self.castling(castling, &mut setup)
        } else {
            None
        };
        if setup.en_passant.is_some() {
            self.en_passant(span_of(en_passant), &mut setup);
        }
        Ok((setup, foreign))
    }

    /// Cuts the line into the four fields. What is no field is an operation, and the fields that are
    /// missing are empty.
    fn fields(&mut self) -> Result<[Word<'a>; 4], ReadError> {
        let mut fields = [Word {
            text: "",
            column: 0,
        }; 4];
        for (field, kind) in fields.iter_mut().zip(FIELDS) {
            let (before, seen) = (self.at, self.repairs.len());
            if kind != Field::Placement {
                self.separator();
            }
            *field = Word {
                column: self.at + 1,
                text: self.word(),
            };
            let missing = match kind {
                Field::EnPassant => field.text.is_empty() || self.is_opcode(field.text),
                Field::Castling => self.is_opcode(field.text),
                _ => false,
            };
            if missing {
                self.repairs.truncate(seen);
                self.at = before;
                self.repair(self.since(before), Deviation::MissingField, "-");
                *field = Word {
                    text: "-",
                    column: before + 1,
                };
            } else if field.text.is_empty() {
                let end = self.end();
                return Err(ReadError {
                    span: Span::new(end, end),
                    kind: ReadErrorKind::Position(FenErrorKind::Missing(kind)),
                });
            }
        }
        // A halfmove clock glued to the dash is read again as a word of its own.
        if let Some(glued @ 1..) = fields[3].text.strip_prefix('-').map(str::len) {
            self.at -= glued;
            fields[3].text = "-";
        }
        Ok(fields)
    }

    fn surplus_dash(&mut self) {
        let (word, span) = self.next_word();
        if word == "-" && span.start > self.at {
            self.at = span.end;
            self.repair(span, Deviation::SurplusDash, "");
        }
    }

    /// The side to move or the en passant square in small letters, where it has a capital one.
    fn small_letters(&mut self, field: Word<'_>) -> Option<String> {
        let capital = match field.text.as_bytes() {
            [turn] => matches!(turn, b'W' | b'B'),
            [file, _] => matches!(file, b'A'..=b'H'),
            _ => false,
        };
        capital.then(|| {
            let small = field.text.to_ascii_lowercase();
            self.repair(span_of(field), Deviation::CapitalLetter, small.as_str());
            small
        })
    }

    /// Takes what a castling field means on the board. The field is returned if it is one of another
    /// chess (decision 122).
    fn castling(&mut self, field: Word<'_>, setup: &mut Setup) -> Option<SmolStr> {
        let span = span_of(field);
        setup.castling = CastlingRights::empty();
        let CastlingField {
            rights,
            chess960: foreign,
            dropped,
            ..
        } = CastlingField::read(field.text, setup);
        let foreign = (!foreign.is_empty()).then(|| SmolStr::new(foreign));
        let usual = |letter| matches!(letter, 'K' | 'Q' | 'k' | 'q');
        let twice = |letter| field.text.matches(letter).count() > 1;
        let deviation = if dropped.is_empty() {
            if field.text.chars().all(usual) {
                Deviation::CastlingOrder
            } else {
                Deviation::CastlingFiles
            }
        } else if dropped
            .chars()
            .all(|letter| usual(letter) && !twice(letter))
        {
            Deviation::ImpossibleCastling
        } else {
            Deviation::CastlingJunk
        };
        match &foreign {
            None => {
                setup.castling = rights;
                self.repair(span, deviation, rights.to_string());
            }
            Some(kept) => {
                if !dropped.is_empty() {
                    self.repair(span, deviation, kept.clone());
                }
                self.keep(span, Deviation::ForeignCastling);
            }
        }
        foreign
    }

    /// Takes the pawn's square for the one that it skipped, and leaves out what cannot be.
    fn en_passant(&mut self, field: Span, setup: &mut Setup) {
        let impossible = |setup: &Setup| {
            setup
                .legality()
                .is_err_and(|illegal| illegal.faults().contains(SetupFaults::EN_PASSANT))
        };
        let (Some(square), true) = (setup.en_passant, impossible(setup)) else {
            return;
        };
        let skipped = match square.rank() {
            Rank::R4 => Rank::R3,
            Rank::R5 => Rank::R6,
            rank => rank,
        };
        let skipped = Square::new(square.file(), skipped);
        setup.en_passant = Some(skipped);
        if impossible(setup) {
            setup.en_passant = None;
            self.repair(field, Deviation::ImpossibleEnPassant, "-");
        } else {
            self.repair(field, Deviation::PawnSquare, skipped.to_string());
        }
    }
}
