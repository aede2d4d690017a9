//! Laws of every event, tried on random ones: players come, play, go, crash, reply out of turn, hang,
//! and the arbiter gives orders, in any order and at any instants.

mod checks;
mod steps;

use std::fmt::Write as _;
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use self::checks::{check, check_broadcast, check_journal, check_pgn, check_resumed};
use self::steps::{NAMES, step, take};
use super::world::{World, ledger};
use crate::core::event::Access;

/// The same cases every time, unless the environment asks for others.
fn config(cases: u32) -> ProptestConfig {
    let mut config = ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(0x0E90_DE06);
    }
    config
}

/// The settings of each format.
const FORMATS: [&str; 4] = [
    "format = \"round-robin\"",
    "format = \"swiss\"\nrounds = 3",
    "format = \"knockout\"\nknockout = { extra_pairs = 1 }",
    "format = \"ladder\"\nladder = { games = 10 }",
];

/// Ann comes by the network, or by a dedicated connection.
fn settings(
    format: usize,
    concurrency: usize,
    instances: usize,
    ann_has_a_transport: bool,
) -> String {
    let format = FORMATS[format];
    let mut text = format!(
        "{format}\ngames_per_pairing = 2\nconcurrency = {concurrency}\ntime_control = \"20+1\"\n\
         time_normalization = {{ speed = 1000000 }}\n\
         [delays]\nreset = \"1s\"\nconclude = \"1s\"\n\
         [rules]\nmax_forfeits = 4\nreconnect_timeout = \"10s\"\n"
    );
    for (i, name) in NAMES.into_iter().enumerate() {
        let more = match (i, ann_has_a_transport) {
            (0, true) => "fifo = \"x\"".to_owned(),
            _ => format!("instances = {instances}"),
        };
        // Of a game with Dee, one player has a rating at most.
        let more = if i < 3 {
            format!("{more}\nrating = {}", 2000 - 50 * i)
        } else {
            more
        };
        let _ = writeln!(text, "[[player]]\nname = \"{name}\"\n{more}");
        if i >= 2 {
            text += "command = \"x\"\n";
        }
    }
    text
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn random_events_obey_the_laws(
        format in 0..FORMATS.len(),
        concurrency in 1..=3_usize,
        instances in 1..=2_usize,
        ann_has_a_transport in any::<bool>(),
        steps in proptest::collection::vec((step(), prop::option::of(step())), 1..250),
    ) {
        let text = settings(format, concurrency, instances, ann_has_a_transport);
        let mut world = World::new(&text);
        for (first, second) in &steps {
            take(&mut world, first);
            // Perhaps at the same instant.
            if let Some(second) = second {
                take(&mut world, second);
            }
            check(&world);
            if world.event.is_over() {
                break;
            }
        }
        check_journal(&world.journal);
        check_resumed(&world, &text);
        check_pgn(&world);
        check_broadcast(&world, &text);
    }

    /// Whatever happened before, an event comes to its end once players come and play: each game ends
    /// exactly once.
    #[test]
    fn random_events_come_to_an_end(
        format in 0..FORMATS.len(),
        steps in proptest::collection::vec(step(), 1..150),
        kill in any::<bool>(),
        ann_has_a_transport in any::<bool>(),
    ) {
        let text = settings(format, 2, 1, ann_has_a_transport);
        let mut world = World::new(&text);
        for step in &steps {
            take(&mut world, step);
        }
        if kill {
            // The referee is killed, and another one goes on.
            let mut resumed = ledger(&text);
            resumed.resume(world.journal.clone()).expect("a journal");
            let (journal, games) = (world.journal, world.games);
            world = World::of(resumed, Access::default());
            world.journal.splice(0..0, journal);
            world.games = games + &world.games;
        }
        world.holds_back = false;
        while let Some(sent) = world.held.pop_front() {
            world.feed(sent);
        }
        for _ in 0..2000 {
            if world.event.is_over() {
                break;
            }
            world.order("resume");
            for game in 1..=world.event.ledger().schedule().len() {
                world.order(&format!("resume {game}"));
            }
            for program in std::mem::take(&mut world.killed) {
                if world.running.contains(&program) {
                    world.exit(program);
                }
            }
            if ann_has_a_transport && !world.is_on_transport() {
                world.enter_by_transport();
            }
            let names = world.event.ledger().names().to_vec();
            for name in &names[usize::from(ann_has_a_transport)..] {
                world.enter(name);
            }
            for link in world.asked() {
                if world.peers.get(&link).is_some_and(|peer| peer.is_asked) {
                    world.reply(link, "resign;");
                }
            }
            if !world.event.is_over() {
                world.wait(Duration::from_secs(1));
            }
        }
        prop_assert!(world.event.is_over(), "{}", world.order("games").0);
        check_journal(&world.journal);
        let ends = world.event.ledger().finished();
        let schedule = world.event.ledger().schedule().len();
        prop_assert_eq!(ends, if format == 0 { 12 } else { schedule });
        prop_assert_eq!(world.games.matches("[Event ").count(), ends);
    }
}
