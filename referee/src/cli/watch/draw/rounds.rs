//! The pairings of a round of a Swiss event.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Cell, Row, Table, TableState};
use referee::event::view::rounds::{Board, GameState, Round};
use referee::schedule::Format;

use super::text::{cut, player, points, wrapped};
use super::theme::{SELECTED, STRONG};
use super::window::window;
use crate::cli::watch::state::State;

const BOARD: u16 = 5;
const POINTS: u16 = 6;
const RESULT: u16 = 9;
const GAMES: u16 = 9;
const FIXED: u16 = BOARD + 2 * POINTS + RESULT + GAMES + 6;

/// A name gets at most this.
const NAME: u16 = 30;

pub fn draw(frame: &mut Frame, state: &State, area: Rect) {
    let theme = state.theme;
    let outlook = state.view.outlook().unwrap_or_default();
    let Some((round, count)) = state.shown_round() else {
        frame.render_widget(
            Line::styled(cut(&outlook, area.width.into()), theme.dim()),
            area,
        );
        return;
    };
    let unpaired: Vec<_> = unpaired(state, &round)
        .iter()
        .flat_map(|text| wrapped(text, area.width.into()))
        .collect();
    let boards = (round.boards.len() + 1).min(area.height.saturating_sub(2).into());
    let [heading, table, below] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(boards as u16),
        Constraint::Fill(1),
    ])
    .areas(area);
    let title = match state.view.growing_format() {
        Some(Format::Swiss(swiss)) => format!("Round {} of {}", round.number, swiss.rounds),
        _ => format!("Round {}", round.number),
    };
    let rest = if round.number == count {
        format!("   {outlook}")
    } else {
        "   ← → other rounds".to_owned()
    };
    let room = usize::from(heading.width).saturating_sub(title.len());
    let line = Line::from(vec![
        Span::styled(title, theme.heading()),
        Span::styled(cut(&rest, room), theme.dim()),
    ]);
    frame.render_widget(line, heading);
    draw_boards(frame, state, &round, table);
    let unpaired = unpaired.into_iter().map(Line::raw).collect::<Text>();
    frame.render_widget(unpaired, below);
}

fn draw_boards(frame: &mut Frame, state: &State, round: &Round, area: Rect) {
    let name = (area.width.saturating_sub(FIXED) / 2).min(NAME);
    let right = |text: &'static str| Line::raw(text).right_aligned();
    let header = Row::new([
        right("Board"),
        Line::raw("White"),
        right("Points"),
        Line::raw("Result").centered(),
        Line::raw("Points"),
        Line::raw("Black"),
        Line::raw("Games"),
    ]);
    let selected = state.selected();
    let has_selected = |board: &Board| board.games.iter().any(|game| Some(game.number) == selected);
    let place = round.boards.iter().position(has_selected);
    let room = usize::from(area.height).saturating_sub(1);
    let seen = window(place, round.boards.len(), room);
    let rows = round.boards[seen.clone()].iter().zip(seen.start + 1..);
    let rows = rows.map(|(board, number)| row(state, board, number, name.into()));
    let widths = [BOARD, name, POINTS, RESULT, POINTS, name, GAMES];
    let table = Table::new(rows, widths.map(Constraint::Length))
        .header(header.style(state.theme.heading()))
        .row_highlight_style(SELECTED);
    let place = place.and_then(|place| place.checked_sub(seen.start));
    let mut selection = TableState::new().with_selected(place);
    frame.render_stateful_widget(table, area, &mut selection);
}

fn row(state: &State, board: &Board, number: usize, width: usize) -> Row<'static> {
    let before = |side: usize| {
        board
            .before
            .map_or_else(String::new, |before| points(before[side]))
    };
    let name = |side: usize| {
        let is_winner = board.is_over() && board.points[side] > board.points[1 - side];
        let style = if is_winner { STRONG } else { Style::new() };
        let name = cut(player(&state.view, board.players[side]), width);
        Cell::new(Line::styled(name, style))
    };
    let (result, style) = result(state, board);
    Row::new([
        Cell::new(Line::raw(number.to_string()).right_aligned()),
        name(0),
        Cell::new(Line::raw(before(0)).right_aligned()),
        Cell::new(Line::styled(result, style).centered()),
        Cell::new(before(1)),
        name(1),
        Cell::new(cut(&games(board), GAMES.into())),
    ])
}

/// The points so far, and `*` while a game is in progress.
fn result(state: &State, board: &Board) -> (String, Style) {
    let [white, black] = board.points.map(points);
    let has_ended = board
        .games
        .iter()
        .any(|game| matches!(game.state, GameState::Over(_)));
    match (has_ended, board.is_running()) {
        (false, false) => (String::new(), Style::new()),
        (false, true) => ("*".to_owned(), state.theme.running()),
        (true, true) => (format!("{white}-{black} *"), state.theme.running()),
        (true, false) => (format!("{white}-{black}"), state.theme.good()),
    }
}

/// The numbers of the games: `5`, `5-6`.
fn games(board: &Board) -> String {
    match (board.games.first(), board.games.last()) {
        (Some(first), Some(last)) if first != last => format!("{}-{}", first.number, last.number),
        (Some(first), _) => first.number.to_string(),
        (None, _) => String::new(),
    }
}

/// Who has a bye, and who is not there.
fn unpaired(state: &State, round: &Round) -> Vec<String> {
    let name = |number: usize| player(&state.view, number);
    let byes = round.byes.iter();
    let byes: Vec<_> = byes
        .map(|&(player, given)| {
            let plural = if given > 1.0 { "s" } else { "" };
            format!("{} ({} point{plural})", name(player), points(given))
        })
        .collect();
    let absent: Vec<_> = round.absent.iter().map(|&player| name(player)).collect();
    let lines = [("Bye", byes.join(", ")), ("Absent", absent.join(", "))];
    let lines = lines.into_iter().filter(|(_, names)| !names.is_empty());
    lines
        .map(|(word, names)| format!("{word}: {names}"))
        .collect()
}
