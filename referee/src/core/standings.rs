//! The standings of an event: points, tie-break, Elo differences and the cross table.
//!
//! [`Standings`] is computed from all games each time. It serialises to `standings.json`, and [`text`] prints it. The
//! statistics are in [`elo`](crate::core::elo).

pub mod text;

use std::collections::{BTreeMap, HashMap};

use movegen::Color;
use movegen::pgn::Outcome;
use serde::{Deserialize, Serialize};

use crate::core::elo::Tally;
use crate::core::ending::Forfeit;
use crate::core::equipment::Equipment;
use crate::core::sprt::SprtReport;

/// The result of a game, as standings need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
    /// The player of the white pieces, from 0.
    pub white: usize,
    /// The player of the black pieces, from 0.
    pub black: usize,
    /// The pair of games with one opening and both colours
    /// ([`Pairing::pair`](crate::core::schedule::Pairing::pair)).
    pub pair: usize,
    /// The result; `None` if the game is in progress or ended without one.
    pub result: Option<Outcome>,
    /// Whether the game is in progress.
    pub is_running: bool,
    /// The loser's fault, if that decided the game.
    pub forfeit: Option<Forfeit>,
}

/// A player's line of the standings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The rank, from 1; players with equal points and tie-break share it.
    pub rank: usize,
    /// The number of the player, from 0.
    pub player: usize,
    /// The player's name.
    pub name: String,
    /// Points: 1 for a win, 1/2 for a draw, and those of byes.
    pub points: f64,
    /// The points of byes among them.
    #[serde(skip_serializing_if = "is_zero")]
    pub bye_points: f64,
    /// What the ranking depends on besides points, in the order of [`Standings::columns`]: tie-breaks, the rating in a
    /// ladder, the round that was reached in a knockout.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// The number of finished games.
    pub games: usize,
    /// Wins, draws and losses, of games and of pairs.
    #[serde(flatten)]
    pub tally: Tally,
    /// Points per game, from 0 to 1; `None` without games.
    pub score: Option<f64>,
    /// The number of games that count for the Elo figures: all but the forfeited ones.
    pub rated_games: usize,
    /// The Elo difference to the opponents; `None` without games and where the score is 0 or 1.
    pub elo: Option<f64>,
    /// Half the width of its 95% interval; `None` where a bound is infinite.
    pub error: Option<f64>,
    /// The normalised Elo difference: in units of the standard deviation of a game.
    pub normalized_elo: Option<f64>,
    /// Half the width of its 95% interval.
    pub normalized_error: Option<f64>,
    /// The likelihood of superiority over the opponents, from 0 to 1.
    pub los: Option<f64>,
    /// The Sonneborn-Berger score: for each game, the opponent's points if it was won, and half of them
    /// if it was drawn.
    pub sonneborn_berger: f64,
    /// How often the player lost by each fault. These games give points, and count for nothing else.
    pub faults: BTreeMap<Forfeit, usize>,
    /// What the player runs on, as it last said; to be filled in by the caller.
    #[serde(flatten)]
    pub equipment: Equipment,
    /// Points per game that counts for the Elo figures, from 0 to 1; `None` without such games.
    #[serde(skip)]
    rated_score: Option<f64>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_zero(points: &f64) -> bool {
    *points == 0.0
}

/// The order of the players where it is not by points and Sonneborn-Berger score alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking {
    /// What it depends on besides points.
    pub columns: Vec<String>,
    /// All players, best first.
    pub players: Vec<Ranked>,
}

/// A player in a [`Ranking`].
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// The number of the player, from 0.
    pub player: usize,
    /// The rank, from 1.
    pub rank: usize,
    /// The points of byes.
    pub bye_points: f64,
    /// The value of each column.
    pub values: Vec<String>,
}

/// An entrant whose place another one has taken, with the results so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replacement {
    /// The number of the player, from 0.
    pub player: usize,
    /// The name of the entrant that has gone.
    pub name: String,
    /// The number of games that were finished then.
    pub games: usize,
}

/// The standings of an event.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// The number of finished games.
    pub finished: usize,
    /// The number of games that have no result.
    pub unfinished: usize,
    /// What the ranking depends on besides points; empty if that is the Sonneborn-Berger score alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// The players, best first: by points, then Sonneborn-Berger score, then number; or as a [`Ranking`] has them.
    pub players: Vec<Standing>,
    /// Each player's results against each, both in the order of `players`: one character per
    /// game: `1`, `=`, `0`, `*` in progress, or `-` if it ended without a result.
    pub crosses: Vec<Vec<String>>,
    /// The state of the event's SPRT, to be filled in by the caller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtReport>,
    /// Who was replaced, in the order of time; to be filled in by the caller.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<Replacement>,
}

impl Standings {
    /// The standings of players after a list of games.
    ///
    /// # Panics
    /// If a game has a player without a name.
    #[must_use]
    pub fn new<S: AsRef<str>>(names: &[S], games: &[Scored]) -> Self {
        Self::ranked(names, games, None)
    }

