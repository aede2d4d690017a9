//! The mate solver, held against the rules themselves: a full-width search without a table, an order
//! or a shortcut.

use std::sync::atomic::Ordering;
use std::time::Duration;

use epode_engine::{Limits, Mate, MateOutcome, MateSolver, Signals};
use movegen::{Color, Move, Piece, Position, Role, Setup, Square};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// Whether the side to move mates within so many moves, by the rules alone.
fn mates(position: &Position, moves: usize) -> bool {
    moves > 0
        && !is_drawn(position)
        && position.legal_moves().iter().any(|&mv| {
            let mut after = *position;
            after.play(mv);
            is_mated(&after, moves - 1)
        })
}

/// Whether the side to move is mated within so many moves of the other side.
fn is_mated(position: &Position, moves: usize) -> bool {
    if position.is_checkmate() {
        return true;
    }
    let replies = position.legal_moves();
    moves > 0
        && !is_drawn(position)
        && !replies.is_empty()
        && replies.iter().all(|&mv| {
            let mut after = *position;
            after.play(mv);
            mates(&after, moves)
        })
}

/// Decision 78: where it is no mate, fifty moves are a draw.
fn is_drawn(position: &Position) -> bool {
    position.halfmove_clock() >= 100
}

fn solve(position: &Position, moves: usize) -> MateOutcome {
    let mut solver = MateSolver::new(1).expect("little");
    solver.solve(position, moves, &Limits::default(), &Signals::default())
}

/// The shortest mate of the rules, within so many moves.
fn shortest(position: &Position, most: usize) -> Option<usize> {
    (1..=most).find(|&moves| mates(position, moves))
}

/// The line mates in so many moves, and neither side has better.
fn check_line(start: &Position, line: &[Move], moves: usize) {
    assert_eq!(line.len(), 2 * moves - 1, "{start}");
    let mut position = *start;
    for (i, &mv) in line.iter().enumerate() {
        position.try_play(mv).expect("a legal move");
        let left = moves - 1 - i / 2;
        if i % 2 == 0 {
            assert!(is_mated(&position, left), "{mv} takes too long: {start}");
        } else {
            assert!(!mates(&position, left - 1), "{mv} helps: {start}");
        }
    }
    assert!(position.is_checkmate(), "{start}");
}

/// Holds the solver against the rules, with a table and with next to none; returns the length of the
/// mate.
fn compare(position: &Position, most: usize) -> Option<usize> {
    let expected = shortest(position, most);
    for mebibytes in [0, 1] {
        let mut solver = MateSolver::new(mebibytes).expect("little");
        let outcome = solver.solve(position, most, &Limits::default(), &Signals::default());
        match outcome.mate {
            Mate::Found(line) => {
                let moves = expected.unwrap_or_else(|| panic!("no mate: {position}"));
                check_line(position, &line, moves);
            }
            Mate::None => assert_eq!(expected, None, "{position}"),
            Mate::Undecided { .. } => panic!("without limits: {position}"),
        }
    }
    expected
}

/// A legal position of these pieces on random squares.
fn random_position(random: &mut StdRng, pieces: &[Piece]) -> Position {
    loop {
        let mut setup = Setup::empty();
        for &piece in pieces {
            let square: Vec<_> = Square::all().collect();
            let square = square.choose(random).expect("there are squares");
            setup.board[square.index()] = Some(piece);
        }
        setup.turn = Color::ALL[random.random_range(0..2)];
        setup.halfmove_clock = [0, 0, random.random_range(93..=100)][random.random_range(0..3)];
        let Ok(position) = Position::from_setup(&setup) else {
            continue;
        };
        if position.occupied().len() as usize == pieces.len() {
            return position;
        }
    }
}

/// White's pieces in capitals, Black's in small letters.
fn pieces(letters: &str) -> Vec<Piece> {
    let piece = |letter: char| {
        let color = Color::ALL[usize::from(letter.is_lowercase())];
        let role = Role::ALL.into_iter();
        let mut role = role.filter(|role| role.to_char().eq_ignore_ascii_case(&letter));
        Piece::new(color, role.next().expect("a letter"))
    };
    letters.chars().map(piece).collect()
}

