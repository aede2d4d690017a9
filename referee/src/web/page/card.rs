//! A board with both players, their clocks and evaluations; and the card of a game on the event's page.

use jiff::Timestamp;
use maud::{Markup, html};
use movegen::Color;
use svg::{Arrow, Board, describe};

use super::charts::spark;
use super::clock::{clock, duration};
use super::evaluation::{bar, text};
use super::replay::{Replay, Scene, Step, numbered, side_name};
use super::shown::name;
use super::thinking::men;
use crate::core::event::view::{End, GameView};
use crate::core::text::shown;

/// How much a card shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Density {
    /// Board, graph and expected line.
    Full,
    /// Board, players and the last move.
    Compact,
}

/// A game in the list of boards.
pub fn card(view: &GameView, density: Density, now: Option<Timestamp>) -> Markup {
    let replay = Replay::new(view);
    let scene = replay.at(None);
    let game = &view.game;
    let number = game.game;
    let is_full = density == Density::Full;
    html! {
        article.card.ended[view.end.is_some()] id={"game-" (number)} data-game=(number)
            data-plies=(replay.steps.len()) {
            h3 {
                a href={"/game/" (number)} { "Game " (number) }
                span.quiet { @if let Some(opening) = &game.opening { (shown(opening)) } }
            }
            (arena(&scene, Color::White, Detail::Card, now))
            p.state { (state(&scene)) }
            @if is_full {
                (spark(&replay))
                p.pv { (expected(&scene)) }
            }
        }
    }
}

/// The latest line that a player expects, as text.
fn expected(scene: &Scene<'_>) -> String {
    let mut steps = scene.made().iter().rev();
    let step = steps.find(|step| {
        step.played
            .is_some_and(|played| !played.search.pv.is_empty())
    });
    step.map_or_else(String::new, |step| numbered(&step.before, &step.line()))
}

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Small, without coordinates.
    Card,
    /// Large, with coordinates and an arrow for the expected reply.
    Page,
}

/// The board between both players.
pub fn arena(scene: &Scene<'_>, below: Color, detail: Detail, now: Option<Timestamp>) -> Markup {
    html! {
        div.arena {
            (player(scene, !below, detail, now))
            div.field {
                (bar(scene.eval(), below))
                (board(scene, below, detail))
            }
            (player(scene, below, detail, now))
        }
    }
}

fn player(scene: &Scene<'_>, side: Color, detail: Detail, now: Option<Timestamp>) -> Markup {
    let view = scene.replay.view;
    let player = match side {
        Color::White => &view.game.white,
        Color::Black => &view.game.black,
    };
    let eval = scene.last_thought(side).and_then(Step::eval);
    let points = view.end.as_ref().and_then(|end| points(end, side));
    let is_to_move = view.end.is_none() && scene.position().turn() == side;
    let runs_on = view.game.conditions.line(side).map(|line| shown(&line));
    let title = match &runs_on {
        Some(line) => format!("{}: {line}", name(player)),
        None => name(player),
    };
    html! {
        div.player.to-move[is_to_move] {
            i.man.(men(side)) role="img" aria-label=(side_name(side)) {}
            b.name title=(title) {
                (name(player))
                @if let (Some(line), Detail::Page) = (runs_on, detail) { small.machine { (line) } }
            }
            @if let Some(points) = points { strong.points { (points) } }
            @if let Some(eval) = eval { span.eval { span.unseen { "evaluation " } (text(eval)) } }
            (clock(scene, side, now))
        }
    }
}

/// The points of a side.
fn points(end: &End, side: Color) -> Option<&'static str> {
    Some(match (end.result.as_str(), side) {
        ("1-0", Color::White) | ("0-1", Color::Black) => "1",
        ("1-0", Color::Black) | ("0-1", Color::White) => "0",
        ("1/2-1/2", _) => "\u{bd}",
        _ => return None,
    })
}

/// The position as an SVG file.
pub fn file(scene: &Scene<'_>, below: Color) -> String {
    let position = scene.position();
    let label = board_label(scene, Detail::Page);
    let board = Board::new(&position, &label).seen_from(below).mark_check();
    let last = scene.last();
    let board = last.map_or(board, |step| board.last_move(step.mv));
    board.to_file()
}

fn board(scene: &Scene<'_>, below: Color, detail: Detail) -> Markup {
    let position = scene.position();
    let label = board_label(scene, detail);
    let last = scene.last();
    // The reply that the last mover expects.
    let is_over = scene.is_last() && scene.replay.view.end.is_some();
    let line = last.filter(|_| !is_over).map_or_else(Vec::new, Step::line);
    let reply = line.get(1).map(|&reply| (reply, Arrow::Expected));
    let board = Board::new(&position, &label).seen_from(below).mark_check();
    let board = last.map_or(board, |step| board.last_move(step.mv));
    match detail {
        Detail::Card => board.without_coordinates().to_markup(),
        Detail::Page => board.arrows(reply.as_slice()).to_markup(),
    }
}

/// What a screen reader says of a board.
fn board_label(scene: &Scene<'_>, detail: Detail) -> String {
    let game = &scene.replay.view.game;
    let players = format!("{} against {}", name(&game.white), name(&game.black));
    let last = scene.last();
    let last = last.map_or_else(String::new, |step| format!(", after {}", step.numbered()));
    match detail {
        Detail::Card => format!("Board: {players}{last}"),
        Detail::Page => format!("Board: {players}{last}. {}", describe(&scene.position())),
    }
}

/// The last move, or how the game ended.
pub fn state(scene: &Scene<'_>) -> Markup {
    let view = scene.replay.view;
    let last = scene.last();
    html! {
        @match &view.end {
            Some(end) if scene.is_last() => strong { (shown(&end.reason)) },
            _ => {
                @if view.game.is_paused { strong.alert { "Paused. " } }
                @match last {
                    None => "No move yet",
                    Some(step) => {
                        b { (step.numbered()) }
                        @match step.played {
                            None => span.quiet { "opening" },
                            Some(played) => {
                                span { (duration(played.elapsed_ms)) }
                                @if let Some(depth) = played.search.depth { span { "depth\u{a0}" (depth) } }
                            }
                        }
                    }
                }
            }
        }
    }
}
