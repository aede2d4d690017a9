//! Faults, and the log of the event.

use maud::{Markup, html};

use crate::core::event::view::{EventView, LogKind, LogLine};
use crate::core::standings::Standings;
use crate::core::text::shown;

/// So many lines of each are shown.
const MOST_LINES: usize = 30;

/// The last faults, and how often each player forfeited.
pub fn faults(view: &EventView, standings: &Standings) -> Markup {
    let faults = view
        .log
        .iter()
        .rev()
        .filter(|line| line.kind == LogKind::Fault);
    let faults: Vec<_> = faults.take(MOST_LINES).collect();
    let forfeits = standings.forfeits();
    html! {
        section.log id="faults" aria-labelledby="faults-heading" {
            h2 id="faults-heading" { "Faults" }
            @for line in forfeits.lines() { p { (line) "." } }
            @if faults.is_empty() { p.quiet { "None." } }
            @else { (lines(&faults)) }
        }
    }
}

/// The last lines of the log, latest first.
pub fn section(view: &EventView) -> Markup {
    let last: Vec<_> = view.log.iter().rev().take(MOST_LINES).collect();
    html! {
        section.log id="log" aria-labelledby="log-heading" {
            h2 id="log-heading" { "Log " span.quiet { "times in UTC" } }
            @if last.is_empty() { p.quiet { "Nothing yet." } }
            @else { (lines(&last)) }
        }
    }
}

fn lines(lines: &[&LogLine]) -> Markup {
    html! {
        ol {
            @for line in lines {
                li class={"log-" (line.kind)} {
                    time datetime=(line.at) { (time_of_day(&line.at)) }
                    span {
                        @if let Some(game) = line.game { a href={"/game/" (game)} { "Game " (game) } ": " }
                        (shown(&line.text))
                    }
                }
            }
        }
    }
}

/// `09:59:12` of `2026-11-23T09:59:12.671Z`.
fn time_of_day(at: &str) -> &str {
    at.get(11..19).unwrap_or(at)
}
