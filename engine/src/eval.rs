//! What a position is worth without searching: material, piece-square values, mobility, pawn
//! structure and the king's safety, each for the middlegame and the endgame and blended by the
//! material that is left (<https://www.chessprogramming.org/Tapered_Eval>).
//!
//! All numbers are centipawns from the point of view of the side they are counted for.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use movegen::attacks::{bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks};
use movegen::{Bitboard, Color, File, Position, Rank, Role, Square};

use crate::score::Score;

/// A number for the middlegame and one for the endgame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tapered(i32, i32);

impl Add for Tapered {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }
}

impl Sub for Tapered {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0, self.1 - other.1)
    }
}

impl Neg for Tapered {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;
    fn mul(self, times: i32) -> Self {
        Self(self.0 * times, self.1 * times)
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

const fn t(middlegame: i32, endgame: i32) -> Tapered {
    Tapered(middlegame, endgame)
}

/// From pawn to king.
const MATERIAL: [Tapered; 6] = [
    t(88, 108),
    t(325, 300),
    t(340, 322),
    t(470, 545),
    t(980, 1005),
    t(0, 0),
];

/// How much of the middlegame a piece stands for; all pieces together make 24.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 24;

/// What a role gains from standing on a rank, as its side counts ranks.
#[rustfmt::skip]
const RANKS: [[Tapered; 8]; 6] = [
    [t(0, 0), t(-2, 4), t(0, 0), t(8, 2), t(16, 10), t(24, 26), t(48, 52), t(0, 0)],
    [t(-26, -20), t(-10, -8), t(4, 2), t(12, 10), t(18, 12), t(16, 4), t(2, -6), t(-24, -20)],
    [t(-8, -8), t(4, -2), t(7, 3), t(7, 5), t(6, 6), t(4, 4), t(-3, 0), t(-12, -4)],
    [t(0, -4), t(-6, -4), t(-5, -2), t(-3, 2), t(2, 5), t(8, 7), t(18, 12), t(10, 10)],
    [t(-4, -18), t(3, -10), t(3, 0), t(1, 10), t(0, 16), t(2, 16), t(2, 12), t(4, 6)],
    [t(14, -28), t(-6, -8), t(-34, 5), t(-50, 14), t(-58, 20), t(-54, 22), t(-50, 10), t(-50, -12)],
];

/// What a role gains from standing on a file, from the edge to the centre.
#[rustfmt::skip]
const FILES: [[Tapered; 4]; 6] = [
    [t(-8, 2), t(-2, 2), t(1, -1), t(8, -3)],
    [t(-22, -16), t(-7, -5), t(4, 3), t(10, 8)],
    [t(-4, -5), t(3, 0), t(2, 2), t(4, 4)],
    [t(-4, 0), t(-1, 0), t(4, 0), t(7, -1)],
    [t(-3, -10), t(0, -3), t(1, 3), t(2, 8)],
    [t(18, -18), t(22, -5), t(-6, 6), t(-14, 12)],
];

/// What one more square of mobility is worth, and the number of squares taken for normal.
const MOBILITY: [(Tapered, i32); 6] = [
    (t(0, 0), 0),
    (t(5, 5), 4),
    (t(5, 5), 6),
    (t(2, 5), 7),
    (t(1, 4), 13),
    (t(0, 0), 0),
];

const BISHOP_PAIR: Tapered = t(28, 48);
const ROOK_ON_OPEN_FILE: Tapered = t(26, 10);
const ROOK_ON_HALF_OPEN_FILE: Tapered = t(12, 8);
const DOUBLED_PAWN: Tapered = t(-8, -20);
const ISOLATED_PAWN: Tapered = t(-10, -12);
const BACKWARD_PAWN: Tapered = t(-7, -8);
const SUPPORTED_PAWN: Tapered = t(8, 6);
/// A pawn that can capture a pawn: tension opens the game for whoever brings it about.
const PAWN_LEVER: Tapered = t(9, 4);
/// By rank, as the pawn's side counts.
const PASSED_PAWN: [Tapered; 8] = [
    t(0, 0),
    t(2, 8),
    t(4, 14),
    t(8, 28),
    t(24, 52),
    t(52, 90),
    t(84, 140),
    t(0, 0),
];
/// For each step by which the enemy king is farther from the square before a passed pawn than the
/// own king, on the upper ranks.
const PASSED_PAWN_KING_DISTANCE: Tapered = t(0, 6);
const BLOCKED_PASSED_PAWN: Tapered = t(-8, -16);
const MINOR_BEHIND_PAWN: Tapered = t(6, 2);
const KNIGHT_OUTPOST: Tapered = t(22, 12);
const PAWN_THREAT: Tapered = t(44, 34);
const HANGING_PIECE: Tapered = t(18, 14);
/// A pawn of the king's shelter, one and two steps before it, on each of the three files.
const SHELTER: [Tapered; 2] = [t(15, 0), t(8, 0)];
const OPEN_FILE_AT_KING: Tapered = t(-18, 0);
/// What each attacked square near the king weighs, by the attacker's role.
const KING_ATTACK_WEIGHT: [i32; 6] = [0, 6, 5, 8, 11, 0];
/// The danger grows with the square of all weights, divided by this, up to a limit.
const KING_ATTACK_DIVISOR: i32 = 22;
const KING_ATTACK_LIMIT: i32 = 420;
const TEMPO: i32 = 14;

/// The files beside a file.
fn neighbours(file: File) -> Bitboard {
    let index = file as usize;
    let mut files = Bitboard::EMPTY;
    if index > 0 {
        files |= Bitboard::file(File::ALL[index - 1]);
    }
    if index < 7 {
        files |= Bitboard::file(File::ALL[index + 1]);
    }
    files
}

/// The ranks before a rank, as `color` goes.
fn ahead(color: Color, rank: Rank) -> Bitboard {
    let rank = rank as u32;
    match color {
        Color::White => Bitboard((!0u64).checked_shl(8 * (rank + 1)).unwrap_or(0)),
        Color::Black => Bitboard((1u64 << (8 * rank)) - 1),
    }
}

fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    files.max((a.rank() as i32 - b.rank() as i32).abs())
}

/// The squares that a side's pawns attack.
fn attacked_by_pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let east = Bitboard(pawns.0 & !Bitboard::file(File::H).0);
    let west = Bitboard(pawns.0 & !Bitboard::file(File::A).0);
    match color {
        Color::White => Bitboard(east.0 << 9 | west.0 << 7),
        Color::Black => Bitboard(east.0 >> 7 | west.0 >> 9),
    }
}

