//! What counts in a position, each term where it is found. What it is worth stands in `weights`.

use movegen::attacks::{bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks};
use movegen::{Bitboard, Color, File, Position, Rank, Role, Square};

use super::tally::Tally;
#[allow(clippy::wildcard_imports, reason = "a dictionary")]
use super::weights::*;

/// The files beside a file.
fn neighbours(file: File) -> Bitboard {
    let file = Bitboard::file(file).0;
    Bitboard((file & !FILE_H) << 1 | (file & !FILE_A) >> 1)
}

const FILE_A: u64 = Bitboard::file(File::A).0;
const FILE_H: u64 = Bitboard::file(File::H).0;

/// The ranks before a rank, as `color` goes.
fn ahead(color: Color, rank: Rank) -> Bitboard {
    match color {
        Color::White => Bitboard((!0xFF) << (8 * rank as u32)),
        Color::Black => Bitboard((1 << (8 * rank as u32)) - 1),
    }
}

/// The squares that a side's pawns attack: those attacked at all, and those attacked twice.
fn attacked_by_pawns(color: Color, pawns: Bitboard) -> (Bitboard, Bitboard) {
    let (east, west) = (pawns.0 & !FILE_H, pawns.0 & !FILE_A);
    let (east, west) = match color {
        Color::White => (east << 9, west << 7),
        Color::Black => (east >> 7, west >> 9),
    };
    (Bitboard(east | west), Bitboard(east & west))
}

/// The squares one step before a side's pieces.
fn push(color: Color, set: Bitboard) -> Bitboard {
    match color {
        Color::White => Bitboard(set.0 << 8),
        Color::Black => Bitboard(set.0 >> 8),
    }
}

/// The ranks from one to another, as `color` counts them.
fn ranks(color: Color, from: u32, to: u32) -> Bitboard {
    let set = (!0 << (8 * from)) & (!0 >> (8 * (7 - to)));
    Bitboard(match color {
        Color::White => set,
        Color::Black => u64::swap_bytes(set),
    })
}

/// How two sides stand against each other: everything that more than one term asks for.
pub(super) struct Terms<'a> {
    position: &'a Position,
    occupied: Bitboard,
    pawns: [Bitboard; 2],
    /// The squares around each king, three of the next rank with them.
    ring: [Bitboard; 2],
    /// The squares that each side attacks, by role.
    by: [[Bitboard; 6]; 2],
    /// ... at all,
    attacked: [Bitboard; 2],
    /// ... and twice.
    twice: [Bitboard; 2],
    /// The pieces of each side that reach the ring of the other king.
    attackers: [i32; 2],
}

impl<'a> Terms<'a> {
    pub fn new(position: &'a Position) -> Self {
        let mut terms = Self {
            position,
            occupied: position.occupied(),
            pawns: Color::ALL.map(|color| position.pieces(color, Role::Pawn)),
            ring: [Bitboard::EMPTY; 2],
            by: [[Bitboard::EMPTY; 6]; 2],
            attacked: [Bitboard::EMPTY; 2],
            twice: [Bitboard::EMPTY; 2],
            attackers: [0; 2],
        };
        for us in Color::ALL {
            let side = us as usize;
            let king = king_attacks(position.king(us));
            let (pawns, pawns_twice) = attacked_by_pawns(us, terms.pawns[side]);
            terms.ring[side] = king | push(us, king);
            terms.by[side][Role::Pawn as usize] = pawns;
            terms.by[side][Role::King as usize] = king;
            terms.attacked[side] = pawns | king;
            terms.twice[side] = pawns_twice | pawns & king;
        }
        terms
    }

    /// Counts what speaks for each side, and what endangers the king of the other.
    #[inline(always)]
    pub fn count<T: Tally>(mut self, sums: &mut [T; 2], dangers: &mut [T; 2]) {
        let ([white, black], [white_danger, black_danger]) = (sums, dangers);
        // By name and in this order: the later terms need the attacks of both sides.
        self.pieces(Color::White, white, white_danger);
        self.pieces(Color::Black, black, black_danger);
        self.rest(Color::White, white, white_danger);
        self.rest(Color::Black, black, black_danger);
    }

