//! The game of a session: its position, its moves and its end.

use epd::protocol::{Message, Supplied};
use movegen::{Game, Move, Position};

use super::played::{Played, Ply};
use super::{Session, Stage};
use crate::engines::SearchResult;

impl Session {
    /// Removes the game, keeps its position, and returns the game if one was being played.
    pub fn leave_game(&mut self) -> Option<Played> {
        let position = *self.game.position();
        let game = std::mem::replace(&mut self.game, Game::new(position));
        let played = Played {
            start: *game.start(),
            plies: std::mem::take(&mut self.plies),
            tags: std::mem::take(&mut self.tags),
        };
        self.policy.forget_moves();
        self.unclocked = 0;
        self.used = None;
        self.color = None;
        self.asked = None;
        self.last_think = None;
        let stage = std::mem::replace(&mut self.stage, Stage::Idle);
        (stage == Stage::Playing).then_some(played)
    }

    /// Sets the position. If it equals ours, the history is kept (EPD 8.1), unless different
    /// counters are sent (decision 49).
    pub(super) fn set_position(&mut self, content: &Message) {
        let ours = self.game.position();
        let counters =
            |position: &Position| (position.halfmove_clock(), position.fullmove_number());
        let is_ours = content.position == Some(*ours);
        let (halfmoves, number) = if is_ours { counters(ours) } else { (0, 1) };
        let Some(position) = placed(content, halfmoves, number) else {
            return;
        };
        if is_ours && counters(&position) == counters(ours) {
            return;
        }
        self.game = Game::new(position);
        self.plies.clear();
        self.unclocked = 0;
    }

    /// Plays `sm`, or `sv`, which begins with it (decision 52). If any of them is illegal, none is
    /// played (decision 53).
    pub(super) fn play_sent(&mut self, content: &Message) -> Result<(), String> {
        let supplied = match &content.supplied {
            Some(Supplied::Unplayable(text)) => return Err(format!("illegal move {text}")),
            Some(Supplied::Move(mv)) => Some(*mv),
            None => None,
        };
        let history = match content.history.first() {
            None => supplied.as_slice(),
            Some(&first) if supplied.is_none_or(|mv| mv == first) => &content.history,
            Some(_) => return Err("sm is not the first move of sv".to_owned()),
        };
        for &mv in history {
            self.play(mv, None);
        }
        Ok(())
    }

    pub(super) fn play(&mut self, mv: Move, result: Option<&SearchResult>) {
        // A move of an opening book has no evaluation.
        let analysed = result.filter(|result| result.depth > 0);
        if self.game.play(mv).is_ok() {
            self.plies.push(Ply {
                mv,
                score: analysed.map(|result| result.score.ce()),
                time: result.map(|result| result.time),
                clock: None,
            });
        }
    }
}

/// The position of a record, with its counters or else the given ones (decision 49).
pub(super) fn placed(content: &Message, halfmoves: u16, number: u16) -> Option<Position> {
    let mut position = content.position?;
    position.set_counters(
        content.halfmove_clock.unwrap_or(halfmoves),
        content.fullmove_number.unwrap_or(number).max(1),
    );
    Some(position)
}
