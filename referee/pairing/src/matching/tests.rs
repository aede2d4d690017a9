//! The matching against brute force.

#![allow(clippy::needless_range_loop)]

use super::Matcher;
use crate::wide::Wide;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

type Weights = Vec<Vec<u64>>;

fn wide(value: u64) -> Wide<2> {
    let mut wide = Wide::ZERO;
    // Across both words.
    wide.add_at(50, value);
    wide
}

/// The greatest sum of weights, by trying all matchings of the vertices in `left`.
fn brute_force(weights: &Weights, left: u32) -> u64 {
    if left == 0 {
        return 0;
    }
    let first = left.trailing_zeros() as usize;
    let rest = left & (left - 1);
    let mut best = brute_force(weights, rest);
    for second in (0..weights.len()).filter(|second| rest >> second & 1 == 1) {
        if weights[first][second] > 0 {
            best = best.max(weights[first][second] + brute_force(weights, rest & !(1 << second)));
        }
    }
    best
}

fn sum(matcher: &Matcher<2>, weights: &Weights) -> u64 {
    (0..weights.len())
        .filter_map(|vertex| matcher.mate(vertex).map(|mate| (vertex, mate)))
        .inspect(|&(vertex, mate)| assert_eq!(matcher.mate(mate), Some(vertex)))
        .map(|(vertex, mate)| {
            assert!(
                weights[vertex][mate] > 0,
                "matched by an edge that is not there"
            );
            weights[vertex][mate]
        })
        .sum::<u64>()
        / 2
}

fn random_weight(random: &mut StdRng, density: f64, limit: u64) -> u64 {
    if random.random_bool(density) {
        random.random_range(1..=limit)
    } else {
        0
    }
}

#[test]
fn equals_brute_force_while_weights_change() {
    for seed in 0..3_000 {
        let mut random = StdRng::seed_from_u64(seed);
        let size = random.random_range(1..=12);
        let density = random.random_range(0.2..1.0);
        let limit = [1, 3, 10, 1000][random.random_range(0..4)];
        let mut weights = vec![vec![0; size]; size];
        let mut matcher = Matcher::new(size);
        for round in 0..6 {
            for first in 0..size {
                for second in 0..first {
                    if round == 0 || random.random_bool(0.1) {
                        let weight = random_weight(&mut random, density, limit);
                        weights[first][second] = weight;
                        weights[second][first] = weight;
                        matcher.set(first, second, wide(weight));
                    }
                }
            }
            matcher.solve();
            let best = brute_force(&weights, (1 << size) - 1);
            assert_eq!(
                sum(&matcher, &weights),
                best,
                "seed {seed}, round {round}: {weights:?}"
            );
        }
    }
}

#[test]
fn mates_that_retire_leave_the_rest_optimal() {
    for seed in 0..1_000 {
        let mut random = StdRng::seed_from_u64(seed);
        let size = 10;
        let mut weights = vec![vec![0; size]; size];
        let mut matcher = Matcher::new(size);
        for first in 0..size {
            for second in 0..first {
                weights[first][second] = random_weight(&mut random, 0.7, 6);
                weights[second][first] = weights[first][second];
                matcher.set(first, second, wide(weights[first][second]));
            }
        }
        matcher.solve();
        let mut left: u32 = (1 << size) - 1;
        let mut retired = 0;
        for vertex in 0..size {
            if let Some(mate) = matcher.mate(vertex).filter(|&mate| mate > vertex) {
                matcher.retire(vertex, mate);
                retired += weights[vertex][mate];
                left &= !(1 << vertex | 1 << mate);
                matcher.solve();
                assert_eq!(
                    sum(&matcher, &weights),
                    retired + brute_force(&weights, left),
                    "seed {seed}"
                );
            }
        }
    }
}
