//! Chess boards and plain charts as SVG.
//!
//! | file | contents |
//! |---|---|
//! | `board` | [`Board`]: a position with its last move, a check, arrows |
//! | `shapes` | [`shapes()`]: squares, pieces and arrowheads, which a page needs once |
//! | `file` | [`Board::to_file`], [`PALETTE`], [`light_and_dark()`]: files of their own, and their colours |
//! | `sheet` | [`Sheet`]: diagrams in rows and columns, each with a heading and text, as a file |
//! | `text` | the width of text, and line breaks |
//! | `describe` | [`describe()`]: a position in words, for screen readers |
//! | `chart` | [`Frame`], [`line()`], [`label()`] ...: the parts of charts |
//! | `axis` | [`LinearAxis`], [`LogAxis`]: axes between round numbers |
//!
//! A page includes [`BOARD_STYLE`] (and [`GAME_STYLE`] for last moves, checks and expected moves) in its
//! style sheet and sets the variables of [`PALETTE`].

#![forbid(unsafe_code)]

mod axis;
mod board;
mod chart;
mod describe;
mod file;
mod shapes;
mod sheet;
mod text;

pub use axis::{LinearAxis, LogAxis, round_numbers};
pub use board::Board;
pub use chart::{Frame, bar, label, line, path_through};
pub use describe::describe;
pub use file::{Colour, PALETTE, light_and_dark};
pub use maud;
pub use movegen;
pub use shapes::{Arrow, shapes};
pub use sheet::{Diagram, Scheme, Sheet, Span};

/// The style of boards with the arrows [`Arrow::Best`] and [`Arrow::Wrong`].
pub const BOARD_STYLE: &str = include_str!("board.css");
/// The style of what boards of games show besides: the last move, a check, other arrows.
pub const GAME_STYLE: &str = include_str!("game.css");

/// A text with every character replaced that XML does not allow, such as control characters.
fn printable(text: &str) -> String {
    let is_refused =
        |letter: char| letter.is_control() || matches!(letter, '\u{FFFE}' | '\u{FFFF}');
    text.replace(is_refused, "\u{FFFD}")
}

/// The examples of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
