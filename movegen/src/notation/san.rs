//! Moves in Standard Algebraic Notation (PGN standard, section 8.2.3; EPD 5.2.2).
//!
//! [`San::of`] writes the letter of the piece; the file, rank or square of origin if other pieces of
//! the same kind can legally move to the destination (the first of the three that is unambiguous);
//! `x` for a capture; the destination square; `=` and a letter for a promotion; `+` for check or `#`
//! for checkmate. Castling is `O-O` or `O-O-O`.
//!
//! [`parse`] accepts exactly that text. [`parse_lenient`] also accepts common variants and reports
//! how the text deviates:
//! - missing or extra `+`, `++`, `#`, and annotations made of `!` and `?`;
//! - castling with zeros or lower-case letters: `0-0`, `o-o-o`;
//! - promotions such as `e8Q`, `e8q`, `e8=q`, `e8(Q)`, `e8/Q`;
//! - a missing or extra `x` or `-`, or `:` for `x`: `Ne4` for `Nxe4`, `Ng1-f3`;
//! - more of the origin square than needed: `Ng1f3`, `Rhxh8`;
//! - UCI notation: `e2e4`, `g8f6`, `e1g1` for castling, `e7e8q`;
//! - the suffixes `ep`, `e.p.`, `ch` and `mate`, in any order with the check signs.
//!
//! Neither function guesses: a text that fits two legal moves is an error.
//!
//! ```
//! use epode_movegen::san::{self, Deviations};
//! use epode_movegen::{Position, San};
//!
//! let position: Position = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1".parse()?;
//! let castling = san::parse(&position, "O-O")?;
//! assert_eq!(san::parse_lenient(&position, "0-0")?, (castling, Deviations::CASTLING));
//!
//! let (promotion, deviations) = san::parse_lenient(&position, "a8Q")?;
//! assert_eq!(San::of(&position, promotion).as_str(), "a8=Q+");
//! assert_eq!(deviations, Deviations::PROMOTION | Deviations::CHECK_SIGN);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::ops::Deref;

use arrayvec::ArrayString;

use crate::movegen;
use crate::movegen::pattern::MovePattern;
use crate::position::Position;
use crate::position::board::Board;
use crate::types::side::{Side, by_side};
use crate::types::{Bitboard, CastlingSide, File, Move, MoveKind, Promotion, Rank, Role, Square};

/// The SAN text of a legal move, at most seven characters: `Qa1xb2#`, `exd8=Q+`.
///
/// It has no `FromStr`, because a text has a meaning only in a position: see [`parse`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct San(ArrayString<8>);

impl San {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The SAN of a legal move.
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
        Self::write(
            position,
            role,
            mv,
            PartialSquare::disambiguating(role, mv, origins),
        )
    }

    /// The SAN of a legal move with this part of the origin square.
    fn write(position: &Position, role: Role, mv: Move, origin: PartialSquare) -> Self {
        let mut text = ArrayString::new();
        let to = mv.to();
        if mv.kind() == MoveKind::Castle {
            text.push_str(CastlingSide::toward(to).san());
        } else {
            if role != Role::Pawn {
                text.push(role.to_char());
            }
            if let Some(file) = origin.file {
                text.push(file.to_char());
            }
            if let Some(rank) = origin.rank {
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

/// The squares from which the side to move can legally play such a move.
fn origins(position: &Position, pattern: MovePattern) -> Bitboard {
    by_side!(position.turn(), S => pattern.origins::<S>(position.board()))
}

/// The check sign of a legal move of `S`: `+`, `#` or nothing.
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

/// The part of a square that a text names: its file, its rank, both or neither.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct PartialSquare {
    file: Option<File>,
    rank: Option<Rank>,
}

impl PartialSquare {
    /// The part of the origin square that exact SAN has, where pieces of the same kind on `origins` can
    /// legally move to the same square.
    fn disambiguating(role: Role, mv: Move, origins: Bitboard) -> Self {
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

    /// The squares that fit.
    fn squares(self) -> Bitboard {
        self.file.map_or(Bitboard::ALL, Bitboard::file)
            & self.rank.map_or(Bitboard::ALL, Bitboard::rank)
    }

    const fn is_empty(self) -> bool {
        self.file.is_none() && self.rank.is_none()
    }

    /// The square, if both its file and its rank are known.
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
    /// How a text that [`parse_lenient`] accepts deviates from exact SAN.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Deviations: u16 {
        /// A `+` or `#` is missing, wrong or written differently.
        const CHECK_SIGN = 1;
        /// The move is annotated with `!` or `?`.
        const ANNOTATION = 2;
        /// Castling is not written `O-O` or `O-O-O`.
        const CASTLING = 4;
        /// A promotion lacks its `=`, or has a lower-case letter or parentheses.
        const PROMOTION = 8;
        /// An `x` is missing, extra or written differently.
        const CAPTURE_SIGN = 16;
        /// The origin square or the letter `P` is written where it is not needed.
        const DISAMBIGUATION = 32;
        /// The move is in UCI notation.
        const UCI = 64;
        /// A suffix marks an en passant capture.
        const EN_PASSANT = 128;
    }
}

impl fmt::Display for Deviations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, deviation) in self.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            f.write_str(match deviation {
                Self::CHECK_SIGN => "check sign",
                Self::ANNOTATION => "annotation",
                Self::CASTLING => "spelling of castling",
                Self::PROMOTION => "spelling of the promotion",
                Self::CAPTURE_SIGN => "capture sign",
                Self::DISAMBIGUATION => "extra origin square",
                Self::UCI => "UCI notation",
                _ => "en passant suffix",
            })?;
        }
        Ok(())
    }
}

