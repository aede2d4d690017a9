//! The effects of the commands of the referee, and invalid commands.

use movegen::Position;

use super::*;

/// Decisions 6, 7, 98 and 100: an invalid command is reported to the referee and has no other
/// effect.
#[test]
fn records_that_are_no_commands() {
    let mut seat = Seat::new();
    seat.receive("refcom respond;");
    let all = "conclude disconnect execute fault inform reset respond";
    for (operations, why) in [
        (
            "refcom move;",
            &*format!("refcom \"move\" is none of {all}"),
        ),
        ("c0 \"x\";", "no refcom in the record"),
        (
            "refcom respond; refreq reply;",
            "both refcom and refreq in the record",
        ),
    ] {
        assert_eq!(seat.receive(operations), fault(why), "{operations}");
    }
    for garbage in [
        "garbage",
        "\u{1}\u{7f}\u{e9}\"",
        "8/8/8 w - - refcom reset;",
    ] {
        let heard = seat.take(&Frame::Line(garbage.to_owned()));
        assert!(
            heard.len() == 2 && heard[0].ends_with("refreq fault;"),
            "{heard:?}"
        );
    }
    assert_eq!(
        seat.take(&Frame::Oversize),
        fault("a line of more than 4095 bytes")
    );
    let illegal = seat.hear("8/8/8/8/8/8/8/8 w - -", "refcom respond;");
    assert!(illegal[0].ends_with("refreq fault;"), "{illegal:?}");
    // The pending request is still answered.
    assert_eq!(seat.think("e4", 0), ["refreq reply; sm e4;", "ponder"]);
    let Request::Fault(content) = seat.session.fault_request("x") else {
        panic!("no fault");
    };
    assert_eq!(
        content.position.as_ref(),
        Some(seat.session.game.position())
    );
}

/// Decision 99: the client reports the illegal move of its engine, if it is one word.
#[test]
fn illegal_moves_are_named() {
    let seat = Seat::with(DrawResignPolicy::default());
    for (word, supplied) in [("e2e5", Some("e2e5")), ("e2 e5;", None)] {
        let error = LastingError::IllegalMove {
            name: "X".to_owned(),
            word: word.to_owned(),
        };
        let Request::Fault(content) = seat.session.engine_fault(&error.into()) else {
            panic!("no fault");
        };
        let wanted = supplied.map(|text| Supplied::Unplayable(text.into()));
        assert_eq!(content.supplied, wanted);
    }
}

/// Decision 9: these commands end a search without an answer.
#[test]
fn commands_that_end_a_search() {
    for (command, actions) in [
        (
            "reset",
            &["abort", "game over after 0 plies", "new game"][..],
        ),
        ("conclude", &["abort", "game over after 0 plies"]),
        ("disconnect", &["abort", "game over after 0 plies", "close"]),
        (
            "fault",
            &["abort", "tell the referee reports a fault: no reason given"],
        ),
        ("execute", &["abort"]),
    ] {
        let mut seat = Seat::new();
        assert_eq!(seat.receive("refcom respond;"), ["abort", "think"]);
        assert_eq!(seat.receive(&format!("refcom {command};")), actions);
        assert!(seat.think("e4", 0).is_empty(), "{command}");
    }
}

/// Decision 9: tags and clocks may come at any time.
#[test]
fn inform_does_not_touch_a_search() {
    let mut seat = Seat::new();
    seat.receive("refcom respond;");
    let elsewhere = seat.hear(MATED, "refcom inform; ptp Round \"2\";");
    assert!(elsewhere.is_empty());
    assert!(
        seat.hear("8/8/8/8/8/8/8/8 w - -", "refcom inform;")
            .is_empty()
    );
    assert_eq!(seat.fields(), START);
    assert_eq!(seat.think("e4", 0), ["refreq reply; sm e4;", "ponder"]);
}

/// Decision 9: of two respond commands only the second is answered, once.
#[test]
fn a_second_respond_restarts() {
    let mut seat = Seat::new();
    seat.receive("refcom respond;");
    let other = "4k3/8/8/8/8/8/8/4K2R w K -";
    assert_eq!(seat.hear(other, "refcom respond;"), ["abort", "think"]);
    assert_eq!(seat.think("O-O", 0), ["refreq reply; sm O-O;", "ponder"]);
    assert!(seat.think("Kd8", 0).is_empty());
}

/// `sign_on` sends the current position, the name in `tcsi`, the version in `c0`, and that we answer pings
/// (decisions 10, 15 and 16).
#[test]
fn sign_on_tells_the_name() {
    let seat = Seat::with(DrawResignPolicy::default());
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        seat.session.sign_on().record().to_string(),
        format!("{START} Ping; c0 \"Epode {version}\"; refreq sign_on; tcsi \"\" \"Epode\";")
    );
    let session = Session::new("\"Épode\"\n", DrawResignPolicy::default(), false);
    let line = session.sign_on().record().to_string();
    assert!(line.ends_with("tcsi \"\" \"'?pode'\";"), "{line}");
}

/// `sign_off` sends the current position and nothing else (decision 23).
#[test]
fn sign_off_tells_the_position_alone() {
    let mut seat = Seat::new();
    seat.play("", "e4");
    assert_eq!(
        seat.session.sign_off().record().to_string(),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 refreq sign_off;"
    );
}

