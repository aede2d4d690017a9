//! The games in progress, and those that have just ended.

use jiff::{Timestamp, Unit};
use maud::{Markup, html};

use super::card::{Density, card};
use super::panel;
use super::shown::{Look, Shown};
use crate::core::event::view::GameView;

/// So many games at most are shown large.
const MOST_LARGE: usize = 3;

/// So many games at most are shown with a graph and the expected line.
const MOST_FULL: usize = 8;

/// For so many seconds a finished game stays beside others that are in progress.
const STAYS: f64 = 15.0;

/// The games to show as cards, by number: those in progress, and as many at most that have just ended.
fn cards<'v>(shown: &Shown<'v>) -> Vec<&'v GameView> {
    let mut games: Vec<_> = shown.view.running().collect();
    let latest = shown.finished.iter().rev().take(games.len());
    games.extend(latest.filter(|game| has_just_ended(game, shown.now)));
    games.sort_by_key(|game| game.game.game);
    games
}

fn has_just_ended(game: &GameView, now: Option<Timestamp>) -> bool {
    let seconds = || {
        let at: Timestamp = game.end.as_ref()?.at.parse().ok()?;
        now?.since(at).ok()?.total(Unit::Second).ok()
    };
    seconds().is_some_and(|seconds| seconds < STAYS)
}

fn density(count: usize) -> Density {
    if count > MOST_FULL {
        Density::Compact
    } else {
        Density::Full
    }
}

/// The section of games: a single game in full, several as cards.
pub fn section(shown: &Shown<'_>) -> Markup {
    let running: Vec<_> = shown.view.running().collect();
    html! {
        section id="games" aria-label="Games in progress" {
            @match (running.as_slice(), shown.finished.last()) {
                ([game], _) => (panel::panel(shown, game, Look::default())),
                ([], Some(game)) => {
                    h2 { "Last game" }
                    (panel::panel(shown, game, Look::default()))
                }
                ([], None) => p.notice { "No game is in progress." },
                (_, _) => {
                    h2 { (running.len()) " games in progress" }
                    (grid(shown))
                }
            }
        }
    }
}

fn grid(shown: &Shown<'_>) -> Markup {
    let games = cards(shown);
    let density = density(games.len());
    html! {
        div.cards.large[games.len() <= MOST_LARGE].dense[density == Density::Compact] {
            @for game in &games { (card(game, density, shown.now)) }
        }
    }
}

/// The cards of some games, as in the section.
pub fn some(shown: &Shown<'_>, numbers: &[usize]) -> Markup {
    let density = density(cards(shown).len());
    html! {
        @for game in numbers.iter().filter_map(|&number| shown.game(number)) {
            (card(game, density, shown.now))
        }
    }
}
