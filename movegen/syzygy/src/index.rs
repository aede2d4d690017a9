//! The index of a position in a table: a number for the squares of its pieces.
//!
//! Positions that are the same by symmetry have the same index. Without pawns, the board is turned so
//! that the first piece is in the triangle a1-d1-d4; with pawns, so that the leading pawn is on files a
//! to d. The pieces form groups: first the leading one (the pawns of one color; or the kings; or three
//! pieces that occur once each), then the other pawns, then runs of equal pieces. The index is a number
//! of mixed radix with one digit for each group.

use arrayvec::ArrayVec;

use crate::material::MAX_PIECES;

/// Squares as numbers, A1 = 0, in the order of the table's pieces.
pub(crate) type Squares = ArrayVec<u8, MAX_PIECES>;

const TRIANGLE: usize = 10;
/// Placements of two kings that are not adjacent, up to symmetry.
const KINGS: u64 = 462;
/// Placements of three different pieces up to symmetry.
const TRIPLES: u64 = 31_332;
/// The placements of three pieces whose first is off the long diagonal, or is on it with the second
/// off it, and so on.
const BELOW_DIAGONAL: u64 = 6 * 63 * 62;
const ONE_ON_DIAGONAL: u64 = 4 * 28 * 62;
const TWO_ON_DIAGONAL: u64 = 4 * 7 * 28;

/// The ways to choose `k` of `n` things.
pub(crate) const fn choose(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    let mut ways = 1;
    let mut i = 0;
    while i < k {
        ways = ways * (n - i) / (i + 1);
        i += 1;
    }
    ways
}

const fn file(square: u8) -> u8 {
    square & 7
}

const fn rank(square: u8) -> u8 {
    square >> 3
}

/// Where a square is: below the long diagonal a1-h8 (negative), on it (0) or above it.
const fn side_of_diagonal(square: u8) -> i8 {
    rank(square) as i8 - file(square) as i8
}

const fn flip_diagonal(square: u8) -> u8 {
    square >> 3 | (square & 7) << 3
}

/// The number of a square in the triangle a1-d1-d4: those below the diagonal first.
const fn triangle(square: u8) -> u64 {
    let (file, rank) = (file(square) as u64, rank(square) as u64);
    match (rank, file) {
        (rank, file) if rank == file => 6 + rank,
        (0, file) => file - 1,
        (1, file) => file + 1,
        _ => 5,
    }
}

/// The number of a square below the diagonal.
const fn below(square: u8) -> u64 {
    let (file, rank) = (file(square) as u64, rank(square) as u64);
    let earlier = 7 * rank - (rank * rank - rank) / 2;
    earlier + file - rank - 1
}

/// The number of a placement of two kings: the first in the triangle, and below the diagonal unless both
/// are on it. 0xFFFF for an impossible one.
static KING_PAIRS: [[u16; 64]; TRIANGLE] = {
    let mut numbers = [[0xFFFF; 64]; TRIANGLE];
    let mut next = 0;
    // Pairs on the diagonal come last.
    let mut on_diagonal = 0;
    while on_diagonal < 2 {
        let mut slot = 0;
        while slot < TRIANGLE {
            let first = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27][slot];
            let mut second = 0;
            while second < 64 {
                let near = file(first).abs_diff(file(second)) <= 1
                    && rank(first).abs_diff(rank(second)) <= 1;
                let is_mirrored = side_of_diagonal(first) == 0 && side_of_diagonal(second) > 0;
                let both = side_of_diagonal(first) == 0 && side_of_diagonal(second) == 0;
                if !near && !is_mirrored && both == (on_diagonal == 1) {
                    numbers[slot][second as usize] = next;
                    next += 1;
                }
                second += 1;
            }
            slot += 1;
        }
        on_diagonal += 1;
    }
    assert!(next as u64 == KINGS);
    numbers
};

/// The order of pawn squares: the leading pawn has the highest number. It is on the outermost file, and
/// there on the lowest rank.
const fn pawn_order(square: u8) -> u64 {
    let from_second = rank(square) as u64 - 1;
    match file(square) as u64 {
        left @ 0..=3 => 47 - 12 * left - 2 * from_second,
        right => 46 - 12 * (7 - right) - 2 * from_second,
    }
}

/// The placements of the other leading pawns, for each number of them, when the leading pawn is on a
/// square of a file a to d and the ranks 2 to 7; and the sum of these for each file.
struct PawnPlacements {
    before: [[u64; 24]; 6],
    of_file: [[u64; 4]; 6],
}

