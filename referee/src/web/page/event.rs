//! The page of the event.

use maud::{Markup, html};

use super::shown::Shown;
use super::{boards, bracket, document, log, rounds, schedule, sprt, standings};
use crate::core::event::view::EventView;
use crate::core::schedule::Format;
use crate::core::text::shown;

/// The content of the page.
pub fn page(shown: &Shown<'_>) -> Markup {
    let view = shown.view;
    let standings = view.standings();
    let table = standings::section(view, &standings);
    let pairings = pairings(view);
    let is_over = view.ended.is_some() && view.running().next().is_none();
    html! {
        (header(view))
        @if is_over { (table) (pairings) }
        (boards::section(shown))
        @if !is_over { (pairings) (table) }
        (sprt::section(view))
        div.columns {
            (schedule::section(view))
            div { (log::faults(view, &standings)) (log::section(view)) }
        }
    }
}

/// Everything but the boards.
pub fn fragment(view: &EventView) -> Markup {
    let standings = view.standings();
    html! {
        (header(view))
        (pairings(view))
        (standings::section(view, &standings))
        (sprt::section(view))
        (schedule::section(view))
        (log::faults(view, &standings))
        (log::section(view))
    }
}

/// The bracket, or the rounds of a Swiss event. The frame is always there, so that the script can fill it.
fn pairings(view: &EventView) -> Markup {
    html! {
        div id="pairings" {
            @match view.growing_format() {
                Some(Format::Swiss(swiss)) => (rounds::section(view, swiss)),
                Some(Format::Knockout(_)) => (bracket::section(view)),
                _ => {}
            }
        }
    }
}

/// What is played, and how far it is.
fn header(view: &EventView) -> Markup {
    let start = view.start.as_ref();
    let progress = view.progress();
    html! {
        header.event id="event" {
            h1 { (document::event_name(view)) }
            p.facts {
                @if let Some(start) = start {
                    @if !matches!(start.site.as_str(), "" | "?") { span { (shown(&start.site)) } }
                    @if let Some(format) = format(view) { span { (format) } }
                    span { (start.players.len()) " players" }
                    span { (time_control(&start.time_control)) }
                    @if let Some(it) = &start.time_normalization {
                        span { "normalised to " (it.speed) " nodes/s" }
                    }
                    @if let Some(variant) = variant(&start.variant) { span { (variant) } }
                }
                span { (progress.text) }
            }
            @if let Some(part) = progress.part {
                progress value=(format!("{part:.4}")) max="1" aria-label="How far the event is" {}
            }
            (state(view))
        }
    }
}

fn format(view: &EventView) -> Option<&'static str> {
    match view.growing_format()? {
        Format::Swiss(_) => Some("Swiss system"),
        Format::Knockout(_) => Some("knockout"),
        Format::Ladder(_) => Some("ladder"),
        Format::RoundRobin { .. } | Format::Gauntlet { .. } | Format::Match => None,
    }
}

fn state(view: &EventView) -> Markup {
    html! {
        @if let Some(why) = &view.ended {
            p.notice { "The referee has ended: " (shown(why)) }
        } @else if let Some(why) = &view.paused {
            p.notice.alert { "No new games are started: " (shown(why)) }
        } @else if view.start.is_none() {
            p.notice { "The event has not begun." }
        }
    }
}

fn time_control(text: &str) -> String {
    match text {
        "-" | "" => "no time control".to_owned(),
        text => format!("time control {}", shown(text)),
    }
}

fn variant(name: &str) -> Option<&'static str> {
    match name {
        "chess960" => Some("Chess960"),
        "dfrc" => Some("double Chess960"),
        _ => None,
    }
}