    /// The standings of players after a list of games, in the order of a ranking.
    ///
    /// # Panics
    /// If a game has a player without a name, or if the ranking does not have each player once.
    #[must_use]
    pub fn ranked<S: AsRef<str>>(names: &[S], games: &[Scored], ranking: Option<Ranking>) -> Self {
        let tallies = tallies(names.len(), games);
        let rated = rated_tallies(names.len(), games);
        let sonneborn_berger = sonneborn_berger(&tallies, games);
        let mut order: Vec<usize> = (0..names.len()).collect();
        let merit = |player: usize| (tallies[player].half_points(), sonneborn_berger[player]);
        order.sort_by_key(|&player| std::cmp::Reverse(merit(player)));
        let Ranking {
            columns,
            players: ranked,
        } = ranking.unwrap_or_default();
        if !ranked.is_empty() {
            order = ranked.iter().map(|ranked| ranked.player).collect();
        }

        let mut players: Vec<Standing> = Vec::with_capacity(names.len());
        for (i, &player) in order.iter().enumerate() {
            let above = i.checked_sub(1).map(|above| &players[above]);
            let given = ranked.get(i);
            let rank = match above {
                _ if given.is_some() => given.map_or(0, |given| given.rank),
                Some(above) if merit(above.player) == merit(player) => above.rank,
                _ => i + 1,
            };
            let bye_points = given.map_or(0.0, |given| given.bye_points);
            let tally = Tally {
                pairs: rated[player].pairs,
                ..tallies[player]
            };
            let rated = rated[player];
            let elo = rated.elo();
            let normalized = rated.normalized_elo();
            players.push(Standing {
                rank,
                player,
                name: names[player].as_ref().to_owned(),
                points: tally.half_points() as f64 / 2.0 + bye_points,
                bye_points,
                values: given.map_or_else(Vec::new, |given| given.values.clone()),
                games: tally.games(),
                score: tally.score(),
                rated_games: rated.games(),
                rated_score: rated.score(),
                elo: elo.map(|elo| elo.difference),
                error: elo.and_then(|elo| elo.error),
                normalized_elo: normalized.map(|elo| elo.difference),
                normalized_error: normalized.and_then(|elo| elo.error),
                los: rated.los(),
                tally,
                sonneborn_berger: sonneborn_berger[player] as f64 / 4.0,
                faults: BTreeMap::new(),
                equipment: Equipment::default(),
            });
        }
        let mut standings = Self {
            finished: games.iter().filter(|game| game.result.is_some()).count(),
            unfinished: games.iter().filter(|game| game.result.is_none()).count(),
            crosses: vec![vec![String::new(); players.len()]; players.len()],
            columns,
            players,
            sprt: None,
            replaced: Vec::new(),
        };
        standings.add_games(games);
        standings
    }

    /// Fills in the cross table and counts the faults.
    fn add_games(&mut self, games: &[Scored]) {
        let mut places = vec![0; self.players.len()];
        for (place, standing) in self.players.iter().enumerate() {
            places[standing.player] = place;
        }
        for game in games {
            for (side, player, other) in sides(game) {
                let half_points = game.result.map(|result| result.half_points(side));
                self.crosses[places[player]][places[other]].push(match half_points {
                    None if game.is_running => '*',
                    None => '-',
                    Some(0) => '0',
                    Some(1) => '=',
                    Some(_) => '1',
                });
                if let (Some(0), Some(forfeit)) = (half_points, game.forfeit) {
                    let faults = &mut self.players[places[player]].faults;
                    *faults.entry(forfeit).or_insert(0) += 1;
                }
            }
        }
    }

    /// The standings with what the players run on, by their names.
    #[must_use]
    pub fn with_equipment(mut self, equipment: &BTreeMap<String, Equipment>) -> Self {
        for standing in &mut self.players {
            if let Some(equipment) = equipment.get(&standing.name) {
                standing.equipment = equipment.clone();
            }
        }
        self
    }

    /// The line of a player, by number.
    #[must_use]
    pub fn of(&self, player: usize) -> Option<&Standing> {
        self.players
            .iter()
            .find(|standing| standing.player == player)
    }
}

/// Both players of a game, each with the side and the opponent.
fn sides(game: &Scored) -> [(Color, usize, usize); 2] {
    [
        (Color::White, game.white, game.black),
        (Color::Black, game.black, game.white),
    ]
}

/// The results of each player, by games.
fn tallies(players: usize, games: &[Scored]) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); players];
    for game in games {
        let Some(result) = game.result else { continue };
        for (side, player, _) in sides(game) {
            tallies[player].add_game(result.half_points(side));
        }
    }
    tallies
}

/// The results of each player that tell something of its strength, by games and pairs: forfeits do not.
fn rated_tallies(players: usize, games: &[Scored]) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); players];
    // Finished games whose pair is still incomplete.
    let mut halves: HashMap<(usize, usize, usize), Outcome> = HashMap::new();
    for game in games {
        let (Some(result), None) = (game.result, game.forfeit) else {
            continue;
        };
        let other = halves.remove(&(game.pair, game.black, game.white));
        if other.is_none() {
            halves.insert((game.pair, game.white, game.black), result);
        }
        for (side, player, _) in sides(game) {
            let half_points = result.half_points(side);
            tallies[player].add_game(half_points);
            if let Some(other) = other {
                tallies[player].add_pair(half_points + other.half_points(!side));
            }
        }
    }
    tallies
}

/// The Sonneborn-Berger score of each player, in quarter points.
fn sonneborn_berger(tallies: &[Tally], games: &[Scored]) -> Vec<usize> {
    let mut quarters = vec![0; tallies.len()];
    for game in games {
        let Some(result) = game.result else { continue };
        for (side, player, other) in sides(game) {
            quarters[player] += result.half_points(side) * tallies[other].half_points();
        }
    }
    quarters
}

#[cfg(test)]
mod tests;
