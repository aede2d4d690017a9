//! What both players think: evaluation, depth, and the line that they expect, as text and as a board.

use maud::{Markup, html};
use movegen::Color;
use svg::{Board, describe};

use super::clock::duration;
use super::evaluation::text;
use super::replay::{Scene, Step, numbered, side_name};
use super::shown::name;

/// The longest line that is shown, in half-moves.
const LONGEST_LINE: usize = 40;

/// The panels of both sides, White's first.
pub fn panels(scene: &Scene<'_>, below: Color) -> Markup {
    let game = &scene.replay.view.game;
    let players = [(Color::White, &game.white), (Color::Black, &game.black)];
    html! {
        @for (side, player) in players {
            section.thinking aria-label={"What " (side_name(side)) " thinks"} {
                h3 { i.man.(men(side)) {} (name(player)) }
                @match scene.last_thought(side) {
                    Some(step) => (thought(step, below)),
                    None => p.quiet { "No move yet." },
                }
            }
        }
    }
}

/// The CSS class of a side's sign.
pub fn men(side: Color) -> &'static str {
    match side {
        Color::White => "man-white",
        Color::Black => "man-black",
    }
}

fn thought(step: &Step<'_>, below: Color) -> Markup {
    let line = step.line();
    let line = &line[..line.len().min(LONGEST_LINE)];
    html! {
        (figures(step))
        @if line.is_empty() {
            p.quiet { "No line was given with " (step.numbered()) "." }
        } @else {
            div.line-and-board {
                p.pv { (numbered(&step.before, line)) }
                (end_of_line(step, line, below))
            }
        }
    }
}

/// The position after the line.
fn end_of_line(step: &Step<'_>, line: &[movegen::Move], below: Color) -> Markup {
    let mut position = step.before;
    for &mv in line {
        position.play(mv);
    }
    let label = format!("The end of the line. {}", describe(&position));
    let board = Board::new(&position, &label)
        .seen_from(below)
        .without_coordinates()
        .mark_check();
    let board = line.last().map_or(board, |&mv| board.last_move(mv));
    html! { div.small-board { (board.to_markup()) } }
}

/// Evaluation, depth, nodes, speed and time of a move.
fn figures(step: &Step<'_>) -> Markup {
    let Some(played) = step.played else {
        return html! {};
    };
    let search = &played.search;
    let speed = search.nodes.filter(|_| played.elapsed_ms >= 1.0);
    let speed = speed.map(|nodes| nodes as f64 / played.elapsed_ms * 1000.0);
    let figures = [
        ("Move", Some(step.numbered())),
        ("Evaluation", step.eval().map(text)),
        ("Depth", search.depth.map(|depth| depth.to_string())),
        ("Nodes", search.nodes.map(|nodes| short(nodes as f64))),
        ("Nodes/s", speed.map(short)),
        ("Time", Some(duration(played.elapsed_ms))),
    ];
    html! {
        dl.figures {
            @for (what, value) in figures {
                @if let Some(value) = value { div { dt { (what) } dd { (value) } } }
            }
        }
    }
}

/// A number in few digits: 950, 12.3k, 4.56M.
fn short(number: f64) -> String {
    for (unit, letter) in [(1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if number >= unit {
            let number = number / unit;
            let decimals = if number < 10.0 {
                2
            } else {
                usize::from(number < 100.0)
            };
            return format!("{number:.decimals$}{letter}");
        }
    }
    format!("{number:.0}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (number, expected) in [
            (0.0, "0"),
            (950.0, "950"),
            (12_345.0, "12.3k"),
            (4_560_000.0, "4.56M"),
            (123_456_789_000.0, "123G"),
        ] {
            assert_eq!(short(number), expected);
        }
    }
}