    #[inline(always)]
    fn rest<T: Tally>(&self, us: Color, sum: &mut T, danger: &mut T) {
        self.pawns(us, sum);
        self.shelter(us, sum);
        self.threats(us, sum);
        self.danger(us, danger);
    }

    /// Material, squares, mobility, and the places of pieces.
    #[inline(always)]
    fn pieces<T: Tally>(&mut self, us: Color, sum: &mut T, danger: &mut T) {
        let position = self.position;
        let (ours, them) = (position.color(us), !us);
        let own_pawns = self.pawns[us as usize];
        // Squares of the king and of pawns that are blocked or at home are not free to go to.
        let blocked = own_pawns & (push(them, self.occupied) | ranks(us, 1, 2));
        let free = !(Bitboard::of(position.king(us)) | blocked | self.by[them as usize][0]);

        for square in own_pawns {
            sum.add(&MATERIAL, Role::Pawn as usize);
            sum.add(&PAWN_SQUARES, place(us, square));
        }
        sum.add(&KING_SQUARES, place(us, position.king(us)));
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for square in position.pieces(us, role) {
                // Through own pieces that move the same way.
                let reached = match role {
                    Role::Knight => knight_attacks(square),
                    Role::Bishop => {
                        let through = position.pieces(us, Role::Queen);
                        bishop_attacks(square, self.occupied ^ through)
                    }
                    Role::Rook => {
                        let through = position.orthogonal_sliders() & ours;
                        rook_attacks(square, self.occupied ^ through)
                    }
                    _ => queen_attacks(square, self.occupied),
                };
                self.twice[us as usize] |= self.attacked[us as usize] & reached;
                self.attacked[us as usize] |= reached;
                self.by[us as usize][role as usize] |= reached;

                let (place, mobile) = (place(us, square), (reached & free).len() as usize);
                sum.add(&MATERIAL, role as usize);
                match role {
                    Role::Knight => {
                        sum.add(&KNIGHT_SQUARES, place);
                        sum.add(&KNIGHT_MOBILITY, mobile);
                    }
                    Role::Bishop => {
                        sum.add(&BISHOP_SQUARES, place);
                        sum.add(&BISHOP_MOBILITY, mobile);
                    }
                    Role::Rook => {
                        sum.add(&ROOK_SQUARES, place);
                        sum.add(&ROOK_MOBILITY, mobile);
                    }
                    _ => {
                        sum.add(&QUEEN_SQUARES, place);
                        sum.add(&QUEEN_MOBILITY, mobile);
                    }
                }
                self.place(us, role, square, sum);

                let near_king = reached & self.ring[them as usize];
                if near_king.any() {
                    self.attackers[us as usize] += 1;
                    danger.add(&DANGER_ATTACKER, role as usize - 1);
                    danger.count(&DANGER_ATTACK, 0, near_king.len() as i32);
                }
            }
        }
        if position.pieces(us, Role::Bishop).many() {
            sum.add(&BISHOP_PAIR, 0);
        }
    }

    /// What a piece gains from the pawns around it.
    #[inline(always)]
    fn place<T: Tally>(&self, us: Color, role: Role, square: Square, sum: &mut T) {
        let (own, other) = (self.pawns[us as usize], self.pawns[!us as usize]);
        let file = Bitboard::file(square.file());
        let rank = square.rank().relative_to(us);
        match role {
            Role::Rook if (file & own).is_empty() => {
                sum.add(&ROOK_FILE, usize::from((file & other).is_empty()));
            }
            Role::Knight | Role::Bishop => {
                let bishop = usize::from(role == Role::Bishop);
                if (push(us, Bitboard::of(square)) & (own | other)).any() {
                    sum.add(&MINOR_BEHIND_PAWN, 0);
                }
                let chased = (ahead(us, square.rank()) & neighbours(square.file()) & other).any();
                if !chased && (Rank::R4..=Rank::R6).contains(&rank) {
                    let supported = self.by[us as usize][0].contains(square);
                    sum.add(&OUTPOST, 2 * bishop + usize::from(supported));
                }
                if role == Role::Bishop {
                    let dark = Bitboard::DARK.contains(square);
                    let same = own
                        & if dark {
                            Bitboard::DARK
                        } else {
                            !Bitboard::DARK
                        };
                    sum.count(&BISHOP_PAWNS, 0, same.len() as i32);
                }
            }
            _ => {}
        }
    }

    #[inline(always)]
    fn pawns<T: Tally>(&self, us: Color, sum: &mut T) {
        let (own, other) = (self.pawns[us as usize], self.pawns[!us as usize]);
        for square in own {
            let at = Bitboard::of(square);
            let rank = square.rank().relative_to(us) as usize;
            let file = Bitboard::file(square.file());
            let beside = neighbours(square.file());
            let front = ahead(us, square.rank());
            let stop = push(us, at);
            let opposed = usize::from((other & file & front).any());

            let supported = self.by[us as usize][0].contains(square);
            let phalanx = Bitboard((at.0 & !FILE_H) << 1 | (at.0 & !FILE_A) >> 1) & own;
            if supported {
                sum.add(&SUPPORTED_PAWN, rank);
            }
            if phalanx.any() {
                sum.add(&PHALANX_PAWN, rank);
            }
            if (own & file & front).any() {
                sum.add(&DOUBLED_PAWN, usize::from(supported));
            }
            if (own & beside).is_empty() {
                sum.add(&ISOLATED_PAWN, opposed);
            } else if (own & beside & !front).is_empty()
                && ((self.by[!us as usize][0] | other) & stop).any()
            {
                sum.add(&BACKWARD_PAWN, opposed);
            }
            if (movegen::attacks::pawn_attacks(us, square) & other).any() {
                sum.add(&PAWN_LEVER, 0);
            }
            if opposed == 0 && (own & file & front).is_empty() {
                let sentries = other & front & beside;
                if sentries.is_empty() {
                    self.passed_pawn(us, square, sum);
                } else if sentries.len() <= (own & beside & !front).len() {
                    sum.add(&CANDIDATE_PAWN, rank);
                }
            }
        }
    }

    #[inline(always)]
    fn passed_pawn<T: Tally>(&self, us: Color, square: Square, sum: &mut T) {
        let them = !us;
        let rank = square.rank().relative_to(us) as usize;
        let path = ahead(us, square.rank()) & Bitboard::file(square.file());
        let stop = push(us, Bitboard::of(square));
        sum.add(&PASSED_PAWN, rank);
        if (stop & self.occupied).any() {
            sum.add(&PASSED_PAWN_BLOCKED, rank);
        } else if (stop & self.attacked[them as usize] & !self.attacked[us as usize]).is_empty() {
            sum.add(&PASSED_PAWN_CAN_ADVANCE, rank);
        }
        if (path & (self.occupied | self.attacked[them as usize])).is_empty() {
            sum.add(&PASSED_PAWN_FREE_PATH, rank);
        }
        if let Some(stop) = stop.first() {
            let own = self.position.king(us).distance(stop) as i32;
            let other = self.position.king(them).distance(stop) as i32;
            sum.count(&PASSED_PAWN_OWN_KING, rank, own);
            sum.count(&PASSED_PAWN_OTHER_KING, rank, other);
        }
        // Without pieces, a king that is too far away never comes.
        let pieces = self.position.role(Role::Pawn) | self.position.role(Role::King);
        if (self.position.color(them) & !pieces).is_empty()
            && let Some(goal) = (path & ranks(us, 7, 7)).first()
        {
            let steps = (7 - rank).min(5) + usize::from(self.position.turn() == them);
            if self.position.king(them).distance(goal) > steps
                && (path & self.position.color(us)).is_empty()
            {
                sum.add(&PASSED_PAWN_UNSTOPPABLE, 0);
            }
        }
        let rooks = self.position.pieces(us, Role::Rook) & Bitboard::file(square.file());
        if (rooks & !path).any() {
            sum.add(&PASSED_PAWN_ROOK_BEHIND, 0);
        }
    }

    /// The pawns before the king, own ones and those that come at him.
    #[inline(always)]
    fn shelter<T: Tally>(&self, us: Color, sum: &mut T) {
        let king = self.position.king(us);
        let rank = king.rank().relative_to(us) as usize;
        let in_front = ahead(us, king.rank()) | Bitboard::rank(king.rank());
        let own = self.pawns[us as usize] & in_front;
        let other = self.pawns[!us as usize] & in_front;
        let centre = (king.file() as usize).clamp(1, 6);
        for file in centre - 1..=centre + 1 {
            let squares = Bitboard::file(File::ALL[file]);
            let near = nearest(us, own & squares).map_or(0, |pawn| pawn - rank);
            let coming = nearest(us, other & squares);
            let edge = file.min(7 - file);
            sum.add(&SHELTER, 8 * edge + near);
            match coming {
                Some(pawn) if near > 0 && pawn == rank + near + 1 => {
                    sum.add(&STORM_BLOCKED, pawn - rank);
                }
                _ => sum.add(&STORM, 8 * edge + coming.map_or(7, |pawn| pawn - rank)),
            }
        }
    }

    #[inline(always)]
    fn threats<T: Tally>(&self, us: Color, sum: &mut T) {
        let them = !us;
        let by = &self.by[us as usize];
        let others = self.position.color(them);
        let pieces = others & !self.pawns[them as usize];
        let attacked = self.attacked[us as usize];
        let guarded =
            self.by[them as usize][0] | (self.twice[them as usize] & !self.twice[us as usize]);
        let weak = others & attacked & !guarded;
        let minors = by[Role::Knight as usize] | by[Role::Bishop as usize];

        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let victims = self.position.role(role) & others;
            let times = |set: Bitboard| (victims & set).len() as i32;
            sum.count(&THREAT_BY_PAWN, role as usize, times(by[0]));
            sum.count(&THREAT_BY_MINOR, role as usize, times(minors));
            sum.count(
                &THREAT_BY_ROOK,
                role as usize,
                times(by[Role::Rook as usize]),
            );
        }
        let pawns = self.pawns[them as usize] & weak;
        sum.count(&THREAT_BY_MINOR, 0, (pawns & minors).len() as i32);
        sum.count(
            &THREAT_BY_ROOK,
            0,
            (pawns & by[Role::Rook as usize]).len() as i32,
        );
        sum.count(
            &THREAT_BY_KING,
            0,
            (weak & by[Role::King as usize]).len() as i32,
        );
        let hanging = attacked & !self.attacked[them as usize];
        sum.count(&HANGING, 0, (hanging & pawns).len() as i32);
        sum.count(&HANGING, 1, (hanging & pieces).len() as i32);

        // Pawns that can step forward safely and attack a piece.
        let empty = !self.occupied;
        let one = push(us, self.pawns[us as usize]) & empty;
        let two = push(us, one & ranks(us, 2, 2)) & empty;
        let safe = !self.by[them as usize][0] & (attacked | !self.attacked[them as usize]);
        let (pushed, _) = attacked_by_pawns(us, (one | two) & safe);
        sum.count(&THREAT_BY_PUSH, 0, (pushed & pieces & !by[0]).len() as i32);

        // Squares that the other side attacks but cannot well go to.
        let contested = self.attacked[them as usize] & !guarded & attacked;
        sum.count(&RESTRICTED, 0, contested.len() as i32);
    }

    /// What endangers the king of the other side.
    #[inline(always)]
    fn danger<T: Tally>(&self, us: Color, danger: &mut T) {
        let them = !us;
        let queens = self.position.pieces(us, Role::Queen);
        // One attacker alone is no attack, unless there is a queen to join it.
        if self.attackers[us as usize] + i32::from(queens.any()) < 2 {
            return;
        }
        danger.add(&DANGER_BASE, usize::from(queens.any()));
        let ring = self.ring[them as usize];
        let by = &self.by[us as usize];
        let guards = &self.by[them as usize];
        let attacked = self.attacked[us as usize];
        // Defended by nothing, or by the king or queen alone.
        let weak = attacked
            & !self.twice[them as usize]
            & (!self.attacked[them as usize]
                | guards[Role::King as usize]
                | guards[Role::Queen as usize]);
        danger.count(&DANGER_WEAK_SQUARE, 0, (ring & weak).len() as i32);
        let minors = self.position.role(Role::Knight) | self.position.role(Role::Bishop);
        let defenders = self.position.color(them) & minors & ring;
        danger.count(&DANGER_DEFENDER, 0, defenders.len() as i32);
        danger.count(
            &DANGER_DEFENDED,
            0,
            (ring & self.twice[them as usize]).len() as i32,
        );
        danger.count(&DANGER_PAWN_ATTACK, 0, (ring & by[0]).len() as i32);

        let king = self.position.king(them);
        let through = self.occupied ^ (self.position.pieces(them, Role::Queen));
        let diagonal = bishop_attacks(king, through);
        let straight = rook_attacks(king, through);
        let safe = !self.position.color(us)
            & (!self.attacked[them as usize] | weak & self.twice[us as usize]);
        for (role, from) in [
            (Role::Knight, knight_attacks(king)),
            (Role::Bishop, diagonal),
            (Role::Rook, straight),
            (Role::Queen, diagonal | straight),
        ] {
            let checks = from & by[role as usize] & !self.position.color(us);
            let safe = checks & safe;
            let count = i32::from(safe.any()) + i32::from(safe.many());
            danger.count(&DANGER_SAFE_CHECK, role as usize - 1, count);
            danger.count(
                &DANGER_UNSAFE_CHECK,
                0,
                i32::from(count == 0 && checks.any()),
            );
        }
        // Files without a pawn to hide behind.
        let centre = (king.file() as usize).clamp(1, 6);
        for file in centre - 1..=centre + 1 {
            if (Bitboard::file(File::ALL[file]) & self.pawns[them as usize]).is_empty() {
                danger.add(&DANGER_OPEN_FILE, 0);
            }
        }
    }
}

