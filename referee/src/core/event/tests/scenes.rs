//! Scenes from events, one rule each.

mod pings;
mod programs;
mod strangers;

use std::time::Duration;

use super::world::World;
use crate::core::event::{Input, Report};

const SECOND: Duration = Duration::from_secs(1);
const PONG: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - Ping; refreq reply;";
const NO_DELAYS: &str = "[delays]\nreset = \"0s\"\nconclude = \"0s\"\n";

fn settings(head: &str, tables: &str, players: &[&str]) -> String {
    let players = players.iter().fold(String::new(), |text, player| {
        text + &format!("[[player]]\nname = {player}\n")
    });
    format!("{head}\n{NO_DELAYS}{tables}\n{players}")
}

fn duel(head: &str, tables: &str) -> World {
    let head = format!("format = \"match\"\n{head}");
    World::new(&settings(&head, tables, &["\"Ann\"", "\"Bob\""]))
}

/// The pauses after reset and conclude cost no clock time, and the clock starts when the question has
/// been written, not when it was decided.
#[test]
fn clocks_start_when_the_question_is_written() {
    let text = "format = \"match\"\ntime_control = \"10\"\n[[player]]\nname = \"Ann\"\n[[player]]\nname = \"Bob\"\n";
    let mut world = World::new(text);
    let ann = world.enter("Ann");
    let bob = world.enter("Bob");
    // Signing on is answered by a reset, and so is the start of the game.
    world.wait(5 * SECOND);
    world.holds_back = true;
    world.wait(5 * SECOND);
    assert_eq!(world.asked(), [ann]);
    world.now += 20 * SECOND;
    assert!(
        world.event.ledger().running()[&1]
            .referee
            .clock()
            .running()
            .is_none()
    );
    while let Some(sent) = world.held.pop_front() {
        world.feed(sent);
    }
    world.holds_back = false;
    world.now += 3 * SECOND;
    world.reply(ann, "sm e4;");
    let used = world.event.ledger().running()[&1].referee.clock().used();
    assert_eq!(used, [3 * SECOND, Duration::ZERO]);
    assert_eq!(world.asked(), [bob]);
}

/// A game that ends while it is paused: the side to move is told the last move before the end.
#[test]
fn a_game_that_ends_while_it_is_paused() {
    let mut world = duel("games_per_pairing = 1", "");
    let ann = world.enter("Ann");
    let bob = world.enter("Bob");
    world.play(ann, 0);
    world.order("pause 1");
    world.order("adjudicate 1 1/2");
    for link in [ann, bob] {
        let board = world.peers[&link].board.as_ref().expect("reset");
        assert_eq!(board.moves().len(), 1);
        assert!(world.peers[&link].commands.contains(&"conclude"));
    }
}

/// A reply that was read in time counts, however late it is handled, and whatever comes first.
#[test]
fn late_handling_costs_nobody_the_game() {
    for tick_first in [false, true] {
        let mut world = duel("time_control = \"10\"", "");
        let ann = world.enter("Ann");
        world.enter("Bob");
        let read = world.now + 10 * SECOND;
        world.now = read + SECOND;
        if tick_first {
            world.feed(Input::Tick);
        }
        let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - refreq reply; sm e4;";
        let frame = epd::protocol::frame::Frame::Line(line.to_owned());
        world.feed(Input::Received {
            link: ann,
            frame,
            read,
        });
        // The server drains its input before it ticks.
        assert_eq!(world.results().is_empty(), !tick_first);
    }
}

/// Who goes has the reconnect timeout to come back; the clock of a player on the move goes on.
#[test]
fn a_player_comes_back_or_not() {
    let mut world = duel("time_control = \"600\"", "");
    let ann = world.enter("Ann");
    let bob = world.enter("Bob");
    world.reply(ann, "sm e4;");
    world.cut(bob);
    world.wait(59 * SECOND);
    assert!(world.results().is_empty());
    let bob = world.enter("Bob");
    world.feed(Input::Tick);
    let clock = *world.event.ledger().running()[&1]
        .referee
        .clock()
        .running()
        .as_ref()
        .expect("running");
    assert_eq!(world.now - clock.1, 59 * SECOND, "the clock goes on");
    world.reply(bob, "sm e5;");
    world.cut(ann);
    world.wait(60 * SECOND);
    assert_eq!(
        world.results(),
        [(1, "0-1".to_owned(), Some("disconnect".to_owned()))]
    );
}

