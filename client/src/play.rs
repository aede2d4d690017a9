//! `epode client`: plays in events run by a referee (EPD 8).
//!
//! One thread reads the connection and one searches; the main thread owns the [session], which makes
//! the decisions and receives everything as an [`Event`].

mod draw_resign_policy;
mod equipment;
mod link;
mod log;
mod pgn;
mod serial;
mod session;
mod silence;
mod tls;

use std::io::{self, ErrorKind, Read};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use engine::{Limits, MAX_PLY, Signals};
use epd::Operation;
use epd::protocol::frame::{Frame, Frames, line_of};
use epd::protocol::{Request, Term};
use movegen::Game;

use crate::cli::{Client, Referee};
use crate::engines::opening_book::OpeningBook;
use crate::engines::strength::Strength;
use crate::engines::{
    BookPlayer, Effort, Player, SearchResult, abandon_starts, exit_at_once, open_player,
};
use crate::exit_status::ExitStatus;
use draw_resign_policy::{DrawResignPolicy, Streak};
use equipment::Equipment;
use link::{Incoming, Outgoing};
use log::Log;
use session::{Action, Session};
use silence::{Patience, Silence};

/// The first and the longest pause before another attempt to connect.
const BACK_OFF: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(30)];
/// The longest pause if there are several referees: the second one takes over within seconds.
const MAX_PAUSE_OF_SEVERAL: Duration = Duration::from_secs(1);

