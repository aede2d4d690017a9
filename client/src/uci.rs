//! `epode uci`: the engine behind the Universal Chess Interface.
//!
//! A thread thinks, this one listens: it never waits for the other, so that `stop`, `isready` and
//! `quit` are heard at any time. What makes no sense is told as an `info string` and does no harm.

mod command;
mod options;

use std::io::{self, BufRead, Write};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use engine::{Chances, Limits, Net, Progress, Score, Searcher, Signals};
use movegen::{Game, Move, Position};

use crate::Verdict;
use crate::args::NetFile;
use crate::lag::Lag;
use command::{Command, Go};
use options::Options;

/// What the thinking thread is to do.
enum Job {
    Think {
        game: Box<Game>,
        limits: Limits,
        moves: Vec<Move>,
        signals: Arc<Signals>,
        answered: Arc<OnceLock<Instant>>,
        /// Tell the chances with every score.
        chances: bool,
    },
    Clear,
    Hash(usize),
    Threads(usize),
    Lines(usize),
    /// Say that everything before it is done.
    Ready,
}

/// Listens on standard input until `quit` or its end.
pub fn run(net: &NetFile) -> anyhow::Result<Verdict> {
    let net = net.load()?;
    let (jobs, waiting) = channel();
    let thinker = thread::spawn(move || think(&waiting, net));
    let mut listener = Listener {
        game: Game::default(),
        options: Options::default(),
        jobs,
        signals: Arc::default(),
        asked: None,
        lag: Lag::default(),
    };
    for line in io::stdin().lock().split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        if !listener.obey(&line) {
            break;
        }
    }
    listener.stop();
    drop(listener);
    // Nothing that it says now is wanted.
    drop(thinker);
    Ok(Verdict::Good)
}

/// Says a line; a graphical interface that has gone does not hear it.
fn say(line: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

struct Listener {
    game: Game,
    options: Options,
    jobs: Sender<Job>,
    /// Those of the last search.
    signals: Arc<Signals>,
    asked: Option<Asked>,
    lag: Lag,
}

/// A move that was asked for by the clock: when the same side is asked again, its clock tells what
/// the move was charged.
struct Asked {
    begun: Instant,
    answered: Arc<OnceLock<Instant>>,
    /// The moves of the game before it.
    plies: usize,
    /// What the clock would show if no time had passed.
    clock: Duration,
}

impl Listener {
    /// Obeys a line; false when there is nothing more to do.
    fn obey(&mut self, line: &str) -> bool {
        match Command::read(line, &self.game) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => return false,
            Ok(Some(command)) => self.act(command),
            Err(why) => say(&format!("info string {why}")),
        }
        true
    }

    fn act(&mut self, command: Command) {
        match command {
            Command::Uci => {
                say(concat!("id name Epode ", env!("CARGO_PKG_VERSION")));
                say("id author the Epode developers");
                say(options::DECLARATION);
                say("uciok");
            }
            Command::IsReady => {
                // While it thinks, it is ready to be stopped.
                if self.is_thinking() {
                    say("readyok");
                } else {
                    self.send(Job::Ready);
                }
            }
            Command::NewGame => {
                self.stop();
                self.asked = None;
                self.send(Job::Clear);
            }
            Command::Position(game) => self.game = *game,
            Command::SetOption(name, value) => self.set_option(&name, &value),
            Command::Go(go) => self.go(&go),
            Command::Stop => self.stop(),
            Command::PonderHit => self.signals.pondering.store(false, Relaxed),
            Command::Show => say(&self.game.position().to_string()),
            Command::Quit => {}
        }
    }

    fn is_thinking(&self) -> bool {
        Arc::strong_count(&self.signals) > 1
    }

    fn send(&self, job: Job) {
        // The thread ends only with this one.
        let _ = self.jobs.send(job);
    }

    fn stop(&self) {
        self.signals.stop.store(true, Relaxed);
        self.signals.pondering.store(false, Relaxed);
    }

    fn go(&mut self, go: &Go) {
        let begun = Instant::now();
        self.stop();
        let turn = self.game.position().turn();
        let plies = self.game.moves().len();
        let clock = go.clock(turn);
        if let (Some(asked), Some((remaining, _))) = (self.asked.take(), clock)
            && let Some(answered) = asked.answered.get()
            && plies == asked.plies + 2
        {
            let charged = asked.clock.saturating_sub(remaining);
            self.lag.learn(charged, *answered - asked.begun);
        }
        let answered = Arc::default();
        self.asked = clock.filter(|_| !go.ponder).map(|clock| Asked {
            begun,
            answered: Arc::clone(&answered),
            plies,
            clock: clock.0 + clock.1,
        });
        self.signals = Arc::new(Signals::default());
        self.signals.pondering.store(go.ponder, Relaxed);
        self.send(Job::Think {
            game: Box::new(self.game.clone()),
            limits: go.limits(turn, self.options.overhead + self.lag.expected()),
            moves: go.moves.clone(),
            signals: Arc::clone(&self.signals),
            answered,
            chances: self.options.chances,
        });
    }

    fn set_option(&mut self, name: &str, value: &str) {
        match self.options.set(name, value) {
            Ok(Some(change)) => self.send(change),
            Ok(None) => {}
            Err(why) => say(&format!("info string {why}")),
        }
    }
}

