//! Standings and cross table. `ladder` has the standings of ladders.

use std::collections::HashMap;

use maud::{Markup, html};
use movegen::Color;

use super::ladder;
use super::links::{MOST_LINKS, link};
use super::shown::name;
use crate::core::event::view::EventView;
use crate::core::standings::text::{cross_text, elo_text};
use crate::core::standings::{Standing, Standings};
use crate::core::text::shown;

/// Up to so many players have a cross table.
const MOST_CROSSED: usize = 40;

/// The section of the standings, with the cross table where everybody meets everybody.
pub fn section(view: &EventView, standings: &Standings) -> Markup {
    let format = view.growing_format();
    let has_cross_table = format.is_none() && (2..=MOST_CROSSED).contains(&standings.players.len());
    html! {
        section id="standings" aria-labelledby="standings-heading" {
            h2 id="standings-heading" { "Standings" }
            @if standings.players.is_empty() { p.quiet { "None yet." } }
            @else {
                div.tables {
                    @match view.results.ratings() {
                        Some(ratings) => (ladder::table(view, standings, ratings)),
                        None => (table(standings)),
                    }
                    @if has_cross_table { (cross_table(view, standings)) }
                }
                @for line in standings.replacements().lines() { p.quiet { (line) } }
            }
        }
    }
}

fn table(standings: &Standings) -> Markup {
    let has_byes = standings
        .players
        .iter()
        .any(|player| player.bye_points > 0.0);
    let columns = match standings.columns.as_slice() {
        [] => vec!["SB"],
        columns => columns.iter().map(String::as_str).collect(),
    };
    let byes = has_byes.then_some("Byes");
    let headings = std::iter::once("Points")
        .chain(byes)
        .chain(["Games", "+", "=", "\u{2212}", "Elo"])
        .chain(columns);
    html! {
        div.scroll tabindex="0" role="region" aria-label="Standings" {
            table {
                thead {
                    tr {
                        th scope="col" { "Rank" }
                        th scope="col" { "Player" }
                        @for heading in headings { (number_heading(heading)) }
                    }
                }
                tbody { @for standing in &standings.players { (row(standing, has_byes)) } }
            }
        }
    }
}

/// The heading of a column of numbers.
pub fn number_heading(heading: &str) -> Markup {
    let spoken = spoken(heading);
    html! { th.number scope="col" aria-label=[spoken] title=[spoken] { (shown(heading)) } }
}

/// What a screen reader says for a heading.
fn spoken(heading: &str) -> Option<&'static str> {
    Some(match heading {
        "+" => "Won",
        "=" => "Drawn",
        "\u{2212}" => "Lost",
        "\u{b1}" => "Error: half of the 95 % interval",
        "Byes" => "Points from byes, which are among the points",
        "SB" => "Sonneborn-Berger",
        "BH" => "Buchholz",
        "BH-C1" => "Buchholz without the lowest score",
        "DE" => "Direct encounter",
        "WIN" => "Wins",
        "WON" => "Games won",
        "BPG" => "Games with Black",
        "BWG" => "Games won with Black",
        "PS" => "Progressive scores",
        "ARO" => "Average rating of the opponents",
        "TPR" => "Performance",
        _ => return None,
    })
}

fn row(standing: &Standing, has_byes: bool) -> Markup {
    let tally = &standing.tally;
    let error = standing.error.map(|error| format!("\u{b1}{error:.0}"));
    html! {
        tr {
            td.number { (standing.rank) }
            th scope="row" { (name(&standing.name)) }
            td.number { strong { (points(standing.points)) } }
            @if has_byes {
                td.number { @if standing.bye_points > 0.0 { (points(standing.bye_points)) } }
            }
            td.number { (standing.games) }
            td.number { (tally.wins) }
            td.number { (tally.draws) }
            td.number { (tally.losses) }
            td.number { (elo_text(standing)) @if let Some(error) = error { " " small.quiet { (error) } } }
            @if standing.values.is_empty() { td.number { (format!("{:.2}", standing.sonneborn_berger)) } }
            @for value in &standing.values { td.number { (shown(value)) } }
        }
    }
}

/// Points with halves: `5½`.
pub fn points(points: f64) -> String {
    let whole = points.floor();
    match (whole, points > whole) {
        (0.0, true) => "\u{bd}".to_owned(),
        (_, true) => format!("{whole}\u{bd}"),
        (_, false) => whole.to_string(),
    }
}

/// A finished or running game of one player against another: its number, and `1`, `=`, `0` or `*`.
type Crossing = (usize, char);

/// The games of each player against each, by numbers of players.
fn crossings(view: &EventView) -> HashMap<(usize, usize), Vec<Crossing>> {
    let mut games: HashMap<_, Vec<Crossing>> = HashMap::new();
    for pairing in view.results.schedule() {
        let finished = view.results.finished().get(&pairing.number);
        if finished.is_none() && !view.games.contains_key(&pairing.number) {
            continue;
        }
        let result = finished.and_then(|finished| finished.result);
        let players = [
            (Color::White, pairing.white, pairing.black),
            (Color::Black, pairing.black, pairing.white),
        ];
        for (side, player, other) in players {
            let letter = match result.map(|result| result.half_points(side)) {
                None if finished.is_none() => '*',
                None => '-',
                Some(0) => '0',
                Some(1) => '=',
                Some(_) => '1',
            };
            let crossing = (pairing.number, letter);
            games.entry((player, other)).or_default().push(crossing);
        }
    }
    games
}

fn cross_table(view: &EventView, standings: &Standings) -> Markup {
    let games = crossings(view);
    let players = &standings.players;
    html! {
        div.scroll tabindex="0" role="region" aria-label="Cross table" {
            table.cross {
                thead {
                    tr {
                        th scope="col" { "Player" }
                        @for (place, other) in players.iter().enumerate() {
                            th scope="col" title=(name(&other.name)) aria-label=(name(&other.name)) { (place + 1) }
                        }
                    }
                }
                tbody {
                    @for (place, standing) in players.iter().enumerate() {
                        tr {
                            th scope="row" { (place + 1) ". " (name(&standing.name)) }
                            @for (column, other) in players.iter().enumerate() {
                                @if column == place { td.self { "\u{b7}" } }
                                @else {
                                    @let games = games.get(&(standing.player, other.player));
                                    @let letters = &standings.crosses[place][column];
                                    td { (crossed(games.map_or(&[][..], Vec::as_slice), letters)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The results of two players' games: each a link, or all as points.
fn crossed(games: &[Crossing], letters: &str) -> Markup {
    if games.len() > MOST_LINKS {
        return html! { (cross_text(letters)) };
    }
    html! { @for &(number, letter) in games { (link(number, letter)) } }
}
