//! The stream of events of schema 1, as it was first written, stays readable with the same meaning.

use referee::event::stream::{SCHEMA, Stamped};
use referee::event::view::{EventView, LogKind};

const EVENTS: &str = include_str!("../data/events-schema-1.jsonl");

#[test]
fn schema_1_stays_as_it_is() {
    assert_eq!(
        SCHEMA, 1,
        "describe the changes, and keep a file of the new schema"
    );
    for line in EVENTS.lines() {
        let event: Stamped = serde_json::from_str(line).expect(line);
        // What is written now has all that was written then, and in the same form.
        let written = serde_json::to_value(&event).expect("JSON");
        let known: serde_json::Value = serde_json::from_str(line).expect("JSON");
        for (name, value) in known.as_object().expect("an object") {
            assert_eq!(&written[name], value, "{name} in {line}");
        }
    }
}

#[test]
fn schema_1_tells_an_event() {
    let mut view = EventView::default();
    for (number, line) in (1..).zip(EVENTS.lines()) {
        let event: Stamped = serde_json::from_str(line).expect(line);
        assert_eq!(event.seq, number);
        view.apply(&event.report, &event.at);
        if number == 14 {
            let game = &view.games[&1];
            assert!(game.game.is_paused);
            assert_eq!(
                game.position.to_string(),
                "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
            );
        }
        if number == 18 {
            assert_eq!(view.standings().players[0].name, "Ann");
            assert_eq!(view.standings().players[0].tally.wins, 1);
        }
    }
    assert_eq!(view.names, ["Ann", "Zoe", ""]);
    assert_eq!(view.finished(), [2], "the first result was cancelled");
    assert_eq!(view.standings().replaced[0].name, "Bob");
    assert_eq!(view.games[&2].game.moves[0].eval, Some(31));
    assert_eq!(view.ended.as_deref(), Some("the event is over"));
    let start = view.start.as_ref().expect("a start");
    let pgn = view.games[&2].pgn(start).export().expect("legal moves");
    assert!(
        pgn.ends_with("\n1. d4 {[%eval 0.31] [%clk 0:01:00.495] [%emt 0:00:00.005] Draw: agreement}\n1/2-1/2\n\n"),
        "{pgn}"
    );
    let faults = view.log.iter().filter(|line| line.kind == LogKind::Fault);
    assert_eq!(faults.count(), 7);
}
