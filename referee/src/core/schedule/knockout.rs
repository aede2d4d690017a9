//! Knockout events: a bracket by seeds, and matches of pairs of games until they are decided.
//!
//! The bracket is computed from what was paired, each time anew. The first round is paired in one step, in the order of the
//! bracket and with its byes, so it says who is in the event and with which seed. A match is played pair by pair, and a pair is two games with one opening and
//! reversed colours.

use serde::{Deserialize, Serialize};

use super::meeting::{Meeting, Played, Presence, Situation, Step};

/// The settings of a knockout event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Knockout {
    /// Whether those who lose in the semifinals play for the third place.
    pub has_third_place: bool,
    /// How many pairs of games are added at most to a match that is tied. Then the better seed wins it.
    pub extra_pairs: usize,
}

/// A match of the bracket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The round, from 1. The match for the third place is in the round of the final.
    pub round: usize,
    /// The players, as far as they are known, the one from the upper half of the bracket first.
    pub players: [Option<usize>; 2],
    /// Whether it is known who comes to each place: nobody comes to a place without a player that is settled.
    pub is_settled: [bool; 2],
    /// The half points of both.
    pub half_points: [usize; 2],
    /// The number of finished games.
    pub games: usize,
    /// Who has won, once it is decided.
    pub winner: Option<usize>,
    /// Why, if not by points.
    pub how: Option<Decision>,
}

/// How a match was decided if not by points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// There is no opponent in the bracket.
    Bye,
    /// The opponent is out of the event.
    Withdrawal,
    /// It was tied after all extra pairs.
    Seed,
}

impl Match {
    /// The player who has lost.
    #[must_use]
    pub fn loser(&self) -> Option<usize> {
        let winner = self.winner?;
        let mut players = self.players.into_iter().flatten();
        players.find(|&player| player != winner)
    }

    /// Whether it is decided.
    #[must_use]
    pub fn is_over(&self) -> bool {
        // A place to which nobody comes needs no winner.
        self.winner.is_some() || self.is_settled == [true; 2] && self.players == [None; 2]
    }
}

/// A bracket.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bracket {
    /// The matches of each round, from the upper end of the bracket to the lower one.
    pub rounds: Vec<Vec<Match>>,
    /// The match for the third place.
    pub third_place: Option<Match>,
}

impl Bracket {
    /// The seed, from 0, that has each place of the first round.
    fn seeds_of_places(size: usize) -> Vec<usize> {
        let mut order = vec![0];
        while order.len() < size {
            let last = 2 * order.len() - 1;
            order = order
                .into_iter()
                .flat_map(|seed| [seed, last - seed])
                .collect();
        }
        order
    }

    /// The bracket as it is after what was played. `seeds` are the players in the order of their seeds.
    #[must_use]
    pub fn new(knockout: Knockout, situation: &Situation<'_>, seeds: &[usize]) -> Self {
        let mut bracket = Self::default();
        let size = seeds.len().next_power_of_two().max(2);
        let mut places: Vec<(Option<usize>, bool)> = Self::seeds_of_places(size)
            .into_iter()
            .map(|seed| (seeds.get(seed).copied(), true))
            .collect();
        let mut round = 1;
        while places.len() > 1 {
            let matches: Vec<_> = places
                .chunks(2)
                .map(|two| state(knockout, situation, seeds, round, [two[0], two[1]]))
                .collect();
            if places.len() == 4 && knockout.has_third_place {
                let losers = [0, 1].map(|i: usize| (matches[i].loser(), matches[i].is_over()));
                let third = state(knockout, situation, seeds, round + 1, losers);
                bracket.third_place = Some(third);
            }
            places = matches
                .iter()
                .map(|one| (one.winner, one.is_over()))
                .collect();
            bracket.rounds.push(matches);
            round += 1;
        }
        bracket
    }

    /// The bracket of an event in which the first round has been paired.
    #[must_use]
    pub fn of(knockout: Knockout, situation: &Situation<'_>) -> Self {
        Self::new(knockout, situation, &Self::seeds(situation))
    }

