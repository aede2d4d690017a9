//! Moves in Standard Algebraic Notation (PGN standard, section 8.2.3; EPD 5.2.2).
//!
//! Written: the letter of the piece, the file, rank or square of departure where another piece of
//! the kind could legally go to the same square (the first of the three that tells them apart),
//! `x` for a capture, the square of arrival, `=` and a letter for a promotion, `+` for check, `#`
//! for mate; `O-O` and `O-O-O`.
//!
//! [`parse`] reads just this. [`mend`] reads what circulates as well, and says what it mended:
//! - missing or surplus `+`, `++`, `#`, and glyphs made of `!` and `?`;
//! - castling with zeros or small letters: `0-0`, `o-o-o`;
//! - promotions as `e8Q`, `e8q`, `e8=q`, `e8(Q)`, `e8/Q`;
//! - a missing or surplus `x` or `-`, or `:` instead of it: `Ne4` for `Nxe4`, `Ng1-f3`;
//! - more of the square of departure than needed: `Ng1f3`, `Rhxh8`;
//! - plain coordinates: `e2e4`, `g8f6`, `e1g1` for castling, `e7e8q`;
//! - the suffixes `ep`, `e.p.`, `ch` and `mate`.
//!
//! Neither guesses: a text that fits two legal moves is an error.

use std::fmt;
use std::ops::Deref;

use arrayvec::ArrayString;

use crate::attacks::{bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks};
use crate::bitboard::Bitboard;
use crate::castling::Wing;
use crate::moves::{Move, MoveKind, MoveList};
use crate::piece::Role;
use crate::position::Position;
use crate::square::{File, Rank, Square};

/// A move as text: at most seven letters, as `Qa1xb2#` or `exd8=Q+`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct San(ArrayString<8>);

impl San {
    /// The text of a legal move.
    #[must_use]
    pub fn of(position: &Position, mv: Move) -> Self {
        let mut text = ArrayString::new();
        let (from, to) = (mv.from(), mv.to());
        let role = position.role_at(from).unwrap_or(Role::Pawn);
        let captures = position.occupied().contains(to) || mv.kind() == MoveKind::EnPassant;
        if mv.kind() == MoveKind::Castle {
            text.push_str(castle_text(Wing::toward(to)));
        } else {
            let (file, rank) = if role == Role::Pawn {
                (captures.then(|| from.file()), None)
            } else {
                text.push(role.to_char());
                disambiguation(position, role, mv)
            };
            if let Some(file) = file {
                text.push(file.to_char());
            }
            if let Some(rank) = rank {
                text.push(rank.to_char());
            }
            if captures {
                text.push('x');
            }
            text.push(to.file().to_char());
            text.push(to.rank().to_char());
            if let Some(role) = mv.promotes_to() {
                text.push('=');
                text.push(role.to_char());
            }
        }
        let mut after = *position;
        after.play_unchecked(mv);
        if after.is_check() {
            text.push(if after.count_moves() == 0 { '#' } else { '+' });
        }
        Self(text)
    }
}

const fn castle_text(wing: Wing) -> &'static str {
    match wing {
        Wing::King => "O-O",
        Wing::Queen => "O-O-O",
    }
}

