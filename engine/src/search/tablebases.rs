//! Endgame tablebases in the search, as Stockfish uses them
//! (<https://www.chessprogramming.org/Syzygy_Bases>).
//!
//! If the tables have the root, its moves are ranked once, by distances to zeroing, and only those of the
//! best rank are searched. If they do not, or if only the results of its moves are known, nodes below the
//! root are probed ([`super::probe`]).

use std::sync::Arc;

use movegen::{Game, Move};
use syzygy::{RankedMove, Rule50, Tablebases, Wdl};

use crate::score::Score;

/// How a search uses tablebases.
#[derive(Clone, Debug)]
pub struct Probing {
    /// The tables.
    pub tablebases: Arc<Tablebases>,
    /// The least depth of a node that is probed, in plies (UCI `SyzygyProbeDepth`). Positions with fewer
    /// pieces than the limit are probed at any depth.
    pub depth: u16,
    /// The most pieces of a position that is probed, kings included (UCI `SyzygyProbeLimit`).
    pub limit: usize,
    /// Whether the fifty-move rule makes cursed wins draws (UCI `Syzygy50MoveRule`).
    pub rule50: Rule50,
}

impl Probing {
    /// Probes tables at any depth and size, under the fifty-move rule.
    #[must_use]
    pub fn new(tablebases: Arc<Tablebases>) -> Self {
        Self {
            tablebases,
            depth: 1,
            limit: 7,
            rule50: Rule50::Counts,
        }
    }

    /// The most pieces of a position that can be probed.
    pub(crate) fn most_pieces(&self) -> usize {
        self.limit.min(self.tablebases.max_pieces())
    }
}

/// What the tables say about the root, and whether nodes below it are probed.
#[derive(Default)]
pub(crate) struct Plan<'p> {
    /// The moves of the root, ranked; empty if the tables do not have it.
    pub ranked: Vec<RankedMove>,
    /// The probing of nodes, if there is any.
    pub probing: Option<&'p Probing>,
    /// The probes that the ranking took.
    pub hits: u64,
}

impl<'p> Plan<'p> {
    /// The plan for a game.
    pub fn new(probing: Option<&'p Probing>, game: &Game) -> Self {
        let Some(probing) = probing.filter(|probing| probing.most_pieces() > 0) else {
            return Self::default();
        };
        let pieces = game.position().occupied().len() as usize;
        let ranking = if pieces <= probing.most_pieces() {
            let ranking = probing.tablebases.rank_moves(game, probing.rule50);
            ranking.ok()
        } else {
            None
        };
        let Some(ranking) = ranking else {
            return Self {
                probing: Some(probing),
                ..Self::default()
            };
        };
        // Results alone make no progress, so the search has to find out which captures and pawn moves
        // keep a win. Otherwise probing would hide the shortest way.
        let is_won = ranking.best().any(|best| best.wdl > Wdl::Draw);
        let needs_probes = !ranking.by_distance && is_won;
        Self {
            hits: ranking.moves.len() as u64,
            ranked: ranking.moves,
            probing: needs_probes.then_some(probing),
        }
    }

    /// The score of a line for a report: that of the tables, unless the search has found a mate.
    pub fn score(&self, first: Option<Move>, score: Score) -> Score {
        let ranked = self.ranked.iter().find(|ranked| Some(ranked.mv) == first);
        match ranked {
            Some(ranked) if !score.is_mate() => score_of(ranked.wdl, 1),
            _ => score,
        }
    }
}

/// The score of a result, `ply` plies from the root. Wins that the fifty-move rule makes draws are next
/// to draws.
pub(crate) fn score_of(wdl: Wdl, ply: usize) -> Score {
    match wdl {
        Wdl::Win => Score::tablebase_win_in(ply),
        Wdl::CursedWin => Score::DRAW + 2,
        Wdl::Draw => Score::DRAW,
        Wdl::BlessedLoss => Score::DRAW - 2,
        Wdl::Loss => -Score::tablebase_win_in(ply),
    }
}
