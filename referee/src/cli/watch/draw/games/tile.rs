//! A game in progress as a small board.

use jiff::Timestamp;
use movegen::Color;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, BorderType};
use referee::event::view::GameView;

use crate::cli::watch::draw::board;
use crate::cli::watch::draw::evaluation;
use crate::cli::watch::draw::text::{
    clock, cut, duration, evaluation as evaluation_text, fit, last_evaluation, name, numbered,
    thinking_time, time_left,
};
use crate::cli::watch::draw::theme::STRONG;
use crate::cli::watch::state::State;

/// With the frame and a column between two.
pub const WIDTH: u16 = 39;
pub const HEIGHT: u16 = 12;
/// The columns of a board.
const BOARD: u16 = 16;

pub fn draw(
    frame: &mut Frame,
    state: &State,
    game: &GameView,
    is_selected: bool,
    area: Rect,
    now: Timestamp,
) {
    let theme = state.theme;
    let border = if is_selected {
        BorderType::Double
    } else {
        BorderType::Plain
    };
    let style = if is_selected { STRONG } else { theme.dim() };
    let opening = game.game.opening.as_deref().unwrap_or_default();
    let title = match opening {
        "" => format!(" Game {} ", game.game.game),
        opening => format!(" Game {} · {opening} ", game.game.game),
    };
    let area = Rect {
        width: area.width - 1,
        ..area
    };
    let block = Block::bordered()
        .border_type(border)
        .border_style(style)
        .title(cut(&title, usize::from(area.width) - 2));
    let inside = block.inner(area);
    frame.render_widget(block, area);
    let [top, middle, bottom] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(8),
        Constraint::Length(1),
    ])
    .areas(inside);
    for (line, side) in [(top, Color::Black), (bottom, Color::White)] {
        frame.render_widget(player(state, game, side, line.width.into(), now), line);
    }
    let [bar, board, _, beside] = Layout::horizontal([
        Constraint::Length(2),
        Constraint::Length(BOARD),
        Constraint::Length(1),
        Constraint::Fill(1),
    ])
    .areas(middle);
    let last = last_evaluation(game, !game.turn());
    frame.render_widget(evaluation::bar(last, bar.height, theme), bar);
    let mv = game.plies().0.last().map(|ply| ply.mv);
    let squares = board::small(&game.position, mv, theme);
    frame.render_widget(Text::from(squares), board);
    frame.render_widget(Text::from(moves(state, game, beside, now)), beside);
}

/// A player, its evaluation and its clock.
fn player(
    state: &State,
    game: &GameView,
    side: Color,
    width: usize,
    now: Timestamp,
) -> Line<'static> {
    let (sign, style) = match thinking_time(game, side, now) {
        Some(_) => ("▶ ", state.theme.running()),
        None => ("  ", STRONG),
    };
    let eval = last_evaluation(game, side).map_or_else(String::new, evaluation_text);
    let time = clock(time_left(game, side, now));
    let room = width.saturating_sub(2 + 8 + 8);
    Line::from(vec![
        Span::styled(sign, style),
        Span::styled(fit(name(game, side), room), STRONG),
        Span::styled(format!("{eval:>8}"), state.theme.dim()),
        Span::styled(format!("{time:>8}"), style),
    ])
}

/// The last moves, and for how long the present one takes.
fn moves(state: &State, game: &GameView, area: Rect, now: Timestamp) -> Vec<Line<'static>> {
    let width = usize::from(area.width);
    let last = game.game.moves.iter().rev().take(7).rev();
    let mut lines: Vec<_> = last
        .map(|half_move| Line::raw(cut(&numbered(game, half_move), width)))
        .collect();
    if let Some(last) = lines.last_mut() {
        *last = last.clone().style(STRONG);
    }
    if game.game.is_paused {
        lines.push(Line::styled("paused", state.theme.fault()));
    } else {
        let thinking = thinking_time(game, game.turn(), now);
        let text = thinking.map_or_else(|| "no clock runs".to_owned(), duration);
        lines.push(Line::styled(cut(&text, width), state.theme.dim()));
    }
    lines
}
