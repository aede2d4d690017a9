//! The referee of one game, without connections and clocks of its own: replies and instants go in,
//! commands and events come out (EPD 8, decisions 40 to 100).

use std::time::{Duration, Instant};

use epd::protocol::time_control::TimeControl;
use epd::protocol::{Command, Message, PlayerActions, Supplied};
use epd::time::{Clock, MillisecondClock};
use movegen::{Color, Game, IllegalMove, Move, Position};
use smol_str::SmolStr;

use crate::adjudication::{Adjudication, Adjudicator};
use crate::clock::ChessClock;
use crate::ending::{DrawRule, Ending, Reason, by_claim, by_rules};
use crate::openings::Opening;

/// The ends of the scale of `ce` (EPD 6.7).
const MOST_CE: i64 = 32_767;

/// How strict the referee is, and how patient.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Which draws need no claim.
    pub draws: DrawRule,
    /// How long after the flag a reply still counts: what a line may take (decision 79).
    pub margin: Duration,
    /// How long the mated side may take to say that it has no move (decision 62).
    pub mate_wait: Duration,
    /// How long a move may take where there is no clock (decision 80).
    pub stall: Duration,
    /// How long a player may be away (decision 22).
    pub grace: Duration,
    /// What ends games by their evaluations.
    pub adjudication: Adjudication,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            draws: DrawRule::Automatic,
            margin: Duration::from_millis(100),
            mate_wait: Duration::from_secs(5),
            stall: Duration::from_mins(10),
            grace: Duration::from_mins(1),
            adjudication: Adjudication::default(),
        }
    }
}

/// What the game wants done or known.
#[derive(Clone, Debug, PartialEq)]
pub enum Out {
    /// Send this to a side. After a respond command, [`GameReferee::sent`] is to be called.
    Send(Color, Command),
    /// A move was made.
    Moved(Moved),
    /// The game is over; everything was sent before.
    Ended(Ending),
    /// For the log.
    Note(String),
}

/// A move as it is written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Who made it.
    pub color: Color,
    /// The position before it.
    pub before: Position,
    /// The move.
    pub mv: Move,
    /// What it took.
    pub elapsed: Duration,
    /// What White and Black have used in all.
    pub used: [Duration; 2],
    /// What the mover thinks of it, on the scale of `ce`.
    pub eval: Option<i32>,
    /// What the mover did beside moving.
    pub acts: PlayerActions,
}

