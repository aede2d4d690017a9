//! `epode pfga`: general analysis (EPD 7.2).

use epd::Record;
use movegen::Position;

use crate::batch::analyse::{self, AnalysisEngine};
use crate::batch::run_info::RunInfo;
use crate::batch::settings::Settings;
use crate::batch::{self, Counts, Heading, RecordResult, Row, Tally, Verb, operands};
use crate::cli::{Analysis, Pfga};
use crate::exit_status::ExitStatus;

pub fn run(args: &Pfga) -> anyhow::Result<ExitStatus> {
    batch::run(&General(&args.analysis), &args.batch)
}

struct General<'a>(&'a Analysis);

impl<'a> Verb for General<'a> {
    type Engine = AnalysisEngine<'a>;

    fn start_engine(&self) -> anyhow::Result<AnalysisEngine<'a>> {
        AnalysisEngine::new(self.0)
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        self.0.settings()
    }

    fn info(&self) -> RunInfo {
        RunInfo {
            verb: "pfga".to_owned(),
            ..self.0.info()
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
        let found = engine.analyse(position, &mut |_| false)?;
        let is_wanted = |extra| self.0.writes(extra);
        analyse::write(record, position, &found, &self.0.written, &is_wanted);
        Ok(RecordResult {
            row: Row {
                note: operands(record, "pv"),
                ..Row::of(record, &found.result)
            },
            counts: Counts::from([("nodes", found.result.nodes), ("analysed", 1)]),
            remark: found.result.warning,
            ..RecordResult::default()
        })
    }

    fn heading(&self) -> Heading {
        Heading {
            mark: None,
            note: "line",
        }
    }

    fn short(&self, tally: &Tally) -> String {
        format!("{} analysed", tally.count("analysed"))
    }
}
