//! What searches took: how it is distributed, and how many positions were solved by when.

use std::cmp::Reverse;

use serde::Serialize;

use super::answer::Effort;
use super::numbers::{Bin, Scale, Spread, count};
use super::rows::Records;

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
    /// Until the final answer first became stable.
    Solution,
    Whole,
}

impl Part {
    pub const ALL: [Self; 2] = [Self::Solution, Self::Whole];
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
fn samples(records: &Records, measure: Measure, part: Part) -> Vec<Vec<u64>> {
    let sample = |file: usize| {
        let answers = records.answers(file);
        let amounts = answers.filter_map(|(_, answer)| measure.of(&answer.effort(part)));
        let mut sample: Vec<_> = amounts.collect();
        sample.sort_unstable();
        sample
    };
    (0..records.files()).map(sample).collect()
}

/// Those that have something in them; no time is what clocks of whole seconds say of short searches.
pub fn distributions(records: &Records) -> Vec<Distribution> {
    let is_measured = |sorted: &[u64]| sorted.last().is_some_and(|&most| most > 0);
    let all = Part::ALL
        .into_iter()
        .flat_map(|part| Measure::ALL.map(|measure| (measure, part)));
    all.filter_map(|(measure, part)| {
        let samples = samples(records, measure, part);
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

/// So many steps of a curve are kept; a chart cannot show more.
const MOST_STEPS: usize = 2000;

/// Those that have something in them, first the one that tells of most files; of two, that of time.
pub fn curves(records: &Records) -> Vec<Curve> {
    let curves = [Measure::Milliseconds, Measure::Nodes].map(|measure| Curve {
        measure,
        files: samples(records, measure, Part::Solution)
            .iter()
            .map(|sample| steps(sample, MOST_STEPS))
            .collect(),
    });
    let known = |curve: &Curve| {
        curve
            .files
            .iter()
            .filter(|points| !points.is_empty())
            .count()
    };
    let mut curves: Vec<_> = curves
        .into_iter()
        .filter(|curve| known(curve) > 0)
        .collect();
    curves.sort_by_key(|curve| Reverse(known(curve)));
    curves
}

/// Each number, and how many are not above it. Of more steps than `most` about so many are kept, the
/// last of them and the others evenly spaced.
fn steps(sorted: &[u64], most: usize) -> Vec<(u64, usize)> {
    let ends = sorted
        .chunk_by(|one, other| one == other)
        .scan(0, |sum, chunk| {
            *sum += chunk.len();
            Some((chunk[0], *sum))
        });
    let mut points: Vec<_> = ends.collect();
    if points.len() > most {
        let (every, last) = (points.len().div_ceil(most), points.len() - 1);
        let mut at = 0..;
        points.retain(|_| {
            at.next()
                .is_some_and(|i: usize| (last - i).is_multiple_of(every))
        });
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_keep_their_shape_in_few_steps() {
        assert_eq!(steps(&[1, 1, 5], 9), [(1, 2), (5, 3)]);
        let sorted: Vec<_> = (0..100_000).collect();
        let few = steps(&sorted, 1000);
        assert_eq!((few.len(), few[999]), (1000, (99_999, 100_000)));
        assert!(
            few.iter()
                .all(|&(number, count)| count as u64 == number + 1)
        );
    }
}
