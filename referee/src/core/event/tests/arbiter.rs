//! The arbiter's orders, one scene each.

use std::time::Duration;

use super::world::{World, ledger};
use crate::core::event::{Access, Event, Input, LinkId, Report};
use crate::core::journal::{self, Entry};
use crate::core::secret::Secret;
use movegen::Color;

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

#[test]
fn a_player_forfeits_a_game() {
    let (mut world, ann, bob) = duel("games_per_pairing = 20");
    refused(
        &mut world,
        "forfeit Cid 1",
        "no player has the name \"Cid\"",
    );
    refused(&mut world, "forfeit Ann 2", "no game 2 is in progress");
    let said = obeyed(&mut world, "forfeit Ann 1 --reason 'a second engine'");
    assert_eq!(
        said,
        "game 1: Black wins: White forfeits by decision of the arbiter (a second engine)"
    );
    assert_eq!(
        world.results(),
        [(1, "0-1".to_owned(), Some("arbiter".to_owned()))]
    );
    assert!(world.games.contains("[Termination \"adjudication\"]"));
    // It counts in no figure of strength, and is no sign that a player is broken.
    for game in 2..=5 {
        obeyed(&mut world, &format!("forfeit Bob {game}"));
    }
    let standings = world.event.ledger().standings();
    assert!(
        standings
            .players
            .iter()
            .all(|player| player.rated_games == 0)
    );
    assert_eq!(world.event.ledger().running().len(), 1, "not paused");
    let status = obeyed(&mut world, "status");
    assert!(status.contains("Bob forfeited 4 of 5 games"), "{status}");
    for link in [ann, bob] {
        let concluded = world.peers[&link].commands.iter();
        assert_eq!(concluded.filter(|name| **name == "conclude").count(), 5);
    }
}

/// A player that is put out of the event loses all that is not finished; it can come back.
#[test]
fn a_player_is_put_out_of_the_event() {
    let head = "games_per_pairing = 2";
    let text = settings(head, &["\"Ann\"", "\"Bob\"", "\"Cid\""]);
    let mut world = World::new(&text);
    let links = ["Ann", "Bob", "Cid"].map(|name| world.enter(name));
    let first = world.asked()[0];
    world.reply(first, "resign;");
    obeyed(&mut world, "pause");
    let said = obeyed(&mut world, "forfeit Bob --reason cheating");
    assert!(
        said.contains("games to come are lost when the event is resumed"),
        "{said}"
    );
    refused(&mut world, "forfeit Bob", "is out of the event already");
    let played = world.results().len();
    let mut again = resumed(&world, &text);
    obeyed(&mut world, "resume");
    obeyed(&mut again, "resume");
    let lost = world.results().split_off(played);
    assert!(!lost.is_empty() && lost.iter().all(|lost| lost.2.as_deref() == Some("arbiter")));
    // The resumed referee knows it too.
    assert_eq!(
        again.event.ledger().finished(),
        world.event.ledger().finished()
    );
    for (number, result, _) in &lost {
        let pairing = world.event.ledger().pairing(*number).expect("a game");
        let bob_is_white = world.event.ledger().names()[pairing.white] == "Bob";
        assert_eq!(result, if bob_is_white { "0-1" } else { "1-0" });
    }
    let number = lost[0].0;
    refused(
        &mut world,
        &format!("replay {number}"),
        "Bob is out of the event",
    );
    obeyed(&mut world, "readmit Bob");
    refused(&mut world, "readmit Bob", "Bob is not out of the event");
    obeyed(&mut world, &format!("replay {number}"));
    for _ in 0..100 {
        let Some(&link) = world.asked().first() else {
            break;
        };
        world.reply(link, "resign;");
    }
    assert!(world.event.is_over(), "{}", world.order("games").0);
    assert_eq!(world.games.matches("[Event ").count(), 6);
    assert_eq!(links.len(), 3);
}

/// The program is killed and started again; its game waits, and goes on with the clocks as they were.
#[test]
fn a_player_is_restarted() {
    let head = "format = \"match\"\ntime_control = \"60\"";
    let text = settings(head, &["\"Ann\"\ncommand = \"ann\"", "\"Bob\""]);
    let mut world = World::new(&text);
    let (ann, bob) = (world.enter("Ann"), world.enter("Bob"));
    play(&mut world, ann, bob, "e4 e5");
    world.now += 10 * SECOND;
    refused(
        &mut world,
        "restart Bob",
        "Bob connects by itself and has no program here",
    );
    refused(
        &mut world,
        "restart 1",
        "to send the moves of a game again: reset 1",
    );
    assert_eq!(obeyed(&mut world, "restart Ann"), "Ann is started again");
    assert_eq!(world.killed, [0]);
    assert!(!world.peers.contains_key(&ann), "disconnected");
    assert_eq!(world.started, [0], "one after the other");
    let games = obeyed(&mut world, "games");
    assert!(
        games.contains("waiting for White, who is being restarted"),
        "{games}"
    );
    world.exit(0);
    assert_eq!(world.started, [0, 0]);
    world.wait(20 * SECOND);
    let ann = world.enter("Ann");
    world.feed(Input::Tick);
    assert_eq!(world.asked(), [ann]);
    assert_eq!(remaining(&world, Color::White), 59 * SECOND);
    // Even when it has been given up.
    world.reply(ann, "resign;");
    for _ in 0..10 {
        if let Some(&program) = world.running.first() {
            world.exit(program);
        }
        if let Some(&link) = world.peers.keys().find(|link| **link != bob) {
            world.cut(link);
        }
    }
    let started = world.started.len();
    if !world.event.is_over() {
        obeyed(&mut world, "restart Ann");
        assert_eq!(world.started.len(), started + 1);
    }
}

