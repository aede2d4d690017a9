//! Perft: counts the leaves of the move tree (<https://www.chessprogramming.org/Perft>).
//!
//! Moves of the last ply are counted without being listed, and earlier moves are played on a board
//! without keys as soon as they are generated. With a hash table or several threads, the first plies
//! use full positions with keys.

use std::marker::PhantomData;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};

use crate::attacks::quad::Quad;
use crate::memory::{self, NoMemory};
use crate::movegen::{MoveGenKind, MoveVisitor, by_offset, count, generate, origin};
use crate::position::Position;
use crate::position::board::{Board, Destination, Mover};
use crate::types::side::{Side, by_side};
use crate::types::{Bitboard, CastlingRights, CastlingSide, Move, Promotion, Square};

/// Threads and hash table of perft. They do not affect the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftOptions {
    /// The number of threads; 0 means 1.
    pub threads: usize,
    /// The size of the hash table in MiB; 0 for none.
    pub hash_mib: usize,
}

impl Default for PerftOptions {
    fn default() -> Self {
        Self {
            threads: 1,
            hash_mib: 0,
        }
    }
}

/// Counts the sequences of `depth` legal moves from a position.
///
/// ```
/// # use epode_movegen::{perft, Position};
/// assert_eq!(perft(&Position::start(), 4), 197_281);
/// ```
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    by_side!(position.turn(), S => leaves::<S>(position.board(), depth))
}

/// [`perft`] with threads and a hash table.
///
/// # Errors
///
/// If there is not enough memory for the hash table.
pub fn perft_with(position: &Position, depth: u32, options: PerftOptions) -> Result<u64, NoMemory> {
    if depth == 0 || options == PerftOptions::default() {
        return Ok(perft(position, depth));
    }
    let divided = divide(position, depth, options)?;
    Ok(divided.into_iter().map(|(_, leaves)| leaves).sum())
}

/// [`perft_with`], but gives up and returns `None` once it has counted more than `most` leaves.
///
/// # Errors
///
/// If there is not enough memory for the hash table.
pub fn perft_at_most(
    position: &Position,
    depth: u32,
    most: u64,
    options: PerftOptions,
) -> Result<Option<u64>, NoMemory> {
    let counting = Counting::new(options, most)?;
    if depth == 0 {
        return Ok(counting.leaves(position, depth));
    }
    let divided = counting.divide(position, depth, options.threads);
    let leaves: Option<Vec<_>> = divided.into_iter().map(|(_, leaves)| leaves).collect();
    Ok(leaves.map(|leaves| leaves.into_iter().sum()))
}

/// Counts the leaves below each legal move, in generation order. Empty at depth 0.
///
/// # Errors
///
/// If there is not enough memory for the hash table.
pub fn divide(
    position: &Position,
    depth: u32,
    options: PerftOptions,
) -> Result<Vec<(Move, u64)>, NoMemory> {
    if depth == 0 {
        return Ok(Vec::new());
    }
    let divided = Counting::new(options, u64::MAX)?.divide(position, depth, options.threads);
    // Without a limit every count is complete.
    let complete = |(mv, leaves): (Move, Option<u64>)| Some((mv, leaves?));
    Ok(divided.into_iter().filter_map(complete).collect())
}

/// A count on several threads, up to a limit.
struct Counting {
    table: Option<Table>,
    /// The leaves so far, of all threads.
    counted: AtomicU64,
    most: u64,
}

impl Counting {
    /// Up to this depth, leaves are counted without a look at the limit.
    const AT_ONCE: u32 = 3;

    fn new(options: PerftOptions, most: u64) -> Result<Self, NoMemory> {
        let table = match options.hash_mib {
            0 => None,
            mib => Some(Table::new(mib)?),
        };
        let counted = AtomicU64::new(0);
        Ok(Self {
            table,
            counted,
            most,
        })
    }

