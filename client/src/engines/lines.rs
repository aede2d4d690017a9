//! The lines of a search for several of them.

use engine::{Progress, Score};
use movegen::Move;

/// The lines of the last two iterations.
#[derive(Debug, Default)]
pub struct Lines {
    last: Vec<(Score, Vec<Move>)>,
    before: Vec<(Score, Vec<Move>)>,
}

impl Lines {
    /// Adds a line; the best line comes first in each iteration.
    pub fn add(&mut self, progress: &Progress<'_>) {
        if progress.rank == 1 {
            self.before = std::mem::take(&mut self.last);
        }
        self.last.push((progress.score, progress.pv.to_vec()));
    }

    /// Up to `count` lines that begin with moves other than the best and different from each other.
    /// A search that was stopped may have changed its best move since the last complete iteration,
    /// so lines of the previous iteration fill the gaps.
    pub fn other_lines(self, best: Option<Move>, count: usize) -> Vec<(Score, Vec<Move>)> {
        let mut taken: Vec<_> = best.into_iter().collect();
        let mut lines: Vec<_> = self.last.into_iter().chain(self.before).collect();
        lines.retain(|(_, line)| {
            let first = line[0];
            let is_new = !taken.contains(&first);
            taken.push(first);
            is_new
        });
        lines.truncate(count);
        lines
    }
}
