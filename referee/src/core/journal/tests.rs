//! What is written is what is read, and what is refused.

use std::time::Duration;

use epd::protocol::PlayerActions;
use movegen::pgn::Outcome;
use movegen::{Position, UciMove};

use super::write::MAX_ORDER;
use super::{Entry, is_too_long, read};
use crate::core::equipment::{Conditions, Equipment};
use crate::core::openings::Opening;
use crate::core::schedule::Meeting;
use crate::core::time_control::Control;

fn entries() -> Vec<Entry> {
    let start = Position::start();
    let find = |text: &str, position: &Position| {
        text.parse::<UciMove>()
            .expect(text)
            .find(position)
            .expect(text)
    };
    let e4 = find("e2e4", &start);
    let mut after = start;
    after.play(e4);
    vec![
        Entry::Begun {
            game: 3,
            white: "A".to_owned(),
            black: "B 'b'".to_owned(),
            opening: Opening {
                start,
                moves: vec![e4],
                name: Some("King's pawn".to_owned()),
            },
            date: "2026.11.21".to_owned(),
            time_control: Some("60+1".to_owned()),
            conditions: Conditions {
                equipment: [
                    Equipment::default(),
                    Equipment {
                        machine: Some("abacus, 1 thread".to_owned()),
                        speed: Some(12),
                    },
                ],
                time_controls: Some(
                    ["60+1", "120+2"].map(|text| Control(text.parse().expect(text))),
                ),
            },
        },
        Entry::Moved {
            game: 3,
            before: after,
            mv: find("e7e5", &after),
            used: [Duration::from_millis(1), Duration::from_millis(61_234)],
            elapsed: Duration::from_millis(61_234),
            eval: Some(-15),
            actions: PlayerActions::OFFER_DRAW,
            judged: Some(Outcome::Draw),
        },
        Entry::Ended {
            game: 3,
            position: after,
            result: "1-0".to_owned(),
            termination: "time forfeit".to_owned(),
            forfeit: Some("time".to_owned()),
            text: "White wins: Black loses on time".to_owned(),
        },
        Entry::Withdrawn {
            game: 3,
            position: start,
            text: "to be replayed".to_owned(),
        },
        ordered(
            after,
            "extend 3 black 30s --reason 'the \"network\" \\ was down' --by Björn",
        ),
        ordered(start, &format!("message '{}'", "long ".repeat(200))),
        Entry::Term {
            term: 2,
            at: "2026-11-23T02:46:10.123Z".to_owned(),
        },
        Entry::Paired {
            meeting: Meeting {
                round: 3,
                white: 3,
                black: Some(6),
                games: 2,
            },
            names: ["A".to_owned(), "B 'b'".to_owned()],
            board: 2,
            boards: 5,
        },
        Entry::Paired {
            meeting: Meeting::bye(3, 0),
            names: ["C".to_owned(), String::new()],
            board: 5,
            boards: 5,
        },
    ]
}

fn ordered(position: Position, line: &str) -> Entry {
    Entry::Ordered {
        given: line.parse().expect(line),
        at: "2026-11-23T02:46:10.123Z".to_owned(),
        position,
    }
}

#[test]
fn what_is_written_is_what_is_read() {
    let text: String = entries().iter().map(Entry::line).collect();
    assert_eq!(read(text.as_bytes()), Ok((entries(), text.len())));
    let moved = entries()[1].line();
    assert_eq!(
        moved,
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 Game 3; Tablebases \"1/2-1/2\"; ce -15; \
         ctcc 000.00:00:00.001 000.00:01:01.234; cte 000.00:01:01.234; draw_offer; fmvn 1; hmvc 0; sm e5;\n"
    );
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let paired: Vec<_> = entries()[7..].iter().map(Entry::line).collect();
    let expected = [
        "Board 2 5; Games 2; Players 4 7; Round 3; fmvn 1; hmvc 0; ptp White \"A\" Black \"B 'b'\";",
        "Board 5 5; Games 0; Players 1; Round 3; fmvn 1; hmvc 0; ptp White \"C\";",
    ];
    assert_eq!(paired, expected.map(|line| format!("{start} {line}\n")));
}

#[test]
fn orders_are_lines_of_text() {
    let order = &entries()[4];
    assert_eq!(order.game(), Some(3));
    assert_eq!(
        order.line(),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 By \"Bj\\u{f6}rn\"; Game 3; \
         Order \"extend 3 black 30s\"; Reason \"the \\u{22}network\\u{22} \\u{5c} was down\"; \
         Time \"2026-11-23T02:46:10.123Z\"; fmvn 1; hmvc 0;\n"
    );
    let Entry::Ordered { given, .. } = &entries()[5] else {
        panic!("an order");
    };
    assert!(!is_too_long(given));
    let longest = format!("message {}", "x".repeat(MAX_ORDER - 8));
    let line = ordered(Position::start(), &longest).line();
    assert!(read(line.as_bytes()).is_ok() && line.len() <= 4095);
    let given = format!("{longest}x").parse().expect("an order");
    assert!(is_too_long(&given));
}

/// A crash at any byte loses the line that was being written and nothing else.
#[test]
fn a_torn_line_does_not_count() {
    let lines: Vec<_> = entries().iter().map(Entry::line).collect();
    let text = lines.concat();
    for end in 0..=text.len() {
        let (found, whole) = read(&text.as_bytes()[..end]).expect("readable");
        let lengths = lines.iter().scan(0, |sum, line| {
            *sum += line.len();
            Some(*sum)
        });
        let complete = lengths.take_while(|&length| length <= end).count();
        assert_eq!(found, entries()[..complete], "{end}");
        assert_eq!(whole, lines[..complete].concat().len());
    }
}

#[test]
fn lines_that_are_no_entries() {
    for (line, what) in [
        ("nonsense\n", "1: column 9"),
        ("8/8/8/8/8/k7/8/K7 w - - bm Kb1;\n", "1: no game"),
        ("8/8/8/8/8/k7/8/K7 w - - Game 1; sm Kb1;\n", "1: no clocks"),
        ("8/8/8/8/8/k7/8/K7 w - - Game 1; sm Ka2;\n", "1: sm: Ka2"),
        ("8/8/8/8/8/k7/8/K7 w - - Game 1;\n", "1: no White"),
        (
            "8/8/8/8/8/k7/8/K7 w - - Board 1 1; Games 2; Players 0 1; Round 1;\n",
            "1: Players: expected numbers from 1",
        ),
        (
            "8/8/8/8/8/k7/8/K7 w - - Board 1; Games 2; Players 1 2; Round 1;\n",
            "1: Board: expected two numbers",
        ),
        (
            "8/8/8/8/8/k7/8/K7 w - - Board 1 1; Games x; Players 1 2; Round 1;\n",
            "1: Games: \"x\" is not a number",
        ),
        (
            "8/8/8/8/8/k7/8/K7 w - - Order \"sing\"; Time \"x\";\n",
            "1: Order: unrecognized subcommand 'sing'",
        ),
    ] {
        let error = read(line.as_bytes()).expect_err(line).to_string();
        assert!(error.starts_with(what), "{error}");
    }
}
