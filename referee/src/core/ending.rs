//! How games end, and why.

use std::fmt;

use movegen::pgn::{Outcome, Termination};
use movegen::{Color, Draw, Game};

use serde::{Deserialize, Serialize};

/// The kind of fault that ended a game: a loss, but a draw if the time ran out against a bare king, and
/// no result if both players were absent. Its name is the same in every file of an event.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    serde::Deserialize,
    strum::Display,
    strum::EnumString,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Forfeit {
    /// The program that the referee started ended, or the player reported a fault of its own.
    Crash,
    /// The player was disconnected for longer than the reconnect timeout, or too often.
    Disconnect,
    /// The player never signed on.
    NeverCame,
    /// The player did not reply within the move timeout, in a game without time control.
    Stall,
    /// The player's time ran out.
    Time,
    /// The player sent an illegal move.
    IllegalMove,
    /// The player violated the protocol.
    ProtocolFault,
    /// The arbiter decided that it loses.
    Arbiter,
}

/// Why a player is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// The program that the referee started has ended.
    Crash,
    /// The connection was lost.
    Disconnect,
    /// The player has not signed on yet.
    NeverCame,
}

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no legal move.
    Stalemate,
    /// Neither side can mate.
    InsufficientMaterial,
    /// The position occurred this many times.
    Repetition(u32),
    /// This many moves of each side without a capture or a pawn move.
    NoProgress(u32),
    /// A draw offer was accepted.
    Agreement,
    /// A side resigned.
    Resignation,
    /// A side's time ran out.
    Time,
    /// A side's time ran out, but the opponent has a bare king.
    TimeAgainstBareKing,
    /// A side played this illegal move.
    IllegalMove(String),
    /// A side violated the protocol, as described.
    ProtocolFault(String),
    /// A side reported a fault of its own, as described.
    PlayerFault(String),
    /// A side was absent for longer than the reconnect timeout, or cannot come back.
    Absent(Absence),
    /// A side's connection ended this many times.
    Disconnections(usize),
    /// A side did not reply within the move timeout, in a game without time control.
    Stall,
    /// Both sides' evaluations agreed for long enough.
    Adjudication,
    /// A side's own evaluations were lost for long enough.
    LostScore,
    /// The tablebases know the result.
    Tablebases,
    /// The game reached this many moves of each side.
    MaxMoves(u32),
    /// The arbiter decided the game, perhaps for this reason.
    Arbiter(Option<String>),
    /// The arbiter let a side forfeit, perhaps for this reason.
    Forfeited(Option<String>),
    /// The arbiter ended the game without a result, perhaps for this reason.
    Aborted(Option<String>),
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The result; `None` if there is none.
    pub outcome: Option<Outcome>,
    /// Why it ended.
    pub reason: Reason,
    /// The side that lost, if any.
    pub loser: Option<Color>,
}

impl Ending {
    /// A side loses.
    #[must_use]
    pub const fn loss(loser: Color, reason: Reason) -> Self {
        let outcome = match loser {
            Color::White => Outcome::Black,
            Color::Black => Outcome::White,
        };
        Self {
            outcome: Some(outcome),
            reason,
            loser: Some(loser),
        }
    }

    /// Nobody loses.
    #[must_use]
    pub const fn draw(reason: Reason) -> Self {
        Self {
            outcome: Some(Outcome::Draw),
            reason,
            loser: None,
        }
    }

    /// No result.
    #[must_use]
    pub const fn aborted(why: Option<String>) -> Self {
        Self {
            outcome: None,
            reason: Reason::Aborted(why),
            loser: None,
        }
    }

    /// Both sides are absent: no result.
    #[must_use]
    pub const fn both_absent(absence: Absence) -> Self {
        Self {
            outcome: None,
            reason: Reason::Absent(absence),
            loser: None,
        }
    }

    /// Both sides forfeit by decision of the arbiter: no result.
    #[must_use]
    pub const fn both_forfeit(why: Option<String>) -> Self {
        Self {
            outcome: None,
            reason: Reason::Forfeited(why),
            loser: None,
        }
    }