#[test]
fn random_positions() {
    let mut random = StdRng::seed_from_u64(6);
    let mut lengths = [0; 4];
    for (letters, most, count) in [
        ("KQRkp", 2, 1000),
        ("KRRkn", 2, 1000),
        ("KQkqrn", 2, 500),
        ("KRBNkppp", 2, 200),
        ("KPPPkppp", 2, 1000),
        ("KQRBNkqrbn", 2, 100),
        ("KQk", 3, 600),
        ("KRRk", 3, 200),
        ("KPPkp", 3, 500),
        ("KBNkp", 3, 60),
    ] {
        let pieces = pieces(letters);
        for _ in 0..count {
            let length = compare(&random_position(&mut random, &pieces), most);
            lengths[length.unwrap_or(0)] += 1;
        }
    }
    println!("no mate, mates in 1, 2, 3: {lengths:?}");
    assert!(lengths.iter().all(|&count| count > 20), "{lengths:?}");
}

/// Positions of games, with castling and en passant.
#[test]
fn random_games() {
    let mut random = StdRng::seed_from_u64(7);
    let mut found = 0;
    for text in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -",
        "r3k2r/8/8/8/8/8/8/R2QK2R w KQkq -",
    ] {
        for _ in 0..6 {
            let mut position: Position = text.parse().expect(text);
            for _ in 0..40 {
                let moves = position.legal_moves();
                let Some(&mv) = moves.choose(&mut random) else {
                    break;
                };
                position.play(mv);
                let most = if position.occupied().len() > 20 { 1 } else { 2 };
                found += usize::from(compare(&position, most).is_some());
            }
        }
    }
    assert!(found > 10, "{found}");
}

/// What the rules have beside the usual, each as the only way to mate.
#[test]
fn unusual_mates() {
    for (text, first, moves) in [
        // Only a knight gives check.
        ("7n/5Ppk/7p/8/8/8/B7/2K5 w - -", "f7f8n", 1),
        // A queen stalemates.
        ("8/5P1k/5K2/8/8/8/8/8 w - -", "f7f8r", 2),
        // The capture opens the file.
        ("3rkr2/5p2/1N6/3pP3/8/8/8/K3R3 w - d6", "e5d6", 1),
        // The king guards c2 when it is on c1.
        ("4R3/8/8/8/8/1P1k4/1P6/R3K3 w Q -", "e1c1", 1),
        // A double check (Reti against Tartakower).
        (
            "rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq -",
            "d3d8",
            3,
        ),
        // A smothered mate, with a double check on the way.
        ("r6k/6pp/8/6N1/8/1Q6/8/6K1 w - -", "g5f7", 4),
    ] {
        let position: Position = text.parse().expect(text);
        let Mate::Found(line) = solve(&position, 5).mate else {
            panic!("{text}");
        };
        assert_eq!(line[0].to_string(), first, "{text}");
        if moves < 3 {
            check_line(&position, &line, moves);
        }
        assert_eq!(line.len(), 2 * moves - 1, "{text}");
        assert_eq!(solve(&position, moves - 1).mate, Mate::None, "{text}");
    }
    // Without the right there is no such move.
    for text in [
        "3rkr2/5p2/1N6/3pP3/8/8/8/K3R3 w - -",
        "4R3/8/8/8/8/1P1k4/1P6/R3K3 w - -",
    ] {
        assert_eq!(solve(&text.parse().expect(text), 1).mate, Mate::None);
    }
}

/// Where the game is over, or the pieces do not suffice, nothing is to be found.
#[test]
fn there_is_no_mate() {
    for text in [
        "3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - -",
        "7k/5Q2/6K1/8/8/8/8/8 b - -",
        "7k/8/6K1/8/8/8/8/6N1 w - -",
        "7k/8/6K1/8/8/8/8/6q1 w - -",
    ] {
        let outcome = solve(&text.parse().expect(text), MateSolver::MAX_MOVES);
        assert_eq!(outcome.mate, Mate::None);
        assert!(outcome.nodes < 1000, "{}", outcome.nodes);
    }
    let start = Position::start();
    let outcome = solve(&start, 3);
    assert_eq!(outcome.mate, Mate::None);
    assert_eq!(solve(&start, 0).mate, Mate::None);
}

