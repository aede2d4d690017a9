//! Gauntlets: the first players, the seeds, meet all others.

use super::round_robin::Couple;

/// The rounds in which each seed plays each of the others once. Nobody plays twice in a round. Colours
/// alternate like the squares of a board with seeds as ranks and others as files, so that everybody's
/// colours are balanced.
pub(super) fn gauntlet(seeds: usize, others: usize) -> Vec<Vec<Couple>> {
    let rounds = seeds.max(others);
    let round = |number: usize| {
        let meeting = |seat: usize| {
            let other_seat = (seat + number) % rounds;
            let (seed, other) = if seeds < others {
                (seat, other_seat)
            } else {
                (other_seat, seat)
            };
            if (seed + other) % 2 == 0 {
                (seed, seeds + other)
            } else {
                (seeds + other, seed)
            }
        };
        (0..seeds.min(others)).map(meeting).collect()
    };
    (0..rounds).map(round).collect()
}
