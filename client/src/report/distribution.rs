//! How the effort of searches is distributed, and how many positions were solved with which effort.

use std::cmp::Reverse;

use serde::Serialize;

use super::effort::{Measure, Part};
use super::numbers::{Bin, Scale, Spread, count};
use super::rows::Records;

/// A histogram of the effort.
#[derive(Debug, Serialize)]
pub struct Distribution {
    pub measure: Measure,
    pub part: Part,
    /// The bins, which are the same for all files.
    pub bins: Vec<Bin>,
    pub files: Vec<Sample>,
}

/// The histogram of one file.
#[derive(Debug, Serialize)]
pub struct Sample {
    pub spread: Option<Spread>,
    /// The number of records in each bin.
    pub counts: Vec<usize>,
}

/// How many positions are solved within a given effort.
#[derive(Debug, Serialize)]
pub struct Curve {
    pub measure: Measure,
    /// For each file the steps of the curve: an effort, and the number of positions solved with it.
    pub files: Vec<Vec<(u64, usize)>>,
}

/// The scale on which a measure is shown.
fn scale(measure: Measure) -> Scale {
    match measure {
        Measure::Nodes | Measure::Milliseconds => Scale::Logarithmic,
        Measure::Plies => Scale::Linear,
    }
}

/// The sorted efforts of each file.
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

/// The distributions with data. Times that are all zero are not data: they come from `acs`, which
/// has whole seconds.
pub fn distributions(records: &Records) -> Vec<Distribution> {
    let is_measured = |sorted: &[u64]| sorted.last().is_some_and(|&most| most > 0);
    let all = Part::ALL
        .into_iter()
        .flat_map(|part| Measure::ALL.map(|measure| (measure, part)));
    all.filter_map(|(measure, part)| {
        let samples = samples(records, measure, part);
        let mut together = samples.concat();
        together.sort_unstable();
        let bins = scale(measure).bins(&together);
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

/// The maximum number of steps of a curve; a chart cannot show more.
const MOST_STEPS: usize = 2000;

/// The curves with data. The one that covers more files comes first; if both cover the same number,
/// the one of time.
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

/// Each distinct number, with the count of numbers up to it. If there are more than `most` steps,
/// about that many are kept, evenly spaced and with the last.
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
