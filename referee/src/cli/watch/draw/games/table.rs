//! Games as a table.

use jiff::Timestamp;
use movegen::Color;
use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Cell, Row, Table, TableState};
use referee::event::view::GameView;

use crate::cli::watch::draw::text::{
    clock, cut, duration, evaluation, for_white, mover, name, numbered, result, thinking_time,
    time_left,
};
use crate::cli::watch::draw::theme::SELECTED;
use crate::cli::watch::draw::window::window;
use crate::cli::watch::state::State;

/// The widths of the columns but for the names, the state and the opening.
const NUMBER: u16 = 5;
const CLOCK: u16 = 7;
const EVAL: u16 = 7;
const LAST: u16 = 13;
const FIXED: u16 = NUMBER + 2 * CLOCK + EVAL + LAST + 7;
/// A name gets at most this.
const NAME: u16 = 28;
/// The opening is shown where the state has this.
const STATE: u16 = 40;

/// The widths of a table.
#[derive(Clone, Copy)]
struct Columns {
    name: u16,
    state: u16,
    opening: u16,
}

impl Columns {
    fn of(width: u16) -> Self {
        let room = width.saturating_sub(FIXED);
        let name = (room * 3 / 10).min(NAME);
        let rest = room.saturating_sub(2 * name);
        let opening = rest.saturating_sub(STATE + 1);
        Self {
            name,
            state: rest - opening,
            opening: opening.saturating_sub(1),
        }
    }

    fn constraints(self) -> Vec<Constraint> {
        let widths = [
            NUMBER,
            self.name,
            CLOCK,
            self.name,
            CLOCK,
            EVAL,
            LAST,
            self.state,
            self.opening,
        ];
        let count = if self.opening > 0 { 9 } else { 8 };
        widths[..count]
            .iter()
            .map(|&width| Constraint::Length(width))
            .collect()
    }
}

/// Games in this order, with the selected one in the middle if there are more than lines.
pub fn draw(frame: &mut Frame, state: &State, games: &[usize], area: Rect, now: Timestamp) {
    let columns = Columns::of(area.width);
    let right = |text: &'static str| Line::raw(text).right_aligned();
    let header = Row::new([
        right("#"),
        Line::raw("White"),
        right("Clock"),
        Line::raw("Black"),
        right("Clock"),
        right("Eval"),
        Line::raw("Last move"),
        Line::raw("State"),
        Line::raw("Opening"),
    ]);
    let selected = state.selected();
    let place = games.iter().position(|&game| Some(game) == selected);
    let seen = window(place, games.len(), area.height.saturating_sub(1).into());
    let rows = games[seen.clone()]
        .iter()
        .map(|&number| match state.view.games.get(&number) {
            Some(game) => row(state, game, columns, now),
            None => forgotten_row(state, number, columns),
        });
    let table = Table::new(rows, columns.constraints())
        .header(header.style(state.theme.heading()))
        .row_highlight_style(SELECTED);
    let place = place.and_then(|place| place.checked_sub(seen.start));
    let mut selection = TableState::new().with_selected(place);
    frame.render_stateful_widget(table, area, &mut selection);
}

fn row(state: &State, game: &GameView, columns: Columns, now: Timestamp) -> Row<'static> {
    let theme = state.theme;
    let player = |side| Cell::new(cut(name(game, side), columns.name.into()));
    let time = |side| {
        let style = match thinking_time(game, side, now) {
            Some(_) => theme.running(),
            None => Style::new(),
        };
        Cell::new(Line::styled(clock(time_left(game, side, now)), style).right_aligned())
    };
    let last = game.game.moves.last();
    let eval = last.and_then(|last| Some(for_white(last.eval?, mover(game, last))));
    let eval = eval.map_or_else(String::new, evaluation);
    let last = last.map_or_else(String::new, |last| numbered(game, last));
    let (text, style) = state_text(state, game, now);
    let opening = game.game.opening.as_deref().unwrap_or_default();
    Row::new([
        Cell::new(Line::raw(game.game.game.to_string()).right_aligned()),
        player(Color::White),
        time(Color::White),
        player(Color::Black),
        time(Color::Black),
        Cell::new(Line::raw(eval).right_aligned()),
        Cell::new(cut(&last, LAST.into())),
        Cell::new(Line::styled(cut(&text, columns.state.into()), style)),
        Cell::new(cut(opening, columns.opening.into())),
    ])
}

/// The result of a game, or who is asked and for how long.
fn state_text(state: &State, game: &GameView, now: Timestamp) -> (String, Style) {
    let theme = state.theme;
    if let Some(end) = &game.end {
        let style = match end.verdict {
            Some(_) => theme.fault(),
            None => theme.good(),
        };
        return (result(end), style);
    }
    if game.game.is_paused {
        return ("paused".to_owned(), theme.fault());
    }
    let side = game.turn();
    match thinking_time(game, side, now) {
        Some(time) => (format!("{side:?} {}", duration(time)), Style::new()),
        None => ("no clock runs".to_owned(), theme.dim()),
    }
}

/// A finished game of which only the result is kept.
fn forgotten_row(state: &State, number: usize, columns: Columns) -> Row<'static> {
    let pairing = state.view.results.pairing(number);
    let name = |player: Option<usize>| {
        let name = player.and_then(|player| state.view.names.get(player));
        Cell::new(cut(name.map_or("", String::as_str), columns.name.into()))
    };
    let end = state.view.ends.get(&number);
    let text = end.map_or_else(String::new, result);
    Row::new([
        Cell::new(Line::raw(number.to_string()).right_aligned()),
        name(pairing.map(|pairing| pairing.white)),
        Cell::default(),
        name(pairing.map(|pairing| pairing.black)),
        Cell::default(),
        Cell::default(),
        Cell::default(),
        Cell::new(cut(&text, columns.state.into())),
    ])
}
