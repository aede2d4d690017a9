//! The list of the moves of a game, each a link to its position.

use maud::{Markup, html};
use movegen::Color;

use super::clock::duration;
use super::evaluation::text;
use super::replay::{Replay, Scene, Step};
use super::shown::Look;
use crate::core::text::shown;

/// A row: a move of White and the answer, or either of them alone.
struct Row<'r> {
    number: u16,
    /// The numbers of the half-moves, from 0.
    plies: [Option<usize>; 2],
    replay: &'r Replay<'r>,
}

fn rows<'r>(replay: &'r Replay<'r>) -> Vec<Row<'r>> {
    let mut rows: Vec<Row<'r>> = Vec::new();
    for (ply, step) in replay.steps.iter().enumerate() {
        let (number, side) = (step.before.fullmove_number(), step.mover());
        match rows.last_mut() {
            Some(row) if side == Color::Black && row.number == number => row.plies[1] = Some(ply),
            _ => {
                let mut plies = [None; 2];
                plies[side as usize] = Some(ply);
                rows.push(Row {
                    number,
                    plies,
                    replay,
                });
            }
        }
    }
    rows
}

/// The table of all moves, with the one that led to the scene marked.
pub fn table(scene: &Scene<'_>, look: Look) -> Markup {
    let number = scene.replay.view.game.game;
    let opening = scene.replay.view.game.opening_comment.as_deref();
    html! {
        div.moves id="moves" tabindex="0" role="region" aria-label="Moves" {
            table {
                thead { tr { th scope="col" { "Move" } th scope="col" { "White" } th scope="col" { "Black" } } }
                tbody {
                    (remark(opening))
                    @for row in rows(scene.replay) {
                        tr {
                            th scope="row" { (row.number) "." }
                            @for ply in row.plies { (cell(&row, ply, scene, look, number)) }
                        }
                        @for ply in row.plies.into_iter().flatten() {
                            @let played = row.replay.steps[ply].played;
                            (remark(played.and_then(|played| played.comment.as_deref())))
                        }
                    }
                }
            }
        }
    }
}

fn cell(row: &Row<'_>, ply: Option<usize>, scene: &Scene<'_>, look: Look, game: usize) -> Markup {
    let Some(ply) = ply else {
        return html! { td { "\u{2026}" } };
    };
    let step = &row.replay.steps[ply];
    let after = ply + 1;
    let look = Look {
        ply: Some(after),
        ..look
    };
    let current = (after == scene.ply).then_some("true");
    let is_book = step.played.is_none();
    html! {
        td {
            a.book[is_book] href={"/game/" (game) (look.query())} data-ply=(after) aria-current=[current] {
                (step.san())
            }
            (details(step))
        }
    }
}

/// The evaluation and the time of a move.
fn details(step: &Step<'_>) -> Markup {
    html! {
        @if let Some(played) = step.played {
            small {
                @if let Some(eval) = step.eval() { span { (text(eval)) } }
                span { (duration(played.elapsed_ms)) }
            }
        }
    }
}

/// What the arbiter remarked.
fn remark(comment: Option<&str>) -> Markup {
    html! {
        @if let Some(comment) = comment {
            tr.remark { td colspan="3" { (shown(comment)) } }
        }
    }
}
