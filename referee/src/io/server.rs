//! The server: it accepts players, runs their games and keeps the clocks.
//!
//! One task, [`Server::run`], receives every input as an [`Incoming`] and handles it at once. It never
//! waits for a peer, nor for the disk to be synchronised, so no player can delay another's game.

/// Prints a line. Errors are ignored: the event goes on when nobody reads its output.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($text)*);
    }};
}

mod commands;
mod games;
mod requests;
mod seat;
mod seats;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use epd::protocol::frame::line_of;
use epd::protocol::{Command, Message};
use movegen::Position;
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::core::event::Event;
use crate::io::connection::Connection;
use crate::io::message::Incoming;
use crate::io::spawn;
use crate::io::storage::Storage;
use seat::Seat;

/// Number of inputs that may wait in the queue.
const QUEUE_LENGTH: usize = 1024;
/// Number of sockets, beyond those that the event allows, for peers that are being rejected.
const REJECTED_SOCKETS: usize = 64;
/// How long to sleep when nothing is due.
const IDLE: Duration = Duration::from_hours(1);
/// Shortest time between two writes of the standings.
const STANDINGS_PAUSE: Duration = Duration::from_secs(1);
/// At most one part in this many of the time is spent on the standings, which are expensive with
/// hundreds of players.
const STANDINGS_PART: u32 = 500;
/// How long peers and local players have to end when the referee shuts down.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// How [`Server::run`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// Every game has been played.
    Finished,
    /// The event was stopped before its end; it can be resumed.
    Stopped,
}

/// Options of the server; all are off by default.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The password that players must send to sign on.
    pub password: Option<String>,
    /// Print every move.
    pub prints_moves: bool,
}

/// The referee of an event.
pub struct Server {
    event: Event,
    storage: Storage,
    options: Options,
    connections: HashMap<u64, Connection>,
    next_connection: u64,
    seats: Vec<Seat>,
    address: String,
    /// The highest number of open sockets, those of rejected peers included.
    max_sockets: usize,
    free_sockets: Arc<Semaphore>,
    /// Number of players that the referee has started and that have not exited.
    started: usize,
    sender: Sender<Incoming>,
    incoming: Receiver<Incoming>,
    /// For each player, whether it was free and whether it was connected when last no game could be
    /// started. As long as nothing has changed, there is no need to search again.
    unpaired: Vec<(bool, bool)>,
    /// When the standings may next be written, and whether they have changed.
    standings: (Instant, bool),
    paused: bool,
    stopping: bool,
}

impl Server {
    /// A server for an event; [`Server::run`] starts it.
    #[must_use]
    pub fn new(event: Event, storage: Storage, options: Options) -> Self {
        let (sender, incoming) = channel(QUEUE_LENGTH);
        let now = Instant::now();
        let seats = event.names().iter().map(|_| Seat::new(now)).collect();
        let max_sockets = event.config().rules.max_connections + REJECTED_SOCKETS;
        Self {
            event,
            storage,
            options,
            connections: HashMap::new(),
            next_connection: 0,
            seats,
            address: String::new(),
            max_sockets,
            free_sockets: Arc::new(Semaphore::new(max_sockets)),
            started: 0,
            sender,
            incoming,
            unpaired: Vec::new(),
            standings: (now, false),
            paused: false,
            stopping: false,
        }
    }

    /// The queue for commands and signals.
    #[must_use]
    pub fn sender(&self) -> Sender<Incoming> {
        self.sender.clone()
    }

    /// The event.
    #[must_use]
    pub const fn event(&self) -> &Event {
        &self.event
    }

