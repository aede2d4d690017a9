//! The sequential probability ratio test (SPRT): when a match of two players may stop.
//!
//! It is the generalised test of Michel Van den Bergh, as fishtest (`LLRcalc`) and fastchess use it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::core::elo::{Tally, expected_score};

/// A sequential probability ratio test of two hypotheses on an Elo difference.
///
/// ```
/// use referee::elo::Tally;
/// use referee::sprt::{Sample, Sprt, SprtState};
///
/// let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05)?;
/// let tally = Tally { pairs: [40, 800, 2000, 960, 60], ..Tally::default() };
/// assert_eq!(sprt.report(&tally, Sample::Pairs).state, SprtState::AcceptH1);
/// # Ok::<(), referee::sprt::SprtError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Invalid parameters of a test.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SprtError {
    #[error("elo0 is {0} and elo1 is {1}, expected numbers with elo0 below elo1")]
    Hypotheses(f64, f64),
    #[error("alpha is {0} and beta is {1}, expected probabilities above 0 whose sum is below 1")]
    Errors(f64, f64),
}

/// What counts as one observation of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// A complete pair of games; single games are not counted.
    Pairs,
    /// A game.
    Games,
}

/// The state of a test. Its name is the same in every file and message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum SprtState {
    /// Not decided yet.
    Continue,
    /// The difference is more likely `elo0` than `elo1`.
    AcceptH0,
    /// The difference is more likely `elo1` than `elo0`.
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
    /// At or below this ratio, `elo0` is accepted.
    pub lower: f64,
    /// At or above this ratio, `elo1` is accepted.
    pub upper: f64,
    /// The state of the test.
    pub state: SprtState,
}

impl Sprt {
    /// A test of `elo0` against `elo1`, both logistic, with the probability `alpha` of wrongly accepting
    /// `elo1` and `beta` of wrongly accepting `elo0`.
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

    /// The Elo differences that the test compares.
    #[must_use]
    pub const fn hypotheses(&self) -> [f64; 2] {
        [self.elo0, self.elo1]
    }

    /// The bounds of the logarithm of the likelihood ratio.
    fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// The number of games that a test takes on average, if this part of the games is drawn: where one
    /// of the hypotheses is true, and halfway between them, where it takes longest (Wald's
    /// approximations; the two games of a pair are taken as independent).
    #[must_use]
    pub fn expected_games(&self, draws: f64) -> ExpectedGames {
        let (lower, upper) = self.bounds();
        let distance = expected_score(self.elo1) - expected_score(self.elo0);
        let variance = (1.0 - draws) / 4.0;
        // The drift of the ratio in a game under a hypothesis, and its variance.
        let drift = distance * distance / variance / 2.0;
        let at0 = (1.0 - self.alpha) * lower + self.alpha * upper;
        let at1 = (1.0 - self.beta) * upper + self.beta * lower;
        ExpectedGames {
            at0: -at0 / drift,
            at1: at1 / drift,
            between: -lower * upper / (2.0 * drift),
        }
    }

    /// The state of the test after these results (bounds: A. Wald, "Sequential Analysis", 1947).
    #[must_use]
    pub fn report(&self, tally: &Tally, sample: Sample) -> SprtReport {
        let llr = match sample {
            Sample::Pairs => self.log_likelihood_ratio(&tally.pairs),
            Sample::Games => self.log_likelihood_ratio(&[tally.losses, tally.draws, tally.wins]),
        };
        let (lower, upper) = self.bounds();
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
    pub(super) fn log_likelihood_ratio<const N: usize>(&self, counts: &[usize; N]) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        // An outcome that has not occurred may still be possible; fishtest uses the same count.
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

/// The number of games that a test takes on average.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedGames {
    /// If the true difference is `elo0`.
    pub at0: f64,
    /// If it is `elo1`.
    pub at1: f64,
    /// If it is halfway between them.
    pub between: f64,
}

/// Explains the test in two sentences, for `check`.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (elo0, elo1) = (self.elo0, self.elo1);
        let percent = |part: f64| 100.0 * part;
        let expected = self.expected_games(0.5);
        write!(
            f,
            "the test stops as soon as it can tell whether the first player is {elo1:+} Elo or {elo0:+} Elo \
             stronger than the second, with at most {:.0}% of wrong answers if it is {elo0:+} and {:.0}% if it \
             is {elo1:+}\nif half of the games are drawn, expect about {:.0} games at {elo0:+} Elo, {:.0} at \
             {elo1:+} Elo and {:.0} halfway between; more draws need fewer games",
            percent(self.alpha),
            percent(self.beta),
            expected.at0,
            expected.at1,
            expected.between
        )
    }
}

/// A score and its probability.
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
        // No floating-point number is left between the bounds.
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
