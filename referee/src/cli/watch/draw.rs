//! The screen, drawn from the state: nothing here changes it.

mod board;
mod bracket;
mod column;
mod evaluation;
mod frame;
mod game;
mod games;
mod ladder;
mod log;
mod overlay;
mod rounds;
mod schedule;
mod sprt;
mod standings;
mod text;
pub mod theme;
mod window;

use jiff::Timestamp;
use ratatui::Frame;

use self::frame::Areas;
pub use self::frame::body;
pub use self::games::tile_columns;
use super::state::{Pairings, State, Tab};

/// Draws the whole screen as it is at this moment.
pub fn screen(frame: &mut Frame, state: &State, now: Timestamp) {
    // Clocks stand as they were before anything ran.
    let now = if state.is_live() {
        now.saturating_add(state.ahead).unwrap_or(now)
    } else {
        Timestamp::MIN
    };
    let Some(areas) = Areas::of(frame.area()) else {
        frame::draw_too_small(frame);
        return;
    };
    frame::draw_header(frame, state, &areas);
    match state.tab {
        Tab::Games => games::draw(frame, state, areas.body, now),
        Tab::Game => game::draw(frame, state, areas.body, now),
        Tab::Standings => standings::draw(frame, state, areas.body),
        Tab::Schedule => match state.pairings() {
            Pairings::Games => schedule::draw(frame, state, areas.body),
            Pairings::Rounds => rounds::draw(frame, state, areas.body),
            Pairings::Bracket => bracket::draw(frame, state, areas.body),
        },
        Tab::Log => log::draw(frame, state, areas.body),
    }
    frame::draw_footer(frame, state, &areas);
    overlay::draw(frame, state, &areas);
}

#[cfg(test)]
mod tests;
