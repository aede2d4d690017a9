//! Legal move generation.
//!
//! [`generate`] passes sets of destination squares to a [`MoveVisitor`]: [`list`] stores the moves,
//! [`count`] counts them, and perft plays them.

mod castling_path;
pub(crate) mod check_info;
pub(crate) mod pattern;

use std::marker::PhantomData;

use crate::attacks::lanes::{self, Paths};
use crate::attacks::quad::Quad;
use crate::attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};
use crate::movegen::check_info::CheckInfo;
use crate::position::board::{Board, Mover};
use crate::types::side::Side;
use crate::types::{Bitboard, CastlingSide, MAX_MOVES, Move, MoveList, Promotion, Rank, Square};

/// Which legal moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveGenKind {
    /// All legal moves.
    All,
    /// Captures (including en passant) and all promotions.
    Noisy,
    /// All other moves.
    Quiet,
}

/// Receives the legal moves of a position as sets of squares.
pub(crate) trait MoveVisitor {
    /// Moves and captures of the piece on `from`.
    fn steps(&mut self, mover: Mover, from: Square, targets: Bitboard);
    /// Single pushes and captures of pawns that do not promote, in the lanes of
    /// [`lanes::pawn_steps`].
    fn pawn_steps(&mut self, targets: Quad);
    /// Double pushes of pawns.
    fn double_pushes(&mut self, targets: Bitboard);
    /// Single pushes and captures of pawns that promote. Each stands for four moves.
    fn promotions(&mut self, targets: Quad);
    /// One en passant capture.
    fn en_passant(&mut self, from: Square, to: Square);
    /// Castling.
    fn castle(&mut self, side: CastlingSide);
}

/// The three sets of [`lanes::pawn_steps`], each with its offset from origin to destination.
#[inline(always)]
pub(crate) fn by_offset<S: Side>(targets: Quad) -> [(i8, Bitboard); 3] {
    let [push, east, west, _] = targets.words();
    let [by_push, by_east, by_west] = lanes::pawn_offsets::<S>();
    [
        (by_push, Bitboard(push)),
        (by_east, Bitboard(east)),
        (by_west, Bitboard(west)),
    ]
}

/// The origin square of a pawn move.
#[inline(always)]
pub(crate) fn origin(to: Square, step: i8) -> Square {
    Square::from_low_bits((to as i8 - step) as u32)
}

/// Passes the legal moves of `S` to the visitor, but only those of pieces on `movers`.
#[inline(always)]
pub(crate) fn generate<S: Side>(
    board: &Board,
    kind: MoveGenKind,
    movers: Bitboard,
    visitor: &mut impl MoveVisitor,
) {
    let paths = Paths::new(!board.occupied());
    let check_info = CheckInfo::new::<S>(board, &paths);
    if movers.contains(check_info.king) {
        king_moves::<S>(board, &check_info, kind, visitor);
    }
    if check_info.checkers.many() {
        return;
    }
    let movers = movers & board.color(S::COLOR);
    piece_moves::<S>(board, &check_info, kind, movers, visitor);
    pawn_moves::<S>(board, &check_info, kind, movers, visitor);
}

/// The possible destinations of moves of this kind.
#[inline(always)]
fn destinations<S: Side>(board: &Board, kind: MoveGenKind) -> Bitboard {
    match kind {
        MoveGenKind::All => !board.color(S::COLOR),
        MoveGenKind::Noisy => board.color(S::Other::COLOR),
        MoveGenKind::Quiet => !board.occupied(),
    }
}

#[inline(always)]
fn king_moves<S: Side>(
    board: &Board,
    check_info: &CheckInfo,
    kind: MoveGenKind,
    visitor: &mut impl MoveVisitor,
) {
    let king = check_info.king;
    let targets = king_attacks(king) & !check_info.king_danger & destinations::<S>(board, kind);
    visitor.steps(Mover::King, king, targets);

    if kind != MoveGenKind::Noisy {
        castling_path::sides::<S>(board, check_info, |side| visitor.castle(side));
    }
}

/// The moves of knights, bishops, rooks and queens. Queens come twice: with the bishops and with the
/// rooks.
#[inline(always)]
fn piece_moves<S: Side>(
    board: &Board,
    check_info: &CheckInfo,
    kind: MoveGenKind,
    movers: Bitboard,
    visitor: &mut impl MoveVisitor,
) {
    let occupied = board.occupied();
    let targets = check_info.check_mask & destinations::<S>(board, kind);
    for from in board.knights & movers & !check_info.pinned {
        visitor.steps(Mover::Knight, from, knight_attacks(from) & targets);
    }
    for from in board.diagonals & movers {
        let reached = check_info.along_pin(from, bishop_attacks(from, occupied) & targets);
        visitor.steps(Mover::Diagonal, from, reached);
    }
    for from in board.orthogonals & movers {
        let reached = check_info.along_pin(from, rook_attacks(from, occupied) & targets);
        visitor.steps(Mover::Orthogonal, from, reached);
    }
}

