//! Chess text: positions as FEN, moves as SAN and in UCI notation, games as PGN.

pub(crate) mod castling_field;
pub(crate) mod fen;
pub mod pgn;
pub mod san;
pub(crate) mod uci;