/// How much of the square of departure the text of a piece's move must hold.
fn disambiguation(position: &Position, role: Role, mv: Move) -> (Option<File>, Option<Rank>) {
    let (from, to) = (mv.from(), mv.to());
    let reached = match role {
        Role::Knight => knight_attacks(to),
        Role::Bishop => bishop_attacks(to, position.occupied()),
        Role::Rook => rook_attacks(to, position.occupied()),
        Role::Queen => queen_attacks(to, position.occupied()),
        Role::Pawn | Role::King => king_attacks(to),
    };
    let rivals: Bitboard = (reached & position.pieces(position.turn(), role))
        .into_iter()
        .filter(|&square| square != from && position.is_legal(Move::normal(square, to)))
        .collect();
    let file = Some(from.file());
    let rank = Some(from.rank());
    if rivals.is_empty() {
        (None, None)
    } else if (rivals & Bitboard::file(from.file())).is_empty() {
        (file, None)
    } else if (rivals & Bitboard::rank(from.rank())).is_empty() {
        (None, rank)
    } else {
        (file, rank)
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
    match mend(position, text)? {
        (mv, mends) if mends.is_empty() => Ok(mv),
        (mv, mends) => Err(SanError::Inexact {
            san: San::of(position, mv),
            mends,
        }),
    }
}

/// Reads the text of a legal move, exact or not.
pub fn mend(position: &Position, text: &str) -> Result<(Move, Mends), SanError> {
    let (pattern, mut mends) = Pattern::read(text)?;
    let legal = position.legal_moves();
    let fitting: MoveList = legal
        .into_iter()
        .filter(|&mv| pattern.fits(position, mv))
        .collect();
    match fitting[..] {
        [] => Err(SanError::Illegal),
        [mv] => {
            let san = San::of(position, mv);
            if *san != *text {
                mends |= pattern.differences(&san);
            }
            Ok((mv, mends))
        }
        [a, b, ..] => Err(SanError::Ambiguous(
            San::of(position, a),
            San::of(position, b),
        )),
    }
}

/// What a text says of a move.
#[derive(Default)]
struct Pattern<'a> {
    castle: Option<Wing>,
    role: Option<Role>,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    captures: bool,
    to: Option<Square>,
    promotes_to: Option<Role>,
    /// `+`, `#` or what else stood for them.
    check: &'a str,
}

impl<'a> Pattern<'a> {
    fn read(text: &'a str) -> Result<(Self, Mends), SanError> {
        let mut mends = Mends::empty();
        let mut pattern = Self::default();
        let mut rest = pattern.read_suffixes(text, &mut mends);

        let wing = match rest.as_bytes() {
            [a, b'-', b] if a == b => Some((Wing::King, *a)),
            [a, b'-', b, b'-', c] if a == b && b == c => Some((Wing::Queen, *a)),
            _ => None,
        };
        if let Some((wing, letter @ (b'O' | b'0' | b'o'))) = wing {
            mends.set(Mends::CASTLING, letter != b'O');
            pattern.castle = Some(wing);
            return Ok((pattern, mends));
        }

        rest = pattern.read_promotion(rest, &mut mends);
        let mut letters = rest.chars().peekable();
        if let Some(role) = letters.peek().copied().and_then(Role::from_char) {
            pattern.role = Some(role);
            mends.set(Mends::DISAMBIGUATION, role == Role::Pawn);
            letters.next();
        }
        // One square, or what is known of one and then another.
        let (mut file, mut rank) = (None, None);
        for letter in letters {
            if let Some(found) = File::from_char(letter) {
                if file.is_some() || rank.is_some() {
                    pattern.depart_from(file.take(), rank.take())?;
                }
                file = Some(found);
            } else if let (Some(found), None) = (Rank::from_char(letter), rank) {
                rank = Some(found);
            } else if letter == 'x' || letter == ':' || letter == '-' {
                mends.set(
                    Mends::CAPTURE_SIGN,
                    mends.contains(Mends::CAPTURE_SIGN) || pattern.captures || letter != 'x',
                );
                pattern.captures |= letter != '-';
                if file.is_some() || rank.is_some() {
                    pattern.depart_from(file.take(), rank.take())?;
                }
            } else {
                return Err(SanError::Syntax);
            }
        }
        let (Some(file), Some(rank)) = (file, rank) else {
            return Err(SanError::Syntax);
        };
        pattern.to = Some(Square::new(file, rank));
        Ok((pattern, mends))
    }

    fn depart_from(&mut self, file: Option<File>, rank: Option<Rank>) -> Result<(), SanError> {
        if self.from_file.is_some() || self.from_rank.is_some() {
            return Err(SanError::Syntax);
        }
        (self.from_file, self.from_rank) = (file, rank);
        Ok(())
    }