/// Where the game stands.
#[derive(Clone, Debug, PartialEq)]
enum Phase {
    /// Nothing is asked.
    Idle,
    /// The side to move is asked.
    Asked {
        /// When the respond command had been written; none before that.
        since: Option<Instant>,
        /// It was asked again since its reply was no answer (decision 57).
        again: bool,
    },
    /// The mated or stalemated side was told (decision 62).
    Told {
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
    /// The moves that nobody was asked for.
    opening_plies: usize,
    phase: Phase,
    /// How the position on the board ends the game: whatever happens from then on changes nothing.
    decided: Option<Ending>,
    /// What the last reply did beside moving, for the opponent.
    relayed: PlayerActions,
    /// Since when a side has been away.
    away: [Option<Instant>; 2],
    adjudicator: Adjudicator,
}

impl GameReferee {
    /// A game that is about to begin. The tags are those of PGN.
    ///
    /// # Panics
    /// When the moves of the opening are not legal.
    #[must_use]
    pub fn new(
        opening: &Opening,
        control: TimeControl,
        rules: Rules,
        tags: Vec<(SmolStr, SmolStr)>,
    ) -> Self {
        let mut referee = Self {
            adjudicator: Adjudicator::new(rules.adjudication),
            rules,
            tags,
            opening_plies: opening.moves.len(),
            game: Game::new(opening.start),
            before: None,
            clock: ChessClock::new(control),
            phase: Phase::Idle,
            decided: None,
            relayed: PlayerActions::empty(),
            away: [None; 2],
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

    /// Plays a move of a game that was interrupted, with the time used after it (decision 93), what
    /// the mover thought of it and what else it did.
    pub fn restore(
        &mut self,
        mv: Move,
        used: [Duration; 2],
        eval: Option<i32>,
        acts: PlayerActions,
    ) -> Result<(), IllegalMove> {
        let color = self.game.position().turn();
        self.play(mv)?;
        self.clock.restore(used, self.moves_made());
        self.weigh_move(color, eval, acts);
        Ok(())
    }

    /// The moves that White and Black were asked for and have made.
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

    /// Whether it is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// Whether nobody is asked and nothing is decided.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.phase == Phase::Idle
    }

    /// Stops the game where it is: nobody is asked, nobody is charged for the move under way.
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

    /// The command by which a side begins the game, or begins it again (decisions 26 and 28).
    #[must_use]
    pub fn reset(&self) -> Command {
        let mut content = Message::with_counters(self.game.start());
        self.add_clocks(&mut content, [Duration::ZERO; 2]);
        Command::Reset(content)
    }

    /// What a side is told after a reset: the tags, and the moves played so far. The side to move
    /// learns the last one when it is asked (decisions 91 to 93).
    #[must_use]
    pub fn greeting(&self, color: Color) -> Vec<Command> {
        let mut told = vec![Command::Inform(Message {
            tags: self.tags.clone(),
            ..Message::at(self.game.start())
        })];
        let moves = self.game.moves();
        let asked_with_last = color == self.game.position().turn();
        let last = moves.len() - usize::from(asked_with_last && !moves.is_empty());
        let mut position = *self.game.start();
        for &mv in &moves[..last] {
            let mut content = Message::with_counters(&position).playing(mv);
            self.add_clocks(&mut content, self.clock.used());
            told.push(Command::Execute(content));
            position.play(mv);
        }
        told
    }

    fn add_clocks(&self, content: &mut Message, used: [Duration; 2]) {
        if matches!(
            self.clock.control(),
            TimeControl::None | TimeControl::Unknown
        ) {
            return;
        }
        let [white, black] = used;
        // Decisions 86 and 88.
        content.clocks = Some((Clock::rounded_up(white), Clock::rounded_up(black)));
        content.chess_clocks = Some((MillisecondClock::new(white), MillisecondClock::new(black)));
    }

    /// Both sides know the game: asks the side to move, or ends the game if its last move decided it,
    /// which a referee that was killed may have written down and told to nobody.
    pub fn go_on(&mut self, now: Instant) -> Vec<Out> {
        let turn = self.game.position().turn();
        match self.decided.clone() {
            None => self.ask(),
            Some(ending) if matches!(ending.reason, Reason::Checkmate | Reason::Stalemate) => {
                // Decision 62: the side without a move is told by a respond command.
                let until = now + self.rules.mate_wait;
                self.phase = Phase::Told { until };
                vec![Out::Send(turn, Command::Respond(self.question()))]
            }
            // Decision 63: the last move is told by an execute command.
            Some(ending) => self.finish(&ending, self.before.map(|_| turn)),
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
            Command::Respond(self.question()),
        )]
    }

    /// The last move with the position before it, or the position alone if there is none.
    fn question(&self) -> Message {
        let mut content = match (self.before, self.game.moves().last()) {
            (Some((before, repetitions)), Some(&last)) => Message {
                // Decision 60.
                repetitions: (repetitions >= 2).then_some(repetitions),
                ..Message::with_counters(&before).playing(last)
            },
            _ => Message::with_counters(self.game.position()),
        };
        self.add_clocks(&mut content, self.clock.used());
        content.acts = self.relayed & (PlayerActions::OFFER_DRAW | PlayerActions::REJECT_DRAW);
        content
    }

    /// The respond command has been written: the clock runs from now (decision 85). A side that is
    /// asked again has been charged all the while.
    pub const fn sent(&mut self, at: Instant) {
        if let Phase::Asked { since, .. } = &mut self.phase
            && since.is_none()
        {
            *since = Some(at);
            self.clock.start(self.game.position().turn(), at);
        }
    }

    /// A side's connection is gone.
    pub fn lost(&mut self, color: Color, now: Instant) {
        self.away[color as usize].get_or_insert(now);
    }

    /// A side is back, and has been told everything but what it is asked.
    pub fn back(&mut self, color: Color) -> Vec<Out> {
        self.away[color as usize] = None;
        if self.is_asked(color) {
            self.ask()
        } else {
            Vec::new()
        }
    }

    /// Takes in a reply that was read at an instant.
    pub fn reply(&mut self, color: Color, reply: &Message, read: Instant) -> Vec<Out> {
        if let (Phase::Told { .. }, Some(ending)) = (&self.phase, self.decided.clone())
            && color == self.game.position().turn()
        {
            return self.finish(&ending, None);
        }
        if !self.is_asked(color) {
            // Decision 61.
            return vec![Out::Note(format!("{color:?} replies without being asked"))];
        }
        // The flag is looked at first: what comes too late did not come (decision 79).
        if let Some(out) = self.flag_fallen(read) {
            return out;
        }
        let mut out = Vec::new();
        match self.weigh_position(reply) {
            Ok(note) => out.extend(note.map(Out::Note)),
            Err(what) => {
                return self.finish(&Ending::loss(color, Reason::ProtocolFault(what)), None);
            }
        }
        out.extend(self.weigh(color, reply, read));
        out
    }

