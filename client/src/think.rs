//! The search thread of the front ends, which runs one job after another.

pub mod job;
pub mod tablebases;

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::Duration;

use engine::{
    Limits, Mate, MateOutcome, MateSolver, Net, Outcome, Progress, Score, Searcher, Signals,
};
use movegen::Move;

use crate::text::counted;
use job::{Job, Task};
use tablebases::{Syzygy, tell_bad_tables};

/// The default size of the table in MiB.
pub const HASH: usize = 16;
/// The nodes to find a move after a mate search was stopped: a few hundredths of a second.
const HASTY_NODES: u64 = 20_000;

/// Runs jobs until the channel is closed. `complain` shows the user what went wrong.
pub fn think(jobs: &Receiver<Job>, net: Arc<Net>, complain: fn(&str)) {
    let mut searcher = Searcher::new(HASH);
    searcher.set_net(net);
    let mut tablebases = Syzygy::default();
    let mut lines = 1;
    for job in jobs {
        match job {
            Job::Clear => searcher.clear(),
            Job::Hash(mib) => {
                if let Err(refused) = searcher.set_hash(mib) {
                    complain(&refused.to_string());
                }
            }
            Job::Threads(threads) => searcher.set_threads(threads),
            Job::Lines(number) => lines = number,
            Job::Tablebases(setting) => {
                searcher.set_probing(tablebases.set(setting, complain));
            }
            Job::Net(net) => searcher.set_net(net),
            Job::Run(run) => run(),
            Job::Think(task) => answer(&mut searcher, *task, lines),
        }
    }
}

/// Searches, and answers when the protocol allows it.
fn answer(searcher: &mut Searcher, mut task: Task, lines: usize) {
    let found = match prove(&mut task) {
        Proof::Mate(found) => found,
        Proof::None(limits) => {
            let signals = Arc::clone(&task.signals);
            search(searcher, &mut task, &limits, &signals, lines)
        }
        Proof::Stopped(limits) => search(searcher, &mut task, &limits, &Signals::default(), lines),
    };
    if let Some(probing) = searcher.probing() {
        tell_bad_tables(&probing.tablebases, |text| task.reporter.note(text));
    }
    // Without limits, or while pondering, the answer must wait for the interface.
    let is_endless = task.is_infinite || task.limits == Limits::default() && task.mate.is_none();
    let Task {
        signals,
        mut reporter,
        ..
    } = task;
    while !signals.stop.load(Relaxed) && (is_endless || signals.pondering.load(Relaxed)) {
        thread::sleep(Duration::from_millis(1));
    }
    // Dropped before the answer, so that the engine is idle when the answer is read.
    drop(signals);
    reporter.answer(found.best, found.reply, found.score);
}

/// The result of a search.
struct Found {
    best: Option<Move>,
    reply: Option<Move>,
    score: Score,
}

impl From<Outcome> for Found {
    fn from(outcome: Outcome) -> Self {
        Self {
            best: outcome.best,
            reply: outcome.ponder,
            score: outcome.score,
        }
    }
}

fn search(
    searcher: &mut Searcher,
    task: &mut Task,
    limits: &Limits,
    signals: &Signals,
    lines: usize,
) -> Found {
    searcher.set_root_moves(task.moves.clone());
    searcher.set_lines(lines);
    let reporter = &mut task.reporter;
    let Some(strength) = task.strength else {
        let mut observer = |progress: &Progress<'_>| reporter.progress(progress);
        return searcher
            .search(&task.game, limits, signals, &mut observer)
            .into();
    };
    let mut observer = |progress: &Progress<'_>| {
        if progress.rank <= lines {
            reporter.progress(progress);
        }
    };
    strength
        .search(searcher, &task.game, limits, signals, &mut observer)
        .into()
}

/// The result of a mate search.
enum Proof {
    /// The shortest mate.
    Mate(Found),
    /// No mate was requested or found; the remaining limits.
    None(Limits),
    /// The search was stopped; the limits for finding a move, which ignore the stop flag.
    Stopped(Limits),
}

/// Searches for a mate, if requested, with half of the limits.
fn prove(task: &mut Task) -> Proof {
    let limits = task.limits;
    let Some(moves) = task.mate else {
        return Proof::None(limits);
    };
    let position = task.game.position();
    if position.count_moves() == 0 {
        return Proof::None(limits);
    }
    let mut solver = match MateSolver::new(HASH) {
        Ok(solver) => solver,
        Err(refused) => {
            task.reporter.note(&refused.to_string());
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
            Proof::Mate(Found {
                best: Some(line[0]),
                reply: line.get(1).copied(),
                score: Score::mate_in(line.len()),
            })
        }
        // Another mate may begin with one of `searchmoves`.
        Mate::Found(_) => Proof::None(rest),
        Mate::None => {
            task.reporter.note(&format!(
                "no mate in {moves}: proven, {}",
                counted(found.nodes, "node", "nodes")
            ));
            Proof::None(rest)
        }
        Mate::Undecided { none_in } => {
            task.reporter.note(&format!(
                "no mate in {none_in}, perhaps one in {moves}: {}",
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

fn tell_mate(task: &mut Task, line: &[Move], found: &MateOutcome) {
    let progress = Progress {
        depth: line.len(),
        rank: 1,
        selective_depth: line.len(),
        score: Score::mate_in(line.len()),
        is_lower_bound: false,
        pv: line,
        nodes: found.nodes,
        time: found.time,
        table_permille: 0,
        tablebase_hits: 0,
    };
    task.reporter.progress(&progress);
}
