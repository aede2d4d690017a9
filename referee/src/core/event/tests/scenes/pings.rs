//! Players that are silent, and connections that are dead.

use super::{PONG, SECOND, duel};
use crate::core::event::tests::world::World;
use crate::core::event::{Input, LinkId};

/// Silent players are sent the tags now and then: it has no effect, and a dead connection fails.
#[test]
fn silent_players_are_pinged() {
    let mut world = duel("", "");
    let ann = world.enter("Ann");
    let bob = world.enter("Bob");
    let count = |world: &World, link| {
        let commands = &world.peers[&link].commands;
        commands.iter().filter(|&&name| name == "inform").count()
    };
    let before = [count(&world, ann), count(&world, bob)];
    for _ in 0..4 {
        assert!(world.wait_until_due());
    }
    assert_eq!(world.now - world.begin, 20 * SECOND);
    assert_eq!(
        [count(&world, ann), count(&world, bob)],
        before.map(|n| n + 4)
    );
    world.reply(ann, "sm e4;");
    assert_eq!(world.asked(), [bob]);
}

/// A player that answers pings, in a game or not. The others of this test do not.
fn enter_with_pings(world: &mut World, name: &str) -> LinkId {
    let link = world.open();
    world.sign_on(link, name, "Ping;");
    link
}

/// A connection may be open although nothing passes any more. A player that answers pings is out of its
/// seat within twice the ping of the event then, and comes back with nothing but its name.
#[test]
fn a_dead_connection_is_noticed() {
    let mut world = duel("time_control = \"600\"", "");
    let ann = enter_with_pings(&mut world, "Ann");
    for count in 1..10 {
        world.wait(5 * SECOND);
        let pings = &world.peers[&ann].pings;
        assert_eq!(pings.len(), 1 + count);
        assert_eq!(pings[..2], [("reset", 5), ("inform", 5)]);
        world.line(ann, PONG);
    }
    world.enter("Bob");
    world.wait(SECOND);
    assert_eq!(world.asked(), [ann]);
    world.wait(4 * SECOND);
    world.line(ann, PONG);
    assert_eq!(world.asked(), [ann], "an answer to a ping is no reply");
    // What the referee says does not count as a sign of life.
    world.reply(ann, "sm e4;");
    let bob = world.asked()[0];
    world.wait(4 * SECOND);
    world.reply(bob, "sm e5;");
    assert_eq!(world.asked(), [ann]);
    world.wait(SECOND);
    world.wait(3999 * SECOND / 1000);
    let again = world.open();
    world.sign_on(again, "Ann", "Ping;");
    assert!(!world.peers.contains_key(&again), "her name is in use");
    world.wait(SECOND / 1000);
    assert!(!world.peers.contains_key(&ann));
    assert!(world.said.contains(&"Ann does not answer".to_owned()));
    let again = world.enter("Ann");
    world.feed(Input::Tick);
    assert_eq!(world.asked(), [again]);
    // This time she does not answer pings, so nobody asks for it.
    for _ in 0..10 {
        world.wait(5 * SECOND);
    }
    assert_eq!(world.asked(), [again]);
    assert!(world.peers[&again].pings.is_empty());
}

/// Answers that nobody asked for are strikes, late ones are not.
#[test]
fn answers_to_no_ping() {
    let mut world = duel("", "");
    let ann = enter_with_pings(&mut world, "Ann");
    world.wait(5 * SECOND);
    // The first strike comes before the answer, which is late then; 14 more answers are strikes too.
    world.line(ann, "junk");
    for _ in 0..15 {
        world.line(ann, PONG);
    }
    assert!(world.peers.contains_key(&ann));
    world.line(ann, PONG);
    assert!(!world.peers.contains_key(&ann));
}