    /// Holds the position of a reply against the game's (decision 58).
    fn weigh_position(&self, reply: &Message) -> Result<Option<String>, String> {
        let ours = self.game.position();
        let Some(theirs) = &reply.position else {
            return Err("a reply without a position".to_owned());
        };
        if theirs == ours {
            return Ok(None);
        }
        let mut same = theirs.setup();
        let expected = ours.setup();
        (same.castling, same.en_passant) = (expected.castling, expected.en_passant);
        if same.board == expected.board && same.turn == expected.turn {
            return Ok(Some("a reply with other castling or en passant".to_owned()));
        }
        Err(format!(
            "a reply to another position, {}",
            theirs.setup().fields()
        ))
    }

    /// Decides what a reply to the game's position means.
    fn weigh(&mut self, color: Color, reply: &Message, read: Instant) -> Vec<Out> {
        if reply.acts.contains(PlayerActions::RESIGN) {
            return self.finish(&Ending::loss(color, Reason::Resignation), None);
        }
        let offered = self.relayed.contains(PlayerActions::OFFER_DRAW);
        if reply.acts.contains(PlayerActions::ACCEPT_DRAW) && offered {
            return self.finish(&Ending::draw(Reason::Agreement), None);
        }
        let claims = reply.acts.contains(PlayerActions::CLAIM_DRAW);
        match &reply.supplied {
            Some(Supplied::Move(mv)) => self.make(color, *mv, reply, read),
            Some(Supplied::Unplayable(text)) => {
                // Decision 54.
                let reason = Reason::IllegalMove(text.to_string());
                self.finish(&Ending::loss(color, reason), None)
            }
            None if claims => match by_claim(&self.game) {
                Some(ending) => self.finish(&ending, None),
                // Decision 75: the clock goes on.
                None => self.ask_again(PlayerActions::REJECT_DRAW, "a wrong claim"),
            },
            None => {
                if let Phase::Asked { again: true, .. } = self.phase {
                    let reason = Reason::ProtocolFault("no move".to_owned());
                    return self.finish(&Ending::loss(color, reason), None);
                }
                if let Phase::Asked { again, .. } = &mut self.phase {
                    *again = true;
                }
                self.ask_again(PlayerActions::empty(), "a reply without a move")
            }
        }
    }

    /// Decisions 57, 71 and 75.
    fn ask_again(&mut self, acts: PlayerActions, why: &str) -> Vec<Out> {
        self.relayed |= acts;
        let mut out = vec![Out::Note(why.to_owned())];
        out.extend(self.ask());
        self.relayed -= acts;
        out
    }

    /// Makes a move on the board and tells the opponent.
    fn make(&mut self, color: Color, mv: Move, reply: &Message, read: Instant) -> Vec<Out> {
        let before = *self.game.position();
        let elapsed = self.clock.charge(read);
        if self.play(mv).is_err() {
            let reason = Reason::IllegalMove(mv.to_string());
            return self.finish(&Ending::loss(color, reason), None);
        }
        self.clock.count_move(color);
        let eval = evaluation(reply);
        let mut out = vec![Out::Moved(Moved {
            color,
            before,
            mv,
            elapsed,
            used: self.clock.used(),
            eval,
            acts: reply.acts,
        })];
        self.phase = Phase::Idle;
        self.weigh_move(color, eval, reply.acts);
        out.extend(self.go_on(read));
        out
    }

    /// What follows from the last move: whether the game is decided, and what the opponent is told
    /// of what the mover did beside moving (decisions 56, 68, 69 and 75).
    fn weigh_move(&mut self, color: Color, eval: Option<i32>, acts: PlayerActions) {
        let claimed = acts
            .contains(PlayerActions::CLAIM_DRAW)
            .then(|| by_claim(&self.game));
        let adjudicated = self.adjudicator.judge(&self.game, color, eval);
        self.decided = by_rules(&self.game, self.rules.draws)
            .or(claimed.flatten())
            .or(adjudicated);
        let mut relayed = acts & (PlayerActions::OFFER_DRAW | PlayerActions::REJECT_DRAW);
        if acts.contains(PlayerActions::CLAIM_DRAW) {
            relayed |= PlayerActions::OFFER_DRAW;
        }
        if !self.relayed.contains(PlayerActions::OFFER_DRAW) {
            relayed -= PlayerActions::REJECT_DRAW;
        }
        self.relayed = relayed;
    }

    /// A side reports that something is wrong on its side (decision 99: unattended, it forfeits).
    pub fn fault(&mut self, color: Color, why: &str) -> Vec<Out> {
        self.break_protocol(color, &format!("it reports a fault: {why}"))
    }

