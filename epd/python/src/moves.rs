//! Moves. Python sees them as strings in UCI notation.

use movegen::san::{self, SanError};
use movegen::{CastlingMode, Move, Position, Role, UciMove};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString};

/// Origin and destination, without and with each promotion.
const TEXTS: usize = 64 * 64 * 5;

/// A string for each move, made once: a list of moves then takes no time to make.
static INTERNED: [PyOnceLock<Py<PyString>>; TEXTS] = [const { PyOnceLock::new() }; TEXTS];

/// The mode of castling moves in UCI notation.
pub const fn mode(chess960: bool) -> CastlingMode {
    if chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    }
}

/// A legal move in UCI notation.
pub fn text<'py>(
    py: Python<'py>,
    position: &Position,
    mv: Move,
    chess960: bool,
) -> Bound<'py, PyString> {
    let uci = UciMove::of(position, mv, mode(chess960));
    let promotion = match uci.promotes_to {
        None => 0,
        Some(Role::Knight) => 1,
        Some(Role::Bishop) => 2,
        Some(Role::Rook) => 3,
        Some(_) => 4,
    };
    let index = (promotion * 64 + uci.from.index()) * 64 + uci.to.index();
    let text = INTERNED[index].get_or_init(py, || PyString::intern(py, &uci.to_string()).unbind());
    text.bind(py).clone()
}

/// Moves of one position.
pub fn list<'py>(
    py: Python<'py>,
    position: &Position,
    moves: &[Move],
    chess960: bool,
) -> PyResult<Bound<'py, PyList>> {
    let texts = moves.iter().map(|&mv| text(py, position, mv, chess960));
    PyList::new(py, texts)
}

/// Moves that are played one after the other.
pub fn line<'py>(
    py: Python<'py>,
    position: &Position,
    moves: &[Move],
    chess960: bool,
) -> PyResult<Bound<'py, PyList>> {
    let mut position = *position;
    let texts = moves.iter().map(|&mv| {
        let text = text(py, &position, mv, chess960);
        position.play_unchecked(mv);
        text
    });
    PyList::new(py, texts)
}

/// Reads a legal move in UCI notation or in SAN, with common variants of SAN.
pub fn parse(position: &Position, text: &str) -> Result<Move, SanError> {
    let uci = text.parse::<UciMove>().ok();
    match uci.and_then(|uci| uci.find(position).ok()) {
        Some(mv) => Ok(mv),
        None => san::parse_lenient(position, text).map(|(mv, _)| mv),
    }
}
