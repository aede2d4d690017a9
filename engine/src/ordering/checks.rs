//! Whether a move gives check, without playing it.

use movegen::attacks::{between, bishop_attacks, knight_attacks, line, pawn_attacks, rook_attacks};
use movegen::{Bitboard, Move, MoveKind, Position, Role, Square};

/// The squares from which the opponent's king can be attacked.
pub(crate) struct Checks {
    king: Square,
    /// By role.
    from: [Bitboard; Role::ALL.len()],
    /// Pieces of the side to move that block one of its own sliders: they give a discovered check by
    /// leaving the line.
    blockers: Bitboard,
}

impl Checks {
    pub fn new(position: &Position) -> Self {
        let us = position.turn();
        let king = position.king(!us);
        let occupied = position.occupied();
        let own = position.color(us);
        let sliders = (rook_attacks(king, Bitboard::EMPTY) & position.orthogonal_sliders())
            | (bishop_attacks(king, Bitboard::EMPTY) & position.diagonal_sliders());
        let mut blockers = Bitboard::EMPTY;
        for slider in sliders & own {
            let blocking = between(king, slider) & occupied;
            if !blocking.many() {
                blockers |= blocking & own;
            }
        }
        let diagonals = bishop_attacks(king, occupied);
        let orthogonals = rook_attacks(king, occupied);
        let from = Role::ALL.map(|role| match role {
            Role::Pawn => pawn_attacks(!us, king),
            Role::Knight => knight_attacks(king),
            Role::Bishop => diagonals,
            Role::Rook => orthogonals,
            Role::Queen => diagonals | orthogonals,
            Role::King => Bitboard::EMPTY,
        });
        Self {
            king,
            from,
            blockers,
        }
    }

    /// Whether a legal move of the position gives check.
    #[inline]
    pub fn has(&self, position: &Position, mv: Move) -> bool {
        let role = position.role_at(mv.from()).unwrap_or(Role::Pawn);
        self.has_of(position, role, mv)
    }

    /// The same, if the role of the moving piece is known.
    #[inline]
    pub fn has_of(&self, position: &Position, role: Role, mv: Move) -> bool {
        if mv.kind() != MoveKind::Normal {
            return is_check_after(position, mv);
        }
        let (from, to) = (mv.from(), mv.to());
        self.from[role as usize].contains(to)
            || self.blockers.contains(from) && !line(self.king, from).contains(to)
    }
}

/// The same for castling, promotions and en passant, which are too rare to be worth optimizing.
#[cold]
fn is_check_after(position: &Position, mv: Move) -> bool {
    let mut after = *position;
    after.play_unchecked(mv);
    after.is_check()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::StdRng;
    use rand::seq::IndexedRandom;

    /// The prediction for a move equals the check after it, in random games and in positions with special
    /// moves.
    #[test]
    fn predicted_checks_equal_those_after_the_move() {
        let mut checks = 0;
        for (seed, text) in (0..).zip([
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - -",
            "4k3/8/8/8/8/8/8/R3K2R w KQ -",
        ]) {
            let mut random = StdRng::seed_from_u64(seed);
            for _ in 0..100 {
                let mut position: Position = text.parse().expect(text);
                for _ in 0..60 {
                    let moves = position.legal_moves();
                    let predicted = Checks::new(&position);
                    for &mv in &moves {
                        let mut after = position;
                        after.play(mv);
                        assert_eq!(
                            predicted.has(&position, mv),
                            after.is_check(),
                            "{mv} {position}"
                        );
                        checks += usize::from(after.is_check());
                    }
                    let Some(&mv) = moves.choose(&mut random) else {
                        break;
                    };
                    position.play(mv);
                }
            }
        }
        assert!(checks > 10_000);
    }
}