#[inline(always)]
fn pawn_moves<S: Side>(
    board: &Board,
    check_info: &CheckInfo,
    kind: MoveGenKind,
    movers: Bitboard,
    visitor: &mut impl MoveVisitor,
) {
    const LAST_RANKS: Bitboard = Bitboard(Bitboard::rank(Rank::R1).0 | Bitboard::rank(Rank::R8).0);
    let pawns = board.pawns & movers;
    let them = board.color(S::Other::COLOR);
    let empty = !board.occupied();

    let reached = lanes::pawn_steps::<S>(lanes::all(pawns) & check_info.free)
        & Quad::new([empty.0, them.0, them.0, 0]);
    let targets = reached & lanes::all(check_info.check_mask);
    // A push is quiet and a capture is not; either is noisy if it promotes.
    let steps = targets
        & match kind {
            MoveGenKind::All => lanes::all(Bitboard::ALL),
            MoveGenKind::Noisy => Quad::new([0, !0, !0, 0]),
            MoveGenKind::Quiet => Quad::new([!0, 0, 0, 0]),
        };
    if (pawns & S::SEVENTH_RANK).any() {
        visitor.pawn_steps(steps & lanes::all(!LAST_RANKS));
        if kind != MoveGenKind::Quiet {
            visitor.promotions(targets & lanes::all(LAST_RANKS));
        }
    } else {
        visitor.pawn_steps(steps);
    }
    if kind != MoveGenKind::Noisy {
        let third = Bitboard(reached.words()[0]) & S::THIRD_RANK;
        visitor.double_pushes(third.shift(S::FORWARD) & empty & check_info.check_mask);
    }
    if kind != MoveGenKind::Quiet
        && let Some(to) = board.en_passant
    {
        for from in pawn_attacks(S::Other::COLOR, to) & pawns {
            if check_info.allows_en_passant::<S>(board, from, to) {
                visitor.en_passant(from, to);
            }
        }
    }
}

/// Counts the legal moves of `S` without building a list.
#[inline(always)]
pub(crate) fn count<S: Side>(board: &Board) -> u64 {
    struct Counter {
        moves: u32,
        /// Counted at the end, together with the other pieces' moves.
        pawn_steps: Quad,
    }
    impl MoveVisitor for Counter {
        #[inline(always)]
        fn steps(&mut self, _: Mover, _: Square, targets: Bitboard) {
            self.moves += targets.len();
        }
        #[inline(always)]
        fn pawn_steps(&mut self, targets: Quad) {
            self.pawn_steps = targets;
        }
        #[inline(always)]
        fn double_pushes(&mut self, targets: Bitboard) {
            self.moves += targets.len();
        }
        #[inline(always)]
        fn promotions(&mut self, targets: Quad) {
            self.moves += Quad::ones([targets]) * Promotion::ALL.len() as u32;
        }
        #[inline(always)]
        fn en_passant(&mut self, _: Square, _: Square) {
            self.moves += 1;
        }
        #[inline(always)]
        fn castle(&mut self, _: CastlingSide) {
            self.moves += 1;
        }
    }

    let paths = Paths::new(!board.occupied());
    let check_info = CheckInfo::new::<S>(board, &paths);
    let mut counter = Counter {
        moves: 0,
        pawn_steps: lanes::all(Bitboard::EMPTY),
    };
    king_moves::<S>(board, &check_info, MoveGenKind::All, &mut counter);
    pawn_moves::<S>(
        board,
        &check_info,
        MoveGenKind::All,
        board.color(S::COLOR),
        &mut counter,
    );

    // The rest are the moves of `piece_moves`, counted by direction instead of by piece. In one
    // direction no two pieces reach the same square, so the counts can be added.
    let us = board.color(S::COLOR);
    let targets = lanes::all(check_info.check_mask & !us);
    let sliders = lanes::sliders(board.orthogonals & us, board.diagonals & us) & check_info.free;
    let ahead = paths.ahead(sliders) & targets;
    let behind = paths.behind(sliders) & targets;
    let knights = board.knights & us & !check_info.pinned;
    let others = if knights.any() {
        let jumps = [
            lanes::jump_ahead(knights) & targets,
            lanes::jump_behind(knights) & targets,
        ];
        Quad::ones([ahead, behind, counter.pawn_steps, jumps[0], jumps[1]])
    } else {
        Quad::ones([ahead, behind, counter.pawn_steps])
    };
    u64::from(counter.moves + others)
}

