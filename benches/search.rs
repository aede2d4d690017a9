//! The search: every position of a suite to a fixed depth, on one thread with an empty table.

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use engine::{Limits, Searcher};
use epode_benches::SUITE;
use movegen::Game;

const DEPTH: usize = 8;

/// Searches every game; returns the nodes.
fn search_all(searcher: &mut Searcher, games: &[Game]) -> u64 {
    let signals = engine::Signals::default();
    let mut nodes = 0;
    for game in games {
        searcher.clear();
        nodes += searcher
            .search(game, &Limits::depth(DEPTH), &signals, &mut |_| ())
            .nodes;
    }
    nodes
}

fn search(criterion: &mut Criterion) {
    let games: Vec<Game> = SUITE
        .lines()
        .map(|line| {
            let record: epd::Record = line.parse().expect("an exact record");
            Game::new(record.position().expect("legal"))
        })
        .collect();
    let mut searcher = Searcher::new(1);
    let nodes = search_all(&mut searcher, &games);
    let mut group = criterion.benchmark_group("search");
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    group.throughput(Throughput::Elements(nodes));
    group.bench_function("suite", |bencher| {
        bencher.iter(|| assert_eq!(search_all(&mut searcher, &games), nodes));
    });
    group.finish();
}

criterion_group!(benches, search);
criterion_main!(benches);
