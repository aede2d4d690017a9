//! Move-ordering statistics from beta cutoffs: butterfly, continuation and capture history,
//! and killers (<https://www.chessprogramming.org/History_Heuristic>).

use movegen::{Bitboard, Color, Move, Position, Role, Square};

use crate::eval::correction::Corrections;
use crate::ordering::gravity::apply_gravity;
use crate::ordering::piece_to::{PieceTo, PreviousMoves};
use crate::score::MAX_PLY;
use crate::search::params::{
    bonus_factor, bonus_limit, gain_factor, gain_limit, prior_move_factor,
};

/// The limit of an entry (see [`apply_gravity`]).
const HISTORY_LIMIT: i32 = 16_384;

/// The context of a quiet move, which selects the history tables to use: the previous moves, and
/// the squares that the opponent attacks.
#[derive(Clone, Copy)]
pub(crate) struct HistoryContext {
    pub before: PreviousMoves,
    pub attacked: Bitboard,
}

impl HistoryContext {
    /// For nodes that search no quiet moves.
    pub const NONE: Self = Self {
        before: [PieceTo::NONE; 2],
        attacked: Bitboard::EMPTY,
    };

    /// The number of values of [`danger`](Self::danger).
    const DANGERS: usize = 4;

    /// Whether the from square (1) and the to square (2) of a move are attacked.
    fn danger(&self, mv: Move) -> usize {
        let [from, to] = [mv.from(), mv.to()].map(|square| self.attacked.contains(square));
        usize::from(from) + 2 * usize::from(to)
    }
}

/// A quiet move with all keys of its history entries.
#[derive(Clone, Copy)]
pub(crate) struct Quiet {
    mv: Move,
    piece_to: PieceTo,
    context: HistoryContext,
}

impl Quiet {
    pub fn new(position: &Position, mv: Move, context: HistoryContext) -> Self {
        let piece_to = PieceTo::of(position, mv);
        Self {
            mv,
            piece_to,
            context,
        }
    }
}

/// By from and to square (<https://www.chessprogramming.org/Butterfly_Boards>).
type Butterfly = [[i16; Square::COUNT]; Square::COUNT];

/// The history tables of one thread.
pub(crate) struct History {
    /// Butterfly history: by side, by threats ([`HistoryContext::danger`]), by from and to square.
    butterfly: [Box<[Butterfly]>; 2],
    /// Continuation history: by a previous move, one or two plies before, and this move
    /// (<https://www.chessprogramming.org/History_Heuristic#Continuation_History>).
    continuations: Box<[[i16; PieceTo::COUNT]]>,
    /// Capture history: by piece, to square and captured role
    /// (<https://www.chessprogramming.org/History_Heuristic#Capture_History>).
    captures: Box<[[i16; Role::ALL.len()]; PieceTo::COUNT]>,
    /// The two latest killer moves of each ply
    /// (<https://www.chessprogramming.org/Killer_Heuristic>).
    killers: [[Option<Move>; 2]; MAX_PLY + 1],
    pub corrections: Corrections,
}

impl History {
    pub fn new() -> Self {
        Self {
            butterfly: [(); 2].map(|()| {
                vec![[[0; Square::COUNT]; Square::COUNT]; HistoryContext::DANGERS].into()
            }),
            continuations: vec![[0; PieceTo::COUNT]; PieceTo::COUNT].into(),
            captures: Box::new([[0; Role::ALL.len()]; PieceTo::COUNT]),
            killers: [[None; 2]; MAX_PLY + 1],
            corrections: Corrections::new(),
        }
    }

    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// The killer moves of a ply, the latest first.
    pub fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// The history score of a quiet move, from -49152 to 49152.
    pub fn quiet(&self, position: &Position, mv: Move, context: HistoryContext) -> i32 {
        let role = position.role_at(mv.from()).unwrap_or(Role::Pawn);
        self.quiets(position.turn(), context).value(role, mv)
    }

