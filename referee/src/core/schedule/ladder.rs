//! Ladders: whoever is present is paired at once, without end.
//!
//! Among the players that are free, the one that has waited longest chooses first. It gets the opponent with the
//! lowest cost: one with a rating close to its own, and one that it has met seldom. So that there is a choice, one player
//! in eight waits for the next game to end. Two players that have just met are paired again only if one of them has no
//! other possible opponent.

use serde::{Deserialize, Serialize};

use super::game::MAX_GAMES;
use super::meeting::{Meeting, Presence, Situation, Step};

/// The settings of a ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ladder {
    /// After so many games it is over; without this, never.
    pub games: Option<usize>,
}

/// A difference of the ratings in Elo that costs as much as meeting as often as by chance.
const ELO_UNIT: f64 = 100.0;

/// One in so many of the players that are there waits while others play, so that there is a choice.
const WAITING_SHARE: usize = 8;

/// What the meetings so far say of the players.
struct Record {
    /// The number of meetings of each player.
    meetings: Vec<usize>,
    /// In how many of them it had White first, less in how many Black.
    balance: Vec<i64>,
    /// For each player, the index of its last meeting.
    last: Vec<Option<usize>>,
    /// The opponent there.
    last_opponent: Vec<Option<usize>>,
}

impl Record {
    fn new(situation: &Situation<'_>) -> Self {
        let players = situation.entrants.len();
        let mut record = Self {
            meetings: vec![0; players],
            balance: vec![0; players],
            last: vec![None; players],
            last_opponent: vec![None; players],
        };
        for (index, played) in situation.meetings.iter().enumerate() {
            let meeting = played.meeting;
            let Some(black) = meeting.black else { continue };
            for (player, other, step) in [(meeting.white, black, 1), (black, meeting.white, -1)] {
                record.meetings[player] += 1;
                record.balance[player] += step;
                record.last[player] = Some(index);
                record.last_opponent[player] = Some(other);
            }
        }
        record
    }

    /// Whether each of two players met the other one last.
    fn have_just_met(&self, one: usize, other: usize) -> bool {
        self.last_opponent[one] == Some(other) && self.last_opponent[other] == Some(one)
    }
}

/// The next meeting, if two players who may meet are free.
pub(super) fn next_step(
    ladder: Ladder,
    situation: &Situation<'_>,
    is_free: &[bool],
    rating: &dyn Fn(usize) -> f64,
) -> Step {
    let games: usize = situation
        .meetings
        .iter()
        .map(|played| played.ends.len())
        .sum();
    if ladder.games.is_some_and(|limit| games >= limit)
        || games + situation.games_per_pairing > MAX_GAMES
    {
        return Step::Over { early: None };
    }
    let can_play = |player: &usize| situation.presence[*player] == Presence::Entered;
    let present = present(situation, is_free);
    let record = Record::new(situation);
    let mut free: Vec<usize> = (0..situation.entrants.len())
        .filter(|&player| is_free[player])
        .filter(can_play)
        .collect();
    let plays = |player: &usize| !is_free[*player];
    if present.iter().any(plays) && free.len() <= present.len() / WAITING_SHARE {
        return Step::Wait;
    }
    free.sort_by_key(|&player| record.last[player].map(|index| situation.meetings[index].ended_at));
    let may_meet = |one: usize, other: usize| one != other && !situation.is_forbidden(one, other);
    let has_other = |one: usize, other: usize| {
        let mut others = present.iter();
        others.any(|&third| third != other && may_meet(one, third))
    };
    for &one in &free {
        let met = meetings_with(situation, one);
        let candidates = free.iter().copied().filter(|&other| {
            may_meet(one, other)
                && !(record.have_just_met(one, other)
                    && has_other(one, other)
                    && has_other(other, one))
        });
        let cost = |other: usize| {
            let by_chance = (record.meetings[one] + record.meetings[other]) as f64 / 2.0;
            let by_chance = by_chance / present.len().saturating_sub(1).max(1) as f64;
            let often = met[other] as f64 / by_chance.max(1.0);
            (rating(one) - rating(other)).abs() / ELO_UNIT + often
        };
        if let Some(other) = candidates.min_by(|&a, &b| cost(a).total_cmp(&cost(b))) {
            return Step::Pair(vec![meeting(situation, &record, one, other)]);
        }
    }
    Step::Wait
}

/// The players that are free or play.
fn present(situation: &Situation<'_>, is_free: &[bool]) -> Vec<usize> {
    let mut is_here = is_free.to_vec();
    // Older meetings are finished, but for those of very slow players.
    let latest = situation.meetings.iter().rev();
    for played in latest.take(2 * situation.entrants.len()) {
        if !played.is_finished() {
            let players = std::iter::once(played.meeting.white).chain(played.meeting.black);
            players.for_each(|player| is_here[player] = true);
        }
    }
    let players = (0..is_here.len()).filter(|&player| is_here[player]);
    players
        .filter(|&player| situation.presence[player] == Presence::Entered)
        .collect()
}

/// How often a player has met each of the others.
fn meetings_with(situation: &Situation<'_>, player: usize) -> Vec<usize> {
    let mut met = vec![0; situation.entrants.len()];
    for played in situation.meetings {
        if let Some(other) = played.meeting.opponent(player) {
            met[other] += 1;
        }
    }
    met
}

/// The meeting of two players: the one that has had White first less often has it.
fn meeting(situation: &Situation<'_>, record: &Record, one: usize, other: usize) -> Meeting {
    let had_white = |player: usize| {
        let last = record.last[player];
        last.is_some_and(|index| situation.meetings[index].meeting.white == player)
    };
    let key = |player: usize| (record.balance[player], had_white(player));
    let (white, black) = if key(other) < key(one) {
        (other, one)
    } else {
        (one, other)
    };
    Meeting {
        round: situation.meetings.len() + 1,
        white,
        black: Some(black),
        games: situation.games_per_pairing,
    }
}
