//! Games as text in PGN: [`Games`] reads, [`PgnGame`] writes.
//!
//! # What is read
//!
//! Any PGN that people have (import format). Of each game, the tag pairs, the moves of the main line and
//! the result are kept. Comments (`{..}`, and `;` to the end of the line), lines that begin with `%`,
//! variations, annotation glyphs (`$1`, `!?`, `+-`), move numbers with any number of dots and a byte
//! order mark are skipped. Moves are read leniently ([`san::parse_lenient`](crate::san::parse_lenient)),
//! and so is the `FEN` tag ([`Setup::from_fen_lenient`](crate::Setup::from_fen_lenient)), which may lack
//! its counters. Tags may come in any order: `Variant` may follow `FEN`. Quotes inside a tag's value
//! need no backslash; a game may lack its tags, or its result if the tags of another game follow.
//!
//! # What is written
//!
//! The export format. A game is written as the seven roster tags, `SetUp` and `FEN` if it does not begin from the
//! starting position, `TimeControl`, `Termination`, `PlyCount`, other tags in the given order, a blank
//! line, the moves in lines of fewer than 80 characters, the result, and a blank line. The texts of
//! several games can be concatenated.
//!
//! Clocks, times and evaluations are commands in comments after the moves: `[%eval 0.35]` or
//! `[%eval #-3]` (pawns or moves to mate, from White's point of view), `[%clk 0:04:59.250]` (time
//! left) and `[%emt 0:00:00.750]` (time used). Times are in hours, minutes and seconds, with
//! milliseconds unless they are zero. As on Lichess, an evaluation is that of the position after the
//! move; the move that mates has `#0`.
//!
//! Any text in a tag or comment is safe. In tags, quotes and backslashes are escaped and control
//! characters become spaces. In comments, braces become parentheses, and lines are broken at white
//! space or within words that are longer than a line.

mod cursor;
mod error;
mod outcome;
mod reader;
mod writer;

pub use error::{PgnError, PgnErrorKind, Place};
pub use outcome::{Outcome, Termination};
pub use reader::{Games, ReadGame, result};
pub use writer::{Eval, PgnGame, Ply};