/// Two rooks mate in two unless the fifty-move rule comes first.
#[test]
fn the_fifty_move_rule_counts() {
    for (clock, expected) in [
        (0, true),
        (97, true),
        (98, false),
        (99, false),
        (100, false),
    ] {
        let text = format!("7k/8/R7/1R6/8/8/8/K7 w - - {clock} 60");
        let position: Position = text.parse().expect("legal");
        assert_eq!(compare(&position, 2), expected.then_some(2), "{clock}");
    }
    // A mate that comes at the same time goes before.
    let position: Position = "7k/R7/1R6/8/8/8/8/K7 w - - 99 60".parse().expect("legal");
    assert_eq!(compare(&position, 2), Some(1));
    // What one clock says is not taken for another, in one table.
    let mut solver = MateSolver::new(1).expect("little");
    for clock in [0, 98, 97, 99, 0, 98] {
        let text = format!("7k/8/R7/1R6/8/8/8/K7 w - - {clock} 60");
        let position: Position = text.parse().expect("legal");
        let outcome = solver.solve(&position, 2, &Limits::default(), &Signals::default());
        assert_eq!(
            matches!(outcome.mate, Mate::Found(_)),
            clock < 98,
            "{clock}"
        );
    }
}

/// What ends a search ends it, and says what is known by then.
#[test]
fn limits_and_signals() {
    // Two bishops mate, in many moves.
    let position: Position = "8/8/8/3k4/8/8/8/K1BB4 w - -".parse().expect("legal");
    let solve = |solver: &mut MateSolver, limits: &Limits, signals: &Signals| {
        solver.solve(&position, 60, limits, signals)
    };
    let mut solver = MateSolver::new(1).expect("little");
    let mut before = 0;
    for nodes in [1, 100, 10_000, 100_000] {
        solver.clear();
        let outcome = solve(&mut solver, &Limits::nodes(nodes), &Signals::default());
        let Mate::Undecided { none_in } = outcome.mate else {
            panic!("{:?}", outcome.mate);
        };
        assert_eq!(outcome.nodes, nodes);
        assert!(none_in >= before);
        before = none_in;
        // The same again, whatever came between.
        solver.clear();
        let again = solve(&mut solver, &Limits::nodes(nodes), &Signals::default());
        assert_eq!((again.mate, again.nodes), (outcome.mate, outcome.nodes));
    }
    assert!((3..19).contains(&before), "{before}");
    let time = Duration::from_millis(20);
    let outcome = solve(&mut solver, &Limits::time(time), &Signals::default());
    assert!(matches!(outcome.mate, Mate::Undecided { .. }) && outcome.time >= time);
    let signals = Signals::default();
    signals.stop.store(true, Ordering::Relaxed);
    let outcome = solve(&mut solver, &Limits::default(), &signals);
    assert!(matches!(outcome.mate, Mate::Undecided { .. }) && outcome.nodes <= 1024);
}

/// The lengths that tablebases give, of all endings that mate in at most seven moves; of those that
/// take longer, that they do.
#[test]
fn lengths_of_tablebases_in_shared_suites() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/suites");
    let mut checked = 0;
    for name in ["endgame-dm-4.epd", "endgame-dm-5.epd"] {
        let Ok(text) = std::fs::read_to_string(format!("{folder}/{name}")) else {
            println!("no ../shared/suites/{name}: nothing checked");
            continue;
        };
        for line in text.lines().filter(|line| line.contains(" dm ")) {
            let (fields, rest) = line.split_once(" dm ").expect("it is there");
            let length: i32 = rest.trim_end_matches(';').parse().expect(line);
            let most = if (1..=7).contains(&length) { 7 } else { 4 };
            let position: Position = fields.parse().expect(line);
            let mut solver = MateSolver::new(16).expect("little");
            let outcome = solver.solve(&position, most, &Limits::default(), &Signals::default());
            let found = match outcome.mate {
                Mate::Found(line) => line.len().div_ceil(2) as i32,
                other => {
                    assert_eq!(other, Mate::None, "{line}");
                    0
                }
            };
            assert_eq!(found, if most == 7 { length } else { 0 }, "{line}");
            checked += usize::from(found > 0);
        }
        assert!(checked > 5, "{name}");
    }
}
