//! What must hold of every event.

use std::collections::HashMap;
use std::time::Duration;

use crate::core::broadcast::{Broadcast, Broadcaster, Delay};
use crate::core::event::stream::{GameReport, Start};
use crate::core::event::tests::world::{World, ledger};
use crate::core::event::view::{EventView, Snapshot};
use crate::core::event::{Order, Report};
use crate::core::journal::{self, Entry};
use crate::core::schedule::Format;

/// What must hold at every moment.
pub(super) fn check(world: &World) {
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
pub(super) fn check_pgn(world: &World) {
    let start = world.view.start.as_ref().expect("a start");
    let games = world.view.finished().iter();
    let games = games.map(|number| world.view.games[number].pgn(start).export());
    let games: Result<String, _> = games.collect();
    assert_eq!(games.as_ref(), Ok(&world.games));
}

/// The broadcast tells all that is public of a finished game, and of a game in progress neither what its last
/// mover thinks nor moves before their time.
pub(super) fn check_broadcast(world: &World, text: &str) {
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
            ..Broadcast::default()
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
pub(super) fn check_journal(journal: &[Entry]) {
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
pub(super) fn check_resumed(world: &World, text: &str) {
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
