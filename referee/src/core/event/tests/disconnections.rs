//! Who loses its connection too often in one game loses that game.

use std::time::Duration;

use movegen::Position;

use super::world::{World, ledger};
use crate::core::event::view::LogKind;
use crate::core::event::{Access, Input, LinkId, Report};
use crate::core::secret::Secret;

const SECOND: Duration = Duration::from_secs(1);

/// Ann and Bob with these settings of Ann and these rules.
fn settings(ann: &str, rules: &str) -> String {
    format!(
        "format = \"match\"\ntime_control = \"600\"\n[delays]\nreset = \"0s\"\nconclude = \"0s\"\n\
         [rules]\n{rules}\n[[player]]\nname = \"Ann\"\n{ann}\n[[player]]\nname = \"Bob\"\n"
    )
}

fn duel(rules: &str) -> World {
    let mut world = World::new(&settings("", rules));
    world.enter("Ann");
    world.enter("Bob");
    world
}

fn link_of(world: &World, name: &str) -> LinkId {
    let seats = world.event.seats.iter();
    let mut seats = seats.filter(|seat| world.event.ledger().names()[seat.player] == name);
    seats.find_map(|seat| seat.link).expect("connected")
}

/// A player loses its connection and comes back.
fn come_back(world: &mut World, name: &str) {
    let link = link_of(world, name);
    world.cut(link);
    world.enter(name);
    world.feed(Input::Tick);
}

fn lost(world: &World) -> Vec<(Option<usize>, Option<usize>, Option<usize>)> {
    let lost = world.reports.iter().filter_map(|report| match report {
        Report::Lost {
            game,
            disconnections,
            max_disconnections,
            ..
        } => Some((*game, *disconnections, *max_disconnections)),
        _ => None,
    });
    lost.collect()
}

/// The third disconnection loses the game at once, though the player came back from each before; the next
/// game begins with none.
#[test]
fn the_third_disconnection_loses() {
    let mut world = duel("");
    come_back(&mut world, "Ann");
    // Those of the opponent are its own.
    come_back(&mut world, "Bob");
    let ann = link_of(&world, "Ann");
    world.reply(ann, "sm e4;");
    come_back(&mut world, "Ann");
    assert!(world.results().is_empty());
    let ann = link_of(&world, "Ann");
    world.cut(ann);
    assert_eq!(
        world.results(),
        [(1, "0-1".to_owned(), Some("disconnect".to_owned()))]
    );
    let of = |game, count| (Some(game), Some(count), Some(3));
    assert_eq!(lost(&world), [of(1, 1), of(1, 1), of(1, 2), of(1, 3)]);
    assert!(world.said.contains(&"Ann disconnected (3 of 3)".to_owned()));
    let faults = world.view.log.iter();
    let mut faults = faults.filter(|line| line.kind == LogKind::Fault);
    let line = faults.next().expect("a fault");
    assert_eq!(
        (line.game, &*line.text),
        (Some(1), "Ann is disconnected (1 of 3)")
    );
    let games = world.games.replace('\n', " ");
    assert!(games.contains("Black wins: White was disconnected 3 times"));
    world.enter("Ann");
    world.feed(Input::Tick);
    assert_eq!(world.event.ledger().running()[&2].disconnections, [0; 2]);
    come_back(&mut world, "Ann");
    come_back(&mut world, "Ann");
    assert_eq!(world.results().len(), 1);
}

/// Outside of a game nothing is counted, and a player with `max_disconnections = 0` may go as often as it likes.
#[test]
fn what_loses_nothing() {
    let mut world = World::new(&settings("", ""));
    for _ in 0..5 {
        let ann = world.enter("Ann");
        world.cut(ann);
    }
    assert_eq!(lost(&world), [(None, None, None); 5]);
    assert!(world.said.contains(&"Ann disconnected".to_owned()));
    let mut world = duel("max_disconnections = 0");
    for _ in 0..5 {
        come_back(&mut world, "Ann");
    }
    assert!(world.results().is_empty());
    assert_eq!(lost(&world)[4], (Some(1), Some(5), None));
}

/// With `max_disconnections = 1` nobody may go.
#[test]
fn one_disconnection_may_be_too_many() {
    let mut world = duel("max_disconnections = 1");
    let bob = link_of(&world, "Bob");
    world.request(bob, &Position::start(), "refreq sign_off;");
    assert_eq!(
        world.results(),
        [(1, "1-0".to_owned(), Some("disconnect".to_owned()))]
    );
}

