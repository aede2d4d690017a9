//! The server: a loop that feeds an [`Event`] with what arrives, and carries out its effects.
//!
//! One task, [`Server::run`], handles every [`Incoming`] at once. It never waits for a peer, nor for
//! the disk to be synchronised, so no player can delay another's game. Only a journal that cannot be
//! written stops it, until there is room again.

mod children;
mod observing;
mod preparation;
mod replicating;

use std::collections::{HashMap, VecDeque};
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use epd::protocol::frame::line_of;
use epd::protocol::{Command, Term};
use jiff::{Timestamp, Zoned};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;

use self::children::Children;
pub use self::preparation::hash;
use self::replicating::Replicator;
use crate::core::event::{
    Access, Effect, Event, GivenOrder, Input, Ledger, LinkId, NoOrder, Peer, ProgramId, Report,
    SendId,
};
use crate::core::replication::Replication;
use crate::io::connection::{Connection, Sent};
use crate::io::inbox::Inbox;
use crate::io::limits;
use crate::io::message::{Answer, Incoming};
use crate::io::storage::Storage;
use crate::io::stream::{Stream, set_options};
use crate::io::tls::{Handshake, Identity};
use crate::io::transports::Transports;
use crate::web::MAX_SOCKETS;

/// Number of inputs that may wait in the queue.
const QUEUE_LENGTH: usize = 1024;
/// Number of sockets, beyond those that the event allows, for peers that are being turned away.
const REJECTED_SOCKETS: usize = 256;
/// File descriptors that are kept free for files, the arbiter and programs of players.
const RESERVED_FILES: usize = 64;
/// How often to check that the event's folder and its disk are there.
const CHECK_PAUSE: Duration = Duration::from_secs(1);
/// Shortest time between two writes of the standings.
const STANDINGS_PAUSE: Duration = Duration::from_secs(1);
/// At most 1/500 of the time is spent on the standings, which are expensive with hundreds of players.
const STANDINGS_PART: u32 = 500;
/// How long peers and local players have to end when the referee shuts down.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);
/// How long the transports of players may take to write the last records when the referee shuts down: a serial
/// line is slow.
const TRANSPORTS_TIMEOUT: Duration = Duration::from_secs(10);
/// How often to try whether the journal can be written again.
const JOURNAL_RETRY: Duration = Duration::from_secs(1);
/// How many inputs are kept while the journal cannot be written.
const MAX_BACKLOG: usize = 10_000;
/// After this many internal errors the referee gives up: something is wrong with more than a game.
const MAX_PANICS: usize = 100;

/// How [`Server::run`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// Every game has been played.
    Finished,
    /// The event was stopped before its end; it can be resumed.
    Stopped,
    /// Another referee has taken over the event, with this term.
    Superseded(u64),
}

/// The referee of an event.
pub struct Server {
    event: Event,
    storage: Storage,
    connections: HashMap<LinkId, Connection>,
    next_connection: LinkId,
    children: Children,
    transports: Transports,
    replicator: Replicator,
    address: String,
    /// For TLS, if the event uses it.
    identity: Option<Identity>,
    free_sockets: Arc<Semaphore>,
    /// The highest number of open sockets, those of peers that are turned away included.
    max_sockets: usize,
    /// The permit of the strangers, of whom one has his turn.
    turns: Arc<Semaphore>,
    sender: Sender<Incoming>,
    incoming: Receiver<Incoming>,
    /// What arrived while the journal could not be written.
    backlog: VecDeque<Incoming>,
    /// Inputs for the event that came of its own effects.
    inputs: VecDeque<(Input, Instant)>,
    /// When the standings may next be written, and whether they have changed.
    standings: (Instant, bool),
    /// When the players are told again that the journal cannot be written.
    next_notice: Instant,
    /// When to check the disk and the date next.
    next_check: Instant,
    /// Whoever waits for the answer to the order that is being carried out.
    asker: Option<oneshot::Sender<Answer>>,
    date: String,
    /// How many times the handling of an input has panicked.
    panics: usize,
}

