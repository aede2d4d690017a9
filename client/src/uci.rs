//! `epode uci`: the built-in engine as a UCI engine.
//!
//! One thread searches. The main thread reads commands and never waits for the search, so that
//! `stop`, `isready` and `quit` take effect at any time. Invalid input is reported as an
//! `info string` and ignored.

mod command;
mod go;
mod options;
mod output;
mod perft;
pub mod position;
mod report;
mod show;
mod ticker;

use std::io::{self, BufRead};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use engine::{Net, Signals};
use movegen::{CastlingMode, Game, Position, UciMove, Word};

use crate::build_info::build_info;
use crate::cli::FrontEnd;
use crate::engines::lag::Lag;
use crate::engines::opening_book::OpeningBook;
use crate::exit_status::ExitStatus;
use crate::io::interface::print;
use crate::think::job::{Job, Task};
use crate::think::think;
use crate::verbs::bench::{BenchSettings, run_bench};
use command::Command;
use go::Go;
use options::Options;
use output::print_info;
use report::Style;
use ticker::Ticker;

/// Reads commands from standard input until `quit` or the end of input.
pub fn run(args: &FrontEnd) -> anyhow::Result<ExitStatus> {
    let net = args.net.load()?;
    let options = Options {
        book: OpeningBook::open(&args.book).context("--book")?,
        ..Options::default()
    };
    let (jobs, waiting) = channel();
    let thinking_net = Arc::clone(&net);
    let thinker = thread::spawn(move || think(&waiting, thinking_net, print_info));
    let mut listener = Listener {
        game: Ok(Game::default()),
        net,
        options,
        files: args.clone(),
        jobs,
        signals: Arc::default(),
        is_counting: false,
        asked: None,
        lag: Lag::default(),
    };
    let mut has_quit = false;
    for line in io::stdin().lock().split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        has_quit = !listener.execute(&line);
        if has_quit {
            break;
        }
    }
    if has_quit && listener.is_counting && listener.is_thinking() && !input_ends() {
        // The end of the process ends the count.
        return Ok(ExitStatus::Success);
    }
    listener.stop_search();
    // Closes the channel: the thread ends when it has answered what was asked.
    drop(listener);
    let _ = thinker.join();
    Ok(ExitStatus::Success)
}

/// Whether the input ends within a moment: it does after the `quit` of a script in a pipe, and does not if
/// it comes from an interface or a keyboard.
fn input_ends() -> bool {
    const MOMENT: Duration = Duration::from_millis(500);
    let (sender, ended) = channel();
    thread::spawn(move || {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        let _ = sender.send(());
    });
    ended.recv_timeout(MOMENT).is_ok()
}

struct Listener {
    /// The game of the last `position` command, or why it is invalid.
    game: Result<Game, String>,
    net: Arc<Net>,
    options: Options,
    /// The files of the command line.
    files: FrontEnd,
    jobs: Sender<Job>,
    /// The signals of the last search.
    signals: Arc<Signals>,
    /// Whether the last `go` was for perft, or the last command a benchmark.
    is_counting: bool,
    asked: Option<Asked>,
    lag: Lag,
}

/// A search by the clock. When the same side is to move again, its clock shows what the move was
/// charged.
struct Asked {
    started: Instant,
    answered: Arc<OnceLock<Instant>>,
    /// The number of moves of the game before it.
    plies: usize,
    /// The time on the clock if the move had taken no time.
    clock: Duration,
}

