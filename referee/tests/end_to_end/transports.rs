//! Transports other than TCP, and clients of the standard author's kit.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::common::games::Played;
use crate::common::kit::{self, Kit, Written};
use crate::common::player::{random, spawn};
use crate::common::{Killed, Referee, program};

/// An event of Ann, with a dedicated connection, and Bob.
fn event(settings: &str, ann: &str, bob: &str) -> String {
    let players = format!("[[player]]\nname = \"Ann\"\n{ann}\n[[player]]\nname = \"Bob\"\n{bob}\n");
    let event = crate::common::event(&format!("format = \"match\"\n{settings}"), "", &[]);
    format!("{event}{players}")
}

fn check_games(referee: &Referee, count: usize) -> Vec<Played> {
    let games = referee.games();
    assert_eq!(games.len(), count, "{}", referee.output());
    for game in &games {
        game.check_to_the_end();
    }
    games
}

/// What the kit has written is what the referee has written.
fn compare(written: &[Written], games: &[Played]) {
    assert_eq!(written.len(), games.len());
    for (written, game) in written.iter().zip(games) {
        assert_eq!(written.moves, game.moves);
        let tags = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
        assert_eq!(written.tags, tags.map(|tag| game.tag(tag)));
    }
}

/// A client of the kit plays a match by named pipes, which are there only during the event.
#[test]
fn a_client_of_the_kit() {
    let text = event(
        "games_per_pairing = 4\ntime_control = \"60\"",
        "fifo = \"duplex\"\ndialect = \"kit\"",
        "",
    );
    let mut referee = Referee::run(&text);
    let base = referee.path("../duplex");
    let kit = kit::spawn(&base, 1);
    let bob = spawn(referee.address(), "Bob", random(2));
    let written = kit.join().expect("the kit lives");
    bob.join().expect("no complaints");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    compare(&written, &check_games(&referee, 4));
    assert!(!base.with_extension("pc0").exists() && !base.with_extension("pc1").exists());
}

/// A client of the kit that is killed is gone at once; another one takes its place in the game. A referee
/// that is killed finds its client again.
#[test]
fn a_client_of_the_kit_and_its_referee_are_killed() {
    let text = event(
        "games_per_pairing = 1\ntime_control = \"600\"",
        "fifo = \"duplex\"\ndialect = \"kit\"",
        "",
    );
    // A reply to a question of the referee that was killed comes before the game goes on.
    let text = text.replace("reset = \"0s\"", "reset = \"200ms\"");
    let referee = Referee::run(&text);
    let base = referee.path("../duplex");
    let kit = Kit::open(&base, 1);
    // Before that, nobody would read what a client leaves in the pipe.
    referee.wait_for_output("Ann connected");
    drop(kit);
    referee.wait_for_output("Ann disconnected");
    let kit = kit::spawn(&base, 1);
    let bob = spawn(referee.address(), "Bob", random(2));
    referee.wait_for_ply(5);
    let mut referee = referee.resume();
    // Bob has noticed the end of the first referee.
    bob.join().expect("no complaints");
    let bob = spawn(referee.address(), "Bob", random(3));
    let written = kit.join().expect("the kit lives");
    bob.join().expect("no complaints");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    compare(&written, &check_games(&referee, 1));
}

/// Programs that the referee talks to over standard input and output: four games, two at a time; one
/// program is killed, which costs its game, and is started again.
#[test]
fn programs_on_standard_streams() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let client = format!(
        "stdio = true\ncommand = \"'{}' client --stdio --name {{name}} --nodes 300\"",
        epode.display()
    );
    let text = event("games_per_pairing = 4\nconcurrency = 2", &client, &client);
    let mut referee = Referee::run(&text);
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    check_games(&referee, 4);
    let log = referee.read("events.jsonl");
    assert!(
        log.contains("\"peer\":\"standard input and output\""),
        "{log}"
    );
}

/// A program that crashes when it is asked for a move costs its games, and nothing else.
#[test]
fn a_program_on_standard_streams_that_crashes() {
    let sign_on = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - refreq sign_on;";
    let crash = format!(
        "stdio = true\ncommand = \"sh -c 'echo \\\"{sign_on}\\\"; grep -q respond; exit 3'\""
    );
    let text = event("games_per_pairing = 2", &crash, "");
    let mut referee = Referee::run(&text);
    let bob = spawn(referee.address(), "Bob", random(2));
    bob.join().expect("no complaints");
    assert_eq!(referee.wait(), 1, "{}", referee.output());
    let results = referee.events_of("result");
    assert_eq!(results.len(), 2);
    for result in results {
        assert_eq!(result["verdict"], "crash", "{result}");
    }
    assert!(referee.output().contains("Ann is started again"));
}

