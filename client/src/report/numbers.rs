//! The statistics of a report: summaries of samples, histogram bins, and the sign test. The test is
//! twenty lines here, which is less than a statistics library would take to bring in.

use serde::Serialize;
use svg::round_numbers;

/// The summary of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The size of the sample.
    pub count: usize,
    pub least: u64,
    /// The middle number, or the mean of the two middle numbers.
    pub median: f64,
    pub mean: f64,
    pub most: u64,
}

impl Spread {
    /// Summarises sorted numbers; none for an empty sample.
    pub fn of(sorted: &[u64]) -> Option<Self> {
        let (&least, &most) = (sorted.first()?, sorted.last()?);
        let count = sorted.len();
        let (low, high) = (sorted[(count - 1) / 2], sorted[count / 2]);
        let sum: u128 = sorted.iter().map(|&number| u128::from(number)).sum();
        Some(Self {
            count,
            least,
            median: f64::midpoint(low as f64, high as f64),
            mean: sum as f64 / count as f64,
            most,
        })
    }
}

/// The range of a bar of a histogram, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    pub from: u64,
    pub to: u64,
}

/// The widths of bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// All bins have the same width: 1, 2, 5, 10 ...
    Linear,
    /// Bins begin at 1, 2, 5, 10 ...
    Logarithmic,
}

/// The maximum number of bins; more cannot be distinguished.
const MOST_BINS: usize = 30;

impl Scale {
    /// Adjacent bins that cover all of the sorted numbers; none for no numbers. On a linear scale,
    /// outliers share the last bin. A run of empty bins is merged into one.
    pub fn bins(self, sorted: &[u64]) -> Vec<Bin> {
        let mut bins: Vec<Bin> = Vec::new();
        let all = self.all_bins(sorted);
        let counts = count(&all, sorted);
        let mut last_is_empty = false;
        for (bin, count) in all.into_iter().zip(counts) {
            match bins.last_mut() {
                Some(last) if last_is_empty && count == 0 => last.to = bin.to,
                _ => bins.push(bin),
            }
            last_is_empty = count == 0;
        }
        bins
    }

    fn all_bins(self, sorted: &[u64]) -> Vec<Bin> {
        let (Some(&least), Some(&most)) = (sorted.first(), sorted.last()) else {
            return Vec::new();
        };
        let starts = match self {
            Self::Linear => {
                let high = sorted[((sorted.len() - 1) * 49).div_ceil(50)];
                let bins = |width: &u64| (high / width - least / width) < MOST_BINS as u64;
                let width = round_numbers().find(bins).unwrap_or(u64::MAX);
                let first = least / width * width;
                (0..=(high - first) / width)
                    .map(|n| first + n * width)
                    .collect()
            }
            Self::Logarithmic => {
                let starts = |every: usize| -> Vec<u64> {
                    let numbers: Vec<_> = std::iter::once(0)
                        .chain(round_numbers().step_by(every))
                        .collect();
                    let begin = numbers.partition_point(|&number| number <= least) - 1;
                    let end = numbers.partition_point(|&number| number <= most);
                    numbers[begin..end].to_vec()
                };
                Some(starts(1))
                    .filter(|starts| starts.len() <= MOST_BINS)
                    .unwrap_or_else(|| starts(3))
            }
        };
        let ends = starts[1..].iter().map(|start| start - 1);
        let last = match self {
            Self::Linear => most,
            Self::Logarithmic => round_numbers()
                .find(|&number| number > most)
                .map_or(most, |number| number - 1),
        };
        let bins = starts.iter().zip(ends.chain([last]));
        bins.map(|(&from, to)| Bin { from, to }).collect()
    }
}

/// The count of numbers in each bin.
pub fn count(bins: &[Bin], numbers: &[u64]) -> Vec<usize> {
    let mut counts = vec![0; bins.len()];
    for &number in numbers {
        counts[bins.partition_point(|bin| bin.to < number)] += 1;
    }
    counts
}

