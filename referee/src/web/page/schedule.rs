//! The games of the schedule.

use maud::{Markup, html};

use super::shown::name;
use crate::core::event::view::EventView;
use crate::core::schedule::{Format, Pairing};
use crate::core::text::shown;

/// So many games at most are shown of a longer schedule.
const MOST_GAMES: usize = 60;

/// So many finished games are shown above the first unfinished one of a longer schedule.
const FINISHED_ABOVE: usize = 20;

/// The games with their results, around those in progress.
pub fn section(view: &EventView) -> Markup {
    let schedule = view.results.schedule();
    let unfinished = |pairing: &Pairing| !view.ends.contains_key(&pairing.number);
    let first = schedule
        .iter()
        .position(unfinished)
        .unwrap_or(schedule.len());
    let latest = schedule.len().saturating_sub(MOST_GAMES);
    let from = first.saturating_sub(FINISHED_ABOVE).min(latest);
    let to = (from + MOST_GAMES).min(schedule.len());
    html! {
        section id="schedule" aria-labelledby="schedule-heading" {
            h2 id="schedule-heading" {
                "Schedule "
                @if to - from < schedule.len() {
                    span.quiet { "games " (from + 1) " to " (to) " of " (schedule.len()) }
                }
            }
            @match (view.outlook(), schedule.is_empty()) {
                (Some(outlook), _) => p.outlook { (outlook) },
                (None, true) => p.quiet { "None yet." },
                (None, false) => {}
            }
            @if !schedule.is_empty() { (table(view, &schedule[from..to])) }
        }
    }
}

fn table(view: &EventView, games: &[Pairing]) -> Markup {
    let is_ladder = matches!(view.growing_format(), Some(Format::Ladder(_)));
    html! {
        div.scroll tabindex="0" role="region" aria-labelledby="schedule-heading" {
            table {
                thead {
                    tr {
                        th scope="col" { "Game" } th scope="col" { "Round" }
                        th scope="col" { "White" } th scope="col" { "Black" }
                        th scope="col" { "Result" } th scope="col" { "How" }
                    }
                }
                tbody {
                    // A ladder has no end: its latest games come first.
                    @if is_ladder { @for pairing in games.iter().rev() { (row(view, pairing)) } }
                    @else { @for pairing in games { (row(view, pairing)) } }
                }
            }
        }
    }
}

fn row(view: &EventView, pairing: &Pairing) -> Markup {
    let number = pairing.number;
    let end = view.ends.get(&number);
    let is_running = end.is_none() && view.games.contains_key(&number);
    let player = |player: usize| name(view.names.get(player).map_or("", String::as_str));
    html! {
        tr.running[is_running] {
            td.number {
                @if is_running || end.is_some() { a href={"/game/" (number)} { (number) } }
                @else { (number) }
            }
            td { (pairing.round_tag()) }
            td { (player(pairing.white)) }
            td { (player(pairing.black)) }
            @match end {
                Some(end) => {
                    td.result { (end.result.replace("1/2", "\u{bd}")) }
                    td.quiet { (how(&end.reason)) }
                }
                None if is_running => { td.result { "playing" } td {} },
                None => { td {} td {} },
            }
        }
    }
}

/// The reason without the result before it: `Black loses on time`.
fn how(reason: &str) -> String {
    let (_, how) = reason.split_once(": ").unwrap_or(("", reason));
    shown(how)
}
