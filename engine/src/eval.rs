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

use movegen::{Bitboard, Color, Position, Role};

use tally::{Tally, Tapered};
use terms::Terms;

/// How much of the middlegame a piece stands for; all pieces together make 24.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 24;

/// The danger of a king grows with its square in the middlegame, and evenly in the endgame.
const DANGER_LIMIT: i32 = 800;
const DANGER_DIVISORS: [i32; 2] = [512, 16];

/// The whole of an advantage.
const FULL_SCALE: i32 = 64;

/// The worth of a position for the side to move, in centipawns.
pub(crate) fn evaluate(position: &Position) -> i32 {
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
    match position.turn() {
        Color::White => blended,
        Color::Black => -blended,
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use movegen::{Piece, Square};

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
        assert!((0..60).contains(&level), "{level}");
        let queen_up = position("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert!(evaluate(&queen_up) > 800);
    }

    #[test]
    fn drawn_material_is_worth_little() {
        for fen in [
            "8/8/4k3/8/8/2KB4/8/8 w - - 0 1",
            "8/8/4k3/8/8/2KNN3/8/8 w - - 0 1",
            "8/3r4/5k2/8/8/2KBR3/8/8 w - - 0 1",
            "8/3p4/4k3/8/8/2KN4/8/8 w - - 0 1",
        ] {
            let score = evaluate(&position(fen));
            assert!((-150..=100).contains(&score), "{fen}: {score}");
        }
    }
}
