//! Plain depth-first search of the last moves before a mate.
//!
//! In such small trees proof numbers save less than the switching between nodes costs.

use arrayvec::ArrayVec;
use movegen::{MAX_MOVES, Move};

use super::node::Node;
use super::proof::{Prover, Unfinished};

impl Prover<'_> {
    /// Whether an undecided node is won for the side to move.
    pub(super) fn sweep(&mut self, node: &Node) -> Result<bool, Unfinished> {
        let mut moves: ArrayVec<(u32, Move), MAX_MOVES> = ArrayVec::new();
        for mv in node.position.legal_moves() {
            let after = node.after(mv);
            // Testing for a mate in one is expensive, and one good reply is enough.
            if !node.attacks && after.moves == 1 {
                moves.push((self.rank(node, mv), mv));
                continue;
            }
            let numbers = self.probe(&after)?;
            match numbers.winner() {
                Some(false) => return Ok(true),
                Some(true) => {}
                None if node.attacks => {
                    // Checks that leave few replies come first.
                    let quiet = u32::from(!after.position.is_check()) * MAX_MOVES as u32;
                    moves.push((numbers.disproof + quiet, mv));
                }
                None => moves.push((self.rank(node, mv), mv)),
            }
        }
        moves.sort_by_key(|&(rank, _)| rank);
        for (_, mv) in moves {
            if !self.is_won(&node.after(mv))? {
                if !node.attacks {
                    self.killers.0[node.moves] = Some(mv);
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The rank of a defender's reply in move ordering: the killer first, then captures, then the
    /// rest.
    fn rank(&self, node: &Node, reply: Move) -> u32 {
        if self.killers.0[node.moves] == Some(reply) {
            0
        } else if node.position.piece_at(reply.to()).is_some() {
            1
        } else {
            2
        }
    }
}
