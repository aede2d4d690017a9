//! `epode datagen`: plays self-play games to train networks on.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use engine::{Net, PlayedGame, Searcher, SelfPlay, Signals, Unplayed};
use epd::{Mode, Reader};
use indicatif::{ProgressBar, ProgressStyle};
use movegen::Position;
use serde_json::{Value, json};

use crate::cli::Datagen;
use crate::exit_status::ExitStatus;
use crate::games::{Counts, Store};
use crate::io::input::Records;
use crate::io::parallel::map_in_order;
use crate::io::stream::Stream;

/// The rules of play and of openings; another number where games of the same seed are others.
const RULES: u32 = 2;
/// How often progress is printed where standard error is not a terminal.
const REPORT_INTERVAL: Duration = Duration::from_mins(1);

/// The maximum number of finished games that wait for an earlier one.
const GAMES_AHEAD: usize = 1024;

pub fn run(args: &Datagen) -> anyhow::Result<ExitStatus> {
    let play = SelfPlay {
        starts: args.book.as_ref().map_or(Ok(Vec::new()), read_book)?,
        nodes: args.nodes,
        seed: args.seed,
        checked: args.check,
    };
    let net = args.net.load()?;
    let mut store = match &args.output {
        Some(path) => Some(Store::open(path, &settings(args, &play, &net))?),
        None => None,
    };
    let before = store.as_ref().map_or_else(Counts::default, Store::counts);
    let signals = Arc::new(Signals::default());
    let raised = Arc::clone(&signals);
    ctrlc::set_handler(move || raised.stop.store(true, Relaxed))?;

    // Refused here it is an error, and not the end of a thread.
    Searcher::with_hash(args.hash as usize * args.threads.get())?;
    let mut tally = Tally::new(args, before);
    if tally.is_enough() {
        eprintln!("{}", tally.line());
        return Ok(ExitStatus::Success);
    }
    let ended = map_in_order(
        before.games..args.games.unwrap_or(u64::MAX),
        args.threads.get(),
        GAMES_AHEAD,
        || {
            let mut searcher = Searcher::new(args.hash as usize);
            searcher.set_net(net.clone());
            let (play, signals) = (&play, &signals);
            move |number| {
                let played = play.play(number, &mut searcher, signals);
                // Here and not where results are collected: on all threads.
                let played = played.map(|game| {
                    let samples = game.data_points().map_or(0, |samples| samples.len());
                    (game, samples as u64)
                });
                (number, played)
            }
        },
        |(number, played)| {
            let (game, positions) = played.map_err(|unplayed| End::Unplayed(number, unplayed))?;
            tally.add(&game, positions);
            if let Some(store) = &mut store {
                store.append(game, positions).map_err(End::Failed)?;
            }
            if tally.is_enough() {
                // Games that others are still at are not waited for.
                signals.stop.store(true, Relaxed);
                return Err(End::Enough);
            }
            Ok(())
        },
    );
    tally.bar.finish_and_clear();
    if let Some(store) = &mut store {
        store.finish()?;
    }
    eprintln!("{}", tally.line());
    match ended {
        Ok(()) | Err(End::Enough | End::Unplayed(_, Unplayed::Stopped)) => Ok(ExitStatus::Success),
        Err(End::Failed(error)) => Err(error),
        Err(End::Unplayed(number, fault)) => {
            eprintln!("epode: game {number}: {fault}");
            Ok(ExitStatus::Faulty)
        }
    }
}

/// Why no more games are played.
enum End {
    Enough,
    Unplayed(u64, Unplayed),
    Failed(anyhow::Error),
}

/// The positions of a file of openings.
fn read_book(stream: &Stream) -> anyhow::Result<Vec<Position>> {
    let mut starts = Vec::new();
    for item in Records::open(stream, Reader::new(Mode::Lenient))? {
        let numbered = item?;
        let line = numbered.line;
        let record = match numbered.record {
            Ok(record) => record,
            Err(fault) => {
                let (line, column) = fault.place;
                bail!("{stream}:{line}:{column}: {}", fault.message)
            }
        };
        let position = record.position();
        starts.push(position.with_context(|| format!("{stream}:{line}"))?);
    }
    if starts.is_empty() {
        bail!("{stream} has no positions, expected EPD records");
    }
    Ok(starts)
}

/// What the games depend on: a file has those of one setting.
fn settings(args: &Datagen, play: &SelfPlay, net: &Net) -> Value {
    let book = play.starts.iter().fold(0_u64, |sum, position| {
        sum.rotate_left(1).wrapping_add(position.key())
    });
    json!({
        "rules": RULES,
        "seed": args.seed,
        "nodes": args.nodes,
        "hash": args.hash,
        "book": book,
        "net": net.checksum(),
    })
}

/// What was played, and whether it is enough.
struct Tally<'a> {
    args: &'a Datagen,
    before: Counts,
    counts: Counts,
    plies: usize,
    begun: Instant,
    last_report: Instant,
    bar: ProgressBar,
}

impl<'a> Tally<'a> {
    fn new(args: &'a Datagen, before: Counts) -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{elapsed_precise} {msg}") {
            bar.set_style(style);
        }
        let begun = Instant::now();
        Self {
            args,
            before,
            counts: before,
            plies: 0,
            begun,
            last_report: begun,
            bar,
        }
    }

    fn add(&mut self, game: &PlayedGame, positions: u64) {
        self.counts.games += 1;
        self.counts.positions += positions;
        self.plies += game.len();
        if !self.bar.is_hidden() {
            self.bar.set_message(self.line());
            self.bar.tick();
        } else if self.last_report.elapsed() >= REPORT_INTERVAL {
            self.last_report = Instant::now();
            eprintln!("{}", self.line());
        }
    }

    fn is_enough(&self) -> bool {
        let reached = |limit: Option<u64>, count| limit.is_some_and(|limit| count >= limit);
        reached(self.args.games, self.counts.games)
            || reached(self.args.positions, self.counts.positions)
            || self
                .args
                .time
                .is_some_and(|time| self.begun.elapsed() >= time)
    }

    fn line(&self) -> String {
        let hours = self.begun.elapsed().as_secs_f64() / 3600.0;
        let new = self.counts.positions - self.before.positions;
        format!(
            "{} games, {} positions; {} moves in this run, {:.0} positions an hour",
            self.counts.games,
            self.counts.positions,
            self.plies,
            new as f64 / hours.max(1e-9)
        )
    }
}
