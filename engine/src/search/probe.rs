//! Results of endgame tablebases for nodes below the root.

use movegen::Position;
use syzygy::Wdl;

use crate::score::{MAX_PLY, Score};
use crate::search::node_state::{Node, Window};
use crate::search::tablebases::{Probing, score_of};
use crate::search::thread::Worker;
use crate::search::tt::{Bound, Entry};

/// By how many plies a table's result counts as deeper than the search of the node.
const EXTRA_DEPTH: i32 = 6;

/// What a probe says about a node.
pub(crate) enum Probe {
    /// Nothing.
    None,
    /// The score of the node.
    Cut(Score),
    /// In a PV node: the score is at least this, or at most.
    AtLeast(Score),
    AtMost(Score),
}

impl Worker<'_> {
    /// Probes a node below the root, if it can be.
    #[cold]
    #[inline(never)]
    pub fn probe<N: Node>(
        &mut self,
        probing: &Probing,
        position: &Position,
        (alpha, beta): Window,
        depth: i32,
        ply: usize,
    ) -> Probe {
        let pieces = position.occupied().len() as usize;
        let most = probing.most_pieces();
        let is_probed = pieces < most || pieces == most && depth >= i32::from(probing.depth);
        if !is_probed || position.halfmove_clock() > 0 || !position.castling().is_empty() {
            return Probe::None;
        }
        let Ok(wdl) = probing.tablebases.wdl(position) else {
            return Probe::None;
        };
        self.table_hits += 1;
        let wdl = probing.rule50.apply(wdl);
        let score = score_of(wdl, ply);
        let (bound, settles) = match wdl {
            Wdl::Loss => (Bound::Upper, score <= alpha),
            Wdl::Win => (Bound::Lower, score >= beta),
            _ => (Bound::Exact, true),
        };
        if settles {
            let entry = Entry {
                best: None,
                score: score.from_root_to_node(ply),
                evaluation: Score::ILLEGAL,
                depth: (depth + EXTRA_DEPTH).min(MAX_PLY as i32) as u8,
                bound,
            };
            self.shared.table.put(position.key(), entry);
            return Probe::Cut(score);
        }
        match bound {
            Bound::Lower if N::PV => Probe::AtLeast(score),
            Bound::Upper if N::PV => Probe::AtMost(score),
            _ => Probe::None,
        }
    }
}