/// What both sides' terms have in common.
struct Facts<'a> {
    position: &'a Position,
    occupied: Bitboard,
    pawns: [Bitboard; 2],
    pawn_attacks: [Bitboard; 2],
    /// The squares around each king, and those before them.
    king_zone: [Bitboard; 2],
}

impl<'a> Facts<'a> {
    fn new(position: &'a Position) -> Self {
        let pawns = Color::ALL.map(|color| position.pieces(color, Role::Pawn));
        Self {
            position,
            occupied: position.occupied(),
            pawns,
            pawn_attacks: Color::ALL.map(|color| attacked_by_pawns(color, pawns[color as usize])),
            king_zone: Color::ALL.map(|color| {
                let king = position.king(color);
                let ring = king_attacks(king) | Bitboard::of(king);
                ring | match color {
                    Color::White => Bitboard(ring.0 << 8),
                    Color::Black => Bitboard(ring.0 >> 8),
                }
            }),
        }
    }

    /// Everything that speaks for one side.
    #[inline(always)]
    fn side(&self, us: Color) -> Tapered {
        let mut total = self.pieces(us) + self.pawn_structure(us) + self.shelter(us);
        let attacked = self.position.color(!us) & !self.pawns[!us as usize];
        total += PAWN_THREAT * (attacked & self.pawn_attacks[us as usize]).len() as i32;
        total
    }

