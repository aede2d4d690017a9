//! King and pawn against king: exact results, computed on first use by retrograde analysis. Bitboards
//! handle all squares of the other king at once (<https://www.chessprogramming.org/KPK>).
//!
//! The side with the pawn is White here, and the pawn is on files a to d.

use std::sync::LazyLock;

use movegen::attacks::{king_attacks, pawn_attacks};
use movegen::{Bitboard, Color, File, Position, Rank, Role, Square};

/// The number of squares that the pawn can be on.
const PAWN_SQUARES: usize = 24;

/// For each square of White's king, the squares of Black's king on which White wins.
type Lost = [Bitboard; Square::COUNT];

/// The won squares by side to move and pawn.
static LOST: LazyLock<[[Lost; PAWN_SQUARES]; 2]> = LazyLock::new(|| {
    let mut lost = [[[Bitboard::EMPTY; Square::COUNT]; PAWN_SQUARES]; 2];
    // A push leads to a pawn whose results are known already.
    for pawn in pawns().rev() {
        loop {
            let mut changed = false;
            for king in Square::all().filter(|&king| king != pawn) {
                for turn in Color::ALL {
                    let [with_white, with_black] = &lost;
                    let found = match turn {
                        Color::White => lost_to_a_move(pawn, king, with_black),
                        Color::Black => lost_for_all_moves(pawn, king, with_white),
                    };
                    let known = &mut lost[turn as usize][index(pawn)][king.index()];
                    changed |= *known != found;
                    *known = found;
                }
            }
            if !changed {
                break;
            }
        }
    }
    // What is never decided is drawn.
    lost
});

/// The squares of the pawn, rank by rank.
fn pawns() -> impl DoubleEndedIterator<Item = Square> {
    Square::all()
        .filter(|pawn| pawn.file() <= File::D && pawn.rank() > Rank::R1 && pawn.rank() < Rank::R8)
}

fn index(pawn: Square) -> usize {
    (pawn.rank() as usize - 1) * 4 + pawn.file() as usize
}

/// The legal squares of Black's king when White is to move.
fn unattacked(pawn: Square, king: Square) -> Bitboard {
    apart(pawn, king) & !pawn_attacks(Color::White, pawn)
}

/// The legal squares of Black's king when Black is to move.
fn apart(pawn: Square, king: Square) -> Bitboard {
    !(king_attacks(king) | Bitboard::of(king) | Bitboard::of(pawn))
}

/// The squares of Black's king on which White to move wins: one winning move is enough.
fn lost_to_a_move(pawn: Square, king: Square, then: &[Lost]) -> Bitboard {
    let steps = king_attacks(king) & !Bitboard::of(pawn);
    let by_king = steps.into_iter().map(|to| then[index(pawn)][to.index()]);
    let mut lost = by_king.fold(Bitboard::EMPTY, |lost, more| lost | more);
    if let Some(stop) = ahead(pawn).filter(|&stop| stop != king) {
        let free = !Bitboard::of(stop);
        if pawn.rank() == Rank::R7 {
            // The king must not capture the new piece.
            let guarded = king_attacks(king).contains(stop);
            lost |= if guarded {
                free
            } else {
                free & !king_attacks(stop)
            };
        } else {
            lost |= then[index(stop)][king.index()];
            let double = ahead(stop).filter(|_| pawn.rank() == Rank::R2);
            lost |= double.map_or(Bitboard::EMPTY, |to| then[index(to)][king.index()] & free);
        }
    }
    lost & unattacked(pawn, king)
}

/// The squares of Black's king on which Black to move loses: no move may hold the draw.
fn lost_for_all_moves(pawn: Square, king: Square, then: &[Lost]) -> Bitboard {
    let mut moves = unattacked(pawn, king);
    let mut escapes = moves & !then[index(pawn)][king.index()];
    if !king_attacks(king).contains(pawn) {
        // The king can capture the pawn.
        moves |= Bitboard::of(pawn);
        escapes |= Bitboard::of(pawn);
    }
    let checked = pawn_attacks(Color::White, pawn);
    apart(pawn, king) & (around(moves) | checked) & !around(escapes)
}

