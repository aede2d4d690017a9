//! A game in full: board, moves, graphs, and what both players think.

use maud::{Markup, html};
use movegen::Color;

use super::card::{Detail, arena, state};
use super::replay::{Replay, Scene};
use super::shown::{Look, Shown, name};
use super::{charts, moves, thinking};
use crate::core::event::view::{EventView, GameView};
use crate::core::text;

/// A game in full.
pub fn panel(shown: &Shown<'_>, view: &GameView, look: Look) -> Markup {
    let replay = Replay::new(view);
    let scene = replay.at(look.ply);
    let number = view.game.game;
    html! {
        article.panel id="panel" data-game=(number) data-plies=(replay.steps.len()) data-ply=(scene.ply)
            data-live[look.ply.is_none()] data-ended[view.end.is_some()] {
            (heading(shown.view, view))
            div.stage {
                div.stage-board {
                    (arena(&scene, look.side, Detail::Page, shown.now))
                    p.state { (state(&scene)) }
                    (controls(&scene, look))
                }
                (moves::table(&scene, look))
                div.graphs {
                    figure {
                        figcaption { "Evaluation" (charts::legend()) }
                        (charts::evaluations(&scene))
                    }
                    figure {
                        figcaption { "Time per move" }
                        (charts::times(&scene))
                    }
                }
                div.thoughts { (thinking::panels(&scene, look.side)) }
            }
        }
    }
}

fn heading(event: &EventView, view: &GameView) -> Markup {
    let game = &view.game;
    let number = game.game;
    let pairing = event.results.pairing(number);
    html! {
        header.game-heading {
            h2 {
                a href={"/game/" (number)} {
                    (name(&game.white)) span.quiet { " \u{2013} " } (name(&game.black))
                }
            }
            p {
                span { "Game " (number) }
                @if let Some(pairing) = pairing { span { "Round " (pairing.round_tag()) } }
                @if let Some(opening) = &game.opening { span { (text::shown(opening)) } }
                @if let Some(end) = &view.end { strong { (end.result) } }
                a href={"/games/" (number) ".pgn"} download { "PGN" }
            }
        }
    }
}

/// Links to other positions. `page.js` binds them to keys.
fn controls(scene: &Scene<'_>, look: Look) -> Markup {
    let number = scene.replay.view.game.game;
    let last = scene.replay.steps.len();
    let link = |ply: Option<usize>| {
        let look = Look { ply, ..look };
        format!("/game/{number}{}", look.query())
    };
    let next = Some(scene.ply + 1).filter(|&next| next < last);
    let turned = Look {
        side: if look.side == Color::White {
            Color::Black
        } else {
            Color::White
        },
        ..look
    };
    let buttons = [
        ("first", "\u{ab}", "First position (Home)", link(Some(0))),
        (
            "back",
            "\u{2039}",
            "Back (left arrow)",
            link(Some(scene.ply.saturating_sub(1))),
        ),
        ("next", "\u{203a}", "Next (right arrow)", link(next)),
        ("last", "\u{bb}", "Last position (End)", link(None)),
    ];
    html! {
        nav.controls aria-label="Positions of the game" {
            @for (step, sign, label, href) in buttons {
                a href=(href) data-step=(step) title=(label) aria-label=(label) { (sign) }
            }
            a href={"/game/" (number) (turned.query())} data-step="turn" title="Turn the board (f)"
                aria-label="Turn the board (f)" { "\u{21c5}" }
            span.quiet {
                @if look.ply.is_none() && scene.replay.view.end.is_none() { span.live { "live" } }
                @else { (scene.ply) " of " (last) }
            }
        }
    }
}