    /// A side sent what the protocol does not allow.
    pub fn break_protocol(&mut self, color: Color, what: &str) -> Vec<Out> {
        let reason = Reason::ProtocolFault(what.to_owned());
        self.finish(&Ending::loss(color, reason), None)
    }

    /// Ends the game as somebody else has decided it (decision 81).
    pub fn decide(&mut self, ending: &Ending) -> Vec<Out> {
        self.finish(ending, None)
    }

    /// The next instant at which something happens by itself.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        if self.is_over() {
            return None;
        }
        let grace = self
            .away
            .iter()
            .flatten()
            .map(|&since| since + self.rules.grace)
            .min();
        let own = match &self.phase {
            Phase::Told { until } => Some(*until),
            Phase::Asked { since, .. } => since.map(|since| match self.clock.flag() {
                Some(flag) => flag + self.rules.margin,
                None => since + self.rules.stall,
            }),
            Phase::Idle | Phase::Over => None,
        };
        [grace, own].into_iter().flatten().min()
    }

    /// Does what is due.
    pub fn tick(&mut self, now: Instant) -> Vec<Out> {
        if let (Phase::Told { until }, Some(ending)) = (&self.phase, self.decided.clone())
            && *until <= now
        {
            return self.finish(&ending, None);
        }
        if let Some(out) = self.flag_fallen(now) {
            return out;
        }
        let is_gone =
            |since: Option<Instant>| since.is_some_and(|since| since + self.rules.grace <= now);
        match self.away.map(is_gone) {
            [false, false] => Vec::new(),
            [true, false] => self.finish(&Ending::loss(Color::White, Reason::Abandoned), None),
            [false, true] => self.finish(&Ending::loss(Color::Black, Reason::Abandoned), None),
            [true, true] => self.finish(&Ending::deserted(), None),
        }
    }

    /// Ends the game if the side to move has had its time (decisions 79 and 80).
    fn flag_fallen(&mut self, now: Instant) -> Option<Vec<Out>> {
        let Phase::Asked {
            since: Some(since), ..
        } = self.phase
        else {
            return None;
        };
        let color = self.game.position().turn();
        let ending = match self.clock.flag() {
            Some(flag) if now >= flag + self.rules.margin => {
                if has_bare_king(self.game.position(), !color) {
                    Ending::draw(Reason::TimeAgainstBareKing)
                } else {
                    Ending::loss(color, Reason::Time)
                }
            }
            None if now >= since + self.rules.stall => Ending::loss(color, Reason::Stall),
            _ => return None,
        };
        self.clock.charge(now);
        Some(self.finish(&ending, None))
    }

    /// Tells both sides that it is over: the last move to the side that does not know it, the
    /// result, the end (decision 31). What the board has decided stays so.
    fn finish(&mut self, ending: &Ending, untold: Option<Color>) -> Vec<Out> {
        if self.is_over() {
            return Vec::new();
        }
        let ending = self.decided.take().unwrap_or_else(|| ending.clone());
        self.phase = Phase::Over;
        self.clock.pause();
        let mut out = Vec::new();
        if let Some(color) = untold {
            out.push(Out::Send(color, Command::Execute(self.question())));
        }
        for color in [Color::White, Color::Black] {
            let told = if ending.reason == Reason::Aborted {
                // Decision 41.
                vec![self.reset()]
            } else {
                self.farewell(&ending)
            };
            out.extend(told.into_iter().map(|command| Out::Send(color, command)));
        }
        out.push(Out::Ended(ending));
        out
    }

    /// The result, with all tags in their order since the author's own client takes only what it
    /// finds in the roster (decisions 31 to 34), and the end.
    fn farewell(&self, ending: &Ending) -> Vec<Command> {
        let position = self.game.position();
        let mut tags = self.tags.clone();
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
        self.add_clocks(&mut conclude, self.clock.used());
        vec![
            Command::Inform(inform.saying(&ending.to_string())),
            Command::Conclude(conclude),
        ]
    }
}

/// The evaluation of a reply, on the scale of `ce`, for the side that moves. What is sent beyond the
/// scale counts as its end.
fn evaluation(reply: &Message) -> Option<i32> {
    let ce = reply
        .analysis
        .iter()
        .find(|operation| operation.opcode == "ce");
    ce?.value("a score").ok().map(on_scale)
}

/// A score within the scale of `ce`.
pub(crate) fn on_scale(score: i64) -> i32 {
    score.clamp(-MOST_CE, MOST_CE) as i32
}

fn has_bare_king(position: &Position, color: Color) -> bool {
    position.color(color).len() == 1
}

#[cfg(test)]
mod tests;