    /// The result that the arbiter gives.
    #[must_use]
    pub const fn decided(outcome: Outcome, why: Option<String>) -> Self {
        Self::with_outcome(outcome, Reason::Arbiter(why))
    }

    /// The result that the tablebases know.
    #[must_use]
    pub const fn by_tablebases(outcome: Outcome) -> Self {
        Self::with_outcome(outcome, Reason::Tablebases)
    }

    const fn with_outcome(outcome: Outcome, reason: Reason) -> Self {
        let loser = match outcome {
            Outcome::White => Some(Color::Black),
            Outcome::Black => Some(Color::White),
            Outcome::Draw => None,
        };
        Self {
            outcome: Some(outcome),
            reason,
            loser,
        }
    }

    /// The value of the PGN tag `Termination` (decision 32).
    #[must_use]
    pub const fn termination(&self) -> Termination {
        match self.reason {
            Reason::Time | Reason::TimeAgainstBareKing => Termination::TimeForfeit,
            Reason::IllegalMove(_) | Reason::ProtocolFault(_) => Termination::RulesInfraction,
            Reason::PlayerFault(_)
            | Reason::Absent(_)
            | Reason::Disconnections(_)
            | Reason::Stall => Termination::Abandoned,
            Reason::Adjudication
            | Reason::LostScore
            | Reason::Tablebases
            | Reason::MaxMoves(_)
            | Reason::Arbiter(_)
            | Reason::Forfeited(_) => Termination::Adjudication,
            Reason::Aborted(_) => Termination::Unterminated,
            _ => Termination::Normal,
        }
    }

    /// The fault that decided the game, if any.
    #[must_use]
    pub const fn forfeit(&self) -> Option<Forfeit> {
        match self.reason {
            Reason::Time | Reason::TimeAgainstBareKing => Some(Forfeit::Time),
            Reason::IllegalMove(_) => Some(Forfeit::IllegalMove),
            Reason::ProtocolFault(_) => Some(Forfeit::ProtocolFault),
            Reason::PlayerFault(_) | Reason::Absent(Absence::Crash) => Some(Forfeit::Crash),
            Reason::Absent(Absence::Disconnect) | Reason::Disconnections(_) => {
                Some(Forfeit::Disconnect)
            }
            Reason::Absent(Absence::NeverCame) => Some(Forfeit::NeverCame),
            Reason::Stall => Some(Forfeit::Stall),
            Reason::Forfeited(_) => Some(Forfeit::Arbiter),
            _ => None,
        }
    }

    /// The value of the PGN tag `Result`.
    #[must_use]
    pub fn result_tag(&self) -> String {
        let outcome = self.outcome.map(|outcome| outcome.to_string());
        outcome.unwrap_or_else(|| "*".to_owned())
    }
}

