//! `epode uci`: the built-in engine as a UCI engine.
//!
//! One thread searches. The main thread reads commands and never waits for the search, so that
//! `stop`, `isready` and `quit` take effect at any time. Invalid input is reported as an
//! `info string` and ignored.

mod command;
mod go;
mod job;
mod options;
mod output;
mod position;
mod show;
mod think;

use std::io::{self, BufRead};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use engine::{Net, Signals};
use movegen::{Game, Position, Word};

use crate::cli::NetFile;
use crate::engines::lag::Lag;
use crate::exit_status::ExitStatus;
use command::Command;
use go::Go;
use job::{Job, Task};
use options::Options;
use output::{print, print_info};

/// Reads commands from standard input until `quit` or the end of input.
pub fn run(net: &NetFile) -> anyhow::Result<ExitStatus> {
    let net = net.load()?;
    let (jobs, waiting) = channel();
    let thinking_net = Arc::clone(&net);
    let thinker = thread::spawn(move || think::think(&waiting, thinking_net));
    let mut listener = Listener {
        game: Ok(Game::default()),
        net,
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
    Ok(ExitStatus::Success)
}

struct Listener {
    /// What was last asked for, or why that cannot be searched.
    game: Result<Game, String>,
    net: Arc<Net>,
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
    /// Executes a command; false after `quit`.
    fn obey(&mut self, line: &str) -> bool {
        match Command::read(line) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => return false,
            Ok(Some(command)) => self.act(line, command),
            Err(why) => print_info(&why),
        }
        true
    }

    fn act(&mut self, line: &str, command: Command<'_>) {
        match command {
            Command::Uci => {
                print(concat!("id name Epode ", env!("CARGO_PKG_VERSION")));
                print("id author the Epode developers");
                print(options::DECLARATION);
                print("uciok");
            }
            Command::IsReady => {
                // While it thinks, it is ready to be stopped.
                if self.is_thinking() {
                    print("readyok");
                } else {
                    self.send(Job::Ready);
                }
            }
            Command::NewGame => {
                self.stop();
                self.asked = None;
                self.send(Job::Clear);
            }
            Command::Position(words) => self.set_position(line, &words),
            Command::SetOption(name, value) => self.set_option(&name, &value),
            Command::Go(words) => self.go(line, &words),
            Command::Stop => self.stop(),
            Command::PonderHit => self.signals.pondering.store(false, Relaxed),
            Command::Show => self.show(show::board),
            Command::Evaluate => self.show(|position| show::evaluation(position, &self.net)),
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

    /// Takes another position. One that is wrong takes the place of the old one as well, which must
    /// not be searched in its stead.
    fn set_position(&mut self, line: &str, words: &[Word<'_>]) {
        self.game = match position::read(line, words) {
            Ok(read) => {
                for note in read.notes {
                    print_info(&format!("position: {note}"));
                }
                Ok(read.game)
            }
            Err(why) => {
                let why = format!("position: {why}");
                print_info(&why);
                Err(why)
            }
        };
    }

    fn show(&self, picture: impl Fn(&Position) -> String) {
        match &self.game {
            Ok(game) => print(&picture(game.position())),
            Err(why) => print_info(&no_position(why)),
        }
    }

    fn go(&mut self, line: &str, words: &[Word<'_>]) {
        let begun = Instant::now();
        self.stop();
        let game = match &self.game {
            Ok(game) => game.clone(),
            Err(why) => return self.send(Job::Refuse(vec![no_position(why)])),
        };
        let position = *game.position();
        let go = Go::read(line, words, &position);
        for note in &go.notes {
            print_info(&format!("go: {note}"));
        }
        if go.moves.as_ref().is_some_and(Vec::is_empty) {
            let why = "go: searchmoves: no legal move to choose from".to_owned();
            return self.send(Job::Refuse(vec![why]));
        }
        self.signals = Arc::new(Signals::default());
        if let Some(depth) = go.perft {
            let signals = Arc::clone(&self.signals);
            return self.send(Job::Perft(Box::new(position), depth, signals));
        }
        self.signals.pondering.store(go.ponder, Relaxed);
        let answered = self.time(&go, &game, begun);
        self.send(Job::Think(Box::new(Task {
            limits: go.limits(position.turn(), self.options.overhead + self.lag.expected()),
            game,
            mate: go.mate,
            moves: go.moves.unwrap_or_default(),
            is_infinite: go.infinite,
            signals: Arc::clone(&self.signals),
            answered,
            show_wdl: self.options.show_wdl,
        })));
    }

    /// Learns what the clock has charged for the last move, and remembers what it shows now. Returns
    /// where the time of the answer is to be noted.
    fn time(&mut self, go: &Go, game: &Game, begun: Instant) -> Arc<OnceLock<Instant>> {
        let plies = game.moves().len();
        let clock = go.clock(game.position().turn());
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
        answered
    }

    fn set_option(&mut self, name: &str, value: &str) {
        match self.options.set(name, value) {
            Ok(Some(change)) => self.send(change),
            Ok(None) => {}
            Err(why) => print_info(&why),
        }
    }
}

/// Why there is nothing to search: what was wrong with the last `position`.
fn no_position(why: &str) -> String {
    format!("no position to search: {why}")
}
