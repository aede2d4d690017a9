//! The last moves before a mate, all tried one after the other.
//!
//! Near the end there is little that proof numbers could tell, and to go to and fro costs more than
//! it saves.

use arrayvec::ArrayVec;
use movegen::{MAX_MOVES, Move};

use super::node::Node;
use super::proof::{Prover, Unfinished};

impl Prover<'_> {
    /// Whether an undecided node is won for its side to move.
    pub(super) fn sweep(&mut self, node: &Node) -> Result<bool, Unfinished> {
        let mut moves: ArrayVec<(u32, Move), MAX_MOVES> = ArrayVec::new();
        for mv in node.position.legal_moves() {
            let after = node.after(mv);
            // Whether a mate in one follows takes long to see, and one reply may be enough.
            if !node.attacks && after.moves == 1 {
                moves.push((self.rank(node, mv), mv));
                continue;
            }
            let numbers = self.look(&after)?;
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

    /// The defender's replies in the order in which they are likely to help: what helped last,
    /// captures, the others.
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
