//! The state of a player in refereed play (EPD 8), without streams, clocks and engines: commands
//! and instants go in, requests and actions come out.

use std::time::{Duration, Instant};

use epd::Operation;
use epd::protocol::frame::Frame;
use epd::protocol::time_control::TimeControl;
use epd::protocol::{Command, Message, PlayerActions, Request, Supplied, Term};
use movegen::{Color, Draw, Game, Move, Position};

use super::draw_resign_policy::DrawResignPolicy;
use super::equipment::Equipment;
use crate::engines::lag::Lag;
use crate::engines::{ClockState, SearchResult, Wish};

/// An action for the caller to perform.
#[derive(Clone, Debug, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "there are only a few actions at a time"
)]
pub enum Action {
    /// Send this.
    Send(Request),
    /// Stop searching and pondering, and discard the result.
    Abort,
    /// Search the position; the clock is running.
    Think,
    /// Ponder.
    Ponder,
    /// A new game begins.
    NewGame,
    /// The game has ended, or will not go on.
    GameOver(Played),
    /// Print a message for the user.
    Print(String),
    /// The referee closes the connection.
    Close,
}

/// A move of the game, with score and times for the PGN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    pub mv: Move,
    /// The score, if this player moved.
    pub score: Option<i32>,
    /// The time taken, if this player moved.
    pub time: Option<Duration>,
    /// The remaining time of the mover by the referee's clock.
    pub clock: Option<Duration>,
}

/// A finished game for the PGN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The starting position.
    pub start: Position,
    pub plies: Vec<Ply>,
    /// The tags from the referee.
    pub tags: Vec<(String, String)>,
}

impl Played {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(tag, _)| tag == name)
            .map(|(_, value)| value.as_str())
    }

    /// Whether it has a result.
    pub fn is_finished(&self) -> bool {
        self.tag("Result").is_some_and(|result| result != "*")
    }

    /// Whether this is a later part of the same game.
    pub fn continues(&self, before: &Self) -> bool {
        let same = |name| self.tag(name) == before.tag(name);
        self.start == before.start
            && ["Event", "Date", "Round", "White", "Black"]
                .into_iter()
                .all(same)
    }

    /// Takes over what an earlier part of the game knows of the moves that both have.
    pub fn learn_from(&mut self, before: &Self) {
        for (ply, old) in self.plies.iter_mut().zip(&before.plies) {
            if ply.mv != old.mv {
                break;
            }
            ply.score = ply.score.or(old.score);
            ply.time = ply.time.or(old.time);
            ply.clock = ply.clock.or(old.clock);
        }
    }
}

/// The pending request of the referee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Asked {
    at: Instant,
    /// The opponent offers a draw.
    offered: bool,
    /// Our draw claim for this position was rejected (decision 75).
    refused: bool,
}

/// The phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The last game has ended, and no reset command has come.
    Idle,
    /// A reset command has come.
    SetUp,
    /// An execute or respond command has come.
    Playing,
}

/// The state of a connection: the game, its tags and clocks, and the pending request.
#[derive(Debug)]
pub struct Session {
    name: String,
    policy: DrawResignPolicy,
    /// Whether replies include our analysis.
    sends_analysis: bool,
    game: Game,
    plies: Vec<Ply>,
    /// The number of moves at the beginning whose clocks are unknown: those of an opening, or from
    /// before a reconnection.
    unclocked: usize,
    tags: Vec<(String, String)>,
    /// The time used by White and Black.
    used: Option<[Duration; 2]>,
    stage: Stage,
    /// Our side, known from the first respond (decision 20).
    color: Option<Color>,
    asked: Option<Asked>,
    /// The time charged by the referee beyond our own measurement.
    lag: Lag,
    /// Our last move, until the referee sends clocks that include it: the time used before it, and
    /// the time that it took by our own measurement.
    last_think: Option<(Duration, Duration)>,
    /// Why the referee closed the connection.
    farewell: Option<String>,
    /// The time between two pings of the referee.
    ping: Option<Duration>,
    /// The last referee of the event that this one knows of, if another one has taken over.
    term: Option<Term>,
    /// What the player runs on.
    equipment: Equipment,
}

