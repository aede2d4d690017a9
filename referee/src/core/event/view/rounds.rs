//! What viewers are shown of an event whose schedule grows: who meets in which round, the bracket, and what comes.

use movegen::pgn::Outcome;

use super::EventView;
use crate::core::schedule::knockout::{Bracket, Match};
use crate::core::schedule::swiss::{requested_half_points, rounds_paired};
use crate::core::schedule::{Format, Knockout, Played, Presence, Situation};
use crate::core::text::counted;

/// A round. In a ladder each meeting is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// The number of the round, from 1.
    pub number: usize,
    /// Who meets.
    pub boards: Vec<Board>,
    /// Who has points without a game: the player, and its points.
    pub byes: Vec<(usize, f64)>,
    /// Who is in a Swiss event, but not paired in this round, without points.
    pub absent: Vec<usize>,
}

/// Two players who meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// The players, the one with White in the first game first.
    pub players: [usize; 2],
    /// Their points before the round, in a Swiss event.
    pub before: Option<[f64; 2]>,
    /// Their points from the finished games of this meeting.
    pub points: [f64; 2],
    /// Its games.
    pub games: Vec<BoardGame>,
}

/// A game of a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardGame {
    /// Its number in the event.
    pub number: usize,
    /// How far it is.
    pub state: GameState,
}

/// How far a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameState {
    /// It has not begun.
    ToCome,
    /// It is in progress.
    Running,
    /// It has ended, with a result or without.
    Over(Option<Outcome>),
}

impl Board {
    /// Whether a game is in progress.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.games
            .iter()
            .any(|game| game.state == GameState::Running)
    }

    /// Whether all games have ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let is_over = |game: &BoardGame| matches!(game.state, GameState::Over(_));
        self.games.iter().all(is_over)
    }
}

/// The game to look at: one in progress, or else the last one that has ended, or else the first one.
#[must_use]
pub fn game_of_interest(games: &[BoardGame]) -> Option<usize> {
    let running = games.iter().find(|game| game.state == GameState::Running);
    let ended = || {
        games
            .iter()
            .rev()
            .find(|game| game.state != GameState::ToCome)
    };
    let game = running.or_else(ended).or(games.first())?;
    Some(game.number)
}

/// The bracket of a knockout event, and what belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Knockouts {
    /// Its settings.
    pub settings: Knockout,
    /// The matches.
    pub bracket: Bracket,
    /// The players in the order of their seeds.
    pub seeds: Vec<usize>,
}

impl Knockouts {
    /// The seed of a player, from 1.
    #[must_use]
    pub fn seed(&self, player: usize) -> Option<usize> {
        let place = self.seeds.iter().position(|&seed| seed == player)?;
        Some(place + 1)
    }

    /// The match by whose result a place of another one is settled: its number in the round before.
    #[must_use]
    pub fn feeder(&self, round: usize, index: usize, place: usize) -> Option<&Match> {
        let before = self.bracket.rounds.get(round.checked_sub(2)?)?;
        before.get(2 * index + place)
    }

    /// The first round that is not decided; the last one if all are.
    #[must_use]
    pub fn present_round(&self) -> usize {
        let rounds = &self.bracket.rounds;
        let is_open = |round: &Vec<Match>| !round.iter().all(Match::is_over);
        let open = rounds.iter().position(is_open);
        open.map_or(rounds.len(), |open| open + 1)
    }
}

/// How far an event is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// In words: `round 2 of 5, 14 games finished`.
    pub text: String,
    /// Which part of it is over, from 0 to 1; `None` if it has no end.
    pub part: Option<f64>,
}

impl EventView {
    /// The format, if the schedule grows.
    #[must_use]
    pub fn growing_format(&self) -> Option<Format> {
        self.results.plan().map(|plan| plan.format)
    }

    /// Whether a game is in progress.
    #[must_use]
    pub fn is_running(&self, number: usize) -> bool {
        let game = self.games.get(&number);
        game.is_some_and(|game| game.end.is_none())
    }

    /// How far a game of the schedule is.
    #[must_use]
    pub fn game_state(&self, number: usize) -> GameState {
        match self.results.finished().get(&number) {
            Some(finished) => GameState::Over(finished.result),
            None if self.is_running(number) => GameState::Running,
            None => GameState::ToCome,
        }
    }

    /// The games of a meeting.
    fn games_of(&self, played: &Played) -> impl Iterator<Item = BoardGame> {
        let numbers = played.first..played.first + played.ends.len();
        numbers.map(|number| BoardGame {
            number,
            state: self.game_state(number),
        })
    }

