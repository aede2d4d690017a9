//! Positions that nobody would set up do no harm.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use epode_engine::{Limits, Score, Searcher};
use movegen::{Color, Game, Piece, Position, Role, Setup, Square};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::mates::{can_mate, is_lost, mating_moves};
use super::{CROWDS, MOST_MOVES, POSITIONS, fresh, game, position, search};

/// The most moves that there can be, and other crowds.
#[test]
fn crowded_boards_do_no_harm() {
    assert_eq!(position(MOST_MOVES).count_moves(), 218);
    for fen in &POSITIONS[8..] {
        for color in Color::ALL {
            let mut setup = position(fen).setup();
            setup.turn = color;
            // Whoever would be in check off the move is left out.
            let Ok(root) = Position::from_setup(&setup) else {
                continue;
            };
            fresh(&Game::new(root), &Limits::nodes(30_000));
        }
    }
}

/// Pieces anywhere, few or many, as long as the rules allow them.
fn odd_set_up(rng: &mut StdRng) -> Position {
    let roles = [
        Role::Pawn,
        Role::Pawn,
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ];
    loop {
        let mut setup = Setup::empty();
        let crowd = rng.random_range(0..24);
        let kings = Color::ALL.map(|color| Piece::new(color, Role::King));
        let others = (0..crowd).map(|_| {
            let color = if rng.random() {
                Color::White
            } else {
                Color::Black
            };
            Piece::new(color, *roles.choose(rng).expect("there are some"))
        });
        let pieces: Vec<Piece> = kings.into_iter().chain(others).collect();
        for piece in pieces {
            let square = rng.random_range(0..Square::COUNT);
            let taken = &mut setup.board[square];
            let end_rank = !(8..56).contains(&square);
            if taken.is_none() && !(piece.role() == Role::Pawn && end_rank) {
                *taken = Some(piece);
            }
        }
        if rng.random() {
            setup.turn = Color::Black;
        }
        // The clock may be anywhere, also where it ends the game.
        setup.halfmove_clock = rng.random_range(0..=100) * u16::from(rng.random_bool(0.3));
        if let Ok(position) = Position::from_setup(&setup) {
            return position;
        }
    }
}

/// A game of random length from the start, or from an odd set-up.
pub fn random_game(rng: &mut StdRng) -> Game {
    let (start, longest) = if rng.random() {
        (Position::start(), 200)
    } else {
        (odd_set_up(rng), 20)
    };
    let mut game = Game::new(start);
    for _ in 0..rng.random_range(0..=longest) {
        let moves = game.position().legal_moves();
        let Some(&mv) = moves.choose(rng) else {
            break;
        };
        game.play(mv).expect("legal");
    }
    game
}

/// Searches so many random positions at depth 4, without forgetting between them, so that the table
/// holds what belongs to others.
fn survey(seed: u64, positions: usize) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut searcher = Searcher::new(1);
    for _ in 0..positions {
        let game = random_game(&mut rng);
        let root = *game.position();
        let (outcome, _) = search(&mut searcher, &game, &Limits::depth(4));
        assert_eq!(outcome.best.is_some(), root.count_moves() > 0, "{root}");
        let mates_now = !mating_moves(&root, 1).is_empty();
        let claimed = outcome.score == Score::mate_in(1);
        assert_eq!(claimed, mates_now, "{root}: {}", outcome.score);
        // What is said to be mate is mate. Longer ones would take too long to prove.
        let proven = match outcome.score.ce() {
            32764 => can_mate(&root, 2),
            -32765 => is_lost(&root, 1),
            _ => true,
        };
        assert!(proven, "{root}: {}", outcome.score);
    }
}

#[test]
fn random_positions_do_no_harm() {
    survey(1, 500);
}

/// One hundred thousand of them:
/// `cargo test --release -p epode-engine -- --ignored`
/// Last done 2026-11-21.
#[test]
#[ignore = "takes minutes"]
fn a_hundred_thousand_random_positions_do_no_harm() {
    const BATCH: usize = 1_000;
    let next = AtomicU64::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let batch = next.fetch_add(1, Relaxed);
                    if batch >= 100 {
                        break;
                    }
                    survey(1_000 + batch, BATCH);
                }
            });
        }
    });
}

/// Boards on which everything captures everything come to rest too, within a fraction of a second. How many
/// nodes it takes depends on the network: 271,745 on the first board with the sixth, 811,945 with the ninth.
#[test]
fn crowded_boards_come_to_rest() {
    for fen in CROWDS {
        let outcome = fresh(&game(fen), &Limits::depth(1));
        assert!(outcome.nodes < 2_000_000, "{fen}: {}", outcome.nodes);
    }
}
