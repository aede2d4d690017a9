//! Statistics against numbers that were computed otherwise.
//!
//! How the expected numbers were obtained, unless a test says more: by a program in another language
//! that writes every observation out, takes mean and population variance of the list, and has its
//! normal distribution from its standard library.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;
use crate::core::sprt::{Sample, Sprt, SprtState};

/// The same cases every time, unless the environment asks for others.
fn config() -> ProptestConfig {
    let mut config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(0x0E90_DE05);
    }
    config
}

#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{found}, expected {expected}"
    );
}

fn games(wins: usize, draws: usize, losses: usize) -> Tally {
    Tally {
        wins,
        draws,
        losses,
        pairs: [0; 5],
    }
}

/// Pairs, and the games of which they can consist.
fn pairs(pairs: [usize; 5]) -> Tally {
    let [ll, ld, dd, wd, ww] = pairs;
    Tally {
        wins: wd + 2 * ww,
        draws: ld + 2 * dd + wd,
        losses: 2 * ll + ld,
        pairs,
    }
}

/// The `nElo` of fastchess for pairs: 800 / ln 10 = 347.435 585 times the lead over the square root of
/// twice the variance of a pair's mean score.
#[test]
fn normalised_elo() {
    let tally = pairs([10, 20, 40, 14, 16]);
    let mean = (20.0 * 0.25 + 40.0 * 0.5 + 14.0 * 0.75 + 16.0) / 100.0;
    near(tally.score().expect("games"), mean, 1e-12);
    let squares = [
        (10.0, 0.0),
        (20.0, 0.25),
        (40.0, 0.5),
        (14.0, 0.75),
        (16.0, 1.0),
    ];
    let variance: f64 = squares
        .iter()
        .map(|(count, score)| count / 100.0 * (score - mean) * (score - mean))
        .sum();
    let elo = tally.normalized_elo().expect("finite");
    near(
        elo.difference,
        347.435_585 * (mean - 0.5) / (2.0 * variance).sqrt(),
        1e-6,
    );
    // 1.96 x 347.435 585 / sqrt(200)
    near(elo.error.expect("finite"), 48.150_842, 1e-2);
    assert_eq!(games(3, 0, 0).normalized_elo(), None);
}

/// Wald's approximations: with alpha = beta = 5% the bounds are +-2.944, and a game moves the ratio by
/// (s1 - s0)^2 / (2 x variance) on average under either hypothesis.
#[test]
fn how_long_a_test_takes() {
    let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05).expect("a test");
    let expected = sprt.expected_games(0.5);
    // s1 - s0 = 0.0071945, variance 0.125: 0.00020704 a game; 0.9 x 2.944439 / 0.00020704.
    near(expected.at0, 12_799.0, 5.0);
    near(expected.at1, expected.at0, 1e-6);
    // 2.944439^2 / (2 x 0.00020704)
    near(expected.between, 20_937.0, 10.0);
    let text = sprt.to_string();
    assert!(
        text.contains("+5 Elo or +0 Elo") && text.contains("5% of wrong answers"),
        "{text}"
    );
}

/// 400 log10(0.6 / 0.4) = 400 log10(1.5) = 400 x 0.17609126.
#[test]
fn sixty_per_cent() {
    near(elo_of(0.6).expect("finite"), 70.436_504, 1e-6);
    near(expected_score(70.436_503_622), 0.6, 1e-12);
    near(expected_score(400.0), 10.0 / 11.0, 1e-12);
    near(expected_score(0.0), 0.5, 0.0);
    assert_eq!((elo_of(0.0), elo_of(1.0), elo_of(1.1)), (None, None, None));
}

