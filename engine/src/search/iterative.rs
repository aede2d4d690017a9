//! Iterative deepening at the root, with aspiration windows and several lines (`MultiPV`).

use crate::eval::adjust::optimism;
use crate::ordering::picker::{MovePicker, Wanted};
use crate::score::{MAX_PLY, Score};
use crate::search::outcome::{Observer, Progress};
use crate::search::params::{aspiration_depth, aspiration_growth, aspiration_margin, mate_margin};
use crate::search::thread::{Best, Shared, Worker};
use crate::search::time::TimeFactor;

/// What a thread has found.
#[derive(Clone, Default)]
pub(crate) struct Deepened {
    /// The lines, the best first; none if a helper was interrupted before its first result, or if there
    /// is no move to search.
    pub lines: Vec<Best>,
    /// The last depth that was finished.
    pub finished: usize,
    pub selective_depth: usize,
    /// The nodes of all threads at the last report; none if there was no report.
    pub reported_nodes: Option<u64>,
}

/// Searches deeper and deeper (<https://www.chessprogramming.org/Iterative_Deepening>), and reports each
/// iteration that was finished.
pub(crate) fn deepen(
    mut worker: Worker<'_>,
    lines: usize,
    observer: &mut Observer<'_>,
) -> Deepened {
    // There are at most as many lines as moves.
    let lines = lines.min(worker.count_root_moves());
    if lines == 0 {
        return Deepened::default();
    }
    let mut best = vec![Best::default(); lines];
    let (mut finished, mut reported_nodes) = (0, None);
    let mut time_factor = TimeFactor::default();
    let mut factor = 1.0;
    let last = worker.shared.depth.unwrap_or(MAX_PLY).clamp(1, MAX_PLY);
    // Every other helper runs a ply ahead, so that not all do the same at the same time
    // (<https://www.chessprogramming.org/Lazy_SMP>).
    for depth in 1 + worker.index % 2..=last {
        if depth > 1 && !worker.allows_iteration(factor) {
            break;
        }
        let ended = search_lines(&mut worker, depth, &mut best, observer);
        if !ended {
            break;
        }
        finished = depth;
        reported_nodes = Some(worker.shared.total_nodes());
        let first = best[0].line.first().copied();
        factor = time_factor.factor(first, best[0].score, worker.root_share(first));
        // Pruning can hide a shorter mate, so the mate is taken for the shortest only when the search is
        // much deeper than the mate is long.
        let mate = best[0].score.mate_plies();
        if lines == 1 && mate.is_some_and(|plies| 2 * plies + mate_margin() <= depth) {
            break;
        }
    }
    // A helper that was interrupted so early has no vote.
    if worker.index == 0 && best[0].line.is_empty() {
        best[0] = worker.fallback();
    }
    worker.publish_nodes();
    best.retain(|line| !line.line.is_empty());
    for line in &mut best {
        line.score = worker.score_of_line(line);
    }
    Deepened {
        lines: best,
        finished,
        selective_depth: worker.selective_depth,
        reported_nodes,
    }
}

/// One iteration for each line: first the best line, then the best line among the moves that no better
/// line begins with. Returns false if it was interrupted. With several lines, those of the previous
/// iteration are then restored, because lines of two iterations could be out of order and begin with
/// the same move. A single line is restored if it only failed high: its exact score says more.
fn search_lines(
    worker: &mut Worker<'_>,
    depth: usize,
    best: &mut [Best],
    observer: &mut Observer<'_>,
) -> bool {
    worker.taken.clear();
    let restores = best.len() > 1 && !best[0].line.is_empty();
    let before = restores.then(|| best.to_vec());
    let mut found = 0;
    for line in best.iter_mut() {
        worker.optimism = optimism(line.score);
        let ended = aspire(worker, depth, line.score);
        let better = worker.take_root_best();
        if ended && better.is_none() && found > 0 {
            // There are no more moves.
            break;
        }
        if let Some(better) = better {
            let only_failed_high =
                better.is_lower_bound && better.line.first() == line.line.first();
            if !only_failed_high {
                *line = better;
            }
            found += 1;
        }
        if !ended {
            if let Some(before) = before {
                best.clone_from_slice(&before);
            } else {
                sort(worker, &mut best[..found]);
            }
            return false;
        }
        worker.taken.extend(line.line.first());
    }
    // A later line can turn out better than an earlier one.
    sort(worker, &mut best[..found]);
    worker.publish_nodes();
    let lines = &best[..found.max(1)];
    report(worker.shared, lines, worker.selective_depth, observer);
    true
}

