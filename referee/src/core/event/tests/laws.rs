//! Laws of every event, tried on random ones: players come, play, go, crash, reply out of turn, hang,
//! and the arbiter gives orders, in any order and at any instants.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::world::{World, ledger};
use crate::core::broadcast::{Broadcast, Broadcaster, Delay};
use crate::core::event::stream::{GameReport, Start};
use crate::core::event::view::{EventView, Snapshot};
use crate::core::event::{Access, Order, Report};
use crate::core::journal::{self, Entry};
use crate::core::schedule::Format;

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

const NAMES: [&str; 4] = ["Ann", "Bob", "Cid", "Dee"];

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

/// Something that happens.
#[derive(Clone, Debug)]
enum Step {
    Enter(usize),
    Cut(usize),
    Exit(usize),
    Play(usize, usize),
    Resign(usize),
    OutOfTurn(usize),
    Junk(usize),
    Illegal(usize),
    Fault(usize),
    Write,
    HoldBack(bool),
    Wait(u64),
    WaitUntilDue,
    Order(&'static str, usize, usize, bool),
}

/// Orders, in which `G` stands for the number of a game, `N` for the name of a player, and `P` for a
/// number of half-moves. Those that end many games or change who plays are rarer.
const ORDERS: [&str; 27] = [
    "abort G",
    "reset G",
    "reset G",
    "replay G",
    "replay G",
    "pause",
    "resume",
    "resume",
    "adjudicate G 1/2",
    "adjudicate G 1-0",
    "pause G",
    "pause G",
    "resume G",
    "resume G",
    "extend G white 5s",
    "extend G black 1500ms",
    "extend G white 1ms",
    "takeback G P",
    "takeback G P",
    "takeback G P",
    "forfeit N G",
    "forfeit N",
    "readmit N",
    "restart N",
    "replace N New-N",
    "replace N 'The other N' --command 'y --name {name}'",
    "message it's \"late\", N",
];

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..8_usize).prop_map(Step::Enter),
        1 => any::<usize>().prop_map(Step::Cut),
        1 => any::<usize>().prop_map(Step::Exit),
        20 => any::<(usize, usize)>().prop_map(|(who, choice)| Step::Play(who, choice)),
        2 => any::<usize>().prop_map(Step::Resign),
        2 => any::<usize>().prop_map(Step::OutOfTurn),
        1 => any::<usize>().prop_map(Step::Junk),
        1 => any::<usize>().prop_map(Step::Illegal),
        1 => any::<usize>().prop_map(Step::Fault),
        4 => Just(Step::Write),
        1 => any::<bool>().prop_map(Step::HoldBack),
        4 => (0..3_000_000_u64).prop_map(Step::Wait),
        3 => Just(Step::WaitUntilDue),
        4 => (proptest::sample::select(&ORDERS[..]), any::<(usize, usize, bool)>())
            .prop_map(|(order, (one, other, is_any))| Step::Order(order, one, other, is_any)),
        1 => any::<usize>().prop_map(|n| Step::Order("kick N", n, 0, false)),
    ]
}

/// What a player says that it runs on, if it does.
fn runs_on(n: usize) -> &'static str {
    match n {
        0..4 => "",
        4 => "Machine \"abacus, 1 thread\";",
        5 => "Speed 500000;",
        _ => "Machine \"a <fast> 'one'\"; Speed 3000000;",
    }
}

