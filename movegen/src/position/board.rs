//! The bitboards of a position, and how moves change them.

use crate::attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};
use crate::position::setup::Setup;
use crate::types::side::Side;
use crate::types::{
    Bitboard, CastlingRights, CastlingSide, Color, Move, MoveKind, Piece, Rank, Role, Square,
};

/// The data that move generation needs, in 64 bytes. The side to move is a type parameter of the
/// functions that need it.
///
/// Sliders are stored by the lines along which they move, so a queen is in both sets: move generation
/// needs the lines of a piece, not its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    pub pawns: Bitboard,
    pub knights: Bitboard,
    /// Bishops and queens.
    pub diagonals: Bitboard,
    /// Rooks and queens.
    pub orthogonals: Bitboard,
    pub kings: Bitboard,
    pub colors: [Bitboard; 2],
    pub castling: CastlingRights,
    /// The square that the last move skipped, if it was a double push. A capture may be impossible.
    pub en_passant: Option<Square>,
}

const _: () = assert!(size_of::<Board>() == 64);

/// The sets of a [`Board`] that contain a square, one bit per set: two bits for a queen, none for an
/// empty square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code(pub u8);

impl Code {
    /// All codes are less than this.
    pub const COUNT: usize = 32;
    pub const NONE: Self = Self(0);
    pub const PAWN: Self = Self::of(Role::Pawn);

    /// The code of a piece.
    #[inline(always)]
    pub const fn of(role: Role) -> Self {
        Self([1, 2, 4, 8, 4 | 8, 16][role as usize])
    }
}

/// How a piece other than a pawn moves. This determines which sets change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mover {
    Knight,
    /// A bishop or a queen along a diagonal.
    Diagonal,
    /// A rook or a queen along a rank or file.
    Orthogonal,
    King,
}

/// What is known about the destination of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// It is empty.
    Empty,
    /// It is empty or has a piece of the opponent.
    Any,
}