/// What the arbiter orders is no fault of the player, nor what happens while its game is paused. A new
/// entrant begins with none.
#[test]
fn the_arbiter_disconnects_without_a_fault() {
    let mut world = duel("");
    for _ in 0..4 {
        world.order("kick Ann");
        world.enter("Ann");
        world.feed(Input::Tick);
    }
    world.order("pause 1");
    for _ in 0..4 {
        come_back(&mut world, "Ann");
    }
    world.order("resume 1");
    assert_eq!(world.event.ledger().running()[&1].disconnections, [0; 2]);
    come_back(&mut world, "Ann");
    come_back(&mut world, "Ann");
    world.order("replace Ann Zoe");
    world.enter("Zoe");
    world.feed(Input::Tick);
    come_back(&mut world, "Zoe");
    assert!(world.results().is_empty());
    assert_eq!(world.event.ledger().running()[&1].disconnections, [1, 0]);
}

/// The end of a connection counts, whoever notices it: the player takes its seat back from a dead one, or it
/// answers no ping.
#[test]
fn dead_connections_count() {
    let token = format!("token = \"{}\"", Secret::of("sesame"));
    let mut world = World::new(&settings(&token, ""));
    let enter = |world: &mut World, operations: &str| {
        let link = world.open();
        world.sign_on(link, "Ann", &format!("Auth \"sesame\"; {operations}"));
        world.feed(Input::Tick);
        link
    };
    enter(&mut world, "");
    world.enter("Bob");
    enter(&mut world, "");
    let ann = enter(&mut world, "Ping;");
    assert_eq!(world.asked(), [ann]);
    assert_eq!(world.event.ledger().running()[&1].disconnections, [2, 0]);
    world.wait(5 * SECOND);
    world.wait(5 * SECOND);
    assert!(!world.peers.contains_key(&ann));
    assert_eq!(
        world.results(),
        [(1, "0-1".to_owned(), Some("disconnect".to_owned()))]
    );
    // The same when it comes back for the third time: then it plays the next game.
    let mut world = World::new(&settings(&token, ""));
    enter(&mut world, "");
    let bob = world.enter("Bob");
    for _ in 0..3 {
        enter(&mut world, "");
    }
    assert_eq!(world.results().len(), 1);
    world.feed(Input::Tick);
    assert_eq!(world.asked(), [bob], "game 2, which Bob begins");
}

/// A serial line has no end: who signs on again was away.
#[test]
fn signing_on_again_counts() {
    let mut world = World::new(&settings("serial = \"x\"", ""));
    let ann = world.open_transport(0, false);
    let sign_on = |world: &mut World| world.request(ann, &Position::start(), "refreq sign_on;");
    sign_on(&mut world);
    let bob = world.enter("Bob");
    sign_on(&mut world);
    sign_on(&mut world);
    assert!(
        world
            .said
            .contains(&"Ann signed on again (2 of 3)".to_owned())
    );
    assert_eq!(world.asked(), [ann]);
    let commands = world.peers[&ann].commands.len();
    sign_on(&mut world);
    assert_eq!(world.results().len(), 1);
    assert_eq!(world.peers[&ann].commands[commands], "reset");
    world.feed(Input::Tick);
    assert_eq!(world.asked(), [bob]);
}

/// When the referee stops, stands still or is resumed, nobody is to blame. The counts begin anew.
#[test]
fn the_referee_is_to_blame() {
    let text = settings("", "");
    let mut world = duel("");
    come_back(&mut world, "Ann");
    come_back(&mut world, "Ann");
    world.feed(Input::StandStill);
    let ann = link_of(&world, "Ann");
    world.cut(ann);
    world.feed(Input::GoOn);
    world.enter("Ann");
    world.feed(Input::Tick);
    assert!(world.results().is_empty());
    world.feed(Input::Stop);
    let ann = link_of(&world, "Ann");
    world.cut(ann);
    assert!(world.results().is_empty());
    let mut resumed = ledger(&text);
    resumed.resume(world.journal.clone()).expect("a journal");
    let mut world = World::of(resumed, Access::default());
    world.enter("Ann");
    world.enter("Bob");
    world.feed(Input::Tick);
    assert_eq!(world.event.ledger().running()[&1].disconnections, [0; 2]);
    come_back(&mut world, "Ann");
    come_back(&mut world, "Ann");
    assert!(world.results().is_empty());
}

/// A program that has ended before its connection is a crash, and is started again like any other.
#[test]
fn programs_count_too() {
    for exits_first in [false, true] {
        let mut world = World::new(&settings("command = \"x\"", "max_disconnections = 1"));
        world.enter("Ann");
        world.enter("Bob");
        let ann = link_of(&world, "Ann");
        if exits_first {
            world.exit(0);
            world.cut(ann);
        } else {
            world.cut(ann);
            world.exit(0);
        }
        let expected = if exits_first { "crash" } else { "disconnect" };
        assert_eq!(world.results()[0].2.as_deref(), Some(expected));
        // Either way it is started again for the next game.
        assert_eq!(world.started, [0, 0]);
    }
}
