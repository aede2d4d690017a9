//! From what files say to a [`Report`]: pure, and the same for every format.
//!
//! What serde makes of a report is its JSON. Fields without a value are null; times are milliseconds,
//! depths plies; a solution is the moment since which the answer never changed to a wrong one.

use std::collections::HashMap;

use serde::Serialize;

use super::answer::{Answer, Effort, Question, Status};
use super::numbers::{Bin, Scale, Spread, count, sign_test};
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

/// A thing that searches take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    Nodes,
    Milliseconds,
    Plies,
}

impl Measure {
    pub const ALL: [Self; 3] = [Self::Nodes, Self::Milliseconds, Self::Plies];

    pub fn of(self, effort: &Effort) -> Option<u64> {
        match self {
            Self::Nodes => effort.nodes,
            Self::Milliseconds => effort.milliseconds,
            Self::Plies => effort.depth,
        }
    }

    fn scale(self) -> Scale {
        match self {
            Self::Nodes | Self::Milliseconds => Scale::Logarithmic,
            Self::Plies => Scale::Linear,
        }
    }
}

/// A part of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Until the answer was found for good.
    Solution,
    Whole,
}

impl Part {
    pub const ALL: [Self; 2] = [Self::Solution, Self::Whole];

    fn of(self, answer: &Answer) -> &Effort {
        match self {
            Self::Solution => &answer.solution,
            Self::Whole => &answer.whole,
        }
    }
}

/// How often a search took how much.
#[derive(Debug, Serialize)]
pub struct Distribution {
    pub measure: Measure,
    pub part: Part,
    /// The same for all files.
    pub bins: Vec<Bin>,
    pub files: Vec<Sample>,
}

/// A file's part of a distribution.
#[derive(Debug, Serialize)]
pub struct Sample {
    pub spread: Option<Spread>,
    /// How many there are in each bin.
    pub counts: Vec<usize>,
}

/// How many positions were solved when so much was spent on each.
#[derive(Debug, Serialize)]
pub struct Curve {
    pub measure: Measure,
    /// For each file the moments at which the number grows, and what it grows to.
    pub files: Vec<Vec<(u64, usize)>>,
}

/// Two files, on the records with something to find that both have.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// Which of the files.
    pub files: [usize; 2],
    pub records: usize,
    /// Among these, those that have one id and two positions.
    pub different_positions: usize,
    pub both: usize,
    /// Solved by the first alone, and by the second alone.
    pub only: [usize; 2],
    pub neither: usize,
    /// The exact test for paired proportions ([`sign_test`]): how probable it is that two programs
    /// that solve each position as likely differ in so many or more.
    pub p: f64,
    /// Who was sooner where both solved.
    pub sooner: Vec<Sooner>,
}

/// Who needed less to the solution.
#[derive(Debug, Serialize)]
pub struct Sooner {
    pub measure: Measure,
    /// The records where the first needed less, and the second.
    pub less: [usize; 2],
    pub equal: usize,
    /// The exact sign test, two-sided; those that are equal do not count.
    pub p: f64,
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
                .map(|files| compare(&records, files))
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

/// What each file's searches took, in order.
fn samples(rows: &[Row], files: usize, measure: Measure, part: Part) -> Vec<Vec<u64>> {
    let sample = |file: usize| {
        let answers = rows.iter().filter_map(|row| row.answers[file].as_ref());
        let mut sample: Vec<_> = answers
            .filter_map(|answer| measure.of(part.of(answer)))
            .collect();
        sample.sort_unstable();
        sample
    };
    (0..files).map(sample).collect()
}

/// Those that have something in them; no time is what clocks of whole seconds say of short searches.
fn distributions(rows: &[Row], files: usize) -> Vec<Distribution> {
    let is_measured = |sorted: &[u64]| sorted.last().is_some_and(|&most| most > 0);
    let all = Part::ALL
        .into_iter()
        .flat_map(|part| Measure::ALL.map(|measure| (measure, part)));
    all.filter_map(|(measure, part)| {
        let samples = samples(rows, files, measure, part);
        let mut together = samples.concat();
        together.sort_unstable();
        let bins = measure.scale().bins(&together);
        let sample = |sample: &Vec<u64>| Sample {
            spread: Spread::of(sample),
            counts: count(&bins, sample),
        };
        let files = samples.iter().map(sample).collect();
        is_measured(&together).then_some(Distribution {
            measure,
            part,
            bins,
            files,
        })
    })
    .collect()
}

fn curves(rows: &[Row], files: usize) -> Vec<Curve> {
    let curve = |sample: Vec<u64>| {
        let mut curve: Vec<(u64, usize)> = Vec::new();
        for (number, solved) in sample.into_iter().zip(1..) {
            match curve.last_mut() {
                Some(last) if last.0 == number => last.1 = solved,
                _ => curve.push((number, solved)),
            }
        }
        curve
    };
    let curves = [Measure::Milliseconds, Measure::Nodes].map(|measure| Curve {
        measure,
        files: samples(rows, files, measure, Part::Solution)
            .into_iter()
            .map(curve)
            .collect(),
    });
    let has_some = |curve: &Curve| curve.files.iter().any(|points| !points.is_empty());
    curves.into_iter().filter(has_some).collect()
}

fn compare(rows: &[Row], files: [usize; 2]) -> Comparison {
    let pairs: Vec<_> = rows
        .iter()
        .filter_map(|row| {
            let [one, other] = files.map(|file| {
                let answer = row.answers[file].as_ref();
                answer.filter(|answer| answer.status != Status::Untargeted)
            });
            Some((row, [one?, other?]))
        })
        .collect();
    let solved = |answer: &Answer| answer.status == Status::Solved;
    let among = |test: [bool; 2]| {
        let pairs = pairs.iter();
        pairs
            .filter(|(_, answers)| answers.map(solved) == test)
            .count()
    };
    let only = [among([true, false]), among([false, true])];
    let sooner = |measure: Measure| {
        let (mut less, mut equal) = ([0, 0], 0);
        for (_, answers) in &pairs {
            let [one, other] = answers.map(|answer| measure.of(&answer.solution));
            match one.zip(other).map(|(one, other)| one.cmp(&other)) {
                None => {}
                Some(std::cmp::Ordering::Less) => less[0] += 1,
                Some(std::cmp::Ordering::Equal) => equal += 1,
                Some(std::cmp::Ordering::Greater) => less[1] += 1,
            }
        }
        (less != [0, 0] || equal > 0).then(|| Sooner {
            measure,
            less,
            equal,
            p: sign_test(less[0], less[1]),
        })
    };
    Comparison {
        files,
        records: pairs.len(),
        different_positions: pairs.iter().filter(|(row, _)| row.differs(files)).count(),
        both: among([true, true]),
        only,
        neither: among([false, false]),
        p: sign_test(only[0], only[1]),
        sooner: [Measure::Milliseconds, Measure::Nodes]
            .into_iter()
            .filter_map(sooner)
            .collect(),
    }
}
