//! What surrounds every tab: the event, the tabs, a line for notes, and the keys.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position, Rect, Size};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use strum::VariantArray as _;

use super::text::{cut, safe, width};
use super::theme::{SELECTED, STRONG};
use crate::cli::watch::state::{Overlay, Pairings, State, Tab};

/// The smallest terminal that is drawn on.
const SMALLEST: (u16, u16) = (40, 12);

/// The parts of the screen.
pub struct Areas {
    pub event: Rect,
    pub tabs: Rect,
    pub body: Rect,
    pub note: Rect,
    pub keys: Rect,
}

impl Areas {
    /// None if the screen is too small.
    pub fn of(screen: Rect) -> Option<Self> {
        if screen.width < SMALLEST.0 || screen.height < SMALLEST.1 {
            return None;
        }
        let line = Constraint::Length(1);
        let [event, tabs, body, note, keys] =
            Layout::vertical([line, line, Constraint::Fill(1), line, line]).areas(screen);
        Some(Self {
            event,
            tabs,
            body,
            note,
            keys,
        })
    }
}

/// The lines that the tab has on a screen of this size.
pub fn body(size: Size) -> Rect {
    let areas = Areas::of(Rect::from((Position::ORIGIN, size)));
    areas.map_or(Rect::ZERO, |areas| areas.body)
}

pub fn draw_too_small(frame: &mut Frame) {
    let text = format!("at least {} x {}, please", SMALLEST.0, SMALLEST.1);
    frame.render_widget(Paragraph::new(text), frame.area());
}

pub fn draw_header(frame: &mut Frame, state: &State, areas: &Areas) {
    let theme = state.theme;
    let (now, is_fault) = condition(state);
    let style = if is_fault {
        theme.fault()
    } else {
        theme.good()
    };
    let now = cut(&now, usize::from(areas.event.width) / 2);
    let room = usize::from(areas.event.width).saturating_sub(width(&now) + 1);
    frame.render_widget(
        Line::styled(cut(&event(state), room), theme.heading()),
        areas.event,
    );
    frame.render_widget(
        // The style of a line would also be that of the event's name.
        Line::from(Span::styled(now, style)).right_aligned(),
        areas.event,
    );
    frame.render_widget(tabs(state), areas.tabs);
}

/// The event and how far it is.
fn event(state: &State) -> String {
    let view = &state.view;
    let Some(start) = &view.start else {
        return state.target.clone();
    };
    let running = match view.running().count() {
        0 => String::new(),
        running => format!(", {running} in progress"),
    };
    format!(
        "{} · {} · {}{running}",
        safe(&start.name),
        start.time_control,
        view.progress().text
    )
}

/// Whether the event goes on, and whether something is wrong.
fn condition(state: &State) -> (String, bool) {
    if let Some(why) = &state.view.ended {
        return (format!("ended: {why}"), false);
    }
    if let Some(why) = &state.waiting {
        return (why.clone(), true);
    }
    match &state.view.paused {
        Some(why) => (format!("no new games: {why}"), true),
        None if state.view.start.is_none() => ("not started".to_owned(), true),
        None => ("running".to_owned(), false),
    }
}

fn tabs(state: &State) -> Line<'static> {
    let mut spans = Vec::new();
    for (number, &tab) in (1..).zip(Tab::VARIANTS) {
        let title = match (tab, state.selected()) {
            (Tab::Games, _) => "Games".to_owned(),
            (Tab::Game, Some(game)) => format!("Game {game}"),
            (Tab::Game, None) => "Game".to_owned(),
            (Tab::Standings, _) => "Standings".to_owned(),
            (Tab::Schedule, _) => match state.pairings() {
                Pairings::Games => "Schedule".to_owned(),
                Pairings::Rounds => "Rounds".to_owned(),
                Pairings::Bracket => "Bracket".to_owned(),
            },
            (Tab::Log, _) => "Log".to_owned(),
        };
        let style = if tab == state.tab {
            SELECTED
        } else {
            state.theme.dim()
        };
        spans.push(Span::styled(format!(" {number} {title} "), style));
        spans.push(Span::raw(" "));
    }
    spans.into()
}

pub fn draw_footer(frame: &mut Frame, state: &State, areas: &Areas) {
    if let Some(note) = &state.note {
        let style = if note.is_fault {
            state.theme.fault()
        } else {
            STRONG
        };
        frame.render_widget(
            Line::styled(cut(&note.text, areas.note.width.into()), style),
            areas.note,
        );
    }
    let is_open = matches!(state.overlay, Overlay::None);
    if is_open {
        frame.render_widget(keys(state, areas.keys.width.into()), areas.keys);
    }
}

/// The keys of the tab: as many as there is room for, the last ones always.
fn keys(state: &State, room: usize) -> Line<'static> {
    const MOVE: (&str, &str) = ("↑↓", "select");
    const GAME: [(&str, &str); 3] = [("p", "pause"), ("a", "adjudicate"), ("e", "extend")];
    let mut own = match state.tab {
        Tab::Games => vec![MOVE, ("Enter", "open"), ("b", "boards/table")],
        Tab::Game => vec![
            ("←→", "step"),
            ("End", "live"),
            ("↑↓", "other game"),
            ("Esc", "back"),
        ],
        Tab::Standings => vec![MOVE],
        Tab::Schedule if state.pairings() == Pairings::Games => vec![MOVE, ("Enter", "open")],
        Tab::Schedule => vec![MOVE, ("←→", "round"), ("Enter", "open")],
        Tab::Log => vec![("↑↓", "scroll"), ("f", "faults only")],
    };
    let mut always = vec![("?", "help"), ("q", "quit")];
    if state.can_order {
        if matches!(state.tab, Tab::Games | Tab::Game | Tab::Schedule) {
            own.extend(GAME);
        }
        always.insert(0, (":", "order"));
    }
    let columns = |key: &(&str, &str)| width(key.0) + width(key.1) + 3;
    let mut left = room.saturating_sub(always.iter().map(columns).sum());
    own.retain(|key| {
        let fits = columns(key) <= left;
        left = if fits { left - columns(key) } else { 0 };
        fits
    });
    let spans = own.into_iter().chain(always).flat_map(|(key, what)| {
        [
            Span::styled(key, STRONG),
            Span::styled(format!(" {what}  "), state.theme.dim()),
        ]
    });
    spans.collect::<Vec<_>>().into()
}
