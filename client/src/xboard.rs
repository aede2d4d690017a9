//! `epode xboard`: the built-in engine as an engine of xboard (Chess Engine Communication Protocol, version
//! 2).
//!
//! One thread reads commands and one searches; the main thread owns the game, makes the decisions and
//! receives everything as an [`Event`].

mod clock;
mod command;
mod options;
mod report;

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use engine::{Limits, Score, Signals};
use movegen::{CastlingMode, Color, Game, Move};

use crate::cli::FrontEnd;
use crate::engines::opening_book::OpeningBook;
use crate::engines::{move_text, read_move};
use crate::exit_status::ExitStatus;
use crate::think::job::{Job, Task};
use crate::think::tablebases::Setting;
use crate::think::think;
use crate::uci::position::read_fen;
use clock::Clocks;
use command::{Command, Fault};
use options::{Options, features};
use report::{Event, Line, Messenger, result};

/// Resign after this many moves in a row with a hopeless score.
const RESIGN_MOVES: u32 = 3;

/// Reads commands from standard input until `quit` or the end of input.
pub fn run(args: &FrontEnd) -> anyhow::Result<ExitStatus> {
    let net = args.net.load()?;
    let book = OpeningBook::open(&args.book).context("--book")?;
    let options = Options::with_book(book, args.book.file.clone());
    let (jobs, waiting) = channel();
    let thinker = thread::spawn(move || think(&waiting, net, complain));
    let (events, received) = channel();
    let input = events.clone();
    thread::spawn(move || {
        for line in io::stdin().lock().split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            if input.send(Event::Command(line)).is_err() {
                return;
            }
        }
        let _ = input.send(Event::End);
    });
    let mut session = Session::new(options, jobs, events);
    let mut has_ended = false;
    for event in received {
        match event {
            Event::Command(line) if !session.execute(line.trim()) => break,
            Event::Command(_) => {}
            Event::Progress(number, line) => session.show(number, line),
            Event::Note(text) => complain(&text),
            Event::Answer {
                number,
                best,
                reply,
                score,
            } => session.answer(number, best, reply, score),
            // The move that was asked for is still made, at once.
            Event::End => has_ended = true,
        }
        if has_ended && !session.move_now() {
            break;
        }
    }
    session.stop();
    drop(session);
    let _ = thinker.join();
    Ok(ExitStatus::Success)
}

