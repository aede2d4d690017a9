//! The trainer against the engine, against difference quotients, and on data that it can learn.

use movegen::{Color, Position, Role};
use rand::seq::IndexedRandom;

use super::weights::TILE;
use super::*;
use crate::data_point::{DataPoint, GameResult};

const PIECE_VALUES: [i32; 5] = [100, 320, 330, 500, 950];

/// Positions of random games, with the material balance as score.
fn stored(seed: u64, count: usize) -> Vec<u8> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut position = Position::start();
    let mut bytes = Vec::new();
    while bytes.len() < count * DataPoint::SIZE {
        let moves = position.legal_moves();
        let Some(&mv) = moves.choose(&mut rng) else {
            position = Position::start();
            continue;
        };
        position.play(mv);
        let material = |color| -> i32 {
            let roles = Role::ALL.into_iter().zip(PIECE_VALUES);
            roles
                .map(|(role, value)| position.pieces(color, role).len() as i32 * value)
                .sum()
        };
        let data_point = DataPoint {
            position,
            score: (material(Color::White) - material(Color::Black)) as i16,
            result: Some(GameResult::Draw),
            ply: 0,
        };
        bytes.extend(data_point.to_bytes());
    }
    bytes
}

fn some(number: usize) -> NonZeroUsize {
    NonZeroUsize::new(number).expect("at least one")
}

/// A network converted to weights and back is the same.
#[test]
fn weights_are_those_of_the_network() {
    let net = Net::built_in();
    assert_eq!(Weights::from(&*net).to_net(), *net);
}

/// Neurons that are added to a network do not change its outputs at first, but they learn.
#[test]
fn new_neurons_learn() {
    const OLD: usize = HIDDEN - 10;
    let mut weights = Weights::from(&*Net::built_in());
    for row in 0..ROWS {
        weights.row_mut(row).skip(OLD).for_each(|new| *new = 0.0);
    }
    let narrow = weights.to_net();
    let bytes = stored(8, 2000);
    let data = Trainer::data_points(&bytes).expect("sound");
    let training = Training {
        epochs: some(1),
        batch: some(20),
        ..Training::default()
    };
    let mut trainer = Trainer::new(training, data, Some(&narrow));
    let initial = trainer.net();
    for stored in data {
        let position = DataPoint::from_bytes(stored).expect("sound").position;
        assert_eq!(initial.evaluate(&position), narrow.evaluate(&position));
    }
    let inputs = |net: &Net| -> Vec<_> {
        let rows = net.rows().take(FEATURES);
        rows.map(|row| row[OLD..].to_vec()).collect()
    };
    assert_ne!(inputs(&initial), inputs(&narrow));
    trainer.epoch(&mut |_| ());
    let learned = trainer.net();
    let outputs: Vec<_> = learned.rows().skip(FEATURES + 1).collect();
    for n in OLD..HIDDEN {
        assert!(outputs.iter().any(|row| row[n] != 0), "{n}");
    }
}

/// The trainer and the engine evaluate alike, except for rounding.
#[test]
fn the_trainer_and_the_engine_agree() {
    let net = Net::built_in();
    let bytes = stored(1, 2000);
    let data = Trainer::data_points(&bytes).expect("sound");
    let trainer = Trainer::new(Training::default(), data, Some(&net));
    let groups = data.len().div_ceil(GROUP) as u32;
    let batch = trainer.read(&(0..groups).collect::<Vec<_>>());
    for (stored, trained) in data.iter().zip(trainer.outputs(&batch)) {
        let position = DataPoint::from_bytes(stored).expect("sound").position;
        let played = net.evaluate(&position) as f32 / engine::layout::CENTIPAWNS as f32;
        assert!(
            (played - trained).abs() < 0.01,
            "{position}: {played}, {trained}"
        );
    }
}

/// Each component of the gradient is the difference quotient of the loss. Where a neuron is at an end of its
/// ramp, the quotients to both sides differ, and the component lies between them.
#[test]
fn gradients_are_slopes() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let bytes = stored(3, 40);
    let data = Trainer::data_points(&bytes).expect("sound");
    let mut trainer = Trainer::new(Training::default(), data, Some(&Net::built_in()));
    let mut seen = 0;
    for stored in data {
        let example = Example::read(stored, 0.1).expect("sound");
        let batch = [Group::new(std::slice::from_ref(&example))];
        let outputs = trainer.outputs(&batch);
        let slope = Error::new((&example.label, outputs[0])).slope();
        let tiles = trainer.weights.tiles.iter();
        let gradients = tiles.map(|tile| pass::backward(tile, &batch, &[slope]));
        let gradients: Vec<_> = gradients.collect();
        for _ in 0..50 {
            let row = if rng.random() {
                let side = Color::ALL[rng.random_range(0..2)];
                *example.inputs(side).choose(&mut rng).expect("kings") as usize
            } else {
                rng.random_range(0..ROWS)
            };
            let n = rng.random_range(0..HIDDEN);
            let (tile, n) = (n / TILE, n % TILE);
            let mut loss_with = |by: f32| {
                let before = trainer.weights.tiles[tile].rows[row].0[n];
                trainer.weights.tiles[tile].rows[row].0[n] = before + by;
                let output = trainer.outputs(&batch)[0];
                trainer.weights.tiles[tile].rows[row].0[n] = before;
                Error::new((&example.label, output)).loss()
            };
            let step = 1.0 / 256.0;
            let here = loss_with(0.0);
            let sides = [step, -step].map(|by| (loss_with(by) - here) / f64::from(by));
            let told = f64::from(gradients[tile].rows[row].0[n]);
            let tolerance = 2e-3 + 0.05 * told.abs();
            let (least, most) = (sides[0].min(sides[1]), sides[0].max(sides[1]));
            assert!(
                (least - tolerance..=most + tolerance).contains(&told),
                "{sides:?}, {told}"
            );
            seen += usize::from(told.abs() > 1e-3);
        }
    }
    assert!(seen > 80, "{seen}");
}

