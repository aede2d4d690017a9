//! `Position`: a legal position.

use std::hash::{Hash, Hasher};

use movegen::{CastlingMode, Color, Move, San, Setup, Square, perft};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::errors::{MoveError, PositionError};
use crate::moves;

/// A legal position, which does not change: `play` returns a new one.
///
/// Moves are strings in UCI notation, such as 'e2e4' and 'e7e8q'. Every method that takes a move also
/// takes SAN.
#[pyclass(module = "epode", frozen, eq, hash)]
#[derive(Clone, Copy)]
pub struct Position {
    pub inner: movegen::Position,
    /// Whether castling is written as the king that takes its own rook.
    pub chess960: bool,
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.inner == other.inner
    }
}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.inner.hash(state);
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Below this depth perft takes less than a second, and Ctrl-C can wait.
const SHORT_PERFT: u32 = 5;

/// Reads a FEN, or the four position fields of EPD.
pub fn setup(fen: &str, chess960: bool) -> PyResult<Setup> {
    let mode = moves::mode(chess960);
    Setup::from_fen(fen, mode).map_err(|error| {
        PositionError::new_err(format!("column {}: {}: {fen}", error.column, error.kind))
    })
}

impl Position {
    /// The position of a setup. Castling rights that only Chess960 has make it one of Chess960.
    pub fn of_setup(setup: &Setup, chess960: bool) -> PyResult<Self> {
        let inner = movegen::Position::from_setup(setup).map_err(|error| {
            PositionError::new_err(format!("illegal position: {error}: {setup}"))
        })?;
        Ok(Self::of(inner, chess960))
    }

    pub fn of(inner: movegen::Position, chess960: bool) -> Self {
        let chess960 = chess960 || inner.castling_mode() == CastlingMode::Chess960;
        Self { inner, chess960 }
    }

    pub fn parse(&self, text: &str) -> PyResult<Move> {
        moves::parse(&self.inner, text)
            .map_err(|error| MoveError::new_err(format!("{text}: {error}: {}", self.fen())))
    }
}

#[pymethods]
impl Position {
    /// Reads a FEN; the move counters may be missing. Without a FEN it is the starting position.
    #[new]
    #[pyo3(signature = (fen = START, *, chess960 = false))]
    fn new(fen: &str, chess960: bool) -> PyResult<Self> {
        Self::of_setup(&setup(fen, chess960)?, chess960)
    }

    /// The FEN. In Chess960, castling rights are the files of the rooks where KQkq would mean other
    /// castlings.
    #[getter]
    fn fen(&self) -> String {
        self.inner.to_string()
    }

    /// The side to move: 'white' or 'black'.
    #[getter]
    fn turn(&self) -> &'static str {
        match self.inner.turn() {
            Color::White => "white",
            Color::Black => "black",
        }
    }

    /// Whether castling moves are written as the king that takes its own rook: 'e1h1'.
    #[getter]
    fn chess960(&self) -> bool {
        self.chess960
    }

    /// The number of plies since the last capture or pawn move.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        self.inner.halfmove_clock()
    }

    /// The number of the next move, from 1.
    #[getter]
    fn fullmove_number(&self) -> u16 {
        self.inner.fullmove_number()
    }

    /// The square behind a pawn that has just moved two squares, such as 'e3', or None.
    #[getter]
    fn en_passant(&self) -> Option<String> {
        self.inner.en_passant().map(|square| square.to_string())
    }

    /// The legal moves, in UCI notation.
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        moves::list(py, &self.inner, &self.inner.legal_moves(), self.chess960)
    }

    /// Whether the side to move is in check.
    #[getter]
    fn is_check(&self) -> bool {
        self.inner.is_check()
    }

    /// Whether the side to move is checkmated.
    #[getter]
    fn is_checkmate(&self) -> bool {
        self.inner.is_checkmate()
    }

    /// Whether the side to move has no legal move and is not in check.
    #[getter]
    fn is_stalemate(&self) -> bool {
        self.inner.is_stalemate()
    }

    /// Whether no sequence of moves can lead to checkmate with the pieces on the board.
    #[getter]
    fn is_insufficient_material(&self) -> bool {
        self.inner.is_insufficient_material()
    }

    /// The piece on a square such as 'e4': 'P' is a white pawn, 'p' a black one, None no piece.
    fn piece_at(&self, square: &str) -> PyResult<Option<char>> {
        let square: Square = square.parse().map_err(|_| {
            PositionError::new_err(format!("{square:?} is not a square such as e4"))
        })?;
        Ok(self.inner.piece_at(square).map(movegen::Piece::to_char))
    }

    /// Whether a move is legal.
    fn is_legal(&self, mv: &str) -> bool {
        moves::parse(&self.inner, mv).is_ok()
    }

    /// A move in SAN, with its check or mate sign.
    fn san(&self, mv: &str) -> PyResult<String> {
        Ok(San::of(&self.inner, self.parse(mv)?).as_str().to_owned())
    }

    /// Reads a move in SAN, exact or with common deviations, and returns it in UCI notation.
    fn parse_san<'py>(&self, py: Python<'py>, san: &str) -> PyResult<Bound<'py, PyString>> {
        Ok(moves::text(
            py,
            &self.inner,
            self.parse(san)?,
            self.chess960,
        ))
    }

    /// The position after some moves.
    #[pyo3(signature = (*moves))]
    fn play(&self, moves: Vec<String>) -> PyResult<Self> {
        let mut position = *self;
        for text in moves {
            let mv = position.parse(&text)?;
            position.inner.play_unchecked(mv);
        }
        Ok(position)
    }

    /// The number of leaves of the tree of legal moves at a depth.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        count_leaves(py, &self.inner, depth)
    }

    /// The number of leaves below each legal move, at a depth of at least 1.
    fn divide<'py>(&self, py: Python<'py>, depth: u32) -> PyResult<Bound<'py, PyDict>> {
        let counts = PyDict::new(py);
        if depth == 0 {
            return Ok(counts);
        }
        for mv in self.inner.legal_moves() {
            let mut next = self.inner;
            next.play_unchecked(mv);
            let leaves = count_leaves(py, &next, depth - 1)?;
            counts.set_item(moves::text(py, &self.inner, mv, self.chess960), leaves)?;
        }
        Ok(counts)
    }

    fn __str__(&self) -> String {
        self.fen()
    }

    fn __repr__(&self) -> String {
        let chess960 = if self.chess960 { ", chess960=True" } else { "" };
        format!("epode.Position('{}'{chess960})", self.fen())
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((String,), Bound<'py, PyDict>)> {
        let keywords = PyDict::new(py);
        keywords.set_item("chess960", self.chess960)?;
        Ok(((self.fen(),), keywords))
    }
}

/// Perft that Ctrl-C interrupts, and that lets other threads run.
fn count_leaves(py: Python<'_>, position: &movegen::Position, depth: u32) -> PyResult<u64> {
    if depth <= SHORT_PERFT {
        return Ok(py.detach(|| perft(position, depth)));
    }
    let mut leaves = 0;
    for mv in position.legal_moves() {
        let mut next = *position;
        next.play_unchecked(mv);
        leaves += count_leaves(py, &next, depth - 1)?;
        py.check_signals()?;
    }
    Ok(leaves)
}
