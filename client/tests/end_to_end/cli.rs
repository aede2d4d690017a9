//! The program as a user runs it: files and streams in and out, messages, exit statuses.

mod command_line;
mod input;
mod output;
mod results;

use crate::common::records::{count, records};
use crate::common::{stderr, stdout};
use assert_cmd::assert::Assert;
use epd::Record;

/// The operations that an analysis sets.
const ANALYSIS: [&str; 9] = ["Scd", "Scn", "Sct", "acd", "acn", "acs", "ce", "pm", "pv"];

/// The messages of an analysis, and its last line on its own.
fn messages_and_summary(assert: &Assert) -> (Vec<String>, String) {
    let mut lines: Vec<_> = stderr(assert).lines().map(str::to_owned).collect();
    let summary = lines.pop().expect("a summary");
    (lines, summary)
}

/// The one record of an output.
fn only(assert: &Assert) -> Record {
    let mut records = records(&stdout(assert));
    assert_eq!(records.len(), 1);
    records.remove(0)
}

/// A record without the operations of an analysis.
fn bare(record: &Record) -> Record {
    let mut record = record.clone();
    for opcode in ANALYSIS {
        record.remove(opcode);
    }
    record
}

/// Checks what must hold for every analysed record.
fn check_analysed(record: &Record) {
    let position = record.position().expect("legal");
    let get = |opcode| {
        let operation = record.get(opcode);
        operation.unwrap_or_else(|| panic!("no {opcode} in {record}"))
    };
    let pv = get("pv").variation(&position).expect("playable");
    let (depth, nodes) = (count(record, "acd"), count(record, "acn"));
    let score = get("ce").single().expect("one").text().parse::<i32>();
    assert!((-32767..=32767).contains(&score.expect("centipawns")));
    if position.count_moves() == 0 {
        assert!(pv.is_empty() && (depth, nodes) == (0, 0), "{record}");
        assert_eq!(record.get("pm"), None, "{record}");
    } else {
        assert!(depth > 0 && nodes > 0, "{record}");
        let pm = get("pm").moves(&position).expect("playable");
        assert_eq!(pm, pv[..1], "{record}");
    }
}
