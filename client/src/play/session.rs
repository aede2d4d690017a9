//! A player's side of refereed play (EPD 8), without streams, clocks and engines: commands and
//! instants go in, requests and wishes come out.

use std::time::{Duration, Instant};

use epd::Operation;
use epd::protocol::frame::Frame;
use epd::protocol::time_control::TimeControl;
use epd::protocol::{Acts, Command, Content, Request, Supplied};
use movegen::{Color, Draw, Game, Move, Position};

use super::manners::Manners;

/// What the session wants done.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Send this.
    Send(Request),
    /// Stop thinking and pondering; what comes of it is not wanted.
    Abort,
    /// Think about the game's position; the clock runs.
    Think,
    /// Think while the opponent does.
    Ponder,
    /// Another game begins; what was learnt in the last one does not help.
    NewGame,
    /// The game has ended, or will not go on.
    GameOver,
    /// Tell the operator.
    Tell(String),
    /// The referee goes.
    Close,
}

/// What thinking came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    /// The move; none if there is none.
    pub best: Option<Move>,
    /// The line, the move first.
    pub pv: Vec<Move>,
    /// The evaluation on the scale of `ce`, for the side to move.
    pub score: i32,
    /// Plies.
    pub depth: u64,
    pub nodes: u64,
    pub time: Duration,
}

/// The clock of the side to move, as the referee last told it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// What White and Black have left.
    pub remaining: [Duration; 2],
    /// What the next move of each adds.
    pub increment: [Duration; 2],
    /// The moves until the side to move is given more time.
    pub moves_to_go: Option<u32>,
}

/// A move of the game with what is known of it, for the record of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    pub mv: Move,
    /// The evaluation when it was ours.
    pub score: Option<i32>,
    /// The time it took us.
    pub time: Option<Duration>,
}

/// What the referee has asked for and is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Asked {
    at: Instant,
    /// The opponent offers a draw.
    offered: bool,
}

/// A connection's state: a game, its tags and clocks, and what was asked.
#[derive(Debug)]
pub struct Session {
    name: String,
    manners: Manners,
    /// Whether replies say what we think.
    tells_analysis: bool,
    game: Game,
    plies: Vec<Ply>,
    tags: Vec<(String, String)>,
    /// White's and Black's time consumed.
    used: Option<[Duration; 2]>,
    /// A game is under way: moves were asked for or told.
    is_playing: bool,
    /// Our side, known from the first respond (decision 20).
    color: Option<Color>,
    asked: Option<Asked>,
    /// What the referee charged beyond our own watch, and what we measured for the last move.
    overhead: Duration,
    last_think: Option<(Duration, Duration)>,
}

impl Session {
    pub fn new(name: &str, manners: Manners, tells_analysis: bool) -> Self {
        Self {
            name: name.to_owned(),
            manners,
            tells_analysis,
            game: Game::default(),
            plies: Vec::new(),
            tags: Vec::new(),
            used: None,
            is_playing: false,
            color: None,
            asked: None,
            overhead: Duration::ZERO,
            last_think: None,
        }
    }