    /// The players in the order of their seeds, as the first round was paired.
    #[must_use]
    pub fn seeds(situation: &Situation<'_>) -> Vec<usize> {
        let mut places: Vec<Option<usize>> = Vec::new();
        let first = situation.meetings.iter().map(|played| played.meeting);
        for meeting in first.filter(|meeting| meeting.round == 1) {
            // Further pairs of games of a match follow when all boards have been named.
            if !places.contains(&Some(meeting.white)) {
                places.extend([Some(meeting.white), meeting.black]);
            }
        }
        let seeds = Self::seeds_of_places(places.len());
        let mut seeded: Vec<_> = seeds.into_iter().zip(places).collect();
        seeded.sort_unstable();
        seeded
            .into_iter()
            .filter_map(|(_, player)| player)
            .collect()
    }

    /// All matches.
    pub fn matches(&self) -> impl Iterator<Item = &Match> {
        self.rounds.iter().flatten().chain(&self.third_place)
    }

    /// The name of a round: `final`, `semifinal`, `quarterfinal`, `round of 16`.
    #[must_use]
    pub fn round_name(&self, round: usize) -> String {
        match self.rounds.len().saturating_sub(round) {
            0 => "final".to_owned(),
            1 => "semifinal".to_owned(),
            2 => "quarterfinal".to_owned(),
            left => format!("round of {}", 1_usize << (left + 1)),
        }
    }

    /// The name of the match of a meeting, and of its pair of games if that is not the first one:
    /// `quarterfinal`, `match for the third place, pair 2`.
    #[must_use]
    pub fn match_name(&self, meeting: &Meeting) -> String {
        let is_it = |one: &&Match| {
            one.round == meeting.round
                && one.players.contains(&Some(meeting.white))
                && (meeting.black.is_none() || one.players.contains(&meeting.black))
        };
        let name = match self.third_place.as_ref().filter(is_it) {
            Some(_) => "match for the third place".to_owned(),
            None => self.round_name(meeting.round),
        };
        let games = self.matches().find(is_it).map_or(0, |one| one.games);
        match games / 2 {
            0 => name,
            pairs => format!("{name}, pair {}", pairs + 1),
        }
    }

    /// How far a player has come.
    #[must_use]
    pub fn reached(&self, player: usize) -> Option<Reached> {
        let decided = |one: &Match| (one.winner, one.loser());
        let finals = self.rounds.last().and_then(|round| round.first())?;
        if decided(finals).0 == Some(player) {
            return Some(Reached::Place(1));
        }
        if decided(finals).1 == Some(player) {
            return Some(Reached::Place(2));
        }
        if let Some(third) = &self.third_place {
            match decided(third) {
                (Some(winner), _) if winner == player => return Some(Reached::Place(3)),
                (_, Some(loser)) if loser == player => return Some(Reached::Place(4)),
                _ => {}
            }
        }
        let rounds = self.rounds.iter().flatten();
        let last = rounds.filter(|one| one.players.contains(&Some(player)));
        last.map(|one| Reached::Round(one.round)).max()
    }
}

/// How far a player has come; who has come further is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reached {
    /// To this round, from 1.
    Round(usize),
    /// To this place, from 1, by a match for it.
    Place(usize),
}

impl Reached {
    /// The rank that it gives, shared by all who have come as far, in a bracket of so many rounds.
    #[must_use]
    pub const fn rank(self, rounds: usize) -> usize {
        match self {
            Self::Place(place) => place,
            // Those who reach the last round get a place of their own only when it is over.
            Self::Round(round) if round >= rounds => 1,
            Self::Round(round) => (1 << (rounds - round)) + 1,
        }
    }
}

