//! Players say what they run on, and have more or less time where it is normalised.

use std::time::Duration;

use movegen::Color;

use super::world::{World, ledger};
use crate::core::event::{Access, Input, LinkId, Report};
use crate::core::journal::Entry;

const SETTINGS: &str = "format = \"match\"\n[delays]\nreset = \"0s\"\nconclude = \"0s\"\n\
     [[player]]\nname = \"Ann\"\n[[player]]\nname = \"Bob\"\n";
const ABACUS: &str = "Machine \"abacus, 1 thread\"; Speed 500000;";

fn enter(world: &mut World, name: &str, operations: &str) -> LinkId {
    let link = world.open();
    world.sign_on(link, name, operations);
    world.feed(Input::Tick);
    link
}

fn tags(pgn: &str) -> Vec<&str> {
    let lines = pgn.lines();
    let is_of_a_side = |line: &&str| line.contains("Machine ") || line.contains("Speed ");
    lines.filter(is_of_a_side).collect()
}

/// What a player says is told in print, in the stream, in the standings, in PGN, and after a resume.
#[test]
fn what_a_player_runs_on_is_shown() {
    let mut world = World::new(SETTINGS);
    let ann = enter(&mut world, "Ann", ABACUS);
    let bob = enter(&mut world, "Bob", "");
    assert_eq!(
        world.said,
        [
            "Ann connected from 127.0.0.1:1: abacus, 1 thread; 500000 nodes/s",
            "Bob connected from 127.0.0.1:2"
        ]
    );
    let sign_on = world
        .reports
        .iter()
        .find(|report| matches!(report, Report::SignOn { .. }));
    assert_eq!(
        serde_json::to_value(sign_on).expect("JSON"),
        serde_json::json!({
            "event": "sign_on", "player": "Ann", "peer": "127.0.0.1:1", "machine": "abacus, 1 thread",
            "speed": 500_000,
        })
    );
    let log = world.view.log.iter().map(|line| line.text.as_str());
    let log: Vec<_> = log.collect();
    assert!(
        log.contains(&"Ann has signed on (abacus, 1 thread; 500000 nodes/s)"),
        "{log:?}"
    );
    let game = serde_json::to_value(&world.view.games[&1].game).expect("JSON");
    assert_eq!(
        game["equipment"],
        serde_json::json!([{"machine": "abacus, 1 thread", "speed": 500_000}, {}])
    );
    let standings = serde_json::to_value(world.event.ledger().standings()).expect("JSON");
    assert_eq!(standings["players"][0]["machine"], "abacus, 1 thread");
    assert_eq!(standings["players"][0]["speed"], 500_000);
    assert!(standings["players"][1].get("machine").is_none());
    world.play(ann, 0);
    let mut resumed = ledger(SETTINGS);
    resumed.resume(world.journal.clone()).expect("a journal");
    assert_eq!(resumed.snapshot(), world.event.ledger().snapshot());
    assert_eq!(resumed.standings(), world.event.ledger().standings());
    world.reply(bob, "resign;");
    assert_eq!(
        tags(&world.games),
        [
            "[WhiteMachine \"abacus, 1 thread\"]",
            "[WhiteSpeed \"500000\"]"
        ]
    );
}

/// A game keeps what was so when it began; the next one has what is so then.
#[test]
fn a_game_keeps_its_conditions() {
    let mut world = World::new(SETTINGS);
    let ann = enter(&mut world, "Ann", ABACUS);
    let bob = enter(&mut world, "Bob", "");
    world.play(ann, 0);
    world.cut(ann);
    enter(&mut world, "Ann", "Machine \"a new one\";");
    world.reply(bob, "resign;");
    world.feed(Input::Tick);
    world.reply(bob, "resign;");
    assert_eq!(
        tags(&world.games),
        [
            "[WhiteMachine \"abacus, 1 thread\"]",
            "[WhiteSpeed \"500000\"]",
            "[BlackMachine \"a new one\"]"
        ]
    );
    // Who says nothing any more is known for nothing, and so is another entrant.
    let mut world = World::new(SETTINGS);
    enter(&mut world, "Ann", ABACUS);
    enter(&mut world, "Bob", ABACUS);
    world.order("replace Ann Zoe");
    let machine = |world: &World, player: usize| {
        let standings = world.event.ledger().standings();
        assert_eq!(standings, world.view.standings());
        standings
            .of(player)
            .expect("a player")
            .equipment
            .machine
            .clone()
    };
    assert_eq!(machine(&world, 0), None);
    enter(&mut world, "Zoe", "");
    assert!(machine(&world, 1).is_some());
    let bob = world.peers.keys().copied().next().expect("Bob");
    world.cut(bob);
    enter(&mut world, "Bob", "");
    assert_eq!(machine(&world, 1), None);
}