    #[inline(always)]
    fn pieces(&self, us: Color) -> Tapered {
        let position = self.position;
        let them = !us;
        let mut total = t(0, 0);
        let mut king_attack = 0;
        let mut attackers = 0;
        let ours = position.color(us);
        let free = !(ours & (self.pawns[us as usize] | position.role(Role::King)))
            & !self.pawn_attacks[them as usize];

        for role in Role::ALL {
            for square in position.pieces(us, role) {
                let rank = square.rank().relative_to(us) as usize;
                let file = square.file() as usize;
                total += MATERIAL[role as usize]
                    + RANKS[role as usize][rank]
                    + FILES[role as usize][file.min(7 - file)];
                let reached = match role {
                    Role::Knight => knight_attacks(square),
                    Role::Bishop => {
                        bishop_attacks(square, self.occupied ^ position.pieces(us, Role::Queen))
                    }
                    Role::Rook => rook_attacks(
                        square,
                        self.occupied ^ (position.orthogonal_sliders() & ours),
                    ),
                    Role::Queen => queen_attacks(square, self.occupied),
                    Role::Pawn | Role::King => continue,
                };
                let (each, normal) = MOBILITY[role as usize];
                total += each * ((reached & free).len() as i32 - normal);
                let near_king = (reached & self.king_zone[them as usize]).len() as i32;
                if near_king > 0 {
                    attackers += 1;
                    king_attack += near_king * KING_ATTACK_WEIGHT[role as usize];
                }
                total += self.place(us, role, square);
            }
        }
        if position.pieces(us, Role::Bishop).many() {
            total += BISHOP_PAIR;
        }
        // One attacker alone is no attack, and neither is one without the queen.
        if attackers > 1 && position.pieces(us, Role::Queen).any() {
            let danger = (king_attack * king_attack / KING_ATTACK_DIVISOR).min(KING_ATTACK_LIMIT);
            total += t(danger, danger / 8);
        }
        total
    }

    /// What a piece gains from the pawns around it.
    #[inline(always)]
    fn place(&self, us: Color, role: Role, square: Square) -> Tapered {
        let (own, other) = (self.pawns[us as usize], self.pawns[!us as usize]);
        let file = Bitboard::file(square.file());
        match role {
            Role::Rook if (file & (own | other)).is_empty() => ROOK_ON_OPEN_FILE,
            Role::Rook if (file & own).is_empty() => ROOK_ON_HALF_OPEN_FILE,
            Role::Knight | Role::Bishop => {
                let mut total = t(0, 0);
                let front = ahead(us, square.rank());
                let next = pawn_push(us, Bitboard::of(square));
                if (next & (own | other)).any() {
                    total += MINOR_BEHIND_PAWN;
                }
                let supported = self.pawn_attacks[us as usize].contains(square);
                let chased = (front & neighbours(square.file()) & other).any();
                if role == Role::Knight
                    && supported
                    && !chased
                    && square.rank().relative_to(us) >= Rank::R4
                {
                    total += KNIGHT_OUTPOST;
                }
                if !supported && self.pawn_attacks[!us as usize].contains(square) {
                    total -= HANGING_PIECE;
                }
                total
            }
            _ => t(0, 0),
        }
    }

    #[inline(always)]
    fn pawn_structure(&self, us: Color) -> Tapered {
        let (own, other) = (self.pawns[us as usize], self.pawns[!us as usize]);
        let mut total = t(0, 0);
        for square in own {
            let file = Bitboard::file(square.file());
            let beside = neighbours(square.file());
            let front = ahead(us, square.rank());
            let before = pawn_push(us, Bitboard::of(square));
            if (own & file & front).any() {
                total += DOUBLED_PAWN;
            }
            if self.pawn_attacks[us as usize].contains(square) {
                total += SUPPORTED_PAWN;
            } else if (own & beside).is_empty() {
                total += ISOLATED_PAWN;
            } else if (own & beside & !front).is_empty()
                && (self.pawn_attacks[!us as usize] & before).any()
            {
                total += BACKWARD_PAWN;
            }
            if (movegen::attacks::pawn_attacks(us, square) & other).any() {
                total += PAWN_LEVER;
            }
            if (other & front & (file | beside)).is_empty() && (own & file & front).is_empty() {
                total += self.passed_pawn(us, square, before);
            }
        }
        total
    }

