//! The leaves of the six well known positions, counted on one thread without a table, beside
//! `cozy-chess` with bulk counting.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use epode_benches::{PERFTS, Perft};
use movegen::Position;

/// The same for the peer, as its own example counts: the moves of the last ply are not played.
fn peer_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut leaves = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            leaves += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut after = board.clone();
                after.play_unchecked(mv);
                leaves += peer_perft(&after, depth - 1);
            }
            false
        });
    }
    leaves
}

fn perft(criterion: &mut Criterion) {
    for Perft {
        name,
        fen,
        depth,
        leaves,
    } in PERFTS
    {
        let mut group = criterion.benchmark_group(name);
        group
            .sampling_mode(SamplingMode::Flat)
            .throughput(Throughput::Elements(leaves));
        let position: Position = fen.parse().expect(fen);
        group.bench_function("epode", |bencher| {
            bencher.iter(|| assert_eq!(movegen::perft(black_box(&position), depth), leaves));
        });
        let board: cozy_chess::Board = fen.parse().expect(fen);
        group.bench_function("cozy-chess", |bencher| {
            bencher.iter(|| assert_eq!(peer_perft(black_box(&board), depth), leaves));
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    // One count takes up to a second, and each is like the other.
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(5));
    targets = perft
}
criterion_main!(benches);