/// Players under any name who leave before their first game are forgotten.
#[test]
fn strangers_leave_nothing_behind() {
    let mut world = World::new(&format!(
        "open_entries = 1\n{}",
        SETTINGS.replace("format = \"match\"", "")
    ));
    for name in ["Zoe", "Yan"] {
        let link = enter(&mut world, name, ABACUS);
        assert_eq!(world.view.equipment.len(), 1);
        world.cut(link);
    }
    assert!(world.view.equipment.is_empty());
    let standings = world.event.ledger().standings();
    assert!(
        standings
            .players
            .iter()
            .all(|player| player.equipment.is_empty())
    );
}

/// A player that says nothing leaves no trace in any file.
#[test]
fn nothing_said_is_nothing_written() {
    let mut world = World::new(SETTINGS);
    enter(&mut world, "Ann", "");
    enter(&mut world, "Bob", "");
    let begun = world
        .journal
        .iter()
        .find(|entry| matches!(entry, Entry::Begun { .. }));
    assert_eq!(
        begun.expect("a game").line(),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - Game 1; fmvn 1; hmvc 0; ptp White \"Ann\" \
         Black \"Bob\" Date \"2026.11.22\" TimeControl \"-\"; sv;\n"
    );
    for report in &world.reports {
        let json = serde_json::to_string(report).expect("JSON");
        for field in ["machine", "speed", "equipment"] {
            assert!(!json.contains(field), "{json}");
        }
    }
}

/// What a stranger says is made harmless: no control characters, and no more than a string of EPD holds.
#[test]
fn odd_machines() {
    let mut world = World::of(ledger(SETTINGS), Access::default());
    let long = "x".repeat(400);
    enter(
        &mut world,
        "Ann",
        &format!("Machine \"a\u{1b}[31m\u{e9}{long}\"; Speed 0;"),
    );
    let said = world.said.last().expect("words");
    let (_, machine) = said.split_once(":1: ").expect(said);
    assert!(machine.len() == 255 && machine.bytes().all(|byte| matches!(byte, b' '..=b'~')));
    assert!(machine.ends_with('x'), "no speed: {machine}");
}

/// 60 s and 1 s a move on a machine of a million nodes a second; the arbiter knows Bob's machine.
fn normalized(settings: &str) -> String {
    format!(
        "time_control = \"60+1\"\n{settings}\n{}",
        SETTINGS.replace("\"Bob\"\n", "\"Bob\"\nspeed = 1600000\n")
    )
}

const NORMALIZATION: &str = "time_normalization = { speed = 1000000 }";

