//! The roads that players have for themselves: pairs of named pipes, and serial lines (decision 4). A
//! task for each of them opens it, and opens it again whenever the connection has ended.

#[cfg(unix)]
mod fifo;
mod serial;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use tokio::sync::mpsc::Sender;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;

use crate::core::config::{Player, Road};
use crate::core::event::Peer;
use crate::io::message::Incoming;
use crate::io::stream::Stream;

/// How long to wait before a road that cannot be opened is tried again.
const RETRY: Duration = Duration::from_secs(1);
/// A connection over a road and whatever lies under it hold a permit each while they use it.
const PERMITS: u32 = 2;
/// A road is not opened more often than this: a player may come and go at once.
const PAUSE: Duration = Duration::from_millis(50);

/// All roads of an event. Dropping this removes the named pipes that the referee made.
#[derive(Default)]
pub struct Roads {
    tasks: Vec<AbortHandle>,
    /// The [`PERMITS`] of each road.
    free: Vec<Arc<Semaphore>>,
    #[cfg(unix)]
    pipes: Vec<fifo::Pair>,
}

/// How to open a road.
#[derive(Clone)]
enum Way {
    #[cfg(unix)]
    Fifo(PathBuf, Duration),
    Serial(PathBuf, u32),
}

impl Way {
    fn open(&self, permit: &mut OwnedSemaphorePermit) -> anyhow::Result<Stream> {
        match self {
            #[cfg(unix)]
            Self::Fifo(base, patience) => fifo::open(base, *patience),
            Self::Serial(device, baud) => serial::open(device, *baud, permit),
        }
    }
}

impl Roads {
    /// Opens the roads of these players; what connects by them is sent to `events`.
    pub fn open(
        players: &[Player],
        ping: Duration,
        events: &Sender<Incoming>,
    ) -> anyhow::Result<Self> {
        let mut roads = Self::default();
        for (player, settings) in players.iter().enumerate() {
            let road = settings.road();
            let (way, is_there) = match road {
                Road::Network | Road::Stdio => continue,
                Road::Fifo(base) => roads.makepipes(base, ping)?,
                Road::Serial(device, baud) => (Way::Serial(device.to_owned(), baud), false),
            };
            let free = Arc::new(Semaphore::new(PERMITS as usize));
            let mut permit = Arc::clone(&free).try_acquire_many_owned(PERMITS)?;
            let stream = way.open(&mut permit);
            let stream = stream.with_context(|| format!("player {}: {road}", settings.name))?;
            let failed = format!("{}: {road}", settings.name);
            roads.free.push(Arc::clone(&free));
            let keeper = Keeper {
                player,
                way,
                free,
                failed,
                events: events.clone(),
            };
            let first = (stream, permit, is_there);
            roads
                .tasks
                .push(tokio::spawn(keeper.keep_open(first)).abort_handle());
        }
        Ok(roads)
    }

    #[cfg(unix)]
    fn makepipes(&mut self, base: &Path, patience: Duration) -> anyhow::Result<(Way, bool)> {
        let pair = fifo::Pair::make(base)?;
        let is_there = pair.has_a_reader();
        self.pipes.push(pair);
        Ok((Way::Fifo(base.to_owned(), patience), is_there))
    }

    #[cfg(not(unix))]
    fn makepipes(&mut self, _: &Path, _: Duration) -> anyhow::Result<(Way, bool)> {
        anyhow::bail!("named pipes need Unix")
    }

    /// Opens no road again.
    pub fn stop(&self) {
        for task in &self.tasks {
            task.abort();
        }
    }

    /// Waits until all roads are closed.
    pub async fn wait(&self) {
        for free in &self.free {
            let _closed = free.acquire_many(PERMITS).await;
        }
    }
}

/// Keeps the road of a player open.
struct Keeper {
    player: usize,
    way: Way,
    free: Arc<Semaphore>,
    /// What a message about its failure begins with.
    failed: String,
    events: Sender<Incoming>,
}

impl Keeper {
    async fn keep_open(self, first: (Stream, OwnedSemaphorePermit, bool)) {
        let mut next = Some(first);
        while let Some((stream, permit, is_there)) = next {
            let opened = Instant::now();
            let peer = Peer::Road {
                player: self.player,
                is_there,
            };
            let road = Incoming::Opened(stream, peer, permit);
            if self.events.send(road).await.is_err() {
                return;
            }
            next = self.reopen(opened + PAUSE).await;
        }
    }

    /// Waits until the road is closed, then opens it.
    async fn reopen(&self, not_before: Instant) -> Option<(Stream, OwnedSemaphorePermit, bool)> {
        let free = Arc::clone(&self.free);
        let mut permit = free.acquire_many_owned(PERMITS).await.ok()?;
        tokio::time::sleep_until(not_before.into()).await;
        let mut is_told = false;
        loop {
            match self.way.open(&mut permit) {
                Ok(stream) => return Some((stream, permit, false)),
                Err(error) if !is_told => {
                    is_told = true;
                    let why = format!("{}: {error:#}; it is tried again", self.failed);
                    self.events.send(Incoming::RoadFailed(why)).await.ok()?;
                }
                Err(_) => {}
            }
            tokio::time::sleep(RETRY).await;
        }
    }
}
