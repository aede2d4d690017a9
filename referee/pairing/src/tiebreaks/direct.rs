//! Direct encounter (article 6).

use super::kind::Kind;
use super::table::{Did, Table};
use super::value::Value;
use std::cmp::Reverse;

/// The tie-break by the results among tied players.
pub(super) struct DirectEncounter<'t> {
    table: &'t Table<'t>,
    /// By player: a mark of the group that is looked at.
    group_of: Vec<usize>,
    groups: usize,
}

/// What a player scored against the others of a group.
struct Standing {
    player: usize,
    /// With all missing meetings lost.
    least: u128,
    /// With all missing meetings won.
    most: u128,
}

impl<'t> DirectEncounter<'t> {
    pub(super) fn new(table: &'t Table<'t>) -> Self {
        Self {
            table,
            group_of: vec![0; table.size()],
            groups: 0,
        }
    }

    /// By player: the rank within the tie, or nothing where there is no tie or nobody can be ranked.
    pub(super) fn ranks(mut self, tied: &[Vec<usize>]) -> Vec<Value> {
        let mut ranks = vec![Value::None; self.table.size()];
        for group in tied {
            let parts = self.order(group.clone());
            if parts.len() < 2 {
                continue;
            }
            let mut rank = 1;
            for part in parts {
                for &player in &part {
                    ranks[player] = Value::Rank(rank);
                }
                rank += part.len();
            }
        }
        ranks
    }

    /// The players of a group in order; those of a part stay tied.
    fn order(&mut self, group: Vec<usize>) -> Vec<Vec<usize>> {
        let mut parts = Vec::new();
        let mut open = vec![group];
        while let Some(group) = open.pop() {
            let mut split = self.split(&group);
            if split.len() < 2 {
                parts.push(group);
            } else {
                split.reverse();
                open.append(&mut split);
            }
        }
        parts
    }

    /// Applies article 6 once.
    fn split(&mut self, group: &[usize]) -> Vec<Vec<usize>> {
        if group.len() < 2 {
            return vec![group.to_vec()];
        }
        let (mut standings, have_all_met) = self.standings(group);
        standings.sort_by_key(|standing| (Reverse(standing.least), standing.player));
        let players = |part: &[Standing]| part.iter().map(|standing| standing.player).collect();
        if have_all_met {
            // 6.2
            let same = |one: &Standing, two: &Standing| one.least == two.least;
            return standings.chunk_by(same).map(players).collect();
        }
        if self.table.kind == Kind::RoundRobin {
            return vec![group.to_vec()];
        }
        // 6.3: the first who stay ahead of all behind them, whatever the missing games bring.
        let mut best_behind = vec![0; standings.len()];
        for index in (0..standings.len() - 1).rev() {
            best_behind[index] = best_behind[index + 1].max(standings[index + 1].most);
        }
        let is_ahead = |index: usize| standings[index].least > best_behind[index];
        let last = standings.len() - 1;
        let ahead = (0..last).take_while(|&index| is_ahead(index)).count();
        let mut parts: Vec<Vec<usize>> = standings[..ahead]
            .iter()
            .map(|standing| vec![standing.player])
            .collect();
        parts.push(players(&standings[ahead..]));
        parts
    }

    /// The separate standings (6.1), and whether all have met each other.
    fn standings(&mut self, group: &[usize]) -> (Vec<Standing>, bool) {
        self.groups += 1;
        for &player in group {
            self.group_of[player] = self.groups;
        }
        let event = self.table.event;
        let meetings: Vec<Vec<Meetings>> =
            group.iter().map(|&player| self.meetings(player)).collect();
        // Averages become whole numbers.
        let scale = meetings.iter().flatten().fold(1, |scale, meetings| {
            least_common_multiple(scale, meetings.count)
        });
        let others = group.len() - 1;
        let have_all_met = meetings.iter().all(|meetings| meetings.len() == others);
        let standings = group.iter().zip(&meetings).map(|(&player, meetings)| {
            let scored: u128 = meetings
                .iter()
                .map(|meetings| u128::from(meetings.points) * scale / meetings.count)
                .sum();
            let missing = (others - meetings.len()) as u128 * scale * u128::from(event.games);
            Standing {
                player,
                least: scored + missing * u128::from(event.points.loss.tenths),
                most: scored + missing * u128::from(event.points.win.tenths),
            }
        });
        (standings.collect(), have_all_met)
    }

    /// The meetings of a player with others of the same group. Forfeits are meetings in a round robin (15.2) only.
    fn meetings(&self, player: usize) -> Vec<Meetings> {
        let mut all: Vec<Meetings> = Vec::new();
        for entry in self.table.entries(player) {
            let counts = entry.did == Did::Played || self.table.kind == Kind::RoundRobin;
            let Some(opponent) = entry
                .opponent
                .filter(|&opponent| counts && self.group_of[opponent] == self.group_of[player])
            else {
                continue;
            };
            let known = all
                .iter_mut()
                .find(|meetings| meetings.opponent == opponent);
            match known {
                Some(meetings) => {
                    meetings.points += entry.points;
                    meetings.count += 1;
                }
                None => all.push(Meetings {
                    opponent,
                    points: entry.points,
                    count: 1,
                }),
            }
        }
        all
    }
}

/// How often a player met an opponent, and the points of all these rounds.
struct Meetings {
    opponent: usize,
    points: u32,
    count: u128,
}

/// Or the first number where that would be absurdly large.
fn least_common_multiple(one: u128, two: u128) -> u128 {
    let (mut a, mut b) = (one, two);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    let multiple = (one / a).checked_mul(two);
    multiple.filter(|&value| value < 1 << 80).unwrap_or(one)
}