/// An opponent's move reaches a player that is away: its clock runs, and it is asked when it is back.
#[test]
fn a_move_to_a_player_that_is_away() {
    let mut world = duel("time_control = \"30\"", "");
    let ann = world.enter("Ann");
    let bob = world.enter("Bob");
    world.cut(bob);
    world.reply(ann, "sm e4;");
    world.wait(20 * SECOND);
    let bob = world.enter("Bob");
    world.feed(Input::Tick);
    assert_eq!(world.asked(), [bob]);
    world.wait(11 * SECOND);
    assert_eq!(
        world.results(),
        [(1, "1-0".to_owned(), Some("time".to_owned()))]
    );
}

/// A match at concurrency 3 keeps three games running, each on connections of its own.
#[test]
fn games_side_by_side() {
    let players = ["\"Ann\"\ninstances = 3", "\"Bob\"\ninstances = 3"];
    let head = "format = \"match\"\ngames_per_pairing = 8\nconcurrency = 3";
    let mut world = World::new(&settings(head, "", &players));
    let anns: Vec<_> = (0..3).map(|_| world.enter("Ann")).collect();
    world.enter("Bob");
    assert_eq!(world.event.ledger().running().len(), 1);
    world.enter("Bob");
    world.enter("Bob");
    assert_eq!(world.event.ledger().running().len(), 3);
    let fourth = world.enter("Bob");
    assert!(!world.peers.contains_key(&fourth), "three places are three");
    while let Some(&link) = world.asked().first() {
        let left = 8 - world.results().len();
        assert_eq!(world.event.ledger().running().len(), left.min(3));
        world.reply(link, "resign;");
    }
    assert_eq!(world.results().len(), 8);
    assert!(world.event.is_over());
    assert!(
        anns.iter()
            .all(|ann| world.peers[ann].commands.contains(&"conclude"))
    );
}

/// A game that is paused costs nobody time, whoever replies, goes and comes back meanwhile.
#[test]
fn a_game_is_paused() {
    let mut world = duel("time_control = \"60\"", "");
    let ann = world.enter("Ann");
    let bob = world.enter("Bob");
    world.reply(ann, "sm e4;");
    world.wait(10 * SECOND);
    assert!(world.order("games").0.contains("waiting 10.0 s for Black"));
    assert_eq!(
        world.order("pause 1"),
        ("game 1 is paused".to_owned(), false)
    );
    assert!(world.order("pause 2").1 && world.order("resume 2").1);
    world.feed(Input::Tick);
    assert!(world.asked().is_empty());
    let board = *world.peers[&bob].board.as_ref().expect("reset").position();
    world.request(bob, &board, "refreq reply; sm e5;");
    world.cut(ann);
    world.wait(30 * SECOND);
    let ann = world.enter("Ann");
    world.wait(1000 * SECOND);
    assert!(world.order("games").0.contains("; paused"));
    assert_eq!(
        world.order("message back at nine"),
        ("2 players were told".to_owned(), false)
    );
    assert!(world.asked().is_empty() && world.results().is_empty());
    world.order("resume 1");
    assert_eq!(world.asked(), [bob]);
    world.now += 5 * SECOND;
    world.reply(bob, "sm e5;");
    assert_eq!(world.asked(), [ann]);
    let used = world.event.ledger().running()[&1].referee.clock().used();
    assert_eq!(used, [Duration::ZERO, 5 * SECOND]);
    let orders = world
        .reports
        .iter()
        .filter(|report| matches!(report, Report::Order { .. }));
    assert_eq!(orders.count(), 5);
}

/// Who has a bye in a Swiss event is told, also if it asked for one.
#[test]
fn byes_are_told() {
    let head = "format = \"swiss\"\nrounds = 1";
    let players = ["\"Ann\"", "\"Bob\"", "\"Cid\"\nbyes = [1]"];
    let mut world = World::new(&settings(head, "", &players));
    for name in ["Ann", "Bob", "Cid"] {
        world.enter(name);
    }
    world.feed(Input::Tick);
    let told = "round 1 is paired: Ann - Bob, Cid has a half-point bye";
    assert!(
        world.said.iter().any(|said| said == told),
        "{:?}",
        world.said
    );
    let byes = world.reports.iter().find_map(|report| match report {
        Report::Paired {
            half_point_byes, ..
        } => Some(half_point_byes.clone()),
        _ => None,
    });
    assert_eq!(byes, Some(vec![2]));
}

/// A client that reports an illegal move of its engine loses by it (decision 99).
#[test]
fn engines_that_play_illegal_moves() {
    let mut world = duel("", "");
    let ann = world.enter("Ann");
    world.enter("Bob");
    world.feed(Input::Tick);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    world.line(
        ann,
        &format!("{start} sm e2e5; c0 \"X plays e2e5\"; refreq fault;"),
    );
    let results = world.results();
    assert_eq!(
        results[0],
        (1, "0-1".to_owned(), Some("illegal_move".to_owned()))
    );
}
