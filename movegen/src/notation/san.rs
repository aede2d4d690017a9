//! Moves in Standard Algebraic Notation (PGN standard, section 8.2.3; EPD 5.2.2).
//!
//! Written: the letter of the piece, the file, rank or square of departure where another piece of
//! the kind could legally go to the same square (the first of the three that tells them apart),
//! `x` for a capture, the destination square, `=` and a letter for a promotion, `+` for check, `#`
//! for mate; `O-O` and `O-O-O`.
//!
//! [`parse`] reads just this. [`mend`] reads what circulates as well, and says what it mended:
//! - missing or surplus `+`, `++`, `#`, and glyphs made of `!` and `?`;
//! - castling with zeros or small letters: `0-0`, `o-o-o`;
//! - promotions as `e8Q`, `e8q`, `e8=q`, `e8(Q)`, `e8/Q`;
//! - a missing or surplus `x` or `-`, or `:` instead of it: `Ne4` for `Nxe4`, `Ng1-f3`;
//! - more of the square of departure than needed: `Ng1f3`, `Rhxh8`;
//! - plain coordinates: `e2e4`, `g8f6`, `e1g1` for castling, `e7e8q`;
//! - the suffixes `ep`, `e.p.`, `ch` and `mate`, in any order with the signs.
//!
//! Neither guesses: a text that fits two legal moves is an error.

use std::fmt;
use std::ops::Deref;

use arrayvec::ArrayString;

use crate::movegen;
use crate::movegen::pattern::MovePattern;
use crate::position::Position;
use crate::position::board::Board;
use crate::types::side::{Side, by_side};
use crate::types::{Bitboard, CastlingSide, File, Move, MoveKind, Promotion, Rank, Role, Square};

/// A move as text: at most seven letters, as `Qa1xb2#` or `exd8=Q+`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct San(ArrayString<8>);

impl San {
    /// The text of a legal move.
    #[must_use]
    pub fn of(position: &Position, mv: Move) -> Self {
        let role = position.role_at(mv.from()).unwrap_or(Role::Pawn);
        let origins = if matches!(role, Role::Pawn | Role::King) {
            Bitboard::of(mv.from())
        } else {
            let pattern = MovePattern {
                role,
                to: mv.to(),
                promotes_to: None,
            };
            origins(position, pattern)
        };
        Self::write(position, role, mv, Departure::written(role, mv, origins))
    }

    /// The text of a legal move that is to say so much of the square of departure.
    fn write(position: &Position, role: Role, mv: Move, departure: Departure) -> Self {
        let mut text = ArrayString::new();
        let to = mv.to();
        if mv.kind() == MoveKind::Castle {
            text.push_str(match CastlingSide::toward(to) {
                CastlingSide::King => "O-O",
                CastlingSide::Queen => "O-O-O",
            });
        } else {
            if role != Role::Pawn {
                text.push(role.to_char());
            }
            if let Some(file) = departure.file {
                text.push(file.to_char());
            }
            if let Some(rank) = departure.rank {
                text.push(rank.to_char());
            }
            if position.occupied().contains(to) || mv.kind() == MoveKind::EnPassant {
                text.push('x');
            }
            text.push(to.file().to_char());
            text.push(to.rank().to_char());
            if let Some(role) = mv.promotes_to() {
                text.push('=');
                text.push(role.to_char());
            }
        }
        text.push_str(by_side!(position.turn(), S => check_sign::<S>(position.board(), mv)));
        Self(text)
    }
}

/// The squares from which pieces of the side to move can legally arrive so.
fn origins(position: &Position, pattern: MovePattern) -> Bitboard {
    by_side!(position.turn(), S => pattern.origins::<S>(position.board()))
}

/// What follows a legal move of `S` that gives check.
fn check_sign<S: Side>(board: &Board, mv: Move) -> &'static str {
    let mut after = *board;
    after.play::<S>(mv);
    let king = after.king(S::Other::COLOR);
    let checkers = after.attackers(king, after.occupied()) & after.color(S::COLOR);
    if checkers.is_empty() {
        ""
    } else if movegen::count::<S::Other>(&after) == 0 {
        "#"
    } else {
        "+"
    }
}

/// How much of the square of departure a text holds.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Departure {
    file: Option<File>,
    rank: Option<Rank>,
}

