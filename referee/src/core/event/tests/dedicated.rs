//! Players with dedicated connections, and players of the kit.

use std::time::Duration;

use movegen::Position;

use super::world::World;
use crate::core::equipment::Equipment;
use crate::core::event::{LinkId, Peer, Report};

const SECOND: Duration = Duration::from_secs(1);
const NAMELESS: &str = "refreq sign_on;";

/// Ann has a dedicated connection with these settings, Bob comes by the network.
fn duel(ann: &str) -> World {
    World::new(&format!(
        "format = \"match\"\ngames_per_pairing = 1\ntime_control = \"100\"\n\
         [delays]\nreset = \"0s\"\nconclude = \"0s\"\n\
         [[player]]\nname = \"Ann\"\n{ann}\n[[player]]\nname = \"Bob\"\n"
    ))
}

fn sign_on(world: &mut World, link: LinkId) {
    world.request(link, &Position::start(), NAMELESS);
}

/// The transport says who the player is: it needs neither a name nor haste, and noise before it comes closes
/// nothing.
#[test]
fn a_player_is_seated_by_its_transport() {
    let mut world = duel("fifo = \"x\"");
    let ann = world.open_transport(0, false);
    world.wait(3600 * SECOND);
    world.line(ann, "noise");
    assert_eq!(world.peers[&ann].commands, ["fault"]);
    for _ in 0..100 {
        world.line(ann, "noise");
    }
    assert!(world.peers[&ann].commands.len() < 20);
    sign_on(&mut world, ann);
    let bob = world.enter("Bob");
    assert_eq!(world.asked(), [ann]);
    world.play(ann, 0);
    world.play(bob, 0);
    let peer = "the named pipes x.pc0 and x.pc1".to_owned();
    let player = "Ann".to_owned();
    let equipment = Equipment::default();
    assert!(world.reports.contains(&Report::SignOn {
        player,
        peer,
        equipment,
        time_control: None,
    }));
    // A name that is another is told.
    let mut world = duel("fifo = \"x\"");
    let ann = world.open_transport(0, false);
    world.sign_on(ann, "Cid", "");
    assert!(world.said.contains(&"Ann signed on as Cid".to_owned()));
}

/// The transport of a player that is started again may have no end: it signs on once more and is sent its
/// game, while its clock runs.
#[test]
fn a_second_sign_on_by_a_transport() {
    let mut world = duel("serial = \"x\"");
    let ann = world.open_transport(0, false);
    sign_on(&mut world, ann);
    let bob = world.enter("Bob");
    world.play(ann, 0);
    world.play(bob, 0);
    assert_eq!(world.asked(), [ann]);
    world.now += 30 * SECOND;
    sign_on(&mut world, ann);
    assert_eq!(world.asked(), [ann]);
    assert_eq!(
        world.peers[&ann]
            .board
            .as_ref()
            .expect("a game")
            .moves()
            .len(),
        2
    );
    world.now += 30 * SECOND;
    world.play(ann, 0);
    let used = world.event.ledger().running()[&1].referee.clock().used();
    assert_eq!(used[0], 60 * SECOND);
    // When a transport ends, its player is away, and comes back when it is open again.
    world.cut(ann);
    // Signing on again was the first time.
    assert!(world.said.contains(&"Ann disconnected (2 of 3)".to_owned()));
    world.play(bob, 0);
    let ann = world.open_transport(0, false);
    sign_on(&mut world, ann);
    assert_eq!(world.asked(), [ann]);
}

/// A referee that is started again finds a player at the transport that is there already, or hears from one
/// that goes on with its game.
#[test]
fn a_player_that_was_there_before_the_referee() {
    let mut world = duel("fifo = \"x\"");
    let ann = world.open_transport(0, true);
    assert_eq!(world.peers[&ann].commands, ["reset"]);
    let mut world = duel("serial = \"x\"");
    let ann = world.open_transport(0, false);
    world.request(ann, &Position::start(), "refreq reply; sm e4;");
    assert_eq!(world.peers[&ann].commands, ["reset"]);
    world.enter("Bob");
    assert_eq!(world.asked(), [ann]);
}

