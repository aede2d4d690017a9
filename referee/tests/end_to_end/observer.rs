//! A second referee: who may observe, what is copied, what happens when the network is cut, and who steps down.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

use crate::common::nodes::{Node, TOKEN, Wire, home, observer_table, wait_until};
use crate::common::player::{Answer, Link, random, spawn};
use crate::common::{CLOCK, Killed, LIMIT, OVERHEAD, event};
use epd::protocol::Command as Order;
use movegen::san::parse_lenient;
use movegen::{Game, San};
use rcgen::{CertificateParams, KeyPair};
use tempfile::TempDir;

const DUEL: &str = "format = \"match\"\ngames_per_pairing = 1\ntime_control = \"600\"";

/// A duel of Ann and Bob with these settings of `[observer]`.
fn duel(settings: &str) -> String {
    event(DUEL, &observer_table(settings), &["Ann", "Bob"])
}

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

/// A player that makes one move after the other, when the test says so.
struct Player {
    link: Link,
    game: Game,
    /// The operation by which its referee says its term.
    term: Option<String>,
    /// What the referee said last in words.
    text: String,
}

impl Player {
    fn enter(address: SocketAddr, name: &str) -> Self {
        Self::enter_with(address, name, "")
    }

    fn enter_with(address: SocketAddr, name: &str, more: &str) -> Self {
        let mut link = Link::open(address);
        let operations = format!("{more} refreq sign_on; tcsi \"\" {name:?};");
        link.request(Game::default().position(), &operations);
        Self {
            link,
            game: Game::default(),
            term: None,
            text: String::new(),
        }
    }

    /// Reads until it is asked, or told this; false at the end.
    fn hear(&mut self, words: Option<&str>) -> bool {
        let begin = Instant::now();
        while let Some(command) = self.link.command() {
            assert!(begin.elapsed() < LIMIT, "{words:?}: {}", self.text);
            let content = command.message();
            if let Order::Reset(_) = command {
                self.game = Game::new(content.position.expect("a position"));
            }
            if let Some(term) = &content.term {
                self.term = Some(term.operation().to_string());
            }
            if let Some(mv) = content.supplied_move()
                && content.position.as_ref() == Some(self.game.position())
            {
                self.game.play(mv).expect("legal");
            }
            if let Some(text) = &content.text {
                self.text = text.to_string();
            }
            match words {
                Some(words) if self.text == words => return true,
                None if matches!(command, Order::Respond(_)) => return true,
                _ => {}
            }
        }
        false
    }

    /// Waits until it is asked, and plays this.
    #[track_caller]
    fn play(&mut self, san: &str) {
        assert!(self.hear(None), "{}", self.text);
        self.answer(san);
    }

    /// Plays this, having been asked.
    fn answer(&mut self, san: &str) {
        let position = *self.game.position();
        let (mv, _) = parse_lenient(&position, san).expect(san);
        self.game.play(mv).expect(san);
        self.link
            .request(&position, &format!("refreq reply; sm {san};"));
    }

    fn moves(&self) -> Vec<String> {
        let mut position = *self.game.start();
        let moves = self.game.moves().iter().map(|&mv| {
            let san = San::of(&position, mv).to_string();
            position.play(mv);
            san
        });
        moves.collect()
    }
}

/// The number of moves in the journal of a node.
fn plies(node: &Node) -> usize {
    let journal = String::from_utf8(node.read("journal.log")).expect("ASCII");
    journal.matches(" sm ").count()
}

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
    // The other one still runs, and is told.
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
/// not have. When the network is mended, the referee steps down and becomes the observer; its own last move
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

/// A certificate for this machine, in the files `cup.crt` and `cup.key`.
fn certificate(home: &Path) {
    let key = KeyPair::generate().expect("a key");
    let names = ["localhost", "127.0.0.1"].map(str::to_owned).to_vec();
    let params = CertificateParams::new(names).expect("names");
    let certificate = params.self_signed(&key).expect("a certificate");
    fs::write(home.join("cup.crt"), certificate.pem()).expect("written");
    fs::write(home.join("cup.key"), key.serialize_pem()).expect("written");
}

