//! Chess as the rules have it: positions, legal moves, and their texts.
//!
//! A line of text becomes a [`Setup`] (what it says) and then a [`Position`] (what is legal). A
//! position gives its legal moves at once or in stages, plays them, and writes and reads them as
//! SAN ([`san`]) or [`UciMove`]. A [`Game`] adds the history that repetition needs; whole games
//! are written by [`pgn`]. [`perft`] counts.
//!
//! This crate knows no EPD operation, no clock, no file and no search.

pub mod attacks;
mod game;
pub mod memory;
mod movegen;
mod notation;
mod perft;
mod position;
mod types;

pub use game::{Draw, Game};
pub use movegen::MoveGenKind;
pub use notation::castling_field::{CastlingField, DroppedCastling};
pub use notation::fen::{FenError, FenErrorKind, Field, Fields, PositionError, Word, words};
pub use notation::san::San;
pub use notation::uci::{UciMove, UciMoveError};
pub use notation::{pgn, san};
pub use perft::{PerftOptions, divide, perft, perft_with};
pub use position::setup::Setup;
pub use position::validate::{IllegalPosition, SetupFaults};
pub use position::{IllegalMove, Position};
pub use types::{
    Bitboard, CastlingRights, CastlingSide, Color, File, MAX_MOVES, Move, MoveKind, MoveList,
    NotASquare, Piece, Promotion, Rank, Role, Square, Squares,
};
