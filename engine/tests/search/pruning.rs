//! Careful pruning makes the scores of shallow searches more accurate.

use epode_engine::{Limits, Pruning, Searcher};
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::search;
use super::surveys::random_game;

/// The mean distance from the scores of deeper searches, in points of a game.
#[test]
fn careful_pruning_makes_shallow_scores_more_accurate() {
    let mut rng = StdRng::seed_from_u64(23);
    let mut distances = [0.0; 2];
    for _ in 0..300 {
        let game = random_game(&mut rng);
        let score = |pruning, depth| {
            let mut searcher = Searcher::new(1);
            searcher.set_pruning(pruning);
            let (outcome, _) = search(&mut searcher, &game, &Limits::depth(depth));
            1.0 / (1.0 + (-f64::from(outcome.score.ce()) / 280.0).exp())
        };
        let deep = score(Pruning::Full, 8);
        let shallow = [Pruning::Full, Pruning::Careful].map(|pruning| score(pruning, 2));
        for (distance, shallow) in distances.iter_mut().zip(shallow) {
            *distance += (shallow - deep).abs() / 300.0;
        }
    }
    let [full, careful] = distances;
    println!("full {full:.4}, careful {careful:.4}");
    assert!(careful < 0.9 * full, "full {full:.4}, careful {careful:.4}");
}
