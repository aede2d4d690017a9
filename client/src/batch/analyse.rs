//! Analyses a position with an engine, and writes the result into its record.

use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::bail;
use engine::{Limits, Mate, MateSolver, Progress, Score, Signals};
use epd::time::MillisecondClock;
use epd::value::PawnScore;
use epd::{Opcode, Operand, Operation, Record};
use jiff::Timestamp;
use movegen::{Game, Position};

use crate::batch::opcodes::is_of_analysis;
use crate::batch::run_info::RunInfo;
use crate::cli::{Analysis, Extra, Prefix, Written};
use crate::engines::{Effort, Lines, Player, Purpose, ScoredLine, SearchResult, Wish};

/// An engine with the options of the analysis.
pub struct AnalysisEngine<'a> {
    args: &'a Analysis,
    player: Box<dyn Player>,
}

/// The result of an analysis.
#[derive(Debug, Default)]
pub struct AnalysisResult {
    pub result: SearchResult,
    /// The second-best line, the third-best line ...
    pub others: Vec<ScoredLine>,
}

impl<'a> AnalysisEngine<'a> {
    /// Starts the engine.
    pub fn new(args: &'a Analysis) -> anyhow::Result<Self> {
        if let (Some(timeout), Some(time)) = (args.timeout, args.effort.time)
            && timeout <= time
        {
            bail!("--timeout {timeout:?} would give up every position: --time is {time:?}");
        }
        let options = &args.engine.options;
        if options
            .iter()
            .any(|option| option.0.eq_ignore_ascii_case("MultiPV"))
        {
            bail!("--option MultiPV: use --multipv instead");
        }
        let hash = args.engine.hash(args.effort.nodes);
        let mut player = crate::engines::open(&args.engine, hash, Purpose::Analysis)?;
        player.set_lines(args.multipv.into())?;
        Ok(Self { args, player })
    }

    /// The name and version of the engine.
    pub fn engine_name(&self) -> String {
        match self.args.engine.command {
            None => RunInfo::BUILT_IN.to_owned(),
            Some(_) => self.player.name().to_owned(),
        }
    }

    /// Analyses a position independently of earlier ones. The observer sees the best line of every
    /// iteration, and ends the analysis when it returns true.
    pub fn analyse(
        &mut self,
        position: &Position,
        observer: &mut dyn FnMut(&Progress<'_>) -> bool,
    ) -> anyhow::Result<AnalysisResult> {
        self.player.new_game()?;
        let signals = Signals::default();
        let mut lines = Lines::new(position, self.args.multipv.into());
        let mut result = self.player.think(
            &Game::new(*position),
            &Effort::Fixed(self.args.limits()),
            &signals,
            &mut |progress| {
                if progress.rank == 1 && observer(progress) {
                    signals.stop.store(true, Ordering::Relaxed);
                }
                if self.args.multipv > 1 {
                    lines.add(progress);
                }
            },
        )?;
        if let Some(limit) = self.args.timeout.filter(|&limit| result.time >= limit) {
            bail!("no result within {limit:?}");
        }
        if result.wish != Wish::PlayOn && result.best.is_none() {
            bail!("{} ends the game instead of moving", self.player.name());
        }
        let others = match self.args.multipv {
            1 => Vec::new(),
            _ => lines.settle(&mut result),
        };
        Ok(AnalysisResult { result, others })
    }
}

/// Searches for the shortest mate in at most `moves` moves, independently of earlier searches. The
/// result is a mate, a proof that there is none, or undecided.
pub fn prove(
    solver: &mut MateSolver,
    position: &Position,
    moves: usize,
    limits: &Limits,
) -> (Mate, AnalysisResult) {
    solver.clear();
    let outcome = solver.solve(position, moves, limits, &Signals::default());
    let mut result = SearchResult {
        nodes: outcome.nodes,
        time: outcome.time,
        processor_time: outcome.processor_time,
        ..SearchResult::default()
    };
    if let Mate::Found(line) = &outcome.mate {
        result.best = line.first().copied();
        result.score = Score::mate_in(line.len());
        result.depth = line.len() as u64;
        result.pv.clone_from(line);
    }
    let others = Vec::new();
    (outcome.mate, AnalysisResult { result, others })
}

/// Writes the requested operations of an analysis into the record of its position (EPD 7.2), in place of
/// all those of an older one (decision 130).
pub fn write(
    record: &mut Record,
    position: &Position,
    found: &AnalysisResult,
    args: &Written,
    is_wanted: &dyn Fn(Extra) -> bool,
) {
    // The time stamp is written if it is requested, or to update an existing one (decision 102).
    let is_stamped = is_wanted(Extra::Ts) || record.get("ts").is_some();
    let is_old = |opcode: &str| match opcode {
        "dm" => is_wanted(Extra::Dm),
        "sm" => is_wanted(Extra::Sm),
        "ts" => true,
        _ => is_of_analysis(opcode),
    };
    remove_or_rename(record, args.keep_old.as_ref(), &is_old);
    for operation in operations(position, found, args.min_acs, is_wanted) {
        record.set(operation);
    }
    if let Some(score) = found.result.evaluation()
        && is_wanted(Extra::Pes)
    {
        record.set_pawn_score(pawns(score));
    }
    if is_stamped {
        let now = Timestamp::now().strftime("%Y.%m.%d %H:%M:%S").to_string();
        let stamp = Operation::new("ts");
        record.set(now.split(' ').fold(stamp, Operation::symbol));
    }
}

/// Removes the operations of an older analysis, or renames them with the prefix, in place of those that have
/// it already.
fn remove_or_rename(record: &mut Record, prefix: Option<&Prefix>, is_old: &dyn Fn(&str) -> bool) {
    let old: Vec<_> = record
        .operations()
        .iter()
        .filter(|operation| is_old(&operation.opcode))
        .cloned()
        .collect();
    record.retain(|operation| !is_old(&operation.opcode));
    let Some(prefix) = prefix.filter(|_| !old.is_empty()) else {
        return;
    };
    record.retain(|operation| !prefix.strip(&operation.opcode).is_some_and(is_old));
    for operation in old {
        record.add(portable(prefix.before(&operation.opcode), operation));
    }
}

/// An operation under a private opcode, in a form that other programs can read. They read a bare
/// word as a move, and anything that begins with a digit as a number, so all else is quoted.
fn portable(opcode: Opcode, operation: Operation) -> Operation {
    let is_plain = match &operation.operands[..] {
        [] | [Operand::String(_)] => true,
        [Operand::Symbol(text)] => epd::value::integer(text).is_some(),
        _ => false,
    };
    if is_plain {
        return Operation {
            opcode,
            ..operation
        };
    }
    let words: Vec<_> = operation.operands.iter().map(Operand::text).collect();
    Operation::of(opcode).string(&words.join(" "))
}

/// The operations of an analysis. At checkmate and stalemate there is no move, and `pv` is empty
/// (decision 131).
fn operations(
    position: &Position,
    found: &AnalysisResult,
    min_acs: u64,
    is_wanted: &dyn Fn(Extra) -> bool,
) -> Vec<Operation> {
    let SearchResult {
        best,
        pv,
        depth,
        nodes,
        time,
        processor_time,
        ..
    } = &found.result;
    let score = found.result.evaluation();
    let mut operations = vec![Operation::new("pv").line(position, pv)];
    operations.extend(score.map(|score| Operation::new("ce").symbol(score)));
    let mut add = |extra, opcode: &'static str, value: Option<String>| {
        if let Some(value) = value.filter(|_| is_wanted(extra)) {
            operations.push(Operation::new(opcode).symbol(value));
        }
    };
    let clock = |time: Duration| MillisecondClock::new(time).to_string();
    let san = best.map(|mv| movegen::San::of(position, mv).to_string());
    add(Extra::Acd, "acd", score.map(|_| depth.to_string()));
    add(Extra::Acn, "acn", Some(nodes.to_string()));
    add(Extra::Acs, "acs", Some(seconds(*time, min_acs).to_string()));
    add(Extra::Cte, "cte", Some(clock(*time)));
    add(Extra::Ctu, "ctu", processor_time.map(clock));
    add(
        Extra::Dm,
        "dm",
        score.and_then(mate_in).map(|dm| dm.to_string()),
    );
    add(Extra::Pm, "pm", san.clone());
    add(Extra::Sm, "sm", san);
    for (rank, (score, line)) in (2..).zip(&found.others) {
        operations.push(Operation::of(ranked("Ce", rank)).symbol(score));
        let line = Operation::of(ranked("Pv", rank)).line(position, line);
        operations.push(portable(line.opcode.clone(), line));
    }
    operations
}