/// Prints a line. Errors are ignored: an interface that has gone ends the input as well.
fn print(line: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// A comment, which interfaces show to people who look for faults.
fn complain(text: &str) {
    print(&format!("# {text}"));
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aim {
    Move,
    Analysis,
    /// On the opponent's time, after this expected move.
    Ponder(Move),
}

/// What the engine does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Nothing: `force` mode.
    Referee,
    /// It plays this side.
    Player(Color),
    Analyst,
}

/// A running search.
struct Search {
    number: u64,
    aim: Aim,
    started: Instant,
    signals: Arc<Signals>,
    last: Line,
}

struct Session {
    game: Game,
    mode: CastlingMode,
    role: Role,
    clocks: Clocks,
    options: Options,
    posts: bool,
    ponders: bool,
    is_draw_offered: bool,
    /// The score of the engine's last move, and how many in a row were hopeless.
    score: Option<Score>,
    hopeless: u32,
    search: Option<Search>,
    /// Pings to answer after the move.
    pings: Vec<String>,
    searches: u64,
    jobs: Sender<Job>,
    events: Sender<Event>,
}

impl Session {
    fn new(options: Options, jobs: Sender<Job>, events: Sender<Event>) -> Self {
        Self {
            game: Game::default(),
            mode: CastlingMode::Standard,
            role: Role::Player(Color::Black),
            clocks: Clocks::default(),
            options,
            posts: false,
            ponders: false,
            is_draw_offered: false,
            score: None,
            hopeless: 0,
            search: None,
            pings: Vec::new(),
            searches: 0,
            jobs,
            events,
        }
    }

    /// Executes a command; false after `quit`.
    fn execute(&mut self, line: &str) -> bool {
        match Command::read(line) {
            Ok(Command::Quit) => return false,
            Ok(command) => {
                if let Err(Fault(why)) = self.act(&command) {
                    print(&format!("Error ({why}): {line}"));
                }
            }
            Err(Fault(why)) => print(&format!("Error ({why}): {line}")),
        }
        true
    }

    fn act(&mut self, command: &Command<'_>) -> Result<(), Fault> {
        match *command {
            Command::Protocol => print(&features(&self.options)),
            Command::New => self.start_game(),
            Command::Variant(name) => self.set_variant(name)?,
            Command::Force | Command::Result | Command::Exit => {
                self.stop();
                self.role = Role::Referee;
            }
            Command::Go => self.play(self.game.position().turn()),
            Command::PlayOther => self.play(!self.game.position().turn()),
            Command::Move(text) => self.take_move(text),
            Command::MoveNow => {
                self.move_now();
            }
            Command::Ping(number) => self.pong(number),
            Command::DrawOffer => self.consider_draw(),
            Command::SetBoard(fen) => self.set_board(fen),
            Command::Undo => self.undo(1)?,
            Command::Remove => self.undo(2)?,
            Command::Analyze => {
                self.stop();
                self.role = Role::Analyst;
                self.think();
            }
            Command::Status => self.tell_status(),
            _ => return self.set(command),
        }
        Ok(())
    }

    /// Executes the commands that change a setting.
    fn set(&mut self, command: &Command<'_>) -> Result<(), Fault> {
        match *command {
            Command::Level(moves, base, increment) => self.clocks.set_level(moves, base, increment),
            Command::FixedTime(time) => self.clocks.set_fixed(time),
            Command::FixedDepth(depth) => self.clocks.depth = Some(depth.max(1)),
            Command::NodeRate(rate) => self.clocks.node_rate = Some(rate).filter(|&rate| rate > 0),
            Command::Time(time) => self.clocks.set_left(time),
            Command::Hard => self.ponders = true,
            Command::Easy => {
                self.ponders = false;
                self.stop_pondering();
            }
            Command::Post => self.posts = true,
            Command::NoPost => self.posts = false,
            Command::Memory(mib) => self.send(Job::Hash(mib.clamp(1, 1 << 20) as usize)),
            Command::TablebasePath("syzygy", path) => {
                self.send(Job::Tablebases(Setting::path(path)));
            }
            Command::Cores(cores) => self.send(Job::Threads(cores.clamp(1, 1024) as usize)),
            Command::Option(name, _) if name.eq_ignore_ascii_case("Clear Hash") => {
                self.send(Job::Clear);
            }
            Command::Option(name, value) if name.eq_ignore_ascii_case("BookFile") => {
                if let Err(why) = self.options.book.set_file(value) {
                    complain(&why);
                    return Err(Fault("cannot open the book"));
                }
            }
            Command::Option(name, value) if !self.options.set(name, value) => {
                return Err(Fault("unknown option or value"));
            }
            // Tables of other kinds, among others.
            _ => {}
        }
        Ok(())
    }

    fn send(&self, job: Job) {
        // The thread does not end before this one.
        let _ = self.jobs.send(job);
    }

    fn start_game(&mut self) {
        self.stop();
        self.game = Game::default();
        self.mode = CastlingMode::Standard;
        self.role = Role::Player(Color::Black);
        self.clocks.start_game();
        self.is_draw_offered = false;
        (self.score, self.hopeless) = (None, 0);
        self.send(Job::Clear);
    }

    fn set_variant(&mut self, name: &str) -> Result<(), Fault> {
        self.mode = match name {
            "normal" => CastlingMode::Standard,
            "fischerandom" => CastlingMode::Chess960,
            _ => return Err(Fault("unknown variant")),
        };
        Ok(())
    }

    fn set_board(&mut self, fen: &str) {
        self.stop();
        match read_fen(fen, self.mode) {
            Ok(position) => {
                self.game = Game::new(position);
                self.think();
            }
            Err(why) => print(&format!("tellusererror Illegal position: {why}")),
        }
    }

    fn undo(&mut self, moves: usize) -> Result<(), Fault> {
        let Some(left) = self.game.moves().len().checked_sub(moves) else {
            return Err(Fault("no move to undo"));
        };
        self.stop();
        let mut game = Game::new(*self.game.start());
        for &mv in &self.game.moves()[..left] {
            // It was legal before.
            let _ = game.play(mv);
        }
        self.game = game;
        if self.role == Role::Analyst {
            self.think();
        }
        Ok(())
    }

    /// Leaves `force` mode.
    fn play(&mut self, side: Color) {
        self.stop();
        self.role = Role::Player(side);
        self.think();
    }

    /// Plays a move of the opponent, or one in `force` mode.
    fn take_move(&mut self, text: &str) {
        let turn = self.game.position().turn();
        let is_thinking = matches!(&self.search, Some(search) if search.aim == Aim::Move);
        let found = read_move(text, self.game.position());
        let why = match found {
            _ if is_thinking || self.role == Role::Player(turn) => "it is the engine's turn",
            _ if self.game.position().count_moves() == 0 => "the game is over",
            None => "not a legal move",
            Some(mv) => {
                let _ = self.game.play(mv);
                return self.go_on(mv);
            }
        };
        print(&format!("Illegal move ({why}): {text}"));
    }

    /// Thinks about the position after a move of the opponent.
    fn go_on(&mut self, mv: Move) {
        if let Some(search) = &mut self.search
            && search.aim == Aim::Ponder(mv)
        {
            search.aim = Aim::Move;
            search.started = Instant::now();
            search.signals.pondering.store(false, Relaxed);
            return;
        }
        self.stop();
        if matches!(self.role, Role::Player(_))
            && let Some(result) = result(&self.game)
        {
            print(result);
            return;
        }
        self.think();
    }

    /// Starts a search if the engine is to move or analyses.
    fn think(&mut self) {
        if self.game.position().count_moves() == 0 {
            return;
        }
        let turn = self.game.position().turn();
        let (aim, limits) = match self.role {
            Role::Player(side) if side == turn => {
                if self.moves_from_book() {
                    return;
                }
                let limits = self.clocks.limits(&self.game, self.options.overhead);
                (Aim::Move, limits)
            }
            Role::Analyst => (Aim::Analysis, Limits::default()),
            Role::Player(_) | Role::Referee => return,
        };
        self.start(aim, self.game.clone(), limits);
    }

    /// Plays a move of the opening book; false if it has none.
    fn moves_from_book(&mut self) -> bool {
        match self.options.book.choose(&self.game) {
            Ok(None) => false,
            Err(why) => {
                complain(&why);
                false
            }
            Ok(Some(chosen)) => {
                complain(&chosen.in_mode(&self.game, self.mode).to_string());
                self.clocks.spend(Duration::ZERO);
                self.make_move(chosen.book_move.mv, None);
                true
            }
        }
    }

    fn start(&mut self, aim: Aim, game: Game, limits: Limits) {
        self.searches += 1;
        let signals = Arc::new(Signals::default());
        signals
            .pondering
            .store(matches!(aim, Aim::Ponder(_)), Relaxed);
        self.search = Some(Search {
            number: self.searches,
            aim,
            started: Instant::now(),
            signals: Arc::clone(&signals),
            last: Line::default(),
        });
        let reporter = Box::new(Messenger {
            number: self.searches,
            root: *game.position(),
            events: self.events.clone(),
        });
        self.send(Job::Think(Box::new(Task {
            game,
            limits,
            mate: None,
            moves: Vec::new(),
            is_infinite: aim == Aim::Analysis,
            strength: self.options.strength().filter(|_| aim != Aim::Analysis),
            signals,
            reporter,
        })));
    }

    /// Ends the search, whose result is not wanted any more.
    fn stop(&mut self) {
        if let Some(search) = self.search.take() {
            search.signals.stop.store(true, Relaxed);
            search.signals.pondering.store(false, Relaxed);
        }
        self.answer_pings();
    }

    fn stop_pondering(&mut self) {
        if matches!(&self.search, Some(search) if matches!(search.aim, Aim::Ponder(_))) {
            self.stop();
        }
    }

    /// Ends a search for a move; false if there is none.
    fn move_now(&self) -> bool {
        let search = self.search.as_ref();
        let Some(search) = search.filter(|search| search.aim == Aim::Move) else {
            return false;
        };
        search.signals.stop.store(true, Relaxed);
        true
    }

    fn show(&mut self, number: u64, line: Line) {
        if let Some(search) = &mut self.search
            && search.number == number
        {
            let is_shown = self.posts && !matches!(search.aim, Aim::Ponder(_));
            if is_shown || search.aim == Aim::Analysis {
                print(&line.text);
            }
            search.last = line;
        }
    }

    /// `stat01: time nodes ply mvleft mvtotal mvname`
    fn tell_status(&self) {
        if let Some(search) = &self.search
            && search.aim == Aim::Analysis
        {
            let Line {
                depth,
                nodes,
                ref best,
                ..
            } = search.last;
            let time = search.started.elapsed().as_millis() / 10;
            let moves = self.game.position().count_moves();
            print(&format!("stat01: {time} {nodes} {depth} 0 {moves} {best}"));
        }
    }

    /// Takes the result of a search.
    fn answer(&mut self, number: u64, best: Option<Move>, reply: Option<Move>, score: Score) {
        let is_wanted = |search: &Search| search.number == number && search.aim == Aim::Move;
        if !self.search.as_ref().is_some_and(is_wanted) {
            return;
        }
        if let Some(search) = self.search.take() {
            self.clocks.spend(search.started.elapsed());
        }
        self.score = Some(score);
        match best {
            Some(_) if self.resigns(score) => {
                print("resign");
                self.role = Role::Referee;
            }
            Some(best) => self.make_move(best, reply),
            None => {}
        }
        self.answer_pings();
    }

    fn make_move(&mut self, best: Move, reply: Option<Move>) {
        if std::mem::take(&mut self.is_draw_offered) {
            self.consider_draw();
        }
        let position = *self.game.position();
        let text = move_text(&position, best, self.mode, false);
        let _ = self.game.play(best);
        print(&format!("move {text}"));
        if let Some(result) = result(&self.game) {
            print(result);
            return;
        }
        if let Some(reply) = reply.filter(|_| self.ponders) {
            let mut expected = self.game.clone();
            if expected.play(reply).is_ok() && expected.position().count_moves() > 0 {
                let limits = self.clocks.limits(&expected, self.options.overhead);
                self.start(Aim::Ponder(reply), expected, limits);
            }
        }
    }

    /// Whether to resign instead of moving; only if an option asks for it.
    fn resigns(&mut self, score: Score) -> bool {
        let is_hopeless = self.options.resign_score > 0 && score.ce() <= -self.options.resign_score;
        self.hopeless = if is_hopeless { self.hopeless + 1 } else { 0 };
        self.hopeless >= RESIGN_MOVES
    }

    /// Accepts a draw if the last score was not above zero. While the engine thinks, it answers with its move.
    fn consider_draw(&mut self) {
        let is_thinking = matches!(&self.search, Some(search) if search.aim == Aim::Move);
        if is_thinking {
            self.is_draw_offered = true;
        } else if self.score.is_some_and(|score| score <= Score::DRAW) {
            print("offer draw");
        }
    }

    /// Answers a ping when all earlier commands are executed.
    fn pong(&mut self, number: &str) {
        match &self.search {
            Some(search) if search.aim == Aim::Move => self.pings.push(number.to_owned()),
            Some(_) => print(&format!("pong {number}")),
            None => {
                let answer = format!("pong {number}");
                self.send(Job::Run(Box::new(move || print(&answer))));
            }
        }
    }

    fn answer_pings(&mut self) {
        for number in std::mem::take(&mut self.pings) {
            print(&format!("pong {number}"));
        }
    }
}
