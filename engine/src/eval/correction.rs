//! Correction history: the average difference between static evaluation and search score in
//! similar positions, which later evaluations are corrected by
//! (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>).

use movegen::{Color, Position, Role};

use crate::ordering::gravity::apply_gravity;
use crate::ordering::piece_to::PieceTo;
use crate::score::Score;
use crate::search::params::{correction_depth_divisor, correction_grain};

/// Entries for each side and key.
const SLOTS: usize = 16_384;
/// The limit of an entry (see [`apply_gravity`]).
const LIMIT: i32 = 1024;

/// The correction history of one thread.
pub(crate) struct Corrections {
    /// By hash of the pawns, of White's pieces and of Black's pieces, then by the side to move.
    errors: [[Box<[i16]>; 2]; 3],
    /// By the previous move.
    by_move: Box<[i16]>,
}

/// The keys of a position in each table.
#[derive(Clone, Copy)]
pub(crate) struct CorrectionKeys {
    side: usize,
    slots: [usize; 3],
    piece_to: usize,
}

impl CorrectionKeys {
    pub fn of(position: &Position, last: PieceTo) -> Self {
        let slot = |hash: u64| (hash >> (64 - SLOTS.ilog2())) as usize;
        let hash = |color: Color, role: Role, factor: usize| {
            mix(position.pieces(color, role).0, FACTORS[factor])
        };
        let [white, black] = Color::ALL.map(|color| {
            let pieces = Role::ALL[1..].iter();
            pieces.fold(0, |sum, &role| sum ^ hash(color, role, role as usize))
        });
        // The pawns of both sides share a key, so they have two factors.
        let pawns = hash(Color::White, Role::Pawn, 0) ^ hash(Color::Black, Role::Pawn, 1);
        Self {
            side: position.turn() as usize,
            slots: [pawns, white, black].map(slot),
            piece_to: last.index(),
        }
    }
}

/// Mixes all bits of a set into the upper ones.
const fn mix(set: u64, factor: u64) -> u64 {
    (set ^ set >> 32).wrapping_mul(factor)
}

/// Random odd factors, so that the processor can multiply all sets at the same time: with a hash that mixes one
/// set after the other, the search was 3 % slower.
const FACTORS: [u64; Role::ALL.len()] = {
    // 2^64 divided by the golden ratio.
    let mut factors = [0x9E37_79B9_7F4A_7C15; Role::ALL.len()];
    let mut n = 1;
    while n < factors.len() {
        factors[n] = mix(factors[n - 1], factors[0]) | 1;
        n += 1;
    }
    factors
};

impl Corrections {
    pub fn new() -> Self {
        Self {
            errors: [(); 3].map(|()| [(); 2].map(|()| vec![0; SLOTS].into())),
            by_move: vec![0; PieceTo::COUNT].into(),
        }
    }

    /// The correction of the static evaluation, in centipawns.
    pub fn correction(&self, at: CorrectionKeys) -> i32 {
        let mut sum = i32::from(self.by_move[at.piece_to]);
        for (errors, slot) in self.errors.iter().zip(at.slots) {
            sum += i32::from(errors[at.side][slot]);
        }
        sum / correction_grain()
    }

    /// Updates the entries after a search of this depth whose score was `error` above the
    /// corrected evaluation.
    pub fn update(&mut self, at: CorrectionKeys, depth: i32, error: i32) {
        let bonus = (error * depth / correction_depth_divisor()).clamp(-LIMIT / 4, LIMIT / 4);
        apply_gravity::<LIMIT>(&mut self.by_move[at.piece_to], bonus);
        for (errors, slot) in self.errors.iter_mut().zip(at.slots) {
            apply_gravity::<LIMIT>(&mut errors[at.side][slot], bonus);
        }
    }
}

/// The corrected evaluation.
pub(crate) fn corrected(evaluation: Score, correction: i32) -> Score {
    Score::evaluation(evaluation.ce() + correction)
}