/// Runs `epode client` until the test ends.
fn client(epode: &Path, home: &Path, addresses: &str, name: &str, options: &str) -> Killed {
    let mut command = Command::new(epode);
    command.args(["client", addresses, "--name", name, "--reconnect"]);
    command.args(options.split_whitespace());
    command.args(["--overhead", OVERHEAD]).current_dir(home);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    Killed(command.stderr(Stdio::null()).spawn().expect("epode"))
}

/// Clients that know both addresses come back by themselves, by TLS too, and the programs that the referee has
/// started are started by the next one.
#[test]
fn clients_find_the_next_referee() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    for is_tls in [false, true] {
        let tls = if is_tls {
            "tls = { certificate = \"cup.crt\", key = \"cup.key\" }"
        } else {
            ""
        };
        let head = format!("{tls}\nformat = \"match\"\ngames_per_pairing = 1\n{CLOCK}");
        let table = observer_table("replicas = 1\ntakeover = \"500ms\"");
        let text = event(&head, &table, &["Ann", "Bob"]);
        let command = format!(
            "'{}' client {{address}} --name Bob --depth 1 --overhead {OVERHEAD}",
            epode.display()
        );
        let home = home(&text.replace("\"Bob\"", &format!("\"Bob\"\ncommand = {command:?}")));
        certificate(home.path());
        let options = if is_tls { "--tls --ca cup.crt" } else { "" };
        let mut referee = Node::run(home.path());
        let observer = Node::observe(home.path(), referee.address(), "copy", options);
        let addresses = format!("{},{}", referee.address(), observer.place());
        observer.follows();
        let _ann = client(&epode, home.path(), &addresses, "Ann", options);
        wait_until("some moves", || plies(&referee) > 6);
        referee.kill();
        observer.hear("listening on ");
        let before = plies(&observer);
        assert!(before > 5);
        wait_until("more moves", || plies(&observer) > before + 6);
        assert_eq!(observer.control("adjudicate 1 1/2").1, 0);
        let mut observer = observer;
        assert_eq!(observer.wait(), 0, "{}", observer.said());
        let games = String::from_utf8(observer.read("games.pgn")).expect("ASCII");
        let games = crate::common::games::read(&games);
        assert_eq!(games.len(), 1);
        games[0].check();
    }
}

/// The certificate of the referee must be one that the observer trusts; after a take-over it may have its own.
#[test]
fn certificates() {
    let settings = "takeover = \"300ms\"";
    let tls = "tls = { certificate = \"cup.crt\", key = \"cup.key\" }";
    let home = home(&format!("{tls}\n{}", duel(settings)));
    certificate(home.path());
    let mut referee = Node::run(home.path());
    let address = referee.address();
    for name in ["crt", "key"] {
        let from = home.path().join(format!("cup.{name}"));
        fs::rename(from, home.path().join(format!("one.{name}"))).expect("renamed");
    }
    certificate(home.path());
    let mut stranger = Node::observe(home.path(), address, "copy", "--tls --ca cup.crt");
    assert_eq!(stranger.wait(), 2);
    stranger.hear("cannot connect to ");
    let mut plain = Node::observe(home.path(), address, "copy", "");
    assert_eq!(plain.wait(), 2);
    plain.hear("plain text, but this event uses TLS");
    for name in ["crt", "key"] {
        fs::rename(
            home.path().join(format!("cup.{name}")),
            home.path().join(format!("two.{name}")),
        )
        .expect("renamed");
    }
    let options = "--tls --ca one.crt --certificate two.crt --key two.key";
    let observer = Node::observe(home.path(), address, "copy", options);
    observer.follows();
    referee.kill();
    observer.hear("listening on ");
}
