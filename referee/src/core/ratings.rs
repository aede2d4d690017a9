//! Ratings of many players from their games.
//!
//! - **Scores.** White's expected score is 1 / (1 + 10^(-(d + a)/400)), where `d` is White's rating minus Black's
//!   and `a` White's advantage. Ratings are such that each player's expected points equal the points that it has
//!   scored, and `a` such that White's do. These are the equations of Ordo (M. A. Ballicora), and those of maximum
//!   likelihood in the model of Bradley and Terry if a draw counts as half a win and half a loss.
//! - **Draws.** With the probabilities `w`, `d` and `l` of a win, a draw and a loss, d = v * sqrt(w * l) (R. R. Davidson,
//!   1970), with `v` such that as many draws are expected as there were. Draws do not move ratings, but they make
//!   errors smaller.
//! - **Errors** come from the covariance of the estimates, with the variance of results that have draws: 95 % intervals
//!   of the difference to the average of the pool, or to the anchors.
//! - **Who is rated.** There are finite ratings only among players that are linked both ways: each has scored against
//!   another one, which has scored against another one ..., and at last against the first (L. R. Ford, 1957). The
//!   largest such group is rated, and every group with an anchor; who has won or lost all games is not in one.

mod groups;
mod live;
mod matrix;

use std::collections::BTreeMap;

use crate::core::elo::{expected_score, normal_cdf};

pub use self::live::LiveRatings;
use self::matrix::Matrix;

/// The result of a game between two of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The index of White.
    pub white: usize,
    /// The index of Black.
    pub black: usize,
    /// The points of White, doubled: 0, 1 or 2.
    pub half_points: u8,
}

/// What is known beforehand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The average of the ratings of a group without anchors.
    pub average: f64,
    /// Players with fixed ratings.
    pub anchors: BTreeMap<usize, f64>,
    /// White's advantage in Elo; `None` to find it from the games.
    pub white_advantage: Option<f64>,
}

/// The rating of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// In Elo.
    pub elo: f64,
    /// Half the width of the 95 % interval; 0 for an anchor; `None` if White's advantage cannot be found.
    pub error: Option<f64>,
}

/// The ratings of a set of players.
#[derive(Clone, Debug)]
pub struct Ratings {
    /// `None` for players that cannot be compared with the others.
    players: Vec<Option<Rating>>,
    /// White's advantage in Elo; `None` if it cannot be found, since the games would be the more likely the larger
    /// it were, as when White has won all of them. The ratings are those without one then.
    pub white_advantage: Option<f64>,
    /// Half the width of its 95 % interval; 0 if it was given.
    pub white_advantage_error: f64,
    /// The probability of a draw between equal players; `None` without games.
    pub draw_rate: Option<f64>,
    groups: Vec<Group>,
}

/// The games of White against Black.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    games: f64,
    /// The points of White.
    points: f64,
    draws: f64,
}

/// A group with its estimates.
#[derive(Clone, Debug)]
struct Group {
    /// For each of its players that has no anchor, its row in the covariance.
    rows: BTreeMap<usize, usize>,
    covariance: Matrix,
}

/// Natural logarithm of the odds for one Elo.
const SCALE: f64 = std::f64::consts::LN_10 / 400.0;
/// 95 % of a normal distribution are within this many standard deviations of its mean.
const Z95: f64 = 1.959_963_984_540_054;