    /// The game as far as it is known.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The moves since the game's start position.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(tag, _)| tag == name)
            .map(|(_, value)| value.as_str())
    }

    /// The first request (decisions 15 and 16).
    pub fn sign_on(&self) -> Request {
        Request::SignOn(Content {
            name: Some(self.name.as_str().into()),
            text: Some(concat!("Epode ", env!("CARGO_PKG_VERSION")).into()),
            ..Content::at(self.game.position())
        })
    }

    /// The last request (decision 23).
    pub fn sign_off(&self) -> Request {
        Request::SignOff(Content::at(self.game.position()))
    }

    /// What was lost on the way to the referee's clock, as far as it could be measured.
    pub const fn overhead(&self) -> Duration {
        self.overhead
    }

    /// The clock, if the referee told its rules and the time consumed (decisions 39, 40 and 83).
    pub fn watch(&self) -> Option<Watch> {
        let control: TimeControl = self.tag("TimeControl")?.parse().ok()?;
        let used = self.used.unwrap_or_default();
        let turn = self.game.position().turn();
        let moves = [Color::White, Color::Black].map(|color| self.moves_made(color));
        let remaining = |side: usize| {
            let allotted = control.allotted(moves[side], used[1 - side])?;
            Some(allotted.saturating_sub(used[side]))
        };
        Some(Watch {
            remaining: [remaining(0)?, remaining(1)?],
            increment: [0, 1].map(|side| control.increment(moves[side])),
            moves_to_go: control.moves_to_go(moves[turn as usize]),
        })
    }

    /// The moves that a side has made since the game's start position.
    fn moves_made(&self, color: Color) -> u32 {
        let plies = self.game.moves().len() as u32;
        if self.game.start().turn() == color {
            plies.div_ceil(2)
        } else {
            plies / 2
        }
    }

    /// Takes in what came from the referee.
    pub fn receive(&mut self, frame: &Frame, now: Instant) -> Vec<Action> {
        let line = match frame {
            Frame::Line(line) => line,
            Frame::Oversize => return self.fault("a line of more than 4095 bytes"),
        };
        let record = match epd::read(line, &mut Vec::new()) {
            Ok(record) => record,
            Err(error) => return self.fault(&error.to_string()),
        };
        match Command::read(&record) {
            Ok(command) => self.obey(&command, now),
            Err(error) => self.fault(&error.to_string()),
        }
    }

    /// Decisions 6, 7 and 98: tells the referee, and stays.
    fn fault(&self, why: &str) -> Vec<Action> {
        vec![
            Action::Send(self.fault_request(why)),
            Action::Tell(format!("fault: {why}")),
        ]
    }

    /// Something is wrong on our side.
    pub fn fault_request(&self, why: &str) -> Request {
        Request::Fault(Content::at(self.game.position()).saying(why))
    }

    fn obey(&mut self, command: &Command, now: Instant) -> Vec<Action> {
        // Decision 37: tags are taken in before anything else.
        if !matches!(command, Command::Reset(_)) {
            self.set_tags(command.content());
        }
        match command {
            Command::Inform(_) => Vec::new(),
            Command::Reset(content) => self.reset(content),
            Command::Execute(content) => self.execute(content),
            Command::Respond(content) => self.respond(content, now),
            Command::Conclude(content) => self.conclude(content),
            Command::Fault(content) => {
                self.asked = None;
                let why = content.text.as_deref().unwrap_or("no reason given");
                vec![
                    Action::Abort,
                    Action::Tell(format!("the referee reports a fault: {why}")),
                ]
            }
            Command::Disconnect(content) => self.disconnect(content),
        }
    }

    fn set_tags(&mut self, content: &Content) {
        for (name, value) in &content.tags {
            self.tags.retain(|(tag, _)| tag != name);
            self.tags.push((name.to_string(), value.to_string()));
        }
    }

    fn set_clocks(&mut self, content: &Content) {
        let whole = content
            .clocks
            .map(|(white, black)| [white.duration(), black.duration()]);
        let exact = content.chess_clocks;
        let exact = exact.map(|(white, black)| [white.duration(), black.duration()]);
        let Some(used) = exact.or(whole) else {
            return;
        };
        // What the referee charged for our last move, held against our own watch. Whole seconds say
        // nothing of that.
        if let (Some(_), Some((before, measured)), Some(color)) =
            (exact, self.last_think, self.color)
        {
            let charged = used[color as usize].saturating_sub(before);
            let lost = charged.saturating_sub(measured);
            self.overhead = lost
                .max(self.overhead.mul_f64(0.9))
                .min(Duration::from_secs(1));
        }
        self.last_think = None;
        self.used = Some(used);
    }

    /// Decisions 26, 27 and 41.
    fn reset(&mut self, content: &Content) -> Vec<Action> {
        let mut actions = vec![Action::Abort];
        actions.extend(self.leave_game());
        self.tags.clear();
        self.used = None;
        self.color = None;
        self.last_think = None;
        self.set_tags(content);
        self.set_clocks(content);
        self.set_position(content, true);
        self.play_history(content);
        actions.push(Action::NewGame);
        actions
    }

    fn conclude(&mut self, content: &Content) -> Vec<Action> {
        let mut actions = vec![Action::Abort];
        // Decision 29: the position received is the final one.
        if content
            .position
            .is_some_and(|position| position != *self.game.position())
        {
            actions.push(Action::Tell(
                "the final position is another than ours".to_owned(),
            ));
            self.set_position(content, false);
        }
        self.set_clocks(content);
        actions.extend(self.leave_game());
        actions
    }

    fn disconnect(&mut self, content: &Content) -> Vec<Action> {
        let mut actions = vec![Action::Abort];
        actions.extend(self.leave_game());
        if let Some(why) = &content.text {
            actions.push(Action::Tell(format!(
                "the referee closes the connection: {why}"
            )));
        }
        actions.push(Action::Close);
        actions
    }

    /// The game is told of once.
    fn leave_game(&mut self) -> Option<Action> {
        self.asked = None;
        std::mem::take(&mut self.is_playing).then_some(Action::GameOver)
    }

    fn execute(&mut self, content: &Content) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.asked.take().is_some() {
            actions.push(Action::Abort);
        }
        actions.extend(self.advance(content).err().unwrap_or_default());
        actions
    }

    fn respond(&mut self, content: &Content, now: Instant) -> Vec<Action> {
        let mut actions = vec![Action::Abort];
        if let Err(fault) = self.advance(content) {
            self.asked = None;
            actions.extend(fault);
            return actions;
        }
        self.color.get_or_insert(self.game.position().turn());
        self.asked = Some(Asked {
            at: now,
            offered: content.acts.contains(Acts::OFFER_DRAW),
        });
        actions.push(Action::Think);
        actions
    }

    /// Takes over position, clocks and moves of an execute or respond command (EPD 8.1, decisions
    /// 43, 44 and 49). An illegal move is not played and is a fault (decision 53).
    fn advance(&mut self, content: &Content) -> Result<(), Vec<Action>> {
        self.is_playing = true;
        self.set_position(content, false);
        self.set_clocks(content);
        self.play_history(content);
        match &content.supplied {
            None => Ok(()),
            Some(Supplied::Unplayable(text)) => Err(self.fault(&format!("illegal move {text}"))),
            // Decision 52: the history holds it already.
            Some(Supplied::Move(_)) if !content.history.is_empty() => Ok(()),
            Some(Supplied::Move(mv)) => {
                self.play(*mv, None);
                Ok(())
            }
        }
    }

    /// Sets the position, unless it is ours already: then its history stays (EPD 8.1). Counters that
    /// are sent and differ make another position of it (decision 49).
    fn set_position(&mut self, content: &Content, always: bool) {
        let Some(mut position) = content.position else {
            return;
        };
        let ours = self.game.position();
        let same = |sent: Option<u16>, own: u16| sent.is_none_or(|sent| sent == own);
        if !always
            && position == *ours
            && same(content.halfmove_clock, ours.halfmove_clock())
            && same(content.fullmove_number, ours.fullmove_number())
        {
            return;
        }
        position.set_counters(
            content.halfmove_clock.unwrap_or(0),
            content.fullmove_number.unwrap_or(1).max(1),
        );
        self.game = Game::new(position);
        self.plies.clear();
    }

    fn play_history(&mut self, content: &Content) {
        for &mv in &content.history {
            self.play(mv, None);
        }
    }

    fn play(&mut self, mv: Move, thought: Option<&Thought>) {
        if self.game.play(mv).is_ok() {
            self.plies.push(Ply {
                mv,
                score: thought.map(|thought| thought.score),
                time: thought.map(|thought| thought.time),
            });
        }
    }

    /// Whether the referee waits for a move of ours.
    pub const fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// Turns what came of thinking into the reply. Nothing if nobody asks any more.
    pub fn answer(&mut self, thought: &Thought, now: Instant) -> Vec<Action> {
        let Some(asked) = self.asked.take() else {
            return Vec::new();
        };
        let position = *self.game.position();
        let mut reply = Content::with_counters(&position);
        if self.tells_analysis && thought.depth > 0 {
            reply.analysis = analysis(&position, thought);
        }
        self.last_think = self.color.map(|color| {
            let before = self.used.unwrap_or_default()[color as usize];
            (before, now.saturating_duration_since(asked.at))
        });
        let plies = self.plies.len();
        let Some(best) = thought.best else {
            // Decision 62: there is no move, and nothing more to say.
            return vec![Action::Send(Request::Reply(reply))];
        };
        if self.manners.resigns(thought.score) {
            reply.acts = Acts::RESIGN;
            return vec![Action::Send(Request::Reply(reply))];
        }
        if asked.offered && self.manners.accepts_draw(thought.score) {
            // Decision 68.
            reply.acts = Acts::ACCEPT_DRAW;
            return vec![Action::Send(Request::Reply(reply))];
        }
        if self.manners.accepts_draw(thought.score) && claimable(&self.game) {
            // Decision 74: without a move the claim is about the position on the board.
            reply.acts = Acts::CLAIM_DRAW;
            return vec![Action::Send(Request::Reply(reply))];
        }
        // Decision 45: our move is played when it is sent.
        self.play(best, Some(thought));
        if self.manners.accepts_draw(thought.score) && claimable(&self.game) {
            reply.acts |= Acts::CLAIM_DRAW;
        } else if self.manners.offers_draw(thought.score, plies) {
            reply.acts |= Acts::OFFER_DRAW;
        }
        if asked.offered {
            reply.acts |= Acts::REJECT_DRAW;
        }
        vec![
            Action::Send(Request::Reply(reply.playing(best))),
            Action::Ponder,
        ]
    }
}

/// Whether the game's position is a draw for whoever claims it.
fn claimable(game: &Game) -> bool {
    matches!(
        game.draw(),
        Some(Draw::Repetition | Draw::FiftyMoves | Draw::InsufficientMaterial)
    )
}

/// The operations that tell what we think (decision 56).
fn analysis(position: &Position, thought: &Thought) -> Vec<Operation> {
    vec![
        Operation::new("acd").symbol(thought.depth),
        Operation::new("acn").symbol(thought.nodes),
        Operation::new("acs").symbol(thought.time.as_secs_f64().round()),
        Operation::new("ce").symbol(thought.score),
        Operation::new("pv").line(position, &thought.pv),
    ]
}

#[cfg(test)]
mod tests;