/// 40 wins, 40 draws, 20 losses: variance 0.4 x 0.16 + 0.4 x 0.01 + 0.2 x 0.36 = 0.14, standard
/// error sqrt(0.14 / 100) = 0.0374166, so that the 95% interval is 0.6 -+ 0.0733351.
#[test]
fn trinomial() {
    let tally = games(40, 40, 20);
    near(tally.standard_error().expect("games"), 0.037_416_6, 1e-7);
    let elo = tally.elo().expect("finite");
    near(elo.difference, 70.436_504, 1e-6);
    near(elo.error.expect("finite"), 53.552_651_091, 1e-6);
    near(tally.los().expect("games"), 0.996_236_842_417, 1e-12);
}

#[test]
fn pentanomial() {
    let tally = pairs([2, 10, 40, 38, 10]);
    assert_eq!(tally.games(), 200);
    near(tally.score().expect("games"), 0.61, 1e-15);
    let elo = tally.elo().expect("finite");
    near(elo.difference, 77.706_091_194, 1e-6);
    near(elo.error.expect("finite"), 31.420_981_272, 1e-6);
    near(tally.los().expect("games"), 0.999_999_749_629, 1e-12);
}

/// Four pairs of two half points and two single games, a win and a loss: the pairs add no variance,
/// each single game that of all ten games, (1 x 0.25 + 1 x 0.25) / 10 = 0.05; in all
/// sqrt(2 x 0.05) / 10.
#[test]
fn pairs_and_single_games() {
    let mut tally = pairs([0, 0, 4, 0, 0]);
    tally.add_game(2);
    tally.add_game(0);
    near(
        tally.standard_error().expect("games"),
        0.1_f64.sqrt() / 10.0,
        1e-15,
    );
    near(tally.los().expect("games"), 0.5, 0.0);
}

#[test]
fn without_games_and_without_losses() {
    let none = Tally::default();
    assert_eq!((none.score(), none.elo(), none.los()), (None, None, None));
    let perfect = games(3, 0, 0);
    assert_eq!((perfect.elo(), perfect.los()), (None, Some(1.0)));
    assert_eq!(games(0, 0, 2).los(), Some(0.0));
    assert_eq!(games(0, 2, 0).los(), Some(0.5));
    // 5 1/2 of 6: the interval goes beyond the best score.
    let elo = games(5, 1, 0).elo().expect("finite");
    assert_eq!(elo.error, None);
}

#[test]
fn normal_distribution() {
    for (x, expected) in [
        (-3.0, 0.001_349_898_031_630_095_7),
        (-1.0, 0.158_655_253_931_457_07),
        (-0.1, 0.460_172_162_722_971),
        (0.0, 0.5),
        (0.5, 0.691_462_461_274_013_1),
        (1.96, 0.975_002_104_851_779_5),
        (2.5, 0.993_790_334_674_223_8),
        (6.0, 0.999_999_999_013_412_3),
        (9.0, 1.0),
        (-9.0, 0.0),
    ] {
        near(normal_cdf(x), expected, 2e-15);
    }
    near(normal_cdf(Z95), 0.975, 2e-15);
}

/// The expected ratios are differences of two maxima, each found by climbing: from the binomial
/// distribution of the given mean, three probabilities at a time are moved along the line that keeps
/// their sum and mean, to the best point of it, until nothing improves. (No secular equation.)
#[test]
fn log_likelihood_ratios() {
    let sprt = |elo0, elo1| Sprt::new(elo0, elo1, 0.05, 0.05).expect("a test");
    for (counts, elo0, elo1, expected) in [
        ([2, 10, 40, 38, 10], 0.0, 5.0, 1.146_213_070),
        ([40, 800, 2000, 960, 60], 0.0, 5.0, 7.444_865_067),
        ([40, 800, 2000, 960, 60], -3.0, 1.0, 9.136_675_426),
        ([0, 3, 10, 5, 0], 0.0, 10.0, 0.193_151_141),
        ([10, 20, 15, 0, 0], 0.0, 100.0, -14.790_549_355),
    ] {
        near(
            sprt(elo0, elo1).log_likelihood_ratio(&counts),
            expected,
            1e-6,
        );
    }
    near(
        sprt(0.0, 5.0).log_likelihood_ratio(&[200, 500, 300]),
        2.674_719_314,
        1e-6,
    );
    near(
        sprt(0.0, 5.0).log_likelihood_ratio(&[300, 500, 200]),
        -3.080_599_774,
        1e-6,
    );
}

