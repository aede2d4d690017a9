//! Records of EPD: read, checked for legality, and written, one after the other.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use epode_benches::SUITE;

fn records(criterion: &mut Criterion) {
    let lines: Vec<&str> = SUITE.lines().collect();
    let parsed: Vec<epd::Record> = lines
        .iter()
        .map(|line| line.parse().expect("an exact record"))
        .collect();
    let mut group = criterion.benchmark_group("records");
    group.throughput(Throughput::Elements(lines.len() as u64));
    group.bench_function("read", |bencher| {
        bencher.iter(|| {
            for line in &lines {
                let record = epd::read(black_box(line), &mut Vec::new());
                black_box(record.expect("readable"));
            }
        });
    });
    group.bench_function("check", |bencher| {
        bencher.iter(|| {
            for record in &parsed {
                assert!(epd::check(black_box(record), &epd::Lexicon::standard()).is_empty());
            }
        });
    });
    group.bench_function("write", |bencher| {
        bencher.iter(|| {
            for record in &parsed {
                black_box(black_box(record).to_string());
            }
        });
    });
    group.finish();
}

criterion_group!(benches, records);
criterion_main!(benches);
