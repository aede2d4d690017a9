//! `analyze`: the engine searches a position.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use engine::{Limits, Outcome, Score, Searcher, Signals};
use movegen::Game;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::moves;
use crate::position::{self, Position};
use crate::record::Record;

/// How often Ctrl-C is looked for.
const POLL: Duration = Duration::from_millis(50);

/// An engine of an earlier analysis, with the MiB of its table and its threads: to make one takes longer
/// than a small search.
struct Idle {
    hash: usize,
    searcher: Searcher,
}

static IDLE: Mutex<Vec<Idle>> = Mutex::new(Vec::new());

/// What the engine found, with the names of EPD's opcodes.
///
/// `ce` is in centipawns for the side to move, and 32767 - n for a mate in n plies. `pv` is the best line
/// and `pm` its first move, None if there is no legal one. `acd`, `acn` and `acs` are depth, nodes and
/// seconds; `time` is not rounded.
#[pyclass(module = "epode", frozen)]
pub struct Analysis {
    position: Position,
    outcome: Outcome,
}

#[pymethods]
impl Analysis {
    #[getter]
    fn ce(&self) -> i32 {
        self.outcome.score.ce()
    }

    /// The evaluation in centipawns for the side to move, None if it is a mate.
    #[getter]
    fn cp(&self) -> Option<i32> {
        let score = self.outcome.score;
        (!score.is_mate()).then(|| score.ce())
    }

    /// The moves to mate, negative if the side to move is mated, None if it is no mate. 0 is checkmate.
    #[getter]
    fn mate(&self) -> Option<i64> {
        let score = self.outcome.score;
        let moves = score.mate_plies()?.div_ceil(2) as i64;
        Some(if score > Score::DRAW { moves } else { -moves })
    }

    #[getter]
    fn pv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let Position { inner, chess960 } = &self.position;
        moves::line(py, inner, &self.outcome.pv, *chess960)
    }

    #[getter]
    fn pm<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        let Position { inner, chess960 } = &self.position;
        let best = self.outcome.best?;
        Some(moves::text(py, inner, best, *chess960))
    }

    #[getter]
    fn acd(&self) -> usize {
        self.outcome.depth
    }

    #[getter]
    fn acn(&self) -> u64 {
        self.outcome.nodes
    }

    #[getter]
    fn acs(&self) -> u64 {
        self.time().round() as u64
    }

    /// The seconds that the search took.
    #[getter]
    fn time(&self) -> f64 {
        self.outcome.time.as_secs_f64()
    }

    /// The operations that `epode pfga` writes, for `record.update(analysis.operations)`.
    #[getter]
    fn operations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let operations = PyDict::new(py);
        operations.set_item("acd", self.acd())?;
        operations.set_item("acn", self.acn())?;
        operations.set_item("ce", self.ce())?;
        if let Some(best) = self.pm(py) {
            operations.set_item("pm", best)?;
        }
        operations.set_item("pv", self.pv(py)?)?;
        Ok(operations)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let best = self.pm(py);
        let best = best.map_or_else(|| "None".to_owned(), |best| format!("'{best}'"));
        let (ce, acd, acn) = (self.ce(), self.acd(), self.acn());
        format!("<epode.Analysis pm={best} ce={ce} acd={acd} acn={acn}>")
    }
}

/// Searches a position: a Record, a Position or a FEN. The result does not depend on earlier searches.
///
/// At least one limit is needed: `nodes`, `depth` in plies, or `time` in seconds (or a timedelta). `hash`
/// is the transposition table in MiB, by default as much as the nodes need, 16 at most. Other threads
/// of Python run meanwhile, and Ctrl-C ends the search.
#[pyfunction]
#[pyo3(signature = (position, *, nodes = None, depth = None, time = None, threads = 1, hash = None))]
pub fn analyze(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    nodes: Option<u64>,
    depth: Option<usize>,
    time: Option<&Bound<'_, PyAny>>,
    threads: usize,
    hash: Option<usize>,
) -> PyResult<Analysis> {
    let position = subject(position)?;
    let limits = Limits {
        nodes,
        depth,
        hard_time: time.map(seconds).transpose()?,
        ..Limits::default()
    };
    if limits == Limits::default() {
        return Err(PyTypeError::new_err(
            "expected a limit: nodes, depth or time",
        ));
    }
    if nodes == Some(0) || depth == Some(0) {
        return Err(PyValueError::new_err(
            "nodes and depth: expected at least 1",
        ));
    }
    if !(1..=1024).contains(&threads) {
        return Err(PyValueError::new_err("threads: expected 1 to 1024"));
    }
    let hash = hash.unwrap_or_else(|| enough(nodes));
    if !(1..=1 << 20).contains(&hash) {
        return Err(PyValueError::new_err("hash: expected 1 to 1048576 MiB"));
    }
    let mut searcher = searcher(hash)?;
    searcher.set_threads(threads);
    let (searcher, outcome) = search(py, searcher, position, limits)?;
    idle().push(Idle { hash, searcher });
    Ok(Analysis { position, outcome })
}

