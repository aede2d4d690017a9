//! Events whose games begin from an opening repository or a Polyglot book.

use std::fs;

use crate::common::player::{random, spawn};
use crate::common::{Referee, event};
use book::polyglot::{PolyglotEntry, entries, sort_entries};
use book::{Batch, Builder, Entry};
use movegen::pgn::Games;
use tempfile::TempDir;

const GAMES: &str = "\
[Result \"1/2-1/2\"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 1/2-1/2

[Result \"1/2-1/2\"]

1. e4 c5 2. Nf3 d6 1/2-1/2

[Result \"1/2-1/2\"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 1/2-1/2

[Result \"1/2-1/2\"]

1. d4 d5 2. c4 1/2-1/2
";

/// The lines of three plies, the most likely first.
const LINES: [&str; 3] = ["e4 e5 Nf3", "d4 d5 c4", "e4 c5 Nf3"];

/// A repository of the games.
fn repository() -> Vec<Entry> {
    let mut batch = Batch::default();
    for game in Games::new(GAMES, 99) {
        batch.add_game(&game.expect("a game"));
    }
    let mut builder = Builder::new(1 << 20, std::env::temp_dir());
    builder.add(&batch).expect("in memory");
    let mut all = Vec::new();
    let sink = |entry| {
        all.push(entry);
        std::io::Result::Ok(())
    };
    builder.finish(1, sink).expect("built");
    all
}

/// The bytes of a Polyglot book of the games.
fn polyglot() -> Vec<u8> {
    let mut all: Vec<PolyglotEntry> = Vec::new();
    for entry in repository() {
        let position = entry.position().expect("legal");
        all.extend(entries(
            &position,
            &entry.book_moves(&position).expect("legal"),
        ));
    }
    sort_entries(&mut all);
    all.iter().flat_map(|entry| entry.to_bytes()).collect()
}

fn folder() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let text: String = repository()
        .iter()
        .flat_map(|entry| [entry.to_string(), "\n".to_owned()])
        .collect();
    fs::write(folder.path().join("book.epd"), text).expect("written");
    fs::write(folder.path().join("book.bin"), polyglot()).expect("written");
    folder
}

/// The first moves of the games of an event with these openings, those of each pair once; and the referee.
fn play(openings: &str, games: usize) -> (Vec<String>, Referee) {
    let settings = format!("format = \"match\"\ngames_per_pairing = {games}\nseed = 1");
    let text = event(
        &settings,
        &format!("[adjudication]\nmax_moves = 4\n[openings]\n{openings}\n"),
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run_in(folder(), &text);
    let players = ["Ann", "Bob"].map(|name| spawn(referee.address(), name, random(1)));
    for player in players {
        player.join().expect("no complaints");
    }
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    let played = referee.games();
    assert_eq!(played.len(), games);
    let first: Vec<_> = played
        .iter()
        .map(|game| {
            assert!(game.moves.len() > 3, "players go on from the opening");
            game.moves[..3].join(" ")
        })
        .collect();
    for pair in first.chunks(2) {
        assert!(
            pair.iter().all(|moves| *moves == pair[0]),
            "both colours: {first:?}"
        );
    }
    (first.into_iter().step_by(2).collect(), referee)
}

#[test]
fn an_event_plays_from_a_repository() {
    let (lines, referee) = play("file = \"book.epd\"\nplies = 3\norder = \"sequential\"", 6);
    assert_eq!(lines, LINES);
    // The folder keeps the openings and no more of the book; the event can be resumed without it.
    let kept = referee.read("openings");
    assert_eq!(kept.matches("[Event ").count(), 3, "{kept}");
    assert!(
        kept.contains("[Opening \"King's Knight Opening\"]"),
        "{kept}"
    );
    fs::remove_file(referee.path("../book.epd")).expect("removed");
    let (said, status) = referee.program("resume cup");
    assert_eq!(status, 0, "{said}");
}

#[test]
fn an_event_plays_from_a_polyglot_book() {
    let (lines, _) = play(
        "file = \"book.bin\"\nplies = 3\norder = \"sequential\"\nstart = 3",
        4,
    );
    assert_eq!(lines, [LINES[2], LINES[0]]);
    let (mut lines, _) = play("file = \"book.bin\"\nplies = 3", 6);
    lines.sort();
    let mut all = LINES;
    all.sort_unstable();
    assert_eq!(lines, all, "each once, in a drawn order");
}

#[test]
fn books_that_cannot_be_used_are_refused() {
    let check = |openings: &str, damage: &dyn Fn(&TempDir)| {
        let folder = folder();
        damage(&folder);
        let text = event(
            "format = \"match\"",
            &format!("[openings]\n{openings}\n"),
            &["Ann", "Bob"],
        );
        fs::write(folder.path().join("cup.toml"), text).expect("written");
        let output = std::process::Command::new(crate::common::PROGRAM)
            .args(["check", "cup.toml"])
            .current_dir(folder.path())
            .output()
            .expect("it runs");
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let none = |_: &TempDir| ();
    assert!(
        check("file = \"book.epd\"\nplies = 3\nstart = 9", &none).contains(
            "book.epd: [openings]: start is 9, expected from 1 to 3, the number of openings"
        )
    );
    let cut = |folder: &TempDir| {
        fs::write(folder.path().join("book.bin"), &polyglot()[..20]).expect("written");
    };
    assert!(
        check("file = \"book.bin\"", &cut).contains("book.bin: 20 bytes are not a Polyglot book")
    );
    let empty = |folder: &TempDir| fs::write(folder.path().join("book.bin"), []).expect("written");
    assert!(
        check("file = \"book.bin\"", &empty)
            .contains("book.bin has no move in the starting position")
    );
    let reversed = |folder: &TempDir| {
        let path = folder.path().join("book.epd");
        let text = fs::read_to_string(&path).expect("a book");
        let lines: Vec<_> = text.lines().rev().collect();
        fs::write(path, lines.join("\n")).expect("written");
    };
    let said = check("file = \"book.epd\"", &reversed);
    assert!(said.contains("book.epd:2: not sorted: "), "{said}");
}
