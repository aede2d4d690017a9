//! The statistics of a report: what a set of numbers is like, and exact tests. No records here.

use serde::Serialize;

/// What a set of numbers is like.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// How many there are.
    pub count: usize,
    pub least: u64,
    /// The one in the middle, or the mean of the two there.
    pub median: f64,
    pub mean: f64,
    pub most: u64,
}

impl Spread {
    /// None of no numbers. The numbers are in order.
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

/// The numbers that a bar of a histogram stands for, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    pub from: u64,
    pub to: u64,
}

/// How the widths of bins go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// All the same: 1, 2, 5, 10 ...
    Linear,
    /// From 1, 2, 5, 10 ... each to the next.
    Logarithmic,
}

/// More bins than these cannot be told from each other.
const MOST_BINS: usize = 30;

impl Scale {
    /// Bins that follow on each other and hold all of the numbers, which are in order; none for no
    /// numbers. The few that are far above all others share the last bin of a linear scale, and where
    /// nothing is, there is one bin and not a run of empty ones.
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

/// 1, 2, 5, 10, 20, 50 ... as far as numbers go.
pub fn round_numbers() -> impl Iterator<Item = u64> {
    let decades = std::iter::successors(Some(1_u64), |decade| decade.checked_mul(10));
    decades.flat_map(|decade| {
        [1, 2, 5]
            .into_iter()
            .filter_map(move |n| decade.checked_mul(n))
    })
}

/// How many numbers are in each bin.
pub fn count(bins: &[Bin], numbers: &[u64]) -> Vec<usize> {
    let mut counts = vec![0; bins.len()];
    for &number in numbers {
        counts[bins.partition_point(|bin| bin.to < number)] += 1;
    }
    counts
}

/// The probability that of two things, each as likely as the other, one happens so much more often
/// than the other or more, whichever it is: the exact two-sided sign test. On the positions that one
/// of two programs alone has solved it is the exact test for paired proportions
/// ([McNemar](https://doi.org/10.1007/BF02295996)).
pub fn sign_test(one: usize, other: usize) -> f64 {
    let (few, all) = (one.min(other), one + other);
    // The probability of exactly `few`, as a logarithm: it can be less than the least number.
    let choices = (1..=few).map(|i| ((all - few + i) as f64 / i as f64).ln());
    let probability = choices.sum::<f64>() - all as f64 * std::f64::consts::LN_2;
    // Those of fewer, as parts of it.
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

    /// The sums over binomial coefficients, by hand.
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
        // So many that a factorial has no number: the sum in whole numbers, divided at the end.
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
        // One mate that was found at a depth of 245.
        let mut depths = [[4; 50], [6; 50]].concat();
        depths.push(245);
        assert_eq!(starts(Scale::Linear, &depths), [(4, 4), (5, 5), (6, 245)]);
        // Most at once, and one that took very long.
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
