//! What the reply of a player changes: its move, its draw offer or claim, its resignation, its faults.

use std::time::Instant;

use epd::protocol::{Message, PlayerActions, Supplied};
use movegen::pgn::Outcome;
use movegen::{Color, Move};

use super::{GameReferee, Moved, Out, Phase};
use crate::core::ending::{Ending, Reason, by_claim, by_rules};
use crate::core::event::stream::Search;

/// The largest value of the opcode `ce` (EPD 6.7).
const MAX_CE: i64 = 32_767;

impl GameReferee {
    /// Handles a reply that was read at an instant.
    pub fn reply(&mut self, color: Color, reply: &Message, read: Instant) -> Vec<Out> {
        if let (Phase::AwaitingAcknowledgement { .. }, Some(ending)) =
            (&self.phase, self.decided.clone())
            && color == self.game.position().turn()
        {
            return self.finish(&ending);
        }
        if !self.is_asked(color) {
            // A reply that nobody asked for is dropped and logged (decision 61).
            return vec![Out::Note(format!("unexpected reply of {color:?}"))];
        }
        // Check the clock first: a late reply does not count (decision 79).
        if let Some(out) = self.check_time(read) {
            return out;
        }
        let mut out = Vec::new();
        match self.check_position(reply) {
            Ok(note) => out.extend(note.map(Out::Note)),
            Err(what) => {
                return self.finish(&Ending::loss(color, Reason::ProtocolFault(what)));
            }
        }
        out.extend(self.handle_reply(color, reply, read));
        out
    }

    /// Handles a reply without a move of a player that cannot be asked twice: without a legal move it
    /// is complete, otherwise it loses the game.
    pub fn last_reply(&mut self, color: Color, reply: &Message, read: Instant) -> Vec<Out> {
        if let Phase::Asked { again, .. } = &mut self.phase {
            *again = true;
        }
        self.reply(color, reply, read)
    }

    /// Compares the position of a reply with the game's (decision 58).
    fn check_position(&self, reply: &Message) -> Result<Option<String>, String> {
        let ours = self.game.position();
        let Some(theirs) = &reply.position else {
            return Err("reply without a position".to_owned());
        };
        if theirs == ours {
            return Ok(None);
        }
        let mut same = theirs.setup();
        let expected = ours.setup();
        (same.castling, same.en_passant) = (expected.castling, expected.en_passant);
        if same.board == expected.board && same.turn == expected.turn {
            return Ok(Some(
                "reply with different castling rights or en passant square".to_owned(),
            ));
        }
        Err(format!(
            "reply to another position, {}",
            theirs.setup().fields()
        ))
    }

    /// Handles a reply to the game's present position.
    fn handle_reply(&mut self, color: Color, reply: &Message, read: Instant) -> Vec<Out> {
        if reply.actions.contains(PlayerActions::RESIGN) {
            return self.finish(&Ending::loss(color, Reason::Resignation));
        }
        let offered = self.relayed.contains(PlayerActions::OFFER_DRAW);
        if reply.actions.contains(PlayerActions::ACCEPT_DRAW) && offered {
            return self.finish(&Ending::draw(Reason::Agreement));
        }
        let claims = reply.actions.contains(PlayerActions::CLAIM_DRAW);
        match &reply.supplied {
            Some(Supplied::Move(mv)) => self.make(color, *mv, reply, read),
            Some(Supplied::Unplayable(text)) => {
                // An illegal move loses the game (decision 54).
                let reason = Reason::IllegalMove(text.to_string());
                self.finish(&Ending::loss(color, reason))
            }
            None if claims => match by_claim(&self.game) {
                Some(ending) => self.finish(&ending),
                // Decision 75: the clock goes on.
                None => self.ask_again(PlayerActions::REJECT_DRAW, "incorrect draw claim"),
            },
            None => {
                if let Phase::Asked { again: true, .. } = self.phase {
                    let reason = Reason::ProtocolFault("reply without a move".to_owned());
                    return self.finish(&Ending::loss(color, reason));
                }
                if let Phase::Asked { again, .. } = &mut self.phase {
                    *again = true;
                }
                self.ask_again(PlayerActions::empty(), "reply without a move")
            }
        }
    }

    /// Asks the side to move again (decisions 57, 71 and 75).
    fn ask_again(&mut self, actions: PlayerActions, why: &str) -> Vec<Out> {
        self.relayed |= actions;
        let mut out = vec![Out::Note(why.to_owned())];
        out.extend(self.ask());
        self.relayed -= actions;
        out
    }

    /// Makes a move and asks the opponent, or ends the game.
    fn make(&mut self, color: Color, mv: Move, reply: &Message, read: Instant) -> Vec<Out> {
        let before = *self.game.position();
        let elapsed = self.clock.charge(read);
        if self.play(mv).is_err() {
            let reason = Reason::IllegalMove(mv.to_string());
            return self.finish(&Ending::loss(color, reason));
        }
        self.clock.count_move(color);
        let eval = evaluation(reply);
        self.phase = Phase::Idle;
        self.update_state_after_move(color, eval, reply.actions);
        let judged = self.judge();
        let mut out = vec![Out::Moved(Moved {
            color,
            before,
            mv,
            elapsed,
            used: self.clock.used(),
            eval,
            actions: reply.actions,
            search: Search::of(reply, &before),
            judged,
        })];
        out.extend(self.proceed(read));
        out
    }

    /// Finds out whether the last move decided the game, and which of the mover's other actions the
    /// opponent is told of (decisions 56, 68, 69 and 75).
    pub(super) fn update_state_after_move(
        &mut self,
        color: Color,
        eval: Option<i32>,
        actions: PlayerActions,
    ) {
        let claimed = actions
            .contains(PlayerActions::CLAIM_DRAW)
            .then(|| by_claim(&self.game));
        let adjudicated = self.adjudicator.add(&self.game, color, eval);
        self.decided = by_rules(&self.game, self.rules.draws)
            .or(claimed.flatten())
            .or(adjudicated);
        let mut relayed = actions & (PlayerActions::OFFER_DRAW | PlayerActions::REJECT_DRAW);
        if actions.contains(PlayerActions::CLAIM_DRAW) {
            relayed |= PlayerActions::OFFER_DRAW;
        }
        if !self.relayed.contains(PlayerActions::OFFER_DRAW) {
            relayed -= PlayerActions::REJECT_DRAW;
        }
        self.relayed = relayed;
    }

    /// Asks the tablebases for the result of the position, unless the rules of chess have ended the game.
    /// They know better than evaluations.
    fn judge(&mut self) -> Option<Outcome> {
        let is_open = self.decided.as_ref().is_none_or(|ending| {
            matches!(
                ending.reason,
                Reason::Adjudication | Reason::LostScore | Reason::MaxMoves(_)
            )
        });
        let judge = self.rules.judge.as_ref().filter(|_| is_open)?;
        let mode = self.rules.adjudication.mode.unwrap_or_default();
        let outcome = judge.result(self.game.position());
        let outcome = outcome.filter(|&outcome| mode.covers(outcome))?;
        self.decided = Some(Ending::by_tablebases(outcome));
        Some(outcome)
    }
}

/// The evaluation of a reply in the units of `ce`, from the mover's point of view, clamped to its
/// range.
fn evaluation(reply: &Message) -> Option<i32> {
    let ce = reply
        .analysis
        .iter()
        .find(|operation| operation.opcode == "ce");
    ce?.value("a score").ok().map(clamp_ce)
}

/// Clamps a score to the range of `ce`.
pub(crate) fn clamp_ce(score: i64) -> i32 {
    score.clamp(-MAX_CE, MAX_CE) as i32
}