/// The opcode for a line by its rank, such as `Pv2`.
fn ranked(family: &str, rank: usize) -> Opcode {
    Opcode::new(format!("{family}{rank}")).expect("letters and digits")
}

/// Wall time, rounded to the nearest second (decision 89).
fn seconds(time: Duration, least: u64) -> u64 {
    (time.as_secs_f64().round() as u64).max(least)
}

/// The moves to the mate that the side to move has (decision 127).
fn mate_in(score: Score) -> Option<usize> {
    let plies = score.mate_plies().filter(|_| score > Score::DRAW);
    plies.map(|plies| plies.div_ceil(2))
}

/// A score as an operand of `pes`.
fn pawns(score: Score) -> PawnScore {
    match score.mate_plies().map(|plies| plies.div_ceil(2) as u32) {
        None => PawnScore::Millipawns(i64::from(score.ce()) * 10),
        Some(moves) if score > Score::DRAW => PawnScore::MateIn(moves),
        Some(0) => PawnScore::Checkmated,
        Some(moves) => PawnScore::LoseIn(moves),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mates count plies in `ce` and moves in `pes` and `dm` (decisions 124 to 127, and the samples of
    /// the later lexicon).
    #[test]
    fn scores_in_other_words() {
        for (score, pes, dm) in [
            (Score::ordinary(25), "+0.250", None),
            (Score::ordinary(-3), "-0.030", None),
            (Score::DRAW, "0.000", None),
            (Score::mate_in(1), "MateIn1", Some(1)),
            (Score::mate_in(5), "MateIn3", Some(3)),
            (Score::mated_in(2), "LoseIn1", None),
            (Score::mated_in(20), "LoseIn10", None),
            (Score::CHECKMATED, "Checkmated", None),
        ] {
            assert_eq!(pawns(score).to_string(), pes);
            assert_eq!(mate_in(score), dm);
        }
    }

    /// Half a second is rounded up (decision 89).
    #[test]
    fn seconds_are_rounded_to_the_nearest() {
        for (milliseconds, least, expected) in
            [(0, 0, 0), (499, 0, 0), (500, 0, 1), (1499, 0, 1), (3, 1, 1)]
        {
            let time = Duration::from_millis(milliseconds);
            assert_eq!(seconds(time, least), expected);
        }
    }
}
