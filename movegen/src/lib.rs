//! Chess rules for Rust: bitboards, positions, legal moves, FEN, SAN, UCI moves, PGN and perft.
//!
//! ```
//! use epode_movegen::{Position, San, UciMove};
//!
//! let mut position: Position = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4".parse()?;
//! let mv = "h5f7".parse::<UciMove>()?.find(&position)?;
//! assert_eq!(San::of(&position, mv).to_string(), "Qxf7#");
//! position.play(mv);
//! assert!(position.is_checkmate());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Map
//!
//! | To do this | Use | Source |
//! |---|---|---|
//! | Read a FEN, or the four position fields of an EPD record | [`Setup`] (any board), [`Position`] (legal only) | `notation/fen.rs`, `position/` |
//! | List every fault of an illegal position | [`Setup::legality`] | `position/validate.rs` |
//! | Generate legal moves, all or only captures or quiet moves | [`Position::legal_moves`], [`Position::moves`] | `movegen/` |
//! | Play a move and keep the Zobrist key up to date | [`Position::play`], [`Position::key`] | `position/` |
//! | Follow a whole game: repetition and other draws | [`Game`] | `game.rs` |
//! | Read and write moves | [`San`], [`san`], [`UciMove`] | `notation/san.rs`, `notation/uci.rs` |
//! | Write a game as PGN | [`pgn`] | `notation/pgn/` |
//! | Look up what a piece attacks | [`attacks`] | `attacks/` |
//! | Count the leaves of the move tree | [`perft`](fn@perft) | `perft/` |
//!
//! Squares, bitboards, pieces and moves are in `types/`. Text becomes a [`Setup`], which holds
//! whatever the text says, and then a [`Position`], which is always legal.
//!
//! This crate knows nothing about EPD operations, clocks, files or search.

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

/// The examples of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
