//! The referee at work: connections, players, games and the clock that drives them.
//!
//! Everything comes to one task, [`Server::run`], as an [`Incoming`], and is dealt with at once:
//! nothing in it waits for a peer, or for the disk to have what was written, so that no player can
//! hold up another's game.

/// Prints for whoever watches; nobody has to.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($text)*);
    }};
}

mod console;
mod seats;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use epd::protocol::frame::{Frame, line_of};
use epd::protocol::{Command, Content, Request};
use jiff::Zoned;
use movegen::{Color, Position, San};
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;

use crate::connection::Connection;
use crate::ending::{Ending, Reason};
use crate::event::{Event, word_of};
use crate::files::Files;
use crate::game::Out;
use crate::journal::Entry;
use crate::local;
use crate::pairing::Pairing;
use seats::{Seat, Stage};

/// What may wait for the referee.
const WAITING: usize = 1024;
/// Records without sense that a connection may send between two moves.
const STRIKES: u32 = 16;
/// Sockets of peers that are being turned away, beside those that the event allows.
const TURNED_AWAY: usize = 64;
/// When nothing is due.
const FAR: Duration = Duration::from_hours(1);
/// The standings are written at most so often, and at most for this part of the time: with hundreds
/// of players they are much work.
const STANDINGS_PAUSE: Duration = Duration::from_secs(1);
/// See [`STANDINGS_PAUSE`].
const STANDINGS_PART: u32 = 500;
/// How long peers and local players have to go when the referee does.
const LEAVE: Duration = Duration::from_secs(1);

/// Something that comes from outside.
#[derive(Debug)]
pub enum Incoming {
    /// Somebody connects.
    Opened(TcpStream, SocketAddr, OwnedSemaphorePermit),
    /// A connection has a line.
    Came(u64, Frame, Instant),
    /// A connection is gone.
    Closed(u64),
    /// A player that the referee started says something.
    Said(usize, String),
    /// A player that the referee started has ended, thus.
    Exited(usize, String),
    /// The supervisor wants something, and an answer.
    Ordered(String, oneshot::Sender<String>),
    /// The referee is to go.
    Interrupted,
}

/// How an event ended for the referee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every game has been played.
    Played,
    /// The supervisor ended it; it can be resumed.
    Left,
}

/// What the referee does not do by default.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What players must say to sign on.
    pub password: Option<String>,
    /// Print every move.
    pub prints_moves: bool,
}

/// The referee of an event.
pub struct Server {
    event: Event,
    files: Files,
    options: Options,
    connections: HashMap<u64, Connection>,
    next_connection: u64,
    seats: Vec<Seat>,
    address: String,
    /// How many sockets there may be at once, those of peers that are being turned away among them.
    places: usize,
    room: Arc<Semaphore>,
    /// Players that the referee has started and that have not ended.
    started: usize,
    sender: Sender<Incoming>,
    incoming: Receiver<Incoming>,
    /// Who was free (and here) when no game could be started: while that is so, none can.
    unpaired: Vec<(bool, bool)>,
    /// When the standings may be written again, and whether they have changed.
    standings: (Instant, bool),
    paused: bool,
    leaving: bool,
}

impl Server {
    /// A referee that will listen at an address.
    #[must_use]
    pub fn new(event: Event, files: Files, options: Options) -> Self {
        let (sender, incoming) = channel(WAITING);
        let now = Instant::now();
        let seats = event.names().iter().map(|_| Seat::new(now)).collect();
        let places = event.config().rules.connections + TURNED_AWAY;
        Self {
            event,
            files,
            options,
            connections: HashMap::new(),
            next_connection: 0,
            seats,
            address: String::new(),
            places,
            room: Arc::new(Semaphore::new(places)),
            started: 0,
            sender,
            incoming,
            unpaired: Vec::new(),
            standings: (now, false),
            paused: false,
            leaving: false,
        }
    }

    /// Where orders and signals go.
    #[must_use]
    pub fn sender(&self) -> Sender<Incoming> {
        self.sender.clone()
    }