/// A match after what was played. For each place: its player, and whether that is settled.
fn state(
    knockout: Knockout,
    situation: &Situation<'_>,
    seeds: &[usize],
    round: usize,
    places: [(Option<usize>, bool); 2],
) -> Match {
    let mut found = Match {
        round,
        players: places.map(|(player, _)| player),
        is_settled: places.map(|(_, is_settled)| is_settled),
        half_points: [0; 2],
        games: 0,
        winner: None,
        how: None,
    };
    if found.is_settled != [true; 2] {
        return found;
    }
    let (one, two) = match found.players {
        [Some(one), Some(two)] => (one, two),
        [player, other] => {
            found.winner = player.or(other);
            found.how = found.winner.map(|_| Decision::Bye);
            return found;
        }
    };
    let mut is_finished = true;
    for played in meetings_of(situation, round, one, two) {
        found.half_points[0] += played.half_points(one);
        found.half_points[1] += played.half_points(two);
        found.games += played.ends.iter().flatten().count();
        is_finished &= played.is_finished();
    }
    let better = [one, two]
        .into_iter()
        .min_by_key(|player| seeds.iter().position(|seed| seed == player));
    let is_out = [one, two].map(|player| situation.presence[player] == Presence::Out);
    let by_withdrawal = match is_out {
        [true, true] => better,
        [true, false] => Some(two),
        [false, true] => Some(one),
        [false, false] => None,
    };
    let [first, second] = found.half_points;
    let ahead = if first > second { one } else { two };
    let regular = situation.games_per_pairing;
    let left = regular.saturating_sub(found.games);
    if is_finished && first.abs_diff(second) > 2 * left {
        found.winner = Some(ahead);
    } else if by_withdrawal.is_some() && is_finished {
        (found.winner, found.how) = (by_withdrawal, Some(Decision::Withdrawal));
    } else if is_finished && found.games >= regular + 2 * knockout.extra_pairs {
        (found.winner, found.how) = (better, Some(Decision::Seed));
    }
    found
}

fn meetings_of<'a>(
    situation: &'a Situation<'_>,
    round: usize,
    one: usize,
    two: usize,
) -> impl Iterator<Item = &'a Played> {
    situation.meetings.iter().filter(move |played| {
        let meeting = played.meeting;
        meeting.round == round && meeting.opponent(one) == Some(two)
    })
}

/// The next pairs of games, for each match that needs one.
pub(super) fn next_step(knockout: Knockout, situation: &Situation<'_>) -> Step {
    let is_new = situation.meetings.is_empty();
    let bracket = if is_new {
        let is_in = |player: usize| situation.presence[player] == Presence::Entered;
        let seeds = situation.seeds(is_in);
        if seeds.len() < 2 {
            let early = Some("there are no two players".to_owned());
            return Step::Over { early };
        }
        Bracket::new(knockout, situation, &seeds)
    } else {
        Bracket::of(knockout, situation)
    };
    let next = bracket.matches().filter_map(|one| match one.how {
        Some(Decision::Bye) if is_new => Some(Meeting::bye(1, one.winner?)),
        _ => next_pair(situation, one),
    });
    let meetings: Vec<_> = next.collect();
    if !meetings.is_empty() {
        return Step::Pair(meetings);
    }
    if bracket.matches().all(Match::is_over) {
        Step::Over { early: None }
    } else {
        Step::Wait
    }
}

/// The next two games of a match, if it needs some.
fn next_pair(situation: &Situation<'_>, one: &Match) -> Option<Meeting> {
    let (None, [Some(first), Some(second)]) = (one.winner, one.players) else {
        return None;
    };
    let played = || meetings_of(situation, one.round, first, second);
    if !played().all(Played::is_finished) {
        return None;
    }
    // Who begins with White alternates from pair to pair.
    let (white, black) = if played().count().is_multiple_of(2) {
        (first, second)
    } else {
        (second, first)
    };
    Some(Meeting {
        round: one.round,
        white,
        black: Some(black),
        games: 2,
    })
}

/// Whether a player may have games to come.
#[must_use]
pub fn is_in(knockout: Knockout, situation: &Situation<'_>, player: usize) -> bool {
    if situation.meetings.is_empty() {
        return true;
    }
    let bracket = Bracket::of(knockout, situation);
    let has_lost = |one: &&Match| one.loser() == Some(player);
    let lost = bracket.matches().filter(has_lost).last();
    let Some(lost) = lost else {
        return bracket.matches().any(|one| !one.is_over());
    };
    let plays_for_third = bracket.third_place.is_some() && lost.round + 1 == bracket.rounds.len();
    plays_for_third
        && bracket
            .third_place
            .as_ref()
            .is_some_and(|third| !third.is_over())
}
