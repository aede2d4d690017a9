//! The referee of one game, as a state machine without input and output of its own: players' replies
//! and instants go in, commands and events come out (EPD 8, decisions 40 to 100).
//!
//! A player that hangs but stays connected loses in `check_time` (game/time.rs): on time if the game has a clock
//! ([`Reason::Time`]), otherwise after `move_timeout` ([`Reason::Stall`]). [`GameReferee::tick`] calls
//! `check_time` when [`GameReferee::deadline`] has come, and [`GameReferee::reply`] before each reply, in
//! case it is late. A player that answers no ping is disconnected in `event/pings.rs`, and loses in `tick`
//! when it is absent for too long.

mod commands;
mod intervention;
mod replies;
mod restoring;
mod rules;
mod time;

use std::time::{Duration, Instant};

use epd::protocol::time_control::TimeControl;
use epd::protocol::{Command, PlayerActions};
use movegen::pgn::Outcome;
use movegen::{Color, Game, IllegalMove, Move, Position};
use smol_str::SmolStr;

use crate::core::adjudication::Adjudicator;
use crate::core::clock::ChessClock;
use crate::core::ending::{Absence, Ending, Reason, by_rules};
use crate::core::event::stream::Search;
use crate::core::openings::Opening;

pub use self::intervention::PastMove;
pub(crate) use self::replies::clamp_ce;
pub use self::rules::Rules;

/// What the caller has to do or to record.
#[derive(Clone, Debug, PartialEq)]
pub enum Out {
    /// Send this command to a side. After a respond command, call [`GameReferee::sent`].
    Send(Color, Command),
    /// A move was made.
    Moved(Moved),
    /// The game is over. All commands of its end come before this.
    Ended(Ending),
    /// Log this.
    Note(String),
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The side that made it.
    pub color: Color,
    /// The position before it.
    pub before: Position,
    /// The move.
    pub mv: Move,
    /// The time that it took.
    pub elapsed: Duration,
    /// The time that White and Black have used so far.
    pub used: [Duration; 2],
    /// The mover's evaluation, in the units of `ce`.
    pub eval: Option<i32>,
    /// The mover's other actions, such as a draw offer.
    pub actions: PlayerActions,
    /// What the mover says of its search.
    pub search: Search,
    /// The result by which the tablebases then ended the game, if they did.
    pub judged: Option<Outcome>,
}

/// The state of the game.
#[derive(Clone, Debug, PartialEq)]
enum Phase {
    /// No side is asked for a move.
    Idle,
    /// The side to move is asked for a move.
    Asked {
        /// When the respond command was sent; `None` before that.
        since: Option<Instant>,
        /// It was asked a second time because its reply had no move (decision 57).
        again: bool,
    },
    /// The mated or stalemated side was sent the last move (decision 62).
    AwaitingAcknowledgement {
        until: Instant,
    },
    Over,
}

/// The referee of one game.
#[derive(Clone, Debug)]
pub struct GameReferee {
    rules: Rules,
    tags: Vec<(SmolStr, SmolStr)>,
    game: Game,
    /// The position before the last move, and how often it has occurred.
    before: Option<(Position, u32)>,
    clock: ChessClock,
    /// The number of opening moves, which nobody was asked for.
    opening_plies: usize,
    phase: Phase,
    /// The ending, if the last move decided the game; nothing that happens later changes it.
    decided: Option<Ending>,
    /// Actions of the last reply that the opponent has to be told of.
    relayed: PlayerActions,
    /// Since when each side has been absent, and why.
    absent: [Option<(Instant, Absence)>; 2],
    adjudicator: Adjudicator,
}

impl GameReferee {
    /// A game before its first move, with the time controls of White and Black, and its PGN tags.
    ///
    /// # Panics
    /// If a move of the opening is illegal.
    #[must_use]
    pub fn new(
        opening: &Opening,
        controls: [TimeControl; 2],
        rules: Rules,
        tags: Vec<(SmolStr, SmolStr)>,
    ) -> Self {
        let mut referee = Self {
            adjudicator: Adjudicator::new(rules.adjudication.clone()),
            rules,
            tags,
            opening_plies: opening.moves.len(),
            game: Game::new(opening.start),
            before: None,
            clock: ChessClock::new(controls),
            phase: Phase::Idle,
            decided: None,
            relayed: PlayerActions::empty(),
            absent: [None; 2],
        };
        for &mv in &opening.moves {
            referee.play(mv).expect("openings are legal");
        }
        referee.decided = by_rules(&referee.game, referee.rules.draws);
        referee
    }

    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let before = (*self.game.position(), self.game.repetitions());
        self.game.play(mv)?;
        self.before = Some(before);
        Ok(())
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The clock.
    #[must_use]
    pub const fn clock(&self) -> &ChessClock {
        &self.clock
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// How the last move decided the game, if it did and the players are still being told.
    #[cfg(test)]
    pub(crate) const fn decided(&self) -> Option<&Ending> {
        self.decided.as_ref()
    }

    /// Whether the game waits to be continued by [`GameReferee::proceed`].
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.phase == Phase::Idle
    }