    /// Runs the event until it is finished or stopped.
    pub async fn run(&mut self, listener: TcpListener) -> anyhow::Result<Completion> {
        self.address = listener
            .local_addr()
            .context("cannot get the listening address")?
            .to_string();
        self.storage.address(&self.address)?;
        say!("listening on {}", self.address);
        let accepting = accept(
            listener,
            self.sender.clone(),
            Arc::clone(&self.free_sockets),
        );
        let accepting = tokio::spawn(accepting).abort_handle();
        self.storage
            .event(json!({ "event": "start", "address": self.address }));
        self.mark_players_of_resumed_games()?;
        self.start_players()?;
        self.storage.standings(&self.event.standings())?;
        loop {
            // Input comes before deadlines: a reply that was read in time must not lose on time.
            while let Ok(incoming) = self.incoming.try_recv() {
                self.handle_input(incoming)?;
            }
            let now = Instant::now();
            self.run_due_work(now)?;
            self.storage.flush()?;
            if self.stopping || self.event.is_over() {
                break;
            }
            let wake = tokio::time::Instant::from_std(self.next_deadline(now));
            tokio::select! {
                incoming = self.incoming.recv() => {
                    if let Some(incoming) = incoming {
                        self.handle_input(incoming)?;
                    }
                }
                () = tokio::time::sleep_until(wake) => {
                    // Read what has arrived by now before judging any clock.
                    tokio::task::yield_now().await;
                }
            }
        }
        accepting.abort();
        self.close().await?;
        Ok(if self.event.is_over() {
            Completion::Finished
        } else {
            Completion::Stopped
        })
    }

    /// Marks the players of resumed games as absent: their games wait for them.
    fn mark_players_of_resumed_games(&mut self) -> anyhow::Result<()> {
        let now = Instant::now();
        for player in 0..self.seats.len() {
            let game = self.event.game_of(player);
            let seat = &mut self.seats[player];
            (seat.game, seat.absent_since) = (game, game.map(|_| now));
            self.mark_absent(player, now)?;
        }
        Ok(())
    }

    /// Starts the players that have a command.
    fn start_players(&mut self) -> anyhow::Result<()> {
        let players = self.event.config().players.clone();
        for (i, player) in players.iter().enumerate() {
            let Some(command) = &player.command else {
                continue;
            };
            match spawn::start(i, command, &player.name, &self.address, &self.sender) {
                Ok(()) => self.started += 1,
                Err(error) => {
                    self.report(&format!("{error:#}"));
                    self.exited(i, "not started")?;
                }
            }
        }
        Ok(())
    }

    /// Reports something to the arbiter, on standard output and in `events.jsonl`.
    fn report(&mut self, text: &str) {
        say!("{text}");
        self.storage.event(json!({ "event": "note", "text": text }));
    }

    /// Handles an input.
    fn handle_input(&mut self, incoming: Incoming) -> anyhow::Result<()> {
        match incoming {
            Incoming::Opened(stream, peer, permit) => self.open(stream, peer, permit),
            Incoming::Frame(id, frame, at) => self.receive(id, &frame, at)?,
            Incoming::Closed(id) => self.disconnected(id)?,
            Incoming::Stderr(player, line) => self.log_stderr(player, &line),
            Incoming::Exited(player, status) => {
                self.started -= 1;
                self.exited(player, &status)?;
            }
            Incoming::Command(command, answer) => {
                let text = self.run_command(&command)?;
                // The arbiter may have disconnected.
                let _ = answer.send(text);
            }
            Incoming::Shutdown => self.stopping = true,
        }
        Ok(())
    }

    /// Logs what a player writes to its standard error.
    fn log_stderr(&mut self, player: usize, lines: &str) {
        let game = self.seats[player].game;
        // A failure to write this log must not stop the event.
        let _ = self
            .storage
            .stderr(&self.event.names()[player], game, lines);
    }

    fn open(&mut self, stream: TcpStream, peer: SocketAddr, permit: OwnedSemaphorePermit) {
        self.next_connection += 1;
        let id = self.next_connection;
        let opened = Connection::open(id, stream, peer.to_string(), self.sender.clone(), permit);
        // The peer may have closed the connection already.
        let Ok(connection) = opened else { return };
        self.connections.insert(id, connection);
        if self.connections.len() > self.event.config().rules.max_connections {
            self.refuse(id, "too many connections");
        }
    }

    /// Sends a command. A peer that does not take it counts as disconnected.
    fn send(&mut self, id: u64, command: &Command) {
        let line = line_of(&command.record());
        let Some(connection) = self.connections.get_mut(&id) else {
            return;
        };
        let sent = connection.send(&line).is_ok();
        self.log_line('>', id, &line);
        if !sent {
            // Report it like any other connection that ends.
            let sender = self.sender.clone();
            tokio::spawn(async move { sender.send(Incoming::Closed(id)).await });
        }
    }

