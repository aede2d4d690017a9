//! Endings against a bare king. Some have a known result; in the others a bonus for driving the king to
//! the edge is added to the evaluation of the network.

use movegen::attacks::king_attacks;
use movegen::{Bitboard, Color, File, Position, Role, Square};

use crate::eval::kpk;
use crate::score::Score;

/// The score of a won ending with a pawn on its first rank, in centipawns.
const WON: i32 = 600;
/// The bonus for each rank of the pawn, so that the search makes progress.
const RANK_BONUS: i32 = 30;

/// The score for the side to move: that of a known ending, or else the (adjusted) evaluation of the network plus
/// the bonus for driving a bare king to the edge.
pub(crate) fn evaluate(position: &Position, network: impl FnOnce() -> i32) -> Score {
    let bare = |&side: &Color| !position.color(side).many();
    let Some(weak) = Color::ALL.into_iter().find(bare) else {
        return Score::evaluation(network());
    };
    let sign = if position.turn() == weak { -1 } else { 1 };
    Score::evaluation(match known(position, !weak) {
        Some(value) => sign * value,
        None => network() + sign * driving_bonus(position, !weak),
    })
}

/// The score of an ending against a bare king for the stronger side, if its result is known.
fn known(position: &Position, strong: Color) -> Option<i32> {
    let of = |role| position.pieces(strong, role);
    let pawns = of(Role::Pawn);
    let bishops = of(Role::Bishop);
    let others = of(Role::Rook) | of(Role::Queen);
    if others.any() {
        return None;
    }
    if pawns.is_empty() {
        // Two knights cannot force mate.
        return (bishops.is_empty() && of(Role::Knight).len() <= 2).then_some(0);
    }
    if of(Role::Knight).any() {
        return None;
    }
    if bishops.is_empty() && !pawns.many() {
        let rank = pawns.first()?.rank().relative_to(strong) as i32;
        return Some(if kpk::is_won(position, strong) {
            WON + RANK_BONUS * rank
        } else {
            0
        });
    }
    // Rook pawns that promote on a square of the colour that no bishop controls, and the bare king
    // reaches it (<https://www.chessprogramming.org/Wrong_Color_Bishop>).
    [File::A, File::H]
        .into_iter()
        .filter(|&file| (pawns & !Bitboard::file(file)).is_empty())
        .map(|file| Square::new(file, movegen::Rank::R8.relative_to(strong)))
        .any(|corner| {
            let other_color = if Bitboard::DARK.contains(corner) {
                !Bitboard::DARK
            } else {
                Bitboard::DARK
            };
            let guard_squares = king_attacks(corner) | Bitboard::of(corner);
            (bishops & !other_color).is_empty() && guard_squares.contains(position.king(!strong))
        })
        .then_some(0)
}

/// The bonus for the stronger side: the bare king is near the edge, or near a corner of the bishop's
/// colour with bishop and knight, and the kings are close to each other.
fn driving_bonus(position: &Position, strong: Color) -> i32 {
    let pieces = position.color(strong);
    let (knights, bishops) = (
        pieces & position.role(Role::Knight),
        pieces & position.role(Role::Bishop),
    );
    let heavy = (pieces & (position.orthogonal_sliders() | position.role(Role::Pawn))).any();
    if !heavy && (bishops.is_empty() || !(knights | bishops).many()) {
        return 0;
    }
    let (strong_king, king) = (position.king(strong), position.king(!strong));
    let near = 7 - strong_king.distance(king) as i32;
    let to_edge = if !heavy && !bishops.many() {
        let corners = if (bishops & Bitboard::DARK).any() {
            [Square::A1, Square::H8]
        } else {
            [Square::A8, Square::H1]
        };
        // The Manhattan distance, so that steps along the edge count too.
        let steps = |corner: Square| {
            (king.file() as i32 - corner.file() as i32).abs()
                + (king.rank() as i32 - corner.rank() as i32).abs()
        };
        2 * (14 - steps(corners[0]).min(steps(corners[1])))
    } else {
        let from_centre = |line: i32| (2 * line - 7).abs();
        from_centre(king.file() as i32) + from_centre(king.rank() as i32)
    };
    400 + 10 * to_edge + 12 * near
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_endings() {
        for (fen, expected) in [
            // King and pawn: exact, from either side.
            ("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", Some(0)),
            (
                "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1",
                Some(WON + 4 * RANK_BONUS),
            ),
            (
                "4k3/8/4K3/4P3/8/8/8/8 b - - 0 1",
                Some(-WON - 4 * RANK_BONUS),
            ),
            // Rook pawns, with the wrong bishop, without one, and with the right one.
            ("7k/8/8/6KP/8/8/8/5B2 w - - 0 1", Some(0)),
            ("7k/8/8/6KP/7P/8/8/8 b - - 0 1", Some(0)),
            ("7k/8/8/6KP/8/8/8/2B5 w - - 0 1", None),
            ("8/8/8/6KP/3k4/8/8/5B2 w - - 0 1", None),
            ("8/8/8/8/kp6/8/8/K1b5 w - - 0 1", None),
            ("8/8/8/8/p7/k7/8/K1b5 w - - 0 1", None),
            ("8/8/8/8/p7/k7/8/K2b4 w - - 0 1", Some(0)),
            // Two knights; but not three, nor a bishop with one.
            ("7k/8/8/8/8/8/8/KNN5 w - - 0 1", Some(0)),
            ("7k/8/8/8/8/8/8/KNNN4 w - - 0 1", None),
            ("7k/8/8/8/8/8/8/KNB5 w - - 0 1", None),
            ("7k/8/8/8/8/8/8/KR6 w - - 0 1", None),
            ("7k/7p/8/8/8/8/7P/KR6 w - - 0 1", None),
        ] {
            let mut asked_network = false;
            let score = evaluate(&fen.parse().expect(fen), || {
                asked_network = true;
                0
            });
            let known = (!asked_network).then_some(score.ce());
            assert_eq!(known, expected, "{fen}");
        }
    }

    /// The bonus is larger with the bare king at the edge and with the kings close to each other.
    #[test]
    fn a_bare_king_is_driven_to_the_edge() {
        for (better, worse) in [
            (
                "8/8/8/8/3K4/8/3k4/7R w - - 0 1",
                "8/8/8/3k4/8/3K4/8/7R w - - 0 1",
            ),
            (
                "8/8/8/8/3K4/8/3k4/7R w - - 0 1",
                "8/8/8/K7/8/8/3k4/7R w - - 0 1",
            ),
            // The corner of the bishop's colour, which is light.
            (
                "k7/8/2K5/8/8/3B1N2/8/8 w - - 0 1",
                "7k/8/5K2/8/8/3B1N2/8/8 w - - 0 1",
            ),
        ] {
            let bonus = |fen: &str| evaluate(&fen.parse().expect(fen), || 0).ce();
            let scores = [better, worse].map(bonus);
            assert!(scores[0] > scores[1] + 10, "{better}, {worse}: {scores:?}");
            assert!(scores[1] > 400, "{worse}");
        }
    }
}
