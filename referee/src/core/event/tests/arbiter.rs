//! The arbiter's orders, one scene each.

mod moves;
mod players;

use std::time::Duration;

use movegen::Color;

use super::world::{World, ledger};
use crate::core::event::{Access, Input, LinkId, Report};
use crate::core::journal::{self, Entry};

const SECOND: Duration = Duration::from_secs(1);

fn settings(head: &str, players: &[&str]) -> String {
    let players = players.iter().fold(String::new(), |text, player| {
        text + &format!("[[player]]\nname = {player}\n")
    });
    format!("{head}\n[delays]\nreset = \"0s\"\nconclude = \"0s\"\n{players}")
}

fn duel(head: &str) -> (World, LinkId, LinkId) {
    let text = settings(
        &format!("format = \"match\"\n{head}"),
        &["\"Ann\"", "\"Bob\""],
    );
    let mut world = World::new(&text);
    let (ann, bob) = (world.enter("Ann"), world.enter("Bob"));
    (world, ann, bob)
}

/// An order that is accepted; returns the answer.
#[track_caller]
fn obeyed(world: &mut World, order: &str) -> String {
    let (said, refused) = world.order(order);
    assert!(!refused, "{said}");
    said
}

/// An order that is refused with these words, and changes nothing.
#[track_caller]
fn refused(world: &mut World, order: &str, why: &str) {
    let before = (world.journal.len(), world.event.ledger().snapshot());
    let (said, refused) = world.order(order);
    assert!(refused && said.contains(why), "{said}");
    let after = (world.journal.len(), world.event.ledger().snapshot());
    assert_eq!(before, after);
    let Some(Report::Order {
        is_refused, why, ..
    }) = world.reports.last()
    else {
        panic!("no report of it");
    };
    assert!(*is_refused && why.as_ref() == Some(&said));
}

fn remaining(world: &World, color: Color) -> Duration {
    let clock = world.event.ledger().running()[&1].referee.clock();
    clock.remaining(color).expect("a clock")
}

fn play(world: &mut World, ann: LinkId, bob: LinkId, moves: &str) {
    for (i, san) in moves.split(' ').enumerate() {
        world.now += SECOND;
        let link = if i % 2 == 0 { ann } else { bob };
        world.reply(link, &format!("sm {san};"));
    }
}

/// A referee that is killed now and resumed.
fn resumed(world: &World, text: &str) -> World {
    let lines: String = world.journal.iter().map(Entry::line).collect();
    let (entries, _) = journal::read(lines.as_bytes()).expect("a journal");
    let mut ledger = ledger(text);
    ledger.resume(entries).expect("a journal");
    World::of(ledger, Access::default())
}

/// What was ordered, when, why and by whom is in the journal and in the stream of events.
#[test]
fn orders_are_written_down() {
    let (mut world, ..) = duel("time_control = \"60\"");
    obeyed(
        &mut world,
        "extend 1 black 30s --reason 'power \"cut\"' --by Eve",
    );
    let line = world.journal.last().expect("an entry").line();
    for part in [
        "Order \"extend 1 black 30s\";",
        "By \"Eve\";",
        "Game 1;",
        "Reason \"power \\u{22}cut\\u{22}\";",
        "Time \"2026-11-22T12:00:00.000Z\";",
    ] {
        assert!(line.contains(part), "{line}");
    }
    let report = serde_json::to_value(world.reports.last()).expect("JSON");
    assert_eq!(
        report,
        serde_json::json!({"event": "order", "order": "extend 1 black 30s",
            "reason": "power \"cut\"", "by": "Eve", "is_refused": false})
    );
    let entries = world.journal.len();
    obeyed(&mut world, "games");
    obeyed(&mut world, "status");
    assert_eq!(world.journal.len(), entries, "looking changes nothing");
    refused(
        &mut world,
        &format!("message {}", "é".repeat(1000)),
        "too long",
    );
}

/// When a paused game is decided, the side to move has not been told the last move yet: it is, before the
/// result.
#[test]
fn a_paused_game_is_decided() {
    let (mut world, ann, bob) = duel("");
    play(&mut world, ann, bob, "e4 e5 Nf3");
    obeyed(&mut world, "pause 1");
    world.feed(Input::Tick);
    obeyed(&mut world, "adjudicate 1 1-0");
    for link in [ann, bob] {
        let peer = &world.peers[&link];
        let concluded = peer.commands.iter().rposition(|name| *name == "conclude");
        assert!(concluded.is_some(), "{:?}", peer.commands);
    }
    let told = world.peers[&bob].commands.iter();
    assert_eq!(told.filter(|name| **name == "execute").count(), 3);
}

/// What the arbiter has paused stays so when the referee is killed and resumed.
#[test]
fn pauses_outlive_the_referee() {
    let head = "format = \"match\"\ntime_control = \"60\"";
    let text = settings(head, &["\"Ann\"", "\"Bob\""]);
    let (mut world, ann, bob) = duel("time_control = \"60\"");
    play(&mut world, ann, bob, "e4");
    obeyed(&mut world, "pause 1");
    refused(&mut world, "pause 1", "game 1 is paused already");
    obeyed(&mut world, "pause --reason lunch");
    let mut again = resumed(&world, &text);
    let told = "paused: by order of the arbiter (lunch); give the order `resume` to go on";
    assert!(
        again.said.iter().any(|said| said.starts_with(told)),
        "{:?}",
        again.said
    );
    for name in ["Ann", "Bob"] {
        again.enter(name);
    }
    again.wait(1000 * SECOND);
    assert!(again.asked().is_empty() && again.results().is_empty());
    let status = obeyed(&mut again, "status");
    assert!(
        status.contains("paused: by order of the arbiter (lunch)\n"),
        "{status}"
    );
    obeyed(&mut again, "resume 1");
    refused(&mut again, "resume 1", "game 1 is not paused");
    let asked = again.asked()[0];
    again.reply(asked, "resign;");
    assert!(again.event.ledger().running().is_empty(), "no new game");
    obeyed(&mut again, "resume");
    assert_eq!(again.event.ledger().running().len(), 1);
}

