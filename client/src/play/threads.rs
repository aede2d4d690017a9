//! The threads beside the main one: one reads a connection, one searches.

use std::io::{ErrorKind, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use engine::Signals;
use epd::protocol::frame::{Frame, Frames};
use movegen::Game;

use super::link::Incoming;
use crate::engines::{Effort, Player, SearchResult, abandon_starts, kill_engines};

/// An event for the session.
pub(super) enum Event {
    /// From the connection of this number.
    Received(u64, Frame, Instant),
    /// The connection of this number has ended; why, if it is not plain.
    Disconnected(u64, Option<String>),
    /// The result of a job.
    Searched(u64, anyhow::Result<SearchResult>),
    /// Something to tell the user: the engine is started again.
    Told(String),
    /// The operator wants to leave.
    Interrupted,
}

/// A job for the search thread.
pub(super) enum Job {
    NewGame,
    Think {
        id: u64,
        game: Box<Game>,
        effort: Effort,
        /// The opponent offers a draw.
        offered: bool,
        /// Since when the clock runs: the search thread may still be busy.
        since: Instant,
        signals: Arc<Signals>,
    },
}

/// How long the engine may take to stop and to quit when the client leaves. The referee kills a program that it
/// has started, and has told to end, after a second.
const PARTING: Duration = Duration::from_millis(500);

/// The search thread, which owns the engine.
pub(super) struct Thinker {
    thread: JoinHandle<()>,
    /// Ends with the thread.
    ended: Receiver<()>,
}

impl Thinker {
    /// Waits for the end of the thread, which gets no more jobs, and of the engine. One that hangs is killed.
    pub fn leave(self) -> thread::Result<()> {
        if self.ended.recv_timeout(PARTING) == Err(RecvTimeoutError::Timeout) {
            abandon_starts();
            kill_engines();
        }
        self.thread.join()
    }
}

/// Starts the search thread.
pub(super) fn thinking_thread(
    mut player: Box<dyn Player>,
    events: Sender<Event>,
) -> (Sender<Job>, Thinker) {
    let (sender, jobs) = channel();
    let (alive, ended) = channel::<()>();
    let thread = thread::spawn(move || {
        let _alive = alive;
        for job in jobs {
            let (id, result) = match job {
                Job::NewGame => match player.new_game() {
                    Ok(()) => continue,
                    Err(error) => (0, Err(error)),
                },
                Job::Think {
                    id,
                    game,
                    effort,
                    offered,
                    since,
                    signals,
                } => {
                    let effort = effort.after(since.elapsed(), game.position().turn());
                    let told = if offered { player.offer_draw() } else { Ok(()) };
                    let think = |()| player.think(&game, &effort, &signals, &mut |_| ());
                    (id, told.and_then(think))
                }
            };
            if events.send(Event::Searched(id, result)).is_err() {
                break;
            }
        }
    });
    (sender, Thinker { thread, ended })
}

pub(super) fn reading_thread(connection: u64, mut incoming: Incoming, events: Sender<Event>) {
    thread::spawn(move || {
        let mut frames = Frames::default();
        let mut bytes = [0; 4096];
        let why = loop {
            let count = match incoming.read(&mut bytes) {
                Ok(count @ 1..) => count,
                Err(error) if error.kind() == ErrorKind::InvalidData => {
                    break Some(error.to_string());
                }
                Ok(_) | Err(_) => break None,
            };
            let now = Instant::now();
            let mut wanted = true;
            frames.push(&bytes[..count], |frame| {
                wanted &= events.send(Event::Received(connection, frame, now)).is_ok();
            });
            if !wanted {
                return;
            }
        };
        // The main loop may have ended already.
        let _ = events.send(Event::Disconnected(connection, why));
    });
}