/// An event for the session.
enum Event {
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
enum Job {
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

/// Why a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Disconnect {
    /// The referee said so.
    Closed,
    /// The referee stops, but its event is not over and may be resumed.
    Stopped,
    /// The referee said so without ever letting us in.
    Refused,
    /// It turned us away, but may let us in later.
    Busy,
    /// It broke.
    Lost,
    /// The operator left.
    Left,
}

pub fn run(args: &Client) -> anyhow::Result<ExitStatus> {
    let (events, received) = channel();
    let interrupt = events.clone();
    let benchmark = Arc::new(Signals::default());
    let stopped = Arc::clone(&benchmark);
    // Installed before the engine starts, so that the start can be interrupted.
    let mut again = false;
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
    if thinker.join().is_err() {
        bail!("the player has panicked");
    }
    done
}

/// Starts the search thread.
fn thinking_thread(
    mut player: Box<dyn Player>,
    events: Sender<Event>,
) -> (Sender<Job>, JoinHandle<()>) {
    let (sender, jobs) = channel();
    let thinker = thread::spawn(move || {
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
    (sender, thinker)
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
    /// Connects and plays, again and again with `--reconnect`.
    fn run(&mut self) -> anyhow::Result<ExitStatus> {
        let mut pause = BACK_OFF[0];
        loop {
            match self.connect() {
                Ok((incoming, outgoing)) => {
                    let end = self.play(incoming, outgoing)?;
                    if self.admitted {
                        pause = BACK_OFF[0];
                    } else {
                        // Another one may have more to say.
                        self.turn += 1;
                    }
                    match end {
                        Disconnect::Stopped if self.args.reconnect => {
                            eprintln!("epode: waiting until the event is resumed");
                        }
                        Disconnect::Closed | Disconnect::Stopped | Disconnect::Left => {
                            return Ok(ExitStatus::Success);
                        }
                        Disconnect::Busy if self.args.reconnect => {
                            eprintln!("epode: trying again");
                        }
                        Disconnect::Refused | Disconnect::Busy => return Ok(ExitStatus::Failed),
                        Disconnect::Lost if !self.args.reconnect => {
                            eprintln!("epode: connection lost");
                            return Ok(ExitStatus::Failed);
                        }
                        Disconnect::Lost => {
                            eprintln!("epode: connection lost; reconnecting");
                        }
                    }
                }
                Err(error) if self.args.reconnect && !tls::is_final(&error) => {
                    eprintln!("epode: {error:#}; reconnecting");
                }
                Err(error) => return Err(error),
            }
            if self.pauses(pause)? {
                return Ok(ExitStatus::Success);
            }
            pause = (pause * 2).min(match self.referees.len() {
                1 => BACK_OFF[1],
                _ => MAX_PAUSE_OF_SEVERAL,
            });
        }
    }

    /// Connects to the first referee that answers. The error is that of the last one, and final only if all
    /// errors are.
    fn connect(&mut self) -> anyhow::Result<(Incoming, Outgoing)> {
        let count = self.referees.len();
        if count == 1 {
            return link::open(&self.referees[0], link::CONNECT_TIMEOUT);
        }
        let mut failure = None;
        for attempt in 1..=count {
            self.turn %= count;
            match link::open(&self.referees[self.turn], link::SHORT_CONNECT_TIMEOUT) {
                Ok(opened) => return Ok(opened),
                Err(error) => {
                    self.turn += 1;
                    if attempt < count {
                        eprintln!("epode: {error:#}; trying the next address");
                    }
                    let was_passing = failure.is_some_and(|before| !tls::is_final(&before));
                    failure = Some(if tls::is_final(&error) && was_passing {
                        anyhow::anyhow!("{error:#}")
                    } else {
                        error
                    });
                }
            }
        }
        Err(failure.context("no address of a referee")?)
    }

    /// Plays until the connection ends.
    fn play(&mut self, incoming: Incoming, mut outgoing: Outgoing) -> anyhow::Result<Disconnect> {
        self.connection += 1;
        self.admitted = false;
        reading_thread(self.connection, incoming, self.events.clone());
        let mut session = Session::new(&self.args.name, policy(self.args), self.args.analysis)
            .running_on(self.equipment.clone());
        let end = self.converse(&mut session, &mut outgoing);
        let known = self.term.as_ref().map_or(0, |term| term.number);
        let newer = session.term().filter(|term| term.number > known);
        self.term = newer.cloned().or(self.term.take());
        self.abort();
        outgoing.close();
        // A game that is left or cut off is over for this player.
        if let Some(played) = session.leave_game() {
            self.log.game(played)?;
        }
        end
    }

    fn converse(
        &mut self,
        session: &mut Session,
        outgoing: &mut Outgoing,
    ) -> anyhow::Result<Disconnect> {
        if self.sign_on(session, outgoing)?.is_err() {
            return Ok(Disconnect::Lost);
        }
        let mut silence = Silence::new(Instant::now());
        loop {
            let Some(event) = self.next_event(session, &mut silence)? else {
                return Ok(Disconnect::Lost);
            };
            let actions = match event {
                Event::Received(connection, frame, at) if connection == self.connection => {
                    silence.end(Instant::now());
                    if let Frame::Line(line) = &frame {
                        self.log.record('<', line)?;
                    }
                    session.receive(&frame, at)
                }
                Event::Disconnected(connection, why) if connection == self.connection => {
                    let Some(why) = why else {
                        return Ok(Disconnect::Lost);
                    };
                    eprintln!("epode: {why}");
                    return Ok(Disconnect::Refused);
                }
                Event::Searched(id, result) if id == self.job || id == 0 => match result {
                    Ok(result) => session.answer(&result, Instant::now()),
                    Err(error) => {
                        // Without an engine there are no more moves: tell the referee.
                        let fault = session.fault_request(&format!("{error:#}"));
                        let _ = self.send(&fault, outgoing);
                        return Err(error);
                    }
                },
                Event::Told(text) => {
                    self.note(&text)?;
                    continue;
                }
                Event::Interrupted => {
                    // The connection may be closed already.
                    let _ = self.send(&session.sign_off(), outgoing);
                    return Ok(Disconnect::Left);
                }
                Event::Received(..) | Event::Disconnected(..) | Event::Searched(..) => continue,
            };
            for action in actions {
                if let Some(end) = self.act(&action, session, outgoing)? {
                    return Ok(end);
                }
            }
        }
    }

    /// Sends the first request; the inner result is that of the connection.
    fn sign_on(
        &mut self,
        session: &Session,
        outgoing: &mut Outgoing,
    ) -> anyhow::Result<io::Result<()>> {
        let mut sign_on = session.sign_on().record();
        self.log.record('>', &sign_on.to_string())?;
        if let Some(password) = &self.password {
            // The password is a private operation, which is never logged (decision 11).
            sign_on.set(Operation::new("Auth").string(password));
        }
        if let Some(term) = &self.term {
            // A referee that has been replaced without noticing it stops when it reads this.
            sign_on.set(term.operation());
        }
        Ok(outgoing.send(&line_of(&sign_on)))
    }

    /// The next event; none if the referee has been silent for too long.
    fn next_event(
        &mut self,
        session: &Session,
        silence: &mut Silence,
    ) -> anyhow::Result<Option<Event>> {
        let patience = self.patience(session);
        loop {
            let received = match silence.deadline(patience) {
                None => self.received.recv().map_err(RecvTimeoutError::from),
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    self.received.recv_timeout(left)
                }
            };
            match received {
                Ok(event) => return Ok(Some(event)),
                Err(RecvTimeoutError::Disconnected) => bail!("nobody is left to play"),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(complaint) = silence.complaint(patience, Instant::now()) {
                self.note(&complaint)?;
                return Ok(None);
            }
        }
    }

    /// How long the referee may be silent. On other transports than TCP somebody may start it later than its
    /// players. Without a way back, leaving a connection that may come to life again is of no use.
    fn patience(&self, session: &Session) -> Patience {
        let is_tcp = self.args.address.is_some();
        Patience {
            sign_on: is_tcp.then_some(self.args.sign_on_timeout),
            ping: session.ping().filter(|_| self.args.reconnect),
        }
    }

    /// Performs an action of the session; returns how the connection ended, if it did.
    fn act(
        &mut self,
        action: &Action,
        session: &Session,
        outgoing: &mut Outgoing,
    ) -> anyhow::Result<Option<Disconnect>> {
        match action {
            Action::Send(request) => {
                if self.send(request, outgoing).is_err() {
                    return Ok(Some(Disconnect::Lost));
                }
            }
            Action::Abort => self.abort(),
            Action::Think => {
                let offered = session.is_draw_offered();
                self.think(session.game(), self.effort(session), offered);
            }
            Action::Ponder if self.args.ponder => {
                self.think(session.game(), Effort::Endless, false);
            }
            Action::NewGame => {
                // The first one answers our sign_on (EPD 8, point 6).
                self.admitted = true;
                let job = self.jobs.send(Job::NewGame);
                job.context("the player has ended")?;
            }
            Action::Ponder => {}
            Action::GameOver(played) => self.log.game(played.clone())?,
            Action::Print(text) => eprintln!("epode: {text}"),
            Action::Close if self.admitted && session.event_may_be_resumed() => {
                return Ok(Some(Disconnect::Stopped));
            }
            Action::Close if session.may_try_again() => return Ok(Some(Disconnect::Busy)),
            Action::Close if self.admitted => return Ok(Some(Disconnect::Closed)),
            Action::Close => return Ok(Some(Disconnect::Refused)),
        }
        Ok(None)
    }

    fn send(&mut self, request: &Request, outgoing: &mut Outgoing) -> anyhow::Result<()> {
        let line = line_of(&request.record());
        outgoing.send(&line)?;
        self.log.record('>', line.trim_end())
    }

    fn abort(&self) {
        self.signals.stop.store(true, Ordering::Relaxed);
    }

    fn think(&mut self, game: &Game, effort: Effort, offered: bool) {
        self.abort();
        self.job += 1;
        self.signals = Arc::default();
        // If the search thread has ended, its error is among the events.
        let _ = self.jobs.send(Job::Think {
            id: self.job,
            game: Box::new(game.clone()),
            effort,
            offered,
            since: Instant::now(),
            signals: Arc::clone(&self.signals),
        });
    }

    /// By the clock, by the limits of the event, or by the options.
    fn effort(&self, session: &Session) -> Effort {
        let margin = session.lag().margin(self.args.overhead);
        match session.clock_state() {
            Some(clock_state) => Effort::Clock(clock_state, margin),
            None => Effort::Fixed(limits_of_move(self.args.effort(), session.event_limits())),
        }
    }

    /// Waits before the next attempt to connect; true if the user interrupts.
    fn pauses(&mut self, pause: Duration) -> anyhow::Result<bool> {
        let until = Instant::now() + pause;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.received.recv_timeout(left) {
                Ok(Event::Interrupted) => return Ok(true),
                Ok(Event::Told(text)) => self.note(&text)?,
                Ok(_) => {}
                Err(_) => return Ok(false),
            }
        }
    }

    /// Tells the user something, and logs it.
    fn note(&mut self, text: &str) -> anyhow::Result<()> {
        eprintln!("epode: {text}");
        self.log.note(text)
    }
}

/// The limits of the event, or else those of the options.
fn limits_of_move(limits: Limits, event: [Option<u64>; 2]) -> Limits {
    match event {
        [None, None] => limits,
        [nodes, depth] => Limits {
            nodes,
            depth: depth.map(|depth| depth.min(MAX_PLY as u64) as usize),
            ..Limits::default()
        },
    }
}

fn policy(args: &Client) -> DrawResignPolicy {
    let streak = |score: Option<i32>, moves| score.map(|score| Streak { score, moves });
    DrawResignPolicy::new(
        streak(args.resign_score.map(|score| -score), args.resign_moves),
        streak(args.draw_score, args.draw_moves),
        2 * args.draw_after as usize,
        args.contempt,
    )
}

fn reading_thread(connection: u64, mut incoming: Incoming, events: Sender<Event>) {
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
