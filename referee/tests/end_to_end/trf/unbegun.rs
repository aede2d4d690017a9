//! The reports of events that have not begun, and events that have no report.

use super::{PLAYERS, folder};
use crate::common::{event, program};
use pairing::trf::Report;

#[test]
fn events_without_a_report() {
    for (format, message) in [
        ("ladder", "cup: a ladder has no rounds"),
        ("knockout", "cup: a knockout has no report"),
    ] {
        let folder = folder(&event(&format!("format = {format:?}"), "", &PLAYERS));
        let (said, status) = program(folder.path(), "trf cup");
        assert!(
            status == 2 && said.contains(message) && said.contains("games.pgn"),
            "{said}"
        );
    }
    let folder = folder(&event("", "", &PLAYERS));
    let (said, status) = program(folder.path(), "trf cap");
    assert!(
        status == 2 && said.contains("cannot read cap/event.toml"),
        "{said}"
    );
    let (said, status) = program(folder.path(), "trf cup -o nowhere/cup.trf");
    assert!(
        status == 2 && said.contains("cannot write nowhere/cup.trf"),
        "{said}"
    );
}

#[test]
fn events_that_have_not_begun() {
    for (settings, players, kind, rounds) in [
        ("", 7, "Round-Robin", 14),
        (
            "rounds = 2\ngames_per_pairing = 1",
            4,
            "Double Round-Robin",
            6,
        ),
        ("format = \"match\"\ngames_per_pairing = 3", 2, "Match", 3),
        (
            "format = \"gauntlet\"\nseeds = 2\nrounds = 2",
            5,
            "Gauntlet of 2",
            12,
        ),
        (
            "format = \"swiss\"\nrounds = 3\ngames_per_pairing = 4",
            5,
            "Swiss-System (FIDE Dutch)",
            12,
        ),
    ] {
        let folder = folder(&event(settings, "", &PLAYERS[..players]));
        let (said, status) = program(folder.path(), "trf cup");
        let report = Report::parse(&said).expect(&said);
        assert_eq!(
            (status, report.event.paired, report.event.rounds),
            (0, 0, rounds),
            "{said}"
        );
        assert_eq!(report.event.players.len(), players);
        assert!(
            said.contains(&format!("\n092 Individual: {kind}\n")),
            "{said}"
        );
        assert!(
            !said.contains("\n042 ") && !said.contains("\n132 "),
            "{said}"
        );
    }
}