/// The outputs and the gradient of groups are those of their examples, each alone: in games, where positions
/// differ in a few pieces, across the ends of games, and where kings turn the board.
#[test]
fn groups_are_the_sum_of_their_examples() {
    let bytes = stored(9, 40 * GROUP + 5);
    let data = Trainer::data_points(&bytes).expect("sound");
    let examples = data.iter().map(|stored| Example::read(stored, 0.1));
    let examples: Vec<_> = examples.map(|example| example.expect("sound")).collect();
    let turned = examples
        .chunks(GROUP)
        .flat_map(|group| group.windows(2))
        .filter(|pair| !pair[0].is_seen_like(&pair[1], Color::White));
    assert!(turned.count() > 3);
    let slopes: Vec<_> = (0..examples.len()).map(|n| (n % 7) as f32 - 3.0).collect();
    // With the integers of a network, sums can be at an end of the ramp but for rounding.
    let tile = &random_weights(&mut ChaCha8Rng::seed_from_u64(10)).tiles[3];
    let pass = |batch: &[Group]| {
        let outputs = pass::forward(tile, batch);
        (outputs, pass::backward(tile, batch, &slopes))
    };
    let groups: Vec<_> = examples.chunks(GROUP).map(Group::new).collect();
    let alone: Vec<_> = examples.chunks(1).map(Group::new).collect();
    let ((outputs, gradient), (expected, sum)) = (pass(&groups), pass(&alone));
    assert_eq!(outputs.len(), examples.len());
    for (found, expected) in outputs.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-4, "{found}, {expected}");
    }
    for (row, expected) in gradient.rows.iter().zip(&*sum.rows) {
        for (found, expected) in row.0.iter().zip(&expected.0) {
            let tolerance = 1e-3 * expected.abs().max(1.0);
            assert!((found - expected).abs() < tolerance, "{found}, {expected}");
        }
    }
}

#[test]
fn any_number_of_threads_trains_the_same() {
    let bytes = stored(4, 3000);
    let data = Trainer::data_points(&bytes).expect("sound");
    let nets = [1, 2, 3, 20].map(|threads| {
        let training = Training {
            batch: some(500),
            threads: some(threads),
            ..Training::default()
        };
        let mut trainer = Trainer::new(training, data, None);
        let losses = [0; 2].map(|_| trainer.epoch(&mut |_| ()));
        (trainer.net().to_bytes(), losses)
    });
    assert!(nets.iter().all(|net| *net == nets[0]));
    assert_ne!(nets[0].0, Net::built_in().to_bytes());
}

#[test]
fn the_loss_falls() {
    let bytes = stored(5, 4 * VALIDATION_BLOCKS * BLOCK * GROUP / 10);
    let data = Trainer::data_points(&bytes).expect("sound");
    let training = Training {
        epochs: some(3),
        batch: some(256),
        threads: some(2),
        ..Training::default()
    };
    let mut trainer = Trainer::new(training, data, None);
    let (training, validation) = trainer.sizes();
    assert_eq!(training + validation, data.len());
    let mut told = 0;
    let losses: Vec<_> = (0..3).map(|_| trainer.epoch(&mut |n| told += n)).collect();
    assert_eq!(told, 3 * training);
    assert!(losses[2].training < losses[0].training / 4.0, "{losses:?}");
    assert!(losses[2].training < 0.002, "{losses:?}");
}

#[test]
fn without_a_result_the_target_is_the_score() {
    let bytes = stored(7, 20);
    for stored in bytes.as_chunks().0 {
        let with = |result, wdl_weight| {
            let mut stored = *stored;
            stored[27] = result;
            let example = Example::read(&stored, wdl_weight).expect("sound");
            example.label.target.to_bits()
        };
        assert_eq!(with(3, 0.9), with(2, 0.0));
        assert_ne!(with(3, 0.9), with(2, 0.9));
    }
}

#[test]
fn the_first_bad_data_point_is_named() {
    let bytes = stored(6, 10);
    assert_eq!(Trainer::data_points(&bytes[..9 * 32 + 5]), Err(9));
    assert_eq!(Trainer::data_points(&[]).map(<[_]>::len), Ok(0));
    for (at, byte) in [(0, 0xFF), (8, 0xFF), (8, 0x55), (27, 4)] {
        let mut bad = bytes.clone();
        bad[4 * 32 + at] = byte;
        if at == 0 {
            bad[4 * 32..4 * 32 + 8].fill(0xFF);
        }
        assert_eq!(Trainer::data_points(&bad), Err(4), "{at}");
    }
}
