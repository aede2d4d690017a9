//! Programs that the referee starts.

use movegen::Position;

use super::{SECOND, settings};
use crate::core::event::tests::world::World;
use crate::core::event::{Input, Report};

/// A program that the referee starts is started for each game of a match that runs at once, and again
/// when it has ended: it costs one game.
#[test]
fn programs_are_started_again() {
    let players = ["\"Ann\"\ncommand = \"ann\"", "\"Bob\""];
    let head = "format = \"match\"\ngames_per_pairing = 20";
    let text = settings(head, "", &players).replace("conclude = \"0s\"", "conclude = \"1s\"");
    let mut world = World::new(&text);
    assert_eq!(world.started, [0]);
    world.enter("Bob");
    for game in 1..=12 {
        let ann = world.enter("Ann");
        world.wait(SECOND);
        assert_eq!(world.event.ledger().running().len(), 1);
        if game % 2 == 0 {
            world.exit(0);
            assert_eq!(world.results().len(), game - 1, "its connection is open");
            world.cut(ann);
        } else {
            let link = world.asked()[0];
            world.reply(link, "resign;");
            // Between games a program may go and come back at no cost.
            world.exit(0);
            world.cut(ann);
        }
        let results = world.results();
        assert_eq!(results.len(), game);
        let fault = (game % 2 == 0).then(|| "crash".to_owned());
        assert_eq!(results[game - 1].2, fault);
    }
    assert_eq!(world.started.len(), 13);
}

/// A player that reports a fault is about to end: the next game begins with a fresh program. One that lives on
/// gets a game after a while.
#[test]
fn a_fault_costs_one_game() {
    let players = ["\"Ann\"\ncommand = \"ann\"", "\"Bob\""];
    let head = "format = \"match\"\ngames_per_pairing = 3";
    let mut world = World::new(&settings(head, "[rules]\nmax_forfeits = 0", &players));
    world.enter("Bob");
    for lives_on in [false, true] {
        let ann = world.enter("Ann");
        world.feed(Input::Tick);
        let before = world.results().len();
        world.request(ann, &Position::start(), "refreq fault; c0 \"broken\";");
        world.feed(Input::Tick);
        assert_eq!(world.results().len(), before + 1);
        assert!(
            world.event.ledger().running().is_empty(),
            "not with this one"
        );
        if lives_on {
            while world.event.ledger().running().is_empty() {
                assert!(world.wait_until_due(), "nothing is due");
            }
            assert!(world.now < world.begin + 10 * SECOND);
        } else {
            world.cut(ann);
            world.exit(0);
        }
    }
    assert_eq!(world.started.len(), 2);
}

/// The schedule's order is kept while programs that have just been started connect, and also while they pause
/// before their first game. One that does not come is not waited for long.
#[test]
fn games_begin_in_the_order_of_the_schedule() {
    let names = ["Ann", "Bob", "Cid", "Dora"];
    let players = names.map(|name| format!("\"{name}\"\ncommand = \"x\"\ninstances = 1"));
    let players = players.each_ref().map(String::as_str);
    let text = settings("concurrency = 2", "", &players);
    let text = text.replace("reset = \"0s\"", "reset = \"300ms\"");
    let begun = |world: &World| -> Vec<usize> {
        let games = world.reports.iter().filter_map(|report| match report {
            Report::Game(game) => Some(game.game),
            _ => None,
        });
        games.collect()
    };
    let schedule = World::new(&text).event.ledger().schedule().to_vec();
    let of_first = [schedule[0].white, schedule[0].black];
    let others: Vec<_> = (0..4).filter(|player| !of_first.contains(player)).collect();
    let enter = |world: &mut World, players: &[usize]| {
        for &player in players {
            world.enter(names[player]);
            world.wait(SECOND / 10);
        }
    };
    let mut world = World::new(&text);
    enter(&mut world, &others);
    enter(&mut world, &of_first);
    world.wait(SECOND);
    let first_of_others = schedule
        .iter()
        .position(|pairing| others.contains(&pairing.white) && others.contains(&pairing.black));
    let second = first_of_others.expect("they meet") + 1;
    assert_eq!(begun(&world), [1, second]);
    // A player of the first game does not come.
    let mut world = World::new(&text);
    enter(&mut world, &others);
    enter(&mut world, &of_first[..1]);
    world.wait(SECOND);
    assert!(begun(&world).is_empty());
    while world.event.ledger().running().is_empty() {
        assert!(world.wait_until_due(), "nothing is due");
    }
    assert!(begun(&world)[0] > 1 && world.now < world.begin + 6 * SECOND);
}

/// A program that is still starting takes over the game of one that has crashed; the crash is not taken
/// for one of the program that plays on.
#[test]
fn programs_of_one_player_stand_in_for_each_other() {
    let players = ["\"Ann\"\ncommand = \"ann\"", "\"Bob\"\ninstances = 2"];
    let head = "format = \"match\"\ngames_per_pairing = 20\nconcurrency = 2";
    let mut world = World::new(&settings(head, "", &players));
    assert_eq!(world.started, [0, 1]);
    world.enter("Bob");
    world.enter("Bob");
    let first = world.enter("Ann");
    world.feed(Input::Tick);
    assert_eq!(world.event.ledger().running().len(), 1);
    world.cut(first);
    let second = world.enter("Ann");
    world.feed(Input::Tick);
    assert_eq!(world.asked(), [second], "the same game");
    world.exit(0);
    assert!(world.results().is_empty());
    assert_eq!(world.started, [0, 1, 0]);
    world.enter("Ann");
    world.feed(Input::Tick);
    assert_eq!(world.event.ledger().running().len(), 2);
    // Now the other one crashes, and its game is lost at once.
    world.cut(second);
    world.exit(1);
    assert_eq!(world.results()[0].2.as_deref(), Some("crash"));
}

