//! Results of positions: what the tables say, with captures and en passant searched.
//!
//! A WDL table may have any value for a position whose best move is a capture that is at least as good
//! as the value, and no table knows en passant captures. So captures are searched first. A DTZ table may
//! have any value for a position whose best move zeroes the halfmove clock.

use movegen::{Move, MoveGenKind, MoveList, Position, Role};

use crate::error::ProbeError;
use crate::set::Tablebases;
use crate::table::Distance;
use crate::wdl::Wdl;

/// Whether a move sets the halfmove clock to zero.
fn is_zeroing(position: &Position, mv: Move) -> bool {
    is_capture(position, mv) || position.role_at(mv.from()) == Some(Role::Pawn)
}

fn is_capture(position: &Position, mv: Move) -> bool {
    position.color(!position.turn()).contains(mv.to()) || mv.kind() == movegen::MoveKind::EnPassant
}

fn after(position: &Position, mv: Move) -> Position {
    let mut after = *position;
    after.play_unchecked(mv);
    after
}

/// A result, and whether it is that of a move that zeroes the halfmove clock.
struct Found {
    wdl: Wdl,
    by_zeroing: bool,
}

impl Tablebases {
    /// The result of a position if its halfmove clock were 0.
    ///
    /// # Errors
    ///
    /// If there are castling rights, or if a table is missing.
    pub fn wdl(&self, position: &Position) -> Result<Wdl, ProbeError> {
        Ok(self.search(position, false)?.wdl)
    }

    /// The distance to zeroing (DTZ): the plies to the next capture or pawn move if the winner shortens
    /// them and the loser lengthens them, without losing the win. It is negative if the side to move
    /// loses, 0 for a draw, and beyond 100 for a win that the fifty-move rule makes a draw. A checkmate
    /// is -1. Distances can be too small by 1.
    ///
    /// # Errors
    ///
    /// If there are castling rights, or if a table is missing.
    pub fn dtz(&self, position: &Position) -> Result<i32, ProbeError> {
        let Found { wdl, by_zeroing } = self.search(position, true)?;
        if wdl == Wdl::Draw {
            return Ok(0);
        }
        if by_zeroing {
            return Ok(wdl.before_zeroing());
        }
        let sign = wdl.before_zeroing().signum();
        if let Distance::Plies(plies) = self.table_distance(position, wdl)? {
            let cursed = matches!(wdl, Wdl::CursedWin | Wdl::BlessedLoss);
            return Ok(sign * (i32::from(plies) + if cursed { 100 } else { 0 }));
        }
        // The table has the other side to move: look a ply ahead.
        let mut best: Option<i32> = None;
        for mv in position.legal_moves() {
            let distance = self.dtz_of_move(position, mv)?;
            if distance.signum() == sign && best.is_none_or(|best| distance < best) {
                best = Some(distance);
            }
        }
        Ok(best.unwrap_or(-1))
    }

    /// The distance from the position before a move, if this move is played.
    fn dtz_of_move(&self, position: &Position, mv: Move) -> Result<i32, ProbeError> {
        let after = after(position, mv);
        if is_zeroing(position, mv) {
            return Ok((-self.wdl(&after)?).before_zeroing());
        }
        let distance = -self.dtz(&after)?;
        if distance == 1 && after.is_checkmate() {
            return Ok(1);
        }
        Ok(distance + distance.signum())
    }

    /// Searches captures (and all pawn moves, if these count as zeroing), then asks the table.
    fn search(&self, position: &Position, pawn_moves: bool) -> Result<Found, ProbeError> {
        if !position.castling().is_empty() {
            return Err(ProbeError::Castling);
        }
        let mut moves = MoveList::new();
        let kind = if pawn_moves {
            MoveGenKind::All
        } else {
            MoveGenKind::Noisy
        };
        position.moves(kind, &mut moves);
        let mut best = None;
        let mut searched = 0;
        for mv in moves {
            let counts = if pawn_moves { is_zeroing } else { is_capture };
            if !counts(position, mv) {
                continue;
            }
            searched += 1;
            let wdl = -self.search(&after(position, mv), false)?.wdl;
            if wdl == Wdl::Win {
                let by_zeroing = true;
                return Ok(Found { wdl, by_zeroing });
            }
            best = best.max(Some(wdl));
        }
        if let Some(wdl) = best
            && searched == position.count_moves()
        {
            let by_zeroing = true;
            return Ok(Found { wdl, by_zeroing });
        }
        let two_kings = position.occupied().len() == 2;
        let known = if two_kings {
            Wdl::Draw
        } else {
            self.table_wdl(position)?
        };
        Ok(match best {
            Some(wdl) if wdl >= known => Found {
                wdl,
                by_zeroing: wdl > Wdl::Draw,
            },
            _ => Found {
                wdl: known,
                by_zeroing: false,
            },
        })
    }
}
