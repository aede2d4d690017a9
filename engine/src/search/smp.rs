//! Lazy SMP: the vote of the threads on the best move.

use movegen::Move;

use crate::score::Score;
use crate::search::iterative::Deepened;
use crate::search::params::vote_base;
use crate::search::thread::Best;

/// Selects the result of one thread by vote, and returns its place. A thread votes for its move with a
/// weight that grows with its depth and score
/// (<https://www.chessprogramming.org/Lazy_SMP>, as Stockfish elects its best thread). If the main thread,
/// the first, has the elected move, the result is its own, because that has been reported already.
pub(crate) fn elect(results: &[Deepened]) -> usize {
    // A thread that was stopped early has no line.
    let voters: Vec<_> = results
        .iter()
        .enumerate()
        .filter_map(|(i, result)| Some((i, result.lines.first()?, result.finished)))
        .collect();
    let worst = voters.iter().map(|(_, best, _)| best.score.ce()).min();
    let weight = |&(_, best, depth): &(usize, &Best, usize)| {
        let lead = best.score.ce() - worst.unwrap_or(0) + vote_base();
        i64::from(lead) * depth as i64
    };
    let votes = |mv: Option<&Move>| -> i64 {
        let voters = voters.iter().filter(|(_, best, _)| best.line.first() == mv);
        voters.map(weight).sum()
    };
    // Ties go to the main thread.
    let elected = voters.iter().rev().max_by_key(|(_, best, depth)| {
        let mates = best.score.is_mate() && best.score > Score::DRAW;
        (
            mates.then_some(best.score),
            votes(best.line.first()),
            *depth,
        )
    });
    let first = |i: usize| results[i].lines.first().and_then(|best| best.line.first());
    match elected {
        Some(&(i, ..)) if first(i) != first(0) => i,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use movegen::Square;

    fn result(to: Square, score: Score, finished: usize) -> Deepened {
        let line = [Move::normal(Square::E2, to)].into_iter().collect();
        let best = Best {
            score,
            line,
            ..Best::default()
        };
        Deepened {
            lines: vec![best],
            finished,
            ..Deepened::default()
        }
    }

    /// The move of the elected thread, and its place.
    fn elected(results: &[Deepened]) -> (Square, usize) {
        let i = elect(results);
        (results[i].lines[0].line[0].to(), i)
    }

    #[test]
    fn votes_depend_on_depth_score_and_agreement() {
        let at = Score::ordinary;
        let one = result(Square::E4, at(20), 10);
        assert_eq!(elected(std::slice::from_ref(&one)), (Square::E4, 0));
        // Ties go to the first thread. Depth, score and agreement of two threads decide otherwise.
        let same = result(Square::E3, at(20), 10);
        assert_eq!(elected(&[one.clone(), same]), (Square::E4, 0));
        let deeper = result(Square::E3, at(20), 12);
        assert_eq!(elected(&[one.clone(), deeper.clone()]), (Square::E3, 1));
        let better = result(Square::E3, at(60), 9);
        assert_eq!(elected(&[one.clone(), better]), (Square::E3, 1));
        let others = [one.clone(), deeper, one.clone()];
        assert_eq!(elected(&others), (Square::E4, 0));
        // The main thread's own result, although another with the same move is deeper.
        let same = result(Square::E4, at(20), 12);
        assert_eq!(elected(&[one.clone(), same]), (Square::E4, 0));
        // A mate needs no majority, and a thread without a line has no vote.
        let mate = result(Square::E3, Score::mate_in(5), 6);
        assert_eq!(elected(&[one.clone(), one.clone(), mate]), (Square::E3, 2));
        assert_eq!(elected(&[one, Deepened::default()]), (Square::E4, 0));
    }
}
