//! The evaluation as the tuner sees it: a function of its weights.

use movegen::{Color, Position};

pub use super::tally::NamedTerm;
use super::weights;

/// Every term, in the order in which the weights are counted.
#[must_use]
pub fn terms() -> Vec<NamedTerm> {
    weights::all()
}

/// How often each weight counts in a position: its place, and how often.
pub type Counts = Vec<(u16, i16)>;

/// A position as the weights see it.
#[derive(Clone, Debug)]
pub struct Trace {
    /// White's counts less Black's.
    pub sum: Counts,
    /// What White endangers the king of Black with, and the other way round.
    pub dangers: [Counts; 2],
    /// How much of the middlegame is left, from 0 to 1.
    pub phase: f32,
    /// How much of an advantage counts, from 0 to 1, if White has it, and if Black.
    pub scale: [f32; 2],
}

/// How far the sum of a danger counts.
pub const DANGER_LIMIT: f32 = super::DANGER_LIMIT as f32;
/// The middlegame has the square of a danger, divided by the first, the endgame the danger by the
/// second.
pub const DANGER_DIVISORS: [f32; 2] = [
    super::DANGER_DIVISORS[0] as f32,
    super::DANGER_DIVISORS[1] as f32,
];

/// What the evaluation says with the weights that it has, in centipawns of White.
#[must_use]
pub fn evaluate(position: &Position) -> i32 {
    let score = super::evaluate(position);
    match position.turn() {
        Color::White => score,
        Color::Black => -score,
    }
}

/// What the weights see in a position; nothing of a bare king, which is no matter of weights.
#[must_use]
pub fn trace(position: &Position) -> Option<Trace> {
    if Color::ALL
        .into_iter()
        .any(|color| !position.color(color).many())
    {
        return None;
    }
    let length = weights::COUNTS.iter().sum();
    let none = || [vec![0; length], vec![0; length]];
    let (mut sums, mut dangers) = (none(), none());
    super::count(position, &mut sums, &mut dangers);
    let sparse = |counts: &mut dyn Iterator<Item = i32>| {
        let counts = counts.enumerate().filter(|&(_, times)| times != 0);
        counts.map(|(i, times)| (i as u16, times as i16)).collect()
    };
    let [white, black] = &sums;
    Some(Trace {
        sum: sparse(&mut white.iter().zip(black).map(|(white, black)| white - black)),
        dangers: dangers.map(|counts| sparse(&mut counts.into_iter())),
        phase: super::phase(position) as f32 / super::FULL_PHASE as f32,
        scale: Color::ALL
            .map(|strong| super::scale(position, strong) as f32 / super::FULL_SCALE as f32),
    })
}