/// A referee that is killed between an order and what follows from it carries it out when it is resumed.
#[test]
fn half_an_order_is_completed() {
    let text = settings("format = \"match\"", &["\"Ann\"", "\"Bob\""]);
    for (order, result) in [
        ("adjudicate 1 1-0 --reason 'power cut'", "1-0"),
        ("abort 1", "*"),
        ("forfeit Bob 1", "1-0"),
        ("forfeit Bob", "1-0"),
    ] {
        let (mut world, ..) = duel("");
        obeyed(&mut world, order);
        let is_order = |entry: &Entry| matches!(entry, Entry::Ordered { .. });
        let place = world.journal.iter().position(is_order).expect("an order");
        assert!(world.journal.len() > place + 1);
        let games = world.games.clone();
        world.journal.truncate(place + 1);
        let again = resumed(&world, &text);
        assert_eq!(again.results()[0].1, result, "{order}");
        assert!(
            games.starts_with(&again.games) && !again.games.is_empty(),
            "{order}"
        );
    }
}

/// Clocks, who is asked, and for how long it has been silent.
#[test]
fn games_in_progress() {
    let (mut world, ann, bob) = duel("time_control = \"60\"");
    play(&mut world, ann, bob, "e4");
    world.now += 7 * SECOND / 2;
    let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(
        obeyed(&mut world, "games"),
        format!("game 1: Ann (59.0 s) - Bob (56.5 s), move 1: {start}; waiting 3.5 s for Black\n")
    );
    world.cut(bob);
    world.now += SECOND;
    let games = obeyed(&mut world, "games");
    assert!(
        games.contains("Bob (55.5 s)")
            && games.ends_with("waiting 4.5 s for Black, who is disconnected for 1.0 s\n"),
        "{games}"
    );
    obeyed(&mut world, "pause 1");
    assert!(obeyed(&mut world, "games").ends_with("; paused\n"));
    obeyed(&mut world, "resume 1");
    world.now += SECOND;
    let games = obeyed(&mut world, "games");
    assert!(
        games.ends_with("waiting for Black, who is disconnected for 2.0 s\n"),
        "{games}"
    );
    world.holds_back = true;
    world.enter("Bob");
    world.feed(Input::Tick);
    assert!(obeyed(&mut world, "games").ends_with("; asking Black\n"));
}

/// A player that stays away is waited for once for each game, not before the game and in it too.
#[test]
fn an_absent_player_is_waited_for_once() {
    let (mut world, ann, bob) = duel("games_per_pairing = 4");
    world.reply(ann, "resign;");
    // The second game has begun; Ann goes, and loses it after a minute.
    world.cut(ann);
    world.wait(60 * SECOND);
    let ended: Vec<_> = world.results();
    assert_eq!(ended.len(), 2, "{ended:?}");
    assert_eq!(ended[1].2.as_deref(), Some("disconnect"));
    // The third is lost after another minute, in which other games could go first.
    world.wait(59 * SECOND);
    assert!(world.event.ledger().running().is_empty());
    world.wait(SECOND);
    world.feed(Input::Tick);
    assert_eq!(world.results().len(), 3);
    // Who comes back in that minute plays.
    world.wait(30 * SECOND);
    world.enter("Ann");
    world.feed(Input::Tick);
    world.reply(bob, "resign;");
    assert_eq!(world.results()[3].2, None);
}

/// An internal error in a game costs this game, and nothing else.
#[test]
fn an_internal_error_costs_one_game() {
    let (mut world, ann, bob) = duel("games_per_pairing = 3");
    play(&mut world, ann, bob, "e4");
    world.event.game_at_work = Some(1);
    world.feed(Input::Panicked);
    assert_eq!(world.results(), [(1, "*".to_owned(), None)]);
    assert_eq!(world.event.ledger().running().len(), 1, "the next game");
    // Without a game there is nothing to end.
    world.feed(Input::Panicked);
    assert_eq!(world.results().len(), 1);
    obeyed(&mut world, "replay 1");
    for _ in 0..3 {
        let link = world.asked()[0];
        world.reply(link, "resign;");
    }
    assert!(world.event.is_over());
    assert_eq!(world.games.matches("[Event ").count(), 3);
}

/// A player that plays several games is told on each of its connections, and counts once.
#[test]
fn players_who_are_told_are_counted() {
    let players = ["\"Ann\"\ninstances = 2", "\"Bob\"\ninstances = 2"];
    let head = "format = \"match\"\ngames_per_pairing = 2\nconcurrency = 2";
    let mut world = World::new(&settings(head, &players));
    let links = ["Ann", "Ann", "Bob", "Bob"].map(|name| world.enter(name));
    world.feed(Input::Tick);
    assert_eq!(world.event.ledger().running().len(), 2);
    let told = |world: &World| {
        let commands = links.map(|link| world.peers[&link].commands.len());
        commands.iter().sum::<usize>()
    };
    let before = told(&world);
    assert_eq!(obeyed(&mut world, "message hi"), "2 players were told");
    assert_eq!(told(&world), before + 4);
}