    /// The event.
    #[must_use]
    pub const fn event(&self) -> &Event {
        &self.event
    }

    /// Conducts the event.
    pub async fn run(&mut self, listener: TcpListener) -> anyhow::Result<End> {
        self.address = listener.local_addr().context("no address")?.to_string();
        self.files.address(&self.address)?;
        say!("listening on {}", self.address);
        let accepting = accept(listener, self.sender.clone(), Arc::clone(&self.room));
        let accepting = tokio::spawn(accepting).abort_handle();
        self.files
            .event(json!({ "event": "start", "address": self.address }));
        self.wait_for_players()?;
        self.start_players()?;
        self.files.standings(&self.event.standings())?;
        loop {
            // What has come goes first: a reply that was read in time finds its flag up.
            while let Ok(incoming) = self.incoming.try_recv() {
                self.take(incoming)?;
            }
            let now = Instant::now();
            self.work(now)?;
            self.files.flush()?;
            if self.leaving || self.event.is_over() {
                break;
            }
            let wake = tokio::time::Instant::from_std(self.wake(now));
            tokio::select! {
                incoming = self.incoming.recv() => {
                    if let Some(incoming) = incoming {
                        self.take(incoming)?;
                    }
                }
                () = tokio::time::sleep_until(wake) => {
                    // What arrived until now is read before anything is judged.
                    tokio::task::yield_now().await;
                }
            }
        }
        accepting.abort();
        self.close().await?;
        Ok(if self.event.is_over() {
            End::Played
        } else {
            End::Left
        })
    }

    /// Games that were under way when the last referee went wait for their players.
    fn wait_for_players(&mut self) -> anyhow::Result<()> {
        let now = Instant::now();
        for player in 0..self.seats.len() {
            let game = self.event.game_of(player);
            let seat = &mut self.seats[player];
            (seat.game, seat.gone) = (game, game.map(|_| now));
            self.miss(player, now)?;
        }
        Ok(())
    }

    /// The players that the referee is to start.
    fn start_players(&mut self) -> anyhow::Result<()> {
        let players = self.event.config().players.clone();
        for (i, player) in players.iter().enumerate() {
            let Some(command) = &player.command else {
                continue;
            };
            match local::start(i, command, &player.name, &self.address, &self.sender) {
                Ok(()) => self.started += 1,
                Err(error) => {
                    self.tell(&format!("{error:#}"));
                    self.exited(i, "not started")?;
                }
            }
        }
        Ok(())
    }

    /// Tells the supervisor.
    fn tell(&mut self, text: &str) {
        say!("{text}");
        self.files.event(json!({ "event": "note", "text": text }));
    }

    /// Deals with what came.
    fn take(&mut self, incoming: Incoming) -> anyhow::Result<()> {
        match incoming {
            Incoming::Opened(stream, peer, room) => self.open(stream, peer, room),
            Incoming::Came(id, frame, at) => self.receive(id, &frame, at)?,
            Incoming::Closed(id) => self.lose(id)?,
            Incoming::Said(player, line) => self.keep(player, &line),
            Incoming::Exited(player, status) => {
                self.started -= 1;
                self.exited(player, &status)?;
            }
            Incoming::Ordered(order, answer) => {
                let text = self.order(&order)?;
                // Who asked may be gone.
                let _ = answer.send(text);
            }
            Incoming::Interrupted => self.leaving = true,
        }
        Ok(())
    }

    /// Keeps what a player says on its standard error.
    fn keep(&self, player: usize, line: &str) {
        let game = self.seats[player].game;
        // What cannot be kept is no reason to stop.
        let _ = self.files.said(&self.event.names()[player], game, line);
    }

    fn open(&mut self, stream: TcpStream, peer: SocketAddr, room: OwnedSemaphorePermit) {
        self.next_connection += 1;
        let id = self.next_connection;
        let opened = Connection::open(id, stream, peer.to_string(), self.sender.clone(), room);
        // A connection that breaks at once is none.
        let Ok(connection) = opened else { return };
        self.connections.insert(id, connection);
        if self.connections.len() > self.event.config().rules.connections {
            self.refuse(id, "too many connections");
        }
    }

