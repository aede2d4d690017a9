//! What a text says of a move, read letter by letter. The position plays no part yet.

use super::deviations::Deviations;
use super::error::SanError;
use super::origin::PartialSquare;
use crate::types::{CastlingSide, File, Promotion, Rank, Role, Square};

/// The suffixes of a move, each with its deviation if it has one. The first that fits counts.
const SUFFIXES: [(&str, Deviations); 7] = [
    ("mate", Deviations::CHECK_SIGN),
    ("ch", Deviations::CHECK_SIGN),
    ("++", Deviations::CHECK_SIGN),
    ("+", Deviations::empty()),
    ("#", Deviations::empty()),
    ("e.p.", Deviations::EN_PASSANT),
    ("ep", Deviations::EN_PASSANT),
];

/// A move as a text describes it, before a position is consulted.
#[derive(Default)]
pub(super) struct ParsedSan {
    pub(super) castle: Option<CastlingSide>,
    pub(super) role: Option<Role>,
    pub(super) from: PartialSquare,
    pub(super) captures: bool,
    pub(super) to: Option<Square>,
    pub(super) promotes_to: Option<Promotion>,
    /// The check sign, or the suffix in its place.
    pub(super) check: &'static str,
}

impl ParsedSan {
    /// Reads a text. Moves are ASCII, so bytes can be read as characters.
    pub(super) fn read(text: &str) -> Result<(Self, Deviations), SanError> {
        let mut deviations = Deviations::empty();
        let mut parsed = Self::default();
        let mut rest = parsed.read_suffixes(text.as_bytes(), &mut deviations);

        let side = match rest {
            [a, b'-', b] if a == b => Some((CastlingSide::King, *a)),
            [a, b'-', b, b'-', c] if a == b && b == c => Some((CastlingSide::Queen, *a)),
            _ => None,
        };
        if let Some((side, letter @ (b'O' | b'0' | b'o'))) = side {
            deviations.set(Deviations::CASTLING, letter != b'O');
            parsed.castle = Some(side);
            return Ok((parsed, deviations));
        }

        rest = parsed.read_promotion(rest, &mut deviations);
        if let [letter, after @ ..] = rest {
            parsed.role = Role::from_char(char::from(*letter));
            if let Some(role) = parsed.role {
                deviations.set(Deviations::DISAMBIGUATION, role == Role::Pawn);
                rest = after;
            }
        }
        parsed.read_squares(rest, &mut deviations)?;
        Ok((parsed, deviations))
    }

    /// Reads the destination square, and before it the origin square or a part of it.
    fn read_squares(&mut self, text: &[u8], deviations: &mut Deviations) -> Result<(), SanError> {
        let mut last = PartialSquare::default();
        for letter in text.iter().copied().map(char::from) {
            if let Some(file) = File::from_char(letter) {
                self.set_origin(&mut last)?;
                last.file = Some(file);
            } else if let (Some(rank), None) = (Rank::from_char(letter), last.rank) {
                last.rank = Some(rank);
            } else if matches!(letter, 'x' | ':' | '-') {
                if self.captures || letter != 'x' {
                    *deviations |= Deviations::CAPTURE_SIGN;
                }
                self.captures |= letter != '-';
                self.set_origin(&mut last)?;
            } else {
                return Err(SanError::Syntax);
            }
        }
        self.to = Some(last.square().ok_or(SanError::Syntax)?);
        Ok(())
    }

    /// Makes what was read so far, if anything, the origin square.
    fn set_origin(&mut self, read: &mut PartialSquare) -> Result<(), SanError> {
        if read.is_empty() {
            return Ok(());
        }
        if !self.from.is_empty() {
            return Err(SanError::Syntax);
        }
        self.from = std::mem::take(read);
        Ok(())
    }

    /// Removes annotations, check signs and suffixes from the end of a text, each suffix once.
    fn read_suffixes<'a>(&mut self, text: &'a [u8], deviations: &mut Deviations) -> &'a [u8] {
        let mut rest = text;
        while let [shorter @ .., b'!' | b'?'] = rest {
            *deviations |= Deviations::ANNOTATION;
            rest = shorter;
        }
        let mut taken = [false; SUFFIXES.len()];
        // Most texts end with a square.
        while !matches!(rest, [.., b'1'..=b'8'])
            && let Some(i) =
                (0..SUFFIXES.len()).find(|&i| !taken[i] && rest.ends_with(SUFFIXES[i].0.as_bytes()))
        {
            let (suffix, deviation) = SUFFIXES[i];
            taken[i] = true;
            rest = &rest[..rest.len() - suffix.len()];
            *deviations |= deviation;
            if deviation != Deviations::EN_PASSANT {
                if !self.check.is_empty() {
                    *deviations |= Deviations::CHECK_SIGN;
                }
                self.check = suffix;
            }
        }
        rest
    }

    /// Removes a promotion from the end of a text.
    fn read_promotion<'a>(&mut self, text: &'a [u8], deviations: &mut Deviations) -> &'a [u8] {
        let parenthesized = text.strip_suffix(b")");
        let Some((&letter, before)) = parenthesized.unwrap_or(text).split_last() else {
            return text;
        };
        let capital = char::from(letter.to_ascii_uppercase());
        let promotion = Promotion::ALL
            .into_iter()
            .find(|promotion| promotion.role().to_char() == capital);
        let mut square = before;
        while let [shorter @ .., b'=' | b'(' | b'/'] = square {
            square = shorter;
        }
        // A lower-case `b` after a rank can only be a bishop.
        if promotion.is_none() || !matches!(square, [.., b'1' | b'8']) {
            return text;
        }
        self.promotes_to = promotion;
        let exact = parenthesized.is_none()
            && letter.is_ascii_uppercase()
            && before.strip_suffix(b"=") == Some(square);
        deviations.set(Deviations::PROMOTION, !exact);
        square
    }
}
