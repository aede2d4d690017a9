//! Players on real connections say what they run on, and time is normalised by it.

use crate::common::player::{Link, random, spawn};
use crate::common::{Referee, event};
use epd::protocol::Command;
use movegen::Position;

/// A player that says what it runs on, up to the tags of its game.
fn enter(referee: &Referee, name: &str, operations: &str) -> Link {
    let mut link = Link::open(referee.address());
    let operations = format!("{operations} refreq sign_on; tcsi \"\" \"{name}\";");
    link.request(&Position::start(), &operations);
    link
}

fn time_control(link: &mut Link) -> String {
    loop {
        if let Command::Inform(told) = link.command().expect("a command") {
            return told.tag("TimeControl").expect("a time control").to_owned();
        }
    }
}

/// A referee that is killed and resumed gives each side the time that the game began with.
#[test]
fn normalised_time_survives_a_kill() {
    let text = event(
        "format = \"match\"\ntime_control = \"600+1\"\ntime_normalization = { speed = 1000000 }",
        "",
        &["Ann"],
    ) + "[[player]]\nname = \"Bob\"\nspeed = 1250000\n";
    let referee = Referee::run(&text);
    let mut ann = enter(&referee, "Ann", "Machine \"abacus\"; Speed 800000;");
    let mut bob = enter(&referee, "Bob", "");
    assert_eq!(time_control(&mut ann), "750+1.25");
    assert_eq!(time_control(&mut bob), "480+0.8");
    referee.wait_for_output("game 1: time is normalised: Ann has 750+1.25, Bob has 480+0.8");
    let mut referee = referee.resume();
    let mut ann = enter(&referee, "Ann", "");
    let mut bob = enter(&referee, "Bob", "");
    assert_eq!(time_control(&mut ann), "750+1.25");
    assert_eq!(time_control(&mut bob), "480+0.8");
    let game = referee.events_of("game").pop().expect("a game");
    assert_eq!(
        game["time_controls"],
        serde_json::json!(["750+1.25", "480+0.8"])
    );
    assert_eq!(game["equipment"][0]["machine"], "abacus");
    referee.control("adjudicate 1 1/2");
    // Ann no longer says her speed.
    drop((ann, bob));
    let players = ["Ann", "Bob"].map(|name| {
        referee.wait_for_output(&format!("{name} disconnected"));
        spawn(referee.address(), name, random(1))
    });
    for player in players {
        player.join().expect("no complaints");
    }
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    let games = referee.games();
    let tags = |game: usize| {
        [
            "TimeControl",
            "WhiteTimeControl",
            "BlackTimeControl",
            "WhiteMachine",
        ]
        .map(|name| games[game].tag(name).to_owned())
    };
    assert_eq!(tags(0), ["600+1", "750+1.25", "480+0.8", "abacus"]);
    assert_eq!(tags(1), ["600+1", "480+0.8", "600+1", ""]);
}

/// The event of the guide: `check` prints what is shown there.
#[test]
fn the_unequal_machines_of_the_guide() {
    let guide = include_str!("../../README.md");
    let (_, text) = guide
        .split_once("referee$ cat unequal.toml\n")
        .expect("an event");
    let (text, rest) = text
        .split_once("referee$ epode-referee check unequal.toml\n")
        .expect("a check");
    let (expected, _) = rest.split_once("...\n").expect("an end");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("unequal.toml"), text).expect("written");
    let (said, status) = crate::common::program(folder.path(), "check unequal.toml");
    assert_eq!(status, 0, "{said}");
    assert!(said.starts_with(expected), "{said}");
}

/// Our own client says what it runs on, and plays by its own clock.
#[test]
fn the_client_plays_with_normalised_time() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let player = |name: &str, overhead: &str, options: &str| {
        format!(
            "[[player]]\nname = \"{name}\"\ncommand = \"'{}' client {{address}} --name {{name}} \
             --pgn {name}.pgn --overhead {overhead} {options}\"\n",
            epode.display()
        )
    };
    let settings = format!(
        "format = \"match\"\ngames_per_pairing = 1\n{}\ntime_normalization = {{ speed = 1000000 }}",
        crate::common::CLOCK
    );
    let text = event(&settings, "", &[])
        + &player(
            "Ann",
            "749500ms",
            "--speed 800000 --machine 'abacus, 1 thread'",
        )
        + &player("Bob", crate::common::OVERHEAD, "");
    let mut referee = Referee::run(&text);
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    let game = referee.games().remove(0);
    assert_eq!(game.tag("TimeControl"), "600+0.01");
    assert_eq!(game.tag("WhiteTimeControl"), "750+0.013");
    assert_eq!(game.tag("BlackTimeControl"), "600+0.01");
    assert_eq!(game.tag("WhiteMachine"), "abacus, 1 thread");
    assert!(game.tag("BlackMachine").ends_with(", 1 thread, 16 MiB"));
    game.check_to_the_end();
    let standings: serde_json::Value =
        serde_json::from_str(&referee.read("standings.json")).expect("JSON");
    let players = standings["players"].as_array().expect("a list");
    let ann = players
        .iter()
        .find(|player| player["name"] == "Ann")
        .expect("Ann");
    assert_eq!(
        (&ann["machine"], &ann["speed"]),
        (&"abacus, 1 thread".into(), &800_000.into())
    );
    // What the players have written: their own time, and the clocks of both as the referee has them.
    for (name, control) in [("Ann", "750+0.013"), ("Bob", "600+0.01")] {
        let pgn =
            std::fs::read_to_string(referee.path(&format!("../{name}.pgn"))).expect("written");
        assert!(
            pgn.contains(&format!("[TimeControl \"{control}\"]")),
            "{pgn}"
        );
        assert!(pgn.contains("[WhiteTimeControl \"750+0.013\"]"), "{pgn}");
        let moves = pgn.rsplit("\n\n").nth(1).expect("moves").replace('\n', " ");
        assert!(
            moves.starts_with("1. ")
                && moves.contains("[%clk 0:12:")
                && moves.contains("[%clk 0:09:"),
            "{moves}"
        );
    }
}
