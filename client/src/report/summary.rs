//! From what files say to a [`Report`]: pure, and the same for every format.
//!
//! What serde makes of a report is its JSON. Fields without a value are null; times are milliseconds,
//! depths plies; a solution is the moment since which the answer never changed to a wrong one.

use std::collections::HashMap;

use serde::Serialize;

use super::answer::{Answer, Effort, Question, Status};
use super::comparison::Comparison;
use super::effort::{Curve, Distribution, Measure, curves, distributions};
use super::rows::{Row, align};

/// What was read from a file.
#[derive(Debug, Default)]
pub struct Results {
    pub name: String,
    pub entries: Vec<(Question, Answer)>,
    /// Records whose positions are illegal.
    pub illegal: usize,
    /// Lines that are no records.
    pub unreadable: usize,
}

/// Everything that there is to tell. Lists that are called `files` are in the order of the files.
#[derive(Debug, Serialize)]
pub struct Report {
    pub files: Vec<Totals>,
    /// In the order in which they come.
    pub themes: Vec<Theme>,
    pub distributions: Vec<Distribution>,
    pub curves: Vec<Curve>,
    /// Every two files.
    pub comparisons: Vec<Comparison>,
    pub records: Vec<Row>,
}

/// What a file comes to.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Totals {
    pub name: String,
    /// All, those with illegal positions as well.
    pub records: usize,
    #[serde(flatten)]
    pub score: Score,
    pub untargeted: usize,
    pub illegal: usize,
    /// Lines that are no records.
    pub unreadable: usize,
    /// What all searches took together, as far as they tell it.
    pub nodes: Option<u64>,
    pub milliseconds: Option<u64>,
    /// Over the records that tell both.
    pub nodes_per_second: Option<f64>,
}

/// How many of the positions with something to find were solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    pub solved: usize,
    pub missed: usize,
    pub unanswered: usize,
    /// What the moves are worth and what the best are, where records say it.
    pub points: Option<u64>,
    pub most_points: Option<u64>,
}

impl Score {
    fn of<'a>(answers: impl Iterator<Item = &'a Answer>) -> Self {
        let mut score = Self::default();
        let add = |sum: &mut Option<u64>, more: Option<u64>| {
            *sum = match (*sum, more) {
                (Some(sum), Some(more)) => Some(sum.saturating_add(more)),
                (sum, more) => sum.or(more),
            };
        };
        for answer in answers {
            match answer.status {
                Status::Solved => score.solved += 1,
                Status::Missed => score.missed += 1,
                Status::Unanswered => score.unanswered += 1,
                Status::Untargeted => {}
            }
            add(&mut score.points, answer.points);
            add(&mut score.most_points, answer.most_points);
        }
        score
    }

    /// The positions with something to find.
    pub fn targets(&self) -> usize {
        self.solved + self.missed + self.unanswered
    }

    /// The share that was solved; none of nothing.
    pub fn share(&self) -> Option<f64> {
        let targets = self.targets();
        (targets > 0).then(|| self.solved as f64 / targets as f64)
    }
}

/// The positions whose ids begin alike.
#[derive(Debug, Serialize)]
pub struct Theme {
    /// None for those whose ids tell no theme.
    pub name: Option<String>,
    pub files: Vec<Score>,
}

impl Report {
    pub fn new(files: Vec<Results>) -> Self {
        let mut totals = Vec::new();
        let mut entries = Vec::new();
        for results in files {
            totals.push(Totals::of(&results));
            entries.push(results.entries);
        }
        let records = align(entries);
        let count = totals.len();
        Self {
            files: totals,
            themes: themes(&records, count),
            distributions: distributions(&records, count),
            curves: curves(&records, count),
            comparisons: (0..count)
                .flat_map(|first| (first + 1..count).map(move |second| [first, second]))
                .map(|files| Comparison::of(&records, files))
                .collect(),
            records,
        }
    }

    /// The answers of a file, with their rows.
    pub fn answers(&self, file: usize) -> impl Iterator<Item = (&Row, &Answer)> {
        let rows = self.records.iter();
        rows.filter_map(move |row| Some((row, row.answers[file].as_ref()?)))
    }
}

impl Totals {
    fn of(results: &Results) -> Self {
        let answers = || results.entries.iter().map(|(_, answer)| answer);
        let sum = |measure: Measure| {
            let numbers = answers().filter_map(move |answer| measure.of(&answer.whole));
            let sum = numbers.reduce(u64::saturating_add);
            // Searches that all took less than half a second: no second was written.
            sum.filter(|&sum| sum > 0)
        };
        let rates = answers().filter_map(|answer| {
            let Effort {
                nodes,
                milliseconds,
                ..
            } = answer.whole;
            nodes.zip(milliseconds)
        });
        let (nodes, milliseconds) = rates.fold((0_u64, 0_u64), |(nodes, time), (n, t)| {
            (nodes.saturating_add(n), time.saturating_add(t))
        });
        Self {
            name: results.name.clone(),
            records: results.entries.len() + results.illegal,
            score: Score::of(answers()),
            untargeted: answers()
                .filter(|answer| answer.status == Status::Untargeted)
                .count(),
            illegal: results.illegal,
            unreadable: results.unreadable,
            nodes: sum(Measure::Nodes),
            milliseconds: sum(Measure::Milliseconds),
            nodes_per_second: (milliseconds > 0)
                .then(|| nodes as f64 * 1000.0 / milliseconds as f64),
        }
    }
}

fn themes(rows: &[Row], files: usize) -> Vec<Theme> {
    let mut names: Vec<Option<&str>> = Vec::new();
    let mut members: HashMap<Option<&str>, Vec<&Row>> = HashMap::new();
    for row in rows {
        let name = row.theme.as_deref();
        members
            .entry(name)
            .or_insert_with(|| {
                names.push(name);
                Vec::new()
            })
            .push(row);
    }
    let theme = |name: Option<&str>| Theme {
        name: name.map(str::to_owned),
        files: (0..files)
            .map(|file| {
                Score::of(
                    members[&name]
                        .iter()
                        .filter_map(|row| row.answers[file].as_ref()),
                )
            })
            .collect(),
    };
    names.into_iter().map(theme).collect()
}
