//! Decides whether one move of a position is clearly best.

use engine::{Limits, Progress, Score, Signals};
use epd::{Operation, Record};
use movegen::{Game as History, Move, Position};

use super::source::{Candidate, Game};
use crate::cli::Mine;
use crate::engines::{Effort, Lines, Player, Purpose, SearchResult};

/// Scores beyond this count as this, in centipawns.
const DECIDED: i32 = 600;
/// The part of the nodes that the first search has.
const QUICK: u64 = 8;

/// An engine that looks for moves that are clearly best.
pub struct Judge<'a> {
    args: &'a Mine,
    player: Box<dyn Player>,
}

/// What a search has found.
struct Found {
    result: SearchResult,
    /// The best score minus the second-best.
    margin: i32,
    /// Depth and nodes at which the best move came to stay.
    settled: (usize, u64),
}

impl<'a> Judge<'a> {
    pub fn start(args: &'a Mine) -> anyhow::Result<Self> {
        let hash = args.engine.hash(Some(2 * args.nodes));
        let player = crate::engines::open(&args.engine, hash, Purpose::Analysis)?;
        Ok(Self { args, player })
    }

    /// The positions of a game with a move that is clearly best, as records of a suite.
    pub fn best_moves(&mut self, game: &Game) -> anyhow::Result<Vec<Record>> {
        let mut records = Vec::new();
        for candidate in &game.positions {
            if let Some(found) = self.judge(candidate)? {
                records.push(record(candidate, &found));
            }
        }
        Ok(records)
    }

    fn judge(&mut self, candidate: &Candidate) -> anyhow::Result<Option<Found>> {
        let args = self.args;
        if candidate.position.count_moves() < 2 {
            return Ok(None);
        }
        let quick = self.search(candidate, 2, args.nodes.div_ceil(QUICK))?;
        // The first move of a search is often just the first move.
        let changed_its_mind = quick.settled.0 > 3;
        if quick.margin < args.margin / 2 && !changed_its_mind {
            return Ok(None);
        }
        let two_lines = self.search(candidate, 2, args.nodes)?;
        let best = two_lines.result.best;
        let is_recapture = best.is_some_and(|best| is_recapture(candidate, best));
        if two_lines.margin < args.margin || is_recapture && !args.recaptures {
            return Ok(None);
        }
        let confirmed = self.search(candidate, 1, args.nodes.saturating_mul(2))?;
        let is_good = confirmed.result.best == best && confirmed.settled.1 >= args.min_nodes;
        Ok(is_good.then_some(confirmed))
    }

    fn search(&mut self, candidate: &Candidate, lines: usize, nodes: u64) -> anyhow::Result<Found> {
        self.player.new_game()?;
        self.player.set_lines(lines)?;
        let mut all = Lines::new(&candidate.position, lines);
        // Best move, and depth and nodes since when it is the best.
        let mut settled: Option<(Move, (usize, u64))> = None;
        let mut observer = |progress: &Progress<'_>| {
            all.add(progress);
            let first = progress.pv[0];
            if progress.rank == 1 && settled.is_none_or(|(best, _)| best != first) {
                settled = Some((first, (progress.depth, progress.nodes)));
            }
        };
        let game = History::new(candidate.position);
        let effort = Effort::Fixed(Limits::nodes(nodes));
        let mut result = self
            .player
            .think(&game, &effort, &Signals::default(), &mut observer)?;
        let settled = match settled {
            Some((best, since)) if Some(best) == result.best => since,
            // The move came with the last, unfinished iteration.
            _ => (result.depth as usize, result.nodes),
        };
        let others = match lines {
            1 => Vec::new(),
            _ => all.settle(&mut result),
        };
        let second = others.first().map(|(score, _)| *score);
        let centipawns = |score: Score| score.ce().clamp(-DECIDED, DECIDED);
        let margin = second.map_or(0, |second| centipawns(result.score) - centipawns(second));
        Ok(Found {
            result,
            margin,
            settled,
        })
    }
}

/// Whether a move captures a piece that has just captured.
fn is_recapture(candidate: &Candidate, best: Move) -> bool {
    let captures = |position: &Position, mv: Move| {
        position
            .piece_at(mv.to())
            .is_some_and(|piece| piece.color() != position.turn())
    };
    candidate.last.as_ref().is_some_and(|(before, last)| {
        captures(before, *last) && last.to() == best.to() && captures(&candidate.position, best)
    })
}

/// The record of a position with its best move.
fn record(candidate: &Candidate, found: &Found) -> Record {
    let Candidate {
        record, position, ..
    } = candidate;
    let (mut record, result) = (record.clone(), &found.result);
    record.set_best_moves(position, result.best.as_slice());
    record.set(Operation::new("ce").symbol(result.score));
    record.set(Operation::new("pv").line(position, &result.pv));
    record.set_depth(result.depth);
    record.set_nodes(result.nodes);
    record.set(Operation::new("Scd").symbol(found.settled.0));
    record.set(Operation::new("Scn").symbol(found.settled.1));
    record
}
