//! The objective by a test suite: positions solved, the sooner the better.

use anyhow::bail;
use crc::{CRC_32_ISO_HDLC, Crc};
use movegen::{Game, Position};
use rand::seq::index;

use super::contestant::Contestant;
use super::game::MoveLimit;
use crate::batch::target::{Moment, Target, Tracker};
use crate::cli::Castling;
use crate::io::input::{Message, Records, reader};
use crate::io::stream::Stream;

/// The number of positions in an iteration.
const SAMPLE: usize = 50;

/// The positions of a suite.
pub struct Suite {
    positions: Vec<(Position, Target)>,
    sample: usize,
    checksum: u32,
}

/// What an engine reached with the positions of an iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SuiteScore {
    /// The mean score of a position, from 0 to 1.
    pub mean: f64,
    /// The number of positions solved.
    pub solved: u32,
}

impl Suite {
    /// Reads all positions with a target. Others are counted in a message; a record that cannot be read, or a
    /// target that is no legal move, is an error.
    pub fn read(
        stream: &Stream,
        sample: Option<usize>,
        castling: Castling,
    ) -> anyhow::Result<Self> {
        const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
        let mut digest = CRC.digest();
        let mut positions = Vec::new();
        let mut without = 0;
        for line in Records::open(stream, reader(false, castling))? {
            let line = line?;
            line.tell_dropped(stream);
            let at = |column, text: &dyn std::fmt::Display| {
                let line = line.line;
                let message = Message {
                    stream,
                    line,
                    column,
                    text,
                };
                anyhow::anyhow!("{message}")
            };
            let record = match &line.record {
                Ok(record) => record,
                Err(error) if error.is_harmless => continue,
                Err(error) => return Err(at(Some(error.place.1), &error.message)),
            };
            digest.update(record.to_string().as_bytes());
            let position = record.position().map_err(|fault| at(None, &fault))?;
            let mut fault = None;
            let target = Target::of(record, &position, &mut |error| {
                fault.get_or_insert(at(None, &error));
            });
            if let Some(fault) = fault {
                return Err(fault);
            }
            match target {
                Some(target) => positions.push((position, target)),
                None => without += 1,
            }
        }
        if positions.is_empty() {
            bail!("{stream} has no position with bm or am");
        }
        if without > 0 {
            eprintln!("{stream}: {without} without bm and am, left out");
        }
        let sample = sample.unwrap_or(SAMPLE).min(positions.len());
        Ok(Self {
            positions,
            sample,
            checksum: digest.finalize(),
        })
    }

    /// A checksum of the records.
    pub const fn checksum(&self) -> u32 {
        self.checksum
    }

    /// A sample of the positions for an iteration, in the order of the suite.
    pub fn draw(&self, random: &mut impl rand::Rng) -> Vec<usize> {
        let mut chosen = index::sample(random, self.positions.len(), self.sample).into_vec();
        chosen.sort_unstable();
        chosen
    }

    /// The score of an engine for positions; none if `is_over` broke it off. A position counts 1 less the part
    /// of the limit after which the best move was right and stayed right, and 0 if it was wrong at the end.
    pub fn score(
        &self,
        contestant: &mut Contestant<'_>,
        chosen: &[usize],
        limit: MoveLimit,
        is_over: &dyn Fn() -> bool,
        report: &mut dyn FnMut(String),
    ) -> anyhow::Result<Option<SuiteScore>> {
        let (effort, patience) = limit.fixed();
        let (mut sum, mut solved) = (0.0, 0);
        for &at in chosen {
            if is_over() {
                return Ok(None);
            }
            let (position, target) = &self.positions[at];
            contestant.prepare()?;
            let mut tracker = Tracker::default();
            let found =
                contestant.think(&Game::new(*position), &effort, patience, &mut |progress| {
                    if progress.rank == 1 {
                        tracker.see(target, progress);
                    }
                });
            let result = match found {
                Ok(result) => result,
                Err(error) => {
                    report(format!("{error:#}"));
                    continue;
                }
            };
            if !result.best.is_some_and(|best| target.holds(best)) {
                continue;
            }
            let moment = tracker.found(Moment {
                time: result.time,
                nodes: result.nodes,
                depth: result.depth,
            });
            let part = match limit {
                MoveLimit::Nodes(nodes) => moment.nodes as f64 / nodes as f64,
                MoveLimit::Time(time) => moment.time.div_duration_f64(time),
                MoveLimit::Clock(_) => 1.0,
            };
            solved += 1;
            sum += 1.0 - part.clamp(0.0, 1.0);
        }
        Ok(Some(SuiteScore {
            mean: sum / chosen.len().max(1) as f64,
            solved,
        }))
    }
}
