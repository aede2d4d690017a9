//! `epode perft`: counts the leaf nodes of the move tree, or checks the counts of a suite.

use std::fmt::Display;
use std::time::Instant;

use anyhow::{Context, anyhow};
use epd::{Operation, Part, Reader};
use movegen::{
    CastlingField, PerftOptions, Position, PositionError, Setup, divide, perft_at_most, perft_with,
};

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
    let reader = reader(false, args.castling);
    let mut check = Check {
        suite,
        reader,
        max_nodes: args.max_nodes.unwrap_or(u64::MAX),
        options,
        status: ExitStatus::Success,
        positions: 0,
        right: 0,
        wrong: 0,
        skipped: 0,
        nodes: 0,
    };
    for numbered in Records::open(suite, reader)? {
        check.record(numbered?)?;
    }
    check.finish(started);
    Ok(check.status)
}

/// The check of a suite, and its results so far.
struct Check<'a> {
    suite: &'a Stream,
    reader: Reader<'a>,
    max_nodes: u64,
    options: PerftOptions,
    status: ExitStatus,
    positions: u64,
    right: u64,
    wrong: u64,
    /// The counts above `max_nodes`.
    skipped: u64,
    nodes: u64,
}

impl Check<'_> {
    /// Checks the counts of a record.
    fn record(&mut self, numbered: NumberedLine) -> anyhow::Result<()> {
        numbered.tell_dropped(self.suite);
        let NumberedLine { record, source, .. } = numbered;
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                self.report(ExitStatus::Failed, error.place, &error.message);
                return Ok(());
            }
        };
        let reader = self.reader;
        let place = |part| source.place(&reader, |_| part);
        let position = match record.position() {
            Ok(position) => position,
            Err(fault) => {
                self.report(ExitStatus::Faulty, place(fault.part()), &fault);
                return Ok(());
            }
        };
        self.positions += 1;
        for (n, operation) in record.operations().iter().enumerate() {
            let Some(depth) = depth(operation) else {
                continue;
            };
            let fault = match operation.count() {
                Ok(expected) if expected > self.max_nodes => {
                    self.skipped += 1;
                    None
                }
                Ok(expected) => self.count(&position, depth, expected)?,
                Err(fault) => Some(fault.to_string()),
            };
            if let Some(fault) = fault {
                self.report(ExitStatus::Faulty, place(Part::Operand(n, 0)), &fault);
            }
        }
        Ok(())
    }

    /// Checks a count; returns what is wrong with it.
    fn count(
        &mut self,
        position: &Position,
        depth: u32,
        expected: u64,
    ) -> anyhow::Result<Option<String>> {
        // Near misses are counted to the end, for the message. An expectation that is far too small must not keep
        // the check busy for years.
        const LEAST: u64 = 1_000_000;
        let most = expected.saturating_mul(2).max(LEAST);
        let found = perft_at_most(position, depth, most, self.options)?;
        self.nodes += found.unwrap_or(most);
        if found == Some(expected) {
            self.right += 1;
            return Ok(None);
        }
        self.wrong += 1;
        Ok(Some(match found {
            Some(found) => format!("D{depth} is {found}, expected {expected}"),
            None => format!("D{depth} is more than {most}, expected {expected}"),
        }))
    }

    /// Prints the summary.
    fn finish(&mut self, started: Instant) {
        let positions = counted(self.positions, "position", "positions");
        let skipped = match self.skipped {
            0 => String::new(),
            skipped => format!(", {skipped} above --max-nodes skipped"),
        };
        if self.right == 0 && self.status == ExitStatus::Success {
            let records = counted(self.positions, "record", "records");
            let why = match self.skipped {
                0 => "none with counts such as D1 20; D2 400;",
                _ => "all counts are above --max-nodes",
            };
            eprintln!("{}: nothing to check: {records}, {why}", self.suite);
            self.status = ExitStatus::Faulty;
        }
        eprintln!(
            "{positions}, {} right, {} wrong{skipped}; {}",
            counted(self.right, "count", "counts"),
            self.wrong,
            speed(self.nodes, started.elapsed(), 3)
        );
    }

    fn report(&mut self, status: ExitStatus, (line, column): (usize, usize), text: &dyn Display) {
        let message = Message {
            stream: self.suite,
            line,
            column: Some(column),
            text,
        };
        eprintln!("{message}");
        self.status = self.status.max(status);
    }
}

/// The depth of an operation such as `D5`.
fn depth(operation: &Operation) -> Option<u32> {
    operation.opcode.strip_prefix('D')?.parse().ok()
}