/// Each side has its own time, knows it, and everybody is told.
#[test]
fn time_is_normalised() {
    let text = normalized(&format!("games_per_pairing = 1\n{NORMALIZATION}"));
    let mut world = World::new(&text);
    let ann = enter(&mut world, "Ann", ABACUS);
    // What Bob says does not count.
    let bob = enter(&mut world, "Bob", "Speed 1;");
    assert_eq!(
        world.said,
        [
            "Ann connected from 127.0.0.1:1: time control 120+2; abacus, 1 thread; 500000 nodes/s",
            "Bob connected from 127.0.0.1:2: time control 37.5+0.625; 1600000 nodes/s",
            "game 1: time is normalised: Ann has 120+2, Bob has 37.5+0.625",
        ]
    );
    for (link, own) in [(ann, "120+2"), (bob, "37.5+0.625")] {
        let peer = &world.peers[&link];
        assert_eq!(peer.tag("TimeControl"), Some(own));
        assert_eq!(peer.tag("WhiteTimeControl"), Some("120+2"));
        assert_eq!(peer.tag("BlackTimeControl"), Some("37.5+0.625"));
    }
    let game = serde_json::to_value(&world.view.games[&1].game).expect("JSON");
    assert_eq!(
        game["time_controls"],
        serde_json::json!(["120+2", "37.5+0.625"])
    );
    assert_eq!(game["clocks_ms"], serde_json::json!([120_000.0, 37_500.0]));
    let log = world.view.log.iter();
    let mut notes = log.filter(|line| line.text.starts_with("time is normalised"));
    assert_eq!(notes.next().expect("told").game, Some(1));
    world.wait(Duration::from_secs(100));
    world.play(ann, 0);
    let remaining = |world: &World| {
        let clock = world.event.ledger().running()[&1].referee.clock();
        [Color::White, Color::Black].map(|color| clock.remaining(color).expect("a clock"))
    };
    assert_eq!(
        remaining(&world),
        [22_000, 37_500].map(Duration::from_millis)
    );
    // A resumed event has the same, even if the event file has another speed by then.
    for text in [
        &text,
        &normalized("time_normalization = { speed = 9000000 }"),
        &normalized(""),
    ] {
        let mut resumed = ledger(text);
        resumed.resume(world.journal.clone()).expect("a journal");
        let mut resumed = World::of(resumed, Access::default());
        assert_eq!(remaining(&resumed), remaining(&world));
        assert_eq!(
            resumed
                .event
                .ledger()
                .game_report(1)
                .expect("in progress")
                .conditions,
            world.view.games[&1].game.conditions
        );
        enter(&mut resumed, "Ann", "");
        let bob = enter(&mut resumed, "Bob", "");
        assert_eq!(resumed.peers[&bob].tag("TimeControl"), Some("37.5+0.625"));
    }
    // A takeback keeps the clocks of both.
    world.order("takeback 1 0");
    assert_eq!(
        remaining(&world),
        [120_000, 37_500].map(Duration::from_millis)
    );
    world.play(ann, 0);
    assert_eq!(world.asked(), [bob]);
    world.wait(Duration::from_secs(38));
    assert_eq!(
        world.results(),
        [(1, "1-0".to_owned(), Some("time".to_owned()))]
    );
    let games = &world.games;
    for tag in [
        "[TimeControl \"60+1\"]",
        "[WhiteTimeControl \"120+2\"]",
        "[BlackTimeControl \"37.5+0.625\"]",
        "[BlackSpeed \"1600000\"]",
    ] {
        assert!(games.contains(tag), "{tag} in {games}");
    }
    let result = world.peers[&ann].tag("Result");
    assert_eq!(
        (result, world.peers[&ann].tag("TimeControl")),
        (Some("1-0"), Some("120+2"))
    );
}

/// The speed of a player is that of its machine: another entrant has another one.
#[test]
fn another_entrant_has_no_speed() {
    let mut world = World::new(&normalized(NORMALIZATION));
    enter(&mut world, "Ann", "");
    enter(&mut world, "Bob", "");
    world.order("replace Bob Zoe");
    let zoe = enter(&mut world, "Zoe", "");
    assert!(
        world
            .said
            .last()
            .expect("words")
            .ends_with("Zoe connected from 127.0.0.1:3")
    );
    // The game keeps its clocks; the next one has the event's.
    assert_eq!(world.peers[&zoe].tag("TimeControl"), Some("37.5+0.625"));
    world.order("adjudicate 1 1/2");
    world.feed(Input::Tick);
    assert_eq!(world.peers[&zoe].tag("TimeControl"), Some("60+1"));
    assert_eq!(world.peers[&zoe].tag("WhiteTimeControl"), None);
}

/// Where all factors are 1, normalising time changes no byte of the journal, of the games and of the stream.
#[test]
fn a_factor_of_one_changes_nothing() {
    let play = |settings: &str| {
        let mut world = World::new(&format!(
            "time_control = \"60+0.0005\"\n{settings}\n{SETTINGS}"
        ));
        let ann = enter(&mut world, "Ann", "Speed 1000000;");
        let bob = enter(&mut world, "Bob", "");
        world.wait(Duration::from_millis(1234));
        world.play(ann, 0);
        world.reply(bob, "resign;");
        let journal: String = world.journal.iter().map(Entry::line).collect();
        let reports = serde_json::to_string(&world.reports).expect("JSON");
        let tags = [ann, bob].map(|link| world.peers[&link].tags.clone());
        (journal, world.games, reports, tags, world.said)
    };
    assert_eq!(play(""), play(NORMALIZATION));
}
