//! Ratings that follow the games of an event.
//!
//! Each result moves the ratings of its two players by a step of Newton's method, as if nothing else had changed. From
//! time to time all ratings are computed anew from all games, exactly. So that a player has a rating from its first
//! game on, each one also counts as having drawn a pair of games with an opponent of the rating that it entered with.

use std::collections::BTreeMap;

use crate::core::elo::expected_score;

use super::{GameResult, Rating, SCALE, Settings, rate};

/// The rating of a player who entered without one, if nobody entered with one.
const START: f64 = 2500.0;
/// All ratings are computed anew after this many games, or more if there are many already.
const EXACT_AFTER: usize = 50;
/// And after this part of all games.
const EXACT_SHARE: usize = 20;

/// The ratings of the players of an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveRatings {
    /// The ratings that the players entered with.
    start: Vec<f64>,
    anchors: BTreeMap<usize, f64>,
    games: Vec<GameResult>,
    /// The present ratings.
    elo: Vec<f64>,
    /// Half the width of the 95 % interval, as of the last exact computation.
    error: Vec<Option<f64>>,
    /// The sum of the derivatives of each player's expected points.
    information: Vec<f64>,
    white_advantage: f64,
    /// The number of games at the last exact computation.
    exact_at: usize,
    /// The ratings of each player after each of its games.
    courses: Vec<Vec<f32>>,
}

impl LiveRatings {
    /// Ratings before the first game: for each player the one that it enters with, if it has one, and whether that
    /// never changes.
    #[must_use]
    pub fn new(entered: &[(Option<f64>, bool)]) -> Self {
        let known: Vec<f64> = entered.iter().filter_map(|(rating, _)| *rating).collect();
        let average = match known.len() {
            0 => START,
            count => known.iter().sum::<f64>() / count as f64,
        };
        let start: Vec<f64> = entered
            .iter()
            .map(|(rating, _)| rating.unwrap_or(average))
            .collect();
        let anchors = entered.iter().enumerate();
        let anchors = anchors.filter_map(|(player, &(rating, is_fixed))| {
            rating.filter(|_| is_fixed).map(|rating| (player, rating))
        });
        Self {
            anchors: anchors.collect(),
            elo: start.clone(),
            error: vec![None; start.len()],
            information: vec![0.0; start.len()],
            courses: vec![Vec::new(); start.len()],
            start,
            ..Self::default()
        }
    }

    /// Takes in the result of a game.
    pub fn add(&mut self, game: GameResult) {
        self.games.push(game);
        let since = self.games.len() - self.exact_at;
        if since >= EXACT_AFTER.max(self.games.len() / EXACT_SHARE) {
            self.compute();
        } else {
            self.step(game);
        }
        for player in [game.white, game.black] {
            self.courses[player].push(self.elo[player] as f32);
        }
    }

    /// The expected score of White, and the derivative of it.
    fn expected(&self, game: GameResult) -> (f64, f64) {
        let expected =
            expected_score(self.elo[game.white] - self.elo[game.black] + self.white_advantage);
        (expected, expected * (1.0 - expected) * SCALE)
    }

    fn step(&mut self, game: GameResult) {
        let (expected, slope) = self.expected(game);
        let surplus = f64::from(game.half_points) / 2.0 - expected;
        // The pair of draws with an opponent of its own strength.
        let prior = 2.0 * 0.25 * SCALE;
        for (player, surplus) in [(game.white, surplus), (game.black, -surplus)] {
            self.information[player] += slope;
            if !self.anchors.contains_key(&player) {
                self.elo[player] += surplus / (self.information[player] + prior);
            }
        }
    }

    /// Computes all ratings from all games.
    pub fn compute(&mut self) {
        let players = self.start.len();
        // The opponents of the draws that everybody begins with come after the players.
        let draws = (0..players).flat_map(|player| {
            [(player, players + player), (players + player, player)].map(|(white, black)| {
                GameResult {
                    white,
                    black,
                    half_points: 1,
                }
            })
        });
        let games: Vec<_> = self.games.iter().copied().chain(draws).collect();
        let opponents = self.start.iter().enumerate();
        let opponents = opponents.map(|(player, &rating)| (players + player, rating));
        let settings = Settings {
            average: START,
            anchors: opponents.chain(self.anchors.clone()).collect(),
            white_advantage: None,
        };
        let ratings = rate(2 * players, &games, &settings);
        for player in 0..players {
            if let Some(rating) = ratings.of(player) {
                self.elo[player] = rating.elo;
                self.error[player] = rating.error;
            }
        }
        self.white_advantage = ratings.white_advantage.unwrap_or(0.0);
        self.information = vec![0.0; players];
        for i in 0..self.games.len() {
            let game = self.games[i];
            let (_, slope) = self.expected(game);
            self.information[game.white] += slope;
            self.information[game.black] += slope;
        }
        self.exact_at = self.games.len();
    }

    /// The present rating of a player, in Elo.
    #[must_use]
    pub fn elo(&self, player: usize) -> f64 {
        self.elo.get(player).copied().unwrap_or(START)
    }

    /// The rating of a player with its error, as the standings show it; `None` before its first game.
    #[must_use]
    pub fn of(&self, player: usize) -> Option<Rating> {
        let has_played = self
            .courses
            .get(player)
            .is_some_and(|course| !course.is_empty());
        let error = self.error.get(player).copied().flatten();
        has_played.then(|| Rating {
            elo: self.elo(player),
            error: error.or_else(|| Some(self.rough_error(player))),
        })
    }

    /// Half the width of the interval of a player whose error has not been computed yet.
    fn rough_error(&self, player: usize) -> f64 {
        if self.anchors.contains_key(&player) {
            return 0.0;
        }
        // The variance of a player's points is the derivative of the expected ones, without draws.
        let information = (self.information[player] + 0.5 * SCALE) * SCALE;
        super::Z95 / information.sqrt()
    }

    /// Whether a player's rating is fixed.
    #[must_use]
    pub fn is_anchor(&self, player: usize) -> bool {
        self.anchors.contains_key(&player)
    }

    /// The ratings of a player after each of its games.
    #[must_use]
    pub fn course(&self, player: usize) -> &[f32] {
        self.courses.get(player).map_or(&[], Vec::as_slice)
    }
}
