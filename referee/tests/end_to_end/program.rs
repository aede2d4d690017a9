//! The program as its guide (`README.md`) shows it: its examples, an event in the background, the demonstration.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::common::player::{random, spawn};
use crate::common::{Killed, LIMIT, PROGRAM, Referee, event, program};
use tempfile::TempDir;

const GUIDE: &str = include_str!("../../README.md");

/// Reads a file as often as it takes until it has this in it.
fn wait_for(path: &Path, wanted: &str) -> String {
    let started = Instant::now();
    loop {
        let text = fs::read_to_string(path).unwrap_or_default();
        if text.contains(wanted) {
            return text;
        }
        assert!(started.elapsed() < LIMIT, "no {wanted:?} in {text}");
        std::thread::yield_now();
    }
}

/// `init` writes the file that the repository shows, and `check` explains it.
#[test]
fn a_new_event_is_sound() {
    let folder = TempDir::new().expect("a folder");
    let template = include_str!("../../event.toml");
    let (printed, status) = program(folder.path(), "init");
    assert_eq!((printed.trim_end(), status), (template.trim_end(), 0));
    let (said, status) = program(folder.path(), "init cup.toml");
    assert_eq!((said.as_str(), status), ("", 0));
    // The commands of the players must exist.
    let check = |path: &Path| {
        let output = Command::new(PROGRAM)
            .args(["check", "cup.toml"])
            .current_dir(folder.path())
            .env("PATH", path)
            .output()
            .expect(PROGRAM);
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        (said, output.status.code())
    };
    let (said, status) = check(folder.path());
    assert!(
        said.contains("the program of player One does not exist: epode client"),
        "{said}"
    );
    assert_eq!(status, Some(2), "{said}");
    let name = format!("epode{}", std::env::consts::EXE_SUFFIX);
    fs::write(folder.path().join(&name), "").expect("written");
    let (said, status) = check(folder.path());
    assert_eq!(status, Some(0), "{said}");
    assert!(
        said.contains("\n1 opening\n") && said.contains("One runs "),
        "{said}"
    );
    // What is there is not overwritten.
    let (said, status) = program(folder.path(), "init cup.toml");
    assert_eq!(status, 2, "{said}");
}

/// `check` opens the tablebases of an event.
#[test]
fn the_tablebases_of_an_event_are_checked() {
    let folder = TempDir::new().expect("a folder");
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../movegen/syzygy/tables");
    let check = |setting: &str| {
        let text = format!(
            "event = \"x\"\n[adjudication]\n{setting}\n\
             [[player]]\nname = \"a\"\n[[player]]\nname = \"b\"\n"
        );
        fs::write(folder.path().join("cup.toml"), text).expect("written");
        program(folder.path(), "check cup.toml")
    };
    let (said, status) = check(&format!("tablebases = {tables:?}\nmax_moves = 150"));
    assert_eq!(status, 0, "{said}");
    let expected = "adjudication by 5 tablebases of up to 3 pieces\n";
    assert!(said.contains(expected), "{said}");
    assert!(
        said.contains("a game is drawn after 150 moves of each side\n"),
        "{said}"
    );
    fs::create_dir(folder.path().join("empty")).expect("a folder");
    for (setting, why) in [
        (
            "tablebases = \"empty\"",
            "[adjudication] tablebases: no tablebases in empty: expected",
        ),
        (
            "tablebases = \"none\"",
            "[adjudication] tablebases: none: No such file",
        ),
        (
            "mode = \"wins\"",
            "mode is about tablebases, but there is no `tablebases`",
        ),
        (
            "tablebases = \"x\"\nmode = \"all\"",
            "unknown variant `all`",
        ),
        ("max_moves = 0", "expected a nonzero u32"),
    ] {
        let (said, status) = check(setting);
        assert!(status == 2 && said.contains(why), "{setting}: {said}");
    }
}

