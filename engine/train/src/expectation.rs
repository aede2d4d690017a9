//! How scores relate to results in self-play games: the expected points of a score, and the reverse.

/// The score, in centipawns, at which the odds are e to 1. This is how scores relate to results in self-play
/// games: 240 fits games of 100 nodes a move best, 205 those of 300, 175 those of 1,000.
pub const SCALE: f64 = 220.0;

/// The largest score that [`score`] returns, in centipawns.
const MOST: f64 = 3000.0;

/// The expected points, from 0 to 1, of a score in centipawns.
#[must_use]
pub fn points(score: f64) -> f64 {
    1.0 / (1.0 + (-score / SCALE).exp())
}

/// The score in centipawns, at most 3000 for either side, with these expected points, from 0 to 1.
#[must_use]
pub fn score(points: f64) -> f64 {
    let log_odds = (points / (1.0 - points)).ln();
    (log_odds * SCALE).clamp(-MOST, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_has_the_points_that_it_came_from() {
        for centipawns in [-900.0, -35.0, 0.0, 1.0, 280.0, 2500.0] {
            let again = score(points(centipawns));
            assert!((again - centipawns).abs() < 1e-6, "{centipawns}: {again}");
        }
        assert!(score(0.0) <= -MOST && score(1.0) >= MOST);
    }
}
