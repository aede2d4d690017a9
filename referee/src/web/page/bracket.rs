//! The bracket of a knockout event: a column for each round, drawn by the style sheet alone.

use maud::{Markup, html};

use super::links::links;
use super::rounds::player;
use super::standings::points;
use crate::core::event::view::EventView;
use crate::core::event::view::rounds::{BoardGame, GameState, Knockouts};
use crate::core::schedule::knockout::{Decision, Match};

/// A match and its place in the bracket.
struct Place<'k> {
    knockout: &'k Knockouts,
    one: &'k Match,
    /// Its number in the round, from 0; `None` if it is for the third place.
    index: Option<usize>,
    games: Vec<BoardGame>,
}

/// The bracket with all matches.
pub fn section(view: &EventView) -> Markup {
    let knockout = view.knockout();
    html! {
        section id="bracket" aria-labelledby="bracket-heading" {
            h2 id="bracket-heading" { "Bracket" }
            @match &knockout {
                Some(knockout) => (columns(view, knockout)),
                None => p.quiet { (view.outlook().unwrap_or_default()) },
            }
        }
    }
}

fn columns(view: &EventView, knockout: &Knockouts) -> Markup {
    let bracket = &knockout.bracket;
    let last = bracket.rounds.len();
    html! {
        div.scroll tabindex="0" role="region" aria-labelledby="bracket-heading" {
            div.bracket {
                @for (round, matches) in (1..).zip(&bracket.rounds) {
                    div.bracket-round {
                        h3 { (heading(&bracket.round_name(round))) }
                        ol {
                            @for (index, one) in matches.iter().enumerate() {
                                li { (game_of(view, knockout, one, Some(index))) }
                            }
                        }
                        @if let Some(third) = bracket.third_place.as_ref().filter(|_| round == last) {
                            div.third-place {
                                h3 { "Third place" }
                                (game_of(view, knockout, third, None))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The name of a round with a capital letter.
fn heading(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn game_of(view: &EventView, knockout: &Knockouts, one: &Match, index: Option<usize>) -> Markup {
    let games = view.games_of_match(one);
    let place = Place {
        knockout,
        one,
        index,
        games,
    };
    let is_running = place
        .games
        .iter()
        .any(|game| game.state == GameState::Running);
    html! {
        div.match.running[is_running] {
            @for side in 0..2 { (side_of(view, &place, side)) }
            (notes(view, &place))
        }
    }
}

/// A player of a match with its seed and points, or who may come to that place.
fn side_of(view: &EventView, place: &Place<'_>, side: usize) -> Markup {
    let one = place.one;
    let Some(number) = one.players[side] else {
        return html! { p.side.quiet { span.seed {} span.name { (awaited(view, place, side)) } } };
    };
    let has_won = one.winner == Some(number);
    let has_lost = one.winner.is_some() && !has_won;
    let has_points = one.games > 0 || !place.games.is_empty();
    html! {
        p.side.best[has_won].quiet[has_lost] {
            span.seed { @if let Some(seed) = place.knockout.seed(number) { (seed) } }
            span.name title=(player(view, number)) { (player(view, number)) }
            @if has_won { span.unseen { " has won " } }
            @if has_points { span.points { (points(one.half_points[side] as f64 / 2.0)) } }
        }
    }
}

/// Who may come to a place that is empty so far.
fn awaited(view: &EventView, place: &Place<'_>, side: usize) -> String {
    let one = place.one;
    if one.is_settled[side] {
        return if place.index.is_some() {
            "bye"
        } else {
            "nobody"
        }
        .to_owned();
    }
    let feeder = |index| place.knockout.feeder(one.round, index, side);
    match place.index.and_then(feeder).map(|feeder| feeder.players) {
        Some([Some(first), Some(second)]) => {
            format!("{} or {}", player(view, first), player(view, second))
        }
        _ => "not known yet".to_owned(),
    }
}

/// The games, and how the match was decided if not by points.
fn notes(view: &EventView, place: &Place<'_>) -> Markup {
    let one = place.one;
    let how = match one.how {
        Some(Decision::Seed) => Some("tied, decided by seed".to_owned()),
        Some(Decision::Withdrawal) => {
            let gone = one.loser().map(|loser| player(view, loser));
            gone.map(|gone| format!("{gone} has withdrawn"))
        }
        Some(Decision::Bye) | None => None,
    };
    let first = one.players[0].filter(|_| !place.games.is_empty());
    html! {
        @if first.is_some() || how.is_some() {
            p.notes {
                @if let Some(first) = first { (links(view, &place.games, first)) }
                @if let Some(how) = how { span { (how) } }
            }
        }
    }
}
