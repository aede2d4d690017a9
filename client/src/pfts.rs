//! `epode pfts`: target search (EPD 7.5).

use std::fmt::Write;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use anyhow::bail;
use engine::{Limits, Outcome, Searcher};
use epd::{Mode, NoPosition, OperandError, Reader, Record};
use indicatif::{ProgressBar, ProgressStyle};

use crate::Verdict;
use crate::analyse::analyse;
use crate::args::{Pfts, Stream};
use crate::input::{Fault, Message, Numbered, Records};
use crate::output::Output;
use crate::parallel::map_in_order;

/// Whether the move that was found is the one that was looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Hit,
    Missed,
    /// Neither `bm` nor `am` (decision 135), or neither can be read.
    None,
}

/// What became of a line.
enum Done {
    Searched {
        record: Record,
        outcome: Outcome,
        target: Result<Target, OperandError>,
    },
    /// Copied unchanged (decision 132).
    Illegal {
        record: Record,
        fault: NoPosition,
    },
    Unreadable(Fault),
}

pub fn run(args: &Pfts) -> anyhow::Result<Verdict> {
    let reader = Reader::new(if args.strict {
        Mode::Strict
    } else {
        Mode::Lenient
    });
    let total = count_records(&args.input, reader)?;
    let input = Records::open(&args.input, reader)?;
    let mut output = Output::create(&args.output)?;
    let limits = args.effort.limits();
    let begun = Instant::now();
    let bar = progress_bar(total);
    let mut summary = Summary::default();

    map_in_order(
        input,
        args.jobs.get(),
        || {
            let mut searcher = Searcher::new(args.hash as usize);
            searcher.set_threads(args.threads.get());
            move |item: anyhow::Result<Numbered>| {
                item.map(|numbered| (numbered.line, search(numbered, &mut searcher, &limits)))
            }
        },
        |item| {
            let (line, done) = item?;
            let message = |line, column, text: &dyn std::fmt::Display| {
                let stream = &args.input;
                bar.suspend(|| {
                    eprintln!(
                        "{}",
                        Message {
                            stream,
                            line,
                            column,
                            text
                        }
                    );
                });
            };
            summary.add(&done);
            match done {
                Done::Searched { record, target, .. } => {
                    if let Err(fault) = target {
                        message(line, None, &fault);
                    }
                    output.line(&record)?;
                }
                Done::Illegal { record, fault } => {
                    message(line, None, &fault);
                    output.line(&record)?;
                }
                Done::Unreadable(fault) => {
                    message(fault.place.0, Some(fault.place.1), &fault.message);
                    if args.strict {
                        bail!("stopped at line {line} of {}", args.input);
                    }
                }
            }
            bar.set_message(summary.short());
            bar.inc(1);
            anyhow::Ok(())
        },
    )?;
    output.finish()?;
    bar.finish_and_clear();
    eprintln!("{}", summary.long(begun.elapsed()));
    Ok(summary.verdict)
}

/// Searches the position of one line.
fn search(numbered: Numbered, searcher: &mut Searcher, limits: &Limits) -> Done {
    let mut record = match numbered.record {
        Ok(record) => record,
        Err(fault) => return Done::Unreadable(fault),
    };
    match analyse(&mut record, searcher, limits) {
        Ok(outcome) => Done::Searched {
            target: target(&record, &outcome),
            record,
            outcome,
        },
        Err(fault) => Done::Illegal { record, fault },
    }
}

/// Holds the move found against `bm` and `am`, as moves and not as texts (decision 135). With both,
/// both must hold (decision 136).
fn target(record: &Record, outcome: &Outcome) -> Result<Target, OperandError> {
    let (Ok(position), Some(found)) = (record.position(), outcome.best) else {
        return Ok(Target::None);
    };
    let named = |moves: &Vec<_>| !moves.is_empty();
    let best = record.best_moves(&position)?.filter(named);
    let avoid = record.avoid_moves(&position)?.filter(named);
    if best.is_none() && avoid.is_none() {
        return Ok(Target::None);
    }
    let hit = best.is_none_or(|moves| moves.contains(&found))
        && avoid.is_none_or(|moves| !moves.contains(&found));
    Ok(if hit { Target::Hit } else { Target::Missed })
}

/// What all lines came to.
struct Summary {
    solved: usize,
    missed: usize,
    untargeted: usize,
    illegal: usize,
    unreadable: usize,
    nodes: u64,
    verdict: Verdict,
}

impl Default for Summary {
    fn default() -> Self {
        Self {
            solved: 0,
            missed: 0,
            untargeted: 0,
            illegal: 0,
            unreadable: 0,
            nodes: 0,
            verdict: Verdict::Good,
        }
    }
}

impl Summary {
    fn add(&mut self, done: &Done) {
        match done {
            Done::Searched {
                outcome, target, ..
            } => {
                self.nodes += outcome.nodes;
                match target {
                    Ok(Target::Hit) => self.solved += 1,
                    Ok(Target::Missed) => self.missed += 1,
                    Ok(Target::None) => self.untargeted += 1,
                    Err(_) => {
                        self.untargeted += 1;
                        self.verdict = self.verdict.max(Verdict::Faulty);
                    }
                }
            }
            Done::Illegal { .. } => {
                self.illegal += 1;
                self.verdict = self.verdict.max(Verdict::Faulty);
            }
            Done::Unreadable(_) => {
                self.unreadable += 1;
                self.verdict = Verdict::Failed;
            }
        }
    }

    fn short(&self) -> String {
        format!("{} solved, {} missed", self.solved, self.missed)
    }

    fn long(&self, time: Duration) -> String {
        let mut text = format!(
            "{} solved, {} missed, {} without target; {} nodes in {:.2} s, {:.0} nodes a second",
            self.solved,
            self.missed,
            self.untargeted,
            self.nodes,
            time.as_secs_f64(),
            self.nodes as f64 / time.as_secs_f64().max(1e-9),
        );
        if self.illegal > 0 {
            let _ = write!(text, "; {} illegal positions copied", self.illegal);
        }
        if self.unreadable > 0 {
            let _ = write!(text, "; {} lines not understood", self.unreadable);
        }
        text
    }
}

/// The records that a file has; unknown for standard input, which can be read only once. Nobody
/// sees it where there is no terminal.
fn count_records(input: &Stream, reader: Reader<'_>) -> anyhow::Result<Option<u64>> {
    if *input == Stream::Standard || !std::io::stderr().is_terminal() {
        return Ok(None);
    }
    Ok(Some(Records::open(input, reader)?.count() as u64))
}

/// A bar on a terminal, nothing elsewhere.
fn progress_bar(total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{wide_bar} {pos}/{len}, {msg}, {elapsed} gone, {eta} to go",
        ),
        None => (
            ProgressBar::no_length(),
            "{spinner} {pos} records, {msg}, {elapsed} gone",
        ),
    };
    let style = ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar());
    bar.with_style(style)
}