    #[inline(always)]
    fn passed_pawn(&self, us: Color, square: Square, before: Bitboard) -> Tapered {
        let rank = square.rank().relative_to(us);
        let mut total = PASSED_PAWN[rank as usize];
        if (self.occupied & before).any() {
            total += BLOCKED_PASSED_PAWN;
        }
        if let (true, Some(stop)) = (rank >= Rank::R4, before.first()) {
            let theirs = distance(self.position.king(!us), stop);
            let ours = distance(self.position.king(us), stop);
            total += PASSED_PAWN_KING_DISTANCE * ((theirs - ours) * (rank as i32 - 2));
        }
        total
    }

    #[inline(always)]
    fn shelter(&self, us: Color) -> Tapered {
        let king = self.position.king(us);
        let files = neighbours(king.file()) | Bitboard::file(king.file());
        let near = pawn_push(us, files & Bitboard::rank(king.rank()));
        let far = pawn_push(us, near);
        let own = self.pawns[us as usize];
        let open = (files & Bitboard::rank(Rank::R1) & !on_first_rank(own)).len() as i32;
        SHELTER[0] * (own & near).len() as i32
            + SHELTER[1] * (own & far).len() as i32
            + OPEN_FILE_AT_KING * open
    }
}

/// The files of a set, as squares of the first rank.
fn on_first_rank(set: Bitboard) -> Bitboard {
    let mut files = set.0 | set.0 >> 32;
    files |= files >> 16;
    files |= files >> 8;
    Bitboard(files) & Bitboard::rank(Rank::R1)
}

/// The squares one step before a side's pawns.
fn pawn_push(us: Color, pawns: Bitboard) -> Bitboard {
    match us {
        Color::White => Bitboard(pawns.0 << 8),
        Color::Black => Bitboard(pawns.0 >> 8),
    }
}

/// The worth of a position for the side to move.
pub(crate) fn evaluate(position: &Position) -> Score {
    let facts = Facts::new(position);
    let us = position.turn();
    // By name and not by turn, so that each side is compiled for itself.
    let white = facts.side(Color::White) - facts.side(Color::Black);
    let Tapered(middlegame, endgame) = if us == Color::White { white } else { -white };
    let phase: i32 = Role::ALL
        .into_iter()
        .map(|role| position.role(role).len() as i32 * PHASE[role as usize])
        .sum::<i32>()
        .min(FULL_PHASE);
    let mut blended = (middlegame * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE;
    if !can_win(position, if blended > 0 { us } else { !us }) {
        blended /= 8;
    }
    Score::ordinary(blended + TEMPO)
}

/// Whether a side has more than a lone minor piece without pawns.
fn can_win(position: &Position, color: Color) -> bool {
    let pieces = position.color(color);
    let minors = pieces & (position.role(Role::Knight) | position.role(Role::Bishop));
    (pieces & (position.role(Role::Pawn) | position.orthogonal_sliders())).any() || minors.len() > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use movegen::Piece;
    use movegen::attacks::pawn_attacks;

    fn mirrored(position: &Position) -> Position {
        let mut setup = position.setup();
        let board = setup.board;
        for square in Square::all() {
            setup.board[square.flip_rank().index()] =
                board[square.index()].map(|piece| Piece::new(!piece.color(), piece.role()));
        }
        setup.turn = !setup.turn;
        setup.castling = movegen::CastlingRights::empty();
        setup.en_passant = None;
        Position::from_setup(&setup).expect("a mirrored position is legal")
    }

    #[test]
    fn both_colours_see_the_same() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
        ] {
            let position: Position = fen.parse().expect(fen);
            assert_eq!(evaluate(&position), evaluate(&mirrored(&position)), "{fen}");
        }
    }

    #[test]
    fn the_start_is_level_and_a_queen_is_not() {
        assert_eq!(evaluate(&Position::start()), Score::ordinary(TEMPO));
        let queen_up: Position = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
            .parse()
            .expect("legal");
        assert!(evaluate(&queen_up) > Score::ordinary(800));
    }

    #[test]
    fn pawn_attacks_of_a_set_are_those_of_its_pawns() {
        for color in Color::ALL {
            for square in Square::all() {
                assert_eq!(
                    attacked_by_pawns(color, Bitboard::of(square)),
                    pawn_attacks(color, square)
                );
            }
        }
    }
}
