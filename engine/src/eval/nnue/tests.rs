//! Tests of the whole network.

use movegen::{Color, Piece, Position, Square};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::accumulator::Accumulators;
use super::features::FEATURES;
use super::layout::{BUCKETS, CENTIPAWNS, HIDDEN, ONE, OUTPUT_LIMIT, OUTPUT_ONE, Row};
use super::net::{BadNet, Net, VERSION};
use super::simd::Simd;

impl Net {
    fn random(seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut row = |limit: i16| Row(std::array::from_fn(|_| rng.random_range(-limit..=limit)));
        let inputs = (0..FEATURES).map(|_| row(60)).collect();
        let biases = row(100);
        let outputs = std::array::from_fn(|_| [row(OUTPUT_LIMIT), row(OUTPUT_LIMIT)]);
        Self {
            checksum: 0,
            inputs,
            biases,
            outputs,
            output_biases: std::array::from_fn(|_| rng.random_range(-9999..=9999)),
        }
    }
}

/// The evaluation as the documentation of the module defines it, in floating point.
fn by_definition(net: &Net, position: &Position) -> f64 {
    let sides = [position.turn(), !position.turn()].map(|side| {
        let mirrored = position.king(side).file() as usize >= 4;
        let mut sums = net.biases.0.map(f64::from);
        for square in position.occupied() {
            let piece = position.piece_at(square).expect("occupied");
            let mut seen = square;
            if side == Color::Black {
                seen = seen.flip_rank();
            }
            let seen = if mirrored {
                seen.index() ^ 7
            } else {
                seen.index()
            };
            let kind = 2 * piece.role() as usize + usize::from(piece.color() != side);
            for (sum, weight) in sums.iter_mut().zip(net.inputs[64 * kind + seen].0) {
                *sum += f64::from(weight);
            }
        }
        sums
    });
    let bucket = ((position.occupied().len() as usize - 2) / 4).min(7);
    let mut value = f64::from(net.output_biases[bucket]) / f64::from(ONE * OUTPUT_ONE);
    for (sums, weights) in sides.iter().zip(&net.outputs[bucket]) {
        for (sum, weight) in sums.iter().zip(weights.0) {
            let ramp = (sum / f64::from(ONE)).clamp(0.0, 1.0);
            value += ramp * ramp * f64::from(weight) / f64::from(OUTPUT_ONE);
        }
    }
    value * CENTIPAWNS as f64
}

/// Random games that return to earlier plies, skip evaluations and jump to distant boards. With
/// every version of the arithmetic, the incremental evaluation equals the one from scratch in plain
/// Rust, and is close to the definition.
#[test]
fn incremental_evaluation_equals_evaluation_from_scratch() {
    let versions = Simd::all();
    let mut rng = StdRng::seed_from_u64(4);
    for (seed, start) in (3..).zip([
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ]) {
        let net = Net::random(seed);
        let from_scratch =
            |position: &Position| Accumulators::with_simd(&net, versions[0]).evaluate(position, 0);
        let accumulators = versions
            .iter()
            .map(|&simd| Accumulators::with_simd(&net, simd));
        let mut accumulators: Vec<_> = accumulators.collect();
        let start: Position = start.parse().expect(start);
        let mut path = vec![start];
        for _ in 0..400 {
            let position = path[path.len() - 1];
            let moves = position.legal_moves();
            let Some(&mv) = moves.choose(&mut rng) else {
                path.truncate(1);
                continue;
            };
            let mut after = position;
            after.play(mv);
            path.push(after);
            if rng.random_bool(0.7) {
                let expected = from_scratch(&after);
                for (simd, accumulators) in versions.iter().zip(&mut accumulators) {
                    let found = accumulators.evaluate(&after, path.len() - 1);
                    assert_eq!(found, expected, "{simd:?}: {after}");
                }
                let exact = by_definition(&net, &after);
                assert!(
                    (f64::from(expected) - exact).abs() < 2.0,
                    "{after}: {expected}, {exact}"
                );
            }
            let back = rng.random_range(0..4) / 2;
            path.truncate((path.len() - back).max(1));
            if path.len() > 60 {
                path.truncate(1);
            }
        }
    }
}

#[test]
fn mirrored_positions_have_the_same_evaluation() {
    let net = Net::random(5);
    let position: Position = "3r2k1/p4p1p/1p4p1/2b5/2P2q2/1P1B1P1P/P3Q1P1/3R3K w - - 0 1"
        .parse()
        .expect("legal");
    let setup = position.setup();
    let (mut colours, mut wings) = (setup.clone(), setup.clone());
    for square in Square::all() {
        let piece = setup.board[square.index()];
        wings.board[square.index() ^ 7] = piece;
        colours.board[square.flip_rank().index()] =
            piece.map(|piece| Piece::new(!piece.color(), piece.role()));
    }
    colours.turn = !setup.turn;
    for other in [colours, wings] {
        let other = Position::from_setup(&other).expect("legal");
        assert_eq!(net.evaluate(&position), net.evaluate(&other));
    }
}

#[test]
fn damaged_files_are_refused() {
    let net = Net::random(1);
    let bytes = net.to_bytes();
    assert_eq!(bytes.len(), Net::SIZE);
    let read = Net::from_bytes(&bytes).expect("whole");
    assert_eq!(read.to_bytes(), bytes);
    assert_eq!(read.checksum().to_le_bytes(), bytes[bytes.len() - 4..]);
    assert_eq!(read.inputs, net.inputs);
    let refused = |bytes: &[u8]| Net::from_bytes(bytes).expect_err("refused");

    for length in [0, 7] {
        assert_eq!(refused(&bytes[..length]), BadNet::Foreign);
    }
    for length in [8, 19, 20, 1000, bytes.len() - 1] {
        let expected = BadNet::Length {
            found: length,
            expected: bytes.len(),
        };
        assert_eq!(refused(&bytes[..length]), expected);
    }
    let longer = [&bytes[..], b"x"].concat();
    assert!(matches!(refused(&longer), BadNet::Length { .. }));

    let changed = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        refused(&bytes)
    };
    assert_eq!(changed(0), BadNet::Foreign);
    let found = [VERSION, HIDDEN as u32 ^ 1, BUCKETS as u32];
    assert_eq!(changed(12), BadNet::Shape { found });
    for at in [20, 5000, bytes.len() - 9, bytes.len() - 1] {
        assert_eq!(changed(at), BadNet::Corrupt);
    }

    let mut heavy = Net::random(2);
    heavy.outputs[3][1].0[7] = -2048;
    assert_eq!(refused(&heavy.to_bytes()), BadNet::Weight { found: -2048 });
}
