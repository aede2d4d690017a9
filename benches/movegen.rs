//! Legal moves in a list, each of them played on a copy, and both together, beside `cozy-chess`.

use std::hint::black_box;

use arrayvec::ArrayVec;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use epode_benches::POSITIONS;
use movegen::{MAX_MOVES, MoveGenKind, MoveList, Position};

/// Our list's type, so that the two differ in nothing but their moves.
type PeerList = ArrayVec<cozy_chess::Move, MAX_MOVES>;

fn ours() -> Vec<(Position, MoveList)> {
    let position = |fen: &str| fen.parse::<Position>().expect(fen);
    POSITIONS
        .map(position)
        .map(|position| (position, position.legal_moves()))
        .into()
}

fn peers() -> Vec<(cozy_chess::Board, PeerList)> {
    let board = |fen: &str| fen.parse::<cozy_chess::Board>().expect(fen);
    POSITIONS
        .map(board)
        .map(|board| {
            let mut list = PeerList::new();
            peer_moves(&board, &mut list);
            (board, list)
        })
        .into()
}

#[inline]
fn peer_moves(board: &cozy_chess::Board, list: &mut PeerList) {
    list.clear();
    board.generate_moves(|moves| {
        for mv in moves {
            debug_assert!(!list.is_full());
            // SAFETY: none of the positions has so many moves. Ours does without the check too.
            unsafe { list.push_unchecked(mv) }
        }
        false
    });
}

/// The number of moves of all positions, on which both must agree.
fn total() -> Throughput {
    let moves: usize = ours().iter().map(|(_, list)| list.len()).sum();
    let peer_moves: usize = peers().iter().map(|(_, list)| list.len()).sum();
    assert_eq!(moves, peer_moves);
    Throughput::Elements(moves as u64)
}

fn list(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("list");
    group.throughput(total());
    group.bench_function("epode", |bencher| {
        let positions = ours();
        let mut list = MoveList::new();
        bencher.iter(|| {
            for (position, _) in &positions {
                black_box(position).moves(MoveGenKind::All, &mut list);
                black_box(&list);
            }
        });
    });
    group.bench_function("cozy-chess", |bencher| {
        let boards = peers();
        let mut list = PeerList::new();
        bencher.iter(|| {
            for (board, _) in &boards {
                peer_moves(black_box(board), &mut list);
                black_box(&list);
            }
        });
    });
    group.finish();
}

fn play(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("play");
    group.throughput(total());
    group.bench_function("epode", |bencher| {
        let positions = ours();
        bencher.iter(|| {
            for (position, list) in &positions {
                for &mv in list {
                    let mut after = *position;
                    after.play_unchecked(mv);
                    black_box(&after);
                }
            }
        });
    });
    group.bench_function("cozy-chess", |bencher| {
        let boards = peers();
        bencher.iter(|| {
            for (board, list) in &boards {
                for &mv in list {
                    let mut after = board.clone();
                    after.play_unchecked(mv);
                    black_box(&after);
                }
            }
        });
    });
    group.finish();
}

/// What a search does. The peer looks for checks and pins while it plays, we while we generate, so
/// that only the sum compares like with like.
fn play_and_list(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("play-and-list");
    group.throughput(total());
    group.bench_function("epode", |bencher| {
        let positions = ours();
        let mut replies = MoveList::new();
        bencher.iter(|| {
            for (position, list) in &positions {
                for &mv in list {
                    let mut after = *position;
                    after.play_unchecked(mv);
                    after.moves(MoveGenKind::All, &mut replies);
                    black_box((&after, &replies));
                }
            }
        });
    });
    group.bench_function("cozy-chess", |bencher| {
        let boards = peers();
        let mut replies = PeerList::new();
        bencher.iter(|| {
            for (board, list) in &boards {
                for &mv in list {
                    let mut after = board.clone();
                    after.play_unchecked(mv);
                    peer_moves(&after, &mut replies);
                    black_box((&after, &replies));
                }
            }
        });
    });
    group.finish();
}

criterion_group!(benches, list, play, play_and_list);
criterion_main!(benches);
