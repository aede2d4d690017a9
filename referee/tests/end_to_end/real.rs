//! An event of real players: `epode client` processes and a referee that is killed in the middle; a
//! player that is killed; what both sides write down of their games.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::common::games::{self, Played};
use crate::common::{CLOCK, OVERHEAD, Referee, event};
use tempfile::TempDir;

const PLAYERS: [&str; 4] = ["Ann", "Bob", "Cid", "Dora"];

/// A player of the program's own. It is killed when this value goes.
struct Client(Child);

impl Client {
    fn start(program: &Path, address: &str, name: &str) -> Self {
        Self::start_with(program, address, name, &[])
    }

    fn start_with(program: &Path, address: &str, name: &str, more: &[&str]) -> Self {
        let child = Command::new(program)
            .args(["client", address, "--name", name])
            .args(["--reconnect", "--hash", "1", "--analysis"])
            .args(["--overhead", OVERHEAD])
            .args(more)
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

/// So many games of different players with different colours, each played to its end.
fn check(games: &[Played], count: usize) {
    let meetings: HashSet<_> = games.iter().map(Played::players).collect();
    assert_eq!((games.len(), meetings.len()), (count, count));
    for game in games {
        game.check_to_the_end();
        assert_eq!(game.annotations("%clk").len(), game.moves.len(), "{game:?}");
        let evals = game.annotations("%eval");
        assert_eq!(evals.len(), game.moves.len(), "{game:?}");
        let is_mate = game.moves.last().is_some_and(|last| last.ends_with('#'));
        for (i, eval) in evals.iter().enumerate() {
            let is_last = i + 1 == evals.len();
            assert_eq!(*eval == "#0", is_mate && is_last, "{game:?}");
        }
    }
}

/// The referee is killed in the middle and goes on.
#[test]
fn a_round_robin_of_epodes_with_a_crash() {
    let Some(program) = crate::common::epode() else {
        return;
    };
    let text = event(&format!("concurrency = 2\n{CLOCK}"), "", &PLAYERS);
    let mut referee = Referee::run(&text);
    let address = referee.address().to_string();
    let mut clients = PLAYERS.map(|name| Client::start(&program, &address, name));
    referee.wait_for_ply(30);
    referee = referee.resume();
    assert_eq!(referee.address().to_string(), address, "players look there");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    for client in &mut clients {
        assert!(client.wait(), "a player fails");
    }
    check(&referee.games(), 12);
    assert!(referee.events_of("start").len() == 2 && referee.events_of("lost").is_empty());
}

/// A player is killed in the middle of a game and started again.
#[test]
fn an_epode_is_killed() {
    let Some(program) = crate::common::epode() else {
        return;
    };
    let settings = format!("format = \"match\"\n{CLOCK}");
    let mut referee = Referee::run(&event(&settings, "", &["Ann", "Bob"]));
    let address = referee.address().to_string();
    let mut ann = Client::start(&program, &address, "Ann");
    let mut bob = Client::start(&program, &address, "Bob");
    referee.wait_for_ply(15);
    drop(bob);
    bob = Client::start(&program, &address, "Bob");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    assert!(ann.wait() && bob.wait());
    assert_eq!(referee.events_of("sign_on").len(), 3);
    check(&referee.games(), 2);
}

/// Clocks of PGN: `0:09:59.250`.
fn milliseconds(clocks: &[&str]) -> Vec<u64> {
    let milliseconds = |clock: &&str| {
        let (seconds, thousandths) = clock.split_once('.').unwrap_or((clock, "0"));
        let numbers = seconds.split(':');
        let seconds = numbers.fold(0, |sum, number| {
            60 * sum + number.parse::<u64>().expect(clock)
        });
        1000 * seconds + thousandths.parse::<u64>().expect(clock)
    };
    clocks.iter().map(milliseconds).collect()
}

/// A player's own games have the moves, the clocks and its evaluations as the referee's have them.
#[test]
fn both_sides_write_the_same_game() {
    let Some(program) = crate::common::epode() else {
        return;
    };
    let settings = format!("format = \"match\"\n{CLOCK}");
    let mut referee = Referee::run(&event(&settings, "", &["Ann", "Bob"]));
    let address = referee.address().to_string();
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("ann.pgn");
    let more = ["--pgn", path.to_str().expect("UTF-8")];
    let mut ann = Client::start_with(&program, &address, "Ann", &more);
    let mut bob = Client::start(&program, &address, "Bob");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    assert!(ann.wait() && bob.wait());
    let theirs = referee.games();
    check(&theirs, 2);
    let ours = games::read(&std::fs::read_to_string(path).expect("games"));
    assert_eq!(ours.len(), 2);
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours.moves, theirs.moves);
        assert_eq!(ours.check(), theirs.check());
        let clocks = [ours, theirs].map(|game| milliseconds(&game.annotations("%clk")));
        assert_eq!(clocks[0].len(), clocks[1].len());
        // The referee tells whole milliseconds and knows more.
        let pairs = clocks[0].iter().zip(&clocks[1]);
        assert!(
            pairs.clone().all(|(a, b)| a.abs_diff(*b) <= 1),
            "{clocks:?}"
        );
        let first = usize::from(theirs.tag("White") != "Ann");
        let of_ann: Vec<_> = theirs.annotations("%eval");
        let of_ann: Vec<_> = of_ann.into_iter().skip(first).step_by(2).collect();
        assert_eq!(ours.annotations("%eval"), of_ann);
    }
}
