//! `epode uci` as a graphical interface uses it, over pipes.

mod commands;
mod mates;
mod options;
mod positions;
mod searches;

use movegen::{Position, UciMove};

fn is_legal(mv: &str, fen: &str) -> bool {
    let position: Position = fen.parse().expect(fen);
    let coordinates: UciMove = mv.parse().expect(mv);
    coordinates.find(&position).is_ok()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
