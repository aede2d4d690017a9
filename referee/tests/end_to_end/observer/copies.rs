//! Who may observe, and what is copied: to an observer that comes late, and to one that comes back.

use std::fs;
use std::sync::{Arc, Condvar, Mutex};

use super::{DUEL, duel, plies};
use crate::common::event;
use crate::common::nodes::{Node, TOKEN, home, observer_table, wait_until};
use crate::common::player::{Answer, random, spawn};
use movegen::Game;

/// An observer that comes late gets everything so far; one that was killed goes on where it ended. Meanwhile
/// the referee goes on.
#[test]
fn late_and_again() {
    let settings = "replicas = 1\nreplicas_timeout = \"200ms\"";
    let head = "concurrency = 1\nformat = \"match\"\ngames_per_pairing = 4\ntime_control = \"600\"";
    let table = observer_table(settings);
    let book: String = (0..300).fold(String::new(), |book, i| {
        book + &format!("; comment \"{i}\" \\ é\n")
    });
    let opening = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id \"open\";\n";
    let home = home(&event(
        &format!("{head}\nopenings = {{ file = \"book.epd\" }}"),
        &table,
        &["Ann", "Bob"],
    ));
    let book = book.replace("; comment", "# comment") + opening;
    fs::write(home.path().join("book.epd"), &book).expect("written");
    let mut referee = Node::run(home.path());
    // The plies that a game may have; players wait for more, so that the event does not end too early.
    let most = Arc::new((Mutex::new(10), Condvar::new()));
    let allow = |plies| {
        *most.0.lock().expect("sound") = plies;
        most.1.notify_all();
    };
    let players = [("Ann", 1), ("Bob", 2)].map(|(name, seed)| {
        let mut moves = random(seed);
        let most = Arc::clone(&most);
        let slow = move |game: &Game, content: &epd::protocol::Message| {
            let plies = game.moves().len();
            let allowed = most.0.lock().expect("sound");
            drop(most.1.wait_while(allowed, |most| plies >= *most));
            match plies {
                200.. => Answer::Reply("resign;".to_owned()),
                _ => moves(game, content),
            }
        };
        spawn(referee.address(), name, slow)
    });
    wait_until("a move without an observer", || plies(&referee) > 5);
    referee.hear("the referee goes on without, until one has caught up");
    let mut observer = Node::observe(home.path(), referee.address(), "copy", "");
    observer.follows();
    referee.hear("the observer has a complete copy of the journal");
    observer.kill();
    let plies_then = plies(&referee);
    let before = observer.read("journal.log").len();
    allow(plies_then + 6);
    wait_until("moves without the observer", || {
        plies(&referee) > plies_then + 5
    });
    let mut observer = Node::observe(home.path(), referee.address(), "copy", "");
    observer.follows();
    allow(usize::MAX);
    assert!(
        !observer.said().contains("is kept as"),
        "{}",
        observer.said()
    );
    assert!(observer.read("journal.log").len() >= before);
    for player in players {
        player.join().expect("no complaints");
    }
    assert_eq!(referee.wait(), 0, "{}", referee.said());
    assert_eq!(observer.wait(), 0, "{}", observer.said());
    for name in ["journal.log", "event.toml", "openings"] {
        assert_eq!(observer.read(name), referee.read(name), "{name}");
    }
    assert_eq!(observer.read("openings"), book.into_bytes());
}

#[test]
fn who_is_turned_away() {
    let plain = home(&event(DUEL, "", &["Ann", "Bob"]));
    let referee = Node::run(plain.path());
    let mut observer = Node::observe(plain.path(), referee.address(), "copy", "");
    assert_eq!(observer.wait(), 2);
    observer.hear("turns the observer away: this event has no observer");

    let home = home(&duel(""));
    let referee = Node::run(home.path());
    fs::write(home.path().join("token"), "wrong").expect("written");
    let mut observer = Node::observe(home.path(), referee.address(), "copy", "");
    assert_eq!(observer.wait(), 2);
    observer.hear("turns the observer away: wrong token");
    assert!(!observer.path("event.toml").exists());

    fs::write(home.path().join("token"), TOKEN).expect("written");
    let mut first = Node::observe(home.path(), referee.address(), "copy", "");
    first.follows();
    let mut same = Node::observe(home.path(), referee.address(), "copy", "");
    assert_eq!(same.wait(), 2);
    same.hear("another referee is running in copy");
    let second = Node::observe(home.path(), referee.address(), "other", "");
    second.follows();
    assert_eq!(first.wait(), 2);
    first.hear("another observer took its place");
    drop(second);

    let mut nobody = Node::observe(home.path(), ([127, 0, 0, 1], 1).into(), "none", "");
    assert_eq!(nobody.wait(), 2);
    nobody.hear("and there is no copy of the event to take over");
    let mut taken = Node::start(
        home.path(),
        "taken",
        &[
            "observe",
            &referee.address().to_string(),
            "--directory",
            "taken",
            "--token-file",
            "token",
            "--listen",
            &referee.address().to_string(),
        ],
    );
    assert_eq!(taken.wait(), 2);
    taken.hear("cannot listen on ");
}
