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
mod games;
mod requests;
mod seats;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use epd::protocol::frame::{Frame, line_of};
use epd::protocol::{Command, Message};
use movegen::Position;
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;

use crate::connection::Connection;
use crate::event::Event;
use crate::files::Files;
use crate::local;
use seats::Seat;

/// What may wait for the referee.
const WAITING: usize = 1024;
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
    /// A player that the referee started says something, in whole lines.
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
    fn keep(&mut self, player: usize, lines: &str) {
        let game = self.seats[player].game;
        // What cannot be kept is no reason to stop.
        let _ = self.files.said(&self.event.names()[player], game, lines);
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
            &Command::Disconnect(Message::at(&Position::start()).saying(why)),
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
            let command = Command::Disconnect(Message::at(&Position::start()).saying(why));
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
