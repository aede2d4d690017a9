//! The lines of a search for several of them.

use engine::{Progress, Score};
use movegen::{Move, Position};

use super::player::SearchResult;

/// A line with its score.
pub type ScoredLine = (Score, Vec<Move>);

/// The lines of the last complete iteration, and the last line that begins with each move.
///
/// A search that a limit stops within an iteration also reports lines of the one before, as Stockfish does.
/// Their scores cannot be compared with those of the new lines.
#[derive(Debug)]
pub struct Lines {
    /// How many lines an iteration has.
    wanted: usize,
    complete: Vec<ScoredLine>,
    /// The depth of the complete iteration.
    depth: usize,
    /// The lines so far of an iteration, and its depth.
    iteration: Vec<ScoredLine>,
    iteration_depth: usize,
    /// The last line of each first move, the newest last.
    latest: Vec<ScoredLine>,
}

impl Lines {
    /// For a search of a position for so many lines, or as many as it has moves.
    pub fn new(position: &Position, wanted: usize) -> Self {
        Self {
            wanted: wanted.min(position.count_moves() as usize),
            complete: Vec::new(),
            depth: 0,
            iteration: Vec::new(),
            iteration_depth: 0,
            latest: Vec::new(),
        }
    }

    /// Adds a line; the best line comes first in each iteration.
    pub fn add(&mut self, progress: &Progress<'_>) {
        let line = (progress.score, progress.pv.to_vec());
        self.latest.retain(|(_, other)| other[0] != line.1[0]);
        self.latest.push(line.clone());
        if progress.rank == 1 {
            self.iteration.clear();
            self.iteration_depth = progress.depth;
        }
        let is_next =
            progress.rank == self.iteration.len() + 1 && progress.depth == self.iteration_depth;
        if !is_next {
            self.iteration.clear();
            return;
        }
        self.iteration.push(line);
        if self.iteration.len() == self.wanted {
            self.complete = std::mem::take(&mut self.iteration);
            self.depth = progress.depth;
        }
    }

    /// The lines after the best one. If the best move is that of the last complete iteration, the result
    /// becomes that of this iteration too. Otherwise the new best move stays first, and lines of other
    /// iterations that are better than its own are left out.
    pub fn settle(self, result: &mut SearchResult) -> Vec<ScoredLine> {
        let Some(best) = result.best else {
            return Vec::new();
        };
        let mut complete = self.complete;
        if let Some((score, line)) = complete.first()
            && line[0] == best
        {
            (result.score, result.depth) = (*score, self.depth as u64);
            result.pv.clone_from(line);
            complete.remove(0);
            return complete;
        }
        let mut taken = vec![best];
        let mut lines = complete;
        lines.extend(self.latest.into_iter().rev());
        let most = result.evaluation();
        lines.retain(|(score, line)| {
            let is_new = !taken.contains(&line[0]);
            taken.push(line[0]);
            is_new && most.is_none_or(|most| *score <= most)
        });
        lines.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        lines.truncate(self.wanted.saturating_sub(1));
        lines
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// The result and the other lines, in centipawns, after lines of `rank depth score move`.
    fn settled(lines: &[(usize, usize, i32, &str)], best: &str) -> (i32, u64, Vec<(i32, String)>) {
        let position = Position::start();
        let find = |text: &str| {
            let mv: movegen::UciMove = text.parse().expect(text);
            mv.find(&position).expect(text)
        };
        let mut all = Lines::new(&position, 3);
        let mut result = SearchResult {
            best: Some(find(best)),
            ..SearchResult::default()
        };
        for &(rank, depth, score, mv) in lines {
            let (mv, score) = (find(mv), Score::ordinary(score));
            all.add(&Progress {
                depth,
                rank,
                selective_depth: depth,
                score,
                is_lower_bound: false,
                pv: &[mv],
                nodes: 1,
                time: Duration::ZERO,
                table_permille: 0,
                tablebase_hits: 0,
            });
            if Some(mv) == result.best {
                (result.score, result.depth) = (score, depth as u64);
            }
        }
        let others = all.settle(&mut result).into_iter();
        let name = |mv| movegen::San::of(&position, mv).to_string();
        let others = others.map(|(score, line)| (score.ce(), name(line[0])));
        (result.score.ce(), result.depth, others.collect())
    }

    #[test]
    fn lines_are_those_of_one_iteration() {
        let named = |lines: &[(i32, &str)]| -> Vec<(i32, String)> {
            let lines = lines.iter();
            lines.map(|&(score, mv)| (score, mv.to_owned())).collect()
        };
        let complete = [(1, 5, 40, "e2e4"), (2, 5, 30, "d2d4"), (3, 5, 20, "c2c4")];
        let after = |more: &[(usize, usize, i32, &'static str)], best: &str| {
            settled(&[&complete[..], more].concat(), best)
        };
        let others = named(&[(30, "d4"), (20, "c4")]);
        assert_eq!(after(&[], "e2e4"), (40, 5, others.clone()));
        // The second line of depth 6 is only a bound, which is not reported.
        let stopped = [(1, 6, 10, "e2e4"), (3, 5, 25, "g1f3")];
        assert_eq!(after(&stopped, "e2e4"), (40, 5, others.clone()));
        let stopped = [(1, 6, 10, "e2e4"), (2, 5, 30, "d2d4"), (3, 5, 20, "c2c4")];
        assert_eq!(after(&stopped, "e2e4"), (40, 5, others));
        // Another move is played, after an iteration that was not completed.
        let stopped = [(1, 6, 90, "g1f3"), (3, 5, 30, "d2d4")];
        let others = named(&[(40, "e4"), (30, "d4")]);
        assert_eq!(after(&stopped, "g1f3"), (90, 6, others));
        let others = named(&[(30, "d4"), (20, "c4")]);
        assert_eq!(after(&[(1, 6, 35, "g1f3")], "g1f3"), (35, 6, others));
        // No iteration is complete.
        let few = [(1, 1, 10, "e2e4"), (2, 1, 5, "d2d4"), (1, 2, 20, "c2c4")];
        let others = named(&[(10, "e4"), (5, "d4")]);
        assert_eq!(settled(&few, "c2c4"), (20, 2, others));
    }
}