/// A program that ends at once is tried a few times; the event then pauses instead of losing all games.
#[test]
fn what_cannot_start_pauses_the_event() {
    let players = ["\"Ann\"\ncommand = \"ann\"", "\"Bob\""];
    let head = "format = \"match\"\ngames_per_pairing = 100";
    let mut world = World::new(&settings(head, "", &players));
    world.enter("Bob");
    for _ in 0..4 {
        world.exit(0);
    }
    assert_eq!(world.started.len(), 4, "three restarts");
    let never_came = Some("never_came".to_owned());
    let results = world.results();
    assert_eq!(results.len(), 3);
    assert!(results.iter().all(|(_, _, fault)| *fault == never_came));
    assert!(!world.event.is_over());
    let paused = world.said.iter().find(|said| said.starts_with("paused: "));
    assert!(
        paused.is_some_and(|said| said.contains("Ann has forfeited 3 games in a row")),
        "{:?}",
        world.said
    );
    let standings = world.event.ledger().standings();
    assert_eq!(standings.of(1).map(|bob| bob.rated_games), Some(0));
    // The command is repaired, and the arbiter goes on.
    let (_, refused) = world.order("resume");
    assert!(!refused && world.started.len() == 5);
    world.enter("Ann");
    world.feed(Input::Tick);
    assert_eq!(world.event.ledger().running().len(), 1);
    let (said, refused) = world.order("replay 1");
    assert!(!refused, "{said}");
    let (said, refused) = world.order("replay 4");
    assert!(refused && said.contains("not finished"), "{said}");
    assert!(!world.games.contains("Round \"1.1\""), "its PGN is gone");
    let link = world.asked()[0];
    world.reply(link, "resign;");
    assert_eq!(world.event.ledger().running().keys().next(), Some(&1));
}

/// A program that does not answer is killed when its game is over; the next one begins with a new one.
#[test]
fn a_hung_program_is_replaced() {
    let players = ["\"Ann\"\ncommand = \"ann\"", "\"Bob\""];
    let head = "format = \"match\"\ntime_control = \"10\"";
    let mut world = World::new(&settings(head, "", &players));
    let ann = world.enter("Ann");
    world.enter("Bob");
    world.wait(11 * SECOND);
    assert_eq!(world.killed, [0]);
    assert_eq!(
        world.event.ledger().running().len(),
        0,
        "not with the old one"
    );
    world.cut(ann);
    world.exit(0);
    assert_eq!(world.started.len(), 2);
    world.enter("Ann");
    world.feed(Input::Tick);
    assert_eq!(world.event.ledger().running().len(), 1);
}

/// A test goes on through crashes to the verdict of the other games.
#[test]
fn crashes_do_not_decide_a_test() {
    let verdict = |crashes: bool| {
        let players = ["\"Ann\"\ncommand = \"ann\"", "\"Bob\"\ncommand = \"bob\""];
        let head = "format = \"match\"\ngames_per_pairing = 400\nconcurrency = 8";
        let sprt = "[sprt]\nelo0 = 0\nelo1 = 150\n";
        let mut world = World::new(&settings(head, sprt, &players));
        let mut links: Vec<_> = (0..16)
            .map(|seat| Some(world.enter(if seat < 8 { "Ann" } else { "Bob" })))
            .collect();
        world.feed(Input::Tick);
        assert_eq!(world.event.ledger().running().len(), 8);
        let mut done = 0;
        while !world.event.is_over() && done < 400 {
            let (&number, game) = world
                .event
                .ledger()
                .running()
                .iter()
                .next()
                .expect("a game");
            let ann = usize::from(game.pairing.white == 1);
            let seats = game.seats;
            done += 1;
            // Bob crashes in one game of twenty, whoever is winning. Otherwise Ann wins two of three.
            if crashes && number % 20 == 7 {
                let seat = seats[1 - ann];
                let program = world.event.seats[seat].program;
                world.exit(program);
                world.cut(links[seat].take().expect("connected"));
                assert!(world.running.contains(&program), "started again");
                links[seat] = Some(world.enter("Bob"));
                world.feed(Input::Tick);
                continue;
            }
            let loser = if number % 3 == 0 { ann } else { 1 - ann };
            let result = if loser == 0 { "0-1" } else { "1-0" };
            world.order(&format!("adjudicate {number} {result}"));
            world.feed(Input::Tick);
        }
        let sprt = world.event.ledger().sprt().expect("a test");
        let crashed = world
            .results()
            .iter()
            .filter(|result| result.2.is_some())
            .count();
        (sprt.state, crashed)
    };
    let (expected, none) = verdict(false);
    let (found, crashed) = verdict(true);
    assert_eq!((found, none), (expected, 0));
    assert!(crashed > 0 && found != crate::core::sprt::SprtState::Continue);
}