impl Session {
    pub fn new(name: &str, policy: DrawResignPolicy, sends_analysis: bool) -> Self {
        Self {
            name: name.to_owned(),
            policy,
            sends_analysis,
            game: Game::default(),
            plies: Vec::new(),
            unclocked: 0,
            tags: Vec::new(),
            used: None,
            stage: Stage::Idle,
            color: None,
            asked: None,
            lag: Lag::default(),
            last_think: None,
            farewell: None,
            ping: None,
            term: None,
            equipment: Equipment::default(),
        }
    }

    /// Lets the first request say what the player runs on.
    pub fn running_on(self, equipment: Equipment) -> Self {
        Self { equipment, ..self }
    }

    /// The current game.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(tag, _)| tag == name)
            .map(|(_, value)| value.as_str())
    }

    /// The first request (decisions 15 and 16).
    pub fn sign_on(&self) -> Request {
        Request::SignOn(Message {
            name: Some(self.name.as_str().into()),
            text: Some(concat!("Epode ", env!("CARGO_PKG_VERSION")).into()),
            // We answer pings (decision 10).
            ping: Some(0),
            machine: self.equipment.machine.as_deref().map(Into::into),
            speed: self.equipment.speed,
            ..Message::at(self.game.position())
        })
    }

    /// The time between two pings of the referee, if it has told us.
    pub const fn ping(&self) -> Option<Duration> {
        self.ping
    }

    /// The term of the referee, if it has told us one (decision 143).
    pub const fn term(&self) -> Option<&Term> {
        self.term.as_ref()
    }

    /// The last request (decision 23).
    pub fn sign_off(&self) -> Request {
        Request::SignOff(Message::at(self.game.position()))
    }

    /// The measured lag.
    pub const fn lag(&self) -> Lag {
        self.lag
    }

    /// The limits of each move that the referee set, in nodes and plies.
    pub fn event_limits(&self) -> [Option<u64>; 2] {
        ["SearchNodes", "SearchDepth"]
            .map(|tag| self.tag(tag)?.parse().ok().filter(|&count| count > 0))
    }

    /// The clock, if the referee sent a time control and the time used (decisions 39, 40 and 83).
    pub fn clock_state(&self) -> Option<ClockState> {
        let turn = self.game.position().turn();
        let colors = [Color::White, Color::Black];
        let [white, black] = colors.map(|color| self.time_control(color));
        let controls = [white?, black?];
        let [white, black] = colors.map(|color| self.remaining(&controls[color as usize], color));
        Some(ClockState {
            remaining: [white?, black?],
            increment: colors
                .map(|color| controls[color as usize].increment(self.moves_made(color))),
            moves_to_go: controls[turn as usize].moves_to_go(self.moves_made(turn)),
        })
    }

    /// Whether the opponent offers a draw with the position that we are asked for.
    pub fn is_draw_offered(&self) -> bool {
        self.asked.is_some_and(|asked| asked.offered)
    }

    /// The time control of a side. Where the referee normalises time, each has its own (decision 146).
    fn time_control(&self, color: Color) -> Option<TimeControl> {
        let own = match color {
            Color::White => "WhiteTimeControl",
            Color::Black => "BlackTimeControl",
        };
        let control = self.tag(own).or_else(|| self.tag("TimeControl"))?;
        control.parse().ok()
    }

    /// The remaining time of a side by the last clocks of the referee.
    fn remaining(&self, control: &TimeControl, color: Color) -> Option<Duration> {
        let used = self.used.unwrap_or_default();
        let side = color as usize;
        let allotted = control.allotted(self.moves_made(color), used[1 - side])?;
        Some(allotted.saturating_sub(used[side]))
    }

    /// The number of moves of a side since the starting position.
    fn moves_made(&self, color: Color) -> u32 {
        let plies = self.game.moves().len() as u32;
        if self.game.start().turn() == color {
            plies.div_ceil(2)
        } else {
            plies / 2
        }
    }

    /// Handles a frame from the referee.
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
            Ok(command) => self.handle(&command, now),
            Err(error) => self.fault(&error.to_string()),
        }
    }

    /// Reports a fault to the referee; the connection stays open (decisions 6, 7 and 98).
    fn fault(&self, why: &str) -> Vec<Action> {
        vec![
            Action::Send(self.fault_request(why)),
            Action::Print(format!("fault: {why}")),
        ]
    }

    /// The request that reports a fault to the referee.
    pub fn fault_request(&self, why: &str) -> Request {
        Request::Fault(Message::at(self.game.position()).saying(why))
    }

    fn handle(&mut self, command: &Command, now: Instant) -> Vec<Action> {
        // Tags are read before anything else (decision 37).
        if !matches!(command, Command::Reset(_)) {
            self.set_tags(command.message());
        }
        if let Some(seconds @ 1..) = command.message().ping {
            self.ping = Some(Duration::from_secs(seconds.into()));
        }
        if let Some(term) = &command.message().term {
            self.term = Some(term.clone());
        }
        match command {
            Command::Inform(content) => {
                self.set_clocks(content);
                content.ping.map(|_| self.pong()).into_iter().collect()
            }
            Command::Reset(content) => self.reset(content),
            Command::Execute(content) => self.execute(content),
            Command::Respond(content) => self.respond(content, now),
            Command::Conclude(content) => self.conclude(content),
            Command::Fault(content) => {
                self.asked = None;
                let why = content.text.as_deref().unwrap_or("no reason given");
                vec![
                    Action::Abort,
                    Action::Print(format!("the referee reports a fault: {why}")),
                ]
            }
            Command::Disconnect(content) => self.disconnect(content),
        }
    }

    /// The answer to a ping. It is no reply to a respond command (decision 10).
    fn pong(&self) -> Action {
        Action::Send(Request::Reply(Message {
            ping: Some(0),
            ..Message::at(self.game.position())
        }))
    }

    /// Sets tags; the last value counts (decision 36).
    fn set_tags(&mut self, content: &Message) {
        for (name, value) in &content.tags {
            match self.tags.iter_mut().find(|(tag, _)| tag == name) {
                Some((_, old)) => value.as_str().clone_into(old),
                None => self.tags.push((name.to_string(), value.to_string())),
            }
        }
    }

    /// Notes the remaining time of each side after its last move, from the clocks just received.
    fn note_clocks(&mut self, content: &Message) {
        if content.clocks.is_none() && content.chess_clocks.is_none() {
            return;
        }
        let Some(used) = self.used else {
            return;
        };
        let turn = self.game.position().turn();
        for (back, mover) in [(1, !turn), (2, turn)] {
            let Some(last) = self.plies.len().checked_sub(back) else {
                continue;
            };
            // A side that has used no time has not moved by itself yet.
            let is_known = last >= self.unclocked && !used[mover as usize].is_zero();
            if is_known && self.plies[last].clock.is_none() {
                let control = self.time_control(mover);
                self.plies[last].clock =
                    control.and_then(|control| self.remaining(&control, mover));
            }
        }
    }

    fn set_clocks(&mut self, content: &Message) {
        let whole = content
            .clocks
            .map(|(white, black)| [white.duration(), black.duration()]);
        let exact = content.chess_clocks;
        let exact = exact.map(|(white, black)| [white.duration(), black.duration()]);
        let Some(used) = exact.or(whole) else {
            return;
        };
        // Compare the time charged for our last move with our own measurement. Whole seconds are
        // too coarse for this.
        if let (Some(_), Some((before, measured)), Some(color)) =
            (exact, self.last_think, self.color)
        {
            let charged = used[color as usize].saturating_sub(before);
            self.lag.learn(charged, measured);
        }
        self.last_think = None;
        self.used = Some(used);
    }

    /// Ends the game, if there is one, and prepares the next from the position received; drops the
    /// history, the tags and the search of the old game (decisions 26, 27 and 41).
    fn reset(&mut self, content: &Message) -> Vec<Action> {
        let mut actions = vec![Action::Abort];
        actions.extend(self.leave_game().map(Action::GameOver));
        self.stage = Stage::SetUp;
        self.set_tags(content);
        self.set_clocks(content);
        if let Some(position) = placed(content, 0, 1) {
            self.game = Game::new(position);
        }
        actions.push(Action::NewGame);
        if let Err(why) = self.play_sent(content) {
            actions.extend(self.fault(&why));
        }
        actions
    }

    fn conclude(&mut self, content: &Message) -> Vec<Action> {
        let mut actions = vec![Action::Abort];
        self.set_clocks(content);
        self.note_clocks(content);
        actions.extend(self.leave_game().map(Action::GameOver));
        // Decision 29: the position received is the final one.
        let ours = *self.game.position();
        self.set_position(content);
        if *self.game.position() != ours {
            actions.push(Action::Print(
                "the final position is another than ours".to_owned(),
            ));
        }
        actions
    }

    fn disconnect(&mut self, content: &Message) -> Vec<Action> {
        let mut actions = vec![Action::Abort];
        self.farewell = content.text.as_ref().map(ToString::to_string);
        actions.extend(self.leave_game().map(Action::GameOver));
        if let Some(why) = &content.text {
            actions.push(Action::Print(format!(
                "the referee closes the connection: {why}"
            )));
        }
        actions.push(Action::Close);
        actions
    }

    /// Whether the referee closed the connection because it stopped before the end of its event.
    pub fn event_may_be_resumed(&self) -> bool {
        self.farewell.as_deref() == Some("the referee is shutting down")
    }

    /// Whether the reason why the referee closed the connection may pass: the old connection of a player
    /// that comes back may still look alive, there may be too many players at the moment, or we were too
    /// busy to answer a ping.
    pub fn may_try_again(&self) -> bool {
        let passing = [
            "this name is in use",
            "too many connections",
            "no sign_on in time",
            "all places are taken",
            "no answer to a ping",
        ];
        self.farewell
            .as_deref()
            .is_some_and(|why| passing.contains(&why))
    }

    /// Removes the game, keeps its position, and returns the game if one was being played.
    pub fn leave_game(&mut self) -> Option<Played> {
        let position = *self.game.position();
        let game = std::mem::replace(&mut self.game, Game::new(position));
        let played = Played {
            start: *game.start(),
            plies: std::mem::take(&mut self.plies),
            tags: std::mem::take(&mut self.tags),
        };
        self.policy.forget_moves();
        self.unclocked = 0;
        self.used = None;
        self.color = None;
        self.asked = None;
        self.last_think = None;
        let stage = std::mem::replace(&mut self.stage, Stage::Idle);
        (stage == Stage::Playing).then_some(played)
    }

    fn execute(&mut self, content: &Message) -> Vec<Action> {
        let (mut actions, advanced) = self.advance(content);
        if let Err(why) = advanced {
            actions.extend(self.fault(&why));
        }
        actions
    }

    fn respond(&mut self, content: &Message, now: Instant) -> Vec<Action> {
        let (mut actions, advanced) = self.advance(content);
        if let Err(why) = advanced {
            actions.extend(self.fault(&why));
            return actions;
        }
        self.note_clocks(content);
        if self.color.is_none() {
            self.unclocked = self.plies.len();
        }
        self.color.get_or_insert(self.game.position().turn());
        self.asked = Some(Asked {
            at: now,
            offered: content.actions.contains(PlayerActions::OFFER_DRAW),
            refused: content.actions.contains(PlayerActions::REJECT_DRAW)
                && content.supplied.is_none(),
        });
        actions.push(Action::Think);
        actions
    }

    /// Applies position, clocks and moves of an execute or respond command (EPD 8.1, decisions 44
    /// and 49). It ends the search for an earlier request (decision 9).
    fn advance(&mut self, content: &Message) -> (Vec<Action>, Result<(), String>) {
        self.asked = None;
        let mut actions = vec![Action::Abort];
        if self.stage == Stage::Idle {
            // A game may begin without a reset command (decision 43).
            actions.push(Action::NewGame);
        }
        self.stage = Stage::Playing;
        let moves = self.plies.len();
        self.set_position(content);
        if self.plies.len() < moves {
            actions.push(Action::Print(
                "the referee's position is another than ours; the moves before it are forgotten"
                    .to_owned(),
            ));
        }
        self.set_clocks(content);
        (actions, self.play_sent(content))
    }

    /// Sets the position. If it equals ours, the history is kept (EPD 8.1), unless different
    /// counters are sent (decision 49).
    fn set_position(&mut self, content: &Message) {
        let ours = self.game.position();
        let counters =
            |position: &Position| (position.halfmove_clock(), position.fullmove_number());
        let is_ours = content.position == Some(*ours);
        let (halfmoves, number) = if is_ours { counters(ours) } else { (0, 1) };
        let Some(position) = placed(content, halfmoves, number) else {
            return;
        };
        if is_ours && counters(&position) == counters(ours) {
            return;
        }
        self.game = Game::new(position);
        self.plies.clear();
        self.unclocked = 0;
    }

    /// Plays `sm`, or `sv`, which begins with it (decision 52). If any of them is illegal, none is
    /// played (decision 53).
    fn play_sent(&mut self, content: &Message) -> Result<(), String> {
        let supplied = match &content.supplied {
            Some(Supplied::Unplayable(text)) => return Err(format!("illegal move {text}")),
            Some(Supplied::Move(mv)) => Some(*mv),
            None => None,
        };
        let history = match content.history.first() {
            None => supplied.as_slice(),
            Some(&first) if supplied.is_none_or(|mv| mv == first) => &content.history,
            Some(_) => return Err("sm is not the first move of sv".to_owned()),
        };
        for &mv in history {
            self.play(mv, None);
        }
        Ok(())
    }

    fn play(&mut self, mv: Move, result: Option<&SearchResult>) {
        // A move of an opening book has no evaluation.
        let analysed = result.filter(|result| result.depth > 0);
        if self.game.play(mv).is_ok() {
            self.plies.push(Ply {
                mv,
                score: analysed.map(|result| result.score.ce()),
                time: result.map(|result| result.time),
                clock: None,
            });
        }
    }

    /// Turns the result of a search into the reply; empty if there is no pending request.
    pub fn answer(&mut self, result: &SearchResult, now: Instant) -> Vec<Action> {
        let Some(asked) = self.asked.take() else {
            return Vec::new();
        };
        let position = *self.game.position();
        let mut reply = Message::with_counters(&position);
        if self.sends_analysis && result.depth > 0 {
            reply.analysis = analysis(&position, result);
        }
        self.last_think = self.color.map(|color| {
            let before = self.used.unwrap_or_default()[color as usize];
            (before, now.saturating_duration_since(asked.at))
        });
        let plies = self.plies.len();
        if result.wish == Wish::Resign {
            reply.actions = PlayerActions::RESIGN;
            return vec![Action::Send(Request::Reply(reply))];
        }
        let accepts_draw = result.wish == Wish::Draw || self.policy.accepts_draw(result.score.ce());
        let Some(best) = result.best else {
            // Without a legal move the reply is only the position (decision 62). An engine may also want a
            // draw instead of a move.
            if result.wish == Wish::Draw {
                reply.actions = if asked.offered {
                    PlayerActions::ACCEPT_DRAW
                } else {
                    PlayerActions::CLAIM_DRAW
                };
            }
            return vec![Action::Send(Request::Reply(reply))];
        };
        if self.policy.resigns(result.score.ce()) {
            reply.actions = PlayerActions::RESIGN;
            return vec![Action::Send(Request::Reply(reply))];
        }
        if asked.offered && accepts_draw {
            // A draw is accepted without a move (decision 68).
            reply.actions = PlayerActions::ACCEPT_DRAW;
            return vec![Action::Send(Request::Reply(reply))];
        }
        if !asked.refused && accepts_draw && claimable(&self.game) {
            // Decision 74: without a move the claim is about the position on the board.
            reply.actions = PlayerActions::CLAIM_DRAW;
            return vec![Action::Send(Request::Reply(reply))];
        }
        // Decision 45: our move is played when it is sent.
        self.play(best, Some(result));
        if accepts_draw && claimable(&self.game) {
            reply.actions |= PlayerActions::CLAIM_DRAW;
        } else if self.policy.offers_draw(result.score.ce(), plies) || result.wish == Wish::Draw {
            reply.actions |= PlayerActions::OFFER_DRAW;
        }
        if asked.offered {
            reply.actions |= PlayerActions::REJECT_DRAW;
        }
        vec![
            Action::Send(Request::Reply(reply.playing(best))),
            Action::Ponder,
        ]
    }
}

/// The position of a record, with its counters or else the given ones (decision 49).
fn placed(content: &Message, halfmoves: u16, number: u16) -> Option<Position> {
    let mut position = content.position?;
    position.set_counters(
        content.halfmove_clock.unwrap_or(halfmoves),
        content.fullmove_number.unwrap_or(number).max(1),
    );
    Some(position)
}

/// Whether a draw can be claimed.
fn claimable(game: &Game) -> bool {
    matches!(
        game.draw(),
        Some(Draw::Repetition | Draw::FiftyMoves | Draw::InsufficientMaterial)
    )
}

/// The operations of our analysis (decision 56).
fn analysis(position: &Position, result: &SearchResult) -> Vec<Operation> {
    vec![
        Operation::new("acd").symbol(result.depth),
        Operation::new("acn").symbol(result.nodes),
        Operation::new("acs").symbol(result.time.as_secs_f64().round()),
        Operation::new("ce").symbol(result.score),
        Operation::new("pv").line(position, &result.pv),
    ]
}

#[cfg(test)]
mod tests;
