//! The starting positions of standard chess and of Chess960.

use std::fmt;
use std::str::FromStr;

use crate::position::Position;
use crate::position::board::Board;
use crate::position::setup::Setup;
use crate::types::{
    CastlingMode, CastlingRights, Color, File, ParseError, Piece, Rank, Role, Square,
};

/// The back rank of a starting position of Chess960, by its number from 0 to 959. 518 is that of
/// standard chess (<https://www.chessprogramming.org/Reinhard_Scharnagl>).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BackRank(u16);

impl BackRank {
    /// How many there are.
    pub const COUNT: u16 = 960;
    /// The back rank of standard chess.
    pub const STANDARD: Self = Self(518);

    /// The back rank with this number, if the number is less than [`COUNT`](Self::COUNT).
    #[must_use]
    pub const fn new(number: u16) -> Option<Self> {
        if number < Self::COUNT {
            Some(Self(number))
        } else {
            None
        }
    }

    /// The number.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// The pieces from the a-file to the h-file.
    #[must_use]
    pub fn roles(self) -> [Role; 8] {
        // The two free squares of the knights among the five that remain after bishops and queen.
        const KNIGHTS: [(usize, usize); 10] = [
            (0, 1),
            (0, 2),
            (0, 3),
            (0, 4),
            (1, 2),
            (1, 3),
            (1, 4),
            (2, 3),
            (2, 4),
            (3, 4),
        ];
        let number = usize::from(self.0);
        let (rest, light) = (number / 4, number % 4);
        let (rest, dark) = (rest / 4, rest % 4);
        let (knights, queen) = (rest / 6, rest % 6);
        let mut roles = [None; 8];
        roles[2 * light + 1] = Some(Role::Bishop);
        roles[2 * dark] = Some(Role::Bishop);
        let free = |roles: &[Option<Role>; 8], nth: usize| {
            let mut free = (0..8).filter(|&file| roles[file].is_none());
            free.nth(nth).unwrap_or(0)
        };
        roles[free(&roles, queen)] = Some(Role::Queen);
        let (one, other) = KNIGHTS[knights];
        let files = [free(&roles, one), free(&roles, other)];
        for file in files {
            roles[file] = Some(Role::Knight);
        }
        let mut rest = [Role::Rook, Role::King, Role::Rook].into_iter();
        roles.map(|role| role.or_else(|| rest.next()).unwrap_or(Role::Rook))
    }
}

/// Prints the number.
impl fmt::Display for BackRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for BackRank {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        text.parse()
            .ok()
            .and_then(Self::new)
            .ok_or(ParseError::expected("a number from 0 to 959"))
    }
}

impl Position {
    /// The starting position of standard chess.
    #[must_use]
    pub fn start() -> Self {
        Self::chess960([BackRank::STANDARD; 2])
    }

    /// The starting position with these back ranks of White and Black. In Chess960 they are the same; in
    /// double Chess960 (DFRC) they can be different.
    ///
    /// ```
    /// use epode_movegen::{BackRank, Position};
    ///
    /// let rank: BackRank = "0".parse()?;
    /// let start = Position::chess960([rank, rank]);
    /// assert_eq!(start.to_string(), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1");
    /// # Ok::<(), epode_movegen::ParseError>(())
    /// ```
    #[must_use]
    pub fn chess960(back_ranks: [BackRank; 2]) -> Self {
        let mut setup = Setup::empty();
        for (color, back_rank) in Color::ALL.into_iter().zip(back_ranks) {
            for (file, role) in File::ALL.into_iter().zip(back_rank.roles()) {
                let first = Square::new(file, Rank::R1).relative_to(color);
                let second = Square::new(file, Rank::R2).relative_to(color);
                setup.board[first.index()] = Some(Piece::new(color, role));
                setup.board[second.index()] = Some(Piece::new(color, Role::Pawn));
                if role == Role::Rook {
                    setup.castling |= CastlingRights::of_rook(color, file);
                }
            }
        }
        setup.castling_mode = CastlingMode::Chess960;
        Self::unchecked(&setup, Board::of(&setup))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Numbers and back ranks as published (<https://www.mark-weeks.com/cfaa/chess960/c960strt.htm>).
    #[test]
    fn back_ranks_have_their_numbers() {
        let letters = |number: u16| -> String {
            let rank = BackRank::new(number).expect("less than 960");
            rank.roles().into_iter().map(Role::to_char).collect()
        };
        for (number, expected) in [
            (0, "BBQNNRKR"),
            (1, "BQNBNRKR"),
            (518, "RNBQKBNR"),
            (534, "RNBKQBNR"),
            (959, "RKRNNQBB"),
        ] {
            assert_eq!(letters(number), expected);
        }
        let all: HashSet<_> = (0..BackRank::COUNT).map(letters).collect();
        assert_eq!(all.len(), usize::from(BackRank::COUNT));
        assert!(BackRank::new(960).is_none() && "960".parse::<BackRank>().is_err());
    }

    #[test]
    fn every_starting_position_is_legal() {
        for number in 0..BackRank::COUNT {
            let rank = BackRank(number);
            let other = BackRank((number * 7 + 5) % BackRank::COUNT);
            for ranks in [[rank; 2], [rank, other]] {
                let start = Position::chess960(ranks);
                assert_eq!(start.setup().legality(), Ok(()), "{start}");
                assert_eq!(start.to_string().parse(), Ok(start));
            }
        }
        assert_eq!(
            Position::start().to_string(),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        );
    }
}
