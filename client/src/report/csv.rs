//! The records of a report as comma-separated values (RFC 4180, with line feeds): a line a record
//! and file.

use std::io::{self, Write};

use serde::Serialize;

use super::answer::Answer;
use super::effort::Part;
use super::rows::Row;
use super::summary::Report;

/// The headings of the columns of [`Fields`], which are written even if there are no records.
const HEAD: [&str; 18] = [
    "file",
    "line",
    "id",
    "theme",
    "position",
    "bm",
    "am",
    "status",
    "move",
    "ce",
    "points",
    "most_points",
    "solution_nodes",
    "solution_depth",
    "solution_milliseconds",
    "nodes",
    "depth",
    "milliseconds",
];

#[derive(Serialize)]
struct Fields<'a> {
    file: &'a str,
    line: usize,
    id: Option<&'a str>,
    theme: Option<&'a str>,
    position: &'a str,
    bm: &'a str,
    am: &'a str,
    status: &'a str,
    r#move: Option<&'a str>,
    ce: Option<i32>,
    points: Option<u64>,
    most_points: Option<u64>,
    solution_nodes: Option<u64>,
    solution_depth: Option<u64>,
    solution_milliseconds: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u64>,
    milliseconds: Option<u64>,
}

impl<'a> Fields<'a> {
    fn of(file: &'a str, row: Row<'a>, answer: &'a Answer) -> Self {
        let [solution, whole] = [Part::Solution, Part::Whole].map(|part| answer.effort(part));
        Self {
            file,
            line: answer.line(),
            id: row.id(),
            theme: row.theme(),
            position: row.fields(),
            bm: row.best(),
            am: row.avoid(),
            status: answer.status.word(),
            r#move: answer.choice(),
            ce: answer.ce(),
            points: answer.points(),
            most_points: answer.most_points(),
            solution_nodes: solution.nodes,
            solution_depth: solution.depth,
            solution_milliseconds: solution.milliseconds,
            nodes: whole.nodes,
            depth: whole.depth,
            milliseconds: whole.milliseconds,
        }
    }
}

pub fn write(report: &Report, out: impl Write) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(out);
    writer.write_record(HEAD).map_err(into_io)?;
    for (file, totals) in report.files.iter().enumerate() {
        for (row, answer) in report.answers(file) {
            let fields = Fields::of(&totals.name, row, answer);
            writer.serialize(fields).map_err(into_io)?;
        }
    }
    writer.flush()
}

/// Extracts the error of the output, so that a closed pipe is recognised.
fn into_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
