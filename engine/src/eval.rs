//! What a position is worth without searching: weights for what is seen in it, each for the
//! middlegame and the endgame, blended by the material that is left
//! (<https://www.chessprogramming.org/Tapered_Eval>).
//!
//! `terms` says what is counted and `weights` what it is worth. The same code adds up a score, or
//! counts how often each weight was used, by which the weights were tuned on games of the engine
//! against itself (<https://www.chessprogramming.org/Texel%27s_Tuning_Method>).

mod tally;
mod terms;
#[cfg(feature = "tuning")]
pub mod tuning;
mod weights;

use movegen::{Bitboard, Color, Position, Role, Square};

use crate::score::Score;
use tally::{Tally, Tapered};
use terms::{Terms, distance};

/// How much of the middlegame a piece stands for; all pieces together make 24.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 24;

/// The danger of a king grows with its square in the middlegame, and evenly in the endgame.
const DANGER_LIMIT: i32 = 800;
const DANGER_DIVISORS: [i32; 2] = [512, 16];

/// The whole of an advantage.
const FULL_SCALE: i32 = 64;

/// The worth of a position for the side to move.
pub(crate) fn evaluate(position: &Position) -> Score {
    let mut sums = [Tapered::default(); 2];
    let mut dangers = sums;
    count(position, &mut sums, &mut dangers);

    let [white, black] = sums;
    let [by_white, by_black] = dangers.map(|danger| danger.middlegame().clamp(0, DANGER_LIMIT));
    let [square, even] = DANGER_DIVISORS;
    let middlegame = white.middlegame() - black.middlegame() + by_white * by_white / square
        - by_black * by_black / square;
    let endgame = white.endgame() - black.endgame() + by_white / even - by_black / even;

    let phase = phase(position);
    let mut blended = (middlegame * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE;
    let strong = if blended > 0 {
        Color::White
    } else {
        Color::Black
    };
    blended = blended * scale(position, strong) / FULL_SCALE;
    let alone = Bitboard::of(position.king(!strong));
    if position.color(!strong) == alone {
        blended += match strong {
            Color::White => mop_up(position, strong),
            Color::Black => -mop_up(position, strong),
        };
    }
    Score::ordinary(match position.turn() {
        Color::White => blended,
        Color::Black => -blended,
    })
}

/// Counts what each side has, and how each endangers the king of the other.
#[inline(always)]
fn count<T: Tally>(position: &Position, sums: &mut [T; 2], dangers: &mut [T; 2]) {
    sums[position.turn() as usize].add(&weights::TEMPO, 0);
    Terms::new(position).count(sums, dangers);
}

/// How much of the middlegame is left, of [`FULL_PHASE`].
fn phase(position: &Position) -> i32 {
    let phase: i32 = Role::ALL
        .into_iter()
        .map(|role| position.role(role).len() as i32 * PHASE[role as usize])
        .sum();
    phase.min(FULL_PHASE)
}

/// How much of its advantage the side that has it can keep, of [`FULL_SCALE`]: what
/// is drawn on the board may be far from level in material.
fn scale(position: &Position, strong: Color) -> i32 {
    let count = |color, role| position.pieces(color, role).len() as i32;
    let minors = |color| count(color, Role::Knight) + count(color, Role::Bishop);
    // Minor pieces count three, rooks five, queens nine.
    let officers =
        |color| 3 * minors(color) + 5 * count(color, Role::Rook) + 9 * count(color, Role::Queen);
    let (own, other) = (officers(strong), officers(!strong));
    let pawns = count(strong, Role::Pawn);
    if pawns == 0 && own - other <= 3 {
        // Not a minor piece more, and nothing to promote.
        return match (own, other) {
            (0..5, _) => 0,
            (_, 0..=3) => 4,
            _ => 14,
        };
    }
    if pawns == 0 && own == 3 * count(strong, Role::Knight) && own <= 6 {
        // Two knights cannot mate.
        return 0;
    }
    let bishops = position.role(Role::Bishop);
    let one_each = Color::ALL
        .into_iter()
        .all(|color| count(color, Role::Bishop) == 1);
    if one_each
        && (own, other) == (3, 3)
        && (bishops & Bitboard::DARK).any()
        && (bishops & !Bitboard::DARK).any()
    {
        return 24;
    }
    if pawns == 0 {
        return FULL_SCALE;
    }
    (40 + 6 * pawns).min(FULL_SCALE)
}

/// What helps to mate a bare king: it stands at the edge, or in a corner of the bishop's colour if
/// a knight must help the bishop, and the other king stands near.
fn mop_up(position: &Position, strong: Color) -> i32 {
    let pieces = position.color(strong);
    let (knights, bishops) = (
        pieces & position.role(Role::Knight),
        pieces & position.role(Role::Bishop),
    );
    let heavy = (pieces & (position.orthogonal_sliders() | position.role(Role::Pawn))).any();
    if !heavy && (bishops.is_empty() || !(knights | bishops).many()) {
        return 0;
    }
    let (hunter, king) = (position.king(strong), position.king(!strong));
    let near = 7 - distance(hunter, king) as i32;
    let to_edge = if !heavy && !bishops.many() {
        let corners = if (bishops & Bitboard::DARK).any() {
            [Square::A1, Square::H8]
        } else {
            [Square::A8, Square::H1]
        };
        // Steps along the edge count as well: not only how far the nearest corner is.
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
    use movegen::Piece;

    fn position(fen: &str) -> Position {
        fen.parse().expect(fen)
    }

    /// Positions of every kind, none of which castling or en passant makes lopsided.
    const POSITIONS: [&str; 8] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
        "8/8/4k3/8/2KBN3/8/8/8 w - - 0 1",
        "8/P5k1/8/8/8/8/6pK/8 w - - 0 1",
        "3r2k1/p4p1p/1p4p1/2b5/2P2q2/1P1B1P1P/P3Q1P1/3R3K w - - 0 1",
        "8/5pk1/3b2p1/1P2p2p/4P2P/4B1P1/5PK1/8 w - - 0 1",
        "nnnnknnn/nnn5/8/8/8/8/8/QQQQKQQQ w - - 0 1",
    ];

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
        for fen in POSITIONS {
            let position = position(fen);
            assert_eq!(evaluate(&position), evaluate(&mirrored(&position)), "{fen}");
        }
    }

    #[test]
    fn every_term_says_what_it_is() {
        let terms = weights::all();
        assert_eq!(terms.len(), weights::COUNTS.len());
        for (term, &count) in terms.iter().zip(weights::COUNTS) {
            assert_eq!(term.values.len(), count, "{}", term.name);
            assert!(!term.about.is_empty(), "{}", term.name);
        }
    }

    /// Each weight is counted as often as it is added.
    #[test]
    fn counts_and_weights_make_the_score() {
        let weights: Vec<[i32; 2]> = weights::all()
            .into_iter()
            .flat_map(|term| term.values)
            .collect();
        for fen in POSITIONS {
            let position = position(fen);
            let none = || [vec![0; weights.len()], vec![0; weights.len()]];
            let (mut counts, mut danger_counts) = (none(), none());
            count(&position, &mut counts, &mut danger_counts);
            let (mut sums, mut dangers) = ([Tapered::default(); 2], [Tapered::default(); 2]);
            count(&position, &mut sums, &mut dangers);
            for (counts, sum) in counts
                .iter()
                .chain(&danger_counts)
                .zip(sums.iter().chain(&dangers))
            {
                for (half, found) in [sum.middlegame(), sum.endgame()].into_iter().enumerate() {
                    let products = counts
                        .iter()
                        .zip(&weights)
                        .map(|(times, weight)| times * weight[half]);
                    assert_eq!(products.sum::<i32>(), found, "{fen}");
                }
            }
        }
    }

    #[test]
    fn the_start_is_level_and_a_queen_is_not() {
        let level = evaluate(&Position::start());
        assert!((0..60).contains(&level.ce()), "{level}");
        let queen_up = position("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert!(evaluate(&queen_up) > Score::ordinary(800));
    }

    #[test]
    fn drawn_material_is_worth_little() {
        for fen in [
            "8/8/4k3/8/8/2KB4/8/8 w - - 0 1",
            "8/8/4k3/8/8/2KNN3/8/8 w - - 0 1",
            "8/3r4/5k2/8/8/2KBR3/8/8 w - - 0 1",
            "8/3p4/4k3/8/8/2KN4/8/8 w - - 0 1",
        ] {
            let score = evaluate(&position(fen)).ce();
            assert!((-150..=100).contains(&score), "{fen}: {score}");
        }
    }

    /// A bare king is worse off at the edge, and near the other.
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
            let scores = [better, worse].map(|fen| evaluate(&position(fen)));
            assert!(scores[0] > scores[1] + 10, "{better}, {worse}: {scores:?}");
            assert!(evaluate(&position(worse)) > Score::ordinary(500), "{worse}");
        }
    }
}
