//! The referee of one game, as a state machine without input and output of its own: players' replies
//! and instants go in, commands and events come out (EPD 8, decisions 40 to 100).
//!
//! A player that hangs but stays connected loses in `check_time`: on time if the game has a clock
//! ([`Reason::Time`]), otherwise after `move_timeout` ([`Reason::Stall`]). [`GameReferee::tick`] calls
//! `check_time` when [`GameReferee::deadline`] has come, and [`GameReferee::reply`] before each reply, in
//! case it is late. A player that answers no ping is disconnected in `event/pings.rs`, and loses in `tick`
//! when it is absent for too long.

mod intervention;

use std::sync::Arc;
use std::time::{Duration, Instant};

use epd::protocol::time_control::TimeControl;
use epd::protocol::{Command, Message, PlayerActions, Supplied};
use epd::time::{Clock, MillisecondClock};
use movegen::pgn::Outcome;
use movegen::{Color, Game, IllegalMove, Move, Position};
use smol_str::SmolStr;

use crate::core::adjudication::{Adjudication, Adjudicator, Judge};
use crate::core::clock::ChessClock;
use crate::core::ending::{Absence, DrawRule, Ending, Reason, by_claim, by_rules};
use crate::core::event::stream::Search;
use crate::core::openings::Opening;
use crate::core::time_control;

pub use self::intervention::PastMove;

/// The largest value of the opcode `ce` (EPD 6.7).
const MAX_CE: i64 = 32_767;