/// The squares from which a king reaches one of these.
fn around(squares: Bitboard) -> Bitboard {
    let beside = (squares.0 << 1 & !Bitboard::file(File::A).0)
        | (squares.0 >> 1 & !Bitboard::file(File::H).0);
    let three = squares.0 | beside;
    Bitboard(beside | three << 8 | three >> 8)
}

/// The square in front of a pawn.
fn ahead(square: Square) -> Option<Square> {
    Bitboard(Bitboard::of(square).0 << 8).first()
}

/// Whether a side that has a king and a pawn wins against a king.
pub(crate) fn is_won(position: &Position, side: Color) -> bool {
    let Some(pawn) = position.pieces(side, Role::Pawn).first() else {
        return false;
    };
    let normalised = |square: Square| {
        let square = square.relative_to(side);
        let mirror = if pawn.file() > File::D { 7 } else { 0 };
        Square::from_index(square.index() ^ mirror)
    };
    let [own, other] = [side, !side].map(|side| normalised(position.king(side)));
    let turn = usize::from(position.turn() != side);
    LOST[turn][index(normalised(pawn))][own.index()].contains(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use movegen::{Piece, Setup};

    fn position(turn: Color, pawn: Square, own: Square, other: Square) -> Option<Position> {
        let mut setup = Setup::empty();
        setup.board[own.index()] = Piece::from_char('K');
        setup.board[other.index()] = Piece::from_char('k');
        setup.board[pawn.index()] = Piece::from_char('P');
        setup.turn = turn;
        Position::from_setup(&setup).ok()
    }

    fn positions() -> impl Iterator<Item = Position> {
        pawns().flat_map(|pawn| {
            let kings = Square::all().flat_map(|own| Square::all().map(move |other| (own, other)));
            let kings =
                kings.filter(move |&(own, other)| own != other && own != pawn && other != pawn);
            kings.flat_map(move |(own, other)| {
                let here = Color::ALL.map(|turn| position(turn, pawn, own, other));
                here.into_iter().flatten()
            })
        })
    }

    /// Whether Black cannot capture the new piece and is not stalemated.
    fn wins_after_promotion(position: &Position) -> bool {
        let mut kept = true;
        for mv in position.legal_moves() {
            kept &= !position.color(Color::White).contains(mv.to());
        }
        kept && !position.is_stalemate()
    }

    /// Each result follows from the results one move later by the rules of chess, and the number of won
    /// positions is the published one.
    #[test]
    fn results_follow_from_each_other() {
        let mut won = 0;
        for here in positions() {
            let after = |mv| {
                let mut next = here;
                next.play(mv);
                match next.pieces(Color::White, Role::Pawn).is_empty() {
                    true if next.color(Color::White).many() => wins_after_promotion(&next),
                    true => false,
                    false => is_won(&next, Color::White),
                }
            };
            let mut moves = here.legal_moves().into_iter();
            let expected = match here.turn() {
                Color::White => moves.any(after),
                Color::Black => moves.len() > 0 && moves.all(after),
            };
            assert_eq!(is_won(&here, Color::White), expected, "{here}");
            won += u32::from(expected);
        }
        assert_eq!(won, 111_282);
    }

    #[test]
    fn colors_and_wings_are_symmetric() {
        for (fen, side, won) in [
            ("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", Color::White, false),
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Color::White, true),
            ("8/8/8/8/4p3/4k3/8/4K3 b - - 0 1", Color::Black, true),
            ("8/8/8/8/3p4/3k4/8/3K4 w - - 0 1", Color::Black, true),
            ("7k/8/6KP/8/8/8/8/8 w - - 0 1", Color::White, false),
            ("8/8/8/8/8/6kp/8/7K b - - 0 1", Color::Black, false),
        ] {
            assert_eq!(is_won(&fen.parse().expect(fen), side), won, "{fen}");
        }
    }
}