impl Server {
    /// A server for an event, new or resumed; [`Server::run`] starts it.
    #[must_use]
    pub fn new(ledger: Ledger, storage: Storage, access: Access) -> Self {
        let (sender, incoming) = channel(QUEUE_LENGTH);
        let now = Instant::now();
        let wanted = ledger.config().rules.max_connections + REJECTED_SOCKETS;
        let settings = ledger.config().observer.as_ref();
        let state = Replication::new(settings, storage.journal_length(), false, now);
        let replicator = Replicator::new(state, now);
        let event = Event::new(ledger, access, now);
        // A program takes a descriptor for its standard error and a few while it starts.
        let viewers = event.ledger().config().http.as_ref();
        let viewers = viewers.map_or(0, |_| MAX_SOCKETS);
        let reserved = RESERVED_FILES + 2 * event.seats() + viewers;
        let max_sockets = limits::descriptors().map_or(wanted, |limit| {
            wanted.min(limit.saturating_sub(reserved)).max(1)
        });
        Self {
            event,
            storage,
            connections: HashMap::new(),
            next_connection: 0,
            children: Children::new(sender.clone()),
            transports: Transports::default(),
            replicator,
            address: String::new(),
            identity: None,
            free_sockets: Arc::new(Semaphore::new(max_sockets)),
            max_sockets,
            turns: Arc::new(Semaphore::new(1)),
            sender,
            incoming,
            backlog: VecDeque::new(),
            inputs: VecDeque::new(),
            standings: (now, false),
            next_notice: now,
            next_check: now,
            asker: None,
            date: String::new(),
            panics: 0,
        }
    }

    /// Tells the players that this referee starts where the password is, by an environment variable.
    pub fn pass_password_file(&mut self, path: Option<&Path>) -> anyhow::Result<()> {
        if let Some(path) = path {
            let absolute = std::path::absolute(path);
            let absolute = absolute.with_context(|| path.display().to_string())?;
            self.children.pass_password_file(absolute);
        }
        Ok(())
    }

    /// Makes all connections use TLS. The players that this referee starts learn where the certificate
    /// is, by an environment variable.
    pub fn use_tls(&mut self, identity: Identity) -> anyhow::Result<()> {
        let path = identity.certificate();
        let absolute = std::path::absolute(path);
        let absolute = absolute.with_context(|| path.display().to_string())?;
        self.children.pass_certificate(absolute);
        self.identity = Some(identity);
        Ok(())
    }

    /// The event was taken over from another referee: there is no observer yet, and none is waited for.
    pub fn go_alone(&mut self) {
        let now = Instant::now();
        let settings = self.event.ledger().config().observer.as_ref();
        let state = Replication::new(settings, self.storage.journal_length(), true, now);
        self.replicator = Replicator::new(state, now);
    }

    /// The number of this referee with its proof, if it has taken over.
    #[must_use]
    pub fn term(&self) -> Option<Term> {
        self.event.term()
    }

    /// The event's folder.
    #[must_use]
    pub fn directory(&self) -> &Path {
        self.storage.directory()
    }

    /// The queue for orders and signals.
    #[must_use]
    pub fn sender(&self) -> Sender<Incoming> {
        self.sender.clone()
    }

    /// The games and results of the event.
    #[must_use]
    pub const fn ledger(&self) -> &Ledger {
        self.event.ledger()
    }

    /// Runs the event until it is finished or stopped.
    pub async fn run(&mut self, listener: TcpListener) -> anyhow::Result<Completion> {
        self.address = listener
            .local_addr()
            .context("cannot get the listening address")?
            .to_string();
        self.storage.address(&self.address)?;
        let ping = self.event.ledger().config().rules.ping;
        let players = &self.event.ledger().config().players;
        let is_resumed = !self.event.ledger().running().is_empty();
        self.transports = Transports::open(players, ping, is_resumed, &self.sender)?;
        say(&format!("listening on {}", self.address));
        let accepting = accept(
            listener,
            ping,
            self.identity.clone(),
            Inbox::for_stranger(self.sender.clone(), Arc::clone(&self.turns)),
            Arc::clone(&self.free_sockets),
        );
        let accepting = tokio::spawn(accepting).abort_handle();
        let start = self.event.ledger().start_report(&self.address);
        self.storage.event(&Report::Start(Box::new(start)));
        self.date = today();
        let date = self.date.clone();
        self.feed(Input::Begin { date }, Instant::now()).await?;
        let mut failure = None;
        while !self.is_done() && failure.is_none() {
            failure = self.turn().await.err();
        }
        accepting.abort();
        self.transports.stop();
        self.close(failure.is_some()).await;
        if let Some(error) = failure {
            return Err(error);
        }
        if let Some(term) = self.event.superseded() {
            return Ok(Completion::Superseded(term));
        }
        Ok(if self.event.ledger().is_over() {
            Completion::Finished
        } else {
            Completion::Stopped
        })
    }