/// Whether a move is legal for `S`. It can be a move from any position.
pub(crate) fn is_legal<S: Side>(board: &Board, mv: Move) -> bool {
    let mover = Bitboard::of(mv.from());
    if (mover & board.color(S::COLOR)).is_empty() {
        return false;
    }
    let mut list = MoveList::new();
    // `generate` visits only the piece on this square.
    const { assert!(MOST_OF_ONE + MOST_OF_KING <= MAX_MOVES) };
    let mut visitor = ListVisitor::<S> {
        list: &mut list,
        king: board.king(S::COLOR),
        side: PhantomData,
    };
    generate::<S>(board, MoveGenKind::All, mover, &mut visitor);
    list.contains(&mv)
}

/// A visitor that appends each move to a list.
struct ListVisitor<'a, S> {
    list: &'a mut MoveList,
    king: Square,
    side: PhantomData<S>,
}

impl<S: Side> ListVisitor<'_, S> {
    #[inline(always)]
    fn push(&mut self, mv: Move) {
        debug_assert!(!self.list.is_full());
        // SAFETY: both users of this visitor make sure that the list has room: `list` calls
        // `assert_room`, and `is_legal` adds the moves from one square to an empty list.
        unsafe { self.list.push_unchecked(mv) }
    }
}

impl<S: Side> MoveVisitor for ListVisitor<'_, S> {
    #[inline(always)]
    fn steps(&mut self, _: Mover, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::normal(from, to));
        }
    }
    #[inline(always)]
    fn pawn_steps(&mut self, targets: Quad) {
        for (offset, targets) in by_offset::<S>(targets) {
            for to in targets {
                self.push(Move::normal(origin(to, offset), to));
            }
        }
    }
    #[inline(always)]
    fn double_pushes(&mut self, targets: Bitboard) {
        for to in targets {
            self.push(Move::normal(origin(to, 2 * S::FORWARD), to));
        }
    }
    #[inline(always)]
    fn promotions(&mut self, targets: Quad) {
        for (offset, targets) in by_offset::<S>(targets) {
            for to in targets {
                for promotion in Promotion::ALL {
                    self.push(Move::promotion(origin(to, offset), to, promotion));
                }
            }
        }
    }
    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.push(Move::en_passant(from, to));
    }
    #[inline(always)]
    fn castle(&mut self, side: CastlingSide) {
        self.push(Move::castle(self.king, side.king_to(S::COLOR)));
    }
}

/// The most moves of a pawn: two captures and a push, each with four promotions, a double push and an
/// en passant capture.
const MOST_OF_PAWN: usize = 3 * Promotion::ALL.len() + 2;
/// The most moves of a piece that moves like a rook, a bishop and a knight.
const MOST_ORTHOGONAL: usize = 14;
const MOST_DIAGONAL: usize = 13;
const MOST_OF_KNIGHT: usize = 8;
/// The most moves of a king, castling included.
const MOST_OF_KING: usize = 10;
/// The most moves from one square, whichever sets of the board contain it.
const MOST_OF_ONE: usize = MOST_OF_PAWN + MOST_ORTHOGONAL + MOST_DIAGONAL + MOST_OF_KNIGHT;

/// Checks that a list has room for all moves of `S`. It always has in a legal position, but illegal
/// moves played unchecked could fill the board with queens.
///
/// # Panics
/// If the moves might not fit.
#[inline(always)]
fn assert_room<S: Side>(board: &Board, list: &MoveList) {
    let us = board.color(S::COLOR);
    let count = |set: Bitboard, most: usize| (set & us).len() as usize * most;
    let most = MOST_OF_KING
        + count(board.pawns, MOST_OF_PAWN)
        + count(board.knights, MOST_OF_KNIGHT)
        + count(board.diagonals, MOST_DIAGONAL)
        + count(board.orthogonals, MOST_ORTHOGONAL);
    assert!(
        most <= list.remaining_capacity(),
        "more pieces than a legal position can have: an illegal move was played unchecked"
    );
}

/// Appends the legal moves of `S` to a list.
///
/// # Panics
/// If the board has more pieces than a legal position can have.
pub(crate) fn list<S: Side>(board: &Board, kind: MoveGenKind, list: &mut MoveList) {
    assert_room::<S>(board, list);
    let king = board.king(S::COLOR);
    let mut visitor = ListVisitor::<S> {
        list,
        king,
        side: PhantomData,
    };
    match kind {
        MoveGenKind::All => generate::<S>(board, MoveGenKind::All, Bitboard::ALL, &mut visitor),
        MoveGenKind::Noisy => generate::<S>(board, MoveGenKind::Noisy, Bitboard::ALL, &mut visitor),
        MoveGenKind::Quiet => generate::<S>(board, MoveGenKind::Quiet, Bitboard::ALL, &mut visitor),
    }
}
