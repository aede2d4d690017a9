//! The broadcast, event by event. The laws of events (`event/tests/laws.rs`) try it on random ones.

use super::*;
use crate::core::equipment::{Conditions, Equipment};
use crate::core::event::stream::{GameReport, HalfMove};
use movegen::{CastlingMode, Position, UciMove};

fn half_move(ply: usize, text: &str) -> HalfMove {
    let position = Position::start();
    let uci: UciMove = text.parse().expect(text);
    let mv = uci.find(&position).expect(text);
    let mut half_move = HalfMove::new(ply, &position, mv, CastlingMode::Standard);
    half_move.eval = Some(ply as i32);
    half_move.search.depth = Some(9);
    half_move
}

fn moved(game: usize, ply: usize) -> Report {
    Report::Move {
        game,
        player: "Ann".to_owned(),
        half_move: half_move(ply, "e2e4"),
        lag_ms: 0.0,
    }
}

fn game(number: usize, plies: usize) -> Report {
    Report::Game(Box::new(GameReport {
        game: number,
        round: "1.1".to_owned(),
        white: "Ann".to_owned(),
        black: "Bob".to_owned(),
        elo: [None; 2],
        date: String::new(),
        fen: Position::start().to_string(),
        opening: None,
        opening_moves: Vec::new(),
        opening_comment: None,
        clocks_ms: [None; 2],
        turn_ms: None,
        is_paused: false,
        conditions: Conditions::default(),
        moves: (1..=plies).map(|ply| half_move(ply, "e2e4")).collect(),
    }))
}

fn result(game: usize) -> Report {
    Report::Result {
        game,
        white: "Ann".to_owned(),
        black: "Bob".to_owned(),
        result: "1-0".to_owned(),
        termination: "normal".to_owned(),
        reason: "White wins".to_owned(),
        verdict: None,
        plies: 2,
        is_unplayed: false,
    }
}

/// What is broadcast, in words.
fn words(published: &[Published]) -> Vec<String> {
    let words = published.iter().map(|published| match &published.report {
        Report::Game(game) => {
            let evals: Vec<_> = game.moves.iter().map(|mv| mv.eval).collect();
            format!("game {} {evals:?}", game.game)
        }
        Report::Move {
            game, half_move, ..
        } => format!("move {game} {} {:?}", half_move.ply, half_move.eval),
        Report::Thinking {
            game,
            ply,
            eval,
            search,
        } => format!("thinking {game} {ply} {eval:?} {:?}", search.depth),
        Report::Result { game, .. } => format!("result {game}"),
        other => serde_json::to_string(other).expect("JSON"),
    });
    words.collect()
}

fn broadcast(rules: Broadcast, reports: impl IntoIterator<Item = Report>) -> Vec<Vec<String>> {
    let mut broadcaster = Broadcaster::new(rules);
    let reports = reports.into_iter();
    reports
        .map(|report| words(&broadcaster.push(report, "")))
        .collect()
}

#[test]
fn thinking_follows_the_reply() {
    let reports = [
        game(1, 0),
        moved(1, 1),
        moved(2, 1),
        moved(1, 2),
        game(1, 2),
        moved(1, 3),
        result(1),
    ];
    let told = broadcast(Broadcast::default(), reports.clone());
    assert_eq!(
        told,
        [
            vec!["game 1 []"],
            vec!["move 1 1 None"],
            vec!["move 2 1 None"],
            vec!["thinking 1 1 Some(1) Some(9)", "move 1 2 None"],
            vec!["game 1 [Some(1), None]"],
            vec!["thinking 1 2 Some(2) Some(9)", "move 1 3 None"],
            vec!["thinking 1 3 Some(3) Some(9)", "result 1"],
        ]
    );
    let shown = Broadcast {
        show_thinking: true,
        ..Broadcast::default()
    };
    assert_eq!(broadcast(shown, reports)[1], ["move 1 1 Some(1)"]);
}

#[test]
fn games_wait_for_moves() {
    let rules = Broadcast {
        delay: Delay::Plies(2),
        show_thinking: true,
        ..Broadcast::default()
    };
    let told = broadcast(
        rules,
        [
            game(1, 0),
            moved(1, 1),
            game(2, 0),
            moved(1, 2),
            moved(1, 3),
            result(1),
        ],
    );
    assert_eq!(
        told,
        [
            vec![],
            vec![],
            vec![],
            vec!["game 1 []"],
            vec!["move 1 1 Some(1)"],
            vec!["move 1 2 Some(2)", "move 1 3 Some(3)", "result 1"],
        ] as [Vec<&str>; 6]
    );
}

#[test]
fn addresses_are_private() {
    let reports = [
        Report::SignOn {
            player: "Ann".to_owned(),
            peer: "203.0.113.7:4000".to_owned(),
            equipment: Equipment {
                machine: Some("abacus".to_owned()),
                speed: None,
            },
            time_control: None,
        },
        Report::Refused {
            peer: "203.0.113.8:4000".to_owned(),
            name: None,
            why: "a wrong password".to_owned(),
        },
        Report::PassedOver {
            player: "Ann".to_owned(),
            text: "junk".to_owned(),
        },
    ];
    let told = broadcast(Broadcast::default(), reports);
    assert_eq!(told.iter().map(Vec::len).collect::<Vec<_>>(), [1, 0, 0]);
    assert!(
        !told[0][0].contains("203") && told[0][0].contains("abacus"),
        "{told:?}"
    );
}

#[test]
fn delays_are_times_or_plies() {
    for (text, delay, shown) in [
        ("30s", Delay::Time(Duration::from_secs(30)), "30s"),
        ("2min", Delay::Time(Duration::from_mins(2)), "2m"),
        ("3 plies", Delay::Plies(3), "3 plies"),
        ("1 ply", Delay::Plies(1), "1 ply"),
        ("0 plies", Delay::None, "none"),
        ("0s", Delay::None, "none"),
    ] {
        assert_eq!(text.parse(), Ok(delay));
        assert_eq!(delay.to_string(), shown);
    }
    for text in ["", "3", "plies", "-1 plies", "3 moves"] {
        let error = text.parse::<Delay>().expect_err(text).to_string();
        assert!(error.contains("expected for example 30s, 2min or 3 plies"));
    }
}