fn take(world: &mut World, step: &Step) {
    let links: Vec<_> = world.peers.keys().copied().collect();
    let link = |n: usize| (!links.is_empty()).then(|| links[n % links.len()]);
    let asked = world.asked();
    let asked = |n: usize| (!asked.is_empty()).then(|| asked[n % asked.len()]);
    match step {
        Step::Enter(n) if n % 4 == 0 && has_a_transport(world) => world.enter_by_transport(),
        Step::Enter(n) => {
            let name = world.event.ledger().names()[n % 4].clone();
            let link = world.open();
            world.sign_on(link, &name, runs_on(*n));
        }
        Step::Cut(n) => {
            if let Some(link) = link(*n) {
                world.cut(link);
            }
        }
        Step::Exit(n) => {
            if !world.running.is_empty() {
                let seat = world.running[n % world.running.len()];
                world.exit(seat);
            }
        }
        Step::Play(n, choice) => {
            if let Some(link) = asked(*n) {
                world.play(link, *choice);
            }
        }
        Step::Resign(n) => {
            if let Some(link) = asked(*n) {
                world.reply(link, "resign;");
            }
        }
        Step::OutOfTurn(n) => {
            if let Some(link) = link(*n)
                && let Some(board) = &world.peers[&link].board
                && !world.peers[&link].is_asked
            {
                let position = *board.position();
                world.request(link, &position, "refreq reply; resign;");
            }
        }
        Step::Junk(n) => {
            if let Some(link) = link(*n) {
                world.line(link, "junk");
            }
        }
        Step::Illegal(n) => {
            if let Some(link) = asked(*n) {
                world.reply(link, "sm Ke5;");
            }
        }
        Step::Fault(n) => {
            if let Some(link) = link(*n) {
                world.request(
                    link,
                    &movegen::Position::start(),
                    "refreq fault; c0 \"broken\";",
                );
            }
        }
        Step::Write => {
            if let Some(sent) = world.held.pop_front() {
                world.feed(sent);
            }
        }
        Step::HoldBack(hold) => world.holds_back = *hold,
        Step::Wait(microseconds) => world.wait(Duration::from_micros(*microseconds)),
        Step::WaitUntilDue => {
            world.wait_until_due();
        }
        Step::Order(order, one, other, is_any) => {
            let order = order_line(world, order, *one, *other, *is_any);
            world.order(&order);
        }
    }
}

/// An order with its blanks filled in: most often about a game in progress, sometimes about any.
fn order_line(world: &World, order: &str, one: usize, other: usize, is_any: bool) -> String {
    let ledger = world.event.ledger();
    let running: Vec<_> = ledger.running().keys().copied().collect();
    let game = if is_any || running.is_empty() {
        one % 12 + 1
    } else {
        running[one % running.len()]
    };
    let plies = ledger.running().get(&game);
    let plies = plies.map_or(0, |game| game.referee.game().moves().len());
    let name = &ledger.names()[other % 4];
    let words = order.split(' ').map(|word| match word {
        "G" => game.to_string(),
        "P" => (other % (plies + 1)).to_string(),
        "N" if name.contains(' ') => format!("'{name}'"),
        "N" => name.clone(),
        // A part of a new name.
        "New-N" => format!("New-{}", NAMES[other % 4]),
        "N'" => format!("{}'", NAMES[other % 4]),
        word => word.to_owned(),
    });
    let line = words.collect::<Vec<_>>().join(" ");
    match other % 3 {
        0 => format!("{line} --reason 'a \"good\" reason: \u{fc}' --by Eve"),
        1 => format!("{line} --reason short"),
        _ => line,
    }
}

fn has_a_transport(world: &World) -> bool {
    world.event.ledger().config().players[0].fifo.is_some()
}