/// Draw rules, timeouts and adjudication.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Which draws end the game without a claim.
    pub draws: DrawRule,
    /// How late a reply may arrive after the clock has run out, to allow for the network
    /// (decision 79).
    pub time_margin: Duration,
    /// How long to wait until the mated side acknowledges the mate (decision 62).
    pub mate_reply_timeout: Duration,
    /// Longest time for a move where there is no time control (decision 80).
    pub move_timeout: Duration,
    /// A player that is disconnected for longer than this loses (decision 22).
    pub reconnect_timeout: Duration,
    /// When a game is adjudicated.
    pub adjudication: Adjudication,
    /// The endgame tablebases of the adjudication.
    pub judge: Option<Arc<dyn Judge>>,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            draws: DrawRule::Automatic,
            time_margin: Duration::from_millis(100),
            mate_reply_timeout: Duration::from_secs(5),
            move_timeout: Duration::from_mins(10),
            reconnect_timeout: Duration::from_mins(1),
            adjudication: Adjudication::default(),
            judge: None,
        }
    }
}

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

    /// Replays a move of an interrupted game (decision 93), with the time used so far, the mover's
    /// evaluation and its other actions.
    pub fn restore(
        &mut self,
        mv: Move,
        used: [Duration; 2],
        eval: Option<i32>,
        actions: PlayerActions,
    ) -> Result<(), IllegalMove> {
        let color = self.game.position().turn();
        self.play(mv)?;
        self.clock.restore(used, self.moves_made());
        self.update_state_after_move(color, eval, actions);
        Ok(())
    }

    /// The restored move ended the game by the tablebases, which are not asked again: they may be gone.
    pub fn restore_judgement(&mut self, outcome: Outcome) {
        self.decided = Some(Ending::by_tablebases(outcome));
    }

    /// The number of moves that White and Black have made, without those of the opening.
    fn moves_made(&self) -> [u32; 2] {
        let plies = self.game.moves().len() - self.opening_plies;
        let first = self.first_asked() as usize;
        let mut moves = [0; 2];
        moves[first] = plies.div_ceil(2) as u32;
        moves[1 - first] = (plies / 2) as u32;
        moves
    }

    /// The side that was asked first.
    fn first_asked(&self) -> Color {
        let turn = self.game.start().turn();
        if self.opening_plies.is_multiple_of(2) {
            turn
        } else {
            !turn
        }
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

    /// The command that starts or restarts the game for a side (decisions 26 and 28).
    #[must_use]
    pub fn reset(&self) -> Command {
        let mut content = Message::with_counters(self.game.start());
        self.add_clocks(&mut content, [Duration::ZERO; 2]);
        Command::Reset(content)
    }

    /// The tags for a side, at the current position.
    #[must_use]
    pub fn tags(&self, color: Color) -> Command {
        Command::Inform(Message {
            tags: self.tags_for(color),
            ..Message::at(self.game.position())
        })
    }

    /// The tags for a side. Where time is normalised, `TimeControl` is its own, and two more tags have those
    /// of both sides.
    fn tags_for(&self, color: Color) -> Vec<(SmolStr, SmolStr)> {
        let mut tags = self.tags.clone();
        let controls = self.clock.controls().each_ref();
        let controls = controls.map(|control| SmolStr::from(control.to_string()));
        let of_event = tags.iter_mut().find(|(tag, _)| tag == "TimeControl");
        if let Some((_, control)) = of_event
            && controls.iter().any(|own| own != control)
        {
            control.clone_from(&controls[color as usize]);
            let sides = time_control::TAGS.map(SmolStr::new_static).into_iter();
            tags.extend(sides.zip(controls));
        }
        tags
    }

    /// The commands that follow a reset: the tags, and the moves so far. The side to move gets the last
    /// move when it is asked (decisions 91 to 93).
    #[must_use]
    pub fn history(&self, color: Color) -> Vec<Command> {
        let mut commands = vec![Command::Inform(Message {
            tags: self.tags_for(color),
            ..Message::at(self.game.start())
        })];
        let moves = self.game.moves();
        let asked_with_last = color == self.game.position().turn();
        let last = moves.len() - usize::from(asked_with_last && !moves.is_empty());
        let mut position = *self.game.start();
        for &mv in &moves[..last] {
            let mut content = Message::with_counters(&position).playing(mv);
            self.add_clocks(&mut content, self.clock.told());
            commands.push(Command::Execute(content));
            position.play(mv);
        }
        commands
    }

    fn add_clocks(&self, content: &mut Message, used: [Duration; 2]) {
        // Both sides have a clock, or neither has.
        let [control, _] = self.clock.controls();
        if matches!(control, TimeControl::None | TimeControl::Unknown) {
            return;
        }
        let [white, black] = used;
        // Whole seconds are rounded up for old clients; `ctcc` has the milliseconds (decisions 86, 88).
        content.clocks = Some((Clock::rounded_up(white), Clock::rounded_up(black)));
        content.chess_clocks = Some((MillisecondClock::new(white), MillisecondClock::new(black)));
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

    /// The last move and the position before it; without a move, the position alone.
    fn position_and_last_move(&self) -> Message {
        let mut content = match (self.before, self.game.moves().last()) {
            (Some((before, repetitions)), Some(&last)) => Message {
                // `rc` is sent from the second occurrence of a position on (decision 60).
                repetitions: (repetitions >= 2).then_some(repetitions),
                ..Message::with_counters(&before).playing(last)
            },
            _ => Message::with_counters(self.game.position()),
        };
        self.add_clocks(&mut content, self.clock.told());
        content.actions = self.relayed & (PlayerActions::OFFER_DRAW | PlayerActions::REJECT_DRAW);
        content
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

    /// A side is not there. Its time to come back counts from the first call; the last one says why.
    pub fn absent(&mut self, color: Color, absence: Absence, now: Instant) {
        let since = self.absent[color as usize].map_or(now, |(since, _)| since);
        self.absent[color as usize] = Some((since, absence));
    }

    /// A side is connected again and knows all moves; asks it again if it is to move.
    pub fn reconnected(&mut self, color: Color) -> Vec<Out> {
        self.absent[color as usize] = None;
        if self.is_asked(color) {
            self.ask()
        } else {
            Vec::new()
        }
    }

    /// Handles a reply that was read at an instant.
    pub fn reply(&mut self, color: Color, reply: &Message, read: Instant) -> Vec<Out> {
        if let (Phase::AwaitingAcknowledgement { .. }, Some(ending)) =
            (&self.phase, self.decided.clone())
            && color == self.game.position().turn()
        {
            return self.finish(&ending);
        }
        if !self.is_asked(color) {
            // A reply that nobody asked for is dropped and logged (decision 61).
            return vec![Out::Note(format!("unexpected reply of {color:?}"))];
        }
        // Check the clock first: a late reply does not count (decision 79).
        if let Some(out) = self.check_time(read) {
            return out;
        }
        let mut out = Vec::new();
        match self.check_position(reply) {
            Ok(note) => out.extend(note.map(Out::Note)),
            Err(what) => {
                return self.finish(&Ending::loss(color, Reason::ProtocolFault(what)));
            }
        }
        out.extend(self.handle_reply(color, reply, read));
        out
    }

    /// Handles a reply without a move of a player that cannot be asked twice: without a legal move it
    /// is complete, otherwise it loses the game.
    pub fn last_reply(&mut self, color: Color, reply: &Message, read: Instant) -> Vec<Out> {
        if let Phase::Asked { again, .. } = &mut self.phase {
            *again = true;
        }
        self.reply(color, reply, read)
    }

    /// Compares the position of a reply with the game's (decision 58).
    fn check_position(&self, reply: &Message) -> Result<Option<String>, String> {
        let ours = self.game.position();
        let Some(theirs) = &reply.position else {
            return Err("reply without a position".to_owned());
        };
        if theirs == ours {
            return Ok(None);
        }
        let mut same = theirs.setup();
        let expected = ours.setup();
        (same.castling, same.en_passant) = (expected.castling, expected.en_passant);
        if same.board == expected.board && same.turn == expected.turn {
            return Ok(Some(
                "reply with different castling rights or en passant square".to_owned(),
            ));
        }
        Err(format!(
            "reply to another position, {}",
            theirs.setup().fields()
        ))
    }

    /// Handles a reply to the game's present position.
    fn handle_reply(&mut self, color: Color, reply: &Message, read: Instant) -> Vec<Out> {
        if reply.actions.contains(PlayerActions::RESIGN) {
            return self.finish(&Ending::loss(color, Reason::Resignation));
        }
        let offered = self.relayed.contains(PlayerActions::OFFER_DRAW);
        if reply.actions.contains(PlayerActions::ACCEPT_DRAW) && offered {
            return self.finish(&Ending::draw(Reason::Agreement));
        }
        let claims = reply.actions.contains(PlayerActions::CLAIM_DRAW);
        match &reply.supplied {
            Some(Supplied::Move(mv)) => self.make(color, *mv, reply, read),
            Some(Supplied::Unplayable(text)) => {
                // An illegal move loses the game (decision 54).
                let reason = Reason::IllegalMove(text.to_string());
                self.finish(&Ending::loss(color, reason))
            }
            None if claims => match by_claim(&self.game) {
                Some(ending) => self.finish(&ending),
                // Decision 75: the clock goes on.
                None => self.ask_again(PlayerActions::REJECT_DRAW, "incorrect draw claim"),
            },
            None => {
                if let Phase::Asked { again: true, .. } = self.phase {
                    let reason = Reason::ProtocolFault("reply without a move".to_owned());
                    return self.finish(&Ending::loss(color, reason));
                }
                if let Phase::Asked { again, .. } = &mut self.phase {
                    *again = true;
                }
                self.ask_again(PlayerActions::empty(), "reply without a move")
            }
        }
    }

    /// Asks the side to move again (decisions 57, 71 and 75).
    fn ask_again(&mut self, actions: PlayerActions, why: &str) -> Vec<Out> {
        self.relayed |= actions;
        let mut out = vec![Out::Note(why.to_owned())];
        out.extend(self.ask());
        self.relayed -= actions;
        out
    }

    /// Makes a move and asks the opponent, or ends the game.
    fn make(&mut self, color: Color, mv: Move, reply: &Message, read: Instant) -> Vec<Out> {
        let before = *self.game.position();
        let elapsed = self.clock.charge(read);
        if self.play(mv).is_err() {
            let reason = Reason::IllegalMove(mv.to_string());
            return self.finish(&Ending::loss(color, reason));
        }
        self.clock.count_move(color);
        let eval = evaluation(reply);
        self.phase = Phase::Idle;
        self.update_state_after_move(color, eval, reply.actions);
        let judged = self.judge();
        let mut out = vec![Out::Moved(Moved {
            color,
            before,
            mv,
            elapsed,
            used: self.clock.used(),
            eval,
            actions: reply.actions,
            search: Search::of(reply, &before),
            judged,
        })];
        out.extend(self.proceed(read));
        out
    }

    /// Finds out whether the last move decided the game, and which of the mover's other actions the
    /// opponent is told of (decisions 56, 68, 69 and 75).
    fn update_state_after_move(&mut self, color: Color, eval: Option<i32>, actions: PlayerActions) {
        let claimed = actions
            .contains(PlayerActions::CLAIM_DRAW)
            .then(|| by_claim(&self.game));
        let adjudicated = self.adjudicator.add(&self.game, color, eval);
        self.decided = by_rules(&self.game, self.rules.draws)
            .or(claimed.flatten())
            .or(adjudicated);
        let mut relayed = actions & (PlayerActions::OFFER_DRAW | PlayerActions::REJECT_DRAW);
        if actions.contains(PlayerActions::CLAIM_DRAW) {
            relayed |= PlayerActions::OFFER_DRAW;
        }
        if !self.relayed.contains(PlayerActions::OFFER_DRAW) {
            relayed -= PlayerActions::REJECT_DRAW;
        }
        self.relayed = relayed;
    }

    /// Asks the tablebases for the result of the position, unless the rules of chess have ended the game.
    /// They know better than evaluations.
    fn judge(&mut self) -> Option<Outcome> {
        let is_open = self.decided.as_ref().is_none_or(|ending| {
            matches!(
                ending.reason,
                Reason::Adjudication | Reason::LostScore | Reason::MaxMoves(_)
            )
        });
        let judge = self.rules.judge.as_ref().filter(|_| is_open)?;
        let mode = self.rules.adjudication.mode.unwrap_or_default();
        let outcome = judge.result(self.game.position());
        let outcome = outcome.filter(|&outcome| mode.covers(outcome))?;
        self.decided = Some(Ending::by_tablebases(outcome));
        Some(outcome)
    }

    /// A side reports a fault of its own and forfeits (decision 99).
    pub fn fault(&mut self, color: Color, why: &str) -> Vec<Out> {
        let reason = Reason::PlayerFault(why.to_owned());
        self.finish(&Ending::loss(color, reason))
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

    /// The next instant at which [`GameReferee::tick`] has something to do.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        if self.is_over() {
            return None;
        }
        let reconnect = self
            .absent
            .iter()
            .flatten()
            .map(|&(since, _)| since + self.rules.reconnect_timeout)
            .min();
        let reply = match &self.phase {
            Phase::AwaitingAcknowledgement { until } => Some(*until),
            Phase::Asked { since, .. } => since.map(|since| match self.clock.flag() {
                Some(flag) => flag + self.rules.time_margin,
                None => since + self.rules.move_timeout,
            }),
            Phase::Idle | Phase::Over => None,
        };
        [reconnect, reply].into_iter().flatten().min()
    }

    /// Applies all timeouts that have passed: mate acknowledgement, clock, move and reconnect timeout.
    pub fn tick(&mut self, now: Instant) -> Vec<Out> {
        if let (Phase::AwaitingAcknowledgement { until }, Some(ending)) =
            (&self.phase, self.decided.clone())
            && *until <= now
        {
            return self.finish(&ending);
        }
        if let Some(out) = self.check_time(now) {
            return out;
        }
        let too_late = |absent: Option<(Instant, Absence)>| {
            let (since, absence) = absent?;
            (since + self.rules.reconnect_timeout <= now).then_some(absence)
        };
        let ending = match self.absent.map(too_late) {
            [None, None] => return Vec::new(),
            [Some(absence), None] => Ending::loss(Color::White, Reason::Absent(absence)),
            [None, Some(absence)] => Ending::loss(Color::Black, Reason::Absent(absence)),
            [Some(absence), Some(_)] => Ending::both_absent(absence),
        };
        self.finish(&ending)
    }

    /// Ends the game if the side to move has used up its time (decisions 79 and 80).
    fn check_time(&mut self, now: Instant) -> Option<Vec<Out>> {
        let Phase::Asked {
            since: Some(since), ..
        } = self.phase
        else {
            return None;
        };
        let color = self.game.position().turn();
        let ending = match self.clock.flag() {
            Some(flag) if now >= flag + self.rules.time_margin => {
                if has_bare_king(self.game.position(), !color) {
                    Ending::draw(Reason::TimeAgainstBareKing)
                } else {
                    Ending::loss(color, Reason::Time)
                }
            }
            None if now >= since + self.rules.move_timeout => Ending::loss(color, Reason::Stall),
            _ => return None,
        };
        self.clock.charge(now);
        Some(self.finish(&ending))
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

    /// The commands that end the game: the result, then conclude. All tags are sent, in PGN's order,
    /// because the standard author's own client reads the result from the full roster only
    /// (decisions 31 to 34).
    fn result_commands(&self, ending: &Ending, color: Color) -> Vec<Command> {
        let position = self.game.position();
        let mut tags = self.tags_for(color);
        let result: SmolStr = ending.result_tag().into();
        match tags.iter_mut().find(|(tag, _)| tag == "Result") {
            Some((_, value)) => *value = result,
            None => tags.push((SmolStr::new_static("Result"), result)),
        }
        let termination = ending.termination().to_string().into();
        tags.push((SmolStr::new_static("Termination"), termination));
        let inform = Message {
            tags,
            ..Message::with_counters(position)
        };
        let mut conclude = Message::with_counters(position);
        self.add_clocks(&mut conclude, self.clock.told());
        vec![
            Command::Inform(inform.saying(&ending.to_string())),
            Command::Conclude(conclude),
        ]
    }
}

/// The evaluation of a reply in the units of `ce`, from the mover's point of view, clamped to its
/// range.
fn evaluation(reply: &Message) -> Option<i32> {
    let ce = reply
        .analysis
        .iter()
        .find(|operation| operation.opcode == "ce");
    ce?.value("a score").ok().map(clamp_ce)
}

/// Clamps a score to the range of `ce`.
pub(crate) fn clamp_ce(score: i64) -> i32 {
    score.clamp(-MAX_CE, MAX_CE) as i32
}

fn has_bare_king(position: &Position, color: Color) -> bool {
    position.color(color).len() == 1
}

#[cfg(test)]
mod tests;
