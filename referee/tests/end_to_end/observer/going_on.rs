//! Who goes on, and who steps down: when the arbiter says so, when the network is cut, and without an observer.

use super::{Player, duel, plies};
use crate::common::nodes::{Node, Wire, home, wait_until};
use tempfile::TempDir;

/// A referee and an observer behind a wire that can be cut.
struct Pair {
    home: TempDir,
    referee: Node,
    wire: Wire,
    observer: Node,
}

impl Pair {
    fn new(settings: &str) -> Self {
        let home = home(&duel(settings));
        let referee = Node::run(home.path());
        let wire = Wire::to(referee.address());
        let observer = Node::observe(home.path(), wire.address(), "copy", "");
        observer.follows();
        Self {
            home,
            referee,
            wire,
            observer,
        }
    }
}

/// The arbiter lets the observer take over. A referee that was stopped on purpose is not replaced otherwise.
#[test]
fn orders() {
    let home = home(&duel("takeover = \"100ms\""));
    let mut referee = Node::run(home.path());
    let observer = Node::observe(home.path(), referee.address(), "copy", "");
    observer.follows();
    let (said, status) = referee.control("takeover");
    assert!(
        status == 2 && said.contains("is for the folder of an observer"),
        "{said}"
    );
    let (said, status) = observer.control("games");
    assert!(
        status == 2 && said.contains("it knows takeover, status and quit"),
        "{said}"
    );
    let mut ann = Player::enter(referee.address(), "Ann");
    let mut bob = Player::enter(referee.address(), "Bob");
    ann.play("e4");
    bob.play("e5");
    wait_until("a copy", || plies(&observer) == 2);
    assert_eq!(referee.control("quit").1, 0);
    assert_eq!(referee.wait(), 3);
    observer.hear("the referee was stopped on purpose");
    let (said, _) = observer.control("status");
    assert!(said.contains("no take-over without an order"), "{said}");
    // It may be resumed, and is followed again.
    let mut referee = Node::resume(home.path(), "cup");
    drop(observer);
    let observer = Node::observe(home.path(), referee.address(), "copy", "");
    observer.follows();
    assert_eq!(
        observer.control("takeover"),
        ("taking over the event\n".to_owned(), 0)
    );
    observer.hear("by order of the arbiter");
    let address = observer.address();
    // The other one still runs, and learns of it.
    assert_eq!(referee.wait(), 2);
    referee.hear("another referee has taken over the event (term 2)");
    let mut ann = Player::enter(address, "Ann");
    let mut bob = Player::enter(address, "Bob");
    ann.play("Nf3");
    bob.play("Nc6");
    assert_eq!(ann.moves(), ["e4", "e5", "Nf3"]);
    assert_eq!(observer.control("quit").1, 0);
}

/// The network is cut, and the observer goes on: the referee has told nobody of a move that the observer does
/// not have. When the connection is back, the referee steps down and becomes the observer; its own last move
/// is kept beside the journal.
#[test]
fn cut_and_the_observer_goes_on() {
    let settings =
        "replicas = 1\nwhen_cut = \"observer\"\ntakeover = \"600ms\"\nreplicas_timeout = \"200ms\"";
    let mut pair = Pair::new(settings);
    let mut ann = Player::enter(pair.referee.address(), "Ann");
    let mut bob = Player::enter(pair.referee.address(), "Bob");
    ann.play("e4");
    assert!(bob.hear(None));
    pair.wire.cut();
    bob.answer("e5");
    // His move is in one journal alone, and she is not told.
    wait_until("a move", || plies(&pair.referee) == 2);
    pair.referee.hear("all games wait with stopped clocks");
    let waits = "the referee waits for its observer";
    assert!(ann.hear(Some(waits)) && bob.hear(Some(waits)));
    assert_eq!(ann.moves(), ["e4"]);
    pair.observer.hear("taking over the event (term 2)");
    let address = pair.observer.address();
    assert_eq!(plies(&pair.observer), 1);
    let mut ann_there = Player::enter(address, "Ann");
    let mut bob_there = Player::enter(address, "Bob");
    bob_there.play("c5");
    ann_there.play("Nf3");
    assert_eq!(ann_there.moves(), ["e4", "c5", "Nf3"]);
    pair.wire.mend();
    assert_eq!(pair.referee.wait(), 2, "{}", pair.referee.said());
    pair.referee
        .hear("to follow it: epode-referee observe HOST:PORT --directory ");
    assert!(ann.link.farewell().is_some());
    let old = pair.referee.read("journal.log");
    let back = Node::observe(pair.home.path(), address, "cup", "");
    back.hear("it is kept as journal-1.log");
    back.follows();
    assert_eq!(back.read("journal-1.log"), old);
    bob_there.play("d6");
    wait_until("the copy", || {
        back.read("journal.log") == pair.observer.read("journal.log") && plies(&back) == 4
    });
}