    fn log_line(&mut self, direction: char, id: u64, line: &str) {
        let connection = &self.connections[&id];
        let who = connection
            .player
            .map_or(&connection.peer, |player| &self.event.names()[player]);
        self.storage.log(direction, who, line);
    }

    /// Disconnects a peer and tells it why (decision 18).
    fn refuse(&mut self, id: u64, why: &str) {
        self.send(
            id,
            &Command::Disconnect(Message::at(&Position::start()).saying(why)),
        );
        if let Some(connection) = self.connections.get(&id)
            && connection.player.is_none()
        {
            let peer = connection.peer.clone();
            self.storage
                .event(json!({ "event": "refused", "peer": peer, "why": why }));
            self.connections.remove(&id);
        }
    }

    /// Does everything that is due at this instant.
    fn run_due_work(&mut self, now: Instant) -> anyhow::Result<()> {
        self.tick_games(now)?;
        let sign_on_timeout = self.event.config().rules.sign_on_timeout;
        let late = self.connections.iter().filter(|(_, connection)| {
            connection.player.is_none() && connection.since + sign_on_timeout <= now
        });
        for id in late.map(|(&id, _)| id).collect::<Vec<_>>() {
            self.refuse(id, "no sign_on in time");
        }
        self.begin_games(now)?;
        self.inform_players(now)?;
        let (due, changed) = self.standings;
        if changed && due <= now {
            self.write_standings(now)?;
        }
        Ok(())
    }

    fn write_standings(&mut self, now: Instant) -> anyhow::Result<()> {
        self.storage.standings(&self.event.standings())?;
        let pause = STANDINGS_PAUSE.max(now.elapsed() * STANDINGS_PART);
        self.standings = (now + pause, false);
        Ok(())
    }

    /// The next instant at which something is due.
    fn next_deadline(&self, now: Instant) -> Instant {
        let games = self
            .event
            .running()
            .values()
            .filter_map(|game| game.referee.deadline());
        let rules = &self.event.config().rules;
        let seats = self
            .seats
            .iter()
            .filter_map(|seat| seat.deadline(now, rules.reconnect_timeout));
        let unnamed = self
            .connections
            .values()
            .filter(|connection| connection.player.is_none());
        let unnamed = unnamed.map(|connection| connection.since + rules.sign_on_timeout);
        let standings = Some(self.standings.0).filter(|_| self.standings.1);
        let all = games.chain(seats).chain(unnamed).chain(standings);
        all.min().unwrap_or(now + IDLE)
    }

    /// Disconnects all players and writes the last standings.
    async fn close(&mut self) -> anyhow::Result<()> {
        let why = if self.event.is_over() {
            "the event is over"
        } else {
            "the referee is shutting down"
        };
        let ids: Vec<_> = self.connections.keys().copied().collect();
        for id in ids {
            let command = Command::Disconnect(Message::at(&Position::start()).saying(why));
            self.send(id, &command);
        }
        self.connections.clear();
        // Wait until all sockets are closed; peers that do not close theirs are not waited for longer.
        let _ = timeout(
            SHUTDOWN_TIMEOUT,
            self.free_sockets.acquire_many(self.max_sockets as u32),
        )
        .await;
        let _ = timeout(SHUTDOWN_TIMEOUT, self.wait_for_exits()).await;
        self.storage.event(json!({ "event": "end", "why": why }));
        self.storage.standings(&self.event.standings())?;
        self.storage.flush()
    }

    /// Waits until the players that the referee started have exited.
    async fn wait_for_exits(&mut self) {
        while self.started > 0 {
            match self.incoming.recv().await {
                Some(Incoming::Exited(..)) => self.started -= 1,
                Some(Incoming::Stderr(player, line)) => self.log_stderr(player, &line),
                Some(_) => {}
                None => return,
            }
        }
    }
}

/// Accepts connections as long as sockets are free.
async fn accept(listener: TcpListener, events: Sender<Incoming>, free_sockets: Arc<Semaphore>) {
    while let Ok(permit) = Arc::clone(&free_sockets).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, peer)) => {
                let opened = Incoming::Opened(stream, peer, permit);
                if events.send(opened).await.is_err() {
                    return;
                }
            }
            // Most likely there are too many open files; try again when some are closed.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}
