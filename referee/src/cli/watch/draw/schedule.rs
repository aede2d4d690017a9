//! The schedule: all games, their results, and those in progress.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Cell, Row, Table, TableState};
use referee::schedule::Pairing;

use super::text::{cut, result, time_of_day};
use super::theme::SELECTED;
use super::window::window;
use crate::cli::watch::state::State;

const NUMBER: u16 = 6;
const ROUND: u16 = 7;
const PLIES: u16 = 6;
const ENDED: u16 = 9;
const FIXED: u16 = NUMBER + ROUND + PLIES + ENDED + 6;

pub fn draw(frame: &mut Frame, state: &State, area: Rect) {
    let line = u16::from(state.view.growing_format().is_some());
    let [outlook, area] =
        Layout::vertical([Constraint::Length(line), Constraint::Fill(1)]).areas(area);
    if let Some(text) = state.view.outlook() {
        frame.render_widget(
            Line::styled(cut(&text, outlook.width.into()), state.theme.dim()),
            outlook,
        );
    }
    draw_games(frame, state, area);
}

fn draw_games(frame: &mut Frame, state: &State, area: Rect) {
    let schedule = state.view.results.schedule();
    let room = area.width.saturating_sub(FIXED);
    let name = (room * 3 / 10).min(30);
    let result = room.saturating_sub(2 * name);
    let selected = state.selected().and_then(|game| game.checked_sub(1));
    let seen = window(
        selected,
        schedule.len(),
        area.height.saturating_sub(1).into(),
    );
    let rows = schedule[seen.clone()]
        .iter()
        .map(|pairing| row(state, pairing, name.into(), result.into()));
    let right = |text: &'static str| Line::raw(text).right_aligned();
    let header = Row::new([
        right("#"),
        right("Round"),
        Line::raw("White"),
        Line::raw("Black"),
        right("Plies"),
        right("Ended"),
        Line::raw("Result"),
    ]);
    let widths = [NUMBER, ROUND, name, name, PLIES, ENDED, result];
    let table = Table::new(rows, widths.map(Constraint::Length))
        .header(header.style(state.theme.heading()))
        .row_highlight_style(SELECTED);
    let selected = selected.and_then(|place| place.checked_sub(seen.start));
    let mut selection = TableState::new().with_selected(selected);
    frame.render_stateful_widget(table, area, &mut selection);
}

fn row(state: &State, pairing: &Pairing, name_width: usize, width: usize) -> Row<'static> {
    let view = &state.view;
    let theme = state.theme;
    let game = view.games.get(&pairing.number);
    let end = view.ends.get(&pairing.number);
    // A game keeps the names that it was played under.
    let name = |player: usize, played: Option<&String>| {
        let name = played.or_else(|| view.names.get(player));
        let name = name.map_or("", String::as_str);
        Cell::new(cut(
            if name.is_empty() { "(anyone)" } else { name },
            name_width,
        ))
    };
    let (result, style) = match (end, game) {
        (Some(end), _) => {
            let style = match end.verdict {
                Some(_) => theme.fault(),
                None => theme.good(),
            };
            (result(end), style)
        }
        (None, Some(game)) if game.game.is_paused => ("paused".to_owned(), theme.fault()),
        (None, Some(_)) => ("in progress".to_owned(), theme.running()),
        (None, None) => (String::new(), Style::new()),
    };
    let plies = match (end, game) {
        (Some(end), _) => Some(end.plies),
        (None, Some(game)) => Some(game.game.opening_moves.len() + game.game.moves.len()),
        (None, None) => None,
    };
    let right = |text: String| Cell::new(Line::raw(text).right_aligned());
    Row::new([
        right(pairing.number.to_string()),
        right(format!("{}.{}", pairing.round, pairing.game)),
        name(pairing.white, game.map(|game| &game.game.white)),
        name(pairing.black, game.map(|game| &game.game.black)),
        right(plies.map_or_else(String::new, |plies| plies.to_string())),
        right(end.map_or_else(String::new, |end| time_of_day(&end.at, &state.zone))),
        Cell::new(Line::styled(cut(&result, width), style)),
    ])
}