    /// The history scores of all quiet moves of a side in a context.
    pub fn quiets(&self, side: Color, context: HistoryContext) -> Quiets<'_> {
        let after = |earlier: PieceTo| &self.continuations[earlier.index()];
        Quiets {
            side,
            context,
            butterfly: &self.butterfly[side as usize],
            continuations: context.before.map(after),
        }
    }

    /// The history score of a capture or promotion, from -16384 to 16384.
    pub fn noisy(&self, position: &Position, mv: Move) -> i32 {
        let captured = position.role_at(mv.to()).unwrap_or(Role::Pawn);
        self.captures[PieceTo::of(position, mv).index()][captured as usize].into()
    }

    /// Updates capture history after a beta cutoff: a malus for the captures tried before, and a
    /// bonus for the best move if it is a capture.
    pub fn update_capture_history(
        &mut self,
        position: &Position,
        depth: i32,
        best: Option<Move>,
        tried: &[Move],
    ) {
        let bonus = bonus(depth);
        let mut add = |mv: Move, bonus| {
            let captured = position.role_at(mv.to()).unwrap_or(Role::Pawn);
            let piece_to = PieceTo::of(position, mv).index();
            apply_gravity::<HISTORY_LIMIT>(&mut self.captures[piece_to][captured as usize], bonus);
        };
        if let Some(mv) = best {
            add(mv, bonus);
        }
        for &mv in tried {
            add(mv, -bonus);
        }
    }

    /// Forgets the killers of a ply.
    pub fn clear_killers(&mut self, ply: usize) {
        if let Some(killers) = self.killers.get_mut(ply) {
            *killers = [None; 2];
        }
    }

    /// Updates killers and quiet history after a beta cutoff by a quiet move: a bonus for it, a
    /// malus for the quiet moves tried before.
    pub fn update_quiet_history(
        &mut self,
        position: &Position,
        (ply, depth): (usize, i32),
        context: HistoryContext,
        best: Move,
        tried: &[Move],
    ) {
        let [first, second] = &mut self.killers[ply];
        if *first != Some(best) {
            *second = first.replace(best);
        }
        let bonus = bonus(depth);
        self.add(Quiet::new(position, best, context), bonus);
        for &mv in tried {
            self.add(Quiet::new(position, mv, context), -bonus);
        }
    }

    /// Gives a bonus to the quiet TT move that caused a transposition table cutoff.
    pub fn reward_tt_move(&mut self, depth: i32, quiet: Quiet) {
        self.add(quiet, bonus(depth));
    }

    /// Gives a bonus to the quiet move before a node where every move failed low.
    pub fn reward_prior_move(&mut self, depth: i32, quiet: Quiet) {
        self.add(quiet, prior_move_factor() * bonus(depth));
    }

    /// Gives a malus to one of the first quiet moves before a node that the transposition table cut
    /// off.
    pub fn punish_early_move(&mut self, depth: i32, quiet: Quiet) {
        self.add_continuation(quiet, -bonus(depth));
    }

    /// Gives a bonus or malus to a quiet move that was searched again after a reduction: it was a
    /// cutoff, or it failed low.
    pub fn update_re_searched_move(&mut self, depth: i32, quiet: Quiet, is_cutoff: bool) {
        let bonus = bonus(depth);
        self.add_continuation(quiet, if is_cutoff { bonus } else { -bonus });
    }

    /// Adjusts the history of a quiet move by how much it changed the static evaluation for its
    /// side, in centipawns.
    pub fn update_gain(
        &mut self,
        gain: i32,
        Quiet {
            mv,
            piece_to,
            context,
        }: Quiet,
    ) {
        let bonus = (gain_factor() * gain).clamp(-gain_limit(), gain_limit());
        apply_gravity::<HISTORY_LIMIT>(self.butterfly(piece_to, context, mv), bonus);
    }

    fn butterfly(&mut self, piece_to: PieceTo, context: HistoryContext, mv: Move) -> &mut i16 {
        let butterfly = &mut self.butterfly[piece_to.color() as usize][context.danger(mv)];
        &mut butterfly[mv.from().index()][mv.to().index()]
    }

    fn add(&mut self, quiet: Quiet, bonus: i32) {
        let entry = self.butterfly(quiet.piece_to, quiet.context, quiet.mv);
        apply_gravity::<HISTORY_LIMIT>(entry, bonus);
        self.add_continuation(quiet, bonus);
    }

    /// Adds to the continuation history alone.
    fn add_continuation(&mut self, quiet: Quiet, bonus: i32) {
        for earlier in quiet.context.before {
            let entry = &mut self.continuations[earlier.index()][quiet.piece_to.index()];
            apply_gravity::<HISTORY_LIMIT>(entry, bonus);
        }
    }
}

/// The history scores of the quiet moves of one side in one context.
pub(crate) struct Quiets<'h> {
    side: Color,
    context: HistoryContext,
    butterfly: &'h [Butterfly],
    continuations: [&'h [i16; PieceTo::COUNT]; 2],
}

impl Quiets<'_> {
    /// The score of a move by a piece of this role, from -49152 to 49152.
    #[inline]
    pub fn value(&self, role: Role, mv: Move) -> i32 {
        let piece_to = PieceTo::new(self.side, role, mv.to()).index();
        let after = self.continuations.map(|values| i32::from(values[piece_to]));
        let butterfly = &self.butterfly[self.context.danger(mv)];
        i32::from(butterfly[mv.from().index()][mv.to().index()]) + after[0] + after[1]
    }
}

/// The bonus for a cutoff at this depth.
fn bonus(depth: i32) -> i32 {
    (bonus_factor() * depth).min(bonus_limit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_approach_a_limit() {
        let mut history = History::new();
        let start = Position::start();
        let [good, bad] = [Square::E4, Square::E3].map(|to| Move::normal(Square::E2, to));
        for _ in 0..1000 {
            history.update_quiet_history(&start, (3, 20), HistoryContext::NONE, good, &[bad]);
        }
        let limit = 3 * HISTORY_LIMIT * 9 / 10..=3 * HISTORY_LIMIT;
        assert!(limit.contains(&history.quiet(&start, good, HistoryContext::NONE)));
        assert!(limit.contains(&-history.quiet(&start, bad, HistoryContext::NONE)));
        // After another previous move, only the butterfly history counts.
        let other = HistoryContext {
            before: [PieceTo::of(&start, bad); 2],
            ..HistoryContext::NONE
        };
        assert!((1..=HISTORY_LIMIT).contains(&history.quiet(&start, good, other)));
        // A move to an attacked square has another entry.
        let attacked = HistoryContext {
            attacked: Bitboard::of(Square::E4),
            ..other
        };
        assert_eq!(history.quiet(&start, good, attacked), 0);
        assert_eq!(history.killers(3), [Some(good), None]);
        history.update_quiet_history(&start, (3, 1), HistoryContext::NONE, bad, &[]);
        assert_eq!(history.killers(3), [Some(bad), Some(good)]);
        let before = history.quiet(&start, good, attacked);
        history.reward_prior_move(4, Quiet::new(&start, good, attacked));
        let raised = history.quiet(&start, good, attacked);
        assert!(raised > before);
        history.reward_tt_move(4, Quiet::new(&start, good, attacked));
        let after = history.quiet(&start, good, attacked);
        assert!(after > raised);
        history.update_gain(-50, Quiet::new(&start, good, attacked));
        assert!(history.quiet(&start, good, attacked) < after);
    }
}