    /// Handles what has arrived, does what is due, and waits for more.
    async fn turn(&mut self) -> anyhow::Result<()> {
        // Input comes before deadlines: a reply that was read in time must not lose on time.
        while let Some(incoming) = self.next_waiting() {
            self.receive(incoming).await?;
        }
        let now = Instant::now();
        self.replicate(now).await?;
        let mut deadline = self.event.deadline();
        if deadline.is_some_and(|deadline| deadline <= now) {
            if self.replicator.holds() {
                self.feed(Input::PostponePings, now).await?;
            }
            self.feed(Input::Tick, now).await?;
            deadline = self.event.deadline();
        }
        if self.next_check <= now {
            self.next_check = now + CHECK_PAUSE;
            self.storage.check()?;
        }
        let (due, changed) = self.standings;
        if changed && due <= now {
            self.write_standings(now);
        }
        self.storage.flush();
        if self.is_done() {
            return Ok(());
        }
        let wake = self.next_wake(deadline);
        tokio::select! {
            incoming = self.incoming.recv() => {
                if let Some(incoming) = incoming {
                    self.receive(incoming).await?;
                }
            }
            () = tokio::time::sleep_until(wake.into()) => {
                // Read what has arrived by now before judging any clock.
                tokio::task::yield_now().await;
                self.check_date().await?;
            }
        }
        Ok(())
    }

    /// Whether nothing is left to do. The last results wait for the observer's copy, unless the referee was
    /// told to stop.
    fn is_done(&self) -> bool {
        self.event.is_over() && (self.event.must_stop() || !self.replicator.holds())
    }

    fn next_waiting(&mut self) -> Option<Incoming> {
        let waiting = self.backlog.pop_front();
        waiting.or_else(|| self.incoming.try_recv().ok())
    }

    fn next_wake(&self, deadline: Option<Instant>) -> Instant {
        let standings = Some(self.standings.0).filter(|_| self.standings.1);
        let all = [standings, deadline, self.replicator.deadline()]
            .into_iter()
            .flatten();
        all.fold(self.next_check, Instant::min)
    }

    /// Games that begin after midnight have another date.
    async fn check_date(&mut self) -> anyhow::Result<()> {
        let date = today();
        if date != self.date {
            self.date.clone_from(&date);
            self.feed(Input::Date(date), Instant::now()).await?;
        }
        Ok(())
    }

    /// Handles something that arrived.
    async fn receive(&mut self, incoming: Incoming) -> anyhow::Result<()> {
        let now = Instant::now();
        // The next stranger's turn comes when this input has been handled.
        let (incoming, _turn) = match incoming {
            Incoming::Stranger(incoming, turn) => (*incoming, Some(turn)),
            incoming => (incoming, None),
        };
        let input = match incoming {
            // Nothing is wrapped twice.
            Incoming::Stranger(..) => return Ok(()),
            Incoming::Opened(stream, peer, permit) => {
                Input::Opened(self.open(stream, peer, permit), peer)
            }
            Incoming::OpenedTls(handshake, peer, permit) => {
                Input::Opened(self.open_tls(handshake, peer, permit), peer)
            }
            Incoming::Unfit(link, why) => Input::Unfit(link, why),
            Incoming::Frame(link, frame, _) if self.replicator.is_observer(link) => {
                return self.heed_observer(&frame).await;
            }
            Incoming::Prepared(link, prepared) => {
                self.feed_observer(link, prepared);
                return self.feed_inputs().await;
            }
            Incoming::Superseded(term) => match self.meet(&term) {
                Some(input) => input,
                None => return Ok(()),
            },
            Incoming::Frame(link, frame, read) => Input::Received { link, frame, read },
            Incoming::Blank(link, lines) => Input::Blank(link, lines),
            Incoming::Closed(link) => Input::Closed(link),
            Incoming::Sent(link, id, written) => {
                return self.feed(Input::Sent(link, id), written).await;
            }
            Incoming::Transport(text) => {
                say(&text);
                return Ok(());
            }
            Incoming::Stderr(program, lines) => {
                self.log_stderr(program, &lines);
                return Ok(());
            }
            Incoming::Exited(program, status) => {
                self.children.exited(program);
                Input::Exited(program, status)
            }
            Incoming::Order(line, asker) => match self.order(&line, asker) {
                Some(given) => Input::Order {
                    given,
                    at: format!("{:.3}", Timestamp::now()),
                },
                None => return Ok(()),
            },
            Incoming::Shutdown => Input::Stop,
        };
        self.feed(input, now).await
    }