/// The result and its reason, for people: `White wins: Black resigns`.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.outcome {
            Some(Outcome::White) => f.write_str("White wins")?,
            Some(Outcome::Black) => f.write_str("Black wins")?,
            Some(Outcome::Draw) => f.write_str("Draw")?,
            None => f.write_str("No result")?,
        }
        f.write_str(": ")?;
        let loser = match self.loser {
            Some(Color::White) => "White",
            Some(Color::Black) => "Black",
            None => "",
        };
        match &self.reason {
            Reason::Checkmate => f.write_str("checkmate"),
            Reason::Stalemate => f.write_str("stalemate"),
            Reason::InsufficientMaterial => f.write_str("insufficient material"),
            Reason::Repetition(times) => write!(f, "repetition ({times} times)"),
            Reason::NoProgress(moves) => write!(f, "{moves} moves without capture or pawn move"),
            Reason::Agreement => f.write_str("agreement"),
            Reason::Resignation => write!(f, "{loser} resigns"),
            Reason::Time => write!(f, "{loser} loses on time"),
            Reason::TimeAgainstBareKing => f.write_str("time ran out against a bare king"),
            Reason::IllegalMove(mv) => write!(f, "{loser} plays an illegal move: {mv}"),
            Reason::ProtocolFault(what) => write!(f, "{loser} violates the protocol: {what}"),
            Reason::PlayerFault(what) => write!(f, "{loser} reports a fault: {what}"),
            Reason::Absent(_) if self.loser.is_none() => {
                f.write_str("both players are disconnected")
            }
            Reason::Absent(Absence::Crash) => write!(f, "{loser}'s program has ended"),
            Reason::Absent(Absence::Disconnect) => write!(f, "{loser} is disconnected"),
            Reason::Absent(Absence::NeverCame) => write!(f, "{loser} has not connected"),
            Reason::Disconnections(1) => write!(f, "{loser} was disconnected"),
            Reason::Disconnections(times) => write!(f, "{loser} was disconnected {times} times"),
            Reason::Stall => write!(f, "{loser} does not reply"),
            Reason::Adjudication => f.write_str("adjudication by evaluation"),
            Reason::LostScore => write!(f, "adjudication by {loser}'s own evaluation"),
            Reason::Tablebases => f.write_str("adjudication by tablebases"),
            Reason::MaxMoves(moves) => write!(f, "adjudication after {moves} moves"),
            Reason::Arbiter(why) => write_with(f, "decision of the arbiter", why.as_deref()),
            Reason::Forfeited(why) if self.loser.is_none() => write_with(
                f,
                "both players forfeit by decision of the arbiter",
                why.as_deref(),
            ),
            Reason::Forfeited(why) => {
                let text = format!("{loser} forfeits by decision of the arbiter");
                write_with(f, &text, why.as_deref())
            }
            Reason::Aborted(why) => write_with(f, "aborted", why.as_deref()),
        }
    }
}

/// A text with a reason in parentheses, if there is one.
fn write_with(f: &mut fmt::Formatter<'_>, text: &str, why: Option<&str>) -> fmt::Result {
    match why {
        Some(why) => write!(f, "{text} ({why})"),
        None => f.write_str(text),
    }
}

/// Which draws end a game automatically, and which must be claimed (decision 76).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawRule {
    /// Threefold repetition, fifty moves, insufficient material and stalemate.
    #[default]
    Automatic,
    /// Fivefold repetition, seventy-five moves, insufficient material and stalemate; players must claim
    /// threefold repetition and fifty moves.
    Claims,
}

/// How the rules of chess end a game at its present position. Checkmate takes precedence
/// (decision 78).
#[must_use]
pub fn by_rules(game: &Game, rule: DrawRule) -> Option<Ending> {
    let position = game.position();
    if position.is_checkmate() {
        return Some(Ending::loss(position.turn(), Reason::Checkmate));
    }
    let (repetitions, plies) = match rule {
        DrawRule::Automatic => (3, 100),
        DrawRule::Claims => (5, 150),
    };
    let draw = match game.draw()? {
        Draw::Stalemate => Reason::Stalemate,
        Draw::InsufficientMaterial => Reason::InsufficientMaterial,
        Draw::Repetition | Draw::FiftyMoves if game.repetitions() >= repetitions => {
            Reason::Repetition(game.repetitions())
        }
        Draw::Repetition | Draw::FiftyMoves if position.halfmove_clock() >= plies => {
            Reason::NoProgress(u32::from(plies) / 2)
        }
        Draw::Repetition | Draw::FiftyMoves => return None,
    };
    Some(Ending::draw(draw))
}

/// How a draw claim ends the game, if it is correct (decision 74).
#[must_use]
pub fn by_claim(game: &Game) -> Option<Ending> {
    let reason = match game.draw()? {
        Draw::Repetition => Reason::Repetition(game.repetitions()),
        Draw::FiftyMoves => Reason::NoProgress(50),
        Draw::InsufficientMaterial => Reason::InsufficientMaterial,
        Draw::Stalemate => return None,
    };
    Some(Ending::draw(reason))
}

#[cfg(test)]
mod tests;
