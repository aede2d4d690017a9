//! The rules of chess: bitboards, positions, legal moves, FEN, SAN, UCI notation, PGN and perft.
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
//! | Folder of `src` | What it does | Start with |
//! |---|---|---|
//! | `types/` | Squares, bitboards, pieces, castling rights, moves. All have [`Display`](std::fmt::Display), and [`FromStr`](std::str::FromStr) where a text has one meaning. | [`Square`], [`Bitboard`], [`Move`] |
//! | `attacks/` | Attack tables, and the attacks of all pieces of a side at once. | [`attacks`] |
//! | `position/` | A board that may be illegal, its faults, and a legal position with its Zobrist key. | [`Setup`], [`Setup::legality`], [`Position`] |
//! | `movegen/` | Checks and pins, and legal moves: all, or only captures or quiet moves. | [`Position::legal_moves`], [`Position::moves`] |
//! | `notation/` | FEN, SAN (exact or lenient), UCI notation, and games as PGN. | [`Setup::from_fen_lenient`], [`San`], [`san`], [`UciMove`], [`pgn`] |
//! | `game.rs` | A position with its history: repetition and other draws. | [`Game`] |
//! | `perft/` | The number of leaves of the move tree. | [`perft`](fn@perft), [`divide`] |
//! | `memory.rs` | Allocation of hash tables. | [`memory`] |
//!
//! A text becomes a [`Setup`], which can hold an illegal board, and then a [`Position`], which is always
//! legal:
//!
//! ```
//! use epode_movegen::{Position, Setup};
//!
//! let setup: Setup = "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1".parse()?;
//! let illegal = Position::from_setup(&setup).unwrap_err();
//! assert_eq!(illegal.to_string(), "impossible castling right Q (no rook on a1)");
//!
//! let fen = "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1";
//! let (setup, dropped) = Setup::from_fen_lenient(fen)?;
//! assert!(dropped.is_some());
//! assert_eq!(Position::from_setup(&setup)?.legal_moves().len(), 15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate knows nothing about EPD operations, clocks, files or search. "Decision 46" in a comment
//! cites an entry of `epd/DECISIONS.md` in Epode's repository.

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
pub use perft::{PerftOptions, divide, perft, perft_at_most, perft_with};
pub use position::setup::{CastlingFault, Setup};
pub use position::start::BackRank;
pub use position::validate::{IllegalPosition, SetupFaults};
pub use position::{IllegalMove, Position};
pub use types::{
    Bitboard, CastlingMode, CastlingRights, CastlingSide, Color, File, MAX_MOVES, Move, MoveKind,
    MoveList, ParseError, Piece, Promotion, Rank, Role, Square, Squares,
};

/// The examples of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
