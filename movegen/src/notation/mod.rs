//! Text forms: FEN for positions, SAN and UCI notation for moves, PGN for games.

pub(crate) mod castling_field;
pub(crate) mod fen;
pub mod pgn;
pub mod san;
pub(crate) mod uci;
