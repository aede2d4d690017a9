//! The thread that takes in the stream of events and answers viewers.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;

use super::server;
use super::shared::Shared;
use super::state::State;
use crate::core::broadcast::{Broadcast, Broadcaster};
use crate::core::event::stream::Stamped;

/// Viewers are told of news so often at most. Each time costs something for each of them, so many wait longer.
const PAUSE: Duration = Duration::from_millis(50);
const PAUSE_PER_VIEWER: Duration = Duration::from_micros(500);
/// How long viewers have to receive the last events when the referee ends.
const FAREWELL: Duration = Duration::from_millis(500);
/// Nothing waits for so long.
const FAR: Duration = Duration::from_hours(1);
/// Events that are read from the file before other work is done.
const BATCH: usize = 1000;

/// What the hub needs to know.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The addresses to listen on, of which the first one that is available is used.
    pub addresses: Vec<String>,
    /// What is broadcast, and when.
    pub broadcast: Broadcast,
    /// The file of the stream of events, and its length: what comes later is passed on by the feed.
    pub events: (PathBuf, u64),
}

/// What the referee passes on.
#[derive(Debug)]
enum News {
    Event(Box<Stamped>),
    /// The referee is at work.
    Alive,
    /// All games wait for this reason, or they go on.
    Waits(Option<String>),
    /// The referee ends; whether viewers may see all that waits at once.
    End {
        is_over: bool,
    },
}

/// Passes on to the hub what the referee reports. It never waits.
#[derive(Clone, Debug)]
pub struct Feed(UnboundedSender<News>);

impl Feed {
    /// Passes on an event.
    pub fn event(&self, event: Stamped) {
        // A hub that has ended needs no news.
        let _ = self.0.send(News::Event(Box::new(event)));
    }

    /// Tells that the referee is at work.
    pub fn alive(&self) {
        let _ = self.0.send(News::Alive);
    }

    /// Tells why all games wait, if they do.
    pub fn waits(&self, why: Option<String>) {
        let _ = self.0.send(News::Waits(why));
    }
}

/// The thread of a hub.
#[derive(Debug)]
pub struct Hub {
    /// Where it listens.
    pub address: SocketAddr,
    feed: Feed,
    thread: JoinHandle<()>,
}

impl Hub {
    /// Listens and answers from now on.
    pub fn start(settings: Settings) -> anyhow::Result<Self> {
        let listener = bind(&settings.addresses)?;
        let address = listener.local_addr()?;
        listener.set_nonblocking(true)?;
        let state = State::new(settings.broadcast).context("cannot create a temporary file")?;
        let (sender, news) = unbounded_channel();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let thread = std::thread::Builder::new().name("hub".to_owned());
        let thread = thread.spawn(move || {
            be_nice();
            runtime.block_on(run(settings, state, listener, news));
        })?;
        Ok(Self {
            address,
            feed: Feed(sender),
            thread,
        })
    }

    /// What the referee passes its events on with.
    #[must_use]
    pub fn feed(&self) -> Feed {
        self.feed.clone()
    }

    /// Ends the hub, after viewers had the chance to receive the last events. What still waits is shown at once if
    /// the event `is_over`, and else when it is resumed.
    pub fn end(self, is_over: bool) {
        let _ = self.feed.0.send(News::End { is_over });
        // A hub that has panicked has said so.
        let _ = self.thread.join();
    }
}

/// Viewers must not slow down the referee.
fn be_nice() {
    #[cfg(target_os = "linux")]
    {
        // On Linux this is the priority of a thread. Without it, the hub works all the same.
        let thread = rustix::thread::gettid();
        let _ = rustix::process::setpriority_process(Some(thread), 5);
    }
}

/// Listens on the first address that is available.
fn bind(addresses: &[String]) -> anyhow::Result<std::net::TcpListener> {
    let mut why = anyhow::anyhow!("no address for the page");
    for address in addresses {
        match std::net::TcpListener::bind(address) {
            Ok(listener) => return Ok(listener),
            Err(error) => {
                why = anyhow::Error::new(error)
                    .context(format!("cannot listen on {address} for the page"));
            }
        }
    }
    Err(why)
}