/// Does one job after the other.
fn think(jobs: &Receiver<Job>, net: Arc<Net>) {
    let mut searcher = Searcher::new(options::HASH);
    searcher.set_net(net);
    for job in jobs {
        match job {
            Job::Clear => searcher.clear(),
            Job::Hash(mib) => {
                if let Err(refused) = searcher.set_hash(mib) {
                    say(&format!("info string {refused}"));
                }
            }
            Job::Threads(threads) => searcher.set_threads(threads),
            Job::Lines(lines) => searcher.set_lines(lines),
            Job::Ready => say("readyok"),
            Job::Think {
                game,
                limits,
                moves,
                signals,
                answered,
                chances,
            } => {
                searcher.set_root_moves(moves);
                let root = chances.then_some(game.position());
                let outcome = searcher.search(&game, &limits, &signals, &mut |progress| {
                    say(&info(progress, root));
                });
                // Asked without limits or to ponder, it must not answer before it is told to.
                let endless = limits == Limits::default();
                while !signals.stop.load(Relaxed) && (endless || signals.pondering.load(Relaxed)) {
                    thread::sleep(Duration::from_millis(1));
                }
                let best = outcome
                    .best
                    .map_or_else(|| "0000".to_owned(), |mv| mv.to_string());
                // Before the answer, so that who reads it finds the engine idle.
                drop(signals);
                let _ = answered.set(Instant::now());
                match outcome.ponder {
                    Some(ponder) => say(&format!("bestmove {best} ponder {ponder}")),
                    None => say(&format!("bestmove {best}")),
                }
            }
        }
    }
}

/// A line of an iteration; with the chances if the root is given.
fn info(progress: &Progress<'_>, root: Option<&Position>) -> String {
    let chances = root.map_or_else(String::new, |root| {
        let Chances { win, draw, loss } = Chances::of(progress.score, root);
        format!(" wdl {win} {draw} {loss}")
    });
    let milliseconds = progress.time.as_millis();
    let rate = progress.nodes as f64 / progress.time.as_secs_f64().max(1e-3);
    let pv: Vec<_> = progress.pv.iter().map(ToString::to_string).collect();
    format!(
        "info depth {} seldepth {} multipv {} score {}{chances} nodes {} nps {rate:.0} hashfull {} time {milliseconds} pv {}",
        progress.depth,
        progress.selective_depth,
        progress.rank,
        score(progress.score),
        progress.nodes,
        progress.table_permille,
        pv.join(" ")
    )
}

/// `cp 31`, or `mate 3` in moves.
fn score(score: Score) -> String {
    match score.mate_plies() {
        None => format!("cp {}", score.ce()),
        Some(plies) if score > Score::DRAW => format!("mate {}", plies.div_ceil(2)),
        Some(plies) => format!("mate -{}", plies.div_ceil(2)),
    }
}