/// A text is not the SAN of a legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SanError {
    /// The text does not have the form of a move.
    #[error("not a move")]
    Syntax,
    /// The text fits no legal move.
    #[error("not a legal move here")]
    Illegal,
    /// The text fits several legal moves, of which these are two.
    #[error("ambiguous: {0} or {1}")]
    Ambiguous(San, San),
    /// The text fits one legal move but is not its exact SAN. Only [`parse`] returns this error.
    #[error("inexact: expected {san} ({deviations})")]
    Inexact {
        /// The exact SAN.
        san: San,
        /// How the text deviates from it.
        deviations: Deviations,
    },
}

/// Reads the exact SAN of a legal move.
pub fn parse(position: &Position, text: &str) -> Result<Move, SanError> {
    match read(position, text)? {
        (mv, _, deviations) if deviations.is_empty() => Ok(mv),
        (_, san, deviations) => Err(SanError::Inexact { san, deviations }),
    }
}

/// Reads the SAN of a legal move or a common variant, and returns how the text deviates.
pub fn parse_lenient(position: &Position, text: &str) -> Result<(Move, Deviations), SanError> {
    let (mv, _, deviations) = read(position, text)?;
    Ok((mv, deviations))
}

/// The move that a text names, its exact SAN, and how the text deviates from it.
fn read(position: &Position, text: &str) -> Result<(Move, San, Deviations), SanError> {
    let (parsed, mut deviations) = ParsedSan::read(text)?;
    let (role, mv, origin) = parsed.find(position)?;
    let san = San::write(position, role, mv, origin);
    if *san != *text {
        deviations |= parsed.differences(&san, origin);
    }
    Ok((mv, san, deviations))
}

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
struct ParsedSan {
    castle: Option<CastlingSide>,
    role: Option<Role>,
    from: PartialSquare,
    captures: bool,
    to: Option<Square>,
    promotes_to: Option<Promotion>,
    /// The check sign, or the suffix in its place.
    check: &'static str,
}