    /// Reads an order; answers at once if it is none.
    fn order(&mut self, line: &str, asker: oneshot::Sender<Answer>) -> Option<GivenOrder> {
        let (text, is_refused) = match line.parse::<GivenOrder>() {
            Ok(given) => {
                self.asker = Some(asker);
                return Some(given);
            }
            Err(NoOrder::Empty) => (String::new(), false),
            Err(NoOrder::Help(text)) => (text, false),
            Err(error) => (error.to_string(), true),
        };
        // Whoever asked may have gone.
        let _ = asker.send(Answer { text, is_refused });
        None
    }

    /// Hands an input to the event, carries out what comes of it, and so on.
    async fn feed(&mut self, input: Input, now: Instant) -> anyhow::Result<()> {
        self.inputs.push_back((input, now));
        self.feed_inputs().await
    }

    async fn feed_inputs(&mut self) -> anyhow::Result<()> {
        while let Some((input, now)) = self.inputs.pop_front() {
            let mut follows_entry = false;
            for effect in self.handle(input, now)? {
                follows_entry |= matches!(effect, Effect::Journal(_));
                self.dispatch(effect, follows_entry).await?;
            }
        }
        Ok(())
    }

    /// A panic in the handling of an input costs the game that it was about and the connection that it
    /// came from, and nothing else.
    fn handle(&mut self, input: Input, now: Instant) -> anyhow::Result<Vec<Effect>> {
        let link = match &input {
            Input::Received { link, .. } | Input::Opened(link, _) | Input::Blank(link, _) => {
                Some(*link)
            }
            _ => None,
        };
        match catch_unwind(AssertUnwindSafe(|| self.event.handle(input, now))) {
            Ok(effects) => Ok(effects),
            Err(_) => self.recover(link, now),
        }
    }

    fn recover(&mut self, link: Option<LinkId>, now: Instant) -> anyhow::Result<Vec<Effect>> {
        self.panics += 1;
        say("an internal error of the referee; please report it");
        if let Some(asker) = self.asker.take() {
            let text = "an internal error: see the output of the referee".to_owned();
            // The arbiter may have disconnected.
            let _ = asker.send(Answer {
                text,
                is_refused: true,
            });
        }
        let recovered = catch_unwind(AssertUnwindSafe(|| {
            let mut effects = self.event.handle(Input::Panicked, now);
            if let Some(link) = link {
                effects.extend(self.event.handle(Input::Closed(link), now));
            }
            effects
        }));
        match recovered {
            Ok(effects) if self.panics <= MAX_PANICS => Ok(effects),
            _ => bail!("too many internal errors; the event can be resumed"),
        }
    }

