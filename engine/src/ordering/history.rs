//! What earlier moves of the search say about the next ones
//! (<https://www.chessprogramming.org/History_Heuristic>).

use movegen::{Bitboard, Color, Move, Position, Role, Square};

use crate::eval::correction::Corrections;
use crate::ordering::gravity::apply_gravity;
use crate::ordering::piece_to::{PieceTo, PreviousMoves};
use crate::score::MAX_PLY;
use crate::search::params::{
    BONUS_FACTOR, BONUS_LIMIT, GAIN_FACTOR, GAIN_LIMIT, PRIOR_MOVE_FACTOR,
};

/// The value that no entry exceeds: bonuses fade out toward it.
const HISTORY_LIMIT: i32 = 16_384;

/// What is remembered of a quiet move depends on where it is made: after which moves, and with which
/// squares attacked by the opponent.
#[derive(Clone, Copy)]
pub(crate) struct HistoryContext {
    pub before: PreviousMoves,
    pub attacked: Bitboard,
}

impl HistoryContext {
    /// Before a search, and where quiet moves do not matter.
    pub const NONE: Self = Self {
        before: [PieceTo::NONE; 2],
        attacked: Bitboard::EMPTY,
    };

    /// The numbers that [`danger`](Self::danger) may be.
    const DANGERS: usize = 4;

    /// Whether a move flees from an attack, and whether it walks into one, as a number.
    fn danger(&self, mv: Move) -> usize {
        let [from, to] = [mv.from(), mv.to()].map(|square| self.attacked.contains(square));
        usize::from(from) + 2 * usize::from(to)
    }
}

/// A quiet move of the path.
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

/// By departure and arrival (<https://www.chessprogramming.org/Butterfly_Boards>).
type Butterfly = [[i16; Square::COUNT]; Square::COUNT];

/// One thread's memory of quiet moves.
pub(crate) struct History {
    /// How good a quiet move has been, by side, by whether the opponent attacks where it comes from and
    /// where it goes to ([`HistoryContext::danger`]), by departure and arrival.
    butterfly: [Box<[Butterfly]>; 2],
    /// How good it has been after another move, one or two plies before
    /// (<https://www.chessprogramming.org/History_Heuristic#Continuation_History>).
    continuations: Box<[[i16; PieceTo::COUNT]]>,
    /// How good a capture has been, by the piece_to and the role captured
    /// (<https://www.chessprogramming.org/History_Heuristic#Capture_History>).
    captures: Box<[[i16; Role::ALL.len()]; PieceTo::COUNT]>,
    /// The two quiet moves that last refuted something at each ply
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

    /// The killers of a ply, the latest first.
    pub fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// How good a quiet move has been, from -49152 to 49152.
    pub fn quiet(&self, position: &Position, mv: Move, context: HistoryContext) -> i32 {
        let role = position.role_at(mv.from()).unwrap_or(Role::Pawn);
        self.quiets(position.turn(), context).value(role, mv)
    }