/// The exact two-sided sign test: the probability that two equally likely outcomes are split at
/// least this unevenly. On the positions that only one of two programs solved, it is
/// [McNemar's](https://doi.org/10.1007/BF02295996) exact test for paired proportions.
pub fn sign_test(one: usize, other: usize) -> f64 {
    let (few, all) = (one.min(other), one + other);
    // The logarithm of the probability of exactly `few`, which itself can underflow.
    let choices = (1..=few).map(|i| ((all - few + i) as f64 / i as f64).ln());
    let probability = choices.sum::<f64>() - all as f64 * std::f64::consts::LN_2;
    // The probabilities of fewer, relative to it.
    let (mut part, mut sum) = (1.0, 0.0);
    for k in (0..=few).rev() {
        sum += part;
        part *= k as f64 / (all - k + 1) as f64;
        if part < f64::EPSILON * sum {
            break;
        }
    }
    (2.0 * sum * probability.exp()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spreads() {
        assert_eq!(Spread::of(&[]), None);
        let spread = Spread::of(&[1, 2, 3, 10]).expect("numbers");
        assert_eq!((spread.least, spread.most, spread.count), (1, 10, 4));
        assert_eq!((spread.median, spread.mean), (2.5, 4.0));
        let spread = Spread::of(&[u64::MAX]).expect("a number");
        assert!(spread.median > 1e19);
    }

    /// Expected values are sums of binomial coefficients, computed by hand.
    #[test]
    fn tests_are_exact() {
        for (one, other, expected) in [
            (0, 0, 1.0),
            (1, 1, 1.0),
            (3, 2, 1.0),
            (0, 1, 1.0),
            (0, 5, 2.0 / 32.0),
            (1, 7, 2.0 * 9.0 / 256.0),
            (10, 2, 2.0 * 79.0 / 4096.0),
        ] {
            for found in [sign_test(one, other), sign_test(other, one)] {
                assert!((found - expected).abs() < 1e-12, "{one} {other}: {found}");
            }
        }
        // Factorials would overflow here. The expected value was computed with integers.
        let found = sign_test(49_500, 50_500);
        assert!((found - 0.001_582_4).abs() < 1e-6, "{found}");
        assert!(sign_test(0, 100_000) < f64::MIN_POSITIVE);
    }

    #[test]
    fn bins_are_round() {
        let starts = |scale: Scale, numbers: &[u64]| -> Vec<(u64, u64)> {
            let bins = scale.bins(numbers);
            bins.iter().map(|bin| (bin.from, bin.to)).collect()
        };
        assert_eq!(starts(Scale::Linear, &[]), []);
        assert_eq!(
            starts(Scale::Logarithmic, &[0, 3, 17]),
            [(0, 0), (1, 1), (2, 4), (5, 9), (10, 19)]
        );
        assert_eq!(starts(Scale::Linear, &[7, 9]), [(7, 7), (8, 8), (9, 9)]);
        // One outlier: a mate found at depth 245.
        let mut depths = [[4; 50], [6; 50]].concat();
        depths.push(245);
        assert_eq!(starts(Scale::Linear, &depths), [(4, 4), (5, 5), (6, 245)]);
        // Three fast searches and one slow one.
        assert_eq!(
            starts(Scale::Logarithmic, &[1, 2, 2, 7_000]),
            [(1, 1), (2, 4), (5, 4_999), (5_000, 9_999)]
        );
    }

    proptest! {
        /// Every number is in one bin, and there are not too many.
        #[test]
        fn bins_hold_everything(
            mut numbers in prop::collection::vec(
                prop_oneof![any::<u64>(), 0..100_u64, Just(u64::MAX), 0..1_000_000_u64],
                1..50,
            ),
        ) {
            numbers.sort_unstable();
            for scale in [Scale::Linear, Scale::Logarithmic] {
                let bins = scale.bins(&numbers);
                prop_assert!((1..=MOST_BINS + 1).contains(&bins.len()));
                prop_assert!(bins.iter().all(|bin| bin.from <= bin.to));
                prop_assert!(bins.windows(2).all(|pair| pair[0].to + 1 == pair[1].from));
                prop_assert!(bins[0].from <= numbers[0]);
                let counts = count(&bins, &numbers);
                prop_assert_eq!(counts.iter().sum::<usize>(), numbers.len());
                prop_assert!(counts.windows(2).all(|pair| pair != [0, 0]));
            }
        }

        #[test]
        fn a_test_is_a_probability(one in 0..3000_usize, other in 0..3000_usize) {
            let p = sign_test(one, other);
            prop_assert!((0.0..=1.0).contains(&p));
            prop_assert!(p >= sign_test(one.min(other), one.max(other) + 1) || one == other);
        }
    }
}
