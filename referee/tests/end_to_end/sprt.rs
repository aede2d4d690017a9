//! Sequential tests (SPRT) of two players over real connections.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};

use crate::common::games::Played;
use crate::common::player::{Answer, Link, Scripted, playing, random, spawn};
use crate::common::{Referee, event};
use epd::protocol::Message;
use movegen::Game;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use referee::elo::Tally;
use referee::sprt::{Sample, Sprt, SprtReport, SprtState};

fn does(operations: &str) -> Answer {
    Answer::Reply(operations.to_owned())
}

/// A test of two players ends as soon as it is decided, with games still to play.
#[test]
fn a_decided_test_ends() {
    let text = event(
        "format = \"match\"\ngames_per_pairing = 1000",
        "[sprt]\nelo0 = 0.0\nelo1 = 200.0\nalpha = 0.05\nbeta = 0.05\n",
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run(&text);
    let ann = spawn(referee.address(), "Ann", random(1));
    let bob = spawn(referee.address(), "Bob", |_: &Game, _: &Message| {
        does("resign;")
    });
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    for player in [ann, bob] {
        let farewell = player.join().expect("no complaints").farewell;
        assert_eq!(farewell.as_deref(), Some("the event is over"));
    }
    let games = referee.games();
    assert!((2..200).contains(&games.len()), "{}", games.len());
    assert!(games.iter().all(|game| {
        let winner = if game.result == "1-0" {
            "White"
        } else {
            "Black"
        };
        game.tag(winner) == "Ann"
    }));
    let said = referee.output();
    assert!(
        said.contains("the SPRT is decided: no new games are started"),
        "{said}"
    );
    assert!(
        said.contains("\nllr ") && said.contains(": accept_h1\n"),
        "{said}"
    );
    let standings: serde_json::Value =
        serde_json::from_str(&referee.read("standings.json")).expect("JSON");
    let sprt = &standings["sprt"];
    assert!(sprt["llr"].as_f64() >= sprt["upper"].as_f64(), "{sprt}");
    assert_eq!(standings["finished"].as_u64(), Some(games.len() as u64));
}

/// How many connections each player has.
const CONNECTIONS: usize = 8;

/// Starts a player that comes back for the next game whenever it has crashed.
fn restarted<P>(address: SocketAddr, name: &'static str, mut policy: P) -> JoinHandle<()>
where
    P: FnMut(&Game) -> Answer + Send + 'static,
{
    thread::spawn(move || {
        loop {
            let player = Scripted::new(name, |game: &Game, _: &Message| policy(game));
            // The event may have ended since the crash.
            let Ok(link) = Link::try_open(address) else {
                return;
            };
            if player.play(link).farewell.is_some() {
                return;
            }
        }
    })
}

/// Bob crashes in one game of twenty. With the first move of any other he tells Ann who is to resign.
fn bob(games: Arc<AtomicUsize>, seed: u64) -> impl FnMut(&Game) -> Answer + Send {
    let mut rng = StdRng::seed_from_u64(seed);
    move |game| {
        let ply = game.moves().len();
        if ply >= 2 {
            return does("resign;");
        }
        if games.fetch_add(1, Ordering::Relaxed) % 20 == 7 {
            return Answer::Vanish;
        }
        let wins = rng.random_bool(0.4);
        playing(match (ply, wins) {
            (0, true) => "h3",
            (0, false) => "a3",
            (_, true) => "h6",
            (_, false) => "a6",
        })
    }
}

/// Ann resigns if Bob has moved the pawn on the h-file.
fn ann(game: &Game) -> Answer {
    let board = game.position().setup().fields().to_string();
    if board.contains("7P/") || board.contains("/7p") {
        return does("resign;");
    }
    playing(["e3", "e6", "e4"][game.moves().len()])
}

/// Ann's results of the games that nobody forfeited, in pairs of which both games count.
fn unforfeited(games: &[Played]) -> Tally {
    let mut halves = std::collections::HashMap::new();
    let mut tally = Tally::default();
    for game in games {
        // In a match, a round is a pair of games.
        let (pair, _) = game.tag("Round").split_once('.').expect("round and game");
        if game.tag("Termination") != "normal" {
            continue;
        }
        let has_won = (game.result == "1-0") == (game.tag("White") == "Ann");
        let half_points = 2 * usize::from(has_won);
        tally.add_game(half_points);
        if let Some(other) = halves.insert(pair, half_points) {
            tally.add_pair(half_points + other);
        }
    }
    tally
}

/// What the test says of the games that nobody forfeited, and after how many games it says so.
fn verdict(games: &[Played]) -> (SprtReport, usize) {
    let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05).expect("valid");
    let reports = (1..=games.len()).map(|count| {
        let tally = unforfeited(&games[..count]);
        (sprt.report(&tally, Sample::Pairs), count)
    });
    let mut decided = reports.filter(|(report, _)| report.state != SprtState::Continue);
    decided.next().expect("a verdict")
}

/// A player that crashes in one game of twenty: the verdict is that of the other games.
#[test]
fn crashes_do_not_decide_a_test() {
    let text = event(
        "format = \"match\"\ngames_per_pairing = 2000\nconcurrency = 8",
        "[rules]\nreconnect_timeout = \"0s\"\n[sprt]\nelo0 = 0\nelo1 = 50\n",
        &[],
    );
    let players = ["Ann", "Bob"];
    let players =
        players.map(|name| format!("[[player]]\nname = \"{name}\"\ninstances = {CONNECTIONS}\n"));
    let mut referee = Referee::run(&(text + &players.concat()));
    let games = Arc::<AtomicUsize>::default();
    let mut threads = Vec::new();
    for seed in 0..CONNECTIONS as u64 {
        threads.push(restarted(referee.address(), "Ann", ann));
        threads.push(restarted(
            referee.address(),
            "Bob",
            bob(Arc::clone(&games), seed),
        ));
    }
    assert_eq!(referee.wait(), 1, "{}", referee.output());
    for thread in threads {
        thread.join().expect("no complaints");
    }
    let games = referee.games();
    let (expected, decided_after) = verdict(&games);
    let standings: serde_json::Value =
        serde_json::from_str(&referee.read("standings.json")).expect("JSON");
    let sprt = &standings["sprt"];
    assert_eq!(sprt["state"], expected.state.to_string(), "{sprt}");
    let llr = sprt["llr"].as_f64().expect("a number");
    assert!((llr - expected.llr).abs() < 1e-9, "{llr}, {expected:?}");
    // The games that were in progress when it was decided are played to the end.
    let rest = games.len() - decided_after;
    assert!(rest < CONNECTIONS, "{rest} games were begun afterwards");
    let forfeits = games.len() - unforfeited(&games).games();
    println!("{} games, {forfeits} forfeited, {expected:?}", games.len());
    assert!(
        forfeits >= games.len() / 25,
        "{forfeits} of {}",
        games.len()
    );
    assert_eq!(most_at_once(&referee), CONNECTIONS);
}

/// The largest number of games in progress at one time.
fn most_at_once(referee: &Referee) -> usize {
    let (mut now, mut most) = (0, 0);
    for event in referee.events() {
        match event["event"].as_str() {
            Some("game") => now += 1,
            Some("result") => now -= 1,
            _ => {}
        }
        most = most.max(now);
    }
    most
}