    /// What is known of all quiet moves that a side can make somewhere.
    pub fn quiets(&self, side: Color, context: HistoryContext) -> Quiets<'_> {
        let after = |earlier: PieceTo| &self.continuations[earlier.index()];
        Quiets {
            side,
            context,
            butterfly: &self.butterfly[side as usize],
            continuations: context.before.map(after),
        }
    }

    /// How good a capture or promotion has been, from -16384 to 16384.
    pub fn noisy(&self, position: &Position, mv: Move) -> i32 {
        let captured = position.role_at(mv.to()).unwrap_or(Role::Pawn);
        self.captures[PieceTo::of(position, mv).index()][captured as usize].into()
    }

    /// Learns from the captures tried before a move that was too good for the opponent, and from
    /// that one if it is a capture.
    pub fn learn_noisy(
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

    /// Learns from a quiet move that was too good for the opponent, and from those tried before
    /// it, which were not.
    pub fn learn(
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

    /// Learns that a quiet move was too good for the opponent, as the table knows.
    pub fn learn_table_cutoff(&mut self, depth: i32, quiet: Quiet) {
        self.add(quiet, bonus(depth));
    }

    /// Learns that a quiet move was too good for all the opponent's answers.
    pub fn learn_prior_move(&mut self, depth: i32, quiet: Quiet) {
        self.add(quiet, PRIOR_MOVE_FACTOR * bonus(depth));
    }

    /// Learns by how many centipawns a quiet move has changed the evaluation for its side.
    pub fn learn_gain(
        &mut self,
        gain: i32,
        Quiet {
            mv,
            piece_to,
            context,
        }: Quiet,
    ) {
        let bonus = (GAIN_FACTOR * gain).clamp(-GAIN_LIMIT, GAIN_LIMIT);
        apply_gravity::<HISTORY_LIMIT>(self.butterfly(piece_to, context, mv), bonus);
    }

    fn butterfly(&mut self, piece_to: PieceTo, context: HistoryContext, mv: Move) -> &mut i16 {
        let butterfly = &mut self.butterfly[piece_to.color() as usize][context.danger(mv)];
        &mut butterfly[mv.from().index()][mv.to().index()]
    }

    fn add(
        &mut self,
        Quiet {
            mv,
            piece_to,
            context,
        }: Quiet,
        bonus: i32,
    ) {
        apply_gravity::<HISTORY_LIMIT>(self.butterfly(piece_to, context, mv), bonus);
        for earlier in context.before {
            let entry = &mut self.continuations[earlier.index()][piece_to.index()];
            apply_gravity::<HISTORY_LIMIT>(entry, bonus);
        }
    }
}

/// How good quiet moves of one side have been in such a context.
pub(crate) struct Quiets<'h> {
    side: Color,
    context: HistoryContext,
    butterfly: &'h [Butterfly],
    continuations: [&'h [i16; PieceTo::COUNT]; 2],
}

impl Quiets<'_> {
    /// How good one has been that a piece of this role makes, from -49152 to 49152.
    #[inline]
    pub fn value(&self, role: Role, mv: Move) -> i32 {
        let piece_to = PieceTo::new(self.side, role, mv.to()).index();
        let after = self.continuations.map(|values| i32::from(values[piece_to]));
        let butterfly = &self.butterfly[self.context.danger(mv)];
        i32::from(butterfly[mv.from().index()][mv.to().index()]) + after[0] + after[1]
    }
}

/// What a cut-off at a depth is worth to the move that made it.
fn bonus(depth: i32) -> i32 {
    (BONUS_FACTOR * depth).min(BONUS_LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_grow_toward_a_limit() {
        let mut history = History::new();
        let start = Position::start();
        let [good, bad] = [Square::E4, Square::E3].map(|to| Move::normal(Square::E2, to));
        for _ in 0..1000 {
            history.learn(&start, (3, 20), HistoryContext::NONE, good, &[bad]);
        }
        let limit = 3 * HISTORY_LIMIT * 9 / 10..=3 * HISTORY_LIMIT;
        assert!(limit.contains(&history.quiet(&start, good, HistoryContext::NONE)));
        assert!(limit.contains(&-history.quiet(&start, bad, HistoryContext::NONE)));
        // After another move only what is known without it counts.
        let other = HistoryContext {
            before: [PieceTo::of(&start, bad); 2],
            ..HistoryContext::NONE
        };
        assert!((1..=HISTORY_LIMIT).contains(&history.quiet(&start, good, other)));
        // Into an attack it is another move.
        let attacked = HistoryContext {
            attacked: Bitboard::of(Square::E4),
            ..other
        };
        assert_eq!(history.quiet(&start, good, attacked), 0);
        assert_eq!(history.killers(3), [Some(good), None]);
        history.learn(&start, (3, 1), HistoryContext::NONE, bad, &[]);
        assert_eq!(history.killers(3), [Some(bad), Some(good)]);
        let before = history.quiet(&start, good, attacked);
        history.learn_prior_move(4, Quiet::new(&start, good, attacked));
        let unanswered = history.quiet(&start, good, attacked);
        assert!(unanswered > before);
        history.learn_table_cutoff(4, Quiet::new(&start, good, attacked));
        let after = history.quiet(&start, good, attacked);
        assert!(after > unanswered);
        history.learn_gain(-50, Quiet::new(&start, good, attacked));
        assert!(history.quiet(&start, good, attacked) < after);
    }
}
