//! An event of real players: four `epode client` processes, and a referee that is killed in the
//! middle; a player that is killed.

mod common;

use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use common::games::Played;
use common::{Referee, event};

const PLAYERS: [&str; 4] = ["Ann", "Bob", "Cid", "Dora"];

/// A player of the program's own. It is killed when this value goes.
struct Client(Child);

impl Client {
    fn start(program: &Path, address: &str, name: &str) -> Self {
        let child = Command::new(program)
            .args(["client", address, "--name", name])
            .args(["--reconnect", "--hash", "1", "--analysis"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Self(child.expect("epode"))
    }

    fn wait(&mut self) -> bool {
        self.0.wait().expect("waited for").success()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn check(games: &[Played], count: usize) {
    let meetings: HashSet<_> = games.iter().map(Played::players).collect();
    assert_eq!((games.len(), meetings.len()), (count, count));
    for game in games {
        let by_rule = game.check().is_some();
        // On a busy machine a game at this speed may be lost on time, and no other way.
        assert!(
            by_rule || game.tag("Termination") == "time forfeit",
            "{game:?}"
        );
        assert!(game.comments.contains("[%clk 0:00:0") && game.comments.contains("[%eval "));
    }
}

/// Waits until a game of the event has so many moves.
fn wait_for_ply(referee: &Referee, ply: usize) {
    let path = referee.path("events.jsonl");
    let (found, is_found) = channel();
    thread::spawn(move || watch(&path, ply, &found));
    is_found.recv_timeout(common::LIMIT).expect("a move");
}

/// Reads a file that grows; gives up when nobody waits.
fn watch(path: &Path, ply: usize, found: &Sender<()>) {
    let mut file = BufReader::new(std::fs::File::open(path).expect("a file"));
    let mut line = String::new();
    let begun = std::time::Instant::now();
    let wanted = format!("\"ply\":{ply},");
    while begun.elapsed() < common::LIMIT {
        match file.read_line(&mut line) {
            Ok(0) => thread::yield_now(),
            Ok(_) if !line.ends_with('\n') => {}
            Ok(_) if line.contains(&wanted) => {
                let _ = found.send(());
                return;
            }
            Ok(_) => line.clear(),
            Err(error) => panic!("{error}"),
        }
    }
}

/// The referee is killed in the middle and goes on.
#[test]
fn a_round_robin_of_epodes_with_a_crash() {
    let Some(program) = common::epode() else {
        return;
    };
    let text = event("concurrency = 2\ntime_control = \"1+0.01\"", "", &PLAYERS);
    let mut referee = Referee::run(&text);
    let address = referee.address().to_string();
    let mut clients = PLAYERS.map(|name| Client::start(&program, &address, name));
    wait_for_ply(&referee, 30);
    referee = referee.resume();
    assert_eq!(referee.address().to_string(), address, "players look there");
    let status = referee.wait();
    assert!(status == 0 || status == 1, "{}", referee.output());
    for client in &mut clients {
        assert!(client.wait(), "a player fails");
    }
    check(&referee.games(), 12);
    assert!(referee.events_of("start").len() == 2 && referee.events_of("lost").is_empty());
}

/// A player is killed in the middle of a game and started again.
#[test]
fn an_epode_is_killed() {
    let Some(program) = common::epode() else {
        return;
    };
    let settings = "format = \"match\"\ntime_control = \"3+0.01\"";
    let mut referee = Referee::run(&event(settings, "", &["Ann", "Bob"]));
    let address = referee.address().to_string();
    let mut ann = Client::start(&program, &address, "Ann");
    let mut bob = Client::start(&program, &address, "Bob");
    wait_for_ply(&referee, 15);
    drop(bob);
    bob = Client::start(&program, &address, "Bob");
    let status = referee.wait();
    assert!(status == 0 || status == 1, "{}", referee.output());
    assert!(ann.wait() && bob.wait());
    assert_eq!(referee.events_of("sign_on").len(), 3);
    check(&referee.games(), 2);
}
