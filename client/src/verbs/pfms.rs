//! `epode pfms`: mate search (EPD 7.3).

use engine::{Mate, MateSolver};
use epd::Record;
use movegen::Position;

use crate::batch::analyse;
use crate::batch::run_info::{RunInfo, RunLimits};
use crate::batch::settings::Settings;
use crate::batch::{self, Counts, Heading, Mark, RecordResult, Row, Tally, Verb, operands};
use crate::cli::Pfms;
use crate::exit_status::ExitStatus;

pub fn run(args: &Pfms) -> anyhow::Result<ExitStatus> {
    batch::run(&Search(args), &args.batch)
}

struct Search<'a>(&'a Pfms);

impl Search<'_> {
    /// The number of moves to search for, given the `dm` of the record; none to skip it. Records
    /// with a short enough mate are skipped (EPD 7.3), but a scan looks for a shorter one. A check proves
    /// these mates and no others.
    fn moves(&self, known: Option<usize>) -> Option<usize> {
        let most = usize::from(self.0.moves);
        if self.0.check {
            return known.filter(|&known| known <= most);
        }
        match known {
            Some(known) if known <= most && self.0.scan => Some(known - 1),
            Some(known) if known <= most => None,
            _ => Some(most),
        }
        .filter(|&moves| moves > 0)
    }

    /// What is wrong with a `dm` that was checked.
    fn wrong(&self, claimed: Option<usize>, mate: &Mate) -> Option<String> {
        let claimed = claimed.filter(|_| self.0.check)?;
        match mate {
            Mate::Found(line) => {
                let moves = line.len().div_ceil(2);
                (moves < claimed).then(|| format!("dm {claimed}: there is a mate in {moves}"))
            }
            Mate::None => Some(format!("dm {claimed}: there is no mate in {claimed}")),
            Mate::Undecided { .. } => None,
        }
    }
}

impl Verb for Search<'_> {
    type Engine = MateSolver;

    fn start_engine(&self) -> anyhow::Result<MateSolver> {
        Ok(MateSolver::new(self.0.hash as usize)?)
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let Pfms {
            batch: _,
            moves,
            scan,
            check,
            time,
            nodes,
            hash,
            written,
        } = self.0;
        let mut settings = Settings::default();
        settings.set("--moves", moves);
        settings.set_flag("--scan", *scan);
        settings.set_flag("--check", *check);
        settings.set_time("--time", *time);
        settings.set_some("--nodes", *nodes);
        settings.set("--hash", hash);
        written.add_to(&mut settings);
        Ok(settings)
    }

    fn info(&self) -> RunInfo {
        RunInfo {
            verb: "pfms".to_owned(),
            limits: RunLimits {
                time_ms: RunLimits::milliseconds(self.0.time),
                nodes: self.0.nodes,
                depth: None,
                moves: Some(self.0.moves.into()),
            },
            threads: 1,
            multipv: 1,
            hash_mib: self.0.hash.into(),
            ..RunInfo::default()
        }
    }

    fn engine_name(&self, _: &MateSolver) -> String {
        RunInfo::BUILT_IN.to_owned()
    }

    fn work(
        &self,
        solver: &mut MateSolver,
        record: &mut Record,
        position: &Position,
    ) -> anyhow::Result<RecordResult> {
        // An unreadable `dm` counts as absent (decision 129), and so does 0 (decision 127).
        let known = record.mate_in().ok().flatten();
        let known = known.map(|moves| moves as usize).filter(|&moves| moves > 0);
        let Some(moves) = self.moves(known) else {
            return Ok(RecordResult {
                counts: Counts::from([("skipped", 1)]),
                row: Row::without_move(Mark::Skipped, None),
                ..RecordResult::default()
            });
        };
        let (mate, found) = analyse::prove(solver, position, moves, &self.0.limits());
        let mut done = RecordResult {
            counts: Counts::from([("nodes", found.result.nodes)]),
            wrong: self.wrong(known, &mate),
            ..RecordResult::default()
        };
        let time = Some(found.result.time);
        let (became, row) = match mate {
            Mate::Found(_) => {
                let is_wanted = |extra| self.0.writes(extra);
                analyse::write(record, position, &found, &self.0.written, &is_wanted);
                let row = Row {
                    mark: Some(Mark::Mate),
                    note: operands(record, "pv"),
                    ..Row::of(record, &found.result)
                };
                ("mates", row)
            }
            Mate::Undecided { none_in } => {
                done.remark = Some(format!(
                    "not decided: no mate in {none_in}, perhaps one in {moves}"
                ));
                ("undecided", Row::without_move(Mark::Undecided, time))
            }
            // A scan that finds no shorter mate leaves the record unchanged.
            Mate::None if self.0.scan && moves < usize::from(self.0.moves) => {
                ("skipped", Row::without_move(Mark::Skipped, time))
            }
            Mate::None => ("without", Row::without_move(Mark::NoMate, time)),
        };
        done.row = row;
        done.counts.add(became, 1);
        Ok(done)
    }

    fn heading(&self) -> Heading {
        Heading {
            mark: Some("result"),
            note: "line",
        }
    }

    fn short(&self, tally: &Tally) -> String {
        format!(
            "{} with a mate, {} without, {} skipped, {} not decided",
            tally.count("mates"),
            tally.count("without"),
            tally.count("skipped"),
            tally.count("undecided"),
        )
    }
}