impl Board {
    /// The board of a setup.
    pub fn of(setup: &Setup) -> Self {
        // One set for each piece and one for empty squares, so that the loop does not branch on the
        // square. Branches would be mispredicted: with them, checking a record takes 0.87 µs instead of
        // 0.36 (`benches/records.rs`).
        let mut sets = [Bitboard::EMPTY; Piece::ALL.len() + 1];
        for (square, piece) in Square::all().zip(setup.board) {
            sets[piece.map_or(Piece::ALL.len(), |piece| piece as usize)] |= Bitboard::of(square);
        }
        let color = |color| {
            Role::ALL.into_iter().fold(Bitboard::EMPTY, |set, role| {
                set | sets[Piece::new(color, role) as usize]
            })
        };
        let role = |role| {
            sets[Piece::new(Color::White, role) as usize]
                | sets[Piece::new(Color::Black, role) as usize]
        };
        Self {
            pawns: role(Role::Pawn),
            knights: role(Role::Knight),
            diagonals: role(Role::Bishop) | role(Role::Queen),
            orthogonals: role(Role::Rook) | role(Role::Queen),
            kings: role(Role::King),
            colors: Color::ALL.map(color),
            castling: setup.castling,
            en_passant: setup.en_passant,
        }
    }

    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The pieces of one role, of both sides.
    #[inline(always)]
    pub fn role(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => self.pawns,
            Role::Knight => self.knights,
            Role::Bishop => self.diagonals & !self.orthogonals,
            Role::Rook => self.orthogonals & !self.diagonals,
            Role::Queen => self.diagonals & self.orthogonals,
            Role::King => self.kings,
        }
    }

    /// The square of a side's king. Every legal board has one.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        (self.kings & self.color(color)).first_unchecked()
    }

    /// The sets that contain a square.
    #[inline(always)]
    pub fn code_at(&self, square: Square) -> Code {
        let bit = |set: Bitboard| (set.0 >> square as u32 & 1) as u8;
        Code(
            bit(self.pawns)
                | bit(self.knights) << 1
                | bit(self.diagonals) << 2
                | bit(self.orthogonals) << 3
                | bit(self.kings) << 4,
        )
    }

    #[inline(always)]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        const ROLES: [Option<Role>; 17] = {
            let mut roles = [None; 17];
            let mut i = 0;
            while i < Role::ALL.len() {
                roles[Code::of(Role::ALL[i]).0 as usize] = Some(Role::ALL[i]);
                i += 1;
            }
            roles
        };
        ROLES
            .get(usize::from(self.code_at(square).0))
            .copied()
            .flatten()
    }

    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let role = self.role_at(square)?;
        let color = if self.colors[0].contains(square) {
            Color::White
        } else {
            Color::Black
        };
        Some(Piece::new(color, role))
    }

    #[inline(always)]
    fn add(&mut self, role: Role, set: Bitboard) {
        match role {
            Role::Pawn => self.pawns |= set,
            Role::Knight => self.knights |= set,
            Role::Bishop => self.diagonals |= set,
            Role::Rook => self.orthogonals |= set,
            Role::Queen => {
                self.diagonals |= set;
                self.orthogonals |= set;
            }
            Role::King => self.kings |= set,
        }
    }

    /// The pieces of both sides that attack a square, given the occupied squares.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        (pawn_attacks(Color::Black, square) & self.pawns & self.colors[0])
            | (pawn_attacks(Color::White, square) & self.pawns & self.colors[1])
            | (knight_attacks(square) & self.knights)
            | (bishop_attacks(square, occupied) & self.diagonals)
            | (rook_attacks(square, occupied) & self.orthogonals)
            | (king_attacks(square) & self.kings)
    }

    /// Plays a legal or pseudo-legal move of `S`.
    #[inline(always)]
    pub fn play<S: Side>(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            MoveKind::Normal if self.pawns.contains(from) && from as u8 ^ to as u8 == 16 => {
                self.double_push::<S>(from, to);
            }
            MoveKind::Normal => {
                if self.kings.contains(from) {
                    self.castling -= CastlingRights::of_side(S::COLOR);
                }
                self.displace::<S>(from, to, Destination::Any);
                self.move_piece(from, to);
            }
            MoveKind::Promotion => {
                // A promotion always has a role.
                self.promote::<S>(from, to, mv.promotes_to().unwrap_or(Role::Queen));
            }
            MoveKind::EnPassant => self.capture_en_passant::<S>(from, to),
            MoveKind::Castle => self.castle::<S>(CastlingSide::toward(to)),
        }
    }

    /// Updates what every move changes: the color sets, the castling rights and the en passant
    /// square. Removes a captured piece from all sets, except from the kings.
    #[inline(always)]
    fn displace<S: Side>(&mut self, from: Square, to: Square, destination: Destination) {
        let there = Bitboard::of(to);
        self.colors[S::COLOR as usize] ^= Bitboard::of(from) | there;
        self.castling = self.castling.without_rook(from);
        self.en_passant = None;
        if destination == Destination::Any {
            self.colors[S::Other::COLOR as usize] &= !there;
            self.pawns &= !there;
            self.knights &= !there;
            self.diagonals &= !there;
            self.orthogonals &= !there;
            self.castling = self.castling.without_rook(to);
        }
    }

    /// Moves the piece on `from` to the empty square `to` in the role sets. Updating all sets is faster
    /// than finding those that contain the piece.
    #[inline(always)]
    fn move_piece(&mut self, from: Square, to: Square) {
        for set in [
            &mut self.pawns,
            &mut self.knights,
            &mut self.diagonals,
            &mut self.orthogonals,
            &mut self.kings,
        ] {
            let there = set.0 >> from as u32 & 1;
            set.0 ^= there << from as u32 | there << to as u32;
        }
    }

    /// A move or capture of a piece other than a pawn.
    #[inline(always)]
    pub fn step<S: Side>(
        &mut self,
        mover: Mover,
        from: Square,
        to: Square,
        destination: Destination,
    ) {
        self.displace::<S>(from, to, destination);
        let both = Bitboard::of(from) | Bitboard::of(to);
        match mover {
            Mover::Knight => self.knights ^= both,
            Mover::King => {
                self.castling -= CastlingRights::of_side(S::COLOR);
                self.kings ^= both;
            }
            // The piece may be a queen, which is in two sets.
            Mover::Diagonal | Mover::Orthogonal => self.move_piece(from, to),
        }
    }

    /// A single push or capture of a pawn that does not promote.
    #[inline(always)]
    pub fn pawn_step<S: Side>(&mut self, from: Square, to: Square, destination: Destination) {
        self.displace::<S>(from, to, destination);
        self.pawns ^= Bitboard::of(from) | Bitboard::of(to);
    }

    /// A double push of a pawn.
    #[inline(always)]
    pub fn double_push<S: Side>(&mut self, from: Square, to: Square) {
        let both = Bitboard::of(from) | Bitboard::of(to);
        self.colors[S::COLOR as usize] ^= both;
        self.pawns ^= both;
        self.en_passant = Some(Square::from_low_bits(u32::midpoint(from as u32, to as u32)));
    }

    #[inline(always)]
    pub fn promote<S: Side>(&mut self, from: Square, to: Square, role: Role) {
        self.displace::<S>(from, to, Destination::Any);
        self.pawns ^= Bitboard::of(from);
        self.add(role, Bitboard::of(to));
    }

    #[inline(always)]
    pub fn capture_en_passant<S: Side>(&mut self, from: Square, to: Square) {
        let captured = Bitboard::of(to).shift(-S::FORWARD);
        self.colors[S::Other::COLOR as usize] ^= captured;
        self.pawns ^= captured;
        self.pawn_step::<S>(from, to, Destination::Empty);
    }

    /// The square of the rook with which a king may castle toward a side.
    #[inline(always)]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.king(color).file();
        let file = self.castling.rook_file(color, side, king)?;
        Some(Square::new(file, Rank::R1).relative_to(color))
    }

    #[inline(always)]
    pub fn castle<S: Side>(&mut self, side: CastlingSide) {
        let color = S::COLOR;
        let rook_from = self
            .castling_rook(color, side)
            .unwrap_or(side.rook_from(color));
        // The destination of a piece can be its own square or that of the other piece.
        let king = Bitboard::of(self.king(color)) ^ Bitboard::of(side.king_to(color));
        let rook = Bitboard::of(rook_from) ^ Bitboard::of(side.rook_to(color));
        self.kings ^= king;
        self.orthogonals ^= rook;
        self.colors[color as usize] ^= king ^ rook;
        self.castling -= CastlingRights::of_side(color);
        self.en_passant = None;
    }
}
