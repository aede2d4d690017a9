//! `epode perft`: counts the leaf nodes of the move tree, or checks the counts of a suite.

use std::time::Instant;

use anyhow::Context;
use epd::{Operation, Reader};
use movegen::{PerftOptions, Position, divide, perft_with};

use crate::cli::Perft;
use crate::exit_status::ExitStatus;
use crate::io::input::{Message, Records};
use crate::io::output::Output;
use crate::io::stream::Stream;
use crate::text::{counted, speed};

pub fn run(args: &Perft) -> anyhow::Result<ExitStatus> {
    let options = PerftOptions {
        threads: args.threads.get(),
        hash_mib: args.hash as usize,
    };
    match (&args.suite, args.depth) {
        (Some(suite), _) => check(suite, args.max_nodes.unwrap_or(u64::MAX), options),
        (None, depth) => count(args, depth.unwrap_or(0), options),
    }
}

fn count(args: &Perft, depth: u32, options: PerftOptions) -> anyhow::Result<ExitStatus> {
    let position = if args.fen.is_empty() {
        Position::start()
    } else {
        let fen = args.fen.join(" ");
        fen.parse().with_context(|| format!("FEN {fen:?}"))?
    };
    let mut output = Output::create(&Stream::Standard)?;
    let begun = Instant::now();
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
    eprintln!("{}", speed(leaves, begun.elapsed(), 3));
    output.finish()?;
    Ok(ExitStatus::Success)
}

/// Checks the counts of a suite that are at most `max_nodes`.
fn check(suite: &Stream, max_nodes: u64, options: PerftOptions) -> anyhow::Result<ExitStatus> {
    let mut status = ExitStatus::Success;
    let mut total = 0;
    let (mut positions, mut counts, mut right, mut wrong) = (0_u64, 0_u64, 0_u64, 0_u64);
    let begun = Instant::now();
    for item in Records::open(suite, Reader::lenient())? {
        let numbered = item?;
        let line = numbered.line;
        let tell = |line, column, text: &dyn std::fmt::Display| {
            eprintln!(
                "{}",
                Message {
                    stream: suite,
                    line,
                    column,
                    text
                }
            );
        };
        let record = match numbered.record {
            Ok(record) => record,
            Err(fault) => {
                let (line, column) = fault.place;
                tell(line, Some(column), &fault.message);
                status = ExitStatus::Failed;
                continue;
            }
        };
        let position = match record.position() {
            Ok(position) => position,
            Err(fault) => {
                tell(line, None, &fault);
                status = status.max(ExitStatus::Faulty);
                continue;
            }
        };
        positions += 1;
        for (depth, operation) in record.operations().iter().filter_map(with_depth) {
            counts += 1;
            let expected = match operation.count() {
                Ok(expected) => expected,
                Err(fault) => {
                    tell(line, None, &fault);
                    status = status.max(ExitStatus::Faulty);
                    continue;
                }
            };
            if expected > max_nodes {
                continue;
            }
            let found = perft_with(&position, depth, options)?;
            total += found;
            if found == expected {
                right += 1;
            } else {
                wrong += 1;
                tell(
                    line,
                    None,
                    &format_args!("D{depth} is {found}, expected {expected}"),
                );
                status = status.max(ExitStatus::Faulty);
            }
        }
    }
    if counts == 0 && status == ExitStatus::Success {
        eprintln!(
            "{suite}: nothing to check: {}, none with counts such as D1 20; D2 400;",
            counted(positions, "record", "records")
        );
        status = status.max(ExitStatus::Faulty);
    }
    eprintln!(
        "{}, {} right, {wrong} wrong; {}",
        counted(positions, "position", "positions"),
        counted(right, "count", "counts"),
        speed(total, begun.elapsed(), 3)
    );
    Ok(status)
}

/// The depth of an operation such as `D5`.
fn with_depth(operation: &Operation) -> Option<(u32, &Operation)> {
    let depth = operation.opcode.strip_prefix('D')?.parse().ok()?;
    Some((depth, operation))
}
