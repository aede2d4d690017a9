//! The tree: principal variation search with selective depth
//! (<https://www.chessprogramming.org/Principal_Variation_Search>).

use arrayvec::ArrayVec;
use movegen::{Move, Position, Role};

use crate::correction::{Likeness, corrected};
use crate::endgame;
use crate::eval::evaluate;
use crate::history::Step;
use crate::order::{MovePicker, Wanted, is_noisy};
#[allow(clippy::wildcard_imports, reason = "a dictionary")]
use crate::params::*;
use crate::quiesce::Begun;
use crate::score::{MAX_PLY, Score};
use crate::see;
use crate::table::{Bound, Entry};
use crate::worker::{Best, Worker};

/// What kind of node is searched.
pub(crate) trait Node {
    const ROOT: bool;
    /// The window is open: the exact score and the line matter.
    const PV: bool;
}
pub(crate) struct Root;
pub(crate) struct Pv;
pub(crate) struct NonPv;
impl Node for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}
impl Node for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}
impl Node for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
}

impl Worker<'_> {
    /// Searches the root to a depth; `None` when the search was broken off.
    pub fn search_root(&mut self, alpha: Score, beta: Score, depth: usize) -> Option<Score> {
        self.may_stop = depth > 1;
        self.depth = depth;
        self.selective_depth = 0;
        let root = self.root;
        let score = self.node::<Root>(&root, (alpha, beta), depth as i32, 0, false);
        (!self.stopped).then_some(score)
    }

    /// The score of a position for the side to move, searched `depth` plies deep.
    ///
    /// Between alpha and beta the score is exact as far as the depth goes; one that is alpha or
    /// less is an upper bound, one that is beta or more a lower bound. In a PV node
    /// `self.lines[ply]` is the line of a score between the two. What is returned after
    /// `self.stopped` was raised means nothing.
    #[allow(
        clippy::too_many_lines,
        reason = "numbered steps that share their state"
    )]
    fn node<N: Node>(
        &mut self,
        position: &Position,
        (mut alpha, mut beta): (Score, Score),
        mut depth: i32,
        ply: usize,
        cut: bool,
    ) -> Score {
        // 1. A check is answered before anything is judged.
        let in_check = position.is_check();
        let excluded = self.excluded[ply];
        if in_check && excluded.is_none() {
            depth += 1;
        }
        if depth <= 0 {
            return self.quiesce::<N>(position, alpha, beta, ply, Begun::at(ply));
        }
        if N::PV {
            self.lines[ply].clear();
        }
        if self.enter_node(ply) {
            return Score::DRAW;
        }

        // 2. Draws, the end of the board's memory, and mates that are near enough already.
        if !N::ROOT {
            if self.is_draw(position, ply) {
                return Score::DRAW;
            }
            if ply >= MAX_PLY {
                return if in_check {
                    Score::DRAW
                } else {
                    judge(position)
                };
            }
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // 3. What is known already.
        let entry = self.shared.table.get(position.key());
        if let Some(entry) = entry
            && !N::PV
            && excluded.is_none()
            && i32::from(entry.depth) >= depth
            && position.halfmove_clock() < TABLE_CLOCK_LIMIT
            && let Some(score) = cutoff(&entry, alpha, beta, ply)
        {
            return score;
        }
        let table_move = entry.and_then(|entry| entry.best);
        let table_noisy = table_move.is_some_and(|mv| is_noisy(position, mv));

        // 4. The static evaluation, and whether the side to move has gained since its last move.
        let likeness = Likeness::of(position, self.before()[0]);
        let (uncorrected, evaluation) = if in_check {
            (Score::ILLEGAL, Score::ILLEGAL)
        } else {
            let evaluation = static_evaluation(position, entry);
            let correction = self.history.corrections.correction(likeness);
            (evaluation, corrected(evaluation, correction))
        };
        self.evaluations[ply] = evaluation;
        let improving = !in_check && self.is_improving(evaluation, ply);
        let estimate = entry.map_or(evaluation, |entry| better_estimate(evaluation, &entry, ply));

        // 5. Nodes that are decided without a search of all moves.
        if !N::PV && !in_check && excluded.is_none() && !beta.is_mate() {
            if depth <= REVERSE_FUTILITY_DEPTH
                && estimate - reverse_futility_margin(depth, improving) >= beta
            {
                return estimate;
            }
            if depth <= RAZORING_DEPTH && estimate + RAZORING_MARGIN * depth <= alpha {
                let score = self.quiesce::<NonPv>(position, alpha, beta, ply, Begun::at(ply));
                if score <= alpha {
                    return score;
                }
            }
            if depth >= NULL_MOVE_DEPTH
                && estimate >= beta
                && let Some(score) = self.null_move(position, estimate, beta, depth, ply, cut)
            {
                return score;
            }
            if depth >= PROBCUT_DEPTH
                && let Some(score) =
                    self.probcut(position, entry, evaluation, beta, depth, ply, cut)
            {
                return score;
            }
        }

        // 6. Without a move to begin with, a shallower search finds one for the next time
        //    (<https://www.chessprogramming.org/Internal_Iterative_Reductions>).
        if depth >= INTERNAL_REDUCTION_DEPTH && table_move.is_none() {
            depth -= 1;
        }

        // 7. The moves.
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut bound = Bound::Upper;
        let mut tried_quiets: ArrayVec<Move, 64> = ArrayVec::new();
        let mut tried_noisy: ArrayVec<Move, 32> = ArrayVec::new();
        let mut searched = 0;
        let killers = self.history.killers(ply);
        let before = self.before();
        let mut picker = MovePicker::new(position, Wanted::All, table_move, killers, before);
        while let Some(mv) = picker.next(position, self.history) {
            if N::ROOT && !self.searches_root_move(mv) || Some(mv) == excluded {
                continue;
            }
            let noisy = is_noisy(position, mv);

            // 8. Late and hopeless moves, once there is one that does not lose by force.
            if !N::ROOT && best > -Score::ordinary(Score::ORDINARY_LIMIT) {
                if !noisy
                    && !in_check
                    && (is_late(searched, depth, improving) || is_futile(evaluation, alpha, depth))
                {
                    picker.skip_quiets();
                    continue;
                }
                if !noisy
                    && !in_check
                    && depth <= HISTORY_DEPTH
                    && self.history.quiet(position, mv, before) < HISTORY_MARGIN * depth
                {
                    continue;
                }
                if depth <= EXCHANGE_DEPTH
                    && !see::wins_at_least(position, mv, -exchange_margin(noisy, depth))
                {
                    continue;
                }
            }

            // 9. A move of the table that is better than all others by far is searched deeper.
            let mut extension = 0;
            if !N::ROOT
                && depth >= SINGULAR_DEPTH
                && excluded.is_none()
                && table_move == Some(mv)
                && let Some(entry) = entry
                && entry.bound != Bound::Upper
                && i32::from(entry.depth) >= depth - SINGULAR_TABLE_DEPTH
                && !entry.score.is_mate()
                && ply < 2 * self.depth
            {
                match self.singular::<N>(
                    position,
                    (alpha, beta),
                    (mv, entry.score),
                    depth,
                    ply,
                    cut,
                ) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::Cut(score) => return score,
                }
                if self.stopped {
                    return Score::DRAW;
                }
            }

            // 10. The first move with the whole window, the others with none at first, and shallower
            //    the later they come.
            let nodes_before = self.nodes;
            let after = self.enter(position, mv);
            let mut next = depth - 1 + extension;
            let mut score = -Score::INFINITE;
            let mut proven = searched == 0;
            if searched > 0 {
                let mut reduction = 0;
                if depth >= REDUCTION_DEPTH && searched >= REDUCTION_MOVES {
                    reduction = reduction_of(noisy, depth, searched);
                    reduction -= REDUCTION_PV * i32::from(N::PV);
                    reduction += REDUCTION_CUT * i32::from(cut);
                    reduction += REDUCTION_NOT_IMPROVING * i32::from(!improving);
                    reduction += REDUCTION_NOISY_TABLE_MOVE * i32::from(table_noisy);
                    reduction -= REDUCTION_KILLER * i32::from(killers.contains(&Some(mv)));
                    reduction -= REDUCTION_CHECK * i32::from(after.is_check());
                    let (history, divisor) = if noisy {
                        let history = self.history.noisy(position, mv);
                        (history, REDUCTION_NOISY_HISTORY_DIVISOR)
                    } else {
                        let history = self.history.quiet(position, mv, before);
                        (history, REDUCTION_HISTORY_DIVISOR)
                    };
                    reduction -= history * 1024 / divisor;
                    reduction = (reduction / 1024).clamp(0, (next - 1).max(0));
                }
                let window = (-(alpha + 1), -alpha);
                score = -self.node::<NonPv>(&after, window, next - reduction, ply + 1, true);
                if score > alpha && reduction > 0 {
                    // How much better it is says how deep it is worth looking.
                    next += i32::from(score > best + (DEEPER_BASE + DEEPER_MARGIN * next));
                    next -= i32::from(score < best + SHALLOWER_MARGIN);
                    score = -self.node::<NonPv>(&after, window, next, ply + 1, !cut);
                }
                proven = N::PV && score > alpha;
            }
            if proven {
                score = if N::PV {
                    -self.node::<Pv>(&after, (-beta, -alpha), next, ply + 1, false)
                } else {
                    -self.node::<NonPv>(&after, (-beta, -alpha), next, ply + 1, !cut)
                };
            }
            self.leave();
            if N::ROOT {
                self.add_root_effort(mv, self.nodes - nodes_before);
            }
            if self.stopped {
                return Score::DRAW;
            }
            searched += 1;

            // 11. What the move has shown.
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.extend_line(ply, mv);
                    }
                    if N::ROOT {
                        self.root_best = Some(Best {
                            score,
                            line: self.lines[0].clone(),
                        });
                    }
                    if score >= beta {
                        bound = Bound::Lower;
                        let capture = noisy.then_some(mv);
                        self.history
                            .learn_noisy(position, depth, capture, &tried_noisy);
                        if !noisy {
                            let at = (ply, depth);
                            self.history.learn(position, at, before, mv, &tried_quiets);
                        }
                        break;
                    }
                    alpha = score;
                    bound = Bound::Exact;
                }
            }
            // More than these have no say.
            let _ = if noisy {
                tried_noisy.try_push(mv)
            } else {
                tried_quiets.try_push(mv)
            };
        }

        // 12. No move at all: mate or stalemate.
        if searched == 0 {
            return if excluded.is_some() {
                alpha
            } else if in_check {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            };
        }
        // What the best of some moves is says nothing of the position.
        if N::ROOT && !self.taken.is_empty() || excluded.is_some() {
            return best;
        }
        // What a quiet search says of a quiet position, as far as its bound says it.
        if !in_check
            && !best.is_mate()
            && best_move.is_none_or(|mv| !is_noisy(position, mv))
            && !(bound == Bound::Lower && best <= evaluation)
            && !(bound == Bound::Upper && best >= evaluation)
        {
            let error = best.ce() - evaluation.ce();
            self.history.corrections.learn(likeness, depth, error);
        }
        self.shared.table.put(
            position.key(),
            Entry {
                best: best_move,
                score: best.from_root_to_node(ply),
                evaluation: uncorrected,
                depth: depth.min(MAX_PLY as i32) as u8,
                bound,
            },
        );
        best
    }

    /// Whether the side to move has gained since its last move, or the one before if that answered
    /// a check.
    fn is_improving(&self, evaluation: Score, ply: usize) -> bool {
        let earlier = [2, 4]
            .into_iter()
            .filter_map(|back| Some(self.evaluations[ply.checked_sub(back)?]))
            .find(|&earlier| earlier != Score::ILLEGAL);
        earlier.is_some_and(|earlier| evaluation > earlier)
    }

    /// A capture that beats beta by far in a shallow search would beat it in a deep one
    /// (<https://www.chessprogramming.org/ProbCut>).
    #[allow(clippy::too_many_arguments, reason = "a step of the node")]
    fn probcut(
        &mut self,
        position: &Position,
        entry: Option<Entry>,
        evaluation: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Option<Score> {
        let mark = beta + PROBCUT_MARGIN;
        let shallow = depth - PROBCUT_REDUCTION;
        if entry.is_some_and(|entry| {
            i32::from(entry.depth) >= shallow && entry.score.from_node_to_root(ply) < mark
        }) {
            return None;
        }
        let least = mark.ce() - evaluation.ce();
        let table_move = entry.and_then(|entry| entry.best);
        let wanted = Wanted::Noisy(least);
        let mut picker = MovePicker::new(position, wanted, table_move, [None; 2], self.before());
        while let Some(mv) = picker.next(position, self.history) {
            let after = self.enter(position, mv);
            let window = (-mark, -(mark - 1));
            let begun = Begun::at(ply + 1);
            let mut score = -self.quiesce::<NonPv>(&after, window.0, window.1, ply + 1, begun);
            if score >= mark {
                score = -self.node::<NonPv>(&after, window, shallow, ply + 1, !cut);
            }
            self.leave();
            if self.stopped {
                return Some(Score::DRAW);
            }
            if score >= mark {
                return Some(if score.is_mate() {
                    score
                } else {
                    score - (mark.ce() - beta.ce())
                });
            }
        }
        None
    }

    /// A side that is still ahead after it has passed may stop here
    /// (<https://www.chessprogramming.org/Null_Move_Pruning>). Not with pawns alone, where passing
    /// is often better than any move.
    fn null_move(
        &mut self,
        position: &Position,
        evaluation: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Option<Score> {
        // Not twice in a row, and not where it is being verified.
        if self.before()[0] == Step::NONE && ply > 0 || ply < self.no_null_below {
            return None;
        }
        let pawns_and_king = position.role(Role::Pawn) | position.role(Role::King);
        if (position.color(position.turn()) & !pawns_and_king).is_empty() {
            return None;
        }
        let lead = (evaluation.ce() - beta.ce()) / NULL_MOVE_LEAD_DIVISOR;
        let reduction =
            NULL_MOVE_BASE + depth / NULL_MOVE_DEPTH_DIVISOR + lead.min(NULL_MOVE_LEAD_LIMIT);
        let after = self.enter_null(position);
        let score = -self.node::<NonPv>(
            &after,
            (-beta, -(beta - 1)),
            depth - reduction,
            ply + 1,
            !cut,
        );
        self.leave();
        if self.stopped || score < beta {
            return None;
        }
        // A mate that only a pass makes possible is no mate.
        let score = if score.is_mate() { beta } else { score };
        if depth < NULL_MOVE_VERIFICATION_DEPTH || self.no_null_below > 0 {
            return Some(score);
        }
        // Deep down a zugzwang would cost a lot: the same search without passing has to agree.
        let shallow = depth - reduction;
        self.no_null_below = ply + (3 * shallow / 4).max(1) as usize;
        let verified = self.node::<NonPv>(position, (beta - 1, beta), shallow, ply, false);
        self.no_null_below = 0;
        (verified >= beta && !self.stopped).then_some(score)
    }

    /// Whether a move, good for `score` by the table, is the only one that is about as good: the
    /// others are searched half as deep against a lower mark
    /// (<https://www.chessprogramming.org/Singular_Extensions>).
    fn singular<N: Node>(
        &mut self,
        position: &Position,
        (alpha, beta): (Score, Score),
        (mv, score): (Move, Score),
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Singular {
        let mark = score - SINGULAR_MARGIN * depth / 16;
        self.excluded[ply] = Some(mv);
        let window = (mark - 1, mark);
        let others = self.node::<NonPv>(position, window, (depth - 1) / 2, ply, cut);
        self.excluded[ply] = None;
        if others < mark {
            let by_far = !N::PV && others + DOUBLE_MARGIN < mark;
            return Singular::Extend(if by_far { 2 } else { 1 });
        }
        // A second move that is good enough for a cut-off: probably there is one.
        if others >= beta && !others.is_mate() {
            return Singular::Cut(others);
        }
        Singular::Extend(if score >= beta {
            -2 + i32::from(N::PV)
        } else if cut || score <= alpha {
            -1
        } else {
            0
        })
    }
}

/// What comes of a move that may be singular.
enum Singular {
    /// It is searched so many plies deeper.
    Extend(i32),
    /// The node is decided.
    Cut(Score),
}

/// The static evaluation of a position that is not in check, from the table if it is there.
pub(crate) fn static_evaluation(position: &Position, entry: Option<Entry>) -> Score {
    match entry {
        Some(entry) if entry.evaluation != Score::ILLEGAL => entry.evaluation,
        _ => judge(position),
    }
}

/// The static evaluation of a position: what is known of an ending, or else what is guessed.
pub(crate) fn judge(position: &Position) -> Score {
    endgame::known(position).unwrap_or_else(|| evaluate(position))
}

/// The evaluation, or the score of the table where that is known to be nearer.
fn better_estimate(evaluation: Score, entry: &Entry, ply: usize) -> Score {
    let score = entry.score.from_node_to_root(ply);
    let nearer = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score > evaluation,
        Bound::Upper => score < evaluation,
    };
    if nearer && !score.is_mate() {
        score
    } else {
        evaluation
    }
}

/// The score of a table entry, if it settles a node with this window.
pub(crate) fn cutoff(entry: &Entry, alpha: Score, beta: Score, ply: usize) -> Option<Score> {
    let score = entry.score.from_node_to_root(ply);
    let settles = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    settles.then_some(score)
}

/// How far above beta the evaluation must be
/// (<https://www.chessprogramming.org/Reverse_Futility_Pruning>).
fn reverse_futility_margin(depth: i32, improving: bool) -> i32 {
    REVERSE_FUTILITY_MARGIN * (depth - i32::from(improving))
}

/// Whether so many moves have been tried that a quiet one can be left out
/// (<https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning>).
fn is_late(searched: usize, depth: i32, improving: bool) -> bool {
    let limit = LATE_MOVE_BASE + depth * depth;
    depth <= LATE_MOVE_DEPTH && searched as i32 >= if improving { limit } else { limit / 2 }
}

/// Whether the evaluation is so far below alpha that a quiet move will not mend it
/// (<https://www.chessprogramming.org/Futility_Pruning>).
fn is_futile(evaluation: Score, alpha: Score, depth: i32) -> bool {
    depth <= FUTILITY_DEPTH && evaluation + FUTILITY_BASE + FUTILITY_MARGIN * depth <= alpha
}

/// What a move may lose in exchanges and still be searched.
fn exchange_margin(noisy: bool, depth: i32) -> i32 {
    depth
        * if noisy {
            EXCHANGE_NOISY_MARGIN
        } else {
            EXCHANGE_QUIET_MARGIN
        }
}

/// How much less deep a late move is searched, in 1024ths of a ply
/// (<https://www.chessprogramming.org/Late_Move_Reductions>).
fn reduction_of(noisy: bool, depth: i32, searched: usize) -> i32 {
    static TABLES: std::sync::LazyLock<[[[i16; 64]; 64]; 2]> = std::sync::LazyLock::new(|| {
        [REDUCTION_QUIET, REDUCTION_NOISY].map(|(base, divisor)| {
            std::array::from_fn(|depth| {
                std::array::from_fn(|searched| {
                    let logarithms = (depth.max(1) as f64).ln() * (searched.max(1) as f64).ln();
                    (1024.0 * (base + logarithms / divisor)) as i16
                })
            })
        })
    });
    TABLES[usize::from(noisy)][depth.min(63) as usize][searched.min(63)].into()
}
