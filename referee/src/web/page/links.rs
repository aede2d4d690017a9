//! Links to games that show their results.

use maud::{Markup, html};
use movegen::Color;
use movegen::pgn::Outcome;

use crate::core::event::view::EventView;
use crate::core::event::view::rounds::{BoardGame, GameState};

/// Up to so many games of two players are shown one by one.
pub const MOST_LINKS: usize = 8;

/// A link to a game with its result for a player: `1`, `=`, `0`, or `*`.
pub fn link(number: usize, letter: char) -> Markup {
    let (class, sign, word) = match letter {
        '1' => ("won", "1", "won"),
        '=' => ("drawn", "\u{bd}", "drawn"),
        '0' => ("lost", "0", "lost"),
        _ => ("open", "*", "in progress"),
    };
    html! {
        a.(class) href={"/game/" (number)} aria-label={"game " (number) " " (word)} { (sign) }
    }
}

/// The games that have begun of the latest of these, with their results for a player.
pub fn links(view: &EventView, games: &[BoardGame], player: usize) -> Markup {
    let begun = games.iter().filter(|game| game.state != GameState::ToCome);
    let begun: Vec<_> = begun.collect();
    let first = begun.len().saturating_sub(MOST_LINKS);
    html! {
        @if !begun.is_empty() {
            span.games {
                @if first > 0 { "\u{2026}" }
                @for game in &begun[first..] { (link(game.number, letter(view, game, player))) }
            }
        }
    }
}

fn letter(view: &EventView, game: &BoardGame, player: usize) -> char {
    let pairing = view.results.pairing(game.number);
    let is_white = pairing.is_some_and(|pairing| pairing.white == player);
    let side = if is_white { Color::White } else { Color::Black };
    let half_points = |result: Outcome| result.half_points(side);
    match game.state {
        GameState::Over(Some(result)) => match half_points(result) {
            0 => '0',
            1 => '=',
            _ => '1',
        },
        _ => '*',
    }
}
