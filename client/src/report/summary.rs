//! From what files say to a [`Report`]: pure, and the same for every format.
//!
//! What serde makes of a report is its JSON. Fields without a value are null; times are milliseconds,
//! depths plies; a solution is the moment from which the answer never again changed to a wrong one.

use std::collections::HashMap;

use serde::Serialize;

use super::answer::{Answer, Effort, Status};
use super::comparison::Comparison;
use super::effort::{Curve, Distribution, Part, curves, distributions};
use super::numbers::Spread;
use super::rows::{Records, Row};
use super::sts;
use crate::batch::run_info::RunInfo;

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
    pub records: Records,
}

/// What a file comes to.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Totals {
    /// What it is called in the report.
    pub name: String,
    /// Its name on the disk, `-` for standard input.
    pub file: String,
    /// How it was made, where that is known.
    pub run: Option<RunInfo>,
    /// All, those with illegal positions as well.
    pub records: usize,
    #[serde(flatten)]
    pub score: Score,
    pub untargeted: usize,
    pub illegal: usize,
    /// Lines that are no records.
    pub unreadable: usize,
    /// The estimate that the points of the Strategic Test Suite give.
    pub sts_rating: Option<i64>,
    /// What all searches took together, as far as they tell it.
    pub nodes: Option<u64>,
    pub milliseconds: Option<u64>,
    /// Over the records that tell both.
    pub nodes_per_second: Option<f64>,
    /// Nodes and milliseconds of the records that tell both.
    #[serde(skip)]
    pub both: (u64, u64),
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

/// Adds what is known.
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

/// The positions whose ids have the same words.
#[derive(Debug, Serialize)]
pub struct Theme {
    /// None for those whose ids tell no theme.
    pub name: Option<String>,
    pub files: Vec<Score>,
}

impl Report {
    /// The totals are those of the files of the records.
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

    /// What the solutions of a file took, in time where it is known, or else in nodes.
    pub fn solution_spread(&self, file: usize) -> Option<(&Distribution, &Spread)> {
        let curve = self.curves.first()?;
        let mut distributions = self.distributions.iter();
        let found = distributions
            .find(|each| each.part == Part::Solution && each.measure == curve.measure)?;
        Some((found, found.files[file].spread.as_ref()?))
    }
}

impl Totals {
    /// Takes a record into account.
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

    /// When all records are counted.
    fn finish(&mut self, is_sts: bool) {
        // Searches that all took less than half a second: no second was written.
        self.nodes = self.nodes.filter(|&sum| sum > 0);
        self.milliseconds = self.milliseconds.filter(|&sum| sum > 0);
        let (nodes, milliseconds) = self.both;
        self.nodes_per_second =
            (milliseconds > 0).then(|| nodes as f64 * 1000.0 / milliseconds as f64);
        if is_sts {
            self.sts_rating = sts::rating(&self.score);
        }
    }
}

/// More themes than these are none: ids that tell something else of each position.
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
    // Words that are nearly always others are no themes.
    if themes.len() > 10 && themes.len() * 2 > records.len() {
        return all_together(records);
    }
    themes
}

/// All records as one nameless theme.
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
