//! The rounds of a Swiss event.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use pairing::trf::{Announced, single_games};
use pairing::{Event, Round};

use super::rounds::{Rounds, entry};
use crate::core::event::Ledger;
use crate::core::schedule::{Played, Presence, Situation, Swiss, swiss};

/// The rounds up to the first one that is not finished: programs that pair the next round need whole rounds.
pub(super) fn rounds(ledger: &Ledger, swiss: Swiss) -> Rounds {
    let results = ledger.results();
    let presence = results.presence(ledger.names());
    let unfinished = results
        .meetings()
        .iter()
        .filter(|played| !played.is_finished());
    let left_out = unfinished.map(|played| played.meeting.round).min();
    let is_whole = |played: &&Played| left_out.is_none_or(|round| played.meeting.round < round);
    let meetings: Vec<Played> = results
        .meetings()
        .iter()
        .filter(is_whole)
        .cloned()
        .collect();
    let situation = results
        .situation(&presence)
        .expect("the schedule of a Swiss event grows");
    let situation = Situation {
        meetings: &meetings,
        ..situation
    };
    let (event, players) = swiss::event(swiss, &situation);
    let games = situation.games_per_pairing;
    let announced = announced(&situation, &players, event.paired, games);
    let mut event = single_games(&event);
    let round_of = set_games(&mut event, &players, &meetings, games);
    if event.paired == event.rounds {
        // Who has been put out of the event is absent from no more round.
        for player in &mut event.players {
            player.rounds.truncate(event.paired);
        }
    }
    let acceleration = if swiss.is_accelerated {
        ", Baku acceleration"
    } else {
        ""
    };
    Rounds {
        event,
        players,
        round_of,
        open: BTreeSet::new(),
        announced,
        left_out,
        kind: format!("Swiss-System (FIDE Dutch{acceleration})"),
    }
}

/// Enters the games in their order, which `single_games` does not know; returns the round of each.
fn set_games(
    event: &mut Event,
    players: &[usize],
    meetings: &[Played],
    games: usize,
) -> BTreeMap<usize, usize> {
    let places: HashMap<usize, usize> = players.iter().copied().zip(0..).collect();
    let mut round_of = BTreeMap::new();
    for played in meetings {
        for (game, end) in played.ends.iter().enumerate() {
            let round = (played.meeting.round - 1) * games + game;
            round_of.insert(played.first + game, round);
            let (white, Some(black), Some(end)) = (played.meeting.white, played.meeting.black, end)
            else {
                continue;
            };
            for (player, opponent) in [(white, black), (black, white)] {
                let color = played.color(player, game);
                event.players[places[&player]].rounds[round] =
                    entry(places[&opponent], color, end.result, end.is_walkover);
            }
        }
    }
    round_of
}

/// The byes that players have asked for in rounds after the next one.
fn announced(
    situation: &Situation<'_>,
    players: &[usize],
    paired: usize,
    games: usize,
) -> Vec<Announced> {
    let present = players.iter().enumerate();
    let present = present.filter(|&(_, &player)| situation.presence[player] != Presence::Out);
    let byes = present.flat_map(|(place, &player)| {
        let rounds = situation.entrants[player].byes.iter();
        let later = rounds.filter(|&&round| round > paired + 1);
        later.map(move |round| Announced {
            player: place,
            round: (round - 1) * games,
            bye: Round::HalfPointBye,
        })
    });
    byes.collect()
}