    /// Carries out an effect that waits for nothing; see [`Server::dispatch`].
    fn carry_out(&mut self, effect: Effect) {
        match effect {
            // They never wait.
            Effect::Journal(_) => {}
            Effect::Observe(link, sign_on) => self.begin_to_observe(link, sign_on),
            Effect::Send {
                link,
                id,
                command,
                is_logged,
            } => self.send(link, id, &command, is_logged),
            Effect::Name(link, name) => {
                if let Some(connection) = self.connections.get_mut(&link) {
                    connection.admit(name);
                }
            }
            Effect::Log(link, line) => {
                if let Some(connection) = self.connections.get(&link) {
                    self.storage.log('<', connection.who(), &line);
                }
            }
            Effect::Close(link) => {
                self.connections.remove(&link);
                self.replicator.closed(link);
            }
            Effect::Start(program) => self.start(program),
            Effect::Kill(program) => self.children.kill(program),
            Effect::Pgn(pgn) => self.storage.game(&pgn),
            Effect::RebuildGames => self.rebuild_games(),
            Effect::Standings => self.standings.1 = true,
            Effect::Say(text) => say(&text),
            Effect::Report(report) => self.storage.event(&report),
            Effect::Answer { text, is_refused } => {
                if let Some(asker) = self.asker.take() {
                    // The arbiter may have disconnected.
                    let _ = asker.send(Answer { text, is_refused });
                }
            }
        }
    }

    fn start(&mut self, program: ProgramId) {
        let (player, _) = self.event.program(program);
        let player = &self.event.ledger().config().players[player];
        let input = match self.children.start(program, player, &self.address) {
            Ok(None) => return,
            Ok(Some((stream, permit))) => {
                let peer = Peer::Program(program);
                Input::Opened(self.open(stream, peer, permit), peer)
            }
            Err(error) => Input::NotStarted(program, format!("{error:#}")),
        };
        self.inputs.push_back((input, Instant::now()));
    }

    /// Sends a command and hands in that it was written. A peer that does not take it counts as
    /// disconnected.
    fn send(&mut self, link: LinkId, id: SendId, command: &Command, is_logged: bool) {
        let Some(connection) = self.connections.get_mut(&link) else {
            return;
        };
        let line = line_of(&command.record());
        let sent = connection.send(&line, Some(id));
        let now = Instant::now();
        if is_logged && sent.is_ok() {
            self.storage.log('>', connection.who(), &line);
        }
        let input = match sent {
            Ok(Sent::Written) => Input::Sent(link, id),
            Ok(Sent::Queued) => return,
            Err(_) => Input::Closed(link),
        };
        self.inputs.push_back((input, now));
    }

    /// The journal cannot be written: nothing goes on, and nobody loses time. Tells the players, and
    /// waits before the next attempt.
    async fn wait_for_journal(&mut self, error: &anyhow::Error) -> anyhow::Result<()> {
        self.storage.check()?;
        let now = Instant::now();
        let is_new = self.storage.journal_failed();
        if is_new {
            say(&format!(
                "{error:#}; all games wait until it can be written"
            ));
        }
        // Players leave a referee that is silent for long.
        if is_new || self.next_notice <= now {
            self.next_notice = now + self.event.ledger().config().rules.ping;
            self.notify("the referee cannot write its journal");
        }
        let retry = tokio::time::sleep(JOURNAL_RETRY);
        tokio::pin!(retry);
        loop {
            tokio::select! {
                () = &mut retry => return Ok(()),
                incoming = self.incoming.recv(), if self.backlog.len() < MAX_BACKLOG => match incoming {
                    Some(Incoming::Shutdown) => bail!("stopped while the journal could not be written"),
                    Some(incoming) => self.backlog.push_back(incoming),
                    None => {}
                },
            }
        }
    }

    /// Tells the players why nothing happens.
    fn notify(&mut self, why: &str) {
        for (link, command) in self.event.notices(why) {
            if let Some(connection) = self.connections.get_mut(&link) {
                // A connection that fails is noticed when the games go on.
                let _ = connection.send(&line_of(&command.record()), None);
            }
        }
    }

    fn rebuild_games(&mut self) {
        if let Err(error) = self.storage.rebuild_games(self.event.ledger()) {
            say(&format!("{error:#}"));
        }
    }

    /// Logs what a player writes to its standard error.
    fn log_stderr(&mut self, program: ProgramId, lines: &str) {
        let (player, game) = self.event.program(program);
        let name = &self.event.ledger().names()[player];
        // A failure to write this log must not stop the event.
        let _ = self.storage.stderr(program, name, game, lines);
    }