/// A player that has been at the later referee shows its term to the earlier one, which stops.
#[test]
fn a_player_tells_the_earlier_referee() {
    let settings = "replicas = 1\nwhen_cut = \"observer\"\ntakeover = \"300ms\"";
    let mut pair = Pair::new(settings);
    pair.wire.cut();
    let address = pair.observer.address();
    let mut ann = Player::enter(address, "Ann");
    let _bob = Player::enter(address, "Bob");
    assert!(ann.hear(None));
    let term = ann.term.take().expect("a term");
    assert!(term.starts_with("Term 2 "), "{term}");
    let forged = term.replace("Term 2", "Term 3");
    let _forger = Player::enter_with(pair.referee.address(), "Ann", &forged);
    pair.referee.hear("Ann connected");
    assert!(!pair.referee.has_ended());
    let _bob = Player::enter_with(pair.referee.address(), "Bob", &term);
    assert_eq!(pair.referee.wait(), 2, "{}", pair.referee.said());
    pair.referee
        .hear("another referee has taken over the event (term 2)");
}

/// The network is cut, and the referee goes on: the observer does not take over, unless the arbiter says so.
#[test]
fn cut_and_the_referee_goes_on() {
    let settings = "replicas = 1\ntakeover = \"300ms\"\nreplicas_timeout = \"200ms\"";
    let pair = Pair::new(settings);
    let mut ann = Player::enter(pair.referee.address(), "Ann");
    let mut bob = Player::enter(pair.referee.address(), "Bob");
    ann.play("e4");
    assert!(bob.hear(None));
    pair.wire.cut();
    bob.answer("e5");
    ann.play("Nf3");
    assert_eq!(ann.moves(), ["e4", "e5", "Nf3"]);
    bob.play("Nc6");
    pair.observer
        .hear("the referee may still be running, with its players");
    assert_eq!(plies(&pair.observer), 1);
    pair.wire.mend();
    wait_until("a complete copy", || {
        pair.observer.said().matches("following ").count() == 2
    });
    wait_until("the copy", || plies(&pair.observer) == 4);
    ann.play("Bc4");
    bob.play("Nf6");
}

/// Without an observer nobody goes on, until there is one or the arbiter says so. No clock runs meanwhile.
#[test]
fn nobody_goes_on() {
    let settings = "replicas = 1\nwhen_cut = \"observer\"\nreplicas_timeout = \"100ms\"";
    let home = home(&duel(settings));
    let mut referee = Node::run(home.path());
    let mut ann = Player::enter(referee.address(), "Ann");
    let mut bob = Player::enter(referee.address(), "Bob");
    referee.hear("all games wait with stopped clocks");
    let observer = Node::observe(home.path(), referee.address(), "copy", "");
    observer.follows();
    ann.play("e4");
    bob.play("e5");
    ann.play("Nf3");
    assert!(bob.hear(None));
    drop(observer);
    bob.answer("Nc6");
    wait_until("a standstill", || {
        referee.said().matches("all games wait").count() == 2
    });
    let (said, status) = referee.control("alone");
    assert_eq!(status, 0, "{said}");
    // All moves are sent again.
    ann.play("Bc4");
    assert_eq!(ann.moves().len(), 5);
    bob.play("Nf6");
    let (said, _) = referee.control("games");
    assert!(
        said.contains("game 1: Ann (600.0 s)") || said.contains("game 1: Ann (599."),
        "{said}"
    );
    assert_eq!(referee.control("quit").1, 0);
    assert_eq!(referee.wait(), 3);
}

/// The last result waits for the copy too; a referee that is told to stop does not wait.
#[test]
fn stopping_while_nobody_goes_on() {
    let settings = "replicas = 1\nwhen_cut = \"observer\"\nreplicas_timeout = \"100ms\"";
    let home = home(&duel(settings));
    let mut referee = Node::run(home.path());
    let observer = Node::observe(home.path(), referee.address(), "copy", "");
    observer.follows();
    let mut ann = Player::enter(referee.address(), "Ann");
    let mut bob = Player::enter(referee.address(), "Bob");
    ann.play("e4");
    assert!(bob.hear(None));
    drop(observer);
    bob.link
        .request(bob.game.position(), "refreq reply; resign;");
    referee.hear("all games wait with stopped clocks");
    assert!(!referee.has_ended());
    let (said, status) = referee.control("status");
    assert_eq!(
        (said.contains("1 of 1 games finished"), status),
        (true, 0),
        "{said}"
    );
    assert_eq!(referee.control("quit").1, 0);
    assert_eq!(referee.wait(), 0, "{}", referee.said());
    assert!(referee.read("games.pgn").starts_with(b"[Event \"Test\"]"));
    assert_ne!(ann.text, "White wins: Black resigns");
}
