//! Orders about clocks and moves.

use movegen::Color;

use super::{SECOND, duel, obeyed, play, refused, remaining, settings};
use crate::core::event::tests::world::ledger;
use crate::core::journal::{self, Entry};

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
