//! Chess as the rules have it: positions, legal moves, and their texts.
//!
//! A line of text becomes a [`Setup`] (what it says) and then a [`Position`] (what is legal). A
//! position gives its legal moves at once or in stages, plays them, and writes and reads them as
//! SAN ([`san`]) or [`Coordinates`]. A [`Game`] adds the history that repetition needs; whole games
//! are written by [`pgn`]. [`perft`] counts.
//!
//! This crate knows no EPD operation, no clock, no file and no search.

mod arrivals;
pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod castling_field;
mod color;
mod constraints;
mod coordinates;
mod fen;
mod game;
mod generate;
mod lanes;
mod legality;
pub mod memory;
mod moves;
mod perft;
pub mod pgn;
mod piece;
mod position;
mod quad;
pub mod san;
mod setup;
mod side;
mod square;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingRights, Wing};
pub use castling_field::{CastlingField, DroppedCastling};
pub use color::Color;
pub use coordinates::{Coordinates, CoordinatesError};
pub use fen::{FenError, FenErrorKind, Field, Fields, PositionError, Word, words};
pub use game::{Draw, Game};
pub use generate::Stage;
pub use legality::{IllegalPosition, SetupFaults};
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use perft::{PerftOptions, divide, perft, perft_with};
pub use piece::{Piece, Promotion, Role};
pub use position::{IllegalMove, Position};
pub use san::San;
pub use setup::Setup;
pub use square::{File, NotASquare, Rank, Square};

/// The examples of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
