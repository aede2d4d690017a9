//! `epode perft`: counts the leaf nodes of the move tree, or checks the counts of a suite.

use std::fmt::Display;
use std::time::Instant;

use anyhow::{Context, anyhow};
use epd::Operation;
use movegen::{CastlingField, PerftOptions, Position, PositionError, Setup, divide, perft_with};

use crate::cli::{Castling, Perft};
use crate::exit_status::ExitStatus;
use crate::io::input::{Message, NumberedLine, Records, reader};
use crate::io::output::Output;
use crate::io::stream::Stream;
use crate::text::{counted, speed};

pub fn run(args: &Perft) -> anyhow::Result<ExitStatus> {
    let options = PerftOptions {
        threads: args.threads.get(),
        hash_mib: args.hash as usize,
    };
    match (&args.suite, args.depth) {
        (Some(suite), _) => check(suite, args, options),
        (None, depth) => count(args, depth.unwrap_or(0), options),
    }
}

fn count(args: &Perft, depth: u32, options: PerftOptions) -> anyhow::Result<ExitStatus> {
    let position = if args.fen.is_empty() {
        Position::start()
    } else {
        let fen = args.fen.join(" ");
        read(&fen, args.castling).with_context(|| format!("FEN {fen:?}"))?
    };
    let mut output = Output::create(&Stream::Standard)?;
    let started = Instant::now();
    let leaves = if args.divide {
        let mut moves: Vec<_> = divide(&position, depth, options)?
            .into_iter()
            .map(|(mv, leaves)| (mv.to_string(), leaves))
            .collect();
        moves.sort();
        for (mv, leaves) in &moves {
            output.line(&format_args!("{mv}: {leaves}"))?;
        }
        if depth == 0 {
            1
        } else {
            moves.iter().map(|(_, leaves)| leaves).sum()
        }
    } else {
        perft_with(&position, depth, options)?
    };
    output.line(&leaves)?;
    eprintln!("{}", speed(leaves, started.elapsed(), 3));
    output.finish()?;
    Ok(ExitStatus::Success)
}

/// The position of a FEN. An error tells how castling of Chess960 is written, if that may be meant.
fn read(fen: &str, castling: Castling) -> anyhow::Result<Position> {
    let setup = Setup::from_fen(fen, castling.mode())?;
    let illegal = match Position::from_setup(&setup) {
        Ok(position) => return Ok(position),
        Err(illegal) => PositionError::from(illegal),
    };
    match CastlingField::in_chess960(&setup.castling.to_string(), &setup) {
        Some(files) => Err(anyhow!(
            "{illegal}; for Chess960 write {files} or give --chess960"
        )),
        None => Err(illegal.into()),
    }
}

/// Checks the counts of a suite that are at most --max-nodes.
fn check(suite: &Stream, args: &Perft, options: PerftOptions) -> anyhow::Result<ExitStatus> {
    let started = Instant::now();
    let mut check = Check {
        suite,
        max_nodes: args.max_nodes.unwrap_or(u64::MAX),
        options,
        status: ExitStatus::Success,
        positions: 0,
        counts: 0,
        right: 0,
        wrong: 0,
        nodes: 0,
    };
    for numbered in Records::open(suite, reader(false, args.castling))? {
        check.record(numbered?)?;
    }
    if check.counts == 0 && check.status == ExitStatus::Success {
        eprintln!(
            "{suite}: nothing to check: {}, none with counts such as D1 20; D2 400;",
            counted(check.positions, "record", "records")
        );
        check.status = ExitStatus::Faulty;
    }
    eprintln!(
        "{}, {} right, {} wrong; {}",
        counted(check.positions, "position", "positions"),
        counted(check.right, "count", "counts"),
        check.wrong,
        speed(check.nodes, started.elapsed(), 3)
    );
    Ok(check.status)
}

/// The check of a suite, and its results so far.
struct Check<'a> {
    suite: &'a Stream,
    max_nodes: u64,
    options: PerftOptions,
    status: ExitStatus,
    positions: u64,
    /// All counts, including those above `max_nodes`.
    counts: u64,
    right: u64,
    wrong: u64,
    nodes: u64,
}

impl Check<'_> {
    /// Checks the counts of a record.
    fn record(&mut self, numbered: NumberedLine) -> anyhow::Result<()> {
        numbered.tell_dropped(self.suite);
        let line = numbered.line;
        let record = match numbered.record {
            Ok(record) => record,
            Err(error) => {
                let (line, column) = error.place;
                self.report(ExitStatus::Failed, line, Some(column), &error.message);
                return Ok(());
            }
        };
        let position = match record.position() {
            Ok(position) => position,
            Err(fault) => {
                self.report(ExitStatus::Faulty, line, None, &fault);
                return Ok(());
            }
        };
        self.positions += 1;
        for (depth, operation) in record.operations().iter().filter_map(with_depth) {
            self.counts += 1;
            match operation.count() {
                Ok(expected) if expected > self.max_nodes => {}
                Ok(expected) => self.count(line, &position, depth, expected)?,
                Err(fault) => self.report(ExitStatus::Faulty, line, None, &fault),
            }
        }
        Ok(())
    }

    /// Checks a count.
    fn count(
        &mut self,
        line: usize,
        position: &Position,
        depth: u32,
        expected: u64,
    ) -> anyhow::Result<()> {
        let found = perft_with(position, depth, self.options)?;
        self.nodes += found;
        if found == expected {
            self.right += 1;
        } else {
            self.wrong += 1;
            let text = format_args!("D{depth} is {found}, expected {expected}");
            self.report(ExitStatus::Faulty, line, None, &text);
        }
        Ok(())
    }

    fn report(
        &mut self,
        status: ExitStatus,
        line: usize,
        column: Option<usize>,
        text: &dyn Display,
    ) {
        let stream = self.suite;
        eprintln!(
            "{}",
            Message {
                stream,
                line,
                column,
                text
            }
        );
        self.status = self.status.max(status);
    }
}

/// The depth of an operation such as `D5`.
fn with_depth(operation: &Operation) -> Option<(u32, &Operation)> {
    let depth = operation.opcode.strip_prefix('D')?.parse().ok()?;
    Some((depth, operation))
}
