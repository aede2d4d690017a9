//! The standings of a ladder: ratings, how they have changed, and who plays.

use maud::{Markup, html};
use svg::path_through;

use super::shown::name;
use super::standings::number_heading;
use crate::core::event::view::EventView;
use crate::core::ratings::LiveRatings;
use crate::core::standings::{Standing, Standings};

/// The size of a sparkline in SVG units.
const WIDTH: f64 = 120.0;
const HEIGHT: f64 = 24.0;
/// Above and below the line.
const MARGIN: f64 = 2.0;

/// A longer course is drawn by about so many of its points.
const MOST_POINTS: usize = 40;

/// A sparkline covers at least so much Elo, so that small changes look small.
const LEAST_SPAN: f64 = 100.0;

/// The players in the order of their ratings.
pub fn table(view: &EventView, standings: &Standings, ratings: &LiveRatings) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Standings" {
            table.ladder {
                thead {
                    tr {
                        th scope="col" { "Rank" }
                        th scope="col" { "Player" }
                        @for heading in &standings.columns { (number_heading(heading)) }
                        th scope="col" { "Course" }
                        @for heading in ["Games", "+", "=", "\u{2212}", "Score"] { (number_heading(heading)) }
                        th scope="col" { "Now" }
                    }
                }
                tbody {
                    @for standing in &standings.players { (row(view, standing, ratings)) }
                }
            }
        }
    }
}

fn row(view: &EventView, standing: &Standing, ratings: &LiveRatings) -> Markup {
    let tally = &standing.tally;
    let score = standing
        .score
        .map(|score| format!("{:.1}\u{a0}%", 100.0 * score));
    let rating = |i: usize, value: &str| {
        html! {
            td.number { @if i == 0 { strong { (value) } } @else { (value) } }
        }
    };
    html! {
        tr {
            td.number { (standing.rank) }
            th scope="row" { (name(&standing.name)) }
            @for (i, value) in standing.values.iter().enumerate() { (rating(i, value)) }
            td { (sparkline(ratings, standing.player)) }
            td.number { (standing.games) }
            td.number { (tally.wins) }
            td.number { (tally.draws) }
            td.number { (tally.losses) }
            td.number { (score.unwrap_or_default()) }
            td { (now(view, standing)) }
        }
    }
}

/// A player's present game, or that it has left.
fn now(view: &EventView, standing: &Standing) -> Markup {
    let player = standing.player;
    html! {
        @if let Some(game) = view.game_of_player(player) { a href={"/game/" (game)} { "game\u{a0}" (game) } }
        @else if view.results.out().contains(&player) { span.quiet { "withdrawn" } }
        @else if standing.name.is_empty() { span.quiet { "vacant" } }
    }
}

/// The course of a rating; nothing before the second game.
fn sparkline(ratings: &LiveRatings, player: usize) -> Markup {
    let (course, Some(present)) = (ratings.course(player), ratings.of(player)) else {
        return html! {};
    };
    if course.len() < 2 {
        return html! {};
    }
    // The exact computations change earlier results too, so the present rating may differ from the last one.
    let mut points = thinned(course);
    points.extend([(course.len(), present.elo)]);
    let label = format!(
        "rating over {} games, from {:.0} to {:.0}",
        course.len(),
        course[0],
        present.elo
    );
    let elos = || points.iter().map(|&(_, elo)| elo);
    let (least, most) = (
        elos().fold(f64::MAX, f64::min),
        elos().fold(f64::MIN, f64::max),
    );
    let span = (most - least).max(LEAST_SPAN);
    let middle = f64::midpoint(least, most);
    let x = |game: usize| WIDTH * game as f64 / course.len() as f64;
    let y = |elo: f64| HEIGHT / 2.0 - (elo - middle) / span * (HEIGHT - 2.0 * MARGIN);
    let path = path_through(points.iter().map(|&(game, elo)| [x(game), y(elo)]));
    html! {
        svg.sparkline viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) preserveAspectRatio="none" role="img"
            aria-label=(label) {
            path.line d=(path) {}
        }
    }
}

/// Points of a course at even distances, each with its number of games.
fn thinned(course: &[f32]) -> Vec<(usize, f64)> {
    let every = course.len().div_ceil(MOST_POINTS).max(1);
    let points = course.iter().enumerate().step_by(every);
    points.map(|(game, &elo)| (game, f64::from(elo))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_courses_are_thinned_out() {
        let course: Vec<f32> = (0..10_001_i16).map(f32::from).collect();
        let points = thinned(&course);
        assert!(points.len() <= MOST_POINTS, "{}", points.len());
        assert_eq!(points[0], (0, 0.0));
        assert_eq!(thinned(&course[..3]).len(), 3);
    }
}
