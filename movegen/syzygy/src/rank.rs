//! The moves of a game, ranked so that a won position is won in spite of the fifty-move rule.

use movegen::{Game, Move, Position};

use crate::error::ProbeError;
use crate::set::Tablebases;
use crate::wdl::Wdl;

/// Whether the game is drawn after fifty moves without a capture or pawn move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule50 {
    /// It is: cursed wins and blessed losses are draws.
    #[default]
    Counts,
    /// It is not: cursed wins are wins, blessed losses are losses.
    Ignored,
}

impl Rule50 {
    /// A result under the rule, or without it.
    #[must_use]
    pub const fn apply(self, wdl: Wdl) -> Wdl {
        match (self, wdl) {
            (Self::Ignored, Wdl::CursedWin) => Wdl::Win,
            (Self::Ignored, Wdl::BlessedLoss) => Wdl::Loss,
            _ => wdl,
        }
    }
}

/// A move and its worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// The higher, the better. Moves that surely keep the same result have the same rank.
    pub rank: i32,
    /// The result for the player of the move, from this position on: the halfmove clock counts.
    pub wdl: Wdl,
}

/// The legal moves of a position, ranked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// The moves, in order of generation.
    pub moves: Vec<RankedMove>,
    /// Whether distances rank them, so that each best move makes progress. If only results do, the search
    /// must see to it.
    pub by_distance: bool,
}

impl Ranking {
    /// The moves of the highest rank.
    pub fn best(&self) -> impl Iterator<Item = &RankedMove> {
        let rank = self.moves.iter().map(|ranked| ranked.rank).max();
        self.moves
            .iter()
            .filter(move |ranked| Some(ranked.rank) == rank)
    }
}

/// More than any distance.
const SURE: i32 = 1 << 18;

impl Tablebases {
    /// Ranks the legal moves of the current position of a game: by distances, or by results if a DTZ table
    /// is missing. The earlier positions of the game tell which moves repeat.
    ///
    /// A win is sure if its distance leaves room on the halfmove clock. Among sure wins the search may
    /// choose, until a position has been repeated; then the shortest distance is best.
    ///
    /// # Errors
    ///
    /// If there are castling rights, or if a WDL table is missing.
    pub fn rank_moves(&self, game: &Game, rule: Rule50) -> Result<Ranking, ProbeError> {
        if let Some(missing) = self.unprobeable(game.position()) {
            return Err(missing);
        }
        let moves = game.position().legal_moves();
        let is_repeated = has_repeated(game);
        let by_distance = moves.iter().map(|&mv| {
            let distance = self.distance_in_game(game, mv)?;
            Ok(ranked_by_distance(
                game.position(),
                mv,
                distance,
                is_repeated,
                rule,
            ))
        });
        let by_distance: Result<Vec<_>, ProbeError> = by_distance.collect();
        if let Ok(moves) = by_distance {
            let by_distance = true;
            return Ok(Ranking { moves, by_distance });
        }
        let by_result = moves.iter().map(|&mv| {
            let mut after = *game.position();
            after.play_unchecked(mv);
            let wdl = if is_drawn(game, &after) {
                Wdl::Draw
            } else {
                rule.apply(-self.wdl(&after)?)
            };
            let rank = wdl as i32;
            Ok(RankedMove { mv, rank, wdl })
        });
        Ok(Ranking {
            moves: by_result.collect::<Result<_, _>>()?,
            by_distance: false,
        })
    }

    /// Why a position is certain to have no result.
    fn unprobeable(&self, position: &Position) -> Option<ProbeError> {
        let is_covered = position.occupied().len() as usize <= self.max_pieces();
        if position.castling().is_empty() && is_covered {
            None
        } else {
            self.wdl(position).err()
        }
    }

    /// The distance from the current position of a game to the next zeroing, if a move is played; 0 if
    /// the game is drawn then.
    fn distance_in_game(&self, game: &Game, mv: Move) -> Result<i32, ProbeError> {
        let mut after = *game.position();
        after.play_unchecked(mv);
        if after.halfmove_clock() == 0 {
            return Ok((-self.wdl(&after)?).before_zeroing());
        }
        if is_drawn(game, &after) {
            return Ok(0);
        }
        let distance = -self.dtz(&after)?;
        if distance == 1 && after.is_checkmate() {
            return Ok(1);
        }
        Ok(distance + distance.signum())
    }
}

fn ranked_by_distance(
    position: &Position,
    mv: Move,
    distance: i32,
    is_repeated: bool,
    rule: Rule50,
) -> RankedMove {
    let clock = i32::from(position.halfmove_clock());
    // Distances can be too small by 1, so the last ply of the clock is not used.
    let rank = match distance {
        1.. if distance + clock <= 99 && !is_repeated => SURE,
        1.. => SURE - (distance + clock),
        0 => 0,
        // The opponent may take twice as long as a perfect one.
        ..0 if -2 * distance + clock < 100 => -SURE,
        ..0 => -SURE + (clock - distance),
    };
    let wdl = rule.apply(Wdl::of_distance(distance, position.halfmove_clock()));
    RankedMove { mv, rank, wdl }
}

/// The keys of the positions since the last zeroing move, the current one aside, the latest first.
fn reversible_keys(game: &Game) -> impl Iterator<Item = u64> {
    let clock = usize::from(game.position().halfmove_clock());
    game.earlier_keys().iter().rev().take(clock).copied()
}

/// Whether a position since the last zeroing move has occurred twice.
fn has_repeated(game: &Game) -> bool {
    let keys = std::iter::once(game.position().key()).chain(reversible_keys(game));
    let mut keys: Vec<u64> = keys.collect();
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}

/// Whether a move draws: by the fifty-move rule, or by the third occurrence of the position after it.
fn is_drawn(game: &Game, after: &Position) -> bool {
    if after.halfmove_clock() == 0 {
        return false;
    }
    let current = std::iter::once(game.position().key());
    let earlier = current
        .chain(reversible_keys(game))
        .filter(|&key| key == after.key());
    after.halfmove_clock() >= 100 && !after.is_checkmate() || earlier.count() >= 2
}