/// The MiB for a search of so many nodes, as in `epode pfga`: to clear a large table takes longer than a
/// small search.
fn enough(nodes: Option<u64>) -> usize {
    const BYTES_A_NODE: u64 = 32;
    const MOST: u64 = 16;
    nodes.map_or(MOST, |nodes| {
        (nodes.saturating_mul(BYTES_A_NODE) >> 20).clamp(1, MOST)
    }) as usize
}

/// The position of an argument.
fn subject(argument: &Bound<'_, PyAny>) -> PyResult<Position> {
    if let Ok(position) = argument.cast::<Position>() {
        return Ok(*position.get());
    }
    if let Ok(record) = argument.cast::<Record>() {
        return record.borrow().legal_position();
    }
    match argument.cast::<PyString>() {
        Ok(fen) => Position::of_setup(&position::setup(&fen.to_cow()?, false)?, false),
        Err(_) => Err(PyTypeError::new_err(
            "expected a Record, a Position or a FEN",
        )),
    }
}

/// A time limit: seconds, or a timedelta.
fn seconds(time: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let time = match time.extract::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => Some(time.extract::<Duration>()?),
    };
    time.filter(|time| !time.is_zero())
        .ok_or_else(|| PyValueError::new_err("time: expected seconds above 0"))
}

fn idle() -> std::sync::MutexGuard<'static, Vec<Idle>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An idle engine with a table of this size, or a new one.
fn searcher(hash: usize) -> PyResult<Searcher> {
    let mut idle = idle();
    if let Some(n) = idle.iter().position(|one| one.hash == hash) {
        return Ok(idle.swap_remove(n).searcher);
    }
    // Tables of other sizes are not kept beside each other.
    let other = idle.pop();
    drop(idle);
    let no_memory = |error| PyMemoryError::new_err(format!("hash of {hash} MiB: {error}"));
    match other {
        Some(Idle { mut searcher, .. }) => {
            searcher.set_hash(hash).map_err(no_memory)?;
            Ok(searcher)
        }
        None => Searcher::with_hash(hash).map_err(no_memory),
    }
}

/// Searches on another thread, so that this one sees Ctrl-C.
fn search(
    py: Python<'_>,
    mut searcher: Searcher,
    position: Position,
    limits: Limits,
) -> PyResult<(Searcher, Outcome)> {
    let signals = Arc::new(Signals::default());
    let theirs = Arc::clone(&signals);
    let (sender, receiver) = channel();
    let search = thread::Builder::new()
        .name("epode".to_owned())
        .spawn(move || {
            searcher.clear();
            let game = Game::new(position.inner);
            let outcome = searcher.search(&game, &limits, &theirs, &mut |_| ());
            // Nobody waits for it after Ctrl-C.
            let _ = sender.send((searcher, outcome));
        })?;
    // Python may move the receiver to no other thread, but this one waits without the interpreter.
    let receiver = Mutex::new(receiver);
    loop {
        let received = py.detach(|| {
            let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            receiver.recv_timeout(POLL)
        });
        match received {
            Ok(found) => return Ok(found),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the search has failed"));
            }
        }
        if let Err(interrupt) = py.check_signals() {
            signals.stop.store(true, Relaxed);
            let _ = py.detach(|| search.join());
            return Err(interrupt);
        }
    }
}