    /// The leaves below each legal move; `None` where the limit ended the count.
    fn divide(&self, position: &Position, depth: u32, threads: usize) -> Vec<(Move, Option<u64>)> {
        let moves = position.legal_moves();
        // One work item for each position after two plies, so that threads finish at about the same time.
        let mut work = Vec::new();
        for (i, &mv) in moves.iter().enumerate() {
            let mut after = *position;
            after.play_unchecked(mv);
            if depth == 1 {
                work.push((i, after, 0));
            } else {
                for reply in after.legal_moves() {
                    let mut below = after;
                    below.play_unchecked(reply);
                    work.push((i, below, depth - 2));
                }
            }
        }
        let next = AtomicUsize::new(0);
        let sums: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
        let given_up = AtomicBool::new(false);
        std::thread::scope(|scope| {
            // More threads than items have nothing to do.
            for _ in 0..threads.clamp(1, work.len().max(1)) {
                scope.spawn(|| {
                    while let Some((i, position, depth)) = work.get(next.fetch_add(1, Relaxed)) {
                        let Some(leaves) = self.leaves(position, *depth) else {
                            given_up.store(true, Relaxed);
                            break;
                        };
                        sums[*i].fetch_add(leaves, Relaxed);
                    }
                });
            }
        });
        let sums = sums.into_iter().map(AtomicU64::into_inner);
        let complete = !given_up.into_inner();
        let sums = sums.map(|leaves| complete.then_some(leaves));
        moves.into_iter().zip(sums).collect()
    }

    /// The leaves below a position; `None` if the limit ended the count.
    fn leaves(&self, position: &Position, depth: u32) -> Option<u64> {
        if depth <= Self::AT_ONCE {
            return self.add(match &self.table {
                Some(table) => table.leaves(position, depth),
                None => perft(position, depth),
            });
        }
        if let Some(known) = self
            .table
            .as_ref()
            .and_then(|table| table.get(position, depth))
        {
            return self.add(known);
        }
        let mut leaves = 0;
        for mv in position.legal_moves() {
            let mut after = *position;
            after.play_unchecked(mv);
            leaves += self.leaves(&after, depth - 1)?;
        }
        if let Some(table) = &self.table {
            table.set(position, depth, leaves);
        }
        Some(leaves)
    }

    /// Adds leaves; `None` if there are too many.
    fn add(&self, leaves: u64) -> Option<u64> {
        let before = self.counted.fetch_add(leaves, Relaxed);
        (before.saturating_add(leaves) <= self.most).then_some(leaves)
    }
}

/// A lock-free hash table of counts by key and depth. The XOR of the two halves of an entry detects
/// torn writes (<https://www.chessprogramming.org/Shared_Hash_Table#Xor>).
struct Table {
    entries: Vec<[AtomicU64; 2]>,
}

impl Table {
    /// Below this depth, counting is as fast as a lookup.
    const LEAST_DEPTH: u32 = 3;

    fn new(mib: usize) -> Result<Self, NoMemory> {
        let entries = memory::entries(mib, Default::default)?;
        Ok(Self { entries })
    }

    /// The key and the entry of a count.
    fn entry(&self, position: &Position, depth: u32) -> (u64, &[AtomicU64; 2]) {
        // The depth is part of the key, so that counts for other depths are not found.
        let key = position.key() ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let slot = (u128::from(key) * self.entries.len() as u128) >> 64;
        (key, &self.entries[slot as usize])
    }

    fn get(&self, position: &Position, depth: u32) -> Option<u64> {
        let (key, [check, count]) = self.entry(position, depth);
        let known = count.load(Relaxed);
        (check.load(Relaxed) ^ known == key).then_some(known)
    }

    fn set(&self, position: &Position, depth: u32, leaves: u64) {
        let (key, [check, count]) = self.entry(position, depth);
        count.store(leaves, Relaxed);
        check.store(key ^ leaves, Relaxed);
    }

