//! Lazy SMP: the vote of the threads on the best move.

use movegen::Move;

use crate::score::Score;
use crate::search::params::vote_base;
use crate::search::thread::Best;

/// Selects the result of one thread by vote. A thread votes for its move with a weight that grows
/// with its depth and score
/// (<https://www.chessprogramming.org/Lazy_SMP>, as Stockfish elects its best thread).
pub(crate) fn elect(results: impl Iterator<Item = (Best, usize)>) -> (Best, usize) {
    // A thread that was stopped early has no line.
    let results: Vec<_> = results.filter(|(best, _)| !best.line.is_empty()).collect();
    let worst = results.iter().map(|(best, _)| best.score.ce()).min();
    let weight = |(best, depth): &(Best, usize)| {
        let lead = best.score.ce() - worst.unwrap_or(0) + vote_base();
        i64::from(lead) * *depth as i64
    };
    let votes = |mv: Option<&Move>| -> i64 {
        let voters = results.iter().filter(|(best, _)| best.line.first() == mv);
        voters.map(weight).sum()
    };
    // Ties go to the main thread, which has reported its iterations.
    results
        .iter()
        .rev()
        .max_by_key(|result| {
            let (best, depth) = result;
            let mates = best.score.is_mate() && best.score > Score::DRAW;
            (
                mates.then_some(best.score),
                votes(best.line.first()),
                *depth,
            )
        })
        .cloned()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use movegen::Square;

    fn result(to: Square, score: Score, depth: usize) -> (Best, usize) {
        let line = [Move::normal(Square::E2, to)].into_iter().collect();
        (Best { score, line }, depth)
    }

    fn elected(results: &[(Best, usize)]) -> (Option<Square>, usize) {
        let (best, depth) = elect(results.iter().cloned());
        (best.line.first().map(|mv| mv.to()), depth)
    }

    #[test]
    fn votes_depend_on_depth_score_and_agreement() {
        let at = Score::ordinary;
        let one = result(Square::E4, at(20), 10);
        assert_eq!(elected(std::slice::from_ref(&one)), (Some(Square::E4), 10));
        // Ties go to the first thread. Depth, score and agreement of two threads decide otherwise.
        let same = result(Square::E3, at(20), 10);
        assert_eq!(elected(&[one.clone(), same]).0, Some(Square::E4));
        let deeper = result(Square::E3, at(20), 12);
        assert_eq!(
            elected(&[one.clone(), deeper.clone()]),
            (Some(Square::E3), 12)
        );
        let better = result(Square::E3, at(60), 9);
        assert_eq!(elected(&[one.clone(), better]).0, Some(Square::E3));
        assert_eq!(
            elected(&[one.clone(), deeper, one.clone()]).0,
            Some(Square::E4)
        );
        // A mate needs no majority, and a thread without a line has no vote.
        let mate = result(Square::E3, Score::mate_in(5), 6);
        assert_eq!(
            elected(&[one.clone(), one.clone(), mate]).0,
            Some(Square::E3)
        );
        assert_eq!(
            elected(&[one, (Best::default(), 0)]),
            (Some(Square::E4), 10)
        );
    }
}
