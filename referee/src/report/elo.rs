//! Differences in Elo from results, how sure they are, and when a test of two players may stop.
//!
//! The model is the logistic one: who is stronger by `d` expects the score 1 / (1 + 10^(-d/400)).
//! Two games of one pair, with one opening and both colours, depend on each other, so that each
//! complete pair is one observation of five possible values (*pentanomial*); other games are
//! observations of three (*trinomial*). The pentanomial treatment, and the sequential test, are
//! those of Michel Van den Bergh, as fishtest (`LLRcalc`) and fastchess use them.

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
    /// How many complete pairs gave 0, 1, 2, 3 and 4 half points. Their games are among those
    /// above.
    pub pairs: [usize; 5],
}

/// A difference in strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// In Elo; positive if the player is the stronger.
    pub difference: f64,
    /// Half the width of the 95% interval, in Elo; `None` where a bound of the interval is
    /// infinite, as after few games.
    pub error: Option<f64>,
}

/// The standard deviations that hold 95% of a normal distribution on either side of its mean.
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

    /// Counts a complete pair, whose games are counted by themselves.
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

    /// Points by games, from 0 to 1; `None` without games.
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

    /// The difference in Elo to the opponents; `None` without games and where the score is 0 or 1,
    /// which no finite difference explains.
    #[must_use]
    pub fn elo(&self) -> Option<Elo> {
        let score = self.score()?;
        let margin = Z95 * self.standard_error()?;
        let bounds = elo_of(score + margin).zip(elo_of(score - margin));
        Some(Elo {
            difference: elo_of(score)?,
            error: bounds.map(|(upper, lower)| (upper - lower) / 2.0),
        })
    }

    /// The likelihood of superiority: how probable it is, from 0 to 1, that the player is stronger
    /// than the opponents; `None` without games.
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

/// The score, from 0 to 1, that a difference in Elo makes expect.
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The difference in Elo that makes expect a score; `None` unless that is between 0 and 1.
///
/// ```
/// let elo = referee::report::elo::elo_of(0.6).unwrap();
/// assert!((elo - 70.44).abs() < 0.005);
/// ```
#[must_use]
pub fn elo_of(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// The probability that a standard normal variable is below `x`: the series of G. Marsaglia,
/// "Evaluating the Normal Distribution" (2004), right to about fifteen decimals.
fn normal_cdf(x: f64) -> f64 {
    // Beyond it the answer is 0 or 1 in double precision, or nearly.
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

/// A sequential probability ratio test of two hypotheses on the difference in Elo.
///
/// ```
/// use referee::report::elo::{Sample, Sprt, SprtState, Tally};
///
/// let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05)?;
/// let tally = Tally { pairs: [40, 800, 2000, 960, 60], ..Tally::default() };
/// assert_eq!(sprt.report(&tally, Sample::Pairs).state, SprtState::AcceptH1);
/// # Ok::<(), referee::report::elo::SprtError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Parameters that make no test.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SprtError {
    #[error("elo0 is {0} and elo1 is {1}, expected numbers with elo0 below elo1")]
    Hypotheses(f64, f64),
    #[error("alpha is {0} and beta is {1}, expected probabilities above 0 whose sum is below 1")]
    Errors(f64, f64),
}

/// What a test takes for one observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// A complete pair of games; games without their counterpart wait for it.
    Pairs,
    /// A game.
    Games,
}

/// How a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtState {
    /// The results do not decide yet.
    Continue,
    /// The difference is `elo0` rather than `elo1`.
    AcceptH0,
    /// The difference is `elo1` rather than `elo0`.
    AcceptH1,
}

/// The result of a test so far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtReport {
    /// The test.
    #[serde(flatten)]
    pub test: Sprt,
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// At or below it the first hypothesis is accepted.
    pub lower: f64,
    /// At or above it the second hypothesis is accepted.
    pub upper: f64,
    /// How the test stands.
    pub state: SprtState,
}

impl Sprt {
    /// A test of the difference `elo0` against `elo1`, both logistic; it accepts `elo1` wrongly with
    /// probability `alpha`, and `elo0` wrongly with probability `beta`.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtError::Hypotheses(elo0, elo1));
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Errors(alpha, beta));
        }
        Ok(Self {
            elo0,
            elo1,
            alpha,
            beta,
        })
    }

    /// How the test stands after these results (bounds: A. Wald, "Sequential Analysis", 1947).
    #[must_use]
    pub fn report(&self, tally: &Tally, sample: Sample) -> SprtReport {
        let llr = match sample {
            Sample::Pairs => self.log_likelihood_ratio(&tally.pairs),
            Sample::Games => self.log_likelihood_ratio(&[tally.losses, tally.draws, tally.wins]),
        };
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let state = if llr >= upper {
            SprtState::AcceptH1
        } else if llr <= lower {
            SprtState::AcceptH0
        } else {
            SprtState::Continue
        };
        SprtReport {
            test: *self,
            llr,
            lower,
            upper,
            state,
        }
    }

    /// The generalised log-likelihood ratio: the distributions that explain the results best, among
    /// those with the expected score of either hypothesis, compared. The counts are of equidistant
    /// scores from 0 to 1.
    fn log_likelihood_ratio<const N: usize>(&self, counts: &[usize; N]) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        // An outcome that has not occurred is not therefore impossible; fishtest counts as much.
        let counts = counts.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let observed: [Observed; N] = std::array::from_fn(|i| Observed {
            score: i as f64 / (N - 1) as f64,
            probability: counts[i] / total,
        });
        let [score0, score1] = [self.elo0, self.elo1].map(expected_score);
        let [tilt0, tilt1] = [score0, score1].map(|score| tilt(&observed, score));
        // The most likely distribution divides each probability by 1 + tilt (score - mean).
        let divisor = |score: f64, mean: f64, tilt: f64| (tilt * (score - mean)).ln_1p();
        let ratio = |outcome: &Observed| {
            let score = outcome.score;
            outcome.probability * (divisor(score, score0, tilt0) - divisor(score, score1, tilt1))
        };
        total * observed.iter().map(ratio).sum::<f64>()
    }
}

/// A score and how probable it is.
struct Observed {
    score: f64,
    probability: f64,
}

/// Solves the secular equation: sum of `p (a - mean) / (1 + x (a - mean))` = 0 for `x`, where `p`
/// are the probabilities of the scores `a` from 0 to 1. The left side falls strictly, from plus to
/// minus infinity, between the two poles that enclose 0.
fn tilt(observed: &[Observed], mean: f64) -> f64 {
    let slope = |x: f64| -> f64 {
        let term = |outcome: &Observed| {
            let deviation = outcome.score - mean;
            outcome.probability * deviation / (1.0 + x * deviation)
        };
        observed.iter().map(term).sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    loop {
        let middle = low.midpoint(high);
        // No number is left between the bounds.
        if middle <= low || middle >= high {
            return middle;
        }
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests;
