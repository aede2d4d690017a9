//! Static exchange evaluation (<https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>).

use movegen::attacks::{bishop_attacks, rook_attacks};
use movegen::{Bitboard, Move, MoveKind, Position, Role};

/// The piece values of the exchange evaluation, in centipawns. The king is worth more than all
/// other pieces together.
const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// The exchange value of a piece, in centipawns.
pub(crate) const fn value(role: Role) -> i32 {
    VALUES[role as usize]
}

/// Whether the exchange that a move starts on its destination square wins at least `threshold`
/// centipawns, if both sides capture with their least valuable piece and stop when that is best.
pub(crate) fn wins_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    if mv.kind() == MoveKind::Castle {
        return threshold <= 0;
    }
    let (from, to) = (mv.from(), mv.to());
    let mover = position.role_at(from).unwrap_or(Role::Pawn);
    let captured = match mv.kind() {
        MoveKind::EnPassant => value(Role::Pawn),
        _ => position.role_at(to).map_or(0, value),
    };
    let (placed, gain) = match mv.promotes_to() {
        Some(role) => (role, value(role) - value(Role::Pawn)),
        None => (mover, 0),
    };

    // The balance if the exchange ends here, and then if the moved piece is lost as well.
    let mut balance = captured + gain - threshold;
    if balance < 0 {
        return false;
    }
    balance -= value(placed);
    if balance >= 0 {
        return true;
    }

    let mut occupied = position.occupied() ^ Bitboard::of(from) | Bitboard::of(to);
    if mv.kind() == MoveKind::EnPassant {
        // The captured pawn is on the destination file and the origin rank.
        occupied ^= Bitboard::file(to.file()) & Bitboard::rank(from.rank());
    }
    let diagonals = position.diagonal_sliders();
    let orthogonals = position.orthogonal_sliders();
    let mut attackers = position.attackers(to, occupied) & occupied;
    let mut side = !position.turn();
    // The side to capture loses the exchange if it has no capture left.
    loop {
        let ours = attackers & position.color(side);
        let Some((role, square)) = Role::ALL.into_iter().find_map(|role| {
            (ours & position.role(role))
                .first()
                .map(|square| (role, square))
        }) else {
            break;
        };
        if role == Role::King && (attackers & position.color(!side)).any() {
            // The king cannot capture into an attack.
            break;
        }
        occupied ^= Bitboard::of(square);
        side = !side;
        balance = -balance - 1 - value(role);
        if balance >= 0 {
            break;
        }
        // Sliders behind the capturing piece join the exchange.
        attackers |=
            (bishop_attacks(to, occupied) & diagonals) | (rook_attacks(to, occupied) & orthogonals);
        attackers &= occupied;
    }
    side != position.turn()
}

#[cfg(test)]
mod tests {
    use super::*;
    use movegen::UciMove;

    /// The exact value by trying thresholds.
    fn exchange(fen: &str, text: &str) -> i32 {
        let position: Position = fen.parse().expect(fen);
        let coordinates: UciMove = text.parse().expect(text);
        let mv = coordinates.find(&position).expect(text);
        (-2000..2000)
            .rev()
            .find(|&threshold| wins_at_least(&position, mv, threshold))
            .expect("bounded")
    }

    #[test]
    fn exchanges_with_known_values() {
        for (fen, mv, value) in [
            // An undefended pawn, a defended one, and a rook that moves to an attacked square.
            ("4k3/8/8/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", 100),
            ("4k3/8/4p3/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", 100 - 500),
            ("4k3/8/4p3/8/8/8/3R4/4K3 w - - 0 1", "d2d5", -500),
            // The second rook supports the first, so Black does not recapture.
            ("4k3/8/3r4/3p4/8/3R4/3R4/4K3 w - - 0 1", "d3d5", 100),
            // Two attackers against two defenders.
            (
                "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
                "d3e5",
                100 - 320,
            ),
            // The king cannot recapture because of the second attacker.
            ("8/8/4k3/3p4/8/3R4/3R4/4K3 w - - 0 1", "d3d5", 100),
            // En passant, and promotions with and without a capture.
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 850),
            ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 500 + 850),
            ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -100),
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", 0),
        ] {
            assert_eq!(exchange(fen, mv), value, "{fen} {mv}");
        }
    }
}
