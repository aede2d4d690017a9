//! The basic types: squares, sets of squares, pieces, castling rights and moves.

pub(crate) mod bitboard;
pub(crate) mod castling;
pub(crate) mod color;
pub(crate) mod moves;
pub(crate) mod parse_error;
pub(crate) mod piece;
pub(crate) mod side;
pub(crate) mod square;

pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingMode, CastlingRights, CastlingSide};
pub use color::Color;
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use parse_error::ParseError;
pub use piece::{Piece, Promotion, Role};
pub use square::{File, Rank, Square};
