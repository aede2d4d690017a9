//! `epode xboard`: the built-in engine as an engine of xboard (Chess Engine Communication Protocol, version
//! 2).
//!
//! One thread reads commands and one searches; the main thread owns the game, makes the decisions and
//! receives everything as an [`Event`].

mod clock;
mod command;
mod execution;
mod game;
mod options;
mod output;
mod report;
mod searching;

use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Instant;

use anyhow::Context;
use engine::{Score, Signals};
use movegen::{CastlingMode, Color, Game, Move};

use crate::cli::FrontEnd;
use crate::engines::opening_book::OpeningBook;
use crate::exit_status::ExitStatus;
use crate::think::job::Job;
use crate::think::think;
use clock::Clocks;
use options::Options;
use output::complain;
use report::{Event, Line};

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

    fn send(&self, job: Job) {
        // The thread does not end before this one.
        let _ = self.jobs.send(job);
    }
}
