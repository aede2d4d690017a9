//! The search: every position of a suite to a fixed depth with an empty table, on one thread and,
//! deeper, on one and on two; the order in which moves are tried; and mates, proven and refuted.

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use engine::{Limits, MateSolver, PickerBench, Searcher, Signals};
use epode_benches::SUITE;
use movegen::Game;

/// Deep enough for the rate of nodes.
const DEPTH: usize = 8;
/// Deep enough for two threads to help each other.
const DEEP: usize = 13;

fn games() -> Vec<Game> {
    let record = |line: &str| line.parse::<epd::Record>().expect("an exact record");
    let game = |line| Game::new(record(line).position().expect("legal"));
    SUITE.lines().map(game).collect()
}

/// Searches every game; returns the nodes.
fn search_all(searcher: &mut Searcher, games: &[Game], depth: usize) -> u64 {
    let signals = Signals::default();
    let mut nodes = 0;
    for game in games {
        searcher.clear();
        nodes += searcher
            .search(game, &Limits::depth(depth), &signals, &mut |_| ())
            .nodes;
    }
    nodes
}

fn search(criterion: &mut Criterion) {
    let games = games();
    let mut searcher = Searcher::new(1);
    let nodes = search_all(&mut searcher, &games, DEPTH);
    let mut group = criterion.benchmark_group("search");
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    group.throughput(Throughput::Elements(nodes));
    group.bench_function("suite", |bencher| {
        bencher.iter(|| assert_eq!(search_all(&mut searcher, &games, DEPTH), nodes));
    });
    group.finish();
}

/// The time to a depth; with more threads the nodes differ from run to run.
fn threads(criterion: &mut Criterion) {
    let games = games();
    let mut group = criterion.benchmark_group("time to depth");
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    for threads in [1, 2] {
        let mut searcher = Searcher::new(64);
        searcher.set_threads(threads);
        group.bench_function(format!("{threads} threads"), |bencher| {
            bencher.iter(|| search_all(&mut searcher, &games, DEEP));
        });
    }
    group.finish();
}

fn picker(criterion: &mut Criterion) {
    let games = games();
    let picker = PickerBench::default();
    let all = || -> usize {
        let picked = games.iter().map(|game| picker.count(game.position()));
        picked.sum()
    };
    let mut group = criterion.benchmark_group("picker");
    group.throughput(Throughput::Elements(all() as u64));
    group.bench_function("suite", |bencher| bencher.iter(all));
    group.finish();
}

/// Is there a mate in three? Once there is.
fn mates(criterion: &mut Criterion) {
    const MOVES: usize = 3;
    let games = games();
    let mut solver = MateSolver::new(1).expect("little");
    let mut all = || -> u64 {
        let limits = Limits::default();
        let nodes = games.iter().map(|game| {
            solver.clear();
            let found = solver.solve(game.position(), MOVES, &limits, &Signals::default());
            found.nodes
        });
        nodes.sum()
    };
    let nodes = all();
    let mut group = criterion.benchmark_group("mates");
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    group.throughput(Throughput::Elements(nodes));
    group.bench_function("suite", |bencher| bencher.iter(|| assert_eq!(all(), nodes)));
    group.finish();
}

criterion_group!(benches, search, threads, picker, mates);
criterion_main!(benches);
