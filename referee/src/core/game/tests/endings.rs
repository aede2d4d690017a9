//! Endings from outside, by evaluations and by tablebases.

use std::sync::Arc;

use movegen::pgn::Outcome;
use movegen::{Color, Position};

use super::{Board, ending};
use crate::core::adjudication::{Adjudication, Agreement, Judge, TablebaseMode};
use crate::core::ending::{Absence, Ending, Reason};
use crate::core::game::{Out, Rules};
use crate::core::openings::Opening;

/// Decisions 81 and 99.
#[test]
fn games_are_ended_from_outside() {
    let mut board = Board::new();
    board.ask();
    let out = board.referee.decide(&Ending::decided(Outcome::Draw, None));
    assert_eq!(
        ending(&out).as_deref(),
        Some("Draw: decision of the arbiter")
    );
    assert!(
        board
            .referee
            .decide(&Ending::decided(Outcome::Draw, None))
            .is_empty(),
        "once"
    );
    let mut board = Board::new();
    board.ask();
    let out = board.referee.fault(Color::White, "it broke");
    assert_eq!(
        ending(&out).as_deref(),
        Some("Black wins: White reports a fault: it broke")
    );
}

/// Decision 62: once the board has decided, nothing that happens to the players does.
#[test]
fn a_decided_game_stays_decided() {
    for what in ["forfeit", "adjudication", "flood"] {
        let mut board = Board::new();
        board.play("f3 e5 g4 Qh4#");
        let out = match what {
            "forfeit" => board.referee.decide(&Ending::loss(
                Color::Black,
                Reason::Absent(Absence::Disconnect),
            )),
            "adjudication" => board.referee.decide(&Ending::decided(Outcome::Draw, None)),
            _ => board.referee.protocol_fault(Color::Black, "noise"),
        };
        let ending = ending(&out);
        assert_eq!(ending.as_deref(), Some("Black wins: checkmate"), "{what}");
    }
}

/// A score that no engine has must not stop the referee of other games.
#[test]
fn scores_beyond_the_scale_count_as_its_end() {
    let rules = Rules {
        adjudication: Adjudication {
            draw: Some(Agreement {
                score: 10,
                moves: 5,
                from_move: 0,
            }),
            win: Some(Agreement {
                score: 1000,
                moves: 1,
                from_move: 0,
            }),
            ..Adjudication::default()
        },
        ..Rules::default()
    };
    let mut board = Board::with("60", rules);
    board.ask();
    let evals = |out: &[Out]| {
        let evals = out.iter().map(|out| match out {
            Out::Moved(moved) => moved.eval,
            _ => None,
        });
        evals.flatten().collect::<Vec<_>>()
    };
    let out = board.reply("sm e4; ce -2147483648;", 1);
    assert_eq!(evals(&out), [-32_767]);
    let out = board.reply("sm e5; ce 9223372036854775807;", 1);
    assert_eq!(evals(&out), [32_767]);
    assert_eq!(
        ending(&out).as_deref(),
        Some("Black wins: adjudication by evaluation"),
        "both agree"
    );
}

/// Knows the result of every position with three pieces.
#[derive(Debug)]
struct Knowing(Outcome);

impl Judge for Knowing {
    fn result(&self, position: &Position) -> Option<Outcome> {
        (position.occupied().len() == 3).then_some(self.0)
    }
}

/// Tablebases decide a game after a move, as far as their mode goes; checkmate comes before them, and
/// they come before evaluations.
#[test]
fn tablebases_decide_games() {
    let start = "3k4/8/8/8/8/8/4r3/R3K3 w - - 0 1";
    let opening = Opening {
        start: start.parse().expect(start),
        ..Opening::default()
    };
    let board = |outcome, mode| {
        let adjudication = Adjudication {
            mode,
            win: Some(Agreement {
                score: 100,
                moves: 0,
                from_move: 0,
            }),
            ..Adjudication::default()
        };
        let judge: Arc<dyn Judge> = Arc::new(Knowing(outcome));
        let rules = Rules {
            adjudication,
            judge: Some(judge),
            ..Rules::default()
        };
        let mut board = Board::from(&opening, "60", rules);
        board.ask();
        board
    };
    let white = "White wins: adjudication by tablebases";
    let draw = "Draw: adjudication by tablebases";
    let both = Some(TablebaseMode::Both);
    let [wins, draws] = [TablebaseMode::Wins, TablebaseMode::Draws].map(Some);
    for (outcome, mode, expected) in [
        (Outcome::White, None, Some(white)),
        (Outcome::Draw, both, Some(draw)),
        (Outcome::White, wins, Some(white)),
        (Outcome::Draw, wins, None),
        (Outcome::White, draws, None),
        (Outcome::Draw, draws, Some(draw)),
    ] {
        let mut board = board(outcome, mode);
        let out = board.reply("sm Kxe2;", 1);
        assert_eq!(ending(&out).as_deref(), expected, "{outcome} {mode:?}");
        let Out::Moved(moved) = &out[0] else {
            panic!("{out:?}");
        };
        assert_eq!(moved.judged, expected.map(|_| outcome));
    }
    // Evaluations would say that White wins.
    let out = board(Outcome::Draw, None).reply("sm Kxe2; ce 500;", 1);
    assert_eq!(ending(&out).as_deref(), Some(draw));
    // No move without a result.
    let out = board(Outcome::Draw, None).reply("sm Kf1;", 1);
    assert_eq!(ending(&out), None);
}