    /// Deals with a line of a connection.
    fn receive(&mut self, id: u64, frame: &Frame, at: Instant) -> anyhow::Result<()> {
        let Some(connection) = self.connections.get(&id) else {
            return Ok(());
        };
        let player = connection.player;
        let line = match frame {
            Frame::Line(line) => line,
            Frame::Oversize => return self.object(id, "a line of more than 4095 bytes"),
        };
        let record = match epd::read(line, &mut Vec::new()) {
            Ok(record) => record,
            Err(error) => {
                // Before the sign_on it may hold the password, which is not written down.
                self.log_line('<', id, if player.is_some() { line } else { "?" });
                return self.object(id, &error.to_string());
            }
        };
        if record.get("Auth").is_some() {
            let mut open = record.clone();
            open.remove("Auth");
            self.log_line('<', id, &open.to_string());
        } else {
            self.log_line('<', id, line);
        }
        match (Request::read(&record), player) {
            (Err(error), _) => self.object(id, &error.to_string()),
            (Ok(Request::SignOn(content)), _) => self.sign_on(id, &record, &content),
            (Ok(request), Some(player)) => self.heed(id, player, request, at),
            // Decision 19.
            (Ok(_), None) => {
                self.refuse(id, "sign_on comes first");
                Ok(())
            }
        }
    }

    /// Deals with a request of a player.
    fn heed(
        &mut self,
        id: u64,
        player: usize,
        request: Request,
        at: Instant,
    ) -> anyhow::Result<()> {
        match request {
            Request::Reply(content) => self.reply(id, player, &content, at),
            Request::Fault(content) => {
                let why = content
                    .text
                    .as_deref()
                    .unwrap_or("no reason given")
                    .to_owned();
                if self.seats[player].game.is_none() {
                    return self.pass_over(id, &why);
                }
                let name = &self.event.names()[player];
                self.tell(&format!("{name} reports a fault: {why}"));
                self.in_game(player, |game, color| game.fault(color, &why))
            }
            Request::SignOff(_) => {
                self.tell(&format!("{} signs off", self.event.names()[player]));
                self.lose(id)
            }
            Request::SignOn(_) => Ok(()),
        }
    }

    fn reply(
        &mut self,
        id: u64,
        player: usize,
        content: &Content,
        at: Instant,
    ) -> anyhow::Result<()> {
        let seat = &mut self.seats[player];
        seat.lag = at.elapsed();
        let game = seat
            .game
            .and_then(|number| self.event.game_mut(number).map(|game| (number, game)));
        let asked = game.and_then(|(number, game)| {
            let color = game.color_of(player)?;
            Some((number, game, color)).filter(|_| seat.asked.is_some())
        });
        let Some((number, game, color)) = asked else {
            seat.owed = None;
            return self.pass_over(id, "a reply that was not asked for");
        };
        let position = content.position;
        if seat.owed.is_some() && seat.owed == position && seat.asked != position {
            seat.owed = None;
            return self.pass_over(id, "a reply that belongs to a game that is over");
        }
        seat.asked = None;
        let out = game.referee.reply(color, content, at);
        if out.iter().any(|out| matches!(out, Out::Moved(_)))
            && let Some(connection) = self.connections.get_mut(&id)
        {
            connection.strikes = 0;
        }
        self.act(number, out)
    }

    /// Lets the game that a player is in deal with something.
    fn in_game(
        &mut self,
        player: usize,
        deal: impl FnOnce(&mut crate::game::GameReferee, Color) -> Vec<Out>,
    ) -> anyhow::Result<()> {
        let Some(number) = self.seats[player].game else {
            return Ok(());
        };
        let mut out = Vec::new();
        if let Some(game) = self.event.game_mut(number)
            && let Some(color) = game.color_of(player)
        {
            out = deal(&mut game.referee, color);
        }
        self.act(number, out)
    }