    fn open(&mut self, stream: Stream, peer: Peer, permit: OwnedSemaphorePermit) -> LinkId {
        let id = self.next_link();
        let who = self.event.peer_text(peer);
        let inbox = self.inbox_for(peer);
        let opened = Connection::open(id, stream, who, inbox, permit);
        self.connections.insert(id, opened);
        id
    }

    fn open_tls(
        &mut self,
        handshake: Handshake,
        peer: Peer,
        permit: OwnedSemaphorePermit,
    ) -> LinkId {
        let id = self.next_link();
        let who = self.event.peer_text(peer);
        let inbox = self.inbox_for(peer);
        let opened = Connection::open_tls(id, handshake, who, inbox, permit);
        self.connections.insert(id, opened);
        id
    }

    fn inbox_for(&self, peer: Peer) -> Inbox {
        let sender = self.sender.clone();
        match peer {
            Peer::Dedicated { .. } | Peer::Program(_) => Inbox::for_player(sender),
            Peer::Address(_) => Inbox::for_stranger(sender, Arc::clone(&self.turns)),
        }
    }

    const fn next_link(&mut self) -> LinkId {
        self.next_connection += 1;
        self.next_connection
    }

    fn write_standings(&mut self, now: Instant) {
        let written = self.storage.standings(&self.event.ledger().standings());
        let pause = STANDINGS_PAUSE.max(now.elapsed() * STANDINGS_PART);
        // What could not be written is tried again.
        self.standings = (now + pause, written.is_err());
    }

    /// Disconnects all players and writes the last standings.
    async fn close(&mut self, has_failed: bool) {
        self.drop_held();
        let why = if self.event.ledger().is_over() {
            "the event is over"
        } else {
            "the referee is shutting down"
        };
        for (id, command) in self.event.farewells(why) {
            // An observer takes over from a referee that has failed.
            if has_failed && self.replicator.is_observer(id) {
                continue;
            }
            if let Some(connection) = self.connections.get_mut(&id) {
                let line = line_of(&command.record());
                // A peer that does not take it is disconnected anyway.
                let _ = connection.send(&line, None);
                self.storage.log('>', connection.who(), &line);
            }
        }
        self.connections.clear();
        // Wait until all sockets are closed; peers that do not close theirs are not waited for longer.
        let _ = timeout(
            SHUTDOWN_TIMEOUT,
            self.free_sockets.acquire_many(self.max_sockets as u32),
        )
        .await;
        let _ = timeout(TRANSPORTS_TIMEOUT, self.transports.close()).await;
        let _ = timeout(SHUTDOWN_TIMEOUT, self.wait_for_exits()).await;
        self.children.kill_all();
        self.storage.event(&Report::End {
            why: why.to_owned(),
        });
        if let Err(error) = self.storage.standings(&self.event.ledger().standings()) {
            say(&format!("{error:#}"));
        }
        self.storage.flush();
    }

    /// Waits until the players that the referee started have exited.
    async fn wait_for_exits(&mut self) {
        while self.children.are_running() {
            match self.incoming.recv().await {
                Some(Incoming::Exited(program, _)) => self.children.exited(program),
                Some(Incoming::Stderr(program, lines)) => self.log_stderr(program, &lines),
                Some(_) => {}
                None => return,
            }
        }
    }
}

/// Prints a line. Errors are ignored: the event goes on when nobody reads its output.
pub(super) fn say(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// The date for PGN.
fn today() -> String {
    Zoned::now().strftime("%Y.%m.%d").to_string()
}

/// Accepts connections as long as sockets are free.
async fn accept(
    listener: TcpListener,
    ping: Duration,
    identity: Option<Identity>,
    inbox: Inbox,
    free_sockets: Arc<Semaphore>,
) {
    while let Ok(permit) = Arc::clone(&free_sockets).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, peer)) => {
                if set_options(&stream, ping).is_err() {
                    // The peer has closed the connection already.
                    continue;
                }
                let opened = match &identity {
                    Some(identity) => {
                        Incoming::OpenedTls(identity.handshake(stream, ping), peer.into(), permit)
                    }
                    None => Incoming::Opened(Stream::tcp(stream), peer.into(), permit),
                };
                if inbox.send(opened).await.is_err() {
                    return;
                }
            }
            // Most likely there are too many open files; try again when some are closed.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

#[cfg(test)]
mod tests;