/// What must hold at every moment.
fn check(world: &World) {
    let ledger = world.event.ledger();
    assert!(ledger.running().len() <= ledger.config().concurrency);
    for (number, game) in ledger.running() {
        // No clock runs while nobody was asked.
        if let Some((color, _)) = game.referee.clock().running() {
            assert!(game.referee.is_asked(color), "game {number}");
            assert_eq!(game.referee.game().position().turn(), color);
            assert!(!ledger.is_held(*number), "game {number} is paused");
        }
        // Clocks follow the conditions of the game.
        let of_event = &ledger.config().time_control.0;
        assert_eq!(
            *game.referee.clock().controls(),
            game.conditions.controls(of_event)
        );
        // Who is disconnected too often has lost.
        assert!(game.disconnections.iter().all(|&count| count < 3));
        // Every seat plays one game, and that game knows it.
        for seat in game.seats {
            let game = world.event.seats[seat].game;
            assert_eq!(game.map(|(number, _)| number), Some(*number));
        }
    }
    // The stream of events tells all of it.
    for number in ledger.running().keys() {
        let view = &world.view.games[number];
        let told = GameReport {
            turn_ms: None,
            ..view.game.clone()
        };
        assert_eq!(Some(told), ledger.game_report(*number), "game {number}");
        let game = &ledger.running()[number].referee;
        assert_eq!(view.position, *game.game().position());
        // A clock that runs is told; the next one may still be started.
        assert!(game.clock().running().is_none() || view.game.turn_ms.is_some());
        assert!(!ledger.is_held(*number) || view.game.turn_ms.is_none());
    }
    assert_eq!(world.view.standings(), ledger.standings());
    check_snapshot(&world.view);
    let ended = world.view.games.values().filter(|game| game.end.is_some());
    let ended: Vec<_> = ended.map(|view| view.game.game).collect();
    assert_eq!(ended, ledger.finished_numbers());
    assert_eq!(world.view.running().count(), ledger.running().len());
    // Every program has a seat, and every seat a program.
    let mut programs: Vec<_> = world.event.seats.iter().map(|seat| seat.program).collect();
    programs.sort_unstable();
    assert!(programs.iter().copied().eq(0..programs.len()));
    // Points are conserved.
    let standings = ledger.standings();
    let points: f64 = standings.players.iter().map(|player| player.points).sum();
    let byes: f64 = standings
        .players
        .iter()
        .map(|player| player.bye_points)
        .sum();
    assert!((points - byes - standings.finished as f64).abs() < 1e-9);
    check_schedule(world);
}

/// Nobody who may not meet meets, and the rounds of a Swiss event are those of the rules.
fn check_schedule(world: &World) {
    let ledger = world.event.ledger();
    let schedule = ledger.schedule();
    for (number, game) in (1..).zip(schedule) {
        assert_eq!(game.number, number);
        assert_ne!(game.white, game.black);
    }
    assert_eq!(world.view.results.meetings(), ledger.results().meetings());
    let config = ledger.config();
    let Some(plan) = config.plan() else {
        return;
    };
    let mut rounds: HashMap<usize, Vec<usize>> = HashMap::new();
    for played in ledger.results().meetings() {
        let players = std::iter::once(played.meeting.white).chain(played.meeting.black);
        rounds
            .entry(played.meeting.round)
            .or_default()
            .extend(players);
    }
    if let Format::Swiss(swiss) = plan.format {
        assert!(rounds.len() <= swiss.rounds);
        for players in rounds.values_mut() {
            let count = players.len();
            players.sort_unstable();
            players.dedup();
            assert_eq!(players.len(), count, "paired twice in a round");
        }
    }
    if let Format::Ladder(ladder) = plan.format {
        assert!(schedule.len() <= ladder.games.expect("a limit") + 1);
    }
}

/// A viewer that begins with a snapshot knows as much as one that has read everything, but the moves of
/// finished games.
fn check_snapshot(view: &EventView) {
    let json = serde_json::to_string(&view.snapshot()).expect("JSON");
    let mut other = EventView::default();
    let snapshot: Snapshot = serde_json::from_str(&json).expect(&json);
    other.apply(&Report::Snapshot(Box::new(snapshot)), "");
    let mut view = view.clone();
    for number in view.finished().to_vec() {
        view.take_finished(number);
    }
    assert_eq!(other, view);
}

/// A viewer of the stream of events can write the same PGN as the referee.
fn check_pgn(world: &World) {
    let start = world.view.start.as_ref().expect("a start");
    let games = world.view.finished().iter();
    let games = games.map(|number| world.view.games[number].pgn(start).export());
    let games: Result<String, _> = games.collect();
    assert_eq!(games.as_ref(), Ok(&world.games));
}

