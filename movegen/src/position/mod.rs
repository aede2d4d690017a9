//! Legal positions.

pub(crate) mod board;
pub(crate) mod setup;
pub(crate) mod start;
pub(crate) mod validate;
mod zobrist;

use std::hash::{Hash, Hasher};

use crate::attacks::lanes::Paths;
use crate::attacks::pawn_attacks;
use crate::movegen::check_info::{Attacks, CheckInfo};
use crate::movegen::{self, MoveGenKind};
use crate::position::board::{Board, Code};
use crate::position::setup::Setup;
use crate::position::validate::IllegalPosition;
use crate::types::side::{Side, by_side};
use crate::types::{
    Bitboard, CastlingMode, CastlingRights, CastlingSide, Color, Move, MoveKind, MoveList, Piece,
    Role, Square,
};

/// A legal position. It takes 80 bytes, so copy it before a move instead of undoing the move.
///
/// Two positions are equal, and have the same [`key`](Self::key), if they allow the same moves: the
/// move counters are ignored, and so is an en passant square without a legal capture (decisions 46 and
/// 47).
///
/// ```
/// # use epode_movegen::{Position, MoveGenKind};
/// let mut position = Position::start();
/// assert_eq!(position.legal_moves().len(), 20);
/// position.play("e2e4".parse::<epode_movegen::UciMove>()?.find(&position)?);
/// assert_eq!(position.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Position {
    board: Board,
    key: u64,
    halfmove_clock: u16,
    fullmove_number: u16,
    turn: Color,
    /// Whether the board's en passant square allows a legal capture.
    en_passant_is_legal: bool,
}

const _: () = assert!(size_of::<Position>() == 80);

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        let facts = |position: &Self| {
            (
                Board {
                    en_passant: position.legal_en_passant(),
                    ..position.board
                },
                position.turn,
            )
        };
        self.key == other.key && facts(self) == facts(other)
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::start()
    }
}

/// The move is not legal in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a legal move")]
pub struct IllegalMove(pub Move);

impl Position {
    /// Converts a setup, or returns all its faults if it is illegal.
    pub fn from_setup(setup: &Setup) -> Result<Self, IllegalPosition> {
        Ok(Self::unchecked(setup, validate::board(setup)?))
    }

    /// The position of a setup with one king for each side, and its board.
    fn unchecked(setup: &Setup, board: Board) -> Self {
        let mut key = zobrist::castling(setup.castling);
        for square in board.occupied() {
            if let Some(piece) = setup.board[square.index()] {
                key ^= zobrist::piece(piece.color(), Code::of(piece.role()), square);
            }
        }
        let mut position = Self {
            board,
            key,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number,
            turn: setup.turn,
            en_passant_is_legal: false,
        };
        if setup.turn == Color::Black {
            position.key ^= zobrist::BLACK_TO_MOVE;
        }
        by_side!(setup.turn, S => position.update_en_passant::<S>());
        position
    }

    /// The position as a [`Setup`].
    #[must_use]
    pub fn setup(&self) -> Setup {
        let mut setup = Setup {
            board: [None; Square::COUNT],
            turn: self.turn,
            castling: self.board.castling,
            castling_mode: self.castling_mode(),
            en_passant: self.board.en_passant,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        };
        for square in self.occupied() {
            setup.board[square.index()] = self.piece_at(square);
        }
        setup
    }