async fn run(
    settings: Settings,
    state: State,
    listener: std::net::TcpListener,
    news: UnboundedReceiver<News>,
) {
    let (teller, told) = watch::channel(0);
    let shared = Shared::new(state, told);
    let serving = tokio::spawn(server::serve(listener, shared.clone()));
    let mut intake = Intake {
        shared,
        broadcaster: Broadcaster::new(settings.broadcast),
        delay: settings.broadcast.time_behind(),
        waiting: VecDeque::new(),
        teller,
    };
    let (path, length) = settings.events;
    if let Err(error) = intake.read(&path, length).await {
        eprintln!(
            "epode-referee: the page lacks what {} has: {error}",
            path.display()
        );
    }
    intake.shared.state().is_ready = true;
    // Viewers may wait for a snapshot.
    intake.teller.send_modify(|_| {});
    intake.follow(news).await;
    tokio::time::sleep(FAREWELL).await;
    serving.abort();
}

/// What becomes of the stream of events.
struct Intake {
    shared: Shared,
    broadcaster: Broadcaster,
    delay: Duration,
    /// Events whose time has not come.
    waiting: VecDeque<(Instant, Stamped)>,
    teller: watch::Sender<u64>,
}

impl Intake {
    /// Reads what the referee has reported so far.
    async fn read(&mut self, path: &Path, length: u64) -> io::Result<()> {
        let file = BufReader::new(File::open(path)?.take(length));
        for (number, line) in file.split(b'\n').enumerate() {
            // Lines of earlier versions may lack something.
            if let Ok(event) = serde_json::from_slice::<Stamped>(&line?) {
                self.take(event);
            }
            if number % BATCH == BATCH - 1 {
                self.release(Instant::now());
                tokio::task::yield_now().await;
            }
        }
        self.tell();
        Ok(())
    }

    /// Takes in what comes, until the referee ends.
    async fn follow(&mut self, mut news: UnboundedReceiver<News>) {
        loop {
            let next = self.waiting.front().map(|(due, _)| *due);
            let now = Instant::now();
            let due = next.unwrap_or(now + FAR);
            let first = tokio::select! {
                first = news.recv() => Some(first.unwrap_or(News::End { is_over: false })),
                () = tokio::time::sleep_until(due.into()) => None,
            };
            let mut ended = None;
            let mut next = first;
            while let Some(news_item) = next {
                match news_item {
                    News::Event(event) => self.take(*event),
                    News::Alive => self.shared.state().alive = Timestamp::now(),
                    News::Waits(why) => self.shared.state().waits = why,
                    News::End { is_over } => ended = Some(is_over),
                }
                next = news.try_recv().ok();
            }
            self.release(Instant::now());
            if ended == Some(true) {
                while let Some((_, event)) = self.waiting.pop_front() {
                    self.publish(event);
                }
            }
            self.tell();
            if ended.is_some() {
                return;
            }
            let streams = self.shared.state().metrics.streams as u32;
            tokio::time::sleep(PAUSE.max(PAUSE_PER_VIEWER * streams)).await;
        }
    }

    /// An event is measured, and broadcast when its time has come.
    fn take(&mut self, event: Stamped) {
        let mut state = self.shared.state();
        state.metrics.apply(event.seq, &event.report);
        drop(state);
        let due = Instant::now() + self.left_to_wait(&event.at);
        self.waiting.push_back((due, event));
    }

    /// How long an event has still to wait.
    fn left_to_wait(&self, at: &str) -> Duration {
        if self.delay.is_zero() {
            return Duration::ZERO;
        }
        let at: Timestamp = at.parse().unwrap_or_else(|_| Timestamp::now());
        let age = Timestamp::now()
            .duration_since(at)
            .max(SignedDuration::ZERO);
        self.delay.saturating_sub(age.unsigned_abs())
    }

    /// Broadcasts what is due.
    fn release(&mut self, now: Instant) {
        while let Some((due, _)) = self.waiting.front()
            && *due <= now
            && let Some((_, event)) = self.waiting.pop_front()
        {
            self.publish(event);
        }
    }

    fn publish(&mut self, event: Stamped) {
        let published = self.broadcaster.push(event.report, &event.at);
        let mut state = self.shared.state();
        for published in published {
            if let Err(error) = state.apply(&published) {
                eprintln!("epode-referee: a finished game is missing on the page: {error}");
            }
        }
    }

    /// Tells viewers who wait that there is news.
    fn tell(&self) {
        let last = self.shared.state().frames.last();
        self.teller.send_if_modified(|told| {
            let is_news = *told != last;
            *told = last;
            is_news
        });
    }
}