    /// Takes signs and suffixes off the end of a text.
    fn read_suffixes(&mut self, text: &'a str, mends: &mut Mends) -> &'a str {
        let unmarked = text.trim_end_matches(['!', '?']);
        mends.set(Mends::GLYPH, unmarked.len() < text.len());
        let mut rest = unmarked;
        for (suffix, mend) in [
            ("mate", Mends::CHECK_SIGN),
            ("ch", Mends::CHECK_SIGN),
            ("++", Mends::CHECK_SIGN),
            ("+", Mends::empty()),
            ("#", Mends::empty()),
            ("e.p.", Mends::EN_PASSANT),
            ("ep", Mends::EN_PASSANT),
        ] {
            if let Some(shorter) = rest.strip_suffix(suffix) {
                *mends |= mend;
                if mend != Mends::EN_PASSANT {
                    mends.set(
                        Mends::CHECK_SIGN,
                        mends.contains(Mends::CHECK_SIGN) || !self.check.is_empty(),
                    );
                    self.check = suffix;
                }
                rest = shorter;
            }
        }
        rest
    }

    /// Takes a promotion off the end of a text.
    fn read_promotion(&mut self, text: &'a str, mends: &mut Mends) -> &'a str {
        let bracketed = text.strip_suffix(')');
        let inner = bracketed.unwrap_or(text);
        let Some(letter) = inner.chars().next_back() else {
            return text;
        };
        let promotion = Role::PROMOTIONS
            .into_iter()
            .find(|role| role.to_char() == letter.to_ascii_uppercase());
        let before = &inner[..inner.len() - letter.len_utf8()];
        let square = before.trim_end_matches(['=', '(', '/']);
        // A small letter b after a rank is a bishop; nothing else ends so.
        if promotion.is_none() || !square.ends_with(['1', '8']) {
            return text;
        }
        self.promotes_to = promotion;
        let exact = bracketed.is_none()
            && letter.is_ascii_uppercase()
            && before.strip_suffix('=') == Some(square);
        mends.set(Mends::PROMOTION, !exact);
        square
    }

    /// Whether a text without a piece letter names both squares.
    fn is_coordinates(&self) -> bool {
        self.role.is_none() && self.from_file.is_some() && self.from_rank.is_some()
    }

    fn fits(&self, position: &Position, mv: Move) -> bool {
        if let Some(wing) = self.castle {
            return mv.kind() == MoveKind::Castle && Wing::toward(mv.to()) == wing;
        }
        let role = position.role_at(mv.from()).unwrap_or(Role::Pawn);
        Some(mv.to()) == self.to
            && mv.promotes_to() == self.promotes_to
            && (role == self.role.unwrap_or(Role::Pawn) || self.is_coordinates())
            && self.from_file.is_none_or(|file| file == mv.from().file())
            && self.from_rank.is_none_or(|rank| rank == mv.from().rank())
            && (mv.kind() != MoveKind::Castle || self.is_coordinates())
    }

    /// What sets the text apart from the exact one, beside what was seen while reading it.
    fn differences(&self, san: &San) -> Mends {
        let mut mends = Mends::empty();
        let sign = san.trim_start_matches(|letter| letter != '+' && letter != '#');
        mends.set(Mends::CHECK_SIGN, sign != self.check);
        if self.castle.is_none() {
            mends.set(Mends::CAPTURE_SIGN, san.contains('x') != self.captures);
            let Ok((exact, _)) = Pattern::read(san) else {
                return mends;
            };
            let squares = |pattern: &Pattern| (pattern.from_file, pattern.from_rank);
            if self.is_coordinates() && exact.role != Some(Role::Pawn) {
                mends |= Mends::COORDINATES;
                mends -= Mends::CAPTURE_SIGN;
            } else {
                mends.set(Mends::DISAMBIGUATION, squares(self) != squares(&exact));
            }
        }
        mends
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
        let promotion = Move::promotion(Square::A7, Square::B8, Role::Queen);
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
