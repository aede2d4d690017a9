//! `epode client`: plays in events run by a referee (EPD 8).
//!
//! One thread reads the connection and one searches; the main thread owns the [session], which makes
//! the decisions and receives everything as an [`Event`].

mod connecting;
mod conversation;
mod draw_resign_policy;
mod equipment;
mod link;
mod log;
mod pgn;
mod searching;
mod serial;
mod session;
mod silence;
mod starter;
mod threads;
mod tls;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};

use anyhow::{Context, bail};
use engine::Signals;
use epd::protocol::Term;

use crate::cli::{Client, Referee};
use crate::engines::opening_book::OpeningBook;
use crate::engines::strength::Strength;
use crate::engines::{BookPlayer, abandon_starts, exit_at_once, open_player};
use crate::exit_status::ExitStatus;
use crate::io::temporary;
use equipment::Equipment;
use log::Log;
use threads::{Event, Job, thinking_thread};

pub fn run(args: &Client) -> anyhow::Result<ExitStatus> {
    let (events, received) = channel();
    let interrupt = events.clone();
    let benchmark = Arc::new(Signals::default());
    let stopped = Arc::clone(&benchmark);
    // Installed before the engine starts, so that the start can be interrupted.
    let mut again = false;
    temporary::leave_signals();
    ctrlc::set_handler(move || {
        if std::mem::replace(&mut again, true) {
            exit_at_once();
        }
        abandon_starts();
        stopped.stop.store(true, Ordering::Relaxed);
        // The main loop may have ended already.
        let _ = interrupt.send(Event::Interrupted);
    })
    .context("cannot wait for Ctrl-C")?;
    let equipment = match Equipment::of(args, &benchmark) {
        Err(_) if benchmark.stop.load(Ordering::Relaxed) => return Ok(ExitStatus::Success),
        equipment => equipment?,
    };
    let restarts = events.clone();
    let tell = move |text| {
        // The main loop may have ended already.
        let _ = restarts.send(Event::Told(text));
    };
    let hash = args.engine.hash(None);
    let strength = args.elo.map(Strength::of_elo);
    let book = OpeningBook::open(&args.book).context("--book")?;
    let mut player = open_player(&args.engine, hash, args.restarts, strength, tell.clone())?;
    if book.is_used {
        player = Box::new(BookPlayer::new(player, book, tell));
    }
    if args.engine.command.is_some() {
        eprintln!("epode: playing with {}", player.name());
    }
    let (jobs, thinker) = thinking_thread(player, events.clone());
    let mut client = ClientLoop {
        args,
        events,
        received,
        jobs,
        log: Log::open(args.log.as_deref(), args.pgn.as_deref())?,
        password: args.password()?,
        equipment,
        referees: args.referees(),
        turn: 0,
        term: None,
        connection: 0,
        admitted: false,
        job: 0,
        signals: Arc::default(),
    };
    let done = client.run();
    // Without jobs the thread ends, and with it the engine.
    drop(client);
    if thinker.leave().is_err() {
        bail!("the player has panicked");
    }
    done
}

/// The main loop: plays on one connection after the other.
struct ClientLoop<'a> {
    args: &'a Client,
    events: Sender<Event>,
    received: Receiver<Event>,
    jobs: Sender<Job>,
    log: Log,
    /// The password, sent with the first request.
    password: Option<String>,
    /// What the player runs on, said with the first request.
    equipment: Equipment,
    referees: Vec<Referee>,
    /// The index of the referee that is tried first.
    turn: usize,
    /// The last referee of the event that we know of, if another one has taken over (decision 143).
    term: Option<Term>,
    /// The number of the current connection; events of earlier ones are ignored.
    connection: u64,
    /// The referee has admitted us.
    admitted: bool,
    /// The number of the current job; results of earlier ones are ignored.
    job: u64,
    /// Stops the current job.
    signals: Arc<Signals>,
}

impl ClientLoop<'_> {
    /// Tells the user something, and logs it.
    fn note(&mut self, text: &str) -> anyhow::Result<()> {
        eprintln!("epode: {text}");
        self.log.note(text)
    }
}
