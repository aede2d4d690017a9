//! The reply to a respond command: a move with its actions, or an action alone.

use std::time::Instant;

use epd::Operation;
use epd::protocol::{Message, PlayerActions, Request};
use movegen::{Draw, Game, Position};

use super::Session;
use super::action::Action;
use crate::engines::{SearchResult, Wish};

impl Session {
    /// Turns the result of a search into the reply; empty if there is no pending request.
    pub fn answer(&mut self, result: &SearchResult, now: Instant) -> Vec<Action> {
        let Some(asked) = self.asked.take() else {
            return Vec::new();
        };
        let position = *self.game.position();
        let mut reply = Message::with_counters(&position);
        if self.sends_analysis && result.depth > 0 {
            reply.analysis = analysis(&position, result);
        }
        self.last_think = self.color.map(|color| {
            let before = self.used.unwrap_or_default()[color as usize];
            (before, now.saturating_duration_since(asked.at))
        });
        let plies = self.plies.len();
        if result.wish == Wish::Resign {
            reply.actions = PlayerActions::RESIGN;
            return vec![Action::Send(Request::Reply(reply))];
        }
        let accepts_draw = result.wish == Wish::Draw || self.policy.accepts_draw(result.score.ce());
        let Some(best) = result.best else {
            // Without a legal move the reply is only the position (decision 62). An engine may also want a
            // draw instead of a move.
            if result.wish == Wish::Draw {
                reply.actions = if asked.offered {
                    PlayerActions::ACCEPT_DRAW
                } else {
                    PlayerActions::CLAIM_DRAW
                };
            }
            return vec![Action::Send(Request::Reply(reply))];
        };
        if self.policy.resigns(result.score.ce()) {
            reply.actions = PlayerActions::RESIGN;
            return vec![Action::Send(Request::Reply(reply))];
        }
        if asked.offered && accepts_draw {
            // A draw is accepted without a move (decision 68).
            reply.actions = PlayerActions::ACCEPT_DRAW;
            return vec![Action::Send(Request::Reply(reply))];
        }
        if !asked.refused && accepts_draw && claimable(&self.game) {
            // Decision 74: without a move the claim is about the position on the board.
            reply.actions = PlayerActions::CLAIM_DRAW;
            return vec![Action::Send(Request::Reply(reply))];
        }
        // Decision 45: our move is played when it is sent.
        self.play(best, Some(result));
        if accepts_draw && claimable(&self.game) {
            reply.actions |= PlayerActions::CLAIM_DRAW;
        } else if self.policy.offers_draw(result.score.ce(), plies) || result.wish == Wish::Draw {
            reply.actions |= PlayerActions::OFFER_DRAW;
        }
        if asked.offered {
            reply.actions |= PlayerActions::REJECT_DRAW;
        }
        vec![
            Action::Send(Request::Reply(reply.playing(best))),
            Action::Ponder,
        ]
    }
}

/// Whether a draw can be claimed.
fn claimable(game: &Game) -> bool {
    matches!(
        game.draw(),
        Some(Draw::Repetition | Draw::FiftyMoves | Draw::InsufficientMaterial)
    )
}

/// The operations of our analysis (decision 56).
fn analysis(position: &Position, result: &SearchResult) -> Vec<Operation> {
    vec![
        Operation::new("acd").symbol(result.depth),
        Operation::new("acn").symbol(result.nodes),
        Operation::new("acs").symbol(result.time.as_secs_f64().round()),
        Operation::new("ce").symbol(result.score),
        Operation::new("pv").line(position, &result.pv),
    ]
}
