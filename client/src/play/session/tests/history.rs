//! Positions, counters and move history.

use super::*;

/// Decision 43: a game may begin with any command.
#[test]
fn respond_without_reset() {
    for command in ["respond", "execute"] {
        let mut seat = Seat::with(DrawResignPolicy::default());
        let heard = seat.hear(EN_PASSANT, &format!("refcom {command}; sm exf6;"));
        assert_eq!(heard[..2], ["abort", "new game"]);
        assert_eq!(seat.moves(), "e5f6");
    }
    // Another game can begin in this way.
    let mut seat = Seat::new();
    seat.receive("refcom inform; ptp Result \"1-0\";");
    seat.play("", "e4");
    seat.receive("refcom conclude;");
    assert_eq!(
        seat.hear(START, "refcom respond; sm e4;"),
        ["abort", "new game", "think"]
    );
    assert_eq!(seat.session.color, Some(Color::Black));
    assert!(seat.session.tags.is_empty());
}

/// Decisions 44, 45 and 49: a reply holds the position from which its move is played, with its
/// counters.
#[test]
fn a_reply_holds_the_position_before_its_move() {
    let mut seat = Seat::new();
    seat.receive("refcom respond; sm e4;");
    let result = seat.result("Nf6", 0);
    let actions = seat.session.answer(&result, seat.now);
    let Action::Send(request) = &actions[0] else {
        panic!("{actions:?}");
    };
    assert_eq!(
        request.record().to_string(),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 fmvn 1; hmvc 0; refreq reply; sm Nf6;"
    );
    // The move is played when it is sent.
    assert_eq!(seat.moves(), "e2e4 g8f6");
    assert_eq!(seat.counters(), (1, 2));
}

/// Decision 46: an en passant square without a capture does not make another position.
#[test]
fn history_is_kept_whatever_the_idle_square() {
    for square in ["e3", "-"] {
        let mut seat = Seat::new();
        seat.play("", "e4");
        let fields = format!("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq {square}");
        assert_eq!(seat.hear(&fields, "refcom execute; sm e5;"), ["abort"]);
        assert_eq!(seat.moves(), "e2e4 e7e5");
    }
    // With a possible capture the position differs.
    let mut seat = Seat::new();
    seat.hear(EN_PASSANT, "refcom reset;");
    seat.play("", "Nf3");
    seat.hear(EN_PASSANT, "refcom respond;");
    seat.hear(&EN_PASSANT.replace("f6", "-"), "refcom respond;");
    assert_eq!(seat.fields(), EN_PASSANT.replace("f6", "-"));
}

/// Decisions 49 and 94: another position, or other counters, clear the history.
#[test]
fn another_position_clears_the_history() {
    let forgotten =
        "tell the referee's position is another than ours; the moves before it are forgotten";
    let mut seat = Seat::new();
    seat.play("", "Nf3");
    assert_eq!(seat.receive("refcom execute; hmvc 1; fmvn 1;"), ["abort"]);
    assert_eq!(seat.moves(), "g1f3");
    assert_eq!(
        seat.receive("refcom execute; hmvc 7;"),
        ["abort", forgotten]
    );
    // Counters that are not sent are kept.
    assert_eq!((seat.moves().as_str(), seat.counters()), ("", (7, 1)));
    seat.receive("refcom execute; sm Nf6;");
    assert_eq!(seat.counters(), (8, 2));
    assert_eq!(
        seat.receive("refcom execute; fmvn 9;"),
        ["abort", forgotten]
    );
    assert_eq!((seat.moves().as_str(), seat.counters()), ("", (8, 9)));
    // With another position they are reset.
    seat.hear(EN_PASSANT, "refcom execute;");
    assert_eq!(
        (seat.fields().as_str(), seat.counters()),
        (EN_PASSANT, (0, 1))
    );
}

/// Decision 50: losing a castling right does not reset the halfmove clock.
#[test]
fn counters_are_those_of_the_opcode() {
    let mut seat = Seat::new();
    seat.hear(
        "4k3/8/8/8/8/8/8/4K2R w K -",
        "refcom reset; hmvc 5; fmvn 9;",
    );
    seat.play("", "Rg1");
    assert_eq!(seat.counters(), (6, 9));
    seat.play("sm Kd7;", "Rg7+");
    assert_eq!(seat.counters(), (8, 10));
}

