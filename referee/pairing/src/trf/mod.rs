//! The FIDE Tournament Report File (TRF16), with the lines that pairing programs add.
//!
//! What is read:
//! - `001`, a player: starting rank, sex, title, name, rating, federation, FIDE number, date of birth, points, rank, and
//!   for each round the opponent, the colour (`w`, `b`, `-`) and the result: `1`, `=`, `0`; `W`, `D`, `L` for a game that
//!   is not rated; `+`, `-` by forfeit; `U` pairing-allocated bye; `F`, `H`, `Z` bye of a full, half, zero point; a blank
//!   or missing entry is an absence. Entries of the round that is still to be paired announce byes.
//! - `XXR` or `142`: the number of rounds.
//! - `XXC` with `white1` or `black1`, or `152` with `W` or `B`: the colour of the first seed. Without it, it follows from
//!   the first round with colours, or is White where there is none.
//! - `XXZ`: players absent from the next round. `240`: byes (`F`, `H`, `Z`) of players in a round still to be paired,
//!   also a later one than the next.
//! - `XXP`: players who must not meet. `260`: the same for some rounds.
//! - `XXA`: the virtual points of a player, round by round. `250`: those of a range of players in some rounds.
//! - `XXS` with `W=`, `D=`, ..., `162`, or `BBW`, `BBD`, `BBL`, `BBZ`, `BBF`, `BBU`: the points of each result.
//! - `192`: the pairing system; `FIDE_DUTCH_BAKU` and `FIDE_DUTCH_2025_BAKU` add Baku acceleration where no line says
//!   which virtual points there are.
//!
//! All other lines are kept as they are. What is written: these lines first, then the settings by `XXR`, `XXC`, `BBW` and
//! so on (where they are not the usual ones), `XXA`, `XXP` and `260`, `240`, then the players.
//!
//! The format has no notation for a meeting of several games. An event whose players meet in several games is written
//! with each game as a round of its own: game g of round r of an event with n games is round (r - 1) * n + g of the file.
//! `XXR`, `XXA`, `260` and `240` count the same way. A bye or a forfeit stands in each of these rounds; one announced for the
//! round that is still to be paired only in the first. Tallies do not say in which order games were won, so wins with one
//! colour come first. What is read has one game a round.

mod games;
mod lines;
mod read;
mod report;
mod settings;
mod write;

pub use games::single_games;
pub use report::{Announced, Details, Report, TrfError};
