//! Orders about players: they lose, leave, come back, are restarted or replaced.

use movegen::Color;

use super::{SECOND, duel, obeyed, play, refused, remaining, resumed, settings};
use crate::core::event::tests::world::World;
use crate::core::event::{Event, Input};
use crate::core::secret::Secret;

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
    refused(&mut world, "replace Ann", "who replaces Ann?");
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
