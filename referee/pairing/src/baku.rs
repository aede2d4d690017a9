//! Baku acceleration (C.04.5.1): virtual points for the upper half in the first half of the rounds.

use crate::event::{Event, Score};

/// How many players of the whole are in the upper group: half of them, rounded up to an even number.
#[must_use]
pub fn upper_group(players: usize) -> usize {
    2 * players.div_ceil(4)
}

/// The virtual points of a player of the upper group, round by round, for each game of a meeting.
#[must_use]
pub fn virtual_points(rounds: usize) -> Vec<Score> {
    let accelerated = rounds.div_ceil(2);
    let full = accelerated.div_ceil(2);
    (0..accelerated)
        .map(|round| Score::tenths(if round < full { 10 } else { 5 }))
        .collect()
}

/// Gives the players of an event their virtual points.
///
/// Call it once, before the first round: for players who enter later, give those ranked above the last player of the
/// upper group the points of [`virtual_points`].
pub fn accelerate(event: &mut Event) {
    let upper = upper_group(event.players.len());
    let points: Vec<Score> = virtual_points(event.rounds)
        .iter()
        .map(|points| Score::tenths(points.tenths * event.games))
        .collect();
    for (index, player) in event.players.iter_mut().enumerate() {
        player.virtual_points = if index < upper {
            points.clone()
        } else {
            Vec::new()
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_rules() {
        assert_eq!(upper_group(161), 82);
        let tenths: Vec<u32> = virtual_points(9)
            .iter()
            .map(|points| points.tenths)
            .collect();
        assert_eq!(tenths, [10, 10, 10, 5, 5]);
    }
}