    /// A record that makes no sense is a fault (decisions 6 and 7).
    fn object(&mut self, id: u64, why: &str) -> anyhow::Result<()> {
        if let Some(player) = self.bear(id, why)? {
            let position = self.position_of(player);
            self.send(id, &Command::Fault(Content::at(&position).saying(why)));
        }
        Ok(())
    }

    /// A record that is not wanted is dropped (decisions 8, 19 and 61). Nothing is said of it: it may
    /// have crossed a command, and the author's own client leaves when it hears of a fault.
    fn pass_over(&mut self, id: u64, why: &str) -> anyhow::Result<()> {
        if let Some(player) = self.bear(id, why)? {
            let name = &self.event.names()[player];
            self.files
                .event(json!({ "event": "passed_over", "player": name, "text": why }));
        }
        Ok(())
    }

    /// Counts a record that is of no use; too many of them are the end, and so is the first one of
    /// somebody who has not signed on. Returns whose it is if it is borne.
    fn bear(&mut self, id: u64, why: &str) -> anyhow::Result<Option<usize>> {
        let Some(connection) = self.connections.get_mut(&id) else {
            return Ok(None);
        };
        connection.strikes += 1;
        let Some(player) = connection.player else {
            self.refuse(id, why);
            return Ok(None);
        };
        if connection.strikes < STRIKES {
            return Ok(Some(player));
        }
        let why = "too many records without sense";
        self.in_game(player, |game, color| game.break_protocol(color, why))?;
        self.refuse(id, why);
        self.lose(id)?;
        Ok(None)
    }

    /// The position that a player's game has, or the start array (decisions 30 and 100).
    fn position_of(&self, player: usize) -> Position {
        let number = self.seats[player].game;
        let game = number.and_then(|number| self.event.running().get(&number));
        game.map_or_else(Position::start, |game| *game.referee.game().position())
    }

    /// Sends a command; a peer that cannot take it is gone.
    fn send(&mut self, id: u64, command: &Command) {
        let line = line_of(&command.record());
        let Some(connection) = self.connections.get_mut(&id) else {
            return;
        };
        let sent = connection.send(&line).is_ok();
        self.log_line('>', id, &line);
        if !sent {
            // It is told of as of any connection that ends.
            let sender = self.sender.clone();
            tokio::spawn(async move { sender.send(Incoming::Closed(id)).await });
        }
    }

    fn log_line(&mut self, direction: char, id: u64, line: &str) {
        let connection = &self.connections[&id];
        let who = connection
            .player
            .map_or(&connection.peer, |player| &self.event.names()[player]);
        self.files.log(direction, who, line);
    }

    /// Ends a connection with a word (decision 18).
    fn refuse(&mut self, id: u64, why: &str) {
        self.send(
            id,
            &Command::Disconnect(Content::at(&Position::start()).saying(why)),
        );
        if let Some(connection) = self.connections.get(&id)
            && connection.player.is_none()
        {
            let peer = connection.peer.clone();
            self.files
                .event(json!({ "event": "refused", "peer": peer, "why": why }));
            self.connections.remove(&id);
        }
    }

    /// Does what a game wants done. What must not be forgotten is written down before anybody is
    /// told of it.
    fn act(&mut self, number: usize, out: Vec<Out>) -> anyhow::Result<()> {
        for out in &out {
            let entry = match out {
                Out::Moved(moved) => Some(Entry::moved(number, moved)),
                Out::Ended(ending) => self.event.end_entry(number, ending),
                Out::Send(..) | Out::Note(_) => None,
            };
            if let Some(entry) = entry {
                self.files.journal(&entry)?;
            }
        }
        for out in out {
            match out {
                Out::Send(color, command) => self.send_to_side(number, color, &command),
                Out::Moved(moved) => self.note_move(number, &moved),
                Out::Ended(ending) => self.end_game(number, &ending)?,
                Out::Note(text) => {
                    self.files
                        .event(json!({ "event": "note", "game": number, "text": text }));
                }
            }
        }
        Ok(())
    }

