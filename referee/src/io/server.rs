//! The server: a loop that feeds an [`Event`] with what arrives, and carries out its effects.
//!
//! One task, [`Server::run`], handles every [`Incoming`] at once. It never waits for a peer, nor for
//! the disk to be synchronised, so no player can delay another's game. Only a journal that cannot be
//! written stops it, until there is room again.

mod accepting;
mod children;
mod closing;
mod effects;
mod full_disk;
mod links;
mod observing;
mod preparation;
mod receiving;
mod replicating;

use std::collections::{HashMap, VecDeque};
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use epd::protocol::Term;
use jiff::Zoned;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{Semaphore, oneshot};

use self::accepting::accept;
use self::children::Children;
pub use self::preparation::hash;
use self::replicating::Replicator;
use crate::core::event::{Access, Event, Input, Ledger, LinkId, Report};
use crate::core::replication::Replication;
use crate::io::connection::Connection;
use crate::io::inbox::Inbox;
use crate::io::limits;
use crate::io::message::{Answer, Incoming};
use crate::io::storage::Storage;
use crate::io::tls::Identity;
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

    fn write_standings(&mut self, now: Instant) {
        let written = self.storage.standings(&self.event.ledger().standings());
        let pause = STANDINGS_PAUSE.max(now.elapsed() * STANDINGS_PART);
        // What could not be written is tried again.
        self.standings = (now + pause, written.is_err());
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

#[cfg(test)]
mod tests;
