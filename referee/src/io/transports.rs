//! The transports that players have for themselves: pairs of named pipes, and serial lines (decision 4). A
//! task for each of them opens it, and opens it again whenever the connection has ended.

#[cfg(unix)]
mod fifo;
mod serial;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::Sender;
use tokio::task::JoinHandle;

use crate::core::config::{Player, Transport};
use crate::core::event::Peer;
use crate::io::message::Incoming;
use crate::io::stream::Stream;

/// How long to wait before a transport that cannot be opened is tried again.
const RETRY: Duration = Duration::from_secs(1);
/// A transport is not opened more often than this: a player may come and go at once.
const PAUSE: Duration = Duration::from_millis(50);

/// All transports of an event. Dropping this removes the named pipes that the referee made.
#[derive(Default)]
pub struct Transports {
    keepers: Vec<JoinHandle<()>>,
    /// A permit for each transport, which the connection over it has.
    free: Vec<Arc<Semaphore>>,
    /// The tasks that own the serial lines.
    lines: Vec<JoinHandle<()>>,
    #[cfg(unix)]
    pipes: Vec<fifo::Pair>,
}

/// How to open a transport.
enum Way {
    #[cfg(unix)]
    Fifo(PathBuf, Duration),
    Serial(serial::Line),
}

impl Way {
    fn open(&self) -> anyhow::Result<Stream> {
        match self {
            #[cfg(unix)]
            Self::Fifo(base, patience) => fifo::open(base, *patience),
            Self::Serial(line) => line.connect(),
        }
    }
}

impl Transports {
    /// Opens the transports of these players; what connects by them is sent to `events`. Players of an event
    /// that is resumed may be there already.
    pub fn open(
        players: &[Player],
        ping: Duration,
        is_resumed: bool,
        events: &Sender<Incoming>,
    ) -> anyhow::Result<Self> {
        let mut transports = Self::default();
        for (player, settings) in players.iter().enumerate() {
            let transport = settings.transport();
            let name = format!("{} on {transport}", settings.name);
            let way = match transport {
                Transport::Network | Transport::Stdio => continue,
                Transport::Fifo(base) => transports.make_pipes(base, ping),
                Transport::Serial(device, baud) => {
                    let line = serial::Line::open(device, baud, is_resumed, &name, events);
                    let line = line.map(|(line, task)| {
                        transports.lines.push(task);
                        (Way::Serial(line), false)
                    });
                    line.with_context(|| format!("cannot open {}", device.display()))
                }
            };
            let (way, is_there) = way.with_context(|| format!("player {}", settings.name))?;
            let free = Arc::new(Semaphore::new(1));
            transports.free.push(Arc::clone(&free));
            let keeper = Keeper {
                player,
                way,
                free,
                name,
                events: events.clone(),
            };
            let keeper = tokio::spawn(keeper.keep_open(is_there));
            transports.keepers.push(keeper);
        }
        Ok(transports)
    }

    #[cfg(unix)]
    fn make_pipes(&mut self, base: &Path, patience: Duration) -> anyhow::Result<(Way, bool)> {
        let pair = fifo::Pair::make(base)?;
        let is_there = pair.has_a_reader();
        self.pipes.push(pair);
        Ok((Way::Fifo(base.to_owned(), patience), is_there))
    }

    #[cfg(not(unix))]
    fn make_pipes(&mut self, _: &Path, _: Duration) -> anyhow::Result<(Way, bool)> {
        anyhow::bail!("named pipes need Unix")
    }

    /// Opens no transport again.
    pub fn stop(&self) {
        for keeper in &self.keepers {
            keeper.abort();
        }
    }

    /// Opens no transport again, and waits until everything has been sent and all transports are closed.
    pub async fn close(&mut self) {
        self.stop();
        for keeper in self.keepers.drain(..) {
            // A serial line ends when its keeper is gone.
            let _ = keeper.await;
        }
        for free in &self.free {
            let _closed = free.acquire().await;
        }
        for line in self.lines.drain(..) {
            let _ = line.await;
        }
    }
}

/// Keeps the transport of a player open.
struct Keeper {
    player: usize,
    way: Way,
    free: Arc<Semaphore>,
    /// What messages call it.
    name: String,
    events: Sender<Incoming>,
}

impl Keeper {
    async fn keep_open(self, mut is_there: bool) {
        loop {
            let Ok(permit) = Arc::clone(&self.free).acquire_owned().await else {
                return;
            };
            let stream = self.open().await;
            let opened = Instant::now();
            let peer = Peer::Dedicated {
                player: self.player,
                is_there: std::mem::take(&mut is_there),
            };
            let opening = Incoming::Opened(stream, peer, permit);
            if self.events.send(opening).await.is_err() {
                return;
            }
            tokio::time::sleep_until((opened + PAUSE).into()).await;
        }
    }

    /// Opens the transport, as soon as that is possible.
    async fn open(&self) -> Stream {
        let mut is_told = false;
        loop {
            match self.way.open() {
                Ok(stream) => return stream,
                Err(error) if !is_told => {
                    is_told = true;
                    let text = format!("{}: {error:#}; it is tried again", self.name);
                    // The server may have ended already.
                    let _ = self.events.send(Incoming::Transport(text)).await;
                }
                Err(_) => {}
            }
            tokio::time::sleep(RETRY).await;
        }
    }
}
