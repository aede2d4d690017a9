//! What searches took: how it is distributed, and how many positions were solved by when.

use serde::Serialize;

use super::answer::{Answer, Effort};
use super::numbers::{Bin, Scale, Spread, count};
use super::rows::Row;

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
pub fn distributions(rows: &[Row], files: usize) -> Vec<Distribution> {
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

/// Those that have something in them.
pub fn curves(rows: &[Row], files: usize) -> Vec<Curve> {
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
