//! Reads the four fields of the position, and what real files have in their place.

use movegen::{CastlingField, FenErrorKind, Field, Rank, Setup, SetupFaults, Square, Word};

use super::cursor::Parser;
use super::error::{ReadError, ReadErrorKind};
use super::location::Span;
use super::repair::RepairKind;
use crate::chars::BYTE_ORDER_MARK;

const FIELDS: [Field; 4] = [
    Field::Placement,
    Field::Turn,
    Field::Castling,
    Field::EnPassant,
];

/// Rewrites a placement that ends with a slash, and that may leave out empty squares at the end of a
/// rank. `None` if it does not end with a slash.
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

/// Whether castling letters are as in the standard: `-`, or some of `KQkq` in this order.
fn is_standard_castling(text: &str) -> bool {
    let is_sorted = text.bytes().is_sorted_by(|one, next| one < next);
    text == "-" || is_sorted && text.bytes().all(|letter| b"KQkq".contains(&letter))
}

const fn span_of(word: Word<'_>) -> Span {
    let start = word.column - 1;
    Span::new(start, start + word.text.len())
}

impl<'a> Parser<'a, '_> {
    /// Reads the position fields.
    pub(super) fn setup(&mut self) -> Result<Setup, ReadError> {
        self.line_start();
        let original = self.fields()?;
        if let Some(locations) = &mut self.locations {
            locations.fields = original.map(span_of);
        }
        self.surplus_dash();
        let [placement, turn, castling, en_passant] = original;

        let mut fields = original;
        let closed = self.open_placement(placement);
        if let Some(closed) = &closed {
            fields[0].text = closed;
        }
        let small = [turn, en_passant].map(|field| self.small_letters(field));
        if let Some(turn) = &small[0] {
            fields[1].text = turn;
        }
        if let Some(square) = &small[1] {
            fields[3].text = square;
        }
        // Castling letters that are not as in the standard are read with the board at hand.
        let by_board =
            !is_standard_castling(castling.text) && CastlingField::is_well_formed(castling.text);
        if by_board {
            fields[2].text = "-";
        }

        let setup = Setup::from_fields(fields);
        let mut setup = setup.map_err(|error| {
            let mut error = ReadError::position(error, self.line);
            // The columns of a repaired placement are not those of the line.
            if closed.is_some() && error.span.start < span_of(turn).start {
                error.span = span_of(placement);
            }
            error
        })?;
        if by_board || !setup.impossible_castling().is_empty() {
            self.castling(castling, &mut setup);
        }
        if setup.en_passant.is_some() {
            self.en_passant(span_of(en_passant), &mut setup);
        }
        Ok(setup)
    }

    /// Skips a byte order mark and white space before the position.
    fn line_start(&mut self) {
        if self.line.starts_with(BYTE_ORDER_MARK) {
            self.at = BYTE_ORDER_MARK.len_utf8();
            self.repair(self.since(0), RepairKind::ByteOrderMark, "");
        }
        let begin = self.at;
        if self.space() > 0 {
            self.repair(self.since(begin), RepairKind::SurplusSpace, "");
        }
    }

    /// The repaired placement, if it ends with a slash.
    fn open_placement(&mut self, field: Word<'_>) -> Option<String> {
        let closed = close_placement(field.text)?;
        self.repair(span_of(field), RepairKind::OpenPlacement, closed.as_str());
        Some(closed)
    }

    /// Splits off the four fields. A missing castling or en passant field is taken as `-`; the word in
    /// its place is an operation.
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
                self.repair(self.since(before), RepairKind::MissingField, "-");
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
        // A halfmove clock right after the dash is read again as a word of its own.
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
            self.repair(span, RepairKind::SurplusDash, "");
        }
    }

    /// The side to move or the en passant square in small letters, if it has a capital letter.
    fn small_letters(&mut self, field: Word<'_>) -> Option<String> {
        let capital = match field.text.as_bytes() {
            [turn] => matches!(turn, b'W' | b'B'),
            [file, _] => matches!(file, b'A'..=b'H'),
            _ => false,
        };
        capital.then(|| {
            let small = field.text.to_ascii_lowercase();
            self.repair(span_of(field), RepairKind::CapitalLetter, small.as_str());
            small
        })
    }

    /// Reads castling letters by the kings and rooks on the board (decision 122).
    fn castling(&mut self, field: Word<'_>, setup: &mut Setup) {
        let read = CastlingField::read(field.text, setup, self.castling_mode);
        setup.castling = read.rights;
        setup.castling_mode = read.mode;
        let fields = setup.fields();
        let normal = fields.split(' ').nth(2).unwrap_or("-");
        if normal == field.text {
            return;
        }
        let is_standard = |letter| matches!(letter, 'K' | 'Q' | 'k' | 'q');
        let twice = |letter| field.text.matches(letter).count() > 1;
        let mut dropped = read.dropped.chars();
        let kind = if read.dropped.is_empty() {
            if field.text.len() == normal.len()
                && field.text.chars().all(|letter| normal.contains(letter))
            {
                RepairKind::CastlingOrder
            } else {
                RepairKind::CastlingFiles
            }
        } else if dropped.all(|letter| is_standard(letter) && !twice(letter)) {
            match CastlingField::in_chess960(field.text, setup) {
                Some(_) => RepairKind::Chess960Castling,
                None => RepairKind::ImpossibleCastling,
            }
        } else {
            RepairKind::CastlingJunk
        };
        self.repair(span_of(field), kind, normal);
    }

    /// Replaces the square of the pawn by the square that it skipped, and removes an impossible square.
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
            self.repair(field, RepairKind::ImpossibleEnPassant, "-");
        } else {
            self.repair(field, RepairKind::PawnSquare, skipped.to_string());
        }
    }
}