/// Another entrant takes a place with its game and its results; the old one has no way back.
#[test]
fn a_player_is_replaced_by_another_entrant() {
    let hash = Secret::of("sesame");
    let head = "format = \"match\"\ngames_per_pairing = 4\ntime_control = \"60\"";
    let text = settings(head, &[&format!("\"Ann\"\ntoken = \"{hash}\""), "\"Bob\""]);
    let mut world = World::new(&text);
    let ann = world.open();
    world.sign_on(ann, "Ann", "Auth \"sesame\";");
    let bob = world.enter("Bob");
    world.feed(Input::Tick);
    world.reply(ann, "resign;");
    play(&mut world, bob, ann, "d4 d5");
    refused(
        &mut world,
        "replace Cid Zoe",
        "no player has the name \"Cid\"",
    );
    refused(
        &mut world,
        "replace Ann Bob",
        "another player has the name \"Bob\"",
    );
    refused(
        &mut world,
        "replace Ann Zoe --command ''",
        "is not a command",
    );
    let said = obeyed(&mut world, "replace Ann Zoe --reason 'Ann is ill'");
    assert_eq!(said, "Zoe takes the place of Ann; it connects by itself");
    let again = resumed(&world, &text);
    assert_eq!(
        again.event.ledger().snapshot(),
        world.event.ledger().snapshot()
    );
    assert!(!world.peers.contains_key(&ann));
    // It is waited for as at the beginning of an event, and its clock does not run.
    world.wait(3600 * SECOND);
    assert_eq!(world.results().len(), 1);
    let old = world.open();
    world.sign_on(old, "Ann", "Auth \"sesame\";");
    assert!(!world.peers.contains_key(&old));
    let zoe = world.enter("Zoe");
    world.feed(Input::Tick);
    assert_eq!(world.asked(), [bob]);
    play(&mut world, bob, zoe, "c4 e6");
    world.reply(bob, "resign;");
    let games: Vec<_> = world.games.split("[Event ").skip(1).collect();
    assert!(games[0].contains("[White \"Ann\"]") && games[1].contains("[Black \"Zoe\"]"));
    let comment = "Zoe takes the place of Ann (Ann is ill)";
    assert_eq!(
        world.games.replace('\n', " ").matches(comment).count(),
        1,
        "{}",
        world.games
    );
    let standings = world.event.ledger().standings();
    assert_eq!(
        standings.of(0).map(|zoe| (&*zoe.name, zoe.games)),
        Some(("Zoe", 2))
    );
    assert_eq!(
        standings.replacements(),
        "Zoe took the place of Ann after 1 game\n"
    );
    let json = serde_json::to_value(&standings).expect("JSON");
    assert_eq!(
        json["replaced"],
        serde_json::json!([{"player": 0, "name": "Ann", "games": 1}])
    );
}

/// A new program takes over from one that hangs, in the middle of the game.
#[test]
fn a_player_gets_another_program() {
    let head = "format = \"match\"\ntime_control = \"60\"";
    let text = settings(head, &["\"Ann\"\ncommand = \"old\"", "\"Bob\""]);
    let mut world = World::new(&text);
    let (ann, bob) = (world.enter("Ann"), world.enter("Bob"));
    play(&mut world, ann, bob, "e4 e5");
    let said = obeyed(&mut world, "replace Ann --command 'new --name {name}'");
    assert_eq!(said, "Ann has a new program and is started");
    let command = |event: &Event| event.ledger().config().players[0].command.clone();
    assert_eq!(command(&world.event).as_deref(), Some("new --name {name}"));
    world.exit(0);
    assert_eq!(world.started, [0, 0]);
    let ann = world.enter("Ann");
    world.feed(Input::Tick);
    assert_eq!(world.asked(), [ann]);
    let again = resumed(&world, &text);
    assert_eq!(command(&again.event).as_deref(), Some("new --name {name}"));
    // An entrant without a program: the old one goes and none is started. And back.
    obeyed(&mut world, "replace Ann Zoe");
    world.exit(0);
    assert_eq!(world.started, [0, 0]);
    obeyed(&mut world, "replace Zoe --command zoe");
    assert_eq!(world.started, [0, 0, 0]);
    assert_eq!(
        world.event.ledger().standings().replacements(),
        "Zoe took the place of Ann after 0 games\n"
    );
}

