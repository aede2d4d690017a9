//! Clocks and lag.

use super::*;

/// Decisions 39, 40 and 83: the remaining time is the time given less the time used.
#[test]
fn time_is_what_was_given_less_what_was_used() {
    let mut seat = Seat::new();
    seat.receive("refcom respond; cc 000:00:00:05 000:00:00:07;");
    assert_eq!(
        seat.session.clock_state(),
        None,
        "without rules nothing is known"
    );
    for unlimited in ["-", "?", "nonsense"] {
        seat.receive(&format!("refcom inform; ptp TimeControl \"{unlimited}\";"));
        assert_eq!(seat.session.clock_state(), None, "{unlimited}");
    }
    seat.receive("refcom inform; ptp TimeControl \"2/60:30+2\";");
    assert_eq!(seat.clock_state(), ([55_000, 53_000], Some(2)));
    seat.think("e4", 0);
    seat.receive("refcom respond; sm e5; cc 000:00:00:06 000:00:00:50;");
    assert_eq!(seat.clock_state(), ([54_000, 10_000], Some(1)));
    seat.think("Nf3", 0);
    seat.receive("refcom respond; sm Nc6; cc 000:00:00:58 000:00:02:00;");
    assert_eq!(seat.clock_state(), ([32_000, 0], None));
    let clock_state = seat.session.clock_state().expect("a clock");
    assert_eq!(clock_state.increment, [Duration::from_secs(2); 2]);
}

/// Decision 146: where time is normalised, each side has its own.
#[test]
fn each_side_may_have_its_own_time() {
    let mut seat = Seat::new();
    seat.receive(
        "refcom inform; ptp TimeControl \"120+2\" WhiteTimeControl \"120+2\" BlackTimeControl \"60+1\";",
    );
    seat.receive("refcom respond; ctcc 000.00:00:05.000 000.00:00:07.000;");
    assert_eq!(seat.clock_state(), ([115_000, 53_000], None));
    let clock_state = seat.session.clock_state().expect("a clock");
    assert_eq!(clock_state.increment, [2, 1].map(Duration::from_secs));
    seat.think("e4", 0);
    seat.receive("refcom respond; sm e5; ctcc 000.00:00:06.000 000.00:00:08.000;");
    assert_eq!(seat.clock_state(), ([116_000, 53_000], None));
    let clocks: Vec<_> = seat.session.plies.iter().map(|ply| ply.clock).collect();
    assert_eq!(
        clocks,
        [
            Some(Duration::from_secs(116)),
            Some(Duration::from_secs(53))
        ]
    );
}

/// Decision 40: moves count from the starting position, whatever its move number is.
#[test]
fn moves_to_the_control_count_from_the_start_position() {
    let fields = "4k3/8/8/8/8/8/8/4K2R b K -";
    let mut seat = Seat::new();
    seat.hear(fields, "refcom reset; fmvn 40; ptp TimeControl \"40/60\";");
    seat.receive("refcom respond;");
    assert_eq!(seat.clock_state(), ([60_000, 60_000], Some(40)));
    seat.think("Kd7", 0);
    seat.receive("refcom respond; sm Rh7;");
    assert_eq!(seat.clock_state(), ([60_000, 60_000], Some(39)));
}

/// Decision 84: the referee's clocks count, on every record; a reply has none.
#[test]
fn clocks_come_from_the_referee() {
    let mut seat = Seat::new();
    seat.receive("refcom inform; ptp TimeControl \"60\"; cc 000:00:00:01 000:00:00:02;");
    assert_eq!(seat.clock_state().0, [59_000, 58_000]);
    seat.receive("refcom respond; cc 000:00:00:03 000:00:00:04;");
    assert_eq!(seat.clock_state().0, [57_000, 56_000]);
    assert_eq!(seat.think("e4", 0), ["refreq reply; sm e4;", "ponder"]);
    // Decision 93: the clocks of a resumed game are those of its last records.
    seat.receive("refcom execute; sm e5; cc 000:00:00:30 000:00:00:40;");
    assert_eq!(seat.clock_state().0, [30_000, 20_000]);
    seat.hear(
        START,
        "refcom reset; ptp TimeControl \"60\"; cc 000:00:00:00 000:00:00:00;",
    );
    assert_eq!(seat.clock_state().0, [60_000, 60_000]);
}

/// Decision 86: the remaining time is never negative.
#[test]
fn more_time_used_than_given() {
    let mut seat = Seat::new();
    seat.receive("refcom respond; ptp TimeControl \"5\"; cc 000:00:00:06 999:23:59:59;");
    assert_eq!(seat.clock_state().0, [0, 0]);
}

/// Decisions 86 to 88: milliseconds are preferred to whole seconds, and days have one to four
/// digits.
#[test]
fn milliseconds_go_before_seconds() {
    let mut seat = Seat::new();
    seat.receive("refcom inform; ptp TimeControl \"60\";");
    seat.receive("refcom respond; cc 0000:00:00:03 0000:00:00:04;");
    assert_eq!(seat.clock_state().0, [57_000, 56_000]);
    seat.receive(
        "refcom respond; cc 000:00:00:03 000:00:00:04; \
         ctcc 000.00:00:02.250 000.00:00:03.001;",
    );
    assert_eq!(seat.clock_state().0, [57_750, 56_999]);
}

