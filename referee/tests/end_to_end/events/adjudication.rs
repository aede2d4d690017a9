//! Games that the referee ends by itself: by tablebases, by the players' own scores, by their length.

use super::{does, duel, duel_from, pass};
use crate::common::player::{Answer, script, spawn};
use crate::common::{Referee, event};
use epd::protocol::Message;
use movegen::Game;

/// The tables of three pieces, as a setting of an event.
fn tablebases() -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../movegen/syzygy/tables");
    format!("[adjudication]\ntablebases = {folder:?}\n")
}

/// White takes a rook, and has a won ending with three pieces.
const CAPTURE: &str = "3k4/8/8/8/8/8/4r3/R3K3 w - - hmvc 0; fmvn 1;\n";

#[test]
fn tablebases_end_games() {
    let won = duel_from(
        Some(CAPTURE),
        "",
        &tablebases(),
        script("Kxe2", pass()),
        script("", pass()),
    );
    let words = "adjudication by tablebases";
    won.ends("1-0", "adjudication", words, None);
    won.is_known_to_both();
    let journal = won.referee.read("journal.log");
    assert!(journal.contains("Tablebases \"1-0\";"), "{journal}");
    assert!(journal.contains(words), "{journal}");
    // In this mode only draws are ended.
    let tables = format!("{}mode = \"draws\"\n", tablebases());
    let open = duel_from(
        Some(CAPTURE),
        "",
        &tables,
        script("Kxe2", pass()),
        script("", does("resign;")),
    );
    open.ends("1-0", "normal", "resigns", None);
    let drawn = duel_from(
        Some("8/8/8/4k3/4P3/4K1b1/8/8 b - - hmvc 0; fmvn 1;\n"),
        "",
        &tables,
        script("- Kxf2", pass()),
        script("Bf2+", pass()),
    );
    drawn.ends("1/2-1/2", "adjudication", words, None);
}

#[test]
fn a_side_loses_by_its_own_scores() {
    let lost = |game: &Game, _: &Message| match game.moves().len() {
        1 => does("sm e5; ce -600;"),
        _ => does("sm Nf6; ce -700;"),
    };
    let resigned = duel(
        "",
        "[adjudication]\nresign = { score = 600, moves = 2 }\n",
        script("e4 - Nf3", pass()),
        lost,
    );
    resigned.ends(
        "1-0",
        "adjudication",
        "adjudication by Black's own evaluation",
        None,
    );
    resigned.is_known_to_both();
}

#[test]
fn a_long_game_is_drawn() {
    let moves = "e4 e5 Nf3 Nc6";
    let drawn = duel(
        "",
        "[adjudication]\nmax_moves = 2\n",
        script(moves, pass()),
        script(moves, pass()),
    );
    drawn.ends(
        "1/2-1/2",
        "adjudication",
        "adjudication after 2 moves",
        None,
    );
    drawn.is_known_to_both();
}

/// The results are in the journal: an event whose tables are gone goes on, with a warning.
#[test]
fn an_event_outlives_its_tablebases() {
    let folder = tempfile::TempDir::new().expect("a folder");
    std::fs::create_dir(folder.path().join("tables")).expect("a folder");
    let from = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../movegen/syzygy/tables/KRvK.rtbw"
    );
    let table = folder.path().join("tables/KRvK.rtbw");
    std::fs::copy(from, &table).expect("a table");
    std::fs::write(folder.path().join("book.epd"), CAPTURE).expect("written");
    let text = event(
        "format = \"match\"\ngames_per_pairing = 2",
        "[adjudication]\ntablebases = \"tables\"\n[openings]\nfile = \"book.epd\"\n",
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run_in(folder, &text);
    let moves = "Kxe2 Kc7 Ra7+";
    let ann = spawn(referee.address(), "Ann", script(moves, does("resign;")));
    let stops = |game: &Game, _: &Message| match game.moves().len() {
        0 => Answer::Nothing,
        _ => does("resign;"),
    };
    let bob = spawn(referee.address(), "Bob", stops);
    referee.wait_for_output("game 1: Ann - Bob 1-0");
    referee.kill();
    let _ = (ann.join(), bob.join());
    std::fs::remove_file(table).expect("gone");
    let mut referee = referee.resume();
    referee.wait_for_output("they no longer end any game");
    let ann = spawn(referee.address(), "Ann", script(moves, does("resign;")));
    let bob = spawn(referee.address(), "Bob", script(moves, does("resign;")));
    assert!(ann.join().is_ok() && bob.join().is_ok());
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    let games = referee.games();
    assert_eq!(games[0].tag("Termination"), "adjudication");
    assert_eq!(games[1].tag("Termination"), "normal");
    assert_eq!(games[1].moves.len(), 3);
}