/// The event of the guide: two players with a password, one of them another program.
#[test]
fn the_event_of_the_guide() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let (_, text) = GUIDE
        .split_once("referee$ cat cup.toml\n")
        .expect("an event");
    let (text, _) = text.split_once("referee$ ").expect("an end");
    let arguments = ["--listen", "127.0.0.1:0", "--password-file", "secret"];
    let mut referee = Referee::run_with(text, &[("secret", "sesame\n")], &arguments);
    let (said, status) = referee.program("check cup.toml");
    assert_eq!(status, 0, "{said}");
    let folder = referee.path("..");
    let address = referee.address().to_string();
    let start = |words: &str| {
        let mut command = Command::new(&epode);
        command.args(["client", &address, "--password-file", "secret"]);
        command.args(words.split(' ')).current_dir(&folder);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        Killed(command.stderr(Stdio::null()).spawn().expect("epode"))
    };
    // Stockfish is not everywhere: our own engine behind UCI stands in for it.
    let engine = format!("{} uci", epode.display());
    let mut one = start("--name Epode --pgn epode.pgn");
    let mut two = Command::new(&epode);
    two.args(["client", &address, "--password-file", "secret"]);
    two.args([
        "--name",
        "Stockfish",
        "--engine",
        &engine,
        "--option",
        "Hash=64",
    ]);
    two.current_dir(&folder).stdin(Stdio::null());
    two.stdout(Stdio::null()).stderr(Stdio::null());
    let mut two = Killed(two.spawn().expect("epode"));
    referee.wait_for_ply(4);
    let games = referee.control("games");
    assert!(
        games.starts_with("game 1: Epode (1.") && games.contains(" s) - Stockfish ("),
        "{games}"
    );
    referee.control("quit");
    assert_eq!(referee.wait(), 3, "{}", referee.output());
    for player in [&mut one.0, &mut two.0] {
        assert!(player.wait().expect("it ends").success());
    }
    // A game that is not over stands in the player's file as that.
    let pgn = fs::read_to_string(folder.join("epode.pgn")).expect("games");
    assert!(
        pgn.contains("[Result \"*\"]") && pgn.contains("[%clk 0:00:0"),
        "{pgn}"
    );
    let log = referee.read("records.log");
    assert!(
        log.lines()
            .all(|line| line.contains("Z < \"") || line.contains("Z > \""))
    );
    assert!(log.contains("\"Stockfish\" ") && !log.contains("sesame"));
}

/// The template as it is, with a password: the referee passes it on to the players that it starts.
#[test]
fn the_template_with_a_password() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let text = referee::config::TEMPLATE
        .replace("\"epode client", &format!("\"'{}' client", epode.display()))
        .replace("reset = \"5s\"", "reset = \"0s\"");
    let arguments = ["--listen", "127.0.0.1:0", "--password-file", "secret"];
    let mut referee = Referee::run_with(&text, &[("secret", "sesame\n")], &arguments);
    referee.wait_for_ply(2);
    referee.control("quit");
    assert_eq!(referee.wait(), 3, "{}", referee.output());
    for file in ["records.log", "events.jsonl", "journal.log"] {
        assert!(!referee.read(file).contains("sesame"), "{file}");
    }
}

/// Players with `--reconnect` wait while a referee is stopped, and go on when its event is resumed.
#[test]
fn players_come_back_to_a_referee_that_was_stopped() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let settings = "format = \"match\"\ngames_per_pairing = 1\ntime_control = \"60\"";
    let text = event(settings, "", &["Ann", "Bob"]);
    let mut referee = Referee::run(&text);
    let address = referee.address().to_string();
    let mut players = ["Ann", "Bob"].map(|name| {
        let mut command = Command::new(&epode);
        command.args(["client", &address, "--name", name, "--reconnect"]);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        Killed(command.stderr(Stdio::null()).spawn().expect("epode"))
    });
    referee.wait_for_ply(2);
    referee.control("quit");
    assert_eq!(referee.wait(), 3, "{}", referee.output());
    let plies = referee.events_of("move").len();
    let mut referee = referee.resume();
    assert_eq!(referee.address().to_string(), address);
    referee.wait_for_ply(plies + 2);
    referee.control("adjudicate 1 1/2");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    for player in &mut players {
        assert!(player.0.wait().expect("it ends").success());
    }
}