/// Rates `players` players.
#[must_use]
pub fn rate(players: usize, games: &[GameResult], settings: &Settings) -> Ratings {
    let mut pairs: BTreeMap<(usize, usize), Tally> = BTreeMap::new();
    for game in games.iter().filter(|game| game.white != game.black) {
        let tally = pairs.entry((game.white, game.black)).or_default();
        tally.games += 1.0;
        tally.points += f64::from(game.half_points) / 2.0;
        tally.draws += f64::from(u8::from(game.half_points == 1));
    }
    let links = pairs.iter().flat_map(|(&(white, black), tally)| {
        let scored = [
            (white, black, tally.points > 0.0),
            (black, white, tally.points < tally.games),
        ];
        scored
            .into_iter()
            .filter(|link| link.2)
            .map(|(from, to, _)| (from, to))
    });
    let mut groups = groups::linked_both_ways(players, links);
    groups.sort_by_key(|group| (std::cmp::Reverse(group.len()), group[0]));
    let has_anchor = |group: &[usize]| {
        group
            .iter()
            .any(|player| settings.anchors.contains_key(player))
    };
    let rated = groups
        .iter()
        .enumerate()
        .filter(|(i, group)| group.len() > 1 && (*i == 0 || has_anchor(group)));
    let rated: Vec<&Vec<usize>> = rated.map(|(_, group)| group).collect();
    Estimate::new(players, &rated, pairs, settings).finish(settings)
}

impl Ratings {
    /// The rating of a player; `None` if it cannot be compared with the others.
    #[must_use]
    pub fn of(&self, player: usize) -> Option<Rating> {
        *self.players.get(player)?
    }

    /// The likelihood of superiority: the probability that one player is stronger than another; `None` if they
    /// cannot be compared, or White's advantage cannot be found.
    #[must_use]
    pub fn superiority(&self, one: usize, other: usize) -> Option<f64> {
        self.white_advantage?;
        let difference = self.of(one)?.elo - self.of(other)?.elo;
        let group = |player| {
            self.groups
                .iter()
                .position(|group| group.rows.contains_key(&player))
        };
        let variance = match (group(one), group(other)) {
            (Some(a), Some(b)) if a == b => {
                let Group { rows, covariance } = &self.groups[a];
                let (a, b) = (rows[&one], rows[&other]);
                covariance.get(a, a) + covariance.get(b, b) - 2.0 * covariance.get(a, b)
            }
            (a, b) => {
                let own = |group: Option<usize>, player| {
                    group.map_or(0.0, |group| self.groups[group].variance(player))
                };
                own(a, one) + own(b, other)
            }
        };
        Some(match (variance > 0.0, difference) {
            (true, _) => normal_cdf(difference / variance.sqrt()),
            (false, 0.0) => 0.5,
            (false, difference) => f64::from(u8::from(difference > 0.0)),
        })
    }
}

impl Group {
    fn variance(&self, player: usize) -> f64 {
        self.rows
            .get(&player)
            .map_or(0.0, |&row| self.covariance.get(row, row))
    }
}

/// The ratings while they are found.
struct Estimate {
    /// In Elo, relative to an arbitrary zero in groups without anchors.
    elo: Vec<Option<f64>>,
    /// For each player that has an unknown rating, its index among the unknowns.
    unknown: BTreeMap<usize, usize>,
    /// The groups by the indices of their players.
    groups: Vec<Vec<usize>>,
    /// Games between players of the same group.
    pairs: BTreeMap<(usize, usize), Tally>,
    white_advantage: f64,
    /// Whether White's advantage is unknown; it is then the last of the unknowns.
    finds_advantage: bool,
}

impl Estimate {
    fn new(
        players: usize,
        groups: &[&Vec<usize>],
        mut pairs: BTreeMap<(usize, usize), Tally>,
        settings: &Settings,
    ) -> Self {
        let mut elo = vec![None; players];
        let mut unknown = BTreeMap::new();
        for group in groups {
            let anchored = group
                .iter()
                .any(|player| settings.anchors.contains_key(player));
            for (i, &player) in group.iter().enumerate() {
                let anchor = settings.anchors.get(&player);
                elo[player] = Some(anchor.copied().unwrap_or(settings.average));
                // Only differences matter, so without anchors the first player stays where it is.
                if anchor.is_none() && (anchored || i > 0) {
                    let next = unknown.len();
                    unknown.insert(player, next);
                }
            }
        }
        let group_of = |player: usize| groups.iter().position(|group| group.contains(&player));
        let groups_of: Vec<_> = (0..players).map(group_of).collect();
        pairs.retain(|&(white, black), _| {
            groups_of[white].is_some() && groups_of[white] == groups_of[black]
        });
        Self {
            elo,
            unknown,
            groups: groups.iter().map(|group| (*group).clone()).collect(),
            finds_advantage: settings.white_advantage.is_none() && !pairs.is_empty(),
            pairs,
            white_advantage: settings.white_advantage.unwrap_or(0.0),
        }
    }