/// Repetitions count from the position that was set up, the fifty-move count from `hmvc` (decision 51).
#[test]
fn what_came_before_a_position_is_unknown() {
    let mut seat = Seat::new();
    seat.hear(
        "4k3/8/8/8/8/8/8/4K2R w - -",
        "refcom reset; hmvc 97; fmvn 60;",
    );
    assert_eq!(seat.session.game.repetitions(), 1);
    seat.play("", "Rh2");
    seat.receive("refcom respond; sm Kd7;");
    assert_eq!(
        seat.think("Rh3", 0),
        ["draw_claim; refreq reply; sm Rh3;", "ponder"]
    );
}

/// Decision 52: the moves from the position onward, of which `sm` is the first.
#[test]
fn history_that_is_sent() {
    for (operations, moves) in [
        ("refcom reset; sv Nf3 Nf6;", "g1f3 g8f6"),
        ("refcom reset; sm Nf3; sv Nf3 Nf6;", "g1f3 g8f6"),
        ("refcom reset; sm Nf3;", "g1f3"),
        (
            "refcom execute; sv Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8;",
            "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
        ),
        ("refcom respond; sm Nf3; sv Nf3;", "g1f3"),
    ] {
        let mut seat = Seat::new();
        seat.receive(operations);
        assert_eq!(seat.moves(), moves, "{operations}");
    }
    for (operations, why) in [
        (
            "refcom execute; sm Nc3; sv Nf3 Nf6;",
            "sm is not the first move of sv",
        ),
        ("refcom execute; sm Nf6; sv Nf3 Nf6;", "illegal move Nf6"),
        ("refcom reset; sm e5;", "illegal move e5"),
    ] {
        let mut seat = Seat::new();
        assert!(
            seat.receive(operations).ends_with(&fault(why)),
            "{operations}"
        );
        assert_eq!(seat.moves(), "");
    }
    let mut seat = Seat::new();
    let heard = seat.receive("refcom execute; sv Nf3 Nf3;");
    assert!(
        heard[1].ends_with("refreq fault;") && seat.moves().is_empty(),
        "{heard:?}"
    );
}

/// Decision 53: the position is set, the illegal move is not played.
#[test]
fn an_illegal_move_is_a_fault() {
    for command in ["respond", "execute"] {
        let mut seat = Seat::new();
        seat.receive("refcom respond;");
        let fields = "4k3/8/8/8/8/8/8/4K2R w K -";
        let heard = seat.hear(fields, &format!("refcom {command}; sm Rh9;"));
        assert_eq!(heard[0], "abort");
        assert_eq!(heard[1..], fault("illegal move Rh9"));
        assert_eq!(
            (seat.fields().as_str(), seat.moves().as_str()),
            (fields, "")
        );
        assert!(seat.think("O-O", 0).is_empty(), "{command}");
        // The game continues with the next command.
        assert_eq!(
            seat.play("sm Rh8+;", "Kd7"),
            ["refreq reply; sm Kd7;", "ponder"]
        );
    }
}

/// Decision 60: the player counts repetitions itself.
#[test]
fn the_number_of_repetitions_is_our_own() {
    let mut seat = Seat::new();
    seat.receive("refcom respond; rc 3;");
    assert_eq!(seat.session.game.repetitions(), 1);
    assert_eq!(seat.think("e4", -50), ["refreq reply; sm e4;", "ponder"]);
}

/// Decisions 91, 92 and 95: a game is resumed by execute commands.
#[test]
fn executes_lead_through_a_game() {
    let mut seat = Seat::new();
    for (sent, moves) in [
        ("e4", "e2e4"),
        ("e5", "e2e4 e7e5"),
        ("Nf3", "e2e4 e7e5 g1f3"),
    ] {
        assert_eq!(
            seat.receive(&format!("refcom execute; sm {sent};")),
            ["abort"]
        );
        assert_eq!(seat.moves(), moves);
    }
    assert_eq!(seat.session.color, None);
    assert_eq!(
        seat.play("sm Nc6;", "Bb5"),
        ["refreq reply; sm Bb5;", "ponder"]
    );
    assert_eq!(seat.session.color, Some(Color::White));
    assert_eq!(seat.session.plies[3].score, None);
    // Decision 91: without a move only the position is set.
    assert_eq!(seat.receive("refcom execute;"), ["abort"]);
}
