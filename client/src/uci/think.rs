//! The search thread, which runs one job after another.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::{Duration, Instant};

use engine::{
    Limits, Mate, MateOutcome, MateSolver, Net, Outcome, Progress, Score, Searcher, Signals, Wdl,
};
use movegen::{CastlingMode, Move, Position, UciMove};

use super::job::{Job, Task};
use super::options;
use super::output::{print, print_info};
use super::tablebases::{Syzygy, print_bad_tables};
use crate::text::counted;

/// The depth up to which perft does not check the stop flag.
const UNSTOPPED_PERFT: u32 = 4;
/// The nodes to find a move after a mate search was stopped: a few hundredths of a second.
const HASTY_NODES: u64 = 20_000;

/// Runs jobs until the channel is closed.
pub fn think(jobs: &Receiver<Job>, net: Arc<Net>) {
    let mut searcher = Searcher::new(options::HASH);
    searcher.set_net(net);
    let mut tablebases = Syzygy::default();
    for job in jobs {
        match job {
            Job::Clear => searcher.clear(),
            Job::Hash(mib) => {
                if let Err(refused) = searcher.set_hash(mib) {
                    print_info(&refused.to_string());
                }
            }
            Job::Threads(threads) => searcher.set_threads(threads),
            Job::Lines(lines) => searcher.set_lines(lines),
            Job::Tablebases(setting) => searcher.set_probing(tablebases.set(setting)),
            Job::Ready => print("readyok"),
            Job::Refuse(reasons) => {
                for reason in reasons {
                    print_info(&reason);
                }
                print("bestmove 0000");
            }
            Job::Perft(position, depth, mode, signals) => {
                let told = perft(&position, depth, mode, &signals);
                drop(signals);
                print(&told);
            }
            Job::Think(task) => answer(&mut searcher, *task),
        }
    }
}

/// Searches, and prints `bestmove` when the protocol allows it.
fn answer(searcher: &mut Searcher, task: Task) {
    let (best, ponder) = match prove(&task) {
        Proof::Mate(best, ponder) => (Some(best), ponder),
        Proof::None(limits) => moves_of(&search(searcher, &task, &limits, &task.signals)),
        Proof::Stopped(limits) => moves_of(&search(searcher, &task, &limits, &Signals::default())),
    };
    let answer = best.map_or_else(
        || "bestmove 0000".to_owned(),
        |best| {
            let line: Vec<_> = std::iter::once(best).chain(ponder).collect();
            let mut words = uci_moves(task.game.position(), &line, task.castling_mode).into_iter();
            let best = format!("bestmove {}", words.next().unwrap_or_default());
            words.fold(best, |answer, ponder| format!("{answer} ponder {ponder}"))
        },
    );
    // Without limits, or while pondering, `bestmove` must wait for `stop` or `ponderhit`.
    let is_endless = task.is_infinite || task.limits == Limits::default() && task.mate.is_none();
    let Task {
        signals, answered, ..
    } = task;
    while !signals.stop.load(Relaxed) && (is_endless || signals.pondering.load(Relaxed)) {
        thread::sleep(Duration::from_millis(1));
    }
    // Dropped before the answer, so that the engine is idle when the answer is read.
    drop(signals);
    let _ = answered.set(Instant::now());
    print(&answer);
}

fn moves_of(outcome: &Outcome) -> (Option<Move>, Option<Move>) {
    (outcome.best, outcome.ponder)
}

fn search(searcher: &mut Searcher, task: &Task, limits: &Limits, signals: &Signals) -> Outcome {
    searcher.set_root_moves(task.moves.clone());
    let outcome = searcher.search(&task.game, limits, signals, &mut |progress| {
        print(&info(progress, task));
    });
    if let Some(probing) = searcher.probing() {
        print_bad_tables(&probing.tablebases);
    }
    if outcome.best.is_none() {
        let score = match outcome.score.mate_plies() {
            Some(_) => "mate 0",
            None => "cp 0",
        };
        print(&format!("info depth 0 score {score}"));
    }
    outcome
}

/// The result of a mate search.
enum Proof {
    /// The first moves of the shortest mate.
    Mate(Move, Option<Move>),
    /// No mate was requested or found; the remaining limits.
    None(Limits),
    /// The search was stopped; the limits for finding a move, which ignore the stop flag.
    Stopped(Limits),
}

