//! The pages of an event: HTML as functions of its view and the time.
//!
//! The server renders everything, so that the pages work without scripts. The script (`page/page.js`) follows
//! the stream of events, fetches the fragments that have changed and lets the clocks run.
//!
//! | path | function |
//! |---|---|
//! | `/` | [`overview`] |
//! | `/game/N?ply=P&side=black` | [`game`] |
//! | `/fragment/games`, `/fragment/games?numbers=1,2` | [`games_fragment`] |
//! | `/fragment/event` | [`event_fragment`] |
//! | `/fragment/game/N?ply=P&side=black` | [`game_fragment`] |
//! | `/board/N.svg` | [`board_file`] |
//! | `/page.css`, `/page.js`, `/icon.svg` | [`style`], [`SCRIPT`], [`ICON`] |
//! | anything else | [`not_found`] |

mod boards;
mod bracket;
mod card;
mod charts;
mod clock;
mod document;
mod evaluation;
mod event;
mod ladder;
mod links;
mod log;
mod moves;
mod panel;
mod replay;
mod rounds;
mod schedule;
mod shown;
mod sprt;
mod standings;
mod thinking;

#[cfg(test)]
mod tests;

use maud::{Markup, html};

use crate::core::event::view::GameView;
use crate::core::text;

use self::document::Document;
use self::replay::Replay;
use self::shown::name;

pub use self::shown::{Look, Shown};

/// The script of all pages.
pub const SCRIPT: &str = include_str!("page/page.js");

/// The picture beside the title of a page.
pub const ICON: &str = include_str!("page/icon.svg");

/// The style sheet of all pages.
#[must_use]
pub fn style() -> String {
    [
        include_str!("page/page.css"),
        svg::BOARD_STYLE,
        svg::GAME_STYLE,
    ]
    .concat()
}

/// The page of the event.
#[must_use]
pub fn overview(shown: &Shown<'_>) -> Markup {
    let document = Document {
        shown,
        title: None,
        reload: shown.view.ended.is_none(),
    };
    document.render(&event::page(shown))
}

/// The page of a game.
#[must_use]
pub fn game(shown: &Shown<'_>, game: &GameView, look: Look) -> Markup {
    let title = format!(
        "{} \u{2013} {}",
        name(&game.game.white),
        name(&game.game.black)
    );
    let document = Document {
        shown,
        title: Some(title.clone()),
        reload: game.end.is_none() && look.ply.is_none(),
    };
    document.render(&html! {
        h1.unseen { (title) }
        (panel::panel(shown, game, look))
    })
}

/// The page for an address that is not there: `what` was looked for.
#[must_use]
pub fn not_found(shown: &Shown<'_>, what: &str) -> Markup {
    let document = Document {
        shown,
        title: Some("Not found".to_owned()),
        reload: false,
    };
    document.render(&html! {
        section.notice {
            h1 { "Not found" }
            p { (text::shown(what)) " is not here." }
            p { a href="/" { "To the event" } }
        }
    })
}

/// The games in progress as on the page of the event: all, or those with these numbers.
#[must_use]
pub fn games_fragment(shown: &Shown<'_>, numbers: Option<&[usize]>) -> Markup {
    match numbers {
        None => boards::section(shown),
        Some(numbers) => boards::some(shown, numbers),
    }
}

/// Everything on the page of the event but its boards.
#[must_use]
pub fn event_fragment(shown: &Shown<'_>) -> Markup {
    event::fragment(shown.view)
}

/// A game as on its page.
#[must_use]
pub fn game_fragment(shown: &Shown<'_>, game: &GameView, look: Look) -> Markup {
    panel::panel(shown, game, look)
}

/// A position of a game as an SVG file.
#[must_use]
pub fn board_file(game: &GameView, look: Look) -> String {
    card::file(&Replay::new(game).at(look.ply), look.side)
}