    fn send_to_side(&mut self, number: usize, color: Color, command: &Command) {
        let Some(game) = self.event.running().get(&number) else {
            return;
        };
        let position = *game.referee.game().position();
        let player = game.player_of(color);
        let seat = &mut self.seats[player];
        if matches!(command, Command::Respond(_)) {
            seat.asked = Some(position);
        }
        // Who has not been told the game so far learns everything at once later.
        if seat.game == Some(number)
            && seat.stage == Stage::Playing
            && let Some(id) = seat.connection
        {
            self.send(id, command);
        }
        if matches!(command, Command::Respond(_))
            && let Some(game) = self.event.game_mut(number)
        {
            game.referee.sent(Instant::now());
        }
    }

    /// Writes a move down: the move, both stamps, and how late the referee was itself.
    fn note_move(&mut self, number: usize, moved: &crate::game::Moved) {
        let Some(game) = self.event.game_mut(number) else {
            return;
        };
        game.add(moved);
        let player = game.player_of(moved.color);
        let ply = game.referee.game().moves().len();
        let remaining = game.referee.clock().remaining(moved.color);
        let san = San::of(&moved.before, moved.mv);
        let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
        let lag = self.seats[player].lag;
        if self.options.prints_moves {
            let mut text = format!("game {number}: ");
            let number = moved.before.fullmove_number();
            let dots = if moved.color == Color::White {
                "."
            } else {
                "..."
            };
            let _ = write!(text, "{number}{dots} {san}");
            if let Some(remaining) = remaining {
                let _ = write!(text, "  {:.1} s left", remaining.as_secs_f64());
            }
            if let Some(eval) = moved.eval {
                let _ = write!(text, "  {:+.2}", f64::from(eval) / 100.0);
            }
            say!("{text}");
        }
        self.files.event(json!({
            "event": "move",
            "game": number,
            "ply": ply,
            "player": self.event.names()[player],
            "san": &*san,
            "elapsed_ms": milliseconds(moved.elapsed),
            "remaining_ms": remaining.map(milliseconds),
            "eval": moved.eval,
            "lag_ms": milliseconds(lag),
        }));
    }

    fn end_game(&mut self, number: usize, ending: &Ending) -> anyhow::Result<()> {
        let Some(game) = self.event.running().get(&number) else {
            return Ok(());
        };
        let players = [Color::White, Color::Black].map(|color| game.player_of(color));
        let plies = game.referee.game().moves().len();
        if let Some(pgn) = self.event.end(number, ending) {
            self.files.game(&pgn)?;
        }
        let ready = Instant::now() + self.event.config().delays.conclude;
        for player in players {
            self.seats[player].leave_game(ready);
        }
        let [white, black] = players.map(|player| self.event.names()[player].clone());
        let result = ending.result_tag();
        say!("game {number}: {white} - {black} {result} {{{ending}}}");
        self.files.event(json!({
            "event": "result",
            "game": number,
            "white": white,
            "black": black,
            "result": result,
            "termination": ending.termination().to_string(),
            "reason": ending.to_string(),
            "verdict": ending.verdict().map(word_of),
            "plies": plies,
        }));
        self.standings.1 = true;
        if self.event.is_decided() {
            self.event.stop();
            self.tell("the test is decided: no more games are started");
        }
        Ok(())
    }