/// Searches for a mate, if requested, with half of the limits.
fn prove(task: &Task) -> Proof {
    let limits = task.limits;
    let Some(moves) = task.mate else {
        return Proof::None(limits);
    };
    let position = task.game.position();
    if position.count_moves() == 0 {
        return Proof::None(limits);
    }
    let mut solver = match MateSolver::new(options::HASH) {
        Ok(solver) => solver,
        Err(refused) => {
            print_info(&refused.to_string());
            return Proof::None(limits);
        }
    };
    let half = Limits {
        nodes: limits.nodes.map(|nodes| nodes / 2),
        hard_time: limits.hard_time.map(|time| time / 2),
        ..Limits::default()
    };
    let found = solver.solve(position, moves, &half, &task.signals);
    let left = |time: Option<Duration>| time.map(|time| time.saturating_sub(found.time));
    let rest = Limits {
        nodes: limits.nodes.map(|nodes| nodes.saturating_sub(found.nodes)),
        soft_time: left(limits.soft_time),
        optimum_time: left(limits.optimum_time),
        hard_time: left(limits.hard_time),
        ..limits
    };
    match &found.mate {
        Mate::Found(line) if task.moves.is_empty() || task.moves.contains(&line[0]) => {
            tell_mate(task, line, &found);
            Proof::Mate(line[0], line.get(1).copied())
        }
        // Another mate may begin with one of `searchmoves`.
        Mate::Found(_) => Proof::None(rest),
        Mate::None => {
            print(&format!(
                "info string no mate in {moves}: proven, {}",
                counted(found.nodes, "node", "nodes")
            ));
            Proof::None(rest)
        }
        Mate::Undecided { none_in } => {
            print(&format!(
                "info string no mate in {none_in}, perhaps one in {moves}: {}",
                counted(found.nodes, "node", "nodes")
            ));
            if task.signals.stop.load(Relaxed) {
                let nodes = rest
                    .nodes
                    .map_or(HASTY_NODES, |nodes| nodes.min(HASTY_NODES));
                Proof::Stopped(Limits::nodes(nodes))
            } else {
                Proof::None(rest)
            }
        }
    }
}

fn tell_mate(task: &Task, line: &[Move], found: &MateOutcome) {
    let progress = Progress {
        depth: line.len(),
        rank: 1,
        selective_depth: line.len(),
        score: Score::mate_in(line.len()),
        pv: line,
        nodes: found.nodes,
        time: found.time,
        table_permille: 0,
        tablebase_hits: 0,
    };
    print(&info(&progress, task));
}

/// Counts the leaf nodes below each move, and their sum.
fn perft(position: &Position, depth: u32, mode: CastlingMode, signals: &Signals) -> String {
    let mut sum = u64::from(depth == 0);
    if depth > 0 {
        for mv in position.legal_moves() {
            let mut after = *position;
            after.play(mv);
            let Some(leaves) = count(&after, depth - 1, signals) else {
                return "info string perft was stopped".to_owned();
            };
            print(&format!("{}: {leaves}", UciMove::of(position, mv, mode)));
            sum += leaves;
        }
    }
    format!("\nNodes searched: {sum}\n")
}

/// Counts the leaf nodes at a depth; none if it was stopped.
fn count(position: &Position, depth: u32, signals: &Signals) -> Option<u64> {
    if signals.stop.load(Relaxed) {
        return None;
    }
    if depth <= UNSTOPPED_PERFT {
        return Some(movegen::perft(position, depth));
    }
    let mut sum = 0;
    for mv in position.legal_moves() {
        let mut after = *position;
        after.play(mv);
        sum += count(&after, depth - 1, signals)?;
    }
    Some(sum)
}

/// A line of moves in UCI notation.
fn uci_moves(root: &Position, line: &[Move], mode: CastlingMode) -> Vec<String> {
    let mut position = *root;
    let moves = line.iter().map(|&mv| {
        let text = UciMove::of(&position, mv, mode).to_string();
        position.play(mv);
        text
    });
    moves.collect()
}

/// The `info` line of an iteration.
fn info(progress: &Progress<'_>, task: &Task) -> String {
    let root = task.game.position();
    let wdl = if task.show_wdl {
        let Wdl { win, draw, loss } = Wdl::of(progress.score, root);
        format!(" wdl {win} {draw} {loss}")
    } else {
        String::new()
    };
    let milliseconds = progress.time.as_millis();
    let rate = progress.nodes as f64 / progress.time.as_secs_f64().max(1e-3);
    let pv = uci_moves(root, progress.pv, task.castling_mode);
    format!(
        "info depth {} seldepth {} multipv {} score {}{wdl} nodes {} nps {rate:.0} hashfull {} tbhits {} time {milliseconds} pv {}",
        progress.depth,
        progress.selective_depth,
        progress.rank,
        score(progress.score),
        progress.nodes,
        progress.table_permille,
        progress.tablebase_hits,
        pv.join(" ")
    )
}

/// `cp 31`, or `mate 3` in moves.
fn score(score: Score) -> String {
    match score.mate_plies() {
        None => format!("cp {}", score.ce()),
        Some(plies) if score > Score::DRAW => format!("mate {}", plies.div_ceil(2)),
        Some(plies) => format!("mate -{}", plies.div_ceil(2)),
    }
}
