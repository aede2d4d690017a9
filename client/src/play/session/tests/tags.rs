//! Tags.

use super::*;

/// `ptp` may be empty or absent on `inform` (decision 33).
#[test]
fn inform_without_tags_is_harmless() {
    let mut seat = Seat::new();
    assert!(seat.receive("refcom inform;").is_empty());
    assert!(seat.receive("refcom inform; ptp;").is_empty());
    assert!(seat.receive("refcom inform; ptp White;").is_empty());
    assert!(seat.session.tags.is_empty());
}

/// Decisions 35, 36 and 37: tags on any record, the last value of each, in the order of the first.
#[test]
fn tags_come_on_any_record() {
    let mut seat = Seat::new();
    seat.receive("refcom inform; ptp Event \"a\" White \"W\" Event \"b\";");
    seat.receive("refcom respond; ptp Round \"3\" Event \"c\";");
    seat.think("e4", 0);
    seat.receive("refcom execute; sm e5; ptp Black \"B\";");
    seat.receive("refcom fault; ptp Site \"here\";");
    let mut actions = seat.session.receive(
        &Frame::Line(format!(
            "{} refcom conclude; ptp Result \"1-0\";",
            seat.fields()
        )),
        seat.now,
    );
    let Some(Action::GameOver(played)) = actions.pop() else {
        panic!("{actions:?}");
    };
    let tags: Vec<_> = played
        .tags
        .iter()
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    assert_eq!(
        tags,
        [
            "Event c",
            "White W",
            "Round 3",
            "Black B",
            "Site here",
            "Result 1-0"
        ]
    );
}

/// Decision 37: tags are read before the move is searched.
#[test]
fn a_time_control_holds_for_the_move_it_comes_with() {
    let mut seat = Seat::new();
    assert_eq!(
        seat.receive("refcom respond; ptp TimeControl \"60\";")
            .last()
            .map(String::as_str),
        Some("think")
    );
    assert_eq!(seat.clock_state(), ([60_000, 60_000], None));
}

/// The limits of the event; they are forgotten with the game.
#[test]
fn the_limits_of_the_event() {
    let mut seat = Seat::new();
    assert_eq!(seat.session.event_limits(), [None, None]);
    seat.receive("refcom inform; ptp TimeControl \"-\" SearchNodes \"500\" SearchDepth \"0\";");
    assert_eq!(seat.session.event_limits(), [Some(500), None]);
    assert_eq!(seat.session.clock_state(), None);
    seat.hear(START, "refcom reset;");
    assert_eq!(seat.session.event_limits(), [None, None]);
}