    /// Starts a game: both players are reset (decisions 17 and 28).
    fn begin(&mut self, pairing: Pairing, now: Instant) -> anyhow::Result<()> {
        let date = Zoned::now().strftime("%Y.%m.%d").to_string();
        let entry = self.event.begin(pairing, &date);
        self.files.journal(&entry)?;
        let number = pairing.number;
        let names = [pairing.white, pairing.black].map(|player| self.event.names()[player].clone());
        self.files.event(json!({
            "event": "game", "game": number, "round": pairing.round_tag().to_string(),
            "white": names[0], "black": names[1],
        }));
        let players = [pairing.white, pairing.black];
        for player in players {
            self.seats[player].game = Some(number);
            self.reset(player, now);
        }
        // A player that is gone for good has lost before it began.
        match players.map(|player| self.seats[player].is_gone_for_good()) {
            [false, false] => {
                let away = players.map(|player| self.seats[player].connection.is_none());
                for (player, _) in players.into_iter().zip(away).filter(|(_, away)| *away) {
                    self.miss(player, now)?;
                }
                Ok(())
            }
            [true, false] => self.forfeit(number, Color::White),
            [false, true] => self.forfeit(number, Color::Black),
            [true, true] => {
                let game = self.event.game_mut(number);
                let out = game.map(|game| game.referee.decide(&Ending::deserted()));
                self.act(number, out.unwrap_or_default())
            }
        }
    }

    fn forfeit(&mut self, number: usize, color: Color) -> anyhow::Result<()> {
        let Some(game) = self.event.game_mut(number) else {
            return Ok(());
        };
        let out = game.referee.decide(&Ending::loss(color, Reason::Abandoned));
        self.act(number, out)
    }

    /// Resets a player for its game, or for none.
    fn reset(&mut self, player: usize, now: Instant) {
        let seat = &mut self.seats[player];
        seat.stage = Stage::Reset;
        seat.ready = now + self.event.config().delays.reset;
        let (connection, game) = (seat.connection, seat.game);
        let game = game.and_then(|number| self.event.running().get(&number));
        let command = game.map_or_else(
            || Command::Reset(Content::with_counters(&Position::start())),
            |game| game.referee.reset(),
        );
        if let Some(id) = connection {
            self.send(id, &command);
        }
    }

    /// Does everything that is due.
    fn work(&mut self, now: Instant) -> anyhow::Result<()> {
        self.tick_games(now)?;
        let patience = self.event.config().rules.sign_on;
        let late = self.connections.iter().filter(|(_, connection)| {
            connection.player.is_none() && connection.since + patience <= now
        });
        for id in late.map(|(&id, _)| id).collect::<Vec<_>>() {
            self.refuse(id, "no sign_on");
        }
        self.begin_games(now)?;
        self.greet(now)?;
        let (due, changed) = self.standings;
        if changed && due <= now {
            self.write_standings(now)?;
        }
        Ok(())
    }

    fn write_standings(&mut self, now: Instant) -> anyhow::Result<()> {
        self.files.standings(&self.event.standings())?;
        let pause = STANDINGS_PAUSE.max(now.elapsed() * STANDINGS_PART);
        self.standings = (now + pause, false);
        Ok(())
    }

    /// Starts the games that can be started.
    fn begin_games(&mut self, now: Instant) -> anyhow::Result<()> {
        let grace = self.event.config().rules.grace;
        while !self.paused && !self.leaving && self.event.has_room() {
            let seats = self.seats.iter();
            let free = seats.map(|seat| (seat.is_free(now, grace), seat.connection.is_some()));
            let free: Vec<_> = free.collect();
            if free == self.unpaired {
                break;
            }
            let next = self.event.next_game(|pairing| self.can_begin(pairing, now));
            let Some(pairing) = next else {
                self.unpaired = free;
                break;
            };
            self.begin(pairing, now)?;
        }
        Ok(())
    }

    /// Whether both players are free, and somebody is here for whom it is worth while.
    fn can_begin(&self, pairing: &Pairing, now: Instant) -> bool {
        let grace = self.event.config().rules.grace;
        let seats = [&self.seats[pairing.white], &self.seats[pairing.black]];
        seats.iter().all(|seat| seat.is_free(now, grace))
            && (seats.iter().any(|seat| seat.connection.is_some())
                || seats.iter().all(|seat| seat.is_gone_for_good()))
    }