impl Listener {
    /// Executes a command; false after `quit`.
    fn execute(&mut self, line: &str) -> bool {
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
                print(&options::declaration(&self.files));
                print("uciok");
            }
            Command::IsReady => {
                // A searching engine must answer at once.
                if self.is_thinking() {
                    print("readyok");
                } else {
                    self.run(|| print("readyok"));
                }
            }
            Command::NewGame => {
                self.stop_search();
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
            Command::Bench(words) => self.bench(&words),
            Command::Help => print(show::HELP),
            Command::Compiler => print(&format!("epode {}", build_info())),
            Command::Quit => {}
        }
    }

    fn is_thinking(&self) -> bool {
        Arc::strong_count(&self.signals) > 1
    }

    fn send(&self, job: Job) {
        // The thread does not end before this one.
        let _ = self.jobs.send(job);
    }

    /// Does something when the search thread has done all earlier jobs.
    fn run(&self, job: impl FnOnce() + Send + 'static) {
        self.send(Job::Run(Box::new(job)));
    }

    /// Answers `go` without a search.
    fn refuse(&self, why: String) {
        self.run(move || {
            print_info(&why);
            print("bestmove 0000");
        });
    }

    /// Runs the benchmark, which ends early as perft does.
    fn bench(&mut self, words: &[Word<'_>]) {
        self.stop_search();
        let words: Vec<_> = words.iter().map(|word| word.text).collect();
        let settings = match BenchSettings::read(&words) {
            Ok(settings) => settings,
            Err(why) => return print_info(&format!("bench: {why}")),
        };
        self.signals = Arc::new(Signals::default());
        self.is_counting = true;
        let (signals, net) = (Arc::clone(&self.signals), Arc::clone(&self.net));
        self.run(move || {
            let done = run_bench(settings, net, &signals);
            drop(signals);
            match done {
                Ok(lines) => lines.iter().for_each(|line| print(line)),
                Err(error) => print_info(&format!("bench: {error:#}")),
            }
        });
    }

    /// Ends a search early. Perft goes on, so that a script that pipes `go perft` gets its counts, with `quit`
    /// at its end or without; only the command `stop` ends it, and `quit` where more input may come.
    fn stop_search(&self) {
        if !self.is_counting {
            self.stop();
        }
    }

    fn stop(&self) {
        self.signals.stop.store(true, Relaxed);
        self.signals.pondering.store(false, Relaxed);
    }

    /// Sets the position. An invalid one also replaces the old one, which must not be searched in
    /// its place.
    fn set_position(&mut self, line: &str, words: &[Word<'_>]) {
        self.game = match position::read(line, words, self.options.castling_mode) {
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
        let started = Instant::now();
        self.stop_search();
        let game = match &self.game {
            Ok(game) => game.clone(),
            Err(why) => return self.refuse(no_position(why)),
        };
        let position = *game.position();
        let go = Go::read(line, words, &position);
        for note in &go.notes {
            print_info(&format!("go: {note}"));
        }
        if go.moves.as_ref().is_some_and(Vec::is_empty) {
            let why = "go: searchmoves: no legal move to choose from".to_owned();
            return self.refuse(why);
        }
        self.signals = Arc::new(Signals::default());
        self.is_counting = go.perft.is_some();
        // A position that only Chess960 has needs its notation.
        let castling_mode = match game.start().castling_mode() {
            CastlingMode::Standard => self.options.castling_mode,
            CastlingMode::Chess960 => CastlingMode::Chess960,
        };
        if let Some(depth) = go.perft {
            let signals = Arc::clone(&self.signals);
            return self.run(move || {
                let told = perft::perft(&position, depth, castling_mode, &signals);
                drop(signals);
                print(&told);
            });
        }
        if go.is_game_move() && self.answer_from_book(&game, castling_mode) {
            return;
        }
        self.signals.pondering.store(go.ponder, Relaxed);
        let answered = self.time(&go, &game, started);
        let margin = self.lag.margin(self.options.overhead);
        self.send(Job::Think(Box::new(Task {
            limits: go.limits(position.turn(), margin),
            game,
            mate: go.mate,
            moves: go.moves.unwrap_or_default(),
            is_infinite: go.infinite,
            strength: self.options.strength(),
            signals: Arc::clone(&self.signals),
            reporter: Box::new(Style {
                ticker: Some(Ticker::start(
                    Arc::clone(&self.signals),
                    (ticker::FIRST, ticker::INTERVAL),
                    move |mv| UciMove::of(&position, mv, castling_mode).to_string(),
                    print,
                )),
                root: position,
                show_wdl: self.options.show_wdl,
                castling_mode,
                answered,
            }),
        })));
    }

    /// Answers with a move of the opening book; false if it has none.
    fn answer_from_book(&mut self, game: &Game, mode: CastlingMode) -> bool {
        match self.options.book.choose(game) {
            Ok(None) => false,
            Err(why) => {
                print_info(&format!("BookFile: {why}"));
                false
            }
            Ok(Some(chosen)) => {
                let best = UciMove::of(game.position(), chosen.book_move.mv, mode);
                let text = chosen.in_mode(game, mode).to_string();
                self.run(move || {
                    print_info(&text);
                    print(&format!("bestmove {best}"));
                });
                true
            }
        }
    }

    /// Learns the lag from the clock, and starts to time this move. Returns the cell that receives
    /// the time of `bestmove`.
    fn time(&mut self, go: &Go, game: &Game, started: Instant) -> Arc<OnceLock<Instant>> {
        let plies = game.moves().len();
        let clock = go.clock(game.position().turn());
        if let (Some(asked), Some((remaining, _))) = (self.asked.take(), clock)
            && let Some(answered) = asked.answered.get()
            && plies == asked.plies + 2
        {
            let charged = asked.clock.saturating_sub(remaining);
            self.lag.learn(charged, *answered - asked.started);
        }
        let answered = Arc::default();
        self.asked = clock.filter(|_| !go.ponder).map(|clock| Asked {
            started,
            answered: Arc::clone(&answered),
            plies,
            clock: clock.0 + clock.1,
        });
        answered
    }

    fn set_option(&mut self, name: &str, value: &str) {
        match self.options.set(name, value) {
            Ok(Some(change)) => {
                if let Job::Net(net) = &change {
                    self.net = Arc::clone(net);
                }
                self.send(change);
            }
            Ok(None) => {}
            Err(why) => print_info(&why),
        }
    }
}

/// Why there is no position to search: the error in the last `position` command.
fn no_position(why: &str) -> String {
    format!("no position to search: {why}")
}
