//! `epode pfts`: target search (EPD 7.5).

use std::fmt::Write;
use std::num::NonZeroUsize;

use epd::Record;
use movegen::Position;

use crate::batch::analyse::{self, AnalysisEngine};
use crate::batch::run_info::RunInfo;
use crate::batch::settings::Settings;
use crate::batch::target::{Moment, Points, Target, Tracker};
use crate::batch::{self, Counts, Heading, Mark, RecordResult, Row, Tally, Verb, operands};
use crate::cli::{Analysis, Pfts};
use crate::exit_status::ExitStatus;

pub fn run(args: &Pfts) -> anyhow::Result<ExitStatus> {
    let verb = Search {
        analysis: &args.analysis,
        until_solved: args.until_solved,
    };
    batch::run(&verb, &args.batch)
}

struct Search<'a> {
    analysis: &'a Analysis,
    until_solved: Option<NonZeroUsize>,
}

/// The best moves of a record, and after `not` those to avoid.
fn expected(record: &Record) -> String {
    let (best, avoid) = (operands(record, "bm"), operands(record, "am"));
    match (best.as_str(), avoid.as_str()) {
        (best, "") => best.to_owned(),
        ("", avoid) => format!("not {avoid}"),
        (best, avoid) => format!("{best}, not {avoid}"),
    }
}

impl<'a> Verb for Search<'a> {
    type Engine = AnalysisEngine<'a>;

    fn start_engine(&self) -> anyhow::Result<AnalysisEngine<'a>> {
        AnalysisEngine::new(self.analysis)
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings = self.analysis.settings()?;
        settings.set_some("--until-solved", self.until_solved);
        Ok(settings)
    }

    fn info(&self) -> RunInfo {
        RunInfo {
            verb: "pfts".to_owned(),
            ..self.analysis.info()
        }
    }

    fn engine_name(&self, engine: &AnalysisEngine<'a>) -> String {
        engine.engine_name()
    }

    fn work(
        &self,
        engine: &mut AnalysisEngine<'a>,
        record: &mut Record,
        position: &Position,
    ) -> anyhow::Result<RecordResult> {
        let mut faults = Vec::new();
        let target = Target::of(record, position, &mut |error| {
            faults.push(error);
        });
        let mut tracker = Tracker::default();
        let found = engine.analyse(position, &mut |progress| {
            let streak = target.as_ref().map(|target| tracker.see(target, progress));
            streak
                .zip(self.until_solved)
                .is_some_and(|(streak, enough)| streak >= enough.get())
        })?;
        let is_wanted = |extra| self.analysis.writes(extra);
        analyse::write(record, position, &found, &self.analysis.written, &is_wanted);

        let result = &found.result;
        let mut row = Row::of(record, result);
        let mut counts = Counts::from([("nodes", result.nodes)]);
        match result.best.zip(target) {
            None => counts.add("untargeted", 1),
            Some((best, target)) if target.holds(best) => {
                counts.add("solved", 1);
                row.mark = Some(Mark::Solved);
                let end = Moment {
                    time: result.time,
                    nodes: result.nodes,
                    depth: result.depth,
                };
                let moment = tracker.found(end);
                moment.write(record, self.analysis.writes_time());
            }
            Some(_) => {
                counts.add("missed", 1);
                row.mark = Some(Mark::Missed);
                row.note = expected(record);
            }
        }
        if let Some((best, points)) = result.best.zip(Points::of(record, position)) {
            counts.add("points", points.worth(best));
            counts.add("most points", points.most());
        }
        Ok(RecordResult {
            counts,
            row,
            faults,
            wrong: None,
            remark: found.result.warning,
        })
    }

    fn heading(&self) -> Heading {
        Heading {
            mark: Some("result"),
            note: "expected",
        }
    }

    fn short(&self, tally: &Tally) -> String {
        let mut text = format!(
            "{} solved, {} missed, {} without target",
            tally.count("solved"),
            tally.count("missed"),
            tally.count("untargeted")
        );
        if tally.count("most points") > 0 {
            let (points, most) = (tally.count("points"), tally.count("most points"));
            let _ = write!(text, ", {points} of {most} points");
        }
        text
    }
}