    /// The number of unknowns.
    fn size(&self) -> usize {
        self.unknown.len() + usize::from(self.finds_advantage)
    }

    /// White's expected score.
    fn expected(&self, white: usize, black: usize) -> f64 {
        let elo = |player: usize| self.elo[player].unwrap_or(0.0);
        expected_score(elo(white) - elo(black) + self.white_advantage)
    }

    /// The unknowns of a game, with the signs with which they raise White's score.
    fn terms(&self, white: usize, black: usize) -> impl Iterator<Item = (usize, f64)> {
        let advantage = self.finds_advantage.then_some((self.unknown.len(), 1.0));
        let player = |player, sign| self.unknown.get(player).map(|&index| (index, sign));
        [player(&white, 1.0), player(&black, -1.0), advantage]
            .into_iter()
            .flatten()
    }

    /// Adds `weight(expected score, tally)` times the products of the terms of each pair.
    fn sum_of_products(&self, weight: impl Fn(f64, &Tally) -> f64) -> Matrix {
        let mut matrix = Matrix::zero(self.size());
        for (&(white, black), tally) in &self.pairs {
            let weight = weight(self.expected(white, black), tally);
            for (i, one) in self.terms(white, black) {
                for (j, other) in self.terms(white, black) {
                    matrix.add(i, j, weight * one * other);
                }
            }
        }
        matrix
    }

    /// The information of each game about the unknowns: the derivatives of the expected points.
    fn information(&self) -> Matrix {
        self.sum_of_products(|expected, tally| tally.games * expected * (1.0 - expected) * SCALE)
    }

    /// Solves the equations of the scores by Newton's method; returns whether they have a solution. Each group has one
    /// for a given advantage of White.
    fn solve(&mut self) -> bool {
        const MOST_STEPS: usize = 200;
        /// Beyond this, the straight line that Newton's method follows is far from the curve.
        const LARGEST_STEP: f64 = 200.0;
        for _ in 0..MOST_STEPS {
            let mut surplus = vec![0.0; self.size()];
            for (&(white, black), tally) in &self.pairs {
                let expected = tally.games * self.expected(white, black);
                for (index, sign) in self.terms(white, black) {
                    surplus[index] += sign * (tally.points - expected);
                }
            }
            let Some(inverse) = self.information().inverse() else {
                return false;
            };
            let step = inverse.times(&surplus);
            let largest = step
                .iter()
                .fold(0.0_f64, |largest, step| largest.max(step.abs()));
            let factor = (LARGEST_STEP / largest).min(1.0);
            for (&player, &index) in &self.unknown {
                self.elo[player] = self.elo[player].map(|elo| elo + factor * step[index]);
            }
            if self.finds_advantage {
                self.white_advantage += factor * step[self.unknown.len()];
            }
            if largest < 1e-9 {
                return true;
            }
        }
        false
    }