    /// All rounds that have been paired, if the schedule grows.
    #[must_use]
    pub fn rounds(&self) -> Vec<Round> {
        let presence = self.results.presence(&self.names);
        let (Some(situation), Some(format)) =
            (self.results.situation(&presence), self.growing_format())
        else {
            return Vec::new();
        };
        let is_swiss = matches!(format, Format::Swiss(_));
        let mut half_points = vec![0; situation.entrants.len()];
        let numbers = 1..=rounds_paired(situation.meetings);
        let mut of_rounds: Vec<Vec<&Played>> = numbers.clone().map(|_| Vec::new()).collect();
        for played in situation.meetings {
            if let Some(index) = played.meeting.round.checked_sub(1) {
                of_rounds[index].push(played);
            }
        }
        let rounds = numbers.zip(of_rounds).map(|(number, meetings)| {
            let mut round = self.round(number, &meetings, &half_points, &situation);
            if is_swiss {
                add_unpaired(&mut round, &meetings, &situation);
                add_half_points(&mut half_points, &round);
            } else {
                round
                    .boards
                    .iter_mut()
                    .for_each(|board| board.before = None);
                round.byes.iter_mut().for_each(|(_, points)| *points = 0.0);
            }
            round
        });
        rounds.collect()
    }

    /// A round with the players that are paired or have a bye of the pairing.
    fn round(
        &self,
        number: usize,
        meetings: &[&Played],
        before: &[usize],
        situation: &Situation<'_>,
    ) -> Round {
        let boards = meetings.iter().filter_map(|played| {
            let players = [played.meeting.white, played.meeting.black?];
            Some(Board {
                players,
                before: Some(players.map(|player| points(before[player]))),
                points: players.map(|player| points(played.half_points(player))),
                games: self.games_of(played).collect(),
            })
        });
        let boards = boards.collect();
        let byes = meetings
            .iter()
            .filter(|played| played.meeting.black.is_none());
        let whole = situation.games_per_pairing as f64;
        let byes = byes.map(|played| (played.meeting.white, whole));
        Round {
            number,
            boards,
            byes: byes.collect(),
            absent: Vec::new(),
        }
    }

    /// The bracket of a knockout event, once its first round has been paired.
    #[must_use]
    pub fn knockout(&self) -> Option<Knockouts> {
        let Some(Format::Knockout(settings)) = self.growing_format() else {
            return None;
        };
        let presence = self.results.presence(&self.names);
        let situation = self.results.situation(&presence)?;
        if situation.meetings.is_empty() {
            return None;
        }
        Some(Knockouts {
            settings,
            bracket: Bracket::of(settings, &situation),
            seeds: Bracket::seeds(&situation),
        })
    }

    /// The games of a match of the bracket.
    #[must_use]
    pub fn games_of_match(&self, one: &Match) -> Vec<BoardGame> {
        let [Some(first), Some(second)] = one.players else {
            return Vec::new();
        };
        let meetings = self.results.meetings().iter().filter(|played| {
            played.meeting.round == one.round && played.meeting.opponent(first) == Some(second)
        });
        meetings.flat_map(|played| self.games_of(played)).collect()
    }

    /// The number of a game in progress that a player plays.
    #[must_use]
    pub fn game_of_player(&self, player: usize) -> Option<usize> {
        let mut running = self.running().map(|game| game.game.game);
        running.find(|&number| {
            let pairing = self.results.pairing(number);
            pairing.is_some_and(|pairing| [pairing.white, pairing.black].contains(&player))
        })
    }

