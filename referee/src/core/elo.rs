//! Elo differences and their confidence intervals, from game results.
//!
//! The model is logistic: a player that is stronger by `d` Elo has the expected score
//! 1 / (1 + 10^(-d/400)). The two games of a pair, with the same opening and colours reversed, depend on
//! each other. So each complete pair is one observation with five possible values (*pentanomial*), and
//! each other game is one with three (*trinomial*), as in fishtest and fastchess.

use serde::Serialize;

/// The results of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// The games won.
    pub wins: usize,
    /// The games drawn.
    pub draws: usize,
    /// The games lost.
    pub losses: usize,
    /// The number of complete pairs with 0, 1, 2, 3 and 4 half points. Their games are counted above
    /// too.
    pub pairs: [usize; 5],
}

/// An Elo difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The difference; positive if the player is stronger than its opponents.
    pub difference: f64,
    /// Half the width of the 95% confidence interval; `None` if a bound is infinite, as after few games, and while all
    /// results are the same, which tells nothing of their spread.
    pub error: Option<f64>,
}

/// 95% of a normal distribution are within this many standard deviations of its mean.
const Z95: f64 = 1.959_963_984_540_054;

impl Tally {
    /// Counts a game.
    ///
    /// # Panics
    /// If `half_points` is more than 2.
    pub fn add_game(&mut self, half_points: usize) {
        assert!(half_points <= 2, "{half_points} half points of a game");
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Counts a complete pair. Its games are to be counted too, with [`Tally::add_game`].
    ///
    /// # Panics
    /// If `half_points` is more than 4.
    pub fn add_pair(&mut self, half_points: usize) {
        self.pairs[half_points] += 1;
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> usize {
        self.wins + self.draws + self.losses
    }

    /// The points, doubled.
    #[must_use]
    pub fn half_points(&self) -> usize {
        2 * self.wins + self.draws
    }

    /// Points per game, from 0 to 1; `None` without games.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| self.half_points() as f64 / (2 * games) as f64)
    }

    /// The standard error of the score. Pairs add the variance of the sum of their two games,
    /// single games that of one game; `None` without games.
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        let score = self.score()?;
        let games = self.games();
        let pairs: usize = self.pairs.iter().sum();
        let of_pairs = squares(&self.pairs, 2.0 * score);
        let of_games = squares(&[self.losses, self.draws, self.wins], score) / games as f64;
        let single = games.saturating_sub(2 * pairs);
        Some((of_pairs + single as f64 * of_games).sqrt() / games as f64)
    }

    /// The Elo difference to the opponents; `None` without games, and if the score is 0 or 1, where the
    /// difference would be infinite.
    #[must_use]
    pub fn elo(&self) -> Option<Elo> {
        let score = self.score()?;
        let margin = Z95 * self.standard_error()?;
        let bounds = elo_of(score + margin).zip(elo_of(score - margin));
        Some(Elo {
            difference: elo_of(score)?,
            error: bounds
                .filter(|_| margin > 0.0)
                .map(|(upper, lower)| (upper - lower) / 2.0),
        })
    }

    /// The normalised Elo difference to the opponents, as fastchess prints it (`nElo`): the lead over an
    /// even score in standard deviations of a game, on a scale where 800 / ln 10 is one. It does not
    /// depend on how often games are drawn. `None` without games and where all results are the same.
    #[must_use]
    pub fn normalized_elo(&self) -> Option<Elo> {
        const SCALE: f64 = 800.0 / std::f64::consts::LN_10;
        let lead = self.score()? - 0.5;
        let games = self.games() as f64;
        let deviation = self.standard_error()? * games.sqrt();
        (deviation > 0.0).then(|| Elo {
            difference: SCALE * lead / deviation,
            error: Some(Z95 * SCALE / games.sqrt()),
        })
    }

    /// The likelihood of superiority: the probability that the player is stronger than its opponents;
    /// `None` without games.
    #[must_use]
    pub fn los(&self) -> Option<f64> {
        let lead = self.score()? - 0.5;
        let error = self.standard_error()?;
        Some(match (error > 0.0, lead) {
            (true, _) => normal_cdf(lead / error),
            (false, 0.0) => 0.5,
            (false, lead) => f64::from(u8::from(lead > 0.0)),
        })
    }
}

/// The sum of the squared differences to a mean, of counted values 0, 1/2, 1, ...
fn squares(counts: &[usize], mean: f64) -> f64 {
    let square = |(i, &count): (usize, &usize)| count as f64 * (i as f64 / 2.0 - mean).powi(2);
    counts.iter().enumerate().map(square).sum()
}

/// The expected score, from 0 to 1, at an Elo difference.
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The Elo difference at which a score is expected; `None` unless the score is between 0 and 1.
///
/// ```
/// let elo = referee::elo::elo_of(0.6).unwrap();
/// assert!((elo - 70.44).abs() < 0.005);
/// ```
#[must_use]
pub fn elo_of(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// The probability that a standard normal variable is below `x`: the series of G. Marsaglia,
/// "Evaluating the Normal Distribution" (2004), accurate to about fifteen decimals.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    // Beyond this the result is 0 or 1, nearly or exactly, in double precision.
    if x.abs() > 8.0 {
        return f64::from(u8::from(x > 0.0));
    }
    let (mut term, mut sum) = (x, x);
    let mut odd = 1.0;
    while term.abs() > 1e-17 {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    let density = (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
    (0.5 + density * sum).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests;