/// The round robin of the guide is what the guide says.
#[test]
fn the_round_robin_of_the_guide() {
    let (_, text) = GUIDE
        .split_once("referee$ cat league.toml\n")
        .expect("an event");
    let (text, rest) = text.split_once("referee$ ").expect("an end");
    let config = referee::config::Config::read(text).expect("an event");
    let described = config.to_string();
    assert!(
        described.contains("round robin, 12 games, up to 2 at the same time"),
        "{described}"
    );
    let Some(epode) = crate::common::epode() else {
        return;
    };
    // The certificate is made as the guide says. This machine may have any name, and it is any day.
    let folder = TempDir::new().expect("a folder");
    let (said, status) = program(folder.path(), "init --tls league.toml --host referee");
    assert_eq!(status, 0, "{said}");
    let (_, shown) = GUIDE
        .split_once("$ epode-referee init --tls league.toml\n")
        .expect("shown");
    for (said, shown) in said.lines().zip(shown.lines()) {
        let (said, shown) = match (said.split_once("localhost"), shown.split_once("localhost")) {
            (Some((_, said)), Some((_, shown))) => (said, shown),
            _ => (said, shown),
        };
        let until = ", valid until ";
        let cut = |line: &str| line.split(until).next().expect("a line").to_owned();
        assert_eq!(cut(said), cut(shown));
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
    let (certificate, key) = (read("league.crt"), read("league.key"));
    let book = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id \"e4\";\n";
    let files = [
        ("league.crt", certificate.as_str()),
        ("league.key", &key),
        ("book.epd", book),
        ("secret", "sesame\n"),
    ];
    let arguments = ["--listen", "127.0.0.1:0", "--password-file", "secret"];
    let mut referee = Referee::run_with(text, &files, &arguments);
    // The engines of the guide are not here: Epode itself plays.
    let host = format!("localhost:{}", referee.address().port());
    let commands = rest
        .lines()
        .filter_map(|line| line.split_once("$ epode client "));
    let mut players: Vec<_> = commands
        .take(config.players.len())
        .map(|(_, words)| {
            let words = words.split(" --engine").next().expect("words");
            let mut command = Command::new(&epode);
            command
                .arg("client")
                .args(words.replace("referee:5077", &host).split(' '));
            command.current_dir(referee.path("..")).stdin(Stdio::null());
            command.stdout(Stdio::null()).stderr(Stdio::null());
            Killed(command.spawn().expect("epode"))
        })
        .collect();
    for player in &config.players {
        referee.wait_for_output(&format!("{} connected from ", player.name));
    }
    referee.wait_for_ply(2);
    referee.control("quit");
    assert_eq!(referee.wait(), 3, "{}", referee.output());
    assert_eq!(players.len(), 4);
    // They wait for the referee to come back.
    for player in &mut players {
        assert!(player.0.try_wait().expect("a process").is_none());
    }
}

/// The events of the guide's section on transports: `check` explains each, and the first is played as it is
/// shown.
#[cfg(unix)]
#[test]
fn the_transports_of_the_guide() {
    let (_, section) = GUIDE.split_once("\n## Transports\n").expect("a section");
    let (section, _) = section.split_once("\n## ").expect("an end");
    let folder = TempDir::new().expect("a folder");
    let event_of = |name: &str| {
        let begin = format!("referee$ cat {name}.toml\n");
        let (_, text) = section.split_once(&begin).expect(name);
        text.split_once("referee$ ").expect("an end").0
    };
    let bin = Path::new(PROGRAM).parent().expect("a folder");
    let check = |name: &str, text: &str| {
        fs::write(folder.path().join(format!("{name}.toml")), text).expect("written");
        let output = Command::new(PROGRAM)
            .args(["check", &format!("{name}.toml")])
            .current_dir(folder.path())
            .env("PATH", bin)
            .output()
            .expect(PROGRAM);
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        (said, output.status.code())
    };
    let (said, status) = check("kit", event_of("kit"));
    assert_eq!(status, Some(0), "{said}");
    assert!(
        said.contains("Crafty speaks the dialect of the EPD Kit"),
        "{said}"
    );
    let (said, _) = check("serial", event_of("serial"));
    assert!(
        said.contains("Ann connects by the serial line /dev/ttyS0 at 9600 baud")
            && said.contains("Bob connects by the serial line /dev/ttyS1 at 19200 baud"),
        "{said}"
    );
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let (said, status) = check("pipes", event_of("pipes"));
    assert_eq!(status, Some(0), "{said}");
    let line = |begin: &str| {
        let mut lines = section.lines();
        let line = lines.find_map(|line| line.strip_prefix(begin));
        line.expect(begin)
            .split(' ')
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let referee = Command::new(PROGRAM)
        .args(line("referee$ epode-referee "))
        .current_dir(folder.path())
        .env("PATH", bin)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn();
    let mut referee = Killed(referee.expect(PROGRAM));
    wait_for(
        &folder.path().join("pipes/events.jsonl"),
        "\"event\":\"start\"",
    );
    let ann = Command::new(epode)
        .args(line("referee$ epode "))
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut ann = Killed(ann.expect("epode"));
    assert_eq!(referee.0.wait().expect("it ends").code(), Some(0));
    assert!(ann.0.wait().expect("it ends").success());
    let games = fs::read_to_string(folder.path().join("pipes/games.pgn")).expect("games");
    assert_eq!(crate::common::games::read(&games).len(), 2);
    assert!(!folder.path().join("duplex.pc0").exists());
}

/// An event without a terminal: where it is and what it says can be found in its folder.
#[test]
fn an_event_in_the_background() {
    let folder = TempDir::new().expect("a folder");
    let settings = "format = \"match\"\ngames_per_pairing = 1\ntime_control = \"60\"";
    let text = event(settings, "", &["Ann", "Bob"]);
    fs::write(folder.path().join("cup.toml"), text).expect("written");
    let (said, status) = program(
        folder.path(),
        "run cup.toml --listen 127.0.0.1:0 --moves --background",
    );
    assert_eq!(status, 0, "{said}");
    assert!(
        said.starts_with("process ") && said.ends_with(", output in cup/output.log\n"),
        "{said}"
    );
    let cup = folder.path().join("cup");
    // It listens already.
    let address = said.split_once("listening on ").expect("an address").1;
    let address = address.split_once(',').expect("more").0;
    let address = address.parse().expect("an address");
    // It is the program that was started, and can be spoken to.
    let output = cup.join("output.log");
    wait_for(&output, &format!("listening on {address}\n"));
    let players = ["Ann", "Bob"].map(|name| spawn(address, name, random(7)));
    for player in players {
        let farewell = player.join().expect("no complaints").farewell;
        assert_eq!(farewell.as_deref(), Some("the event is over"));
    }
    let text = wait_for(&output, "\nRank  Name");
    assert!(text.contains("\ngame 1: 1. "), "moves: {text}");
    // What does not come up is told at once.
    let (said, status) = program(folder.path(), "run cup.toml --background");
    assert!(
        status == 2 && said.contains("cup is finished; to play it again"),
        "{said}"
    );
    let games = fs::read_to_string(cup.join("games.pgn")).expect("games");
    assert_eq!(crate::common::games::read(&games).len(), 1);
}

/// Two players that the referee starts itself: they come, they play, and go with it.
#[cfg(unix)]
#[test]
fn the_demonstration() {
    if crate::common::epode().is_none() {
        return;
    }
    let child = Command::new(PROGRAM)
        .arg("demo")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = Killed(child.expect(PROGRAM));
    let mut lines = BufReader::new(child.0.stdout.take().expect("piped")).lines();
    let mut seen = Vec::new();
    for line in lines.by_ref() {
        seen.push(line.expect("UTF-8"));
        if seen
            .last()
            .is_some_and(|line| line.starts_with("game 1: 2... "))
        {
            break;
        }
    }
    let said = seen.join("\n");
    assert!(said.starts_with("watch the games at http://127.0.0.1:"));
    assert!(said.contains("\nlistening on 127.0.0.1:"), "{said}");
    for player in ["One", "Two"] {
        assert!(
            said.contains(&format!("\n{player} connected from ")),
            "{said}"
        );
    }
    assert!(
        said.contains("\ngame 1: 1. ") && said.contains(" s left  "),
        "{said}"
    );
    let id = child.0.id().to_string();
    let done = Command::new("kill").args(["-INT", &id]).status();
    assert!(done.expect("there is kill").success());
    let rest: Vec<_> = lines.map(|line| line.expect("UTF-8")).collect();
    assert!(
        rest.iter().any(|line| line.starts_with("Rank  Name")),
        "{rest:?}"
    );
    let mut complaints = String::new();
    let mut stderr = child.0.stderr.take().expect("piped");
    stderr.read_to_string(&mut complaints).expect("UTF-8");
    // An event that is left can be resumed, says the status.
    assert_eq!(child.0.wait().expect("it ends").code(), Some(3));
    assert_eq!(complaints, "");
}

/// A new event must use the present names of settings; an event that an earlier version began is resumed
/// with the old ones in its folder.
#[test]
fn old_names_of_settings() {
    let old = event("cycles = 1", "", &["Ann", "Bob"]);
    let old = old.replace("mate_reply_timeout = ", "mate_wait = ");
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("cup.toml"), &old).expect("written");
    for verb in ["check", "run"] {
        let (said, status) = program(folder.path(), &format!("{verb} cup.toml"));
        assert_eq!(status, 2, "{said}");
        for line in [
            "the setting `cycles` is now called `rounds`",
            "the setting `mate_wait` is now called `mate_reply_timeout`",
        ] {
            assert!(said.lines().any(|said| said == line), "{said}");
        }
    }
    let mut referee = Referee::run(&event("", "", &["Ann", "Bob"]));
    referee.control("quit");
    assert_eq!(referee.wait(), 3, "{}", referee.output());
    fs::write(referee.path("event.toml"), old).expect("written");
    let mut referee = referee.resume();
    referee.control("quit");
    assert_eq!(referee.wait(), 3, "{}", referee.output());
}
