//! Playing at less than full strength (`UCI_LimitStrength`, `--elo`).

use engine::{Limits, Outcome, Progress, Score, Searcher, Signals};
use movegen::{Game, Move};

/// How a level plays, with its rating on the scale of Stockfish's `UCI_Elo`.
struct Level {
    elo: u32,
    /// Nodes for a move.
    nodes: u64,
    /// The standard deviation of what is added to the score of each move, in centipawns. Without it, a
    /// search of few nodes would play the first moves of the move order, which no player would.
    noise: f64,
}

const fn level(elo: u32, nodes: u64, noise: f64) -> Level {
    Level { elo, nodes, noise }
}

/// The levels, the weakest first. The README of the engine has the matches that measured the ratings.
const LEVELS: [Level; 15] = [
    level(690, 500, 600.0),
    level(830, 500, 400.0),
    level(1040, 500, 250.0),
    level(1340, 500, 120.0),
    level(1540, 500, 60.0),
    level(1710, 500, 20.0),
    level(1780, 128, 0.0),
    level(1820, 256, 0.0),
    level(1890, 512, 0.0),
    level(1970, 1024, 0.0),
    level(2060, 2048, 0.0),
    level(2160, 4096, 0.0),
    level(2270, 8192, 0.0),
    level(2360, 16_384, 0.0),
    level(2430, 32_768, 0.0),
];

/// A strength below the full one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    nodes: u64,
    noise: f64,
}

impl Strength {
    pub const MIN_ELO: u32 = LEVELS[0].elo;
    pub const MAX_ELO: u32 = LEVELS[LEVELS.len() - 1].elo;

    /// The strength of a rating; one out of the bounds counts as the nearest bound.
    pub fn of_elo(elo: u32) -> Self {
        let elo = elo.clamp(Self::MIN_ELO, Self::MAX_ELO);
        let above = LEVELS.partition_point(|level| level.elo < elo);
        let upper = &LEVELS[above];
        let lower = &LEVELS[above.saturating_sub(1)];
        let share = match upper.elo - lower.elo {
            0 => 1.0,
            range => f64::from(elo - lower.elo) / f64::from(range),
        };
        let between = |lower: f64, upper: f64| lower + share * (upper - lower);
        // Doubling the nodes adds about the same everywhere.
        let nodes = between((lower.nodes as f64).ln(), (upper.nodes as f64).ln()).exp();
        Self {
            nodes: nodes.round() as u64,
            noise: between(lower.noise, upper.noise),
        }
    }

    /// Searches within these limits, and chooses a move.
    pub fn search(
        self,
        searcher: &mut Searcher,
        game: &Game,
        limits: &Limits,
        signals: &Signals,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> Outcome {
        let nodes = limits
            .nodes
            .map_or(self.nodes, |nodes| nodes.min(self.nodes));
        let limits = Limits {
            nodes: Some(nodes),
            ..*limits
        };
        if self.noise == 0.0 {
            return searcher.search(game, &limits, signals, observer);
        }
        searcher.set_lines(usize::MAX);
        let mut lines: Vec<(Score, Vec<Move>)> = Vec::new();
        let mut outcome = searcher.search(game, &limits, signals, &mut |progress| {
            if progress.rank == 1 {
                lines.clear();
            }
            lines.push((progress.score, progress.pv.to_vec()));
            observer(progress);
        });
        let felt = |(score, _): &(Score, Vec<Move>)| f64::from(score.ce()) + self.noise * normal();
        let felt = lines.iter().map(felt).collect::<Vec<_>>();
        let best = (0..lines.len()).max_by(|&one, &other| felt[one].total_cmp(&felt[other]));
        if let Some(best) = best {
            (outcome.score, outcome.pv) = lines.swap_remove(best);
            outcome.best = outcome.pv.first().copied();
            outcome.ponder = outcome.pv.get(1).copied();
        }
        outcome
    }
}

/// A random number of the normal distribution (Box and Muller).
fn normal() -> f64 {
    let [one, other]: [f64; 2] = rand::random();
    (-2.0 * (1.0 - one).ln()).sqrt() * (std::f64::consts::TAU * other).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow() {
        assert!(LEVELS.is_sorted_by(|one, other| {
            one.elo < other.elo
                && one.noise >= other.noise
                && (one.noise > 0.0 || one.nodes < other.nodes)
        }));
        for level in &LEVELS {
            let strength = Strength::of_elo(level.elo);
            assert_eq!((strength.nodes, strength.noise), (level.nodes, level.noise));
        }
        let [one, other] = [1890, 1970].map(Strength::of_elo);
        let between = Strength::of_elo(1930);
        assert_eq!(between.nodes, 724);
        assert!(one.nodes < between.nodes && between.nodes < other.nodes);
        assert_eq!(Strength::of_elo(0), Strength::of_elo(Strength::MIN_ELO));
        assert_eq!(Strength::of_elo(9999), Strength::of_elo(Strength::MAX_ELO));
    }

    /// Without noise the nodes are a limit; with noise, not always the best move is chosen.
    #[test]
    fn weak_play() {
        let game = Game::default();
        let mut searcher = Searcher::new(1);
        let mut play = |elo| {
            searcher.clear();
            let (limits, signals) = (Limits::default(), Signals::default());
            Strength::of_elo(elo).search(&mut searcher, &game, &limits, &signals, &mut |_| ())
        };
        assert_eq!(play(1970).nodes, 1024);
        let weakest: Vec<_> = (0..30).map(|_| play(0).best.expect("a move")).collect();
        assert!(weakest.iter().any(|&mv| mv != weakest[0]));
    }

    #[test]
    fn normal_numbers() {
        let numbers: Vec<_> = (0..10_000).map(|_| normal()).collect();
        let mean = numbers.iter().sum::<f64>() / 1e4;
        let square = numbers.iter().map(|number| number * number).sum::<f64>() / 1e4;
        assert!(
            mean.abs() < 0.1 && (square - 1.0).abs() < 0.1,
            "{mean} {square}"
        );
    }
}
