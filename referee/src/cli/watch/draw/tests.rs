//! The screens, as a terminal shows them.

mod growing;
mod overlays;
mod tabs;
mod terminals;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Size;
use unicode_width::UnicodeWidthStr as _;

use super::theme::Theme;
use crate::cli::watch::sample::script::Script;
use crate::cli::watch::source::Feed;
use crate::cli::watch::state::{State, Tab};
use crate::cli::watch::{keys, sample};

/// A view of the sample event.
fn sample_state() -> State {
    let mut state = State::new("cup".to_owned(), true, Theme::new(false));
    state.zone = TimeZone::UTC;
    state.take_in(Feed::Events(sample::stream()));
    state.take_in(Feed::Connected);
    state
}

/// A view of an event whose schedule grows, at its tab of pairings.
fn grown_state(script: Script) -> State {
    let mut state = State::new("cup".to_owned(), true, Theme::new(false));
    state.zone = TimeZone::UTC;
    state.view = script.view;
    state.waiting = None;
    state.tab = Tab::Schedule;
    state
}

/// The screen 3.2 seconds after the last event.
fn drawn(state: &mut State, columns: u16, lines: u16) -> Buffer {
    let now: Timestamp = sample::AT.parse().expect("a time");
    let now = now + SignedDuration::from_millis(3200);
    let backend = TestBackend::new(columns, lines);
    let mut terminal = Terminal::new(backend).expect("a terminal");
    state.size = Size::new(columns, lines);
    terminal
        .draw(|frame| super::screen(frame, state, now))
        .expect("drawn");
    terminal.backend().buffer().clone()
}

/// The lines of a screen without the blanks at their ends.
fn lines(buffer: &Buffer) -> Vec<String> {
    let width = usize::from(buffer.area.width);
    let lines = buffer.content.chunks(width).map(|cells| {
        let mut line = String::new();
        for (column, cell) in cells.iter().enumerate() {
            // A wide character hides the cell after it.
            if line.width() <= column {
                line.push_str(cell.symbol());
            }
        }
        line.trim_end().to_owned()
    });
    lines.collect()
}

fn screen(state: &mut State) -> String {
    lines(&drawn(state, 80, 24)).join("\n")
}

fn press(state: &mut State, keys: &[KeyCode]) {
    for &key in keys {
        keys::press(state, key.into());
    }
}

fn type_in(state: &mut State, text: &str) {
    for letter in text.chars() {
        keys::press(state, KeyCode::Char(letter).into());
    }
}