/// Decision 85: the time charged beyond our own measurement is lag.
#[test]
fn the_way_to_the_referee_is_measured() {
    let mut seat = Seat::new();
    seat.receive("refcom respond; ctcc 000.00:00:00.000 000.00:00:00.000;");
    seat.think("e4", 0);
    seat.receive("refcom respond; sm e5; ctcc 000.00:00:01.050 000.00:00:09.000;");
    assert_eq!(
        seat.session.lag().margin(Duration::ZERO).lag,
        Duration::from_millis(50)
    );
    // The expected lag falls slowly, rises at once, and is at most a second.
    seat.think("Nf3", 0);
    seat.receive("refcom respond; sm Nc6; ctcc 000.00:00:02.050 000.00:00:19.000;");
    assert_eq!(
        seat.session.lag().margin(Duration::ZERO).lag,
        Duration::from_micros(47_500)
    );
    seat.think("Bb5", 0);
    seat.receive("refcom respond; sm a6; ctcc 000.00:00:59.000 000.00:00:29.000;");
    assert_eq!(
        seat.session.lag().margin(Duration::ZERO).lag,
        Duration::from_secs(1)
    );
    // Whole seconds are ignored.
    let mut seat = Seat::new();
    seat.receive("refcom respond; cc 000:00:00:00 000:00:00:00;");
    seat.think("e4", 0);
    seat.receive("refcom respond; sm e5; cc 000:00:00:09 000:00:00:00;");
    assert_eq!(
        seat.session.lag().margin(Duration::ZERO).lag,
        Duration::ZERO
    );
}

impl Seat {
    /// The remaining time after each move in milliseconds.
    fn clocks(&self) -> Vec<Option<u128>> {
        let plies = self.session.plies.iter();
        let clocks = plies.map(|ply| ply.clock.map(|clock| clock.as_millis()));
        clocks.collect()
    }
}

/// Each move gets its clock from the referee: the opponent's with the move, ours later.
#[test]
fn moves_have_their_clocks() {
    let mut seat = Seat::new();
    seat.receive("refcom inform; ptp TimeControl \"60+1\";");
    seat.receive("refcom respond; ctcc 000.00:00:00.000 000.00:00:00.000;");
    seat.think("e4", 0);
    assert_eq!(seat.clocks(), [None]);
    seat.receive("refcom respond; sm e5; ctcc 000.00:00:01.250 000.00:00:02.000;");
    assert_eq!(seat.clocks(), [Some(59_750), Some(59_000)]);
    seat.think("Nf3", 0);
    // A record without clocks changes nothing.
    seat.receive("refcom respond; sm Nc6;");
    assert_eq!(seat.clocks(), [Some(59_750), Some(59_000), None, None]);
    seat.receive("refcom conclude; ctcc 000.00:00:03.250 000.00:00:04.000;");
    let mut seat = Seat::new();
    seat.receive("refcom inform; ptp TimeControl \"60\";");
    seat.receive("refcom respond; ctcc 000.00:00:00.000 000.00:00:00.000;");
    seat.think("e4", 0);
    let position = seat.fields();
    let actions = seat.session.receive(
        &Frame::Line(format!(
            "{position} refcom conclude; ctcc 000.00:00:05.000 000.00:00:00.000;"
        )),
        seat.now,
    );
    let over = actions.iter().find_map(|action| match action {
        Action::GameOver(played) => Some(played.plies[0].clock),
        _ => None,
    });
    assert_eq!(over, Some(Some(Duration::from_secs(55))));
}

/// The clocks of opening moves, and of moves from before a reconnection, are unknown.
#[test]
fn moves_that_are_told_later_have_no_clocks() {
    let mut seat = Seat::new();
    seat.receive("refcom inform; ptp TimeControl \"60\";");
    let clocks = "ctcc 000.00:00:00.000 000.00:00:00.000;";
    for san in ["e4", "e5"] {
        seat.receive(&format!("refcom execute; sm {san}; {clocks}"));
    }
    seat.receive(&format!("refcom respond; {clocks}"));
    seat.think("Nf3", 0);
    seat.receive("refcom respond; sm Nc6; ctcc 000.00:00:05.000 000.00:00:06.000;");
    assert_eq!(seat.clocks(), [None, None, Some(55_000), Some(54_000)]);

    let mut seat = Seat::new();
    seat.receive("refcom inform; ptp TimeControl \"60\";");
    let clocks = "ctcc 000.00:00:20.000 000.00:00:30.000;";
    for san in ["e4", "e5", "Nf3"] {
        seat.receive(&format!("refcom execute; sm {san}; {clocks}"));
    }
    seat.receive(&format!("refcom respond; sm Nc6; {clocks}"));
    assert_eq!(seat.clocks(), [None, None, Some(40_000), Some(30_000)]);
}
