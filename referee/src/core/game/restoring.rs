//! The moves of an interrupted game are made again.

use std::time::Duration;

use epd::protocol::PlayerActions;
use movegen::pgn::Outcome;
use movegen::{Color, IllegalMove, Move};

use super::GameReferee;
use crate::core::ending::Ending;

impl GameReferee {
    /// Replays a move of an interrupted game (decision 93), with the time used so far, the mover's
    /// evaluation and its other actions.
    pub fn restore(
        &mut self,
        mv: Move,
        used: [Duration; 2],
        eval: Option<i32>,
        actions: PlayerActions,
    ) -> Result<(), IllegalMove> {
        let color = self.game.position().turn();
        self.play(mv)?;
        self.clock.restore(used, self.moves_made());
        self.update_state_after_move(color, eval, actions);
        Ok(())
    }

    /// The restored move ended the game by the tablebases, which are not asked again: they may be gone.
    pub fn restore_judgement(&mut self, outcome: Outcome) {
        self.decided = Some(Ending::by_tablebases(outcome));
    }

    /// The number of moves that White and Black have made, without those of the opening.
    fn moves_made(&self) -> [u32; 2] {
        let plies = self.game.moves().len() - self.opening_plies;
        let first = self.first_asked() as usize;
        let mut moves = [0; 2];
        moves[first] = plies.div_ceil(2) as u32;
        moves[1 - first] = (plies / 2) as u32;
        moves
    }

    /// The side that was asked first.
    fn first_asked(&self) -> Color {
        let turn = self.game.start().turn();
        if self.opening_plies.is_multiple_of(2) {
            turn
        } else {
            !turn
        }
    }
}
