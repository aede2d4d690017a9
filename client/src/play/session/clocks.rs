//! The clocks of the referee: the time that each side has left, and the lag.

use std::time::Duration;

use epd::protocol::Message;
use epd::protocol::time_control::TimeControl;
use movegen::Color;

use super::Session;
use crate::engines::ClockState;

impl Session {
    /// The clock, if the referee sent a time control and the time used (decisions 39, 40 and 83).
    pub fn clock_state(&self) -> Option<ClockState> {
        let turn = self.game.position().turn();
        let colors = [Color::White, Color::Black];
        let [white, black] = colors.map(|color| self.time_control(color));
        let controls = [white?, black?];
        let [white, black] = colors.map(|color| self.remaining(&controls[color as usize], color));
        Some(ClockState {
            remaining: [white?, black?],
            increment: colors
                .map(|color| controls[color as usize].increment(self.moves_made(color))),
            moves_to_go: controls[turn as usize].moves_to_go(self.moves_made(turn)),
        })
    }

    /// The time control of a side. Where the referee normalises time, each has its own (decision 146).
    fn time_control(&self, color: Color) -> Option<TimeControl> {
        let own = match color {
            Color::White => "WhiteTimeControl",
            Color::Black => "BlackTimeControl",
        };
        let control = self.tag(own).or_else(|| self.tag("TimeControl"))?;
        control.parse().ok()
    }

    /// The remaining time of a side by the last clocks of the referee.
    fn remaining(&self, control: &TimeControl, color: Color) -> Option<Duration> {
        let used = self.used.unwrap_or_default();
        let side = color as usize;
        let allotted = control.allotted(self.moves_made(color), used[1 - side])?;
        Some(allotted.saturating_sub(used[side]))
    }

    /// The number of moves of a side since the starting position.
    fn moves_made(&self, color: Color) -> u32 {
        let plies = self.game.moves().len() as u32;
        if self.game.start().turn() == color {
            plies.div_ceil(2)
        } else {
            plies / 2
        }
    }

    /// Notes the remaining time of each side after its last move, from the clocks just received.
    pub(super) fn note_clocks(&mut self, content: &Message) {
        if content.clocks.is_none() && content.chess_clocks.is_none() {
            return;
        }
        let Some(used) = self.used else {
            return;
        };
        let turn = self.game.position().turn();
        for (back, mover) in [(1, !turn), (2, turn)] {
            let Some(last) = self.plies.len().checked_sub(back) else {
                continue;
            };
            // A side that has used no time has not moved by itself yet.
            let is_known = last >= self.unclocked && !used[mover as usize].is_zero();
            if is_known && self.plies[last].clock.is_none() {
                let control = self.time_control(mover);
                self.plies[last].clock =
                    control.and_then(|control| self.remaining(&control, mover));
            }
        }
    }

    pub(super) fn set_clocks(&mut self, content: &Message) {
        let whole = content
            .clocks
            .map(|(white, black)| [white.duration(), black.duration()]);
        let exact = content.chess_clocks;
        let exact = exact.map(|(white, black)| [white.duration(), black.duration()]);
        let Some(used) = exact.or(whole) else {
            return;
        };
        // Compare the time charged for our last move with our own measurement. Whole seconds are
        // too coarse for this.
        if let (Some(_), Some((before, measured)), Some(color)) =
            (exact, self.last_think, self.color)
        {
            let charged = used[color as usize].saturating_sub(before);
            self.lag.learn(charged, measured);
        }
        self.last_think = None;
        self.used = Some(used);
    }
}
