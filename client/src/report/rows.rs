//! The records of several files side by side: which of them ask the same.

use std::collections::HashMap;

use movegen::{Move, Position, San};
use serde::Serialize;

use super::answer::{Answer, Question};

/// A position, and what each file answered.
#[derive(Debug, Serialize)]
pub struct Row {
    pub id: Option<String>,
    /// What the id has before its number.
    pub theme: Option<String>,
    /// The four fields of the position.
    #[serde(rename = "position")]
    pub fields: String,
    /// The moves to find and the moves to avoid.
    pub best: Vec<String>,
    pub avoid: Vec<String>,
    /// In the order of the files; none where a file has no such record.
    pub answers: Vec<Option<Answer>>,
    #[serde(skip)]
    pub position: Position,
    #[serde(skip)]
    pub best_moves: Vec<Move>,
    /// The files that have another position under this id, and that.
    #[serde(skip)]
    others: Vec<(usize, String)>,
}

impl Row {
    fn new(question: Question, files: usize) -> Self {
        let Question {
            id,
            position,
            best,
            avoid,
        } = question;
        let words = |moves: &[Move]| {
            let words = moves.iter().map(|&mv| San::of(&position, mv).to_string());
            words.collect()
        };
        let mut row = Self {
            id: None,
            theme: None,
            fields: fields(&position),
            best: words(&best),
            avoid: words(&avoid),
            answers: vec![None; files],
            position,
            best_moves: best,
            others: Vec::new(),
        };
        row.name(id);
        row
    }

    fn name(&mut self, id: Option<String>) {
        self.theme = id.as_deref().and_then(theme).map(str::to_owned);
        self.id = id;
    }

    /// The id, or else the position.
    pub fn label(&self) -> &str {
        self.id.as_deref().unwrap_or(&self.fields)
    }

    /// What was asked, in the words of EPD.
    pub fn wanted(&self) -> String {
        let part = |opcode, moves: &[String]| {
            (!moves.is_empty()).then(|| format!("{opcode} {}", moves.join(" ")))
        };
        let parts = [part("bm", &self.best), part("am", &self.avoid)];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Whether a file at least has not solved it.
    pub fn is_missed(&self) -> bool {
        let mut answers = self.answers.iter().flatten();
        answers.any(|answer| answer.status.is_failure())
    }

    /// Whether two files mean different positions by it.
    pub fn differs(&self, files: [usize; 2]) -> bool {
        let [one, other] = files.map(|file| {
            let mut others = self.others.iter();
            let other = others.find(|(of, _)| *of == file);
            other.map_or(&self.fields, |(_, fields)| fields)
        });
        one != other
    }
}

fn fields(position: &Position) -> String {
    position.setup().fields().to_string()
}

/// What an id has before the number that it ends in: `Undermine` of `Undermine.001`. None where it
/// does not end in a number, or is one.
fn theme(id: &str) -> Option<&str> {
    let name = id.trim_end_matches(|last: char| last.is_ascii_digit());
    let theme = name.trim_end_matches([' ', '.', '-', '_', '#', ':', '/']);
    (name.len() < id.len() && !theme.is_empty()).then_some(theme)
}

/// Rows by what they have in common, each in its order.
#[derive(Default)]
struct Index(HashMap<String, Candidates>);

#[derive(Default)]
struct Candidates {
    rows: Vec<usize>,
    /// How many of them have an answer of this file.
    taken: usize,
    file: usize,
}

impl Index {
    fn add(&mut self, key: &str, row: usize) {
        self.0.entry(key.to_owned()).or_default().rows.push(row);
    }

