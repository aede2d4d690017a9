//! Presets of event files, as an organiser uses them.

use std::fs;

use crate::common::{Referee, event, program};
use tempfile::TempDir;

const PLAYERS: [&str; 3] = ["Ann", "Bob", "Cid"];

/// What `check` says of an event with these settings, and its exit status.
fn check(settings: &str) -> (String, i32) {
    let folder = TempDir::new().expect("a folder");
    let text = event(settings, "", &PLAYERS);
    fs::write(folder.path().join("cup.toml"), text).expect("written");
    program(folder.path(), "check cup.toml")
}

#[test]
fn check_explains_the_preset() {
    let (said, status) = check("preset = \"cct\"\nrounds = 3\ntime_control = \"60+1\"");
    assert_eq!(status, 0, "{said}");
    for line in [
        "Swiss event (FIDE Dutch system), 3 rounds of one game each",
        "time control 60+1, ",
        "preset cct: Internet Computer Chess Tournament (CCT), by the rules of CCT 8 (2006) and CCT 11 (2009)",
        "  format = \"swiss\": Swiss system",
        "  rounds = 3, as your file says; the preset has 9: ",
        "  time_control = \"60+1\", as your file says; the preset has \"3000+3\": ",
        "  rules.reconnect_timeout = \"5min\": a player that is disconnected has 5 minutes to return",
        "  not covered: players use their own opening books and machines",
    ] {
        assert!(
            said.lines().any(|there| there.starts_with(line)),
            "{line}\n{said}"
        );
    }
    let (said, status) = check("");
    assert!(status == 0 && !said.contains("preset"), "{said}");
    let (said, status) = check("preset = \"tcek\"");
    assert!(
        status == 2
            && said.contains("cup.toml: preset \"tcek\" is unknown, expected one of \"tcec\""),
        "{said}"
    );
}

/// The folder of an event has the settings themselves: what a preset is later does not change a running event.
#[test]
fn a_folder_has_the_settings_of_the_preset() {
    let referee = Referee::run(&event("preset = \"fide-swiss\"\nrounds = 1", "", &PLAYERS));
    let saved = referee.read("event.toml");
    assert!(
        saved.starts_with("# With the settings of preset = \"fide-swiss\".\n"),
        "{saved}"
    );
    for line in [
        "format = \"swiss\"",
        "rounds = 1",
        "games_per_pairing = 1",
        "draws = \"claims\"",
        "name = \"Cid\"",
    ] {
        assert!(saved.lines().any(|there| there == line), "{line}\n{saved}");
    }
    assert!(!saved.contains("\npreset"), "{saved}");
    // Another referee goes on with it.
    let referee = referee.resume();
    let (said, _) = referee.program("trf cup");
    assert!(
        said.contains("\nXXR 1\n") && said.contains("092 Individual: Swiss-System"),
        "{said}"
    );
}
