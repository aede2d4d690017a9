//! How scores relate to results in self-play games: the expected points of a score, and the reverse.

/// The score, in centipawns, at which the odds are e to 1. This is how scores relate to results in self-play
/// games of 120 to 200 nodes a move, so that the scores and the results that a network learns from agree.
pub const SCALE: f64 = 280.0;

/// The largest score that [`score`] returns, in centipawns.
const MOST: f64 = 3000.0;

/// How much of a score is left in positions with few pieces, fitted to the results of the same games:
/// there, the same score wins less often.
fn damping(pieces: usize) -> f64 {
    match pieces {
        ..=5 => 0.56,
        6..=8 => 0.8,
        _ => 1.0,
    }
}

/// The expected points, from 0 to 1, of a score in centipawns in a position with this many pieces.
#[must_use]
pub fn points(score: f64, pieces: usize) -> f64 {
    1.0 / (1.0 + (-score * damping(pieces) / SCALE).exp())
}

/// The score in centipawns, at most 3000 for either side, with these expected points, from 0 to 1.
#[must_use]
pub fn score(points: f64, pieces: usize) -> f64 {
    let log_odds = (points / (1.0 - points)).ln();
    (log_odds * SCALE / damping(pieces)).clamp(-MOST, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_has_the_points_that_it_came_from() {
        for pieces in [3, 7, 20] {
            for centipawns in [-900.0, -35.0, 0.0, 1.0, 280.0, 2500.0] {
                let again = score(points(centipawns, pieces), pieces);
                assert!((again - centipawns).abs() < 1e-6, "{centipawns}: {again}");
            }
            assert!(score(0.0, pieces) <= -MOST && score(1.0, pieces) >= MOST);
        }
    }
}