/// With as many decisions at 0.05 either way the bounds are -+ ln 19 = 2.944439.
#[test]
fn a_test_stops() {
    let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05).expect("a test");
    let state = |tally: &Tally, sample| sprt.report(tally, sample).state;
    assert_eq!(
        state(&games(300, 500, 200), Sample::Games),
        SprtState::Continue
    );
    assert_eq!(
        state(&games(330, 500, 170), Sample::Games),
        SprtState::AcceptH1
    );
    assert_eq!(
        state(&games(200, 500, 300), Sample::Games),
        SprtState::AcceptH0
    );
    // None of these games is in a pair.
    let report = sprt.report(&games(330, 500, 170), Sample::Pairs);
    assert_eq!((report.llr, report.state), (0.0, SprtState::Continue));
    near(report.upper, 2.944_438_979, 1e-9);
    near(report.lower, -2.944_438_979, 1e-9);
}

#[test]
fn parameters_that_make_no_test() {
    for (elo0, elo1) in [
        (5.0, 5.0),
        (5.0, 0.0),
        (f64::NAN, 1.0),
        (0.0, f64::INFINITY),
    ] {
        assert!(Sprt::new(elo0, elo1, 0.05, 0.05).is_err());
    }
    for (alpha, beta) in [(0.0, 0.05), (0.05, -0.1), (0.5, 0.5), (f64::NAN, 0.1)] {
        assert!(Sprt::new(0.0, 5.0, alpha, beta).is_err());
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn scores_and_elo_are_inverse(elo in -1000.0..1000.0_f64) {
        let back = elo_of(expected_score(elo)).expect("finite");
        prop_assert!((back - elo).abs() < 1e-8);
    }

    /// What is won by one is lost by the other.
    #[test]
    fn statistics_are_symmetric(counts in proptest::array::uniform5(0_usize..1000)) {
        let mut reversed = counts;
        reversed.reverse();
        let (ours, theirs) = (pairs(counts), pairs(reversed));
        if let (Some(ours), Some(theirs)) = (ours.elo(), theirs.elo()) {
            prop_assert!((ours.difference + theirs.difference).abs() < 1e-6);
            let errors = (ours.error.unwrap_or(0.0), theirs.error.unwrap_or(0.0));
            prop_assert!((errors.0 - errors.1).abs() < 1e-6);
        }
        if let (Some(ours), Some(theirs)) = (ours.los(), theirs.los()) {
            prop_assert!((ours + theirs - 1.0).abs() < 1e-12);
        }
        let sprt = Sprt::new(-5.0, 5.0, 0.05, 0.05).expect("a test");
        let sum = sprt.log_likelihood_ratio(&counts) + sprt.log_likelihood_ratio(&reversed);
        prop_assert!(sum.abs() < 1e-7, "{}", sum);
    }

    /// A better result never speaks for the weaker hypothesis.
    #[test]
    fn the_ratio_rises_with_the_score(
        counts in proptest::array::uniform5(0_usize..100), from in 0_usize..4, elo0 in -50.0..50.0_f64,
    ) {
        prop_assume!(counts[from] > 1 && counts[from + 1] > 0);
        let mut better = counts;
        better[from] -= 1;
        better[from + 1] += 1;
        let sprt = Sprt::new(elo0, elo0 + 5.0, 0.05, 0.05).expect("a test");
        let (before, after) = (sprt.log_likelihood_ratio(&counts), sprt.log_likelihood_ratio(&better));
        prop_assert!(after > before - 1e-9, "{} then {}", before, after);
    }
}