    /// The side to move.
    #[must_use]
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The squares of one side's pieces.
    #[must_use]
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.board.color(color)
    }

    /// The squares of all pieces of one role.
    #[must_use]
    #[inline]
    pub fn role(&self, role: Role) -> Bitboard {
        self.board.role(role)
    }

    /// The squares of one side's pieces of one role.
    #[must_use]
    #[inline]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.color(color) & self.role(role)
    }

    /// The bishops and queens of both sides.
    #[must_use]
    #[inline]
    pub const fn diagonal_sliders(&self) -> Bitboard {
        self.board.diagonals
    }

    /// The rooks and queens of both sides.
    #[must_use]
    #[inline]
    pub const fn orthogonal_sliders(&self) -> Bitboard {
        self.board.orthogonals
    }

    /// The squares of all pieces.
    #[must_use]
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.board.occupied()
    }

    /// The piece on a square.
    #[must_use]
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board.piece_at(square)
    }

    /// The role of the piece on a square.
    #[must_use]
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.board.role_at(square)
    }

    /// The square of a side's king.
    #[must_use]
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.board.king(color)
    }

    /// The castling rights.
    #[must_use]
    #[inline]
    pub const fn castling(&self) -> CastlingRights {
        self.board.castling
    }

    /// The square of the rook with which a king may castle toward a side.
    #[must_use]
    #[inline]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        self.board.castling_rook(color, side)
    }

    /// Whether all castling rights are those of standard chess.
    #[must_use]
    pub fn castling_mode(&self) -> CastlingMode {
        let castling = self.board.castling;
        let is_home = |color: Color| {
            let home = Square::E1.relative_to(color);
            !castling.intersects(CastlingRights::of_side(color)) || self.king(color) == home
        };
        if castling.is_standard() && Color::ALL.into_iter().all(is_home) {
            CastlingMode::Standard
        } else {
            CastlingMode::Chess960
        }
    }

    /// The square that the last move skipped, if it was a double push (EPD 4.4). A capture there may be
    /// impossible.
    #[must_use]
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        self.board.en_passant
    }

    /// The en passant square if a capture there is legal.
    #[must_use]
    #[inline]
    pub const fn legal_en_passant(&self) -> Option<Square> {
        if self.en_passant_is_legal {
            self.board.en_passant
        } else {
            None
        }
    }

    /// The number of plies since the last capture or pawn move.
    #[must_use]
    #[inline]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the next move, from 1.
    #[must_use]
    #[inline]
    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// Sets the halfmove clock and the fullmove number, which do not affect the legal moves.
    pub const fn set_counters(&mut self, halfmove_clock: u16, fullmove_number: u16) {
        self.halfmove_clock = halfmove_clock;
        self.fullmove_number = fullmove_number;
    }

    /// The Zobrist key. It is the same in all builds and on all machines.
    #[must_use]
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The pieces of both sides that attack a square, given the occupied squares.
    #[must_use]
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.board.attackers(square, occupied)
    }

    /// The squares that the opponent attacks, including those of its own pieces.
    #[must_use]
    #[inline]
    pub fn attacked(&self) -> Bitboard {
        let paths = Paths::new(!self.occupied());
        by_side!(!self.turn, S => Attacks::new::<S>(&self.board, &paths).squares)
    }

    /// The pieces that give check.
    #[must_use]
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.attackers(self.king(self.turn), self.occupied()) & self.color(!self.turn)
    }

    /// Whether the side to move is in check.
    #[must_use]
    #[inline]
    pub fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// All legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.add_moves(MoveGenKind::All, &mut list);
        list
    }

    /// Replaces the contents of the list with the legal moves of one kind, in an order that depends
    /// only on the position.
    #[inline]
    pub fn moves(&self, kind: MoveGenKind, list: &mut MoveList) {
        list.clear();
        self.add_moves(kind, list);
    }

    #[inline]
    fn add_moves(&self, kind: MoveGenKind, list: &mut MoveList) {
        by_side!(self.turn, S => movegen::list::<S>(&self.board, kind, list));
    }

    /// Counts the legal moves without building a list.
    #[must_use]
    pub fn count_moves(&self) -> u64 {
        by_side!(self.turn, S => movegen::count::<S>(&self.board))
    }

    /// Whether the move is legal. It can be a move from any position.
    #[must_use]
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        by_side!(self.turn, S => movegen::is_legal::<S>(&self.board, mv))
    }

    /// Whether the side to move is checkmated.
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && self.count_moves() == 0
    }

    /// Whether the side to move has no legal move and is not in check.
    #[must_use]
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && self.count_moves() == 0
    }

    /// Whether the material rules out checkmate by any play: bare kings, a king and one minor piece
    /// against a king, or any number of bishops that are all on squares of one color (decision 77).
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        let board = &self.board;
        if (board.pawns | board.orthogonals).any() {
            return false;
        }
        let bishops = board.diagonals;
        let on_one_color =
            (bishops & Bitboard::DARK).is_empty() || (bishops & !Bitboard::DARK).is_empty();
        match board.knights.len() {
            0 => on_one_color,
            1 => bishops.is_empty(),
            _ => false,
        }
    }

    /// Plays a legal move.
    ///
    /// # Panics
    /// If the move is not legal; [`try_play`](Self::try_play) returns an error instead.
    pub fn play(&mut self, mv: Move) {
        assert!(self.is_legal(mv), "{mv} is not legal in {self}");
        self.play_unchecked(mv);
    }

    /// Plays a move if it is legal.
    pub fn try_play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a move without checking that it is legal. After an illegal move, the methods of the
    /// position may return wrong results or panic, but memory safety is not affected.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        by_side!(self.turn, S => self.play_as::<S>(mv));
    }

    #[inline(always)]
    fn play_as<S: Side>(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let us = S::COLOR;
        let them = S::Other::COLOR;
        let moved = self.board.code_at(from);
        let placed = mv.promotes_to().map_or(moved, Code::of);
        let mut captured = self.board.code_at(to);

        let mut key = self.key
            ^ zobrist::BLACK_TO_MOVE
            ^ zobrist::piece(us, moved, from)
            ^ zobrist::piece(us, placed, to)
            ^ zobrist::piece(them, captured, to);
        match mv.kind() {
            MoveKind::Normal | MoveKind::Promotion => {}
            MoveKind::EnPassant => {
                let captured = Bitboard::of(to).shift(-S::FORWARD).first_unchecked();
                key ^= zobrist::piece(them, Code::PAWN, captured);
            }
            MoveKind::Castle => {
                let side = CastlingSide::toward(to);
                let rook_from = self.castling_rook(us, side).unwrap_or(side.rook_from(us));
                key ^= zobrist::piece(us, Code::of(Role::Rook), rook_from)
                    ^ zobrist::piece(us, Code::of(Role::Rook), side.rook_to(us));
                // In Chess960, king or rook can be on this square.
                key ^= zobrist::piece(them, captured, to);
                captured = Code::NONE;
            }
        }
        if let Some(square) = self.legal_en_passant() {
            key ^= zobrist::en_passant(square.file());
        }
        let before = self.board.castling;
        self.board.play::<S>(mv);
        if before != self.board.castling {
            key ^= zobrist::castling(before) ^ zobrist::castling(self.board.castling);
        }

        self.key = key;
        self.turn = them;
        self.fullmove_number = self.fullmove_number.saturating_add(us as u16);
        self.halfmove_clock = if moved == Code::PAWN || captured != Code::NONE {
            0
        } else {
            self.halfmove_clock.saturating_add(1)
        };
        self.en_passant_is_legal = false;
        self.update_en_passant::<S::Other>();
    }

    /// Determines whether `S`, the side to move, has a legal en passant capture, and adds it to the key.
    #[inline(always)]
    fn update_en_passant<S: Side>(&mut self) {
        if let Some(to) = self.board.en_passant {
            let pawns = self.board.pawns & self.board.color(S::COLOR);
            let capturers = pawn_attacks(S::Other::COLOR, to) & pawns;
            if capturers.any() {
                let paths = Paths::new(!self.occupied());
                let check_info = CheckInfo::new::<S>(&self.board, &paths);
                self.en_passant_is_legal = capturers
                    .into_iter()
                    .any(|from| check_info.allows_en_passant::<S>(&self.board, from, to));
                if self.en_passant_is_legal {
                    self.key ^= zobrist::en_passant(to.file());
                }
            }
        }
    }

    /// Plays a null move, for search. The side to move must not be in check.
    #[inline]
    pub fn play_null(&mut self) {
        debug_assert!(!self.is_check());
        if let Some(square) = self.legal_en_passant() {
            self.key ^= zobrist::en_passant(square.file());
        }
        self.key ^= zobrist::BLACK_TO_MOVE;
        self.board.en_passant = None;
        self.en_passant_is_legal = false;
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.fullmove_number = self.fullmove_number.saturating_add(self.turn as u16);
        self.turn = !self.turn;
    }

    pub(crate) const fn board(&self) -> &Board {
        &self.board
    }
}
