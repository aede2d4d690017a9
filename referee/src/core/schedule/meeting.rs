//! Players who are paired, and what came of it.

use movegen::pgn::Outcome;
use serde::{Deserialize, Serialize};

use super::game::Pairing;

/// Two players who are paired, or a player with a bye.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meeting {
    /// The round, from 1. In a ladder each meeting is a round of its own.
    pub round: usize,
    /// The player with White in the first game, from 0, or the one with a bye. Colours alternate.
    pub white: usize,
    /// The opponent; `None` if the player has a bye.
    pub black: Option<usize>,
    /// The number of games; 0 for a bye.
    pub games: usize,
}

impl Meeting {
    /// A bye.
    #[must_use]
    pub const fn bye(round: usize, player: usize) -> Self {
        Self {
            round,
            white: player,
            black: None,
            games: 0,
        }
    }

    /// Whether a player takes part.
    #[must_use]
    pub fn has(&self, player: usize) -> bool {
        self.white == player || self.black == Some(player)
    }

    /// The opponent of a player, if it takes part and has one.
    #[must_use]
    pub fn opponent(&self, player: usize) -> Option<usize> {
        if self.white == player {
            self.black
        } else {
            self.black
                .filter(|&black| black == player)
                .map(|_| self.white)
        }
    }

    /// The games of this meeting, to follow those of a schedule. `draw` are the openings in the order in which
    /// they are played.
    #[must_use]
    pub fn pairings(&self, schedule: &[Pairing], draw: &[usize]) -> Vec<Pairing> {
        let Some(black) = self.black else {
            return Vec::new();
        };
        let of_round = schedule.iter().filter(|game| game.round == self.round);
        let game = of_round.count();
        let first_pair = schedule.last().map_or(0, |last| last.pair + 1);
        let pairing = |i: usize| {
            let pair = first_pair + i / 2;
            let (white, black) = if i.is_multiple_of(2) {
                (self.white, black)
            } else {
                (black, self.white)
            };
            Pairing {
                number: schedule.len() + 1 + i,
                round: self.round,
                game: game + 1 + i,
                white,
                black,
                opening: draw[pair % draw.len()],
                pair,
            }
        };
        (0..self.games).map(pairing).collect()
    }
}

/// How a game ended, as far as pairing needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// The result; `None` if the game ended without one.
    pub result: Option<Outcome>,
    /// Whether a player lost it by default, before the first move.
    pub is_walkover: bool,
}

/// A meeting and its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Who meets.
    pub meeting: Meeting,
    /// The number of the first game; the others follow.
    pub first: usize,
    /// How each game ended; `None` if it has not.
    pub ends: Vec<Option<GameEnd>>,
    /// How many games of the event had ended when the last of these did, as far as they have.
    pub ended_at: usize,
}

impl Played {
    /// A meeting that is about to begin with the game of this number.
    #[must_use]
    pub fn new(meeting: Meeting, first: usize) -> Self {
        Self {
            meeting,
            first,
            ends: vec![None; meeting.games],
            ended_at: 0,
        }
    }

    /// Whether all games have ended.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.ends.iter().all(Option::is_some)
    }

    /// The half points of a player so far: 2 for a win. A bye counts in no game.
    #[must_use]
    pub fn half_points(&self, player: usize) -> usize {
        let ends = self.ends.iter().enumerate();
        let results = ends.filter_map(|(game, end)| Some((game, (*end)?.result?)));
        results
            .map(|(game, result)| result.half_points(self.color(player, game)))
            .sum()
    }

    /// The colour of a player who takes part, in a game of this meeting, from 0.
    #[must_use]
    pub fn color(&self, player: usize, game: usize) -> movegen::Color {
        if (self.meeting.white == player) == game.is_multiple_of(2) {
            movegen::Color::White
        } else {
            movegen::Color::Black
        }
    }
}

/// A player as the schedule knows it beforehand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entrant {
    /// The rating that it enters with, in Elo. The players are seeded by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<u32>,
    /// Whether its rating never changes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_anchor: bool,
    /// Players of the same group are never paired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The rounds, from 1, in which it asked for a bye of half the points.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub byes: Vec<usize>,
}

/// Whether a player can be paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Nobody has taken this place yet.
    Vacant,
    /// It takes part.
    Entered,
    /// The arbiter has put it out of the event.
    Out,
}

/// Who is in an event, and what has been played.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The number of games each time two players meet.
    pub games_per_pairing: usize,
    /// All players, by number.
    pub entrants: &'a [Entrant],
    /// Whether each player can be paired.
    pub presence: &'a [Presence],
    /// Players who are never paired with each other, besides those of the same group.
    pub forbidden: &'a [Vec<usize>],
    /// What has been paired, in this order.
    pub meetings: &'a [Played],
}

impl Situation<'_> {
    /// Players in the order of their seeds: by rating, then by number. Those without a rating come last.
    #[must_use]
    pub fn seeds(&self, is_in: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut seeds: Vec<usize> = (0..self.entrants.len())
            .filter(|&player| is_in(player))
            .collect();
        seeds.sort_by_key(|&player| std::cmp::Reverse(self.entrants[player].rating));
        seeds
    }

    /// Whether two players may never meet.
    #[must_use]
    pub fn is_forbidden(&self, one: usize, other: usize) -> bool {
        let group = |player: usize| self.entrants[player].group.as_ref();
        let lists = |list: &Vec<usize>| list.contains(&one) && list.contains(&other);
        group(one).is_some() && group(one) == group(other) || self.forbidden.iter().any(lists)
    }
}

/// What a schedule that grows does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing, until a game has ended or a player has come.
    Wait,
    /// These are paired.
    Pair(Vec<Meeting>),
    /// No more games are played.
    Over {
        /// Why, if that is before the last round.
        early: Option<String>,
    },
}