impl ParsedSan {
    /// Reads a text. Moves are ASCII, so bytes can be read as characters.
    fn read(text: &str) -> Result<(Self, Deviations), SanError> {
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

    /// Whether the text has no piece letter but a complete origin square.
    const fn is_uci(&self) -> bool {
        self.role.is_none() && self.from.file.is_some() && self.from.rank.is_some()
    }

    /// The only legal move that fits, the role of its piece, and the part of the origin square in its
    /// exact SAN.
    fn find(&self, position: &Position) -> Result<(Role, Move, PartialSquare), SanError> {
        if let Some(side) = self.side(position) {
            let us = position.turn();
            let mv = Move::castle(position.king(us), side.king_to(us));
            return if position.is_legal(mv) {
                Ok((Role::King, mv, PartialSquare::default()))
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
        let origin = PartialSquare::disambiguating(pattern.role, mv, origins);
        Ok((pattern.role, mv, origin))
    }

    /// The side of a castling move, written as castling, as the king's move from the e-file, or as the
    /// king that takes its own rook.
    fn side(&self, position: &Position) -> Option<CastlingSide> {
        let us = position.turn();
        let king = position.king(us);
        let by_squares =
            self.is_uci() && self.from.square() == Some(king) && self.promotes_to.is_none();
        let is_home = king == Square::E1.relative_to(us);
        self.castle.or_else(|| {
            CastlingSide::ALL.into_iter().find(|&side| {
                by_squares
                    && (is_home && self.to == Some(side.king_to(us))
                        || self.to.is_some() && self.to == position.castling_rook(us, side))
            })
        })
    }

    /// The role of the piece that moves. For UCI notation, the piece on the origin square.
    fn role_on(&self, position: &Position) -> Option<Role> {
        if self.is_uci() {
            position.role_at(self.from.square()?)
        } else {
            Some(self.role.unwrap_or(Role::Pawn))
        }
    }

    /// The deviations from exact SAN that show only in comparison with it.
    fn differences(&self, san: &San, origin: PartialSquare) -> Deviations {
        let mut deviations = Deviations::empty();
        let sign = san.find(['+', '#']).map_or("", |at| &san[at..]);
        deviations.set(Deviations::CHECK_SIGN, sign != self.check);
        if self.is_uci() {
            deviations |= Deviations::UCI;
        } else if self.castle.is_none() {
            deviations.set(Deviations::CAPTURE_SIGN, san.contains('x') != self.captures);
            deviations.set(Deviations::DISAMBIGUATION, self.from != origin);
        }
        deviations
    }
}

/// The error for several moves that fit.
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
    fn check(position: &Position, text: &str, san: &str, expected: Deviations) {
        let (mv, deviations) =
            parse_lenient(position, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(
            (&*San::of(position, mv), deviations),
            (san, expected),
            "{text}"
        );
        match parse(position, text) {
            Ok(_) => assert!(expected.is_empty(), "{text}"),
            Err(error) => assert_eq!(
                error,
                SanError::Inexact {
                    san: San::of(position, mv),
                    deviations: expected
                },
                "{text}"
            ),
        }
    }

    #[test]
    fn exact_san() {
        // By file, else by rank, else by both. A pinned knight makes no move ambiguous.
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
    fn common_variants_are_read() {
        let start = Position::start();
        check(&start, "e4", "e4", Deviations::empty());
        check(&start, "e4!?", "e4", Deviations::ANNOTATION);
        check(&start, "e4+", "e4", Deviations::CHECK_SIGN);
        check(&start, "e2e4", "e4", Deviations::UCI);
        check(&start, "g1f3", "Nf3", Deviations::UCI);
        check(&start, "Ng1f3", "Nf3", Deviations::DISAMBIGUATION);
        check(
            &start,
            "Ng1-f3",
            "Nf3",
            Deviations::DISAMBIGUATION | Deviations::CAPTURE_SIGN,
        );
        check(&start, "Nxf3", "Nf3", Deviations::CAPTURE_SIGN);
        check(&start, "Pe4", "e4", Deviations::DISAMBIGUATION);

        let open = position("1n2k3/P7/8/3pP3/8/8/8/R3K2R w KQ d6 0 1");
        check(&open, "exd6", "exd6", Deviations::empty());
        check(&open, "exd6ep", "exd6", Deviations::EN_PASSANT);
        check(&open, "exd6e.p.", "exd6", Deviations::EN_PASSANT);
        check(&open, "ed6", "exd6", Deviations::CAPTURE_SIGN);
        check(&open, "e5d6", "exd6", Deviations::UCI);
        for text in ["0-0", "o-o"] {
            check(&open, text, "O-O", Deviations::CASTLING);
        }
        check(&open, "0-0-0", "O-O-O", Deviations::CASTLING);
        check(&open, "e1g1", "O-O", Deviations::UCI);
        for text in ["a8Q", "a8q", "a8=q", "a8(Q)", "a8/Q", "a8(q)"] {
            check(&open, text, "a8=Q", Deviations::PROMOTION);
        }
        check(&open, "axb8=Q", "axb8=Q+", Deviations::CHECK_SIGN);
        check(&open, "axb8B", "axb8=B", Deviations::PROMOTION);
        check(
            &open,
            "a7b8q",
            "axb8=Q+",
            Deviations::PROMOTION | Deviations::UCI | Deviations::CHECK_SIGN,
        );
        for text in ["Rh8+", "Rh8ch", "Rh8++"] {
            let expected = if text == "Rh8+" {
                Deviations::empty()
            } else {
                Deviations::CHECK_SIGN
            };
            check(&open, text, "Rh8+", expected);
        }
        check(
            &open,
            "Rh1h8",
            "Rh8+",
            Deviations::DISAMBIGUATION | Deviations::CHECK_SIGN,
        );
    }

    #[test]
    fn ambiguous_and_other_texts_are_errors() {
        let two = position("4k3/8/8/8/8/4K3/8/R6R w - - 0 1");
        assert!(matches!(
            parse_lenient(&two, "Rd1"),
            Err(SanError::Ambiguous(..))
        ));
        let promotion = position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(parse_lenient(&promotion, "a8"), Err(SanError::Illegal));
        assert_eq!(parse_lenient(&promotion, "Kg1"), Err(SanError::Illegal));
        for text in [
            "", "e", "4", "Bcx3", "e2e4e5", "Q", "=Q", "a8=", "é4", "O-O-O-O", "--", "x", "e44",
            "♔e2",
        ] {
            assert_eq!(
                parse_lenient(&promotion, text),
                Err(SanError::Syntax),
                "{text}"
            );
        }
    }
}
