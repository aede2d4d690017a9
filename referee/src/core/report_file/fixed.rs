//! The rounds of a round robin, a gauntlet or a match.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use movegen::Color;
use pairing::{Colour, Event, Player, Round};

use super::rounds::{Rounds, entry};
use crate::core::event::Ledger;
use crate::core::schedule::{Format, Pairing};

/// The rounds up to the last one with a result. Games without one stay open: games of several rounds may be in
/// progress at once.
pub(super) fn rounds(ledger: &Ledger, format: Format) -> Rounds {
    let schedule = ledger.schedule();
    let (round_of, rounds) = rounds_of(schedule);
    let finished = ledger.results().finished();
    let has_played = |player: usize| {
        let mut games = finished.keys().filter_map(|&number| ledger.pairing(number));
        games.any(|game| game.white == player || game.black == player)
    };
    let players: Vec<usize> = (0..ledger.names().len())
        .filter(|&player| !ledger.names()[player].is_empty() || has_played(player))
        .collect();
    let places: HashMap<usize, usize> = players.iter().copied().zip(0..).collect();
    let paired = finished
        .keys()
        .map(|number| round_of[number] + 1)
        .max()
        .unwrap_or(0);
    let entries = vec![Round::Absent; paired];
    let player = || Player {
        rounds: entries.clone(),
        ..Player::default()
    };
    let mut event = Event::new(
        rounds,
        Colour::White,
        players.iter().map(|_| player()).collect(),
    );
    event.paired = paired;
    let mut open = BTreeSet::new();
    for game in schedule {
        let round = round_of[&game.number];
        let (Some(&white), Some(&black)) = (places.get(&game.white), places.get(&game.black))
        else {
            continue;
        };
        if game.number == 1 && black == 0 {
            event.first_colour = Colour::Black;
        }
        match finished.get(&game.number) {
            Some(end) => {
                let entry = |opponent, color| entry(opponent, color, end.result, end.is_unplayed);
                event.players[white].rounds[round] = entry(black, Color::White);
                event.players[black].rounds[round] = entry(white, Color::Black);
            }
            None if round < paired => open.extend([(white, round), (black, round)]),
            None => {}
        }
    }
    Rounds {
        event,
        players,
        round_of,
        open,
        announced: Vec::new(),
        left_out: None,
        kind: kind(format),
    }
}

fn kind(format: Format) -> String {
    match format {
        Format::RoundRobin { cycles: 1 } => "Round-Robin".to_owned(),
        Format::RoundRobin { cycles: 2 } => "Double Round-Robin".to_owned(),
        Format::RoundRobin { cycles } => format!("Round-Robin, {cycles} cycles"),
        Format::Gauntlet { seeds: 1, .. } => "Gauntlet".to_owned(),
        Format::Gauntlet { seeds, .. } => format!("Gauntlet of {seeds}"),
        _ => "Match".to_owned(),
    }
}

/// The round of the report for each game, and the number of these rounds: each game of two players in a round of the
/// schedule is in a round of its own.
fn rounds_of(schedule: &[Pairing]) -> (BTreeMap<usize, usize>, usize) {
    let mut met: HashMap<(usize, usize, usize), usize> = HashMap::new();
    let mut games: BTreeMap<usize, usize> = BTreeMap::new();
    let mut places = Vec::new();
    for game in schedule {
        let couple = (
            game.round,
            game.white.min(game.black),
            game.white.max(game.black),
        );
        let before = met.entry(couple).or_default();
        places.push((game, *before));
        *before += 1;
        let most = games.entry(game.round).or_default();
        *most = (*most).max(*before);
    }
    let mut first = BTreeMap::new();
    let mut rounds = 0;
    for (round, games) in games {
        first.insert(round, rounds);
        rounds += games;
    }
    let places = places.into_iter();
    let places = places.map(|(game, before)| (game.number, first[&game.round] + before));
    (places.collect(), rounds)
}