/// Sorts lines by score, the best first.
fn sort(worker: &Worker<'_>, lines: &mut [Best]) {
    lines.sort_by_key(|line| std::cmp::Reverse((worker.score_of_line(line), line.score)));
}

/// Reports lines, the best first, to the observer.
pub(crate) fn report(
    shared: &Shared<'_>,
    lines: &[Best],
    selective_depth: usize,
    observer: &mut Observer<'_>,
) {
    let Some(observer) = observer else {
        return;
    };
    for (i, line) in lines.iter().enumerate() {
        observer(&Progress {
            depth: line.depth,
            rank: i + 1,
            // The worker counts anew in each search of the root, and the line can come from an
            // earlier one.
            selective_depth: selective_depth.max(line.line.len()),
            score: shared.plan.score(line.line.first().copied(), line.score),
            is_lower_bound: line.is_lower_bound,
            pv: &line.line,
            nodes: shared.total_nodes(),
            time: shared.stopwatch.elapsed(),
            table_permille: shared.table.permille_full(),
            tablebase_hits: shared.total_table_hits(),
        });
    }
}

/// One iteration, in a narrow window around the last score that is widened on the side where the
/// score falls out of it (<https://www.chessprogramming.org/Aspiration_Windows>). Returns false if it was
/// interrupted.
fn aspire(worker: &mut Worker<'_>, depth: usize, last: Score) -> bool {
    let mut margin = aspiration_margin();
    let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
    if depth >= aspiration_depth() && !last.is_decisive() {
        (alpha, beta) = (last - margin, last + margin);
    }
    loop {
        let Some(score) = worker.search_root((alpha, beta), depth) else {
            return false;
        };
        let is_open = alpha == -Score::INFINITE && beta == Score::INFINITE;
        if score > alpha && score < beta || is_open {
            return true;
        }
        margin = margin * aspiration_growth() / 16;
        // A wide window, or one near the scores of wins, is opened completely.
        if score <= alpha {
            alpha = if margin > 500 || score.is_decisive() {
                -Score::INFINITE
            } else {
                score - margin
            };
        } else {
            beta = if margin > 500 || score.is_decisive() {
                Score::INFINITE
            } else {
                score + margin
            };
        }
    }
}

impl Worker<'_> {
    /// The score of a line, as reported.
    fn score_of_line(&self, line: &Best) -> Score {
        let first = line.line.first().copied();
        self.shared.plan.score(first, line.score)
    }

    /// The number of root moves to search.
    fn count_root_moves(&self) -> usize {
        let moves = self.root.legal_moves();
        moves.iter().filter(|&&mv| self.is_left(mv)).count()
    }

    /// The line of a search that was interrupted before its first result: the first move in move order,
    /// and the static evaluation.
    fn fallback(&mut self) -> Best {
        let root = self.root;
        let known = self.shared.table.get(root.key());
        let known = known.and_then(|entry| entry.best);
        let context = self.context(&root);
        let mut picker = MovePicker::new(&root, Wanted::All, known, [None; 2], context);
        let moves = std::iter::from_fn(|| picker.next(&root, self.history));
        let line = moves
            .filter(|&mv| self.searches_root_move(mv))
            .take(1)
            .collect();
        Best {
            score: self.evaluate(&root, 0),
            is_lower_bound: false,
            line,
            depth: 1,
        }
    }
}
