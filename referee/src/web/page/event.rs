//! The page of the event.

use maud::{Markup, html};

use super::shown::Shown;
use super::{boards, document, log, schedule, sprt, standings};
use crate::core::event::view::EventView;
use crate::core::text::shown;

/// The content of the page.
pub fn page(shown: &Shown<'_>) -> Markup {
    let view = shown.view;
    let standings = standings::section(view);
    let is_over = view.ended.is_some() && view.running().next().is_none();
    html! {
        (header(view))
        @if is_over { (standings) }
        (boards::section(shown))
        @if !is_over { (standings) }
        (sprt::section(view))
        div.columns {
            (schedule::section(view))
            div { (log::faults(view)) (log::section(view)) }
        }
    }
}

/// Everything but the boards.
pub fn fragment(view: &EventView) -> Markup {
    html! {
        (header(view))
        (standings::section(view))
        (sprt::section(view))
        (schedule::section(view))
        (log::faults(view))
        (log::section(view))
    }
}

/// What is played, and how far it is.
fn header(view: &EventView) -> Markup {
    let start = view.start.as_ref();
    let (finished, all) = (view.ends.len(), view.results.schedule().len());
    html! {
        header.event id="event" {
            h1 { (document::event_name(view)) }
            p.facts {
                @if let Some(start) = start {
                    @if !matches!(start.site.as_str(), "" | "?") { span { (shown(&start.site)) } }
                    span { (start.players.len()) " players" }
                    span { (time_control(&start.time_control)) }
                    @if let Some(variant) = variant(&start.variant) { span { (variant) } }
                }
                span { (finished) " of " (all) " games finished" }
            }
            progress value=(finished) max=(all.max(1)) aria-label="Games finished" {}
            (state(view))
        }
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