impl Departure {
    /// What the exact text of a move holds, given the squares from which pieces of its kind can
    /// go to the same square.
    fn written(role: Role, mv: Move, origins: Bitboard) -> Self {
        let (from, to) = (mv.from(), mv.to());
        let rivals = origins & !Bitboard::of(from);
        let (file, rank) = (Some(from.file()), Some(from.rank()));
        let captures = from.file() != to.file();
        if role == Role::Pawn && captures {
            Self { file, rank: None }
        } else if role == Role::Pawn || rivals.is_empty() {
            Self::default()
        } else if (rivals & Bitboard::file(from.file())).is_empty() {
            Self { file, rank: None }
        } else if (rivals & Bitboard::rank(from.rank())).is_empty() {
            Self { file: None, rank }
        } else {
            Self { file, rank }
        }
    }

    /// The squares of which a text may speak.
    fn squares(self) -> Bitboard {
        self.file.map_or(Bitboard::ALL, Bitboard::file)
            & self.rank.map_or(Bitboard::ALL, Bitboard::rank)
    }

    const fn is_empty(self) -> bool {
        self.file.is_none() && self.rank.is_none()
    }

    /// The square of which a text tells both file and rank.
    fn square(self) -> Option<Square> {
        Some(Square::new(self.file?, self.rank?))
    }
}

impl Deref for San {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

bitflags::bitflags! {
    /// What [`mend`] had to put right.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Mends: u16 {
        /// A `+` or `#` was missing, wrong or of another shape.
        const CHECK_SIGN = 1;
        /// `!` or `?` marked the move.
        const GLYPH = 2;
        /// Castling was not spelt `O-O` or `O-O-O`.
        const CASTLING = 4;
        /// A promotion lacked its `=` or had a small letter or brackets.
        const PROMOTION = 8;
        /// An `x` was missing, surplus or of another shape.
        const CAPTURE_SIGN = 16;
        /// More of the square of departure, or of the piece, was written than needed.
        const DISAMBIGUATION = 32;
        /// The move was written as coordinates.
        const COORDINATES = 64;
        /// A suffix told of an en passant capture.
        const EN_PASSANT = 128;
    }
}

impl fmt::Display for Mends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, mend) in self.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            f.write_str(match mend {
                Self::CHECK_SIGN => "check sign",
                Self::GLYPH => "glyph",
                Self::CASTLING => "spelling of castling",
                Self::PROMOTION => "spelling of the promotion",
                Self::CAPTURE_SIGN => "capture sign",
                Self::DISAMBIGUATION => "surplus square of departure",
                Self::COORDINATES => "coordinates",
                _ => "en passant suffix",
            })?;
        }
        Ok(())
    }
}

/// A text is not the SAN of a legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SanError {
    /// It has not the shape of a move.
    #[error("not a move")]
    Syntax,
    /// No legal move fits it.
    #[error("not a legal move here")]
    Illegal,
    /// Several legal moves fit it; here are two.
    #[error("ambiguous: {0} or {1}")]
    Ambiguous(San, San),
    /// It fits one legal move but is not how that move is written.
    #[error("inexact: expected {san} ({mends})")]
    Inexact {
        /// The exact text.
        san: San,
        /// What sets it apart from the text.
        mends: Mends,
    },
}

/// Reads the exact text of a legal move.
pub fn parse(position: &Position, text: &str) -> Result<Move, SanError> {
    match read(position, text)? {
        (mv, _, mends) if mends.is_empty() => Ok(mv),
        (_, san, mends) => Err(SanError::Inexact { san, mends }),
    }
}

/// Reads the text of a legal move, exact or not.
pub fn mend(position: &Position, text: &str) -> Result<(Move, Mends), SanError> {
    let (mv, _, mends) = read(position, text)?;
    Ok((mv, mends))
}

/// The move of a text, its exact text, and what sets the two texts apart.
fn read(position: &Position, text: &str) -> Result<(Move, San, Mends), SanError> {
    let (parsed, mut mends) = ParsedSan::read(text)?;
    let (role, mv, departure) = parsed.find(position)?;
    let san = San::write(position, role, mv, departure);
    if *san != *text {
        mends |= parsed.differences(&san, departure);
    }
    Ok((mv, san, mends))
}

/// What may follow a move, and what it is if not exact. Of two that fit, the first is meant.
const SUFFIXES: [(&str, Mends); 7] = [
    ("mate", Mends::CHECK_SIGN),
    ("ch", Mends::CHECK_SIGN),
    ("++", Mends::CHECK_SIGN),
    ("+", Mends::empty()),
    ("#", Mends::empty()),
    ("e.p.", Mends::EN_PASSANT),
    ("ep", Mends::EN_PASSANT),
];

