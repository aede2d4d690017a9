//! `epode-train datagen`: plays self-play games.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use engine::syzygy::Tablebases;
use engine::{Net, Searcher, Signals};
use epode_train::games::{Counts, Store};
use epode_train::selfplay::{PlayedGame, SelfPlay, Unplayed};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::book;
use crate::cli::{self, Datagen};
use crate::exit_status::ExitStatus;
use crate::parallel::map_in_order;

/// The version of the rules for openings, side lines and results. It changes when the same seed gives
/// other games.
const RULES: u32 = 9;
/// How often progress is printed where standard error is not a terminal.
const REPORT_INTERVAL: Duration = Duration::from_mins(1);

pub fn run(args: &Datagen) -> anyhow::Result<ExitStatus> {
    if args.chess960 + args.endings > 100 {
        bail!("--chess960 and --endings are more than 100 percent together");
    }
    let play = SelfPlay {
        starts: args.book.as_deref().map_or(Ok(Vec::new()), book::read)?,
        random_moves: args.random_moves,
        chess960: args.chess960,
        endings: args.endings,
        side_lines: args.side_lines,
        side_line_limit: args.side_line_limit.map(i32::from),
        resign: args.resign,
        tablebases: match &args.syzygy {
            Some(path) => Some(Arc::new(Tablebases::open(path).context("--syzygy")?)),
            None => None,
        },
        nodes: args.nodes,
        label_every: args.label_every,
        seed: args.seed,
        checked: args.check,
    };
    let net = match &args.net {
        None => Net::built_in(),
        Some(path) => Arc::new(cli::read_net(path, Net::from_bytes)?),
    };
    let mut store = match &args.output {
        Some(path) => Some(Store::open(path, &settings(args, &play, &net))?),
        None => None,
    };
    let before = store.as_ref().map_or_else(Counts::default, Store::counts);
    let signals = Arc::new(Signals::default());
    let raised = Arc::clone(&signals);
    ctrlc::set_handler(move || raised.stop.store(true, Relaxed))?;

    // Too large a table is an error here; in a thread it would be a panic.
    Searcher::with_hash(args.hash as usize * args.threads.get())?;
    let mut tally = Tally::new(args, before);
    if tally.is_enough() {
        eprintln!("{}", tally.line());
        return Ok(ExitStatus::Success);
    }
    let ended = map_in_order(
        before.games..args.games.unwrap_or(u64::MAX),
        args.threads.get(),
        || {
            let mut searcher = Searcher::new(args.hash as usize);
            searcher.set_net(net.clone());
            let (play, signals) = (&play, &signals);
            move |number| {
                let played = play.play(number, &mut searcher, signals);
                // Counted here, on all threads, and not where results are collected.
                let played = played.map(|game| {
                    let count = game
                        .data_points(0.0)
                        .map_or(0, |data_points| data_points.len());
                    (game, count as u64)
                });
                (number, played)
            }
        },
        |(number, played)| {
            let (game, positions) = played.map_err(|unplayed| End::Unplayed(number, unplayed))?;
            tally.add(&game, positions);
            report_bad_tables(&play, &tally.bar);
            if let Some(store) = &mut store {
                store.append(game, positions).map_err(End::Failed)?;
            }
            if tally.is_enough() {
                // Do not wait for the games of the other threads.
                signals.stop.store(true, Relaxed);
                return Err(End::Enough);
            }
            Ok(())
        },
    );
    tally.bar.finish_and_clear();
    report_bad_tables(&play, &tally.bar);
    if let Some(store) = &mut store {
        store.finish()?;
    }
    eprintln!("{}", tally.line());
    match ended {
        Ok(()) | Err(End::Enough | End::Unplayed(_, Unplayed::Stopped)) => Ok(ExitStatus::Success),
        Err(End::Failed(error)) => Err(error),
        Err(End::Unplayed(number, fault)) => {
            eprintln!("epode-train: game {number}: {fault}");
            Ok(ExitStatus::Faulty)
        }
    }
}

/// Reports tables that were found to be damaged since the last call, on standard error.
fn report_bad_tables(play: &SelfPlay, bar: &ProgressBar) {
    let Some(tablebases) = &play.tablebases else {
        return;
    };
    for bad in tablebases.bad_tables() {
        bar.suspend(|| eprintln!("epode-train: {bad}; it is not used"));
    }
}

/// Why the run ended.
enum End {
    Enough,
    Unplayed(u64, Unplayed),
    Failed(anyhow::Error),
}

/// The settings that determine the games. All games of a file have the same.
fn settings(args: &Datagen, play: &SelfPlay, net: &Net) -> Value {
    let book = play.starts.iter().fold(0_u64, |sum, position| {
        sum.rotate_left(1).wrapping_add(position.key())
    });
    json!({
        "rules": RULES,
        "seed": args.seed,
        "nodes": args.nodes,
        "label_every": args.label_every,
        "hash": args.hash,
        "random_moves": args.random_moves,
        "chess960": args.chess960,
        "endings": args.endings,
        "side_lines": args.side_lines,
        "side_line_limit": args.side_line_limit,
        "resign": args.resign,
        "tables": play.tablebases.as_ref().map_or(0, |tables| tables.max_pieces()),
        "book": book,
        "net": net.checksum(),
    })
}

/// Counts games, shows progress, and knows when to stop.
struct Tally<'a> {
    args: &'a Datagen,
    before: Counts,
    counts: Counts,
    plies: usize,
    start: Instant,
    last_report: Instant,
    bar: ProgressBar,
}

impl<'a> Tally<'a> {
    fn new(args: &'a Datagen, before: Counts) -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{elapsed_precise} {msg}") {
            bar.set_style(style);
        }
        let start = Instant::now();
        Self {
            args,
            before,
            counts: before,
            plies: 0,
            start,
            last_report: start,
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
                .is_some_and(|time| self.start.elapsed() >= time)
    }

    fn line(&self) -> String {
        let hours = self.start.elapsed().as_secs_f64() / 3600.0;
        let new = self.counts.positions - self.before.positions;
        format!(
            "{} games, {} data points; {} moves in this run, {:.0} data points an hour",
            self.counts.games,
            self.counts.positions,
            self.plies,
            new as f64 / hours.max(1e-9)
        )
    }
}