/// The broadcast tells all that is public of a finished game, and of a game in progress neither what its last
/// mover thinks nor moves before their time.
fn check_broadcast(world: &World, text: &str) {
    for (delay, show_thinking) in [
        (Delay::None, false),
        (Delay::None, true),
        (Delay::Plies(3), false),
        (Delay::Plies(1), true),
        (Delay::Time(Duration::from_secs(9)), false),
    ] {
        let plies = match delay {
            Delay::Plies(plies) => plies,
            _ => 0,
        };
        let shows = show_thinking || matches!(delay, Delay::Time(_));
        let mut broadcaster = Broadcaster::new(Broadcast {
            delay,
            show_thinking,
        });
        let start = world.view.start.clone().expect("a start");
        let schedule = ledger(text).start_report("").schedule;
        let start = Report::Start(Box::new(Start { schedule, ..start }));
        let (mut view, mut all) = (EventView::default(), EventView::default());
        let mut last = 0;
        let takes_back = world.journal.iter().any(|entry| {
            matches!(entry, Entry::Ordered { given, .. } if matches!(given.order, Order::Takeback { .. }))
        });
        for report in std::iter::once(&start).chain(&world.reports) {
            all.apply(report, "");
            for published in broadcaster.push(report.clone(), "") {
                assert_eq!(published.id, last + 1);
                last = published.id;
                view.apply(&published.report, "");
            }
            for game in view.running() {
                let last = game.game.moves.last();
                let thought = last.and_then(|last| last.eval);
                assert!(shows || thought.is_none(), "{:?}", game.game);
                // What was taken back makes the difference smaller.
                let real = all.games[&game.game.game].game.moves.len();
                let shown = game.game.moves.len();
                assert!(takes_back || shown + plies == real.max(plies));
            }
        }
        assert_eq!(view.ends, all.ends);
        assert_eq!(view.standings().players, all.standings().players);
        for (number, game) in &all.games {
            if game.end.is_some() {
                assert_eq!(
                    view.games.get(number),
                    Some(game),
                    "{delay} {show_thinking}"
                );
            }
        }
    }
}

/// What must hold of the journal in the end: every game ends once, and each move follows the one
/// before it.
fn check_journal(journal: &[Entry]) {
    let mut running: HashMap<usize, movegen::Game> = HashMap::new();
    let withdraw = |finished: &mut Vec<usize>, number| {
        let place = finished.iter().position(|&other| other == number);
        finished.remove(place.expect("finished"));
    };
    let mut finished = Vec::new();
    for entry in journal {
        let number = entry.game().unwrap_or_default();
        match entry {
            Entry::Begun { opening, .. } => {
                assert!(!finished.contains(&number), "game {number} begins twice");
                let game = movegen::Game::new(opening.start);
                assert!(running.insert(number, game).is_none());
            }
            Entry::Moved { before, mv, .. } => {
                let game = running.get_mut(&number).expect("begun");
                assert_eq!(game.position(), before, "a move was lost or doubled");
                game.play(*mv).expect("legal");
            }
            Entry::Ended { .. } => {
                assert!(
                    running.remove(&number).is_some(),
                    "game {number} ends twice"
                );
                finished.push(number);
            }
            Entry::Withdrawn { .. } => withdraw(&mut finished, number),
            Entry::Ordered { given, .. } => match given.order {
                Order::Replay { game } => withdraw(&mut finished, game),
                Order::Takeback { game, ply } => {
                    let game = running.get_mut(&game).expect("in progress");
                    let moves = game.moves()[..ply].to_vec();
                    *game = movegen::Game::new(*game.start());
                    for mv in moves {
                        game.play(mv).expect("legal");
                    }
                }
                _ => {}
            },
            Entry::Paired { .. } | Entry::Term { .. } => {}
        }
    }
}

/// A referee that is killed at any line of the journal and resumed knows what the other one knew.
fn check_resumed(world: &World, text: &str) {
    let lines: String = world.journal.iter().map(Entry::line).collect();
    let (journal, _) = journal::read(lines.as_bytes()).expect("a journal");
    let again: String = journal.iter().map(Entry::line).collect();
    assert_eq!(again, lines);
    for (length, snapshot) in &world.snapshots {
        let mut resumed = ledger(text);
        resumed
            .resume(journal[..*length].to_vec())
            .expect("a journal");
        assert_eq!(resumed.snapshot(), *snapshot, "after {length} lines");
    }
    for length in 0..=journal.len() {
        let mut resumed = ledger(text);
        let (before, after) = journal.split_at(length);
        resumed.resume(before.to_vec()).expect("a journal");
        resumed.resume(after.to_vec()).expect("a journal");
        assert_eq!(resumed.snapshot(), world.event.ledger().snapshot());
    }
    let games = ledger(text).resume(journal);
    assert_eq!(games.as_ref(), Ok(&world.games));
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