/// What a text says of a move.
#[derive(Default)]
struct ParsedSan {
    castle: Option<CastlingSide>,
    role: Option<Role>,
    from: Departure,
    captures: bool,
    to: Option<Square>,
    promotes_to: Option<Promotion>,
    /// `+`, `#` or what else stood for them.
    check: &'static str,
}

impl ParsedSan {
    // Whatever is not ASCII is no part of a move, so that bytes serve as letters.
    fn read(text: &str) -> Result<(Self, Mends), SanError> {
        let mut mends = Mends::empty();
        let mut parsed = Self::default();
        let mut rest = parsed.read_suffixes(text.as_bytes(), &mut mends);

        let side = match rest {
            [a, b'-', b] if a == b => Some((CastlingSide::King, *a)),
            [a, b'-', b, b'-', c] if a == b && b == c => Some((CastlingSide::Queen, *a)),
            _ => None,
        };
        if let Some((side, letter @ (b'O' | b'0' | b'o'))) = side {
            mends.set(Mends::CASTLING, letter != b'O');
            parsed.castle = Some(side);
            return Ok((parsed, mends));
        }

        rest = parsed.read_promotion(rest, &mut mends);
        if let [letter, after @ ..] = rest {
            parsed.role = Role::from_char(char::from(*letter));
            if let Some(role) = parsed.role {
                mends.set(Mends::DISAMBIGUATION, role == Role::Pawn);
                rest = after;
            }
        }
        parsed.read_squares(rest, &mut mends)?;
        Ok((parsed, mends))
    }

    /// Reads one square, or what is known of one and then another.
    fn read_squares(&mut self, text: &[u8], mends: &mut Mends) -> Result<(), SanError> {
        let mut last = Departure::default();
        for letter in text.iter().copied().map(char::from) {
            if let Some(file) = File::from_char(letter) {
                self.depart_from(&mut last)?;
                last.file = Some(file);
            } else if let (Some(rank), None) = (Rank::from_char(letter), last.rank) {
                last.rank = Some(rank);
            } else if matches!(letter, 'x' | ':' | '-') {
                if self.captures || letter != 'x' {
                    *mends |= Mends::CAPTURE_SIGN;
                }
                self.captures |= letter != '-';
                self.depart_from(&mut last)?;
            } else {
                return Err(SanError::Syntax);
            }
        }
        self.to = Some(last.square().ok_or(SanError::Syntax)?);
        Ok(())
    }

    /// Takes what was read of a square, if anything was, for the square of departure.
    fn depart_from(&mut self, read: &mut Departure) -> Result<(), SanError> {
        if read.is_empty() {
            return Ok(());
        }
        if !self.from.is_empty() {
            return Err(SanError::Syntax);
        }
        self.from = std::mem::take(read);
        Ok(())
    }

