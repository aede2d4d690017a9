//! The rounds of a Swiss event: who meets whom, with how many points, and how it ended.

use maud::{Markup, html};

use super::links::links;
use super::shown::name;
use super::standings::points;
use crate::core::event::view::EventView;
use crate::core::event::view::rounds::{Board, Round};
use crate::core::schedule::Swiss;

/// What a screen reader says for the points of a player.
const BEFORE: &str = "Points before the round";

/// The present round, and the earlier ones folded below, the latest first.
pub fn section(view: &EventView, swiss: Swiss) -> Markup {
    let rounds = view.rounds();
    html! {
        section id="rounds" aria-labelledby="rounds-heading" {
            h2 id="rounds-heading" {
                @match rounds.last() {
                    Some(round) => {
                        "Round " (round.number) " "
                        span.quiet { "of " (swiss.rounds) }
                    }
                    None => "Rounds",
                }
            }
            @match rounds.split_last() {
                Some((present, earlier)) => {
                    (boards(view, present))
                    @for round in earlier.iter().rev() { (folded(view, round)) }
                }
                None => p.quiet { (view.outlook().unwrap_or_default()) },
            }
        }
    }
}

fn folded(view: &EventView, round: &Round) -> Markup {
    let number = round.number;
    html! {
        details id={"round-" (number)} {
            summary { "Round " (number) }
            (boards(view, round))
        }
    }
}

fn boards(view: &EventView, round: &Round) -> Markup {
    let has_pairs = round.boards.iter().any(|board| board.games.len() > 1);
    let label = format!("Pairings of round {}", round.number);
    html! {
        div.scroll tabindex="0" role="region" aria-label=(label) {
            table.boards {
                thead {
                    tr {
                        th.board-number scope="col" { "Board" }
                        th scope="col" { @if has_pairs { "White first" } @else { "White" } }
                        th.number scope="col" title=(BEFORE) aria-label=(BEFORE) { "Pts" }
                        th.middle scope="col" { "Result" }
                        th.number scope="col" title=(BEFORE) aria-label=(BEFORE) { "Pts" }
                        th scope="col" { @if has_pairs { "Black first" } @else { "Black" } }
                        th scope="col" { @if has_pairs { "Games" } @else { "Game" } }
                    }
                }
                tbody { @for (number, board) in (1..).zip(&round.boards) { (row(view, number, board)) } }
            }
        }
        (unpaired(view, round))
    }
}

fn row(view: &EventView, number: usize, board: &Board) -> Markup {
    let [white, black] = board.players;
    let before = |side: usize| board.before.map(|before| points(before[side]));
    let leader = |side: usize| board.is_over() && board.points[side] > board.points[1 - side];
    html! {
        tr.running[board.is_running()] {
            td.board-number { (number) }
            td.best[leader(0)] { (player(view, white)) }
            td.number.quiet { @if let Some(points) = before(0) { (points) } }
            td.result.middle { (result(board)) }
            td.number.quiet { @if let Some(points) = before(1) { (points) } }
            td.best[leader(1)] { (player(view, black)) }
            td { (links(view, &board.games, white)) }
        }
    }
}

/// `1½–½`; empty before the first result.
fn result(board: &Board) -> String {
    let [white, black] = board.points;
    if white + black == 0.0 && !board.is_over() {
        return String::new();
    }
    format!("{}\u{2013}{}", points(white), points(black))
}

/// Who has a bye, and who is not there.
fn unpaired(view: &EventView, round: &Round) -> Markup {
    let absent: Vec<_> = round
        .absent
        .iter()
        .map(|&absent| player(view, absent))
        .collect();
    html! {
        @if !round.byes.is_empty() {
            p.quiet.unpaired {
                "Bye: "
                @for (i, &(bye, given)) in round.byes.iter().enumerate() {
                    @if i > 0 { ", " }
                    (player(view, bye)) " (" (points(given)) @if given > 1.0 { " points)" } @else { " point)" }
                }
            }
        }
        @if !absent.is_empty() { p.quiet.unpaired { "Absent: " (absent.join(", ")) } }
    }
}

/// The name of a player by its number.
pub fn player(view: &EventView, player: usize) -> String {
    name(view.names.get(player).map_or("", String::as_str))
}
