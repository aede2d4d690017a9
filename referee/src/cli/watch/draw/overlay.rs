//! What stands in front of the tab: help, a question, a long answer, the line for orders.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Clear, Paragraph};

use super::frame::Areas;
use super::text::{cut, fit, safe, width, wrapped};
use super::theme::STRONG;
use crate::cli::watch::completion::Completion;
use crate::cli::watch::control::Answer;
use crate::cli::watch::prompt::Prompt;
use crate::cli::watch::question::Question;
use crate::cli::watch::state::{Overlay, State};

/// The most words that are offered at once.
const MAX_OFFERED: usize = 8;

/// A question is at most so wide.
const MAX_QUESTION: usize = 76;

/// With its frame it fits a screen of 24 lines.
pub const HELP: &str = "\
1-5, Tab    games, one game, standings, schedule (rounds, bracket), log
↑ ↓ k j     select, scroll; so do PageUp, PageDown, Home, End
Enter, Esc  open the selected game, go back
← → h l     step through the moves of a game (End: live), or through rounds
b           boards or a table
u           pieces, graphs and lines as plain letters and signs, or not
f           in the log: faults only, or everything
q           leave this view; the event goes on

Orders, which need the folder of a running event, ask before they do harm:
:           type any order: Tab completes, ↑ recalls, `help` explains
P  m        pause or resume the event, send all players a message
p  e        pause or resume the selected game, extend a clock
a  f  x     adjudicate it, let a player forfeit it, end it without a result
t  s        take moves back, send both players its moves again
r           cancel the result of a finished game and play it again
K  R        in the standings: disconnect a player, restart its program";

pub fn draw(frame: &mut Frame, state: &State, areas: &Areas) {
    match &state.overlay {
        Overlay::None => {}
        Overlay::Help => {
            draw_text(frame, state, " Help ", HELP);
            draw_key_line(frame, state, areas, "any other key closes the help");
        }
        Overlay::Text(Answer { order, text, .. }) => {
            let text: Vec<_> = text.lines().map(safe).collect();
            draw_text(
                frame,
                state,
                &format!(" {} ", safe(order)),
                &text.join("\n"),
            );
            draw_key_line(frame, state, areas, "↑ ↓ scroll, any other key closes");
        }
        Overlay::Question(question) => draw_question(frame, state, question, areas),
        Overlay::Prompt(prompt) => draw_prompt(frame, state, prompt, areas),
    }
}

/// A box of at most this size in the middle of the screen, with nothing behind it.
fn middle_box(frame: &mut Frame, title: &str, columns: usize, lines: usize) -> Rect {
    let screen = frame.area();
    let columns = (columns as u16 + 4).min(screen.width);
    let lines = (lines as u16 + 2).min(screen.height.saturating_sub(2));
    let area = screen.centered(
        ratatui::layout::Constraint::Length(columns),
        ratatui::layout::Constraint::Length(lines),
    );
    let block = Block::bordered().title(cut(title, columns.into()));
    let inner = block.inner(area);
    frame.render_widget(Clear, area);
    frame.render_widget(block, area);
    // A column is left free on both sides.
    Rect {
        x: inner.x + 1,
        width: inner.width.saturating_sub(2),
        ..inner
    }
}

fn draw_text(frame: &mut Frame, state: &State, title: &str, text: &str) {
    let columns = text.lines().map(width).max().unwrap_or(0);
    let lines = text.lines().count();
    let area = middle_box(frame, title, columns, lines);
    let hidden = lines.saturating_sub(area.height.into());
    let scroll = state.overlay_scroll.min(hidden) as u16;
    frame.render_widget(Paragraph::new(text).scroll((scroll, 0)), area);
}

fn draw_key_line(frame: &mut Frame, state: &State, areas: &Areas, text: &'static str) {
    frame.render_widget(Clear, areas.keys);
    frame.render_widget(Line::styled(text, state.theme.dim()), areas.keys);
}

fn draw_question(frame: &mut Frame, state: &State, question: &Question, areas: &Areas) {
    let theme = state.theme;
    let room = usize::from(frame.area().width).saturating_sub(4);
    let text = wrapped(&question.text, room.min(MAX_QUESTION));
    let mut lines: Vec<_> = text.into_iter().map(Line::raw).collect();
    lines.push(Line::raw(""));
    let labels = question.choices.iter().map(|choice| width(&choice.label));
    let column = labels.max().unwrap_or(0).min(24);
    for choice in &question.choices {
        lines.push(Line::from(vec![
            Span::styled(format!("{}  ", choice.key), STRONG),
            Span::raw(fit(&choice.label, column)),
            Span::styled(format!("  {}", safe(&choice.order)), theme.dim()),
        ]));
    }
    for (key, label) in [
        ("e", "edit the order, for example to add a reason"),
        ("n", "no"),
    ] {
        lines.push(Line::from(vec![
            Span::styled(format!("{key}  "), STRONG),
            Span::raw(label),
        ]));
    }
    let columns = lines.iter().map(Line::width).max().unwrap_or(0).min(room);
    let area = middle_box(frame, " Sure? ", columns, lines.len());
    frame.render_widget(Text::from(lines), area);
    draw_key_line(frame, state, areas, "press one of the keys");
}

fn draw_prompt(frame: &mut Frame, state: &State, prompt: &Prompt, areas: &Areas) {
    let line = areas.keys;
    // The end of a long line is what is being typed.
    let before = safe(prompt.before_cursor());
    let room = usize::from(line.width).saturating_sub(2);
    let hidden = width(&before).saturating_sub(room) as u16;
    let text = format!(":{}", safe(prompt.text()));
    frame.render_widget(Clear, line);
    frame.render_widget(Paragraph::new(text).scroll((0, hidden)), line);
    let column = 1 + width(&before) as u16 - hidden;
    frame.set_cursor_position(Position::new(line.x + column, line.y));
    draw_offers(frame, state, prompt, areas);
}

/// The words that may come next, above the line.
fn draw_offers(frame: &mut Frame, state: &State, prompt: &Prompt, areas: &Areas) {
    let completion = Completion::of(state, prompt.before_cursor());
    let theme = state.theme;
    let all = &completion.candidates;
    let column = all
        .iter()
        .take(MAX_OFFERED)
        .map(|offer| width(&offer.word))
        .max();
    let column = column.unwrap_or(0).min(30);
    let mut lines: Vec<Line> = Vec::new();
    for offer in all.iter().take(MAX_OFFERED) {
        lines.push(Line::from(vec![
            Span::styled(format!(" {}", fit(&offer.word, column)), STRONG),
            Span::styled(format!("  {}", safe(&offer.about)), theme.dim()),
        ]));
    }
    if all.len() > MAX_OFFERED {
        let more = format!(" ... and {} more", all.len() - MAX_OFFERED);
        lines.push(Line::styled(more, theme.dim()));
    }
    if all.is_empty() && !completion.hint.is_empty() {
        lines.push(Line::styled(format!(" {}", completion.hint), theme.dim()));
    }
    let height = (lines.len() as u16).min(areas.body.height);
    // The note stays: it says what is wrong with the line.
    let area = Rect {
        y: areas.note.y - height,
        height,
        ..areas.note
    };
    frame.render_widget(Clear, area);
    frame.render_widget(Text::from(lines), area);
}