    /// Takes signs and suffixes off the end of a text, each kind once.
    fn read_suffixes<'a>(&mut self, text: &'a [u8], mends: &mut Mends) -> &'a [u8] {
        let mut rest = text;
        while let [shorter @ .., b'!' | b'?'] = rest {
            *mends |= Mends::GLYPH;
            rest = shorter;
        }
        let mut taken = [false; SUFFIXES.len()];
        // Most texts end with a square and need no search.
        while !matches!(rest, [.., b'1'..=b'8'])
            && let Some(i) =
                (0..SUFFIXES.len()).find(|&i| !taken[i] && rest.ends_with(SUFFIXES[i].0.as_bytes()))
        {
            let (suffix, mend) = SUFFIXES[i];
            taken[i] = true;
            rest = &rest[..rest.len() - suffix.len()];
            *mends |= mend;
            if mend != Mends::EN_PASSANT {
                if !self.check.is_empty() {
                    *mends |= Mends::CHECK_SIGN;
                }
                self.check = suffix;
            }
        }
        rest
    }

    /// Takes a promotion off the end of a text.
    fn read_promotion<'a>(&mut self, text: &'a [u8], mends: &mut Mends) -> &'a [u8] {
        let bracketed = text.strip_suffix(b")");
        let Some((&letter, before)) = bracketed.unwrap_or(text).split_last() else {
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
        // A small letter b after a rank is a bishop; nothing else ends so.
        if promotion.is_none() || !matches!(square, [.., b'1' | b'8']) {
            return text;
        }
        self.promotes_to = promotion;
        let exact = bracketed.is_none()
            && letter.is_ascii_uppercase()
            && before.strip_suffix(b"=") == Some(square);
        mends.set(Mends::PROMOTION, !exact);
        square
    }

    /// Whether a text without a piece letter names both squares.
    const fn is_coordinates(&self) -> bool {
        self.role.is_none() && self.from.file.is_some() && self.from.rank.is_some()
    }

    /// The one legal move that fits, the role of its piece, and what its exact text holds of the
    /// square of departure.
    fn find(&self, position: &Position) -> Result<(Role, Move, Departure), SanError> {
        if let Some(side) = self.side(position) {
            let us = position.turn();
            let mv = Move::castle(Square::E1.relative_to(us), side.king_to(us));
            return if position.is_legal(mv) {
                Ok((Role::King, mv, Departure::default()))
            } else {
                Err(SanError::Illegal)
            };
        }
        let pattern = MovePattern {
            role: self.role_on(position).ok_or(SanError::Illegal)?,
            to: self.to.ok_or(SanError::Syntax)?,
            promotes_to: self.promotes_to,
        };
        let origins = origins(position, pattern);
        let fitting = origins & self.from.squares();
        let from = fitting.first().ok_or(SanError::Illegal)?;
        if fitting.many() {
            return Err(ambiguous(position, pattern, fitting));
        }
        let mv = pattern.move_from(position.board(), from);
        let departure = Departure::written(pattern.role, mv, origins);
        Ok((pattern.role, mv, departure))
    }

    /// The side of a castling move, spelt as such or as the king's squares.
    fn side(&self, position: &Position) -> Option<CastlingSide> {
        let us = position.turn();
        let home = Square::E1.relative_to(us);
        let by_squares = self.is_coordinates()
            && self.from.square() == Some(home)
            && position.king(us) == home
            && self.promotes_to.is_none();
        self.castle.or_else(|| {
            CastlingSide::ALL
                .into_iter()
                .find(|side| by_squares && self.to == Some(side.king_to(us)))
        })
    }

    /// The role of the piece that is to move; coordinates leave that to the board.
    fn role_on(&self, position: &Position) -> Option<Role> {
        if self.is_coordinates() {
            position.role_at(self.from.square()?)
        } else {
            Some(self.role.unwrap_or(Role::Pawn))
        }
    }

    /// What sets the text apart from the exact one, beside what was seen while reading it.
    fn differences(&self, san: &San, departure: Departure) -> Mends {
        let mut mends = Mends::empty();
        let sign = san.find(['+', '#']).map_or("", |at| &san[at..]);
        mends.set(Mends::CHECK_SIGN, sign != self.check);
        if self.is_coordinates() {
            mends |= Mends::COORDINATES;
        } else if self.castle.is_none() {
            mends.set(Mends::CAPTURE_SIGN, san.contains('x') != self.captures);
            mends.set(Mends::DISAMBIGUATION, self.from != departure);
        }
        mends
    }
}

