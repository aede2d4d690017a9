//! Tests of reading lines, lenient and strict.

mod locations;
mod operations;
mod positions;

use super::reader::read;
use super::repair::RepairKind;
use crate::record::Record;

const FIELDS: &str = "8/8/8/8/8/k7/8/K7 w - -";

/// The normal form of a line, and the columns and kinds of its repairs.
fn repaired(line: &str) -> (String, Vec<(usize, RepairKind)>) {
    let mut repairs = Vec::new();
    let record = read(line, &mut repairs).unwrap_or_else(|error| panic!("{line:?}: {error}"));
    for repair in &repairs {
        assert!(
            repair.span.start <= repair.span.end && repair.span.end <= line.len(),
            "{line:?}: {repair}"
        );
    }
    let normal = record.to_string();
    assert_eq!(
        normal.parse::<Record>().as_ref(),
        Ok(&record),
        "normal form can be read strictly"
    );
    (
        normal,
        repairs
            .iter()
            .map(|repair| (repair.span.column(), repair.kind))
            .collect(),
    )
}

#[track_caller]
fn repairs(operations: &str, normal: &str, deviations: &[(usize, RepairKind)]) {
    let expected = format!("{FIELDS}{normal}");
    let columns: Vec<_> = deviations
        .iter()
        .map(|&(c, kind)| (c + FIELDS.len(), kind))
        .collect();
    assert_eq!(
        repaired(&format!("{FIELDS}{operations}")),
        (expected, columns),
        "{operations:?}"
    );
}
