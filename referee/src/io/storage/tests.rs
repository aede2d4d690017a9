//! The folder of an event, over several runs of the referee.

use std::fs;

use movegen::Position;
use serde_json::Value;

use super::stderr::TRUNCATED;
use super::tail::{drop_torn_line, last_event};
use super::{EVENTS, JOURNAL, OLD_JOURNAL, Storage, append};
use crate::core::config::Config;
use crate::core::equipment::Conditions;
use crate::core::event::Ledger;
use crate::core::journal::Entry;
use crate::core::openings::Opening;

/// A player that floods its standard error does not fill the disk.
#[test]
fn standard_error_is_bounded() {
    let names = ["Ann A".to_owned()];
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = Storage::create(folder.path(), "", None).expect("made");
    let line = "x".repeat(4095);
    for _ in 0..5000 {
        files
            .stderr(0, (&names, 0), Some(7), &line)
            .expect("written");
    }
    files
        .stderr(0, (&names, 0), None, "between games")
        .expect("written");
    let path = folder.path().join("stderr/Ann_A-game-7.log");
    let text = fs::read_to_string(&path).expect("readable");
    assert_eq!(text.len(), (16 << 20) + TRUNCATED.len() + 1);
    assert!(text.ends_with(&format!("x\n{TRUNCATED}\n")));
    // A resumed event does not add to it either.
    drop(files);
    let (mut files, _) = Storage::resume(folder.path()).expect("resumed");
    files
        .stderr(0, (&names, 0), Some(7), "more")
        .expect("written");
    assert_eq!(fs::read_to_string(path).expect("readable"), text);
    let other = folder.path().join("stderr/Ann_A.log");
    assert_eq!(
        fs::read_to_string(other).expect("readable"),
        "between games\n"
    );
}

#[test]
fn a_file_of_standard_error_stays_open() {
    let names = ["Ann".to_owned()];
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = Storage::create(folder.path(), "", None).expect("made");
    let path = folder.path().join("stderr/Ann-game-1.log");
    files
        .stderr(0, (&names, 0), Some(1), "a\nb")
        .expect("written");
    assert_eq!(fs::read_to_string(&path).expect("readable"), "a\nb\n");
    fs::remove_file(&path).expect("removed");
    files.stderr(0, (&names, 0), Some(1), "c").expect("written");
    assert!(!path.exists(), "it was opened again");
    files.stderr(0, (&names, 0), Some(2), "d").expect("written");
    let second = folder.path().join("stderr/Ann-game-2.log");
    assert_eq!(fs::read_to_string(second).expect("readable"), "d\n");
}

/// What a full disk kept out of the stream of events comes into it when the event is resumed, and the
/// numbers go on.
#[test]
fn missing_results_are_added() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = Storage::create(folder.path(), "", None).expect("made");
    let event = "event = \"Test\"\nformat = \"match\"\ngames_per_pairing = 3\n\
                 [[player]]\nname = \"A\"\n[[player]]\nname = \"B\"\n";
    let config = Config::read(event).expect("sound");
    let ledger = Ledger::new(config, vec![Opening::default()]).expect("a schedule");
    let start = Position::start();
    for game in 1..=3 {
        let mut players = ["A", "B"].map(str::to_owned);
        players.rotate_left((game + 1) % 2);
        let [white, black] = players;
        let begun = Entry::Begun {
            game,
            white,
            black,
            opening: Opening::default(),
            date: "2026.11.22".to_owned(),
            time_control: None,
            conditions: Conditions::default(),
        };
        let ended = Entry::Ended {
            game,
            position: start,
            result: "0-1".to_owned(),
            termination: "abandoned".to_owned(),
            forfeit: Some("never_came".to_owned()),
            text: "Black wins: White has not connected".to_owned(),
        };
        files.journal(&begun).expect("written");
        files.journal(&ended).expect("written");
        if game == 2 {
            let entries = vec![begun, ended];
            let reports = ledger.finished_games(entries, &[true]).expect("readable");
            files.event(&reports[0][1]);
        }
    }
    files.flush();
    drop(files);
    for _ in 0..2 {
        let (mut files, entries) = Storage::resume(folder.path()).expect("resumed");
        files.add_missing_results(&ledger, &entries).expect("added");
        files.flush();
        let text = fs::read_to_string(folder.path().join(EVENTS)).expect("readable");
        let lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        let said: Vec<_> = lines
            .iter()
            .map(|line| (line["seq"].as_u64(), line["game"].as_u64(), &line["event"]))
            .collect();
        let expected = [
            (2, "result"),
            (1, "game"),
            (1, "result"),
            (3, "game"),
            (3, "result"),
        ];
        assert_eq!(said.len(), expected.len(), "{text}");
        for (i, (said, (game, event))) in said.iter().zip(expected).enumerate() {
            assert_eq!((said.0, said.1), (Some(i as u64 + 1), Some(game)), "{text}");
            assert_eq!(said.2, event);
        }
        assert_eq!(lines[4]["verdict"], "never_came");
    }
}

/// A file of an earlier version goes on with the number of its lines; a torn line does not count,
/// however long it is.
#[test]
fn numbers_of_events_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(EVENTS);
    let long = "x".repeat(100_000);
    for (text, last, length) in [
        (String::new(), 0, 0),
        ("{}\n{}\n".to_owned(), 2, 6),
        (format!("{{}}\n{{\"seq\":7}}\n{long}"), 7, 13),
        (format!("{{\"seq\":8,\"x\":\"{long}\"}}\n{{"), 8, 100_017),
        (long, 0, 0),
    ] {
        fs::write(&path, text).expect("written");
        drop_torn_line(&append(&path).expect("a file"), &path).expect("readable");
        let found = (
            last_event(&path).expect("readable"),
            fs::read(&path).expect("readable").len(),
        );
        assert_eq!(found, (last, length));
    }
}

/// Events that began when the journal had another name can be resumed.
#[test]
fn an_old_journal_is_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = Storage::create(folder.path(), "", None).expect("made");
    let entry = Entry::Begun {
        game: 1,
        white: "A".to_owned(),
        black: "B".to_owned(),
        opening: Opening::default(),
        date: "2026.11.22".to_owned(),
        time_control: None,
        conditions: Conditions::default(),
    };
    files.journal(&entry).expect("written");
    drop(files);
    let (new, old) = (folder.path().join(JOURNAL), folder.path().join(OLD_JOURNAL));
    fs::rename(&new, &old).expect("renamed");
    assert!(
        Storage::create(folder.path(), "", None).is_err(),
        "it has begun"
    );
    let (mut files, entries) = Storage::resume(folder.path()).expect("resumed");
    assert_eq!(entries, std::slice::from_ref(&entry));
    files.journal(&entry).expect("written");
    assert!(!old.exists());
    let text = fs::read_to_string(new).expect("readable");
    assert_eq!(text, entry.line().repeat(2));
}