/// Tells of the first two of several moves that fit.
fn ambiguous(position: &Position, pattern: MovePattern, fitting: Bitboard) -> SanError {
    let mut texts = position
        .legal_moves()
        .into_iter()
        .filter(|mv| {
            fitting.contains(mv.from())
                && mv.to() == pattern.to
                && mv.promotes_to() == pattern.promotes_to.map(Role::from)
        })
        .map(|mv| San::of(position, mv));
    match (texts.next(), texts.next()) {
        (Some(a), Some(b)) => SanError::Ambiguous(a, b),
        _ => SanError::Illegal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().expect(fen)
    }

    #[track_caller]
    fn mends(position: &Position, text: &str, san: &str, expected: Mends) {
        let (mv, mends) = mend(position, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((&*San::of(position, mv), mends), (san, expected), "{text}");
        match parse(position, text) {
            Ok(_) => assert!(expected.is_empty(), "{text}"),
            Err(error) => assert_eq!(
                error,
                SanError::Inexact {
                    san: San::of(position, mv),
                    mends: expected
                },
                "{text}"
            ),
        }
    }

    #[test]
    fn written_as_the_standard_says() {
        // Files first, then ranks, then both; a pinned knight needs no telling apart.
        for (fen, from, to, san) in [
            (
                "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
                Square::A1,
                Square::B1,
                "Rb1",
            ),
            (
                "4k3/8/8/8/8/4K3/8/R6R w - - 0 1",
                Square::A1,
                Square::D1,
                "Rad1",
            ),
            (
                "4k3/8/8/R7/8/4K3/8/R7 w - - 0 1",
                Square::A1,
                Square::A3,
                "R1a3",
            ),
            (
                "6k1/8/8/8/Q6Q/8/8/K6Q w - - 0 1",
                Square::H4,
                Square::E4,
                "Qh4e4",
            ),
            (
                "6k1/8/8/8/Q6Q/8/8/K3Q3 w - - 0 1",
                Square::E1,
                Square::E4,
                "Qee4",
            ),
            (
                "6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1",
                Square::H4,
                Square::E1,
                "Qh4e1",
            ),
            (
                "4k3/8/4r3/8/8/4N3/8/1N2K3 w - - 0 1",
                Square::B1,
                Square::D2,
                "Nd2",
            ),
            (
                "4k3/4r3/8/8/8/4N3/8/N3K3 w - - 0 1",
                Square::A1,
                Square::C2,
                "Nc2",
            ),
            (
                "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
                Square::E1,
                Square::E2,
                "Ke2",
            ),
        ] {
            assert_eq!(&*San::of(&position(fen), Move::normal(from, to)), san);
        }
        let mate = position("6k1/R7/1R6/8/8/8/8/6K1 w - - 0 1");
        assert_eq!(
            &*San::of(&mate, Move::normal(Square::B6, Square::B8)),
            "Rb8#"
        );
        let both = position("1n2k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1");
        let promotion = Move::promotion(Square::A7, Square::B8, Promotion::Queen);
        assert_eq!(&*San::of(&both, promotion), "axb8=Q+");
        assert_eq!(
            &*San::of(&both, Move::castle(Square::E1, Square::C1)),
            "O-O-O"
        );
    }

    #[test]
    fn mended_and_told() {
        let start = Position::start();
        mends(&start, "e4", "e4", Mends::empty());
        mends(&start, "e4!?", "e4", Mends::GLYPH);
        mends(&start, "e4+", "e4", Mends::CHECK_SIGN);
        mends(&start, "e2e4", "e4", Mends::COORDINATES);
        mends(&start, "g1f3", "Nf3", Mends::COORDINATES);
        mends(&start, "Ng1f3", "Nf3", Mends::DISAMBIGUATION);
        mends(
            &start,
            "Ng1-f3",
            "Nf3",
            Mends::DISAMBIGUATION | Mends::CAPTURE_SIGN,
        );
        mends(&start, "Nxf3", "Nf3", Mends::CAPTURE_SIGN);
        mends(&start, "Pe4", "e4", Mends::DISAMBIGUATION);

        let open = position("1n2k3/P7/8/3pP3/8/8/8/R3K2R w KQ d6 0 1");
        mends(&open, "exd6", "exd6", Mends::empty());
        mends(&open, "exd6ep", "exd6", Mends::EN_PASSANT);
        mends(&open, "exd6e.p.", "exd6", Mends::EN_PASSANT);
        mends(&open, "ed6", "exd6", Mends::CAPTURE_SIGN);
        mends(&open, "e5d6", "exd6", Mends::COORDINATES);
        for text in ["0-0", "o-o"] {
            mends(&open, text, "O-O", Mends::CASTLING);
        }
        mends(&open, "0-0-0", "O-O-O", Mends::CASTLING);
        mends(&open, "e1g1", "O-O", Mends::COORDINATES);
        for text in ["a8Q", "a8q", "a8=q", "a8(Q)", "a8/Q", "a8(q)"] {
            mends(&open, text, "a8=Q", Mends::PROMOTION);
        }
        mends(&open, "axb8=Q", "axb8=Q+", Mends::CHECK_SIGN);
        mends(&open, "axb8B", "axb8=B", Mends::PROMOTION);
        mends(
            &open,
            "a7b8q",
            "axb8=Q+",
            Mends::PROMOTION | Mends::COORDINATES | Mends::CHECK_SIGN,
        );
        for text in ["Rh8+", "Rh8ch", "Rh8++"] {
            let expected = if text == "Rh8+" {
                Mends::empty()
            } else {
                Mends::CHECK_SIGN
            };
            mends(&open, text, "Rh8+", expected);
        }
        mends(
            &open,
            "Rh1h8",
            "Rh8+",
            Mends::DISAMBIGUATION | Mends::CHECK_SIGN,
        );
    }

    #[test]
    fn no_guess() {
        let two = position("4k3/8/8/8/8/4K3/8/R6R w - - 0 1");
        assert!(matches!(mend(&two, "Rd1"), Err(SanError::Ambiguous(..))));
        let promotion = position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(mend(&promotion, "a8"), Err(SanError::Illegal));
        assert_eq!(mend(&promotion, "Kg1"), Err(SanError::Illegal));
        for text in [
            "", "e", "4", "Bcx3", "e2e4e5", "Q", "=Q", "a8=", "é4", "O-O-O-O", "--", "x", "e44",
            "♔e2",
        ] {
            assert_eq!(mend(&promotion, text), Err(SanError::Syntax), "{text}");
        }
    }
}
