//! The standings and the cross table.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Text};
use ratatui::widgets::{Row, Table, TableState};
use referee::standings::{Standing, Standings};

use super::column::Column;
use super::text::{cut, fit, width};
use super::theme::SELECTED;
use super::window::window;
use super::{ladder, sprt};
use crate::cli::watch::state::State;

/// The columns of the longest name that is not cut off in the standings.
const LONGEST: u16 = 30;
/// Columns give way until a name has this.
const SHORTEST: u16 = 14;
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
    // Where not everybody meets everybody, there is no cross table.
    let has_cross_table = state.view.growing_format().is_none();
    let height = area.height.saturating_sub(line);
    // The standings get what they need, but leave something to the cross table and to the notes.
    let most = if has_cross_table {
        height / 2 + 1
    } else {
        height - notes.min(height / 5)
    };
    let [test, table, note, cross] = Layout::vertical([
        Constraint::Length(line),
        Constraint::Length((players + 1).min(most)),
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
    if has_cross_table {
        draw_cross_table(frame, state, &standings, cross);
    }
}

fn draw_table(frame: &mut Frame, state: &State, standings: &Standings, area: Rect) {
    let mut columns = columns(state, standings);
    // Between two columns is a blank.
    let taken = |columns: &[Column]| {
        let widths = columns.iter().skip(1).map(|column| column.width + 1);
        let rank = columns[0].width + 1;
        (rank + widths.sum::<usize>()) as u16
    };
    while area.width < taken(&columns) + SHORTEST {
        let order = columns.iter().map(|column| column.gives_way).max();
        match order.filter(|&order| order > 0) {
            Some(order) => columns.retain(|column| column.gives_way < order),
            None => break,
        }
    }
    let name_width = area.width.saturating_sub(taken(&columns)).min(LONGEST);
    let players = &standings.players;
    let names = players.iter().map(|standing| standing.name.clone());
    let mut names = Column::text("Name", names);
    names.width = name_width.into();
    columns.insert(1, names);
    let place = state.place.min(players.len().saturating_sub(1));
    let room = usize::from(area.height).saturating_sub(1);
    let seen = window(Some(place), players.len(), room);
    let row = |row: usize| {
        columns
            .iter()
            .map(|column| column.cell(row))
            .collect::<Row>()
    };
    let header = columns
        .iter()
        .map(|column| column.aligned(column.heading.clone()));
    let widths = columns
        .iter()
        .map(|column| Constraint::Length(column.width as u16));
    let table = Table::new(seen.clone().map(row), widths)
        .header(header.collect::<Row>().style(state.theme.heading()))
        .row_highlight_style(SELECTED);
    let mut selection = TableState::new().with_selected(Some(place - seen.start));
    frame.render_stateful_widget(table, area, &mut selection);
}

/// All columns but the names.
fn columns(state: &State, standings: &Standings) -> Vec<Column> {
    let players = &standings.players;
    let number = |heading: &str, value: &dyn Fn(&Standing) -> String| {
        Column::new(heading, players.iter().map(value))
    };
    let value =
        |i: usize| move |standing: &Standing| standing.values.get(i).cloned().unwrap_or_default();
    let values = standings.columns.iter().enumerate();
    let values = values.map(|(i, heading)| number(&cut(heading, 12), &value(i)));
    let mut columns = vec![number("Rank", &|standing| standing.rank.to_string())];
    let tally = [
        number("Games", &|standing| standing.games.to_string()).giving_way(1),
        number("+", &|standing| standing.tally.wins.to_string())
            .with_width(4)
            .giving_way(2),
        number("=", &|standing| standing.tally.draws.to_string())
            .with_width(4)
            .giving_way(2),
        number("-", &|standing| standing.tally.losses.to_string())
            .with_width(4)
            .giving_way(2),
        number("Score %", &score).giving_way(3),
    ];
    if let Some(ratings) = state.view.results.ratings() {
        columns.extend(values);
        columns.push(ladder::courses(state, players, ratings));
        columns.extend(tally);
        columns.push(ladder::activities(state, players));
        return columns;
    }
    columns.push(number("Points", &|standing| {
        format!("{:.1}", standing.points)
    }));
    if players.iter().any(|standing| standing.bye_points > 0.0) {
        columns.push(number("Byes", &byes));
    }
    columns.extend(tally);
    columns.push(number("Elo", &elo).with_width(8).giving_way(4));
    if standings.columns.is_empty() {
        let sonneborn_berger = |standing: &Standing| format!("{:.2}", standing.sonneborn_berger);
        columns.push(number("SB", &sonneborn_berger).with_width(6));
    } else {
        columns.extend(values);
    }
    columns
}

fn score(standing: &Standing) -> String {
    let score = standing.score.map(|score| format!("{:.1}", 100.0 * score));
    score.unwrap_or_else(|| "-".to_owned())
}

fn byes(standing: &Standing) -> String {
    match standing.bye_points {
        0.0 => String::new(),
        points => format!("{points:.1}"),
    }
}

fn elo(standing: &Standing) -> String {
    match (standing.elo, standing.error) {
        (Some(elo), Some(error)) => format!("{elo:+.0}±{error:.0}"),
        (Some(elo), None) => format!("{elo:+.0}"),
        (None, _) => "-".to_owned(),
    }
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
