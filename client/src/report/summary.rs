//! Builds the [`Report`] from the records of all files, for every format.
//!
//! Its serialization is the JSON format. Missing values are null, times are in milliseconds, depths
//! in plies. The solution is the point from which the answer stayed correct.

use std::collections::HashMap;

use serde::Serialize;

use super::answer::{Answer, Status};
use super::comparison::Comparison;
use super::distribution::{Curve, Distribution, curves, distributions};
use super::effort::{Effort, Part};
use super::numbers::Spread;
use super::rows::{Records, Row};
use super::sts;
use crate::batch::run_info::RunInfo;

/// The data of a report. Lists named `files` have an element for each file, in order.
#[derive(Debug, Serialize)]
pub struct Report {
    pub files: Vec<Totals>,
    /// In order of appearance.
    pub themes: Vec<Theme>,
    pub distributions: Vec<Distribution>,
    pub curves: Vec<Curve>,
    /// One for each pair of files.
    pub comparisons: Vec<Comparison>,
    pub records: Records,
}

/// The totals of a file.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Totals {
    /// The name in the report.
    pub name: String,
    /// The path; `-` for standard input.
    pub file: String,
    /// The description of the run, if there is one.
    pub run: Option<RunInfo>,
    /// All records, including those with illegal positions.
    pub records: usize,
    #[serde(flatten)]
    pub score: Score,
    pub untargeted: usize,
    pub illegal: usize,
    /// Lines that are not records.
    pub unreadable: usize,
    /// The estimated rating, if the file is the Strategic Test Suite.
    pub sts_rating: Option<i64>,
    /// The total effort of all searches that record it.
    pub nodes: Option<u64>,
    pub milliseconds: Option<u64>,
    /// Over the records that have both nodes and time.
    pub nodes_per_second: Option<f64>,
    /// The nodes and milliseconds of the records that have both.
    #[serde(skip)]
    pub both: (u64, u64),
}

/// How many of the positions with a target were solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    pub solved: usize,
    pub missed: usize,
    pub unanswered: usize,
    /// The points of the chosen moves and of the best moves, if records have points.
    pub points: Option<u64>,
    pub most_points: Option<u64>,
}

/// Adds optional numbers; missing ones count as zero.
fn add(sum: &mut Option<u64>, more: Option<u64>) {
    *sum = match (*sum, more) {
        (Some(sum), Some(more)) => Some(sum.saturating_add(more)),
        (sum, more) => sum.or(more),
    };
}

impl Score {
    fn count(&mut self, answer: &Answer) {
        match answer.status {
            Status::Solved => self.solved += 1,
            Status::Missed => self.missed += 1,
            Status::Unanswered => self.unanswered += 1,
            Status::Untargeted => {}
        }
        add(&mut self.points, answer.points());
        add(&mut self.most_points, answer.most_points());
    }

    /// The number of positions with a target.
    pub fn targets(&self) -> usize {
        self.solved + self.missed + self.unanswered
    }

    /// The share of targets that were solved; none without targets.
    pub fn share(&self) -> Option<f64> {
        let targets = self.targets();
        (targets > 0).then(|| self.solved as f64 / targets as f64)
    }
}

/// The results of the positions with the same theme.
#[derive(Debug, Serialize)]
pub struct Theme {
    /// None for ids without a theme.
    pub name: Option<String>,
    pub files: Vec<Score>,
}

impl Report {
    /// Builds a report. `files` are the totals of the files in `records`.
    pub fn new(mut files: Vec<Totals>, records: Records) -> Self {
        for (file, totals) in files.iter_mut().enumerate() {
            let ids = records.answers(file).filter_map(|(row, _)| row.id());
            totals.finish(sts::are(ids));
        }
        let count = files.len();
        Self {
            files,
            themes: themes(&records),
            distributions: distributions(&records),
            curves: curves(&records),
            comparisons: (0..count)
                .flat_map(|first| (first + 1..count).map(move |second| [first, second]))
                .map(|files| Comparison::of(&records, files))
                .collect(),
            records,
        }
    }

    /// The answers of a file, with their rows.
    pub fn answers(&self, file: usize) -> impl Iterator<Item = (Row<'_>, &Answer)> {
        self.records.answers(file)
    }

    /// The effort of the solutions of a file: in time if it is known, or else in nodes.
    pub fn solution_spread(&self, file: usize) -> Option<(&Distribution, &Spread)> {
        let curve = self.curves.first()?;
        let mut distributions = self.distributions.iter();
        let found = distributions
            .find(|each| each.part == Part::Solution && each.measure == curve.measure)?;
        Some((found, found.files[file].spread.as_ref()?))
    }
}

impl Totals {
    /// Counts a record.
    pub fn count(&mut self, answer: &Answer) {
        self.records += 1;
        self.score.count(answer);
        self.untargeted += usize::from(answer.status == Status::Untargeted);
        let Effort {
            nodes,
            milliseconds,
            ..
        } = answer.effort(Part::Whole);
        add(&mut self.nodes, nodes);
        add(&mut self.milliseconds, milliseconds);
        if let Some((nodes, milliseconds)) = nodes.zip(milliseconds) {
            self.both.0 = self.both.0.saturating_add(nodes);
            self.both.1 = self.both.1.saturating_add(milliseconds);
        }
    }

    /// Completes the totals after the last record.
    fn finish(&mut self, is_sts: bool) {
        // If all searches took less than half a second, `acs` is 0 everywhere.
        self.nodes = self.nodes.filter(|&sum| sum > 0);
        self.milliseconds = self.milliseconds.filter(|&sum| sum > 0);
        let (nodes, milliseconds) = self.both;
        self.nodes_per_second =
            (milliseconds > 0).then(|| nodes as f64 * 1000.0 / milliseconds as f64);
        if is_sts {
            self.sts_rating = sts::rating(self.score.points, self.score.most_points);
        }
    }
}

/// The maximum number of themes. If there are more, the ids are not about themes.
const MOST_THEMES: usize = 500;

fn themes(records: &Records) -> Vec<Theme> {
    let mut themes: Vec<Theme> = Vec::new();
    let mut known: HashMap<Option<&str>, usize> = HashMap::new();
    for row in records.iter() {
        let name = row.theme();
        let at = *known.entry(name).or_insert_with(|| {
            themes.push(Theme {
                name: name.map(str::to_owned),
                files: vec![Score::default(); records.files()],
            });
            themes.len() - 1
        });
        if themes.len() > MOST_THEMES {
            return all_together(records);
        }
        for (answer, score) in row.answers().zip(&mut themes[at].files) {
            if let Some(answer) = answer {
                score.count(answer);
            }
        }
    }
    // Words that hardly ever repeat are not themes.
    if themes.len() > 10 && themes.len() * 2 > records.len() {
        return all_together(records);
    }
    themes
}

/// Puts all records under one theme without a name.
fn all_together(records: &Records) -> Vec<Theme> {
    let score = |file| {
        let mut score = Score::default();
        for (_, answer) in records.answers(file) {
            score.count(answer);
        }
        score
    };
    vec![Theme {
        name: None,
        files: (0..records.files()).map(score).collect(),
    }]
}