/// Two players may have the same name, so the tags do not tell our colour (decision 20).
#[test]
fn the_colour_is_that_of_the_first_respond() {
    for (sent, color) in [("", Color::White), ("sm e4;", Color::Black)] {
        let mut seat = Seat::new();
        seat.receive("refcom inform; ptp White \"Epode\" Black \"Epode\";");
        assert_eq!(seat.session.color, None);
        seat.receive(&format!("refcom respond; {sent}"));
        assert_eq!(seat.session.color, Some(color));
        // The next game may give us the other colour.
        seat.hear(START, "refcom reset;");
        assert_eq!(seat.session.color, None);
    }
}

/// Decision 24: disconnect is not answered.
#[test]
fn disconnect_is_not_answered() {
    let mut seat = Seat::new();
    assert_eq!(seat.receive("refcom disconnect;"), ["abort", "close"]);
    assert_eq!(
        seat.hear("8/8/8/8/8/8/8/8 w - -", "refcom disconnect; c0 \"full\";"),
        [
            "abort",
            "tell the referee closes the connection: full",
            "close"
        ]
    );
}

/// Decision 26: reset sets the position with initial counters.
#[test]
fn reset_sets_the_position() {
    let mut seat = Seat::new();
    seat.play("", "Nf3");
    seat.hear(EN_PASSANT, "refcom reset;");
    assert_eq!(
        (seat.fields().as_str(), seat.counters()),
        (EN_PASSANT, (0, 1))
    );
    seat.hear(EN_PASSANT, "refcom reset; hmvc 3; fmvn 9;");
    assert_eq!(seat.counters(), (3, 9));
    // So does the same position.
    seat.hear(EN_PASSANT, "refcom reset;");
    assert_eq!(seat.counters(), (0, 1));
}

/// Decision 27: nothing is kept of the last game.
#[test]
fn reset_forgets_the_last_game() {
    let resign = Streak {
        score: -500,
        moves: 2,
    };
    let mut seat = Seat::with(DrawResignPolicy::new(Some(resign), None, 0, 0));
    seat.hear(START, "refcom reset; ptp TimeControl \"60\";");
    seat.receive("refcom respond; cc 000:00:00:09 000:00:00:09;");
    seat.think("e4", -600);
    assert_eq!(
        seat.hear(START, "refcom reset; ptp Round \"2\";"),
        ["abort", "game over after 1 plies", "new game"]
    );
    assert_eq!(seat.moves(), "");
    assert_eq!(seat.session.tags, [("Round".to_owned(), "2".to_owned())]);
    assert_eq!(
        (seat.session.clock_state(), seat.session.used),
        (None, None)
    );
    // One move of the last game and one of this are not two in a row.
    seat.receive("refcom respond;");
    assert_eq!(seat.think("e4", -600), ["refreq reply; sm e4;", "ponder"]);
}

/// Decision 29: the position of conclude is the final one.
#[test]
fn conclude_compares_the_position() {
    let mut seat = Seat::new();
    seat.play("", "e4");
    assert_eq!(
        seat.receive("refcom conclude;"),
        ["abort", "game over after 1 plies"]
    );
    let mut seat = Seat::new();
    seat.play("", "e4");
    assert_eq!(
        seat.hear(MATED, "refcom conclude;"),
        [
            "abort",
            "game over after 1 plies",
            "tell the final position is another than ours"
        ]
    );
    assert_eq!(seat.fields(), MATED);
    // An invalid position is ignored, and a game ends only once.
    assert_eq!(
        seat.hear("8/8/8/8/8/8/8/8 w - -", "refcom conclude;"),
        ["abort"]
    );
}

/// Decision 41: an abandoned game is logged with its tags.
#[test]
fn reset_and_disconnect_give_a_game_up() {
    for command in ["reset", "disconnect"] {
        let mut seat = Seat::new();
        seat.receive("refcom inform; ptp White \"W\";");
        seat.play("", "e4");
        let line = format!("{START} refcom {command};");
        let actions = seat.session.receive(&Frame::Line(line), seat.now);
        let Action::GameOver(played) = &actions[1] else {
            panic!("{actions:?}");
        };
        assert_eq!(played.start, Position::start());
        assert_eq!((played.plies.len(), played.tags.len()), (1, 1));
        let ply = &played.plies[0];
        assert_eq!(
            (ply.score, ply.time),
            (Some(10), Some(Duration::from_millis(1600)))
        );
    }
}

/// Decision 97: the side to move is asked again, and answers again.
#[test]
fn a_respond_that_is_repeated() {
    let mut seat = Seat::new();
    seat.receive("refcom respond; sm e4;");
    assert_eq!(seat.think("e5", 0), ["refreq reply; sm e5;", "ponder"]);
    let before = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3";
    let heard = seat.hear(before, "refcom respond;");
    assert_eq!(heard.last().map(String::as_str), Some("think"));
    assert_eq!(seat.think("c5", 0), ["refreq reply; sm c5;", "ponder"]);
}

/// A fault of the referee prints a message and leaves the connection open (decisions 98 and 99).
#[test]
fn a_fault_of_the_referee() {
    let mut seat = Seat::new();
    seat.play("", "e4");
    assert_eq!(
        seat.hear(MATED, "refcom fault; c0 \"disk full\";"),
        ["abort", "tell the referee reports a fault: disk full"]
    );
    assert_eq!(seat.moves(), "e2e4");
    assert_eq!(
        seat.play("sm e5;", "Nf3"),
        ["refreq reply; sm Nf3;", "ponder"]
    );
}
