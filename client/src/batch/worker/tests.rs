//! Tests of a batch run with a verb that fails on request.

use anyhow::bail;

use super::*;
use crate::batch::run_info::RunInfo;
use crate::batch::settings::Settings;
use crate::batch::{Heading, RecordResult, Tally};
use crate::exit_status::ExitStatus;

/// Fails or panics if the id of the record says so.
struct Moody;

impl Verb for Moody {
    /// The number of records seen.
    type Engine = u64;

    fn start_engine(&self) -> anyhow::Result<u64> {
        Ok(0)
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        Ok(Settings::default())
    }

    fn info(&self) -> RunInfo {
        RunInfo::default()
    }

    fn engine_name(&self, _: &u64) -> String {
        String::new()
    }

    fn work(
        &self,
        seen: &mut u64,
        record: &mut Record,
        _: &Position,
    ) -> anyhow::Result<RecordResult> {
        *seen += 1;
        record.set(epd::Operation::new("Seen").symbol(*seen));
        match record.id() {
            Ok(Some("fail")) => bail!("it \"failed\""),
            Ok(Some("panic")) => panic!("{} seen", *seen),
            _ => Ok(RecordResult::default()),
        }
    }

    fn heading(&self) -> Heading {
        Heading {
            mark: None,
            note: "",
        }
    }

    fn short(&self, _: &Tally) -> String {
        String::new()
    }
}

/// A record that cannot be analysed is copied with a note and counted, and the engine is restarted.
#[test]
fn the_rest_goes_on() {
    let mut worker = BatchWorker {
        verb: &Moody,
        engine: None,
        journal: None,
        reader: Reader::lenient(),
    };
    let mut tally = Tally::default();
    for (line, (operations, expected)) in [
        ("", "Seen 1;"),
        ("id \"ok\";", "Seen 2; id \"ok\";"),
        (
            "c9 \"x\"; id \"fail\";",
            "c9 \"x; not analysed: it 'failed'\"; id \"fail\";",
        ),
        ("", "Seen 1;"),
        (
            "id \"panic\";",
            "c9 \"not analysed: panic: 2 seen\"; id \"panic\";",
        ),
        ("c9 \"not analysed: panic\";", "Seen 1;"),
    ]
    .into_iter()
    .enumerate()
    {
        let text = format!("8/8/8/8/8/k7/8/K7 w - - {operations}");
        let record: Record = text.trim_end().parse().expect("exact");
        let numbered = NumberedLine {
            dropped: None,
            line,
            record: Ok(record),
            source: Source::default(),
        };
        let item = worker.work(numbered).expect("the engine can be started");
        let LineResult::Record { entry, now: true } = item else {
            panic!("not analysed");
        };
        assert_eq!(entry.record, format!("8/8/8/8/8/k7/8/K7 w - - {expected}"));
        assert_eq!(entry.given_up, entry.fault.is_some());
        tally.add(entry, true);
    }
    assert_eq!(tally.status(), ExitStatus::Faulty);
    let summary = tally.summary("", std::time::Duration::from_secs(1), None, false);
    assert!(summary.ends_with("; 2 given up"), "{summary}");
}
