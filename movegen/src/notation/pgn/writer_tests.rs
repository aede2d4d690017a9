//! Writing PGN. The referee has the reader and its tests.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

use super::*;
use crate::notation::san;

/// Seeds are fixed unless the environment sets one.
fn config() -> ProptestConfig {
    let mut config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    // A case is one or more games.
    config.cases /= 4;
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(0x0E90_DE06);
    }
    config
}

fn plies(start: &Position, moves: &str) -> Vec<Ply> {
    let mut position = *start;
    let play = |text| {
        let (mv, _) = san::parse_lenient(&position, text).expect(text);
        position.play(mv);
        Ply::new(mv)
    };
    moves.split_whitespace().map(play).collect()
}

fn export(game: &PgnGame) -> String {
    game.export().expect("legal moves")
}

#[test]
fn every_tag_in_its_place() {
    let start: Position = "4k3/8/8/8/8/8/7p/R3K3 b Q - 5 40".parse().expect("legal");
    let mut game = PgnGame {
        event: "Event \"x\" \\ \n".to_owned(),
        site: "Here".to_owned(),
        date: "2025.11.30".to_owned(),
        round: "2.1".to_owned(),
        white: "Á".to_owned(),
        black: "B".to_owned(),
        result: Some(Outcome::Draw),
        start,
        time_control: Some("300+2".to_owned()),
        termination: Some(Termination::TimeForfeit),
        tags: [
            ("WhiteElo", "1"),
            ("Result", "0-1"),
            ("no name", "x"),
            ("", "x"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec(),
        plies: plies(&start, "Kd7 O-O-O+ Kc7 Kc2"),
    };
    game.tags.push(("WhiteElo".to_owned(), "2".to_owned()));
    game.plies[0].comment = Some("a {b}\tc".to_owned());
    game.plies[2].clock = Some(Duration::from_secs(3599));
    assert_eq!(
        export(&game),
        "[Event \"Event \\\"x\\\" \\\\  \"]\n[Site \"Here\"]\n[Date \"2025.11.30\"]\n\
         [Round \"2.1\"]\n[White \"Á\"]\n[Black \"B\"]\n[Result \"1/2-1/2\"]\n[SetUp \"1\"]\n\
         [FEN \"4k3/8/8/8/8/8/7p/R3K3 b Q - 5 40\"]\n[TimeControl \"300+2\"]\n\
         [Termination \"time forfeit\"]\n[PlyCount \"4\"]\n[WhiteElo \"1\"]\n\n\
         40... Kd7 {a (b) c} 41. O-O-O+ Kc7 {[%clk 0:59:59]} 42. Kc2 1/2-1/2\n\n"
    );
}

#[test]
fn annotations() {
    let start = Position::start();
    let mut game = PgnGame {
        plies: plies(&start, "e4 e5 Nf3"),
        ..PgnGame::default()
    };
    game.plies[0].eval = Some(Eval::Centipawns(35));
    game.plies[0].clock = Some(Duration::from_secs(7_325));
    game.plies[0].elapsed = Some(Duration::from_millis(1_234));
    game.plies[1].elapsed = Some(Duration::from_micros(7_900));
    let text = export(&game);
    let (_, moves) = text.split_once("\n\n").expect("two sections");
    assert_eq!(
        moves,
        "1. e4 {[%eval 0.35] [%clk 2:02:05] [%emt 0:00:01.234]} 1... e5\n\
         {[%emt 0:00:00.007]} 2. Nf3 *\n\n"
    );
    for (eval, expected) in [
        (Eval::Centipawns(0), "0.00"),
        (Eval::Centipawns(-5), "-0.05"),
        (Eval::Centipawns(-1234), "-12.34"),
        (Eval::Centipawns(i32::MIN), "-21474836.48"),
        (Eval::Mate(3), "#3"),
        (Eval::Mate(-3), "#-3"),
    ] {
        assert_eq!(eval.to_string(), expected);
    }
}

/// As on Lichess, an evaluation is that of the position after the move.
#[test]
fn scores_of_movers_become_evaluations() {
    for (score, white, black) in [
        (35, "0.35", "-0.35"),
        (-30_000, "-300.00", "300.00"),
        (32_000, "320.00", "-320.00"),
        // The mover mates with this move (but did not), the next, and the one after that.
        (32_766, "#1", "#-1"),
        (32_764, "#1", "#-1"),
        (32_762, "#2", "#-2"),
        // The opponent mates with the next move, and the one after that.
        (-32_765, "#-1", "#1"),
        (-32_763, "#-2", "#2"),
        // Beyond the scale.
        (32_767, "320.00", "-320.00"),
        (i32::MAX, "320.00", "-320.00"),
        (i32::MIN, "-320.00", "320.00"),
    ] {
        let of = |mover| Eval::after_move(score, mover).to_string();
        assert_eq!(of(Color::White), white, "{score}");
        assert_eq!(of(Color::Black), black, "{score}");
    }
}

/// The mating move has `#0`, whatever its score was.
#[test]
fn the_mating_move_has_mate_in_0() {
    let mut game = PgnGame {
        plies: plies(&Position::start(), "f3 e5 g4 Qh4"),
        ..PgnGame::default()
    };
    game.plies[2].eval = Some(Eval::after_move(-32_765, Color::White));
    for expected in [Eval::after_move(32_766, Color::Black), Eval::Centipawns(9)] {
        game.plies[3].eval = Some(expected);
        let text = export(&game);
        assert!(
            text.ends_with("2. g4 {[%eval #-1]} 2... Qh4# {[%eval #0]} *\n\n"),
            "{text}"
        );
    }
    game.plies[3].eval = None;
    assert!(export(&game).ends_with("2... Qh4# *\n\n"));
}

/// A game that starts with other counters has a `FEN` tag.
#[test]
fn other_counters_are_another_start() {
    let mut game = PgnGame::default();
    assert!(!export(&game).contains("SetUp"));
    game.start.set_counters(0, 5);
    assert!(export(&game).contains("\n[SetUp \"1\"]\n[FEN "));
}

#[test]
fn an_illegal_move_is_an_error() {
    let mv = plies(&Position::start(), "e4")[0].mv;
    let game = PgnGame {
        plies: vec![Ply::new(mv), Ply::new(mv)],
        ..PgnGame::default()
    };
    assert_eq!(game.export(), Err(IllegalMove(mv)));
}

#[test]
fn no_line_begins_with_an_escape() {
    let mut game = PgnGame {
        plies: plies(&Position::start(), "e4"),
        ..PgnGame::default()
    };
    game.plies[0].comment = Some(format!("{} % %{}", "x".repeat(71), "y".repeat(200)));
    assert!(export(&game).contains(&format!("x\n %\n %{}\n", "y".repeat(77))));
}

fn any_duration() -> impl Strategy<Value = Option<Duration>> {
    proptest::option::of((0_u64..20_000_000).prop_map(Duration::from_millis))
}

/// A comment of long or special words, or any text.
fn any_comment() -> impl Strategy<Value = Option<String>> {
    let words = vec("[a-z%;{}()\\[\\]\"$*.0-9]{1,12}|[%x]{80,200}", 0..30);
    let text = prop_oneof![words.prop_map(|words| words.join(" ")), any::<String>()];
    proptest::option::of(text)
}

/// A game of random moves. It starts with the position after the first `begin` of them.
fn any_game() -> impl Strategy<Value = PgnGame> {
    let eval = prop_oneof![
        any::<i32>().prop_map(Eval::Centipawns),
        (-99..99).prop_map(Eval::Mate)
    ];
    let ply = (
        any::<Index>(),
        any_duration(),
        any_duration(),
        proptest::option::of(eval),
        any_comment(),
    );
    let result = proptest::sample::select(vec![
        None,
        Some(Outcome::White),
        Some(Outcome::Black),
        Some(Outcome::Draw),
    ]);
    let texts = vec(any::<String>(), 7);
    (vec(ply, 0..120), 0_usize..40, result, texts).prop_map(|(plies, begin, result, texts)| {
        let mut game = PgnGame {
            result,
            event: texts[0].clone(),
            site: texts[1].clone(),
            date: texts[2].clone(),
            round: texts[3].clone(),
            white: texts[4].clone(),
            black: texts[5].clone(),
            tags: vec![("Other".to_owned(), texts[6].clone())],
            ..PgnGame::default()
        };
        let mut position = game.start;
        for (i, (choice, clock, elapsed, eval, comment)) in plies.into_iter().enumerate() {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[choice.index(moves.len())];
            position.play(mv);
            if i < begin {
                game.start = position;
                continue;
            }
            game.plies.push(Ply {
                mv,
                clock,
                elapsed,
                eval,
                comment,
            });
        }
        game
    })
}

/// The position after the moves of a text, without its comments, according to shakmaty.
fn replayed(text: &str, start: &Position) -> Chess {
    let fen: Fen = start.to_string().parse().expect("a position");
    let mut position: Chess = fen.into_position(CastlingMode::Standard).expect("legal");
    let (_, moves) = text.split_once("\n\n").expect("two sections");
    let uncommented: String = moves
        .split('{')
        .enumerate()
        .map(|(i, part)| match part.split_once('}') {
            Some((_, after)) if i > 0 => after,
            _ => part,
        })
        .collect();
    for word in uncommented.split_whitespace() {
        if word.ends_with('.') || matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
            continue;
        }
        let san: shakmaty::san::SanPlus = word.parse().expect(word);
        let mv = san.san.to_move(&position).expect(word);
        position.play_unchecked(mv);
    }
    position
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn another_program_plays_the_same_moves(game in any_game()) {
        let mut position = game.start;
        for ply in &game.plies {
            position.play(ply.mv);
        }
        let replayed = replayed(&export(&game), &game.start);
        let fen = Fen::from_position(&replayed, EnPassantMode::Always).to_string();
        prop_assert_eq!(fen, position.to_string());
    }

    #[test]
    fn lines_are_short_and_none_is_an_escape(game in any_game()) {
        let text = export(&game);
        let (tags, moves) = text.split_once("\n\n").expect("two sections");
        prop_assert!(tags.lines().all(|line| line.starts_with('[') && line.ends_with("\"]")));
        let (moves, rest) = moves.split_once("\n\n").expect("a blank line at the end");
        prop_assert!(rest.is_empty());
        for line in moves.split('\n') {
            prop_assert!((1..80).contains(&line.chars().count()), "{:?}", line);
            prop_assert!(!line.starts_with('%') && !line.ends_with(' '), "{:?}", line);
        }
    }
}
