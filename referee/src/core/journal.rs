//! The journal of an event: everything that a resumed event needs, as EPD records, one per line, in
//! order of time (decision 96).
//!
//! - `<start> Game 3; id "King's pawn"; ptp White "A" Black "B" Date "2026.11.21" TimeControl "60+1";
//!   sv e4 e5;` — a game began; `sv` holds the moves of its opening and `id` its name, if it has any. `ptp`
//!   also has what each side runs on, where that is known, and the time controls of both where time is
//!   normalised ([`Conditions::tags`]).
//! - `<position> Game 3; ctcc <White> <Black>; cte <time>; sm Nf3; ce 25; draw_offer;` — a move was
//!   made; `ctcc` is the time that White and Black have used so far, `cte` the time that this move took,
//!   `ce` the mover's evaluation and `draw_offer`, `draw_claim` or `draw_reject` its other action, if
//!   there are any; `Tablebases "1-0"` is the result by which tablebases then ended the game. Every line has the move counters `hmvc` and `fmvn` too.
//! - `<position> Game 3; ptp Result "1-0" Termination "normal"; c0 "...";` — a game ended; `Verdict`
//!   names the fault that decided it, if any.
//! - `<start> Game 3; Withdrawn; c0 "...";` — the result of a finished game was dropped: the game is
//!   played again.
//! - `<position> Game 3; Order "extend 3 black 30s"; By "alice"; Reason "..."; Time "...";` — the arbiter
//!   gave an order that was accepted. `By` and `Reason` say who gave it and why, where known;
//!   an order that is about no game in particular has no `Game`. Characters that a string of EPD cannot
//!   have are written as `\\u{22}`, and what is too long for one string is continued in the next.
//!   [`Ledger::apply`](crate::core::event::Ledger::apply) tells what an order changes. A decision about a
//!   game is followed by the line with its end.
//!
//! - `<start> Board 2 5; Games 2; Players 4 7; Round 3; ptp White "A" Black "B";` — two players were paired, or one
//!   has a bye: a line for each board of a round, here the second of five. `Games` is the number of games that they
//!   play, `Players` their numbers, from 1. The round counts once the line of its last board is there.
//! - `<start> Term 2; Time "...";` — a second referee has taken over the event, with this number (decision 143).
//!
//! A line is written before any player is told of what it says. A last line without its line feed, as
//! a crash in the middle of writing leaves it, is ignored.

mod read;
mod text;
mod write;

use std::time::Duration;

use epd::protocol::PlayerActions;
use movegen::pgn::Outcome;
use movegen::{Move, Position};

use crate::core::equipment::Conditions;
use crate::core::event::{GivenOrder, Order};
use crate::core::game::Moved;
use crate::core::openings::Opening;
use crate::core::schedule::Meeting;

pub use self::read::{JournalError, read};
pub(super) use self::text::{MAX_PART, escaped, unescaped};
pub use self::write::is_too_long;

/// A line of the journal.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A game began.
    Begun {
        /// Its number in the schedule.
        game: usize,
        /// The name of the player of the white pieces.
        white: String,
        /// The name of the player of the black pieces.
        black: String,
        /// Its opening.
        opening: Opening,
        /// The date, for PGN.
        date: String,
        /// Its time control, as in the event file. Journals of earlier versions have none.
        time_control: Option<String>,
        /// What is particular to each side.
        conditions: Conditions,
    },
    /// A move was made.
    Moved {
        /// The number of the game.
        game: usize,
        /// The position before it.
        before: Position,
        /// The move.
        mv: Move,
        /// The time that White and Black have used so far.
        used: [Duration; 2],
        /// The time that the move took.
        elapsed: Duration,
        /// The mover's evaluation, in the units of `ce`.
        eval: Option<i32>,
        /// The mover's other actions, such as a draw offer.
        actions: PlayerActions,
        /// The result by which the tablebases then ended the game, if they did.
        judged: Option<Outcome>,
    },
    /// A game ended.
    Ended {
        /// The number of the game.
        game: usize,
        /// The last position.
        position: Position,
        /// The value of the PGN tag `Result`.
        result: String,
        /// The value of the PGN tag `Termination`.
        termination: String,
        /// The name of the fault that decided it, if any.
        forfeit: Option<String>,
        /// The result and its reason in words.
        text: String,
    },
    /// The result of a finished game was dropped; the game is played again.
    Withdrawn {
        /// The number of the game.
        game: usize,
        /// The starting position.
        position: Position,
        /// Why.
        text: String,
    },
    /// The arbiter gave an order.
    Ordered {
        /// The order, why it was given, and by whom.
        given: GivenOrder,
        /// When, as RFC 3339 has it.
        at: String,
        /// The position of its game; the starting position if it is about none in progress.
        position: Position,
    },
    /// Two players were paired, or one has a bye, in an event whose schedule grows.
    Paired {
        /// Who meets.
        meeting: Meeting,
        /// The names of the players; only the first one of a bye counts.
        names: [String; 2],
        /// The number of the board among those that were paired at once, from 1.
        board: usize,
        /// The number of these boards.
        boards: usize,
    },
    /// Another referee has taken over the event.
    Term {
        /// The number of this referee, from 2: the first one has no entry.
        term: u64,
        /// When, as RFC 3339 has it.
        at: String,
    },
}

impl Entry {
    /// The entry for a move.
    #[must_use]
    pub const fn moved(game: usize, moved: &Moved) -> Self {
        Self::Moved {
            game,
            before: moved.before,
            mv: moved.mv,
            used: moved.used,
            elapsed: moved.elapsed,
            eval: moved.eval,
            actions: moved.actions,
            judged: moved.judged,
        }
    }

    /// The number of the game; an order need not be about a game.
    #[must_use]
    pub const fn game(&self) -> Option<usize> {
        match self {
            Self::Begun { game, .. }
            | Self::Moved { game, .. }
            | Self::Ended { game, .. }
            | Self::Withdrawn { game, .. } => Some(*game),
            Self::Ordered { given, .. } => given.order.game(),
            Self::Paired { .. } | Self::Term { .. } => None,
        }
    }

    /// The number of the game whose result it drops, if it does.
    #[must_use]
    pub const fn withdrawn(&self) -> Option<usize> {
        match self {
            Self::Withdrawn { game, .. } => Some(*game),
            Self::Ordered { given, .. } => match given.order {
                Order::Replay { game } => Some(game),
                _ => None,
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