/// The place of a square in a table of half a board, from a1 to d8, as `color` sees it.
#[inline(always)]
fn place(color: Color, square: Square) -> usize {
    let file = square.file() as usize;
    4 * square.rank().relative_to(color) as usize + file.min(7 - file)
}

/// The rank of the pawn nearest to the own side, as `color` counts ranks.
#[inline(always)]
fn nearest(color: Color, pawns: Bitboard) -> Option<usize> {
    pawns.any().then(|| match color {
        Color::White => pawns.0.trailing_zeros() as usize / 8,
        Color::Black => pawns.0.leading_zeros() as usize / 8,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use movegen::attacks::pawn_attacks;

    #[test]
    fn pawn_attacks_of_a_set_are_those_of_its_pawns() {
        for color in Color::ALL {
            for square in Square::all() {
                assert_eq!(
                    attacked_by_pawns(color, Bitboard::of(square)),
                    (pawn_attacks(color, square), Bitboard::EMPTY)
                );
            }
        }
        let pawns = Bitboard::of(Square::B2) | Bitboard::of(Square::D2);
        let (_, twice) = attacked_by_pawns(Color::White, pawns);
        assert_eq!(twice, Bitboard::of(Square::C3));
    }

    #[test]
    fn ranks_as_each_side_counts_them() {
        assert_eq!(ranks(Color::White, 1, 1), Bitboard::rank(Rank::R2));
        assert_eq!(ranks(Color::Black, 0, 0), Bitboard::rank(Rank::R8));
        assert_eq!(ranks(Color::White, 0, 7), Bitboard::ALL);
        assert_eq!(ahead(Color::White, Rank::R7), Bitboard::rank(Rank::R8));
        assert!(ahead(Color::White, Rank::R8).is_empty());
        assert!(ahead(Color::Black, Rank::R1).is_empty());
        assert_eq!(ahead(Color::Black, Rank::R3), ranks(Color::White, 0, 1));
    }
}