/// `check` explains transports and refuses what cannot be.
#[test]
fn check_explains_transports() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let check = |text: &str| {
        std::fs::write(folder.path().join("cup.toml"), text).expect("written");
        program(folder.path(), "check cup.toml")
    };
    let kit = "fifo = \"duplex\"\ndialect = \"kit\"";
    let (said, status) = check(&event("", kit, ""));
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains(
            "Ann connects by the named pipes duplex.pc0 and duplex.pc1, which the referee makes"
        ) && said.contains("Ann speaks the dialect of the EPD Kit")
            && said.contains("Bob connects by the network"),
        "{said}"
    );
    let (said, status) = check(&event("", "serial = \"nowhere\"", ""));
    assert!(
        status == 2 && said.contains("player Ann: nowhere does not exist"),
        "{said}"
    );
    std::fs::write(
        folder.path().join("book.epd"),
        "4k3/8/8/8/8/8/4P3/4K3 w - -\n",
    )
    .expect("written");
    let book = "openings = { file = \"book.epd\" }";
    for verb in ["check", "run"] {
        std::fs::write(folder.path().join("cup.toml"), event(book, kit, "")).expect("written");
        let (said, status) = program(folder.path(), &format!("{verb} cup.toml"));
        assert!(
            status == 2
                && said.contains("book.epd: opening 1 does not begin from the starting position"),
            "{said}"
        );
    }
    assert!(!folder.path().join("cup").exists());
}

/// Crafty, which has the kit inside, plays a match without a bridge. The variable `EPODE_CRAFTY` names its
/// program, built with `-DEPD`; Crafty writes its files where it runs.
#[test]
fn crafty() {
    let Some(crafty) = std::env::var_os("EPODE_CRAFTY").map(PathBuf::from) else {
        println!("not tested: EPODE_CRAFTY names no Crafty built with -DEPD");
        return;
    };
    let text = event(
        "games_per_pairing = 2\ntime_control = \"600\"",
        "fifo = \"duplex\"\ndialect = \"kit\"",
        "",
    );
    let mut referee = Referee::run(&text);
    let folder = referee.path("..");
    let mut child = Command::new(crafty)
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("EPODE_CRAFTY");
    // Its input stays open: Crafty does not end at the end of its input.
    let mut input = child.stdin.take().expect("piped");
    let _crafty = Killed(child);
    std::io::Write::write_all(
        &mut input,
        b"ponder off\nbook off\nst 0.01\nepdcomm duplex\n",
    )
    .expect("written");
    let bob = spawn(referee.address(), "Bob", random(2));
    bob.join().expect("no complaints");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    check_games(&referee, 2);
}

/// Argus in serial mode: two clients on serial lines of 9600 baud that drop and double characters.
#[cfg(target_os = "linux")]
#[test]
fn a_game_over_serial_lines_that_damage_characters() {
    use crate::common::serial::Cable;
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let folder = tempfile::TempDir::new().expect("a folder");
    let cables = [1, 2].map(|seed| Cable::lay(folder.path(), seed));
    let [ann, bob] = [0, 1].map(|i: usize| {
        let device = cables[i].ends[0].display();
        format!("serial = \"{device}\"\nbaud = 9600")
    });
    let text = event("games_per_pairing = 1\ntime_control = \"600\"", &ann, &bob);
    let book = "k7/8/3K4/8/8/8/8/6Q1 w - -\n";
    let text = text.replace("[delays]", "[openings]\nfile = \"book.epd\"\n[delays]");
    let referee = Referee::run_with(&text, &[("book.epd", book)], &[]);
    let players = cables.each_ref().map(|cable| {
        let mut command = Command::new(&epode);
        command.args(["client", "--depth", "6", "--serial"]);
        command
            .arg(&cable.ends[1])
            .arg("--log")
            .arg(cable.ends[1].with_extension("log"));
        command.stdin(Stdio::null()).stdout(Stdio::null());
        Killed(command.stderr(Stdio::null()).spawn().expect("epode"))
    });
    // Another referee finds both of them where they are.
    referee.wait_for_ply(2);
    let mut referee = referee.resume();
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    let games = check_games(&referee, 1);
    for mut player in players {
        assert!(player.0.wait().expect("it ends").success());
    }
    println!("{} moves", games[0].moves.len());
    for cable in cables {
        let noise = cable.noise();
        println!("{noise:?}");
        assert!(
            noise.dropped > 0 && noise.doubled > 0 && noise.faults > 0,
            "{noise:?}"
        );
    }
}