    /// How far the event is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let finished = self.ends.len();
        let games = format!("{} finished", counted(finished, "game"));
        let of = |all: usize| Progress {
            text: format!("{finished} of {all} games finished"),
            part: Some(finished as f64 / all.max(1) as f64),
        };
        match self.growing_format() {
            Some(Format::Ladder(ladder)) => match ladder.games {
                Some(all) => of(all),
                None => Progress {
                    text: games,
                    part: None,
                },
            },
            Some(Format::Knockout(_)) => self.knockout_progress(&games),
            Some(Format::Swiss(swiss)) => {
                let meetings = self.results.meetings();
                let paired = rounds_paired(meetings);
                let present = meetings
                    .iter()
                    .filter(|played| played.meeting.round == paired);
                let ends: Vec<_> = present.flat_map(|played| &played.ends).collect();
                let over = ends.iter().filter(|end| end.is_some()).count();
                let part = over as f64 / ends.len().max(1) as f64;
                let part = paired.saturating_sub(1) as f64 + part;
                Progress {
                    text: format!("round {paired} of {}, {games}", swiss.rounds),
                    part: Some(part / swiss.rounds.max(1) as f64),
                }
            }
            None | Some(Format::RoundRobin { .. } | Format::Gauntlet { .. } | Format::Match) => {
                of(self.results.schedule().len())
            }
        }
    }

    fn knockout_progress(&self, games: &str) -> Progress {
        let Some(knockout) = self.knockout() else {
            return Progress {
                text: games.to_owned(),
                part: Some(0.0),
            };
        };
        let bracket = &knockout.bracket;
        let decided = bracket.matches().filter(|one| one.is_over()).count();
        let all = bracket.matches().count().max(1);
        let name = bracket.round_name(knockout.present_round());
        Progress {
            text: format!("{name}, {games}"),
            part: Some(decided as f64 / all as f64),
        }
    }

    /// What is paired next, in words, if the schedule grows and the event goes on.
    #[must_use]
    pub fn outlook(&self) -> Option<String> {
        let format = self.growing_format()?;
        let meetings = self.results.meetings();
        let is_over = meetings.iter().all(Played::is_finished);
        Some(match format {
            Format::Ladder(ladder) => {
                let end = match ladder.games {
                    Some(games) => format!("The ladder ends after {games} games."),
                    None => "The ladder has no end.".to_owned(),
                };
                format!("Whoever is there is paired as soon as it is free. {end}")
            }
            _ if self.ended.is_some() => return None,
            _ if meetings.is_empty() => {
                "The first round is paired when the players are there.".to_owned()
            }
            Format::Swiss(swiss) => {
                let paired = rounds_paired(meetings);
                match (paired >= swiss.rounds, is_over) {
                    (true, true) => "All rounds have been played.".to_owned(),
                    (true, false) => "This is the last round.".to_owned(),
                    (false, _) => {
                        let next = paired + 1;
                        format!(
                            "Round {next} is paired when all games of round {paired} have ended."
                        )
                    }
                }
            }
            _ => self.knockout_outlook()?,
        })
    }

    fn knockout_outlook(&self) -> Option<String> {
        let knockout = self.knockout()?;
        if knockout.bracket.matches().all(Match::is_over) {
            return Some("All matches are decided.".to_owned());
        }
        let games = self.results.plan()?.games_per_pairing;
        let pairs = match knockout.settings.extra_pairs {
            0 => "a tied match is won by the better seed".to_owned(),
            1 => "a tied match gets another pair of games, then the better seed wins".to_owned(),
            most => format!(
                "a tied match gets up to {most} more pairs of games, then the better seed wins"
            ),
        };
        Some(format!(
            "A match has {games} games, two at a time, and ends when it is decided; {pairs}."
        ))
    }
}

fn points(half_points: usize) -> f64 {
    half_points as f64 / 2.0
}

/// Adds those who are not paired in a round of a Swiss event.
fn add_unpaired(round: &mut Round, meetings: &[&Played], situation: &Situation<'_>) {
    let mut is_paired = vec![false; situation.entrants.len()];
    for played in meetings {
        is_paired[played.meeting.white] = true;
        if let Some(black) = played.meeting.black {
            is_paired[black] = true;
        }
    }
    for (player, is_paired) in is_paired.into_iter().enumerate() {
        if is_paired || situation.presence[player] == Presence::Vacant {
            continue;
        }
        match requested_half_points(situation, player, round.number) {
            0 => round.absent.push(player),
            half_points => round.byes.push((player, points(half_points))),
        }
    }
}

/// Adds the points of a round to those that each player has.
fn add_half_points(half_points: &mut [usize], round: &Round) {
    let boards = round.boards.iter();
    let played = boards.flat_map(|board| board.players.into_iter().zip(board.points));
    for (player, points) in played.chain(round.byes.iter().copied()) {
        half_points[player] += (2.0 * points) as usize;
    }
}

/// What the script for tests is made of.
#[cfg(test)]
mod types {
    pub use crate::core::equipment::Conditions;
    pub use crate::core::event::Report;
    pub use crate::core::event::stream::{GameReport, Scheduled, Start};
    pub use crate::core::event::view::EventView;
    pub use crate::core::schedule::{
        Entrant, Format, Knockout, Ladder, Meeting, Pairing, Plan, Step, Swiss,
    };
}
#[cfg(test)]
pub(crate) mod script;
#[cfg(test)]
mod tests;
