//! The log, with faults highlighted.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use referee::event::view::{LogKind, LogLine};

use super::text::{cut, time_of_day};
use crate::cli::watch::state::State;

pub fn draw(frame: &mut Frame, state: &State, area: Rect) {
    let is_shown = |line: &&LogLine| !state.has_faults_only || line.kind == LogKind::Fault;
    let lines: Vec<_> = state.view.log.iter().filter(is_shown).collect();
    if lines.is_empty() {
        let text = if state.has_faults_only {
            "No faults. Press f to see everything."
        } else {
            "Nothing has happened yet."
        };
        frame.render_widget(Line::styled(text, state.theme.dim()), area);
        return;
    }
    let room = usize::from(area.height);
    let most = lines.len().saturating_sub(room);
    let first = most.saturating_sub(state.log_scroll);
    let lines = lines.into_iter().skip(first).take(room);
    let lines = lines.map(|line| draw_line(state, line, area.width.into()));
    frame.render_widget(lines.collect::<Text>(), area);
}

fn draw_line(state: &State, line: &LogLine, width: usize) -> Line<'static> {
    let theme = state.theme;
    let game = line
        .game
        .map_or_else(String::new, |game| format!("game {game}"));
    // Without colours faults are told by their sign.
    let sign = match line.kind {
        LogKind::Fault => "!",
        _ => " ",
    };
    Line::from(vec![
        Span::styled(time_of_day(&line.at, &state.zone), theme.dim()),
        Span::styled(format!(" {sign} "), theme.log(line.kind)),
        Span::styled(format!("{game:<10}"), theme.dim()),
        Span::styled(
            cut(&line.text, width.saturating_sub(21)),
            theme.log(line.kind),
        ),
    ])
}
