//! Observers sign on, referees learn of later ones, and all games wait.

use std::time::Duration;

use epd::protocol::Term;
use movegen::{Color, Position};

use super::world::{World, ledger};
use crate::core::event::{Access, Input, LinkId};
use crate::core::journal::Entry;
use crate::core::observer::{ReplicaState, SignOn, fence_line};
use crate::core::secret::Secret;

const SECOND: Duration = Duration::from_secs(1);
const TOKEN: &str = "sesame";

fn settings() -> String {
    format!(
        "format = \"match\"\ntime_control = \"60\"\n[delays]\nreset = \"0s\"\nconclude = \"0s\"\n\
         [observer]\ntoken = \"{}\"\nreplicas = 1\n[[player]]\nname = \"Ann\"\n[[player]]\nname = \"Bob\"\n",
        Secret::of(TOKEN)
    )
}

/// An event in its second term.
fn second() -> World {
    let mut ledger = ledger(&settings());
    let at = "2026-11-23T02:46:10.123Z".to_owned();
    ledger
        .resume(vec![Entry::Term { term: 2, at }])
        .expect("a journal");
    World::of(ledger, Access::default())
}

fn sign_on(term: u64) -> SignOn {
    SignOn {
        replica: ReplicaState {
            length: 0,
            hash: String::new(),
            term,
        },
        beat: SECOND,
    }
}

fn observe(world: &mut World, token: &str, term: u64) -> LinkId {
    let link = world.open();
    world.line(link, sign_on(term).line(token).trim_end());
    link
}

fn proven(number: u64) -> Term {
    Term {
        number,
        proof: Secret::of(TOKEN).proof(number).into(),
    }
}

#[test]
fn an_observer_signs_on() {
    let mut world = World::new(&settings());
    let observer = observe(&mut world, TOKEN, 1);
    assert_eq!(world.observers, [(observer, sign_on(1))]);
    // It has no time limit, and no seat.
    world.wait(Duration::from_hours(1));
    assert!(world.peers.contains_key(&observer));
    let other = observe(&mut world, TOKEN, 1);
    assert_eq!(world.observers.len(), 2);
    assert!(!world.peers.contains_key(&observer) && world.peers.contains_key(&other));
    world.cut(other);
    assert_eq!(
        world.said.last().expect("words"),
        "the observer disconnected"
    );
}

#[test]
fn who_may_not_observe() {
    let mut world = World::new(&settings());
    let stranger = observe(&mut world, "wrong", 7);
    assert!(world.peers.contains_key(&stranger), "it has to wait");
    world.wait(SECOND);
    assert!(!world.peers.contains_key(&stranger));
    let odd = world.open();
    world.request(odd, &Position::start(), "Observe well;");
    assert!(!world.peers.contains_key(&odd));
    let text = settings();
    let (_, players) = text.split_once("replicas = 1").expect("a table");
    let mut world = World::new(&format!("format = \"match\"\n{players}"));
    let observer = observe(&mut world, TOKEN, 1);
    assert!(!world.peers.contains_key(&observer) && world.observers.is_empty());
    // Without [observer] nobody can prove anything.
    let link = world.open();
    world.line(link, fence_line(&proven(9)).trim_end());
    assert!(!world.event.is_over());
}

/// Whoever knows of a later referee stops this one: that referee itself, a player, or an observer with a later
/// copy. It takes a proof.
#[test]
fn a_later_referee_stops_this_one() {
    let player = |term: &Term| {
        let term = term.operation();
        format!(
            "{} {term}; refreq sign_on; tcsi \"\" \"Ann\";",
            Position::start().setup().fields()
        )
    };
    for (line, is_stopped) in [
        (fence_line(&proven(3)), true),
        (player(&proven(3)), true),
        (sign_on(3).line(TOKEN), true),
        (fence_line(&proven(2)), false),
        (fence_line(&proven(1)), false),
        (player(&proven(1)), false),
        (
            fence_line(&Term {
                number: 4,
                ..proven(3)
            }),
            false,
        ),
        (sign_on(3).line("wrong"), false),
    ] {
        let mut world = second();
        let link = world.open();
        world.line(link, line.trim_end());
        assert_eq!(world.event.is_over(), is_stopped, "{line}");
        assert_eq!(world.event.superseded(), is_stopped.then_some(3));
        assert!(!is_stopped || world.said[0].contains("another referee has taken over"));
    }
}

/// From the second term on players learn of it, and so does an earlier referee that asks.
#[test]
fn the_term_is_told() {
    let mut world = second();
    let ann = world.enter("Ann");
    assert_eq!(world.peers[&ann].term, Some(proven(2)));
    assert_eq!(world.event.term(), Some(proven(2)));
    let mut world = World::new(&settings());
    let ann = world.enter("Ann");
    assert_eq!((&world.peers[&ann].term, world.event.term()), (&None, None));
}

fn remaining(world: &World, color: Color) -> Duration {
    let clock = world.event.ledger().running()[&1].referee.clock();
    clock.remaining(color).expect("a clock")
}

/// Nobody loses time, a game or its connection while all games wait, however long that is.
#[test]
fn all_games_wait() {
    let mut world = World::new(&settings());
    let [ann, bob] = ["Ann", "Bob"].map(|name| world.enter(name));
    world.reply(ann, "sm e4;");
    world.now += 2 * SECOND;
    assert_eq!(world.asked(), [bob]);
    world.feed(Input::StandStill);
    let entries = world.journal.len();
    // What he thinks of meanwhile does not count; he may go and come back.
    world.reply(bob, "sm e5;");
    world.wait(Duration::from_hours(1));
    world.cut(bob);
    world.wait(Duration::from_hours(1));
    let cid = world.open();
    world.wait(Duration::from_mins(1));
    assert!(
        !world.peers.contains_key(&cid),
        "strangers still have to sign on"
    );
    assert_eq!(world.journal.len(), entries);
    assert_eq!(remaining(&world, Color::Black), 60 * SECOND);
    let bob = world.enter("Bob");
    assert!(world.asked().is_empty());
    world.feed(Input::GoOn);
    world.wait(Duration::ZERO);
    assert_eq!(world.asked(), [bob]);
    world.now += 3 * SECOND;
    world.reply(bob, "sm c5;");
    assert_eq!(remaining(&world, Color::Black), 57 * SECOND);
    assert_eq!(world.asked(), [ann]);
    assert!(world.results().is_empty());
}

/// Who was away is waited for anew.
#[test]
fn a_player_is_away_while_all_games_wait() {
    let mut world = World::new(&settings());
    let [ann, bob] = ["Ann", "Bob"].map(|name| world.enter(name));
    world.reply(ann, "sm e4;");
    world.cut(bob);
    world.feed(Input::StandStill);
    world.wait(Duration::from_hours(1));
    world.feed(Input::GoOn);
    world.wait(59 * SECOND);
    assert!(world.results().is_empty());
    world.wait(2 * SECOND);
    assert_eq!(world.results().len(), 1, "his time is over");
}

/// Orders that are about the observer.
#[test]
fn orders() {
    let mut world = World::new(&settings());
    let (said, is_refused) = world.order("takeover");
    assert!(is_refused && said.contains("is for the folder of an observer"));
    let (said, is_refused) = world.order("alone");
    assert!(!is_refused && said.contains("no longer wait"), "{said}");
    let mut world = World::new("[[player]]\nname = \"Ann\"\n[[player]]\nname = \"Bob\"\n");
    let (said, is_refused) = world.order("alone");
    assert!(is_refused && said.contains("do not wait for an observer"));
}
