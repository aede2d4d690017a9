//! Positions and moves as text: read and written, one after the other.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use epode_benches::{POSITIONS, SUITE};
use movegen::{Move, Position, San, Setup, Word, san, words};

/// The four position fields of each record of the suite.
fn fields() -> Vec<[Word<'static>; 4]> {
    let four = |line| {
        let mut words = words(line);
        [(); 4].map(|()| words.next().expect("four fields"))
    };
    SUITE.lines().map(four).collect()
}

fn setups() -> Vec<Setup> {
    let setup = |fields| Setup::from_fields(fields).expect("readable");
    fields().into_iter().map(setup).collect()
}

/// Every legal move of the positions that searches meet.
fn moves() -> Vec<(Position, Move)> {
    let moves = |fen: &str| {
        let position: Position = fen.parse().expect(fen);
        position
            .legal_moves()
            .into_iter()
            .map(move |mv| (position, mv))
    };
    POSITIONS.into_iter().flat_map(moves).collect()
}

fn positions(criterion: &mut Criterion) {
    let (fields, setups) = (fields(), setups());
    let mut group = criterion.benchmark_group("position");
    group.throughput(Throughput::Elements(setups.len() as u64));
    group.bench_function("read", |bencher| {
        bencher.iter(|| {
            for &fields in &fields {
                black_box(Setup::from_fields(black_box(fields)).expect("readable"));
            }
        });
    });
    group.bench_function("check", |bencher| {
        bencher.iter(|| {
            for setup in &setups {
                black_box(Position::from_setup(black_box(setup)).expect("legal"));
            }
        });
    });
    group.bench_function("write", |bencher| {
        bencher.iter(|| {
            for setup in &setups {
                black_box(black_box(setup).fields());
            }
        });
    });
    group.finish();
}

fn san(criterion: &mut Criterion) {
    let exact: Vec<(Position, San)> = moves()
        .into_iter()
        .map(|(position, mv)| (position, San::of(&position, mv)))
        .collect();
    let coordinates: Vec<(Position, String)> = moves()
        .into_iter()
        .map(|(position, mv)| (position, mv.to_string()))
        .collect();
    let mut group = criterion.benchmark_group("san");
    group.throughput(Throughput::Elements(exact.len() as u64));
    group.bench_function("read", |bencher| {
        bencher.iter(|| {
            for (position, text) in &exact {
                black_box(san::parse(black_box(position), text).expect("exact"));
            }
        });
    });
    group.bench_function("parse_lenient", |bencher| {
        bencher.iter(|| {
            for (position, text) in &coordinates {
                black_box(san::parse_lenient(black_box(position), text).expect("legal"));
            }
        });
    });
    group.bench_function("write", |bencher| {
        let moves = moves();
        bencher.iter(|| {
            for (position, mv) in &moves {
                black_box(San::of(black_box(position), *mv));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, positions, san);
criterion_main!(benches);