static PAWNS: PawnPlacements = {
    let mut before = [[0; 24]; 6];
    let mut of_file = [[0; 4]; 6];
    let mut others = 0;
    while others < 6 {
        let mut file = 0;
        while file < 4 {
            let mut sum = 0;
            let mut rank = 1;
            while rank < 7 {
                before[others][6 * file + rank - 1] = sum;
                let square = (8 * rank + file) as u8;
                sum += choose(pawn_order(square), others as u64);
                rank += 1;
            }
            of_file[others][file] = sum;
            file += 1;
        }
        others += 1;
    }
    PawnPlacements { before, of_file }
};

/// How many of its pieces lead a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leading {
    /// Two kings; no other piece occurs once.
    Kings,
    /// Three pieces that occur once each.
    Three,
    /// Pawns of the color with fewer, and the pawns of the other color.
    Pawns(usize, usize),
}

impl Leading {
    const fn len(self) -> usize {
        match self {
            Self::Kings => 2,
            Self::Three => 3,
            Self::Pawns(own, _) => own,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Group {
    len: usize,
    factor: u64,
}

/// How the index of one part of a table is computed.
#[derive(Clone, Debug)]
pub(crate) struct Encoding {
    leading: Leading,
    groups: ArrayVec<Group, MAX_PIECES>,
    /// The number of indices.
    pub size: u64,
}

impl Encoding {
    /// The encoding of a part: its pieces in order, the file of its leading pawn, and the place of the
    /// leading group and of the other pawns among the digits. None if the numbers are impossible.
    pub fn new(leading: Leading, pieces: &[u8], pawn_file: usize, order: [u8; 2]) -> Option<Self> {
        let mut groups = ArrayVec::<Group, MAX_PIECES>::new();
        let mut at = leading.len();
        groups.push(Group { len: at, factor: 0 });
        while at < pieces.len() {
            let run = pieces[at..]
                .iter()
                .take_while(|&&piece| piece == pieces[at])
                .count();
            groups.push(Group {
                len: run,
                factor: 0,
            });
            at += run;
        }
        let two_pawn_groups = matches!(leading, Leading::Pawns(_, 1..));
        let special = 1 + usize::from(two_pawn_groups);
        let used: usize = groups.iter().take(special).map(|group| group.len).sum();
        let mut free = 64 - used as u64;
        let mut size: u64 = 1;
        let mut rest = special;
        for digit in 0..groups.len() as u8 {
            let (group, radix) = if digit == order[0] {
                let radix = match leading {
                    Leading::Kings => KINGS,
                    Leading::Three => TRIPLES,
                    Leading::Pawns(own, _) => PAWNS.of_file[own - 1][pawn_file],
                };
                (0, radix)
            } else if two_pawn_groups && digit == order[1] {
                let squares = 48 - groups[0].len as u64;
                (1, choose(squares, groups[1].len as u64))
            } else {
                let len = groups.get(rest)?.len as u64;
                rest += 1;
                free -= len;
                (rest - 1, choose(free + len, len))
            };
            groups[group].factor = size;
            size = size.checked_mul(radix)?;
        }
        // Every group has its digit, unless the order is out of range.
        let is_complete = groups.iter().all(|group| group.factor > 0);
        is_complete.then_some(Self {
            leading,
            groups,
            size,
        })
    }

    /// The index of a placement. The leading pawns come first, as [`lead_pawns`] sorts them.
    pub fn index(&self, squares: &mut Squares) -> Option<u64> {
        let leading = match self.leading {
            Leading::Kings | Leading::Three => turn_pieces(squares, self.leading),
            Leading::Pawns(..) => leading_pawns(squares, self.leading.len()),
        };
        let mut index = leading? * self.groups[0].factor;
        let mut at = self.groups[0].len;
        for (i, group) in self.groups.iter().enumerate().skip(1) {
            let are_pawns = i == 1 && matches!(self.leading, Leading::Pawns(_, 1..));
            let (earlier, rest) = squares.split_at_mut(at);
            let run = rest.get_mut(..group.len)?;
            run.sort_unstable();
            let mut digit = 0;
            for (i, &square) in run.iter().enumerate() {
                // The squares that earlier pieces leave free are numbered.
                let skipped = earlier.iter().filter(|&&other| other < square).count();
                let first = if are_pawns { 8 } else { 0 };
                let number = u64::from(square).checked_sub(skipped as u64 + first)?;
                digit += choose(number, i as u64 + 1);
            }
            index += digit * group.factor;
            at += group.len;
        }
        (index < self.size).then_some(index)
    }
}

/// Turns the board so that the first piece is in the triangle, and numbers the leading pieces.
fn turn_pieces(squares: &mut Squares, leading: Leading) -> Option<u64> {
    let turn = |squares: &mut Squares, turn: fn(u8) -> u8| {
        squares
            .iter_mut()
            .for_each(|square| *square = turn(*square));
    };
    if file(squares[0]) > 3 {
        turn(squares, |square| square ^ 7);
    }
    if rank(squares[0]) > 3 {
        turn(squares, |square| square ^ 0x38);
    }
    let sides = squares
        .iter()
        .take(leading.len())
        .map(|&square| side_of_diagonal(square));
    if sides.into_iter().find(|&side| side != 0) > Some(0) {
        turn(squares, flip_diagonal);
    }
    let [first, second] = [squares[0], squares[1]];
    if leading == Leading::Kings {
        let number = KING_PAIRS[triangle(first) as usize][usize::from(second)];
        return (number != 0xFFFF).then_some(u64::from(number));
    }
    let third = squares[2];
    // Numbers without the squares that earlier pieces take.
    let after_one = u64::from(second > first);
    let after_two = u64::from(third > first) + u64::from(third > second);
    let on_diagonal = |square| side_of_diagonal(square) == 0;
    let diagonal = |square| u64::from(rank(square));
    let third_of_all = u64::from(third) - after_two;
    Some(if !on_diagonal(first) {
        triangle(first) * 63 * 62 + (u64::from(second) - after_one) * 62 + third_of_all
    } else if !on_diagonal(second) {
        BELOW_DIAGONAL + diagonal(first) * 28 * 62 + below(second) * 62 + third_of_all
    } else if !on_diagonal(third) {
        BELOW_DIAGONAL
            + ONE_ON_DIAGONAL
            + diagonal(first) * 7 * 28
            + (diagonal(second) - after_one) * 28
            + below(third)
    } else {
        BELOW_DIAGONAL
            + ONE_ON_DIAGONAL
            + TWO_ON_DIAGONAL
            + diagonal(first) * 7 * 6
            + (diagonal(second) - after_one) * 6
            + diagonal(third)
            - after_two
    })
}

/// Moves the leading pawn to the front of the pawns of its color. Returns the number of its file, 0 to 3
/// from the edge.
pub(crate) fn lead_pawns(pawns: &mut [u8]) -> usize {
    let distance = |square: u8| (file(square).min(7 - file(square)), rank(square));
    let leading = (0..pawns.len()).min_by_key(|&i| distance(pawns[i]));
    let leading = leading.unwrap_or(0);
    pawns.swap(0, leading);
    usize::from(distance(pawns[0]).0)
}

/// Turns the board so that the leading pawn is on files a to d, and numbers the leading pawns.
fn leading_pawns(squares: &mut Squares, pawns: usize) -> Option<u64> {
    if file(squares[0]) > 3 {
        squares.iter_mut().for_each(|square| *square ^= 7);
    }
    let pawns = &mut squares[..pawns];
    if pawns.iter().any(|&square| !(1..7).contains(&rank(square))) {
        return None;
    }
    pawns[1..].sort_unstable_by_key(|&square| std::cmp::Reverse(pawn_order(square)));
    let (leading, others) = (pawns[0], pawns.len() - 1);
    let slot = 6 * usize::from(file(leading)) + usize::from(rank(leading)) - 1;
    let mut number = PAWNS.before[others][slot];
    for (i, &square) in pawns.iter().enumerate().skip(1) {
        number += choose(pawn_order(square), (others - i + 1) as u64);
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(squares: &[u8]) -> Squares {
        squares.iter().copied().collect()
    }

    /// Three different pieces: every index is used, and each by at most eight placements.
    #[test]
    fn indices_of_three_pieces_are_dense() {
        let encoding = Encoding::new(Leading::Three, &[6, 5, 14], 0, [0, 15]).expect("valid");
        let mut used = vec![0_u8; encoding.size as usize];
        for first in 0..64 {
            for second in 0..64 {
                for third in 0..64 {
                    if first != second && first != third && second != third {
                        let index = encoding.index(&mut squares(&[first, second, third]));
                        used[index.expect("in range") as usize] += 1;
                    }
                }
            }
        }
        // A placement that the diagonal mirrors to itself occurs four times.
        assert!(used.iter().all(|&times| times == 8 || times == 4));
    }

    #[test]
    fn impossible_orders_are_refused() {
        let new = |order| Encoding::new(Leading::Kings, &[6, 14, 5, 5], 0, order);
        assert!(new([0, 15]).is_some() && new([1, 15]).is_some());
        assert!(new([2, 15]).is_none() && new([15, 15]).is_none());
        let pawns = |order| Encoding::new(Leading::Pawns(1, 1), &[1, 9, 6, 14], 0, order);
        assert!(pawns([0, 1]).is_some() && pawns([0, 0]).is_none());
    }
}
