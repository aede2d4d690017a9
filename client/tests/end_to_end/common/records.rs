//! Test positions, and the records of outputs.

use epd::Record;

pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
/// White mates on d8.
pub const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -";
/// White mates in two, and Black has no choice.
pub const MATE_IN_TWO: &str = "r5k1/5ppp/8/8/8/8/4RPPP/4R1K1 w - -";
pub const CHECKMATE: &str = "3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - -";
pub const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b - -";
pub const ILLEGAL: &str = "4k3/8/8/8/8/8/4R3/4K3 w - -";
pub const ILLEGAL_BECAUSE: &str = "illegal position: the side not to move is in check: e8";

/// The 24 positions of Bratko and Kopec, in normal form.
pub const SUITE: &str = include_str!("../../../../suites/bratko-kopec.epd");

/// The records of an output, each of which must be exact and in normal form.
pub fn records(output: &str) -> Vec<Record> {
    assert!(output.is_empty() || output.ends_with('\n'), "{output:?}");
    output.lines().map(record).collect()
}

/// The record of a line, which must be exact and in normal form.
pub fn record(line: &str) -> Record {
    let record: Record = line
        .parse()
        .unwrap_or_else(|error| panic!("{line:?}: {error}"));
    assert_eq!(record.to_string(), line);
    record
}

/// An operation that is a number.
pub fn count(record: &Record, opcode: &str) -> u64 {
    let operation = record.get(opcode);
    let operation = operation.unwrap_or_else(|| panic!("no {opcode} in {record}"));
    operation.count().expect("a count")
}