/// Time is added to a clock that runs, at once; a client hears of it with what is used.
#[test]
fn a_clock_is_extended() {
    let (mut world, ann, bob) = duel("time_control = \"10\"");
    play(&mut world, ann, bob, "e4 e5");
    world.now += 9 * SECOND;
    let said = obeyed(&mut world, "extend 1 white 30s");
    assert_eq!(said, "game 1: white has 30s more");
    assert_eq!(world.peers[&ann].commands.last(), Some(&"inform"));
    world.wait(25 * SECOND);
    assert!(world.results().is_empty(), "{:?}", world.results());
    assert_eq!(world.asked(), [ann], "it thinks on");
    world.reply(ann, "sm Nf3;");
    assert_eq!(remaining(&world, Color::White), 5 * SECOND);
    assert_eq!(remaining(&world, Color::Black), 9 * SECOND);
    world.wait(12 * SECOND);
    assert_eq!(world.results()[0].2.as_deref(), Some("time"));
    refused(&mut world, "extend 1 white 30s", "no game 1 is in progress");
    let games = world.games.replace('\n', " ");
    assert!(games.contains("the arbiter adds 30s for white"), "{games}");
    let (mut world, ..) = duel("");
    refused(
        &mut world,
        "extend 1 white 30s",
        "the event has no time control",
    );
    let (mut world, ..) = duel("time_control = \"*60\"");
    refused(
        &mut world,
        "extend 1 white 30s",
        "an hourglass cannot be extended",
    );
}

/// Moves are taken back with the clocks of that moment; a reply to what was asked before is not held
/// against the player.
#[test]
fn moves_are_taken_back() {
    let (mut world, ann, bob) = duel("time_control = \"60+1\"");
    obeyed(&mut world, "extend 1 black 5s");
    play(&mut world, ann, bob, "e4 e5 Nf3 Nc6");
    obeyed(&mut world, "extend 1 white 7s");
    play(&mut world, ann, bob, "Bb5 a6");
    world.now += 8 * SECOND;
    let late = *world.peers[&ann].board.as_ref().expect("reset").position();
    refused(
        &mut world,
        "takeback 1 6",
        "it has 6 half-moves: expected from 0 to 5",
    );
    refused(&mut world, "takeback 2 0", "no game 2 is in progress");
    obeyed(&mut world, "takeback 1 2 --reason 'wrong board'");
    assert_eq!(world.asked(), [ann]);
    world.request(ann, &late, "refreq reply; sm Ba4;");
    assert!(world.results().is_empty(), "{:?}", world.results());
    assert_eq!(world.asked(), [ann]);
    // One second was used for each move, and the time added later is gone with the moves.
    assert_eq!(remaining(&world, Color::White), 60 * SECOND);
    assert_eq!(remaining(&world, Color::Black), 65 * SECOND);
    for link in [ann, bob] {
        let board = world.peers[&link].board.as_ref().expect("reset");
        assert_eq!(board.moves().len(), 2);
    }
    play(&mut world, ann, bob, "d4 exd4");
    world.reply(ann, "resign;");
    let games = world.games.replace('\n', " ");
    assert!(
        games.contains("the arbiter takes back 4 half-moves (wrong board)"),
        "{games}"
    );
    assert!(games.contains("[PlyCount \"4\"]"), "{games}");
    let text = settings(
        "format = \"match\"\ntime_control = \"60+1\"",
        &["\"Ann\"", "\"Bob\""],
    );
    let lines: String = world.journal.iter().map(Entry::line).collect();
    let (entries, _) = journal::read(lines.as_bytes()).expect("a journal");
    assert_eq!(ledger(&text).resume(entries).as_ref(), Ok(&world.games));
}

/// A mate that is not acknowledged yet can be taken back, as the game is not over.
#[test]
fn a_mating_move_is_taken_back() {
    let (mut world, ann, bob) = duel("");
    play(&mut world, ann, bob, "f3 e5 g4 Qh4#");
    let games = obeyed(&mut world, "games");
    assert!(
        games.contains("over, waiting for White to acknowledge the last move"),
        "{games}"
    );
    obeyed(&mut world, "takeback 1 3");
    assert_eq!(world.asked(), [bob]);
    world.reply(bob, "sm d5;");
    assert_eq!(world.asked(), [ann]);
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
    let told = "paused: by order of the arbiter (lunch); type `resume` to go on";
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