    fn tick_games(&mut self, now: Instant) -> anyhow::Result<()> {
        let games = self.event.games_mut();
        let due: Vec<_> = games
            .filter(|(_, game)| {
                game.referee
                    .deadline()
                    .is_some_and(|deadline| deadline <= now)
            })
            .map(|(number, game)| (number, game.referee.tick(now)))
            .collect();
        for (number, out) in due {
            self.act(number, out)?;
        }
        Ok(())
    }

    /// Tells the players whose reset is over what they need, and asks the side to move when both
    /// know it.
    fn greet(&mut self, now: Instant) -> anyhow::Result<()> {
        for player in 0..self.seats.len() {
            let seat = &self.seats[player];
            let (Some(number), Some(id)) = (seat.game, seat.connection) else {
                continue;
            };
            if seat.stage != Stage::Reset || seat.ready > now {
                continue;
            }
            let Some(game) = self.event.running().get(&number) else {
                continue;
            };
            let Some(color) = game.color_of(player) else {
                continue;
            };
            for command in game.referee.greeting(color) {
                self.send(id, &command);
            }
            self.seats[player].stage = Stage::Playing;
            self.join(number, color)?;
        }
        Ok(())
    }

    /// A side knows its game: if the other one does as well, it goes on.
    fn join(&mut self, number: usize, color: Color) -> anyhow::Result<()> {
        let Some(game) = self.event.game_mut(number) else {
            return Ok(());
        };
        let mut out = game.referee.back(color);
        let players = [Color::White, Color::Black].map(|color| game.player_of(color));
        let both = players
            .iter()
            .all(|&player| self.seats[player].is_playing(number));
        if both
            && let Some(game) = self.event.game_mut(number)
            && game.referee.is_idle()
        {
            out = game.referee.go_on(Instant::now());
        }
        self.act(number, out)
    }

    /// When something is due again.
    fn wake(&self, now: Instant) -> Instant {
        let games = self
            .event
            .running()
            .values()
            .filter_map(|game| game.referee.deadline());
        let (grace, patience) = {
            let rules = &self.event.config().rules;
            (rules.grace, rules.sign_on)
        };
        let seats = self
            .seats
            .iter()
            .filter_map(|seat| seat.deadline(now, grace));
        let unnamed = self
            .connections
            .values()
            .filter(|connection| connection.player.is_none());
        let unnamed = unnamed.map(|connection| connection.since + patience);
        let standings = Some(self.standings.0).filter(|_| self.standings.1);
        let all = games.chain(seats).chain(unnamed).chain(standings);
        all.min().unwrap_or(now + FAR)
    }

    /// Takes leave of everybody.
    async fn close(&mut self) -> anyhow::Result<()> {
        let why = if self.event.is_over() {
            "the event is over"
        } else {
            "the referee goes"
        };
        let ids: Vec<_> = self.connections.keys().copied().collect();
        for id in ids {
            let command = Command::Disconnect(Content::at(&Position::start()).saying(why));
            self.send(id, &command);
        }
        self.connections.clear();
        // Who does not go is left; a place that is free again is a socket that is closed.
        let _ = timeout(LEAVE, self.room.acquire_many(self.places as u32)).await;
        let _ = timeout(LEAVE, self.see_off_players()).await;
        self.files.event(json!({ "event": "end", "why": why }));
        self.files.standings(&self.event.standings())?;
        self.files.flush()
    }

    /// Waits for the players that the referee has started to end.
    async fn see_off_players(&mut self) {
        while self.started > 0 {
            match self.incoming.recv().await {
                Some(Incoming::Exited(..)) => self.started -= 1,
                Some(Incoming::Said(player, line)) => self.keep(player, &line),
                Some(_) => {}
                None => return,
            }
        }
    }
}

/// Lets peers in while there is room.
async fn accept(listener: TcpListener, events: Sender<Incoming>, room: Arc<Semaphore>) {
    while let Ok(place) = Arc::clone(&room).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, peer)) => {
                let opened = Incoming::Opened(stream, peer, place);
                if events.send(opened).await.is_err() {
                    return;
                }
            }
            // Too many open files, most likely: they become fewer.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}
