//! What all pages share: head, header and footer.

use maud::{DOCTYPE, Markup, html};
use movegen::Color;
use svg::{Arrow, shapes};

use super::shown::Shown;
use crate::core::event::view::EventView;
use crate::core::schedule::Format;
use crate::core::text::shown;

/// A page loads itself again after so many seconds where scripts are off.
const RELOAD_SECONDS: u32 = 5;

/// A page of an event.
pub struct Document<'v> {
    pub shown: &'v Shown<'v>,
    /// What the page is about, if not the event.
    pub title: Option<String>,
    /// Whether the page loads itself again where scripts are off.
    pub reload: bool,
}

impl Document<'_> {
    /// The page with its content.
    pub fn render(&self, content: &Markup) -> Markup {
        let event = event_name(self.shown.view);
        let title = match &self.title {
            Some(title) => format!("{title} \u{b7} {event}"),
            None => event.clone(),
        };
        let is_overview = self.title.is_none();
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (title) }
                    link rel="icon" href="/icon.svg" type="image/svg+xml";
                    link rel="stylesheet" href="/page.css";
                    script src="/page.js" defer {}
                    @if self.reload {
                        noscript { meta http-equiv="refresh" content=(RELOAD_SECONDS); }
                    }
                }
                body data-seq=(self.shown.seq) {
                    a.skip href="#main" { "Skip to the content" }
                    (header(self.shown.view, &event, is_overview))
                    (shapes(&Color::ALL, &Arrow::ALL))
                    main id="main" { (content) }
                    p.unseen id="announce" role="status" {}
                    (footer(self.shown.view))
                }
            }
        }
    }
}

/// The name of the event.
pub fn event_name(view: &EventView) -> String {
    let start = view.start.as_ref();
    start.map_or_else(|| "Chess event".to_owned(), |start| shown(&start.name))
}

fn header(view: &EventView, event: &str, is_overview: bool) -> Markup {
    let pairings = match view.growing_format() {
        Some(Format::Swiss(_)) => Some(("#rounds", "Rounds")),
        Some(Format::Knockout(_)) => Some(("#bracket", "Bracket")),
        _ => None,
    };
    html! {
        header.top {
            a.brand href="/" { (event) }
            span.connection id="connection" hidden { "Connection lost, trying again \u{2026}" }
            nav aria-label="Parts of the page" {
                @if is_overview {
                    a href="#games" { "Games" }
                    @if let Some((href, text)) = pairings { a href=(href) { (text) } }
                    a href="#standings" { "Standings" }
                    a href="#schedule" { "Schedule" }
                    a href="#log" { "Log" }
                } @else {
                    a href="/" { "All games" }
                    a href="/#standings" { "Standings" }
                }
            }
        }
    }
}

fn footer(view: &EventView) -> Markup {
    let format = view.growing_format();
    html! {
        footer {
            p {
                "Downloads: " a href="/games.pgn" { "finished games" } ", "
                a href="/live.pgn" { "games in progress" } " (PGN). Data: "
                a href="/api/event" { "event" } ", " a href="/api/games" { "games" } ", "
                a href="/api/standings" { "standings" } ", " a href="/api/schedule" { "schedule" }
                @if format.is_some() { ", " a href="/api/rounds" { "rounds" } }
                @if matches!(format, Some(Format::Knockout(_))) { ", " a href="/api/bracket" { "bracket" } }
                " (JSON)."
            }
        }
    }
}