    /// The first row of a key that has no answer of a file.
    fn free(&mut self, key: &str, file: usize, rows: &[Row]) -> Option<usize> {
        let candidates = self.0.get_mut(key)?;
        if candidates.file != file {
            (candidates.file, candidates.taken) = (file, 0);
        }
        let rest = &candidates.rows[candidates.taken..];
        let is_free = |row: &usize| rows[*row].answers[file].is_none();
        candidates.taken += rest.iter().take_while(|row| !is_free(row)).count();
        candidates.rows.get(candidates.taken).copied()
    }
}

/// Puts the records of files side by side: those of one id, or else of one position where not both
/// have an id. Where a file has several of the same, the first stands beside the first, the second
/// beside the second.
pub fn align(files: Vec<Vec<(Question, Answer)>>) -> Vec<Row> {
    let count = files.len();
    let mut rows: Vec<Row> = Vec::new();
    let [mut by_id, mut by_fields, mut nameless] = [(); 3].map(|()| Index::default());
    for (file, entries) in files.into_iter().enumerate() {
        for (question, answer) in entries {
            let fields = fields(&question.position);
            let known = match &question.id {
                Some(id) => by_id
                    .free(id, file, &rows)
                    .or_else(|| nameless.free(&fields, file, &rows)),
                None => by_fields.free(&fields, file, &rows),
            };
            let at = known.unwrap_or(rows.len());
            match &question.id {
                None if known.is_none() => nameless.add(&fields, at),
                Some(id) if rows.get(at).is_none_or(|row| row.id.is_none()) => by_id.add(id, at),
                _ => {}
            }
            if known.is_none() {
                by_fields.add(&fields, at);
                rows.push(Row::new(question, count));
            } else if rows[at].id.is_none() {
                rows[at].name(question.id);
            }
            let row = &mut rows[at];
            if row.fields != fields {
                row.others.push((file, fields));
            }
            row.answers[file] = Some(answer);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::answer;

    const KINGS: [&str; 3] = [
        "8/8/8/8/8/k7/8/K7 w - -",
        "8/8/8/8/k7/8/8/K7 w - -",
        "8/8/8/k7/8/8/8/K7 w - -",
    ];

    /// Each record as an id, if it has one, and the number of its position.
    fn aligned(files: &[&[(&str, usize)]]) -> Vec<Row> {
        let file = |records: &&[(&str, usize)]| {
            let records = records.iter().zip(1..).map(|(&(id, position), line)| {
                let mut record: epd::Record = KINGS[position].parse().expect("exact");
                if !id.is_empty() {
                    record.set_id(id);
                }
                let position = record.position().expect("legal");
                answer::read(line, &record, &position, &mut |error| panic!("{error}"))
            });
            records.collect()
        };
        align(files.iter().map(file).collect())
    }

    /// For each row its label, and the lines of the answers; 0 for none.
    fn lines(rows: &[Row]) -> Vec<(&str, Vec<usize>)> {
        let line = |answer: &Option<Answer>| answer.as_ref().map_or(0, |answer| answer.line);
        let lines = |row: &Row| row.answers.iter().map(line).collect();
        rows.iter().map(|row| (row.label(), lines(row))).collect()
    }

    #[test]
    fn records_are_matched_by_id_or_else_by_position() {
        let rows = aligned(&[
            &[("a", 0), ("b", 1), ("", 2), ("a", 0)],
            &[("b", 1), ("c", 2), ("a", 0), ("d", 0)],
            &[("", 0), ("", 0), ("", 0), ("c", 2)],
        ]);
        let expected = [
            ("a", vec![1, 3, 1]),
            ("b", vec![2, 1, 0]),
            ("c", vec![3, 2, 4]),
            ("a", vec![4, 0, 2]),
            ("d", vec![0, 4, 3]),
        ];
        assert_eq!(lines(&rows), expected);
    }

    #[test]
    fn one_id_of_two_positions_is_noticed() {
        let rows = aligned(&[&[("a", 0)], &[("a", 1)], &[("a", 1)], &[("a", 0)]]);
        assert_eq!(lines(&rows), [("a", vec![1, 1, 1, 1])]);
        for (files, expected) in [([0, 1], true), ([1, 2], false), ([0, 3], false)] {
            assert_eq!(rows[0].differs(files), expected);
        }
    }

    #[test]
    fn themes_are_what_ids_have_in_common() {
        for (id, expected) in [
            ("WAC.001", Some("WAC")),
            (
                "STS(v2.2) Open Files and Diagonals.017",
                Some("STS(v2.2) Open Files and Diagonals"),
            ),
            ("arasan21.1", Some("arasan21")),
            ("pos 7", Some("pos")),
            ("Undermine", None),
            ("12", None),
            (".12", None),
            ("", None),
        ] {
            assert_eq!(theme(id), expected, "{id}");
        }
    }
}