/// A program that is talked to over standard input and output has the seat that it was started for.
#[test]
fn a_program_has_its_own_seat() {
    let mut world = World::new(
        "format = \"match\"\nconcurrency = 2\ntime_control = \"100\"\n\
         [delays]\nreset = \"0s\"\nconclude = \"0s\"\n\
         [[player]]\nname = \"Ann\"\ncommand = \"x\"\nstdio = true\n[[player]]\nname = \"Bob\"\ninstances = 2\n",
    );
    assert_eq!(world.started, [0, 1]);
    let second = world.open_as(Peer::Program(1));
    let first = world.open_as(Peer::Program(0));
    for link in [second, first] {
        sign_on(&mut world, link);
    }
    for _ in 0..2 {
        world.enter("Bob");
    }
    assert_eq!(world.event.ledger().running().len(), 2);
    // Its exit is known before the end of its output: the other one goes on.
    world.exit(1);
    world.cut(second);
    let running = world.event.ledger().running();
    assert_eq!(running.len(), 1, "the game of the second one is lost");
    assert_eq!(world.results().len(), 1);
    assert_eq!(world.results()[0].2.as_deref(), Some("crash"));
    assert!(world.peers.contains_key(&first));
}

const KIT: &str = "fifo = \"x\"\ndialect = \"kit\"";

/// A client of the kit ends at a fault command, at a record without tags where it expects them, and at a
/// second question for the same move: it gets none of them.
#[test]
fn what_would_kill_a_client_of_the_kit_is_not_sent() {
    let mut world = duel(KIT);
    let ann = world.open_transport(0, false);
    world.line(ann, "noise");
    sign_on(&mut world, ann);
    world.enter("Bob");
    world.line(ann, "noise");
    world.wait(60 * SECOND);
    assert_eq!(
        world.peers[&ann].commands,
        ["reset", "reset", "inform", "respond"]
    );
    // It has moves, but sends none: it cannot be asked again.
    world.reply(ann, "");
    let results = world.results();
    assert_eq!(results[0].2.as_deref(), Some("protocol_fault"));
    assert_eq!(
        world.peers[&ann].commands[4..],
        ["inform", "conclude"],
        "it is not asked again"
    );
}

/// A client of the kit answers each question once, also those that a reset has overtaken.
#[test]
fn late_replies_of_the_kit() {
    let mut world = duel(KIT);
    let ann = world.open_transport(0, false);
    sign_on(&mut world, ann);
    let bob = world.enter("Bob");
    assert_eq!(world.asked(), [ann]);
    world.order("reset 1");
    // Asked twice, it replies twice; the first reply belongs to the game before the reset.
    assert_eq!(world.asked(), [ann]);
    let start = Position::start();
    world.request(ann, &start, "refreq reply; sm a3;");
    assert_eq!(world.asked(), [ann], "the first reply does not count");
    world.reply(ann, "sm e4;");
    assert_eq!(world.asked(), [bob]);
    let moves = world.event.ledger().running()[&1]
        .referee
        .game()
        .moves()
        .len();
    assert_eq!(moves, 1);
    let position = *world.event.ledger().running()[&1].referee.game().position();
    assert_eq!(
        position.setup().fields().to_string(),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3"
    );
}

/// An empty reply of the mated side is complete.
#[test]
fn an_empty_reply_to_a_mate() {
    let mut world = duel(KIT);
    let ann = world.open_transport(0, false);
    sign_on(&mut world, ann);
    let bob = world.enter("Bob");
    for (link, san) in [(ann, "f3"), (bob, "e5"), (ann, "g4"), (bob, "Qh4#")] {
        world.reply(link, &format!("sm {san};"));
    }
    assert_eq!(world.asked(), [ann]);
    world.reply(ann, "");
    assert_eq!(world.results(), [(1, "0-1".to_owned(), None)]);
}