    /// Interrupts the game: its clock stops, and nobody is charged for the current move.
    pub fn interrupt(&mut self) {
        if !self.is_over() {
            self.phase = Phase::Idle;
            self.clock.pause();
        }
    }

    /// Whether a side is asked for a move.
    #[must_use]
    pub fn is_asked(&self, color: Color) -> bool {
        matches!(self.phase, Phase::Asked { .. }) && self.game.position().turn() == color
    }

    /// Continues the game when both sides know all moves: asks the side to move, or ends the game if its
    /// last move decided it. (A killed referee may have recorded that move and told nobody.)
    pub fn proceed(&mut self, now: Instant) -> Vec<Out> {
        let turn = self.game.position().turn();
        match self.decided.clone() {
            None => self.ask(),
            Some(ending) if matches!(ending.reason, Reason::Checkmate | Reason::Stalemate) => {
                // Decision 62: the side without a legal move gets the last move in a respond command.
                let until = now + self.rules.mate_reply_timeout;
                self.phase = Phase::AwaitingAcknowledgement { until };
                vec![Out::Send(
                    turn,
                    Command::Respond(self.position_and_last_move()),
                )]
            }
            Some(ending) => self.finish(&ending),
        }
    }

    /// Asks the side to move (decision 44).
    fn ask(&mut self) -> Vec<Out> {
        let repeats = matches!(self.phase, Phase::Asked { .. });
        if !repeats {
            self.phase = Phase::Asked {
                since: None,
                again: false,
            };
        }
        vec![Out::Send(
            self.game.position().turn(),
            Command::Respond(self.position_and_last_move()),
        )]
    }

    /// The respond command was sent: starts the clock (decision 85). It goes on running for a side that
    /// is asked again.
    pub const fn sent(&mut self, at: Instant) {
        if let Phase::Asked { since, .. } = &mut self.phase
            && since.is_none()
        {
            *since = Some(at);
            self.clock.start(self.game.position().turn(), at);
        }
    }

    /// A side reports a fault of its own and forfeits (decision 99).
    pub fn fault(&mut self, color: Color, why: &str) -> Vec<Out> {
        let reason = Reason::PlayerFault(why.to_owned());
        self.finish(&Ending::loss(color, reason))
    }

    /// A side reports that its engine chose this illegal move, and forfeits (decision 99).
    pub fn illegal_move(&mut self, color: Color, text: String) -> Vec<Out> {
        self.finish(&Ending::loss(color, Reason::IllegalMove(text)))
    }

    /// A side violated the protocol and forfeits.
    pub fn protocol_fault(&mut self, color: Color, what: &str) -> Vec<Out> {
        let reason = Reason::ProtocolFault(what.to_owned());
        self.finish(&Ending::loss(color, reason))
    }

    /// Ends the game by a decision from outside (decision 81).
    pub fn decide(&mut self, ending: &Ending) -> Vec<Out> {
        self.finish(ending)
    }

    /// Ends the game: sends the last move to the side that does not know it, then the result to both
    /// (decision 31). An ending that the last move brought about takes precedence over `ending`.
    fn finish(&mut self, ending: &Ending) -> Vec<Out> {
        if self.is_over() {
            return Vec::new();
        }
        let ending = self.decided.take().unwrap_or_else(|| ending.clone());
        let is_aborted = matches!(ending.reason, Reason::Aborted(_));
        let mut out = Vec::new();
        // Decision 63: the side to move gets the last move in an execute command, unless it was told that
        // move when it was asked.
        if self.is_idle() && self.before.is_some() && !is_aborted {
            out.push(Out::Send(
                self.game.position().turn(),
                Command::Execute(self.position_and_last_move()),
            ));
        }
        self.phase = Phase::Over;
        self.clock.pause();
        for color in [Color::White, Color::Black] {
            let commands = if is_aborted {
                // An abort is a `reset` alone (decision 41).
                vec![self.reset()]
            } else {
                self.result_commands(&ending, color)
            };
            out.extend(
                commands
                    .into_iter()
                    .map(|command| Out::Send(color, command)),
            );
        }
        out.push(Out::Ended(ending));
        out
    }
}

#[cfg(test)]
mod tests;
