//! The standings and the cross table.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Text};
use ratatui::widgets::{Cell, Row, Table, TableState};
use referee::standings::{Standing, Standings};

use super::sprt;
use super::text::{cut, fit, width};
use super::theme::SELECTED;
use super::window::window;
use crate::cli::watch::state::State;

/// The widths of the columns behind the name.
const WIDTHS: [u16; 8] = [6, 5, 4, 4, 4, 7, 8, 6];
const FIXED: u16 = 4 + 6 + 5 + 4 + 4 + 4 + 7 + 8 + 6 + 9;
/// A name gets at most this in the cross table.
const NAME: usize = 24;
/// What stands above the names.
const HEADING: &str = "Cross table";

pub fn draw(frame: &mut Frame, state: &State, area: Rect) {
    if state.view.start.is_none() {
        return;
    }
    let standings = state.view.standings();
    let remarks = format!("{}{}", standings.replacements(), standings.forfeits());
    let line = u16::from(standings.sprt.is_some());
    let players = standings.players.len() as u16;
    let remarks: Vec<_> = remarks
        .lines()
        .map(|line| cut(line, area.width.into()))
        .collect();
    let notes = remarks.len() as u16;
    // The standings get what they need, but leave something to the cross table.
    let [test, table, note, cross] = Layout::vertical([
        Constraint::Length(line),
        Constraint::Length((players + 1).min(area.height.saturating_sub(line) / 2 + 1)),
        Constraint::Length(notes.min(area.height / 5)),
        Constraint::Fill(1),
    ])
    .areas(area);
    if let Some(report) = &standings.sprt {
        frame.render_widget(sprt::line(report, test.width, state.theme), test);
    }
    draw_table(frame, state, &standings, table);
    let remarks = remarks.into_iter().map(Line::raw).collect::<Text>();
    frame.render_widget(remarks.style(state.theme.fault()), note);
    draw_cross_table(frame, state, &standings, cross);
}

fn draw_table(frame: &mut Frame, state: &State, standings: &Standings, area: Rect) {
    let name_width = area.width.saturating_sub(FIXED).min(30);
    let headings = [
        "Rank", "Name", "Points", "Games", "+", "=", "-", "Score %", "Elo", "SB",
    ];
    let header = headings.map(|heading| cell(heading.to_owned(), heading == "Name"));
    let place = state.place.min(standings.players.len().saturating_sub(1));
    let room = usize::from(area.height).saturating_sub(1);
    let seen = window(Some(place), standings.players.len(), room);
    let players = standings.players[seen.clone()].iter();
    let rows = players.map(|standing| row(standing, name_width.into()));
    let widths = [4, name_width].into_iter().chain(WIDTHS);
    let table = Table::new(rows, widths.map(Constraint::Length))
        .header(Row::new(header).style(state.theme.heading()))
        .row_highlight_style(SELECTED);
    let mut selection = TableState::new().with_selected(Some(place - seen.start));
    frame.render_stateful_widget(table, area, &mut selection);
}

fn cell(text: String, is_left: bool) -> Cell<'static> {
    let line = Line::raw(text);
    Cell::new(if is_left { line } else { line.right_aligned() })
}

fn row(standing: &Standing, name_width: usize) -> Row<'static> {
    let tally = &standing.tally;
    let elo = match (standing.elo, standing.error) {
        (Some(elo), Some(error)) => format!("{elo:+.0}±{error:.0}"),
        (Some(elo), None) => format!("{elo:+.0}"),
        (None, _) => "-".to_owned(),
    };
    let score = standing.score.map(|score| format!("{:.1}", 100.0 * score));
    let texts = [
        standing.rank.to_string(),
        cut(&standing.name, name_width),
        format!("{:.1}", standing.points),
        standing.games.to_string(),
        tally.wins.to_string(),
        tally.draws.to_string(),
        tally.losses.to_string(),
        score.unwrap_or_else(|| "-".to_owned()),
        elo,
        format!("{:.2}", standing.sonneborn_berger),
    ];
    let cells = (0..)
        .zip(texts)
        .map(|(column, text)| cell(text, column == 1));
    cells.collect()
}

/// The results of each player against each, as far as there is room.
fn draw_cross_table(frame: &mut Frame, state: &State, standings: &Standings, area: Rect) {
    if area.height < 4 {
        return;
    }
    let cells = standings.cross_cells();
    let column = |text: &[String]| {
        text.iter()
            .map(|text| width(text))
            .max()
            .unwrap_or(0)
            .max(2)
    };
    let widths: Vec<_> = (0..cells.len())
        .map(|other| {
            column(
                &cells
                    .iter()
                    .map(|row| row[other].clone())
                    .collect::<Vec<_>>(),
            )
        })
        .collect();
    let names = standings.players.iter().map(|player| width(&player.name));
    let name_width = names.max().unwrap_or(0).clamp(HEADING.len(), NAME);
    let text = |number: String, name: &str, cells: Vec<String>| {
        let cells = cells.iter().zip(&widths);
        let cells: Vec<_> = cells
            .map(|(cell, &width)| format!("{cell:>width$}"))
            .collect();
        let line = format!(
            "{number:>3} {}  {}",
            fit(name, name_width),
            cells.join("  ")
        );
        cut(&line, area.width.into())
    };
    let numbers = (1..=cells.len()).map(|number| number.to_string()).collect();
    let heading = text(String::new(), HEADING, numbers);
    let mut lines = vec![Line::raw(""), Line::styled(heading, state.theme.heading())];
    let place = state.place.min(cells.len().saturating_sub(1));
    let seen = window(Some(place), cells.len(), usize::from(area.height) - 2);
    for place in seen {
        let name = &standings.players[place].name;
        lines.push(Line::raw(text(
            (place + 1).to_string(),
            name,
            cells[place].clone(),
        )));
    }
    frame.render_widget(Text::from(lines), area);
}