    /// Davidson's parameter of draws: as many are expected as there were. Infinite if all games were drawn.
    fn draw_parameter(&self) -> f64 {
        let drawn: f64 = self.pairs.values().map(|tally| tally.draws).sum();
        let surplus = |parameter: f64| {
            let expected = self.pairs.iter().map(|(&(white, black), tally)| {
                tally.games * draw_probability(self.expected(white, black), parameter)
            });
            expected.sum::<f64>() - drawn
        };
        let (mut low, mut high) = (0.0, 1.0);
        while surplus(high) < 0.0 && high < 1e9 {
            high *= 2.0;
        }
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if surplus(middle) < 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    fn finish(mut self, settings: &Settings) -> Ratings {
        let before = self.elo.clone();
        let is_found = self.solve();
        if !is_found && self.finds_advantage {
            (self.elo, self.white_advantage) = (before, 0.0);
            self.finds_advantage = false;
            self.solve();
        }
        let parameter = self.draw_parameter();
        let variance = |expected: f64| {
            expected * (1.0 - expected) - draw_probability(expected, parameter) / 4.0
        };
        let spread = self.sum_of_products(|expected, tally| tally.games * variance(expected));
        let covariance = self
            .information()
            .inverse()
            .map(|inverse| inverse.product(&spread).product(&inverse));
        let covariance = covariance.unwrap_or_else(|| Matrix::zero(self.size()));
        let mut ratings = vec![None; self.elo.len()];
        let mut groups = Vec::new();
        for players in &self.groups {
            let group = self.group(players, &covariance, settings);
            let anchored = players
                .iter()
                .any(|player| settings.anchors.contains_key(player));
            let elo = |player: usize| self.elo[player].unwrap_or(0.0);
            let mean =
                players.iter().map(|&player| elo(player)).sum::<f64>() / players.len() as f64;
            let shift = if anchored {
                0.0
            } else {
                settings.average - mean
            };
            for &player in players {
                let error = is_found.then(|| Z95 * group.variance(player).max(0.0).sqrt());
                ratings[player] = Some(Rating {
                    elo: elo(player) + shift,
                    error,
                });
            }
            groups.push(group);
        }
        let advantage = self.unknown.len();
        let advantage_variance = if self.finds_advantage {
            covariance.get(advantage, advantage)
        } else {
            0.0
        };
        Ratings {
            players: ratings,
            white_advantage: is_found.then_some(self.white_advantage),
            white_advantage_error: Z95 * advantage_variance.max(0.0).sqrt(),
            draw_rate: (!self.pairs.is_empty()).then(|| draw_probability(0.5, parameter)),
            groups,
        }
    }

    /// The covariance of a group: relative to its average if it has no anchor.
    fn group(&self, players: &[usize], covariance: &Matrix, settings: &Settings) -> Group {
        let anchored = players
            .iter()
            .any(|player| settings.anchors.contains_key(player));
        let players = players
            .iter()
            .filter(|player| !settings.anchors.contains_key(player));
        let rows: BTreeMap<_, _> = players
            .enumerate()
            .map(|(row, &player)| (player, row))
            .collect();
        let index: Vec<_> = rows
            .keys()
            .map(|player| self.unknown.get(player).copied())
            .collect();
        let size = rows.len();
        let mut own = Matrix::zero(size);
        for (i, row) in rows.values().map(|&row| (row, row)) {
            for (j, column) in rows.values().map(|&column| (column, column)) {
                if let (Some(a), Some(b)) = (index[i], index[j]) {
                    own.add(row, column, covariance.get(a, b));
                }
            }
        }
        let covariance = if anchored {
            own
        } else {
            own.relative_to_mean()
        };
        Group { rows, covariance }
    }
}

/// The probability of a draw where d = v * sqrt(w * l), from the expected score w + d/2.
fn draw_probability(expected: f64, parameter: f64) -> f64 {
    // The solution of d^2 = v^2 (e - d/2) (1 - e - d/2), in a form that is exact for v = 2 and for large v.
    let square = parameter * parameter;
    let product = expected * (1.0 - expected);
    let root = (square * square / 16.0 + (1.0 - square / 4.0) * square * product)
        .max(0.0)
        .sqrt();
    let divisor = square / 4.0 + root;
    if divisor > 0.0 {
        square * product / divisor
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests;