    fn leaves(&self, position: &Position, depth: u32) -> u64 {
        if depth < Self::LEAST_DEPTH {
            return perft(position, depth);
        }
        if let Some(known) = self.get(position, depth) {
            return known;
        }
        let mut leaves = 0;
        for mv in position.legal_moves() {
            let mut after = *position;
            after.play_unchecked(mv);
            leaves += self.leaves(&after, depth - 1);
        }
        self.set(position, depth, leaves);
        leaves
    }
}

/// The number of leaves at this depth. Depth 0 has one leaf.
fn leaves<S: Side>(board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count::<S>(board),
        _ => {
            let mut visitor = PerftVisitor::<S> {
                board,
                depth: depth - 1,
                leaves: 0,
                side: PhantomData,
            };
            generate::<S>(board, MoveGenKind::All, Bitboard::ALL, &mut visitor);
            visitor.leaves
        }
    }
}

/// [`count`] with the board passed in registers. In memory, the sets would be written one by one and
/// read back as wider vectors, which prevents store forwarding.
#[inline(never)]
#[allow(clippy::too_many_arguments)]
fn count_sets<S: Side>(
    pawns: Bitboard,
    knights: Bitboard,
    diagonals: Bitboard,
    orthogonals: Bitboard,
    kings: Bitboard,
    white: Bitboard,
    black: Bitboard,
    castling: CastlingRights,
    en_passant: Option<Square>,
) -> u64 {
    let colors = [white, black];
    count::<S>(&Board {
        pawns,
        knights,
        diagonals,
        orthogonals,
        kings,
        colors,
        castling,
        en_passant,
    })
}

/// A visitor that plays each move and counts the leaves after it.
struct PerftVisitor<'a, S> {
    board: &'a Board,
    /// Plies left after the move.
    depth: u32,
    leaves: u64,
    side: PhantomData<S>,
}

impl<S: Side> PerftVisitor<'_, S> {
    #[inline(always)]
    fn below(&mut self, play: impl Fn(&mut Board)) {
        // Two copies of the code, so that the board of the first can stay in registers.
        if self.depth == 1 {
            let mut board = *self.board;
            play(&mut board);
            self.leaves += count_sets::<S::Other>(
                board.pawns,
                board.knights,
                board.diagonals,
                board.orthogonals,
                board.kings,
                board.colors[0],
                board.colors[1],
                board.castling,
                board.en_passant,
            );
        } else {
            let mut board = *self.board;
            play(&mut board);
            self.leaves += leaves::<S::Other>(&board, self.depth);
        }
    }
}

impl<S: Side> MoveVisitor for PerftVisitor<'_, S> {
    #[inline(always)]
    fn steps(&mut self, mover: Mover, from: Square, targets: Bitboard) {
        let captures = targets & self.board.color(S::Other::COLOR);
        for to in targets ^ captures {
            self.below(|board| board.step::<S>(mover, from, to, Destination::Empty));
        }
        for to in captures {
            self.below(|board| board.step::<S>(mover, from, to, Destination::Any));
        }
    }
    #[inline(always)]
    fn pawn_steps(&mut self, targets: Quad) {
        for (offset, targets) in by_offset::<S>(targets) {
            let destination = if offset == S::FORWARD {
                Destination::Empty
            } else {
                Destination::Any
            };
            for to in targets {
                self.below(|board| board.pawn_step::<S>(origin(to, offset), to, destination));
            }
        }
    }
    #[inline(always)]
    fn double_pushes(&mut self, targets: Bitboard) {
        for to in targets {
            self.below(|board| board.double_push::<S>(origin(to, 2 * S::FORWARD), to));
        }
    }
    #[inline(always)]
    fn promotions(&mut self, targets: Quad) {
        for (offset, targets) in by_offset::<S>(targets) {
            for to in targets {
                for promotion in Promotion::ALL {
                    self.below(|board| {
                        board.promote::<S>(origin(to, offset), to, promotion.role());
                    });
                }
            }
        }
    }
    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.below(|board| board.capture_en_passant::<S>(from, to));
    }
    #[inline(always)]
    fn castle(&mut self, side: CastlingSide) {
        self.below(|board| board.castle::<S>(side));
    }
}
