//! The columns of a ladder in the standings: the course of each rating, and who plays.

use referee::ratings::LiveRatings;
use referee::standings::Standing;

use super::column::Column;
use crate::cli::watch::state::State;

/// The columns of a sparkline.
const WIDTH: usize = 14;

/// A sparkline covers at least so much Elo, so that small changes look small.
const LEAST_SPAN: f32 = 100.0;

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const SIGNS: [char; 4] = ['_', '.', '-', '\''];

/// The course of each rating.
pub fn courses(state: &State, players: &[Standing], ratings: &LiveRatings) -> Column {
    let signs: &[char] = if state.theme.has_letters {
        &SIGNS
    } else {
        &BLOCKS
    };
    let courses = players
        .iter()
        .map(|standing| sparkline(ratings.course(standing.player), signs));
    Column::text("Course", courses).with_width(WIDTH)
}

/// The present game of each player, or that it has left.
pub fn activities(state: &State, players: &[Standing]) -> Column {
    let now = players.iter().map(|standing| {
        let player = standing.player;
        match state.view.game_of_player(player) {
            Some(game) => format!("game {game}"),
            None if state.view.results.out().contains(&player) => "withdrawn".to_owned(),
            None if standing.name.is_empty() => "vacant".to_owned(),
            None => String::new(),
        }
    });
    Column::text("Now", now)
}

/// A course in a line: the mean of each part of it as one of some signs, the lowest first.
fn sparkline(course: &[f32], signs: &[char]) -> String {
    if course.len() < 2 {
        return String::new();
    }
    let count = course.len().min(WIDTH);
    let part = |i: usize| &course[i * course.len() / count..(i + 1) * course.len() / count];
    let means: Vec<_> = (0..count)
        .map(|i| part(i).iter().sum::<f32>() / part(i).len() as f32)
        .collect();
    let least = means.iter().copied().fold(f32::MAX, f32::min);
    let most = means.iter().copied().fold(f32::MIN, f32::max);
    let span = (most - least).max(LEAST_SPAN);
    let low = f32::midpoint(least, most) - span / 2.0;
    let last = signs.len() - 1;
    let sign = |mean: &f32| {
        let level = (mean - low) / span * signs.len() as f32;
        signs[(level as usize).min(last)]
    };
    means.iter().map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparklines_show_what_changes() {
        assert_eq!(sparkline(&[2500.0], &BLOCKS), "");
        assert_eq!(sparkline(&[2500.0, 2501.0], &BLOCKS), "▄▅");
        assert_eq!(sparkline(&[2400.0, 2450.0, 2600.0], &BLOCKS), "▁▃█");
        assert_eq!(sparkline(&[2400.0, 2500.0, 2600.0], &SIGNS), "_-'");
        let long: Vec<f32> = (0..1000_i16).map(f32::from).collect();
        assert_eq!(sparkline(&long, &BLOCKS), "▁▁▂▂▃▄▄▅▅▆▇▇██");
    }
}
