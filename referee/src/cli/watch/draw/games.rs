//! The overview: all games, as boards or as a table, and the event's SPRT.

mod table;
mod tile;

use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Text};

use super::frame::body;
use super::sprt;
use crate::cli::watch::state::State;

/// The fewest lines of finished games below boards.
const MIN_RESULTS: u16 = 4;

/// How the boards of games in progress are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Grid {
    columns: u16,
    /// The lines of boards that there are, and that the screen has room for.
    lines: u16,
    seen: u16,
}

impl Grid {
    /// None if games are not shown as boards.
    fn of(state: &State, area: Rect) -> Option<Self> {
        let games = state.view.running().count();
        let columns = area.width / tile::WIDTH;
        let seen = area.height / tile::HEIGHT;
        if games == 0 || columns == 0 || seen == 0 {
            return None;
        }
        let lines = games.div_ceil(columns.into()) as u16;
        let has_boards = state.has_boards.unwrap_or(lines <= seen);
        has_boards.then_some(Self {
            columns,
            lines,
            seen: seen.min(lines),
        })
    }
}

/// The number of boards beside each other; none if games are shown as a table.
pub fn tile_columns(state: &State) -> Option<usize> {
    let [_, area] = parts(state, body(state.size));
    Some(Grid::of(state, area)?.columns.into())
}

/// The line of the SPRT, if the event has one, and what is below.
fn parts(state: &State, area: Rect) -> [Rect; 2] {
    let line = u16::from(state.view.results.test().is_some());
    Layout::vertical([Constraint::Length(line), Constraint::Fill(1)]).areas(area)
}

pub fn draw(frame: &mut Frame, state: &State, area: Rect, now: Timestamp) {
    let [test, area] = parts(state, area);
    if let Some(report) = state.view.results.sprt() {
        frame.render_widget(sprt::line(&report, test.width, state.theme), test);
    }
    let listed = state.listed();
    if listed.is_empty() {
        let text = match &state.view.start {
            None => "The referee has not started this event yet.",
            Some(_) => "No game has begun: the referee waits for players.",
        };
        let lines = [
            Line::raw(""),
            Line::styled(text, state.theme.dim()).centered(),
        ];
        frame.render_widget(Text::from(lines.to_vec()), area);
        return;
    }
    let Some(grid) = Grid::of(state, area) else {
        table::draw(frame, state, &listed, area, now);
        return;
    };
    let height = grid.seen * tile::HEIGHT;
    let [boards, results] =
        Layout::vertical([Constraint::Length(height), Constraint::Fill(1)]).areas(area);
    draw_boards(frame, state, grid, boards, now);
    let finished = &listed[state.view.running().count()..];
    if results.height >= MIN_RESULTS && !finished.is_empty() {
        table::draw(frame, state, finished, results, now);
    }
}

fn draw_boards(frame: &mut Frame, state: &State, grid: Grid, area: Rect, now: Timestamp) {
    let games: Vec<_> = state.view.running().collect();
    let columns = usize::from(grid.columns);
    let selected = state.selected();
    let is_selected = |number| Some(number) == selected;
    let place = games.iter().position(|game| is_selected(game.game.game));
    // The line of the selected game is in the middle.
    let line = place.map_or(0, |place| (place / columns) as u16);
    let first = line
        .saturating_sub(grid.seen / 2)
        .min(grid.lines - grid.seen);
    let seen = games
        .chunks(columns)
        .skip(first.into())
        .take(grid.seen.into());
    for (line, games) in (0..).zip(seen) {
        for (column, game) in (0..).zip(games) {
            let area = Rect {
                x: area.x + column * tile::WIDTH,
                y: area.y + line * tile::HEIGHT,
                width: tile::WIDTH,
                height: tile::HEIGHT,
            };
            tile::draw(frame, state, game, is_selected(game.game.game), area, now);
        }
    }
}
