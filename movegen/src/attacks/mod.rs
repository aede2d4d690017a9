//! Attack tables, built at compile time: one for all sliders, and small ones for the other pieces.
//!
//! The attacks of a slider depend on the occupied squares of its lines. A build with BMI2 turns
//! these squares into a table index with PEXT
//! (<https://www.chessprogramming.org/BMI2#PEXTBitboards>); other builds use magic multiplication
//! (`attacks/magic.rs`).

use crate::attacks::lines::Lines;
use crate::types::{Bitboard, Color, Square};

pub(crate) mod lanes;
mod lines;
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
mod magic;
pub(crate) mod quad;

/// The instructions that this build uses for attacks, as its target processor has them.
pub const INSTRUCTIONS: &str = match (
    cfg!(all(target_arch = "x86_64", target_feature = "bmi2")),
    cfg!(all(target_arch = "x86_64", target_feature = "avx2")),
) {
    (true, true) => "PEXT, AVX2",
    (true, false) => "PEXT",
    (false, true) => "magic multiplication, AVX2",
    (false, false) => "magic multiplication",
};

/// The steps of a rook (first four) and of a bishop (last four), in files and ranks.
const STEPS: [(i8, i8); 8] = [
    (0, 1),
    (0, -1),
    (1, 0),
    (-1, 0),
    (1, 1),
    (-1, -1),
    (-1, 1),
    (1, -1),
];

/// The square reached by a step, unless it is off the board.
const fn step(square: usize, (files, ranks): (i8, i8)) -> Option<usize> {
    let file = (square % 8) as i8 + files;
    let rank = (square / 8) as i8 + ranks;
    if file < 0 || file > 7 || rank < 0 || rank > 7 {
        None
    } else {
        Some((rank * 8 + file) as usize)
    }
}

/// The squares of one line from `square` up to and including the first occupied one.
const fn ray(square: usize, direction: (i8, i8), occupied: u64) -> u64 {
    let mut reached = 0;
    let mut at = square;
    while let Some(next) = step(at, direction) {
        reached |= 1 << next;
        if occupied & 1 << next != 0 {
            break;
        }
        at = next;
    }
    reached
}

/// The union of the four rays along one kind of line.
pub(crate) const fn rays(square: usize, lines: Lines, occupied: u64) -> u64 {
    let mut reached = 0;
    let mut i = lines as usize * 4;
    while i < lines as usize * 4 + 4 {
        reached |= ray(square, STEPS[i], occupied);
        i += 1;
    }
    reached
}

/// The squares whose occupancy affects [`rays`]; the last square of a ray never does.
pub(crate) const fn relevant(square: usize, lines: Lines) -> u64 {
    let mut squares = 0;
    let mut i = lines as usize * 4;
    while i < lines as usize * 4 + 4 {
        let mut at = square;
        while let Some(next) = step(at, STEPS[i]) {
            if step(next, STEPS[i]).is_some() {
                squares |= 1 << next;
            }
            at = next;
        }
        i += 1;
    }
    squares
}

/// The part of the table for one square: its relevant squares and its first entry.
#[derive(Clone, Copy)]
struct Slider {
    relevant: u64,
    start: u32,
}

/// Rook tables take 102,400 entries, bishop tables 5,248.
const SLIDER_ENTRIES: usize = 102_400 + 5_248;

/// The table parts of rooks, then of bishops.
const SLIDERS: [[Slider; Square::COUNT]; 2] = {
    let mut sliders = [[Slider {
        relevant: 0,
        start: 0,
    }; Square::COUNT]; 2];
    let mut start = 0;
    let mut family = 0;
    while family < 2 {
        let lines = [Lines::Orthogonal, Lines::Diagonal][family];
        let mut square = 0;
        while square < Square::COUNT {
            let relevant = relevant(square, lines);
            sliders[family][square] = Slider { relevant, start };
            start += 1 << relevant.count_ones();
            square += 1;
        }
        family += 1;
    }
    assert!(start as usize == SLIDER_ENTRIES);
    sliders
};

/// The table index for a square and a set of occupied squares.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline(always)]
fn slot(slider: &Slider, _square: Square, _lines: Lines, occupied: Bitboard) -> usize {
    // SAFETY: the build has BMI2.
    let key = unsafe { std::arch::x86_64::_pext_u64(occupied.0, slider.relevant) };
    slider.start as usize + key as usize
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
#[inline(always)]
fn slot(slider: &Slider, square: Square, lines: Lines, occupied: Bitboard) -> usize {
    slider.start as usize
        + magic::key(
            square.index(),
            lines,
            occupied.0 & slider.relevant,
            slider.relevant.count_ones(),
        )
}

/// The index that [`slot`] gives to the `n`th subset of the relevant squares. PEXT numbers the subsets
/// in ascending order.
#[allow(
    unused_variables,
    reason = "PEXT needs only `n`, magic multiplication everything else"
)]
const fn build_key(square: usize, lines: Lines, subset: u64, n: usize, bits: u32) -> usize {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    return n;
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    magic::key(square, lines, subset, bits)
}

#[allow(long_running_const_eval)]
static SLIDER_ATTACKS: [Bitboard; SLIDER_ENTRIES] = {
    let mut attacks = [Bitboard::EMPTY; SLIDER_ENTRIES];
    let mut family = 0;
    while family < 2 {
        let lines = [Lines::Orthogonal, Lines::Diagonal][family];
        let mut square = 0;
        while square < Square::COUNT {
            let Slider { relevant, start } = SLIDERS[family][square];
            let bits = relevant.count_ones();
            let mut subset: u64 = 0;
            let mut n = 0;
            while n < 1 << bits {
                let key = build_key(square, lines, subset, n, bits);
                attacks[start as usize + key] = Bitboard(rays(square, lines, subset));
                subset = subset.wrapping_sub(relevant) & relevant;
                n += 1;
            }
            square += 1;
        }
        family += 1;
    }
    attacks
};

#[inline(always)]
fn slider_attacks(square: Square, lines: Lines, occupied: Bitboard) -> Bitboard {
    static TABLES: [[Slider; Square::COUNT]; 2] = SLIDERS;
    let slider = &TABLES[lines as usize][square.index()];
    let slot = slot(slider, square, lines, occupied);
    debug_assert!(slot < SLIDER_ENTRIES);
    // SAFETY: a key has as many bits as the square's part of the table has entries.
    unsafe { *SLIDER_ATTACKS.get_unchecked(slot) }
}

/// The squares that a rook on `square` attacks, given the occupied squares.
#[must_use]
#[inline(always)]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    slider_attacks(square, Lines::Orthogonal, occupied)
}

/// The squares that a bishop on `square` attacks, given the occupied squares.
///
/// ```
/// # use epode_movegen::{attacks::bishop_attacks, Bitboard, Square};
/// let occupied = Bitboard::of(Square::E5) | Bitboard::of(Square::B2);
/// assert_eq!(bishop_attacks(Square::C3, occupied).to_string(), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// X . . . X . . .
/// . X . X . . . .
/// . . . . . . . .
/// . X . X . . . .
/// . . . . X . . .
/// ");
/// ```
#[must_use]
#[inline(always)]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    slider_attacks(square, Lines::Diagonal, occupied)
}

/// The squares that a queen on `square` attacks, given the occupied squares.
#[must_use]
#[inline(always)]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    rook_attacks(square, occupied) | bishop_attacks(square, occupied)
}

/// The sets of squares one step away, for each square.
const fn leaper<const N: usize>(steps: [(i8, i8); N]) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        let mut i = 0;
        while i < N {
            if let Some(to) = step(square, steps[i]) {
                table[square].0 |= 1 << to;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

/// The squares that a knight on `square` attacks.
#[must_use]
#[inline(always)]
pub fn knight_attacks(square: Square) -> Bitboard {
    static TABLE: [Bitboard; Square::COUNT] = leaper([
        (1, 2),
        (2, 1),
        (2, -1),
        (1, -2),
        (-1, -2),
        (-2, -1),
        (-2, 1),
        (-1, 2),
    ]);
    TABLE[square.index()]
}

/// The squares that a king on `square` attacks.
#[must_use]
#[inline(always)]
pub fn king_attacks(square: Square) -> Bitboard {
    static TABLE: [Bitboard; Square::COUNT] = leaper(STEPS);
    TABLE[square.index()]
}

/// The squares that a pawn of this color on `square` attacks.
#[must_use]
#[inline(always)]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    static TABLE: [[Bitboard; Square::COUNT]; 2] =
        [leaper([(-1, 1), (1, 1)]), leaper([(-1, -1), (1, -1)])];
    TABLE[color as usize][square.index()]
}

#[allow(clippy::large_stack_arrays, reason = "evaluated at compile time")]
/// For each pair of squares on one line, the squares between them, or the whole line.
const fn pairs(whole: bool) -> [[Bitboard; Square::COUNT]; Square::COUNT] {
    let mut table = [[Bitboard::EMPTY; Square::COUNT]; Square::COUNT];
    let mut a = 0;
    while a < Square::COUNT {
        let mut i = 0;
        while i < STEPS.len() {
            let (files, ranks) = STEPS[i];
            let all = ray(a, STEPS[i], 0);
            let line = all | ray(a, (-files, -ranks), 0) | 1 << a;
            let mut at = a;
            while let Some(b) = step(at, STEPS[i]) {
                table[a][b].0 = if whole {
                    line
                } else {
                    all & !ray(b, STEPS[i], 0) & !(1 << b)
                };
                at = b;
            }
            i += 1;
        }
        a += 1;
    }
    table
}

/// The squares between two squares on one rank, file or diagonal. Empty for other squares.
///
/// ```
/// # use epode_movegen::{attacks::between, Bitboard, Square};
/// assert!(between(Square::B2, Square::E5).into_iter().eq([Square::C3, Square::D4]));
/// assert!(between(Square::B2, Square::E6).is_empty());
/// ```
#[must_use]
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    static TABLE: [[Bitboard; Square::COUNT]; Square::COUNT] = pairs(false);
    TABLE[a.index()][b.index()]
}

/// The whole rank, file or diagonal that two squares share. Empty for other squares.
#[must_use]
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    static TABLE: [[Bitboard; Square::COUNT]; Square::COUNT] = pairs(true);
    TABLE[a.index()][b.index()]
}

/// The rays of each square on an empty board, in the order of [`lanes`]: north, north-east,
/// north-west, east; then south, south-west, south-east, west.
pub(crate) static COMPASS: [[[u64; 4]; 2]; Square::COUNT] = {
    const ORDER: [[(i8, i8); 4]; 2] = [
        [(0, 1), (1, 1), (-1, 1), (1, 0)],
        [(0, -1), (-1, -1), (1, -1), (-1, 0)],
    ];
    let mut table = [[[0; 4]; 2]; Square::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        let mut i = 0;
        while i < 8 {
            table[square][i / 4][i % 4] = ray(square, ORDER[i / 4][i % 4], 0);
            i += 1;
        }
        square += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares table lookups with [`rays`] for all subsets of the relevant squares.
    #[test]
    fn tables_agree_with_rays() {
        for lines in [Lines::Orthogonal, Lines::Diagonal] {
            for square in Square::all() {
                let relevant = relevant(square.index(), lines);
                let mut subset: u64 = 0;
                loop {
                    let walked = Bitboard(rays(square.index(), lines, subset));
                    // Irrelevant squares must not affect the result.
                    for rest in [0, !relevant] {
                        assert_eq!(
                            slider_attacks(square, lines, Bitboard(subset | rest)),
                            walked
                        );
                    }
                    subset = subset.wrapping_sub(relevant) & relevant;
                    if subset == 0 {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn attacks_are_mutual() {
        for a in Square::all() {
            for b in Square::all() {
                assert_eq!(knight_attacks(a).contains(b), knight_attacks(b).contains(a));
                assert_eq!(king_attacks(a).contains(b), king_attacks(b).contains(a));
                assert_eq!(
                    pawn_attacks(Color::White, a).contains(b),
                    pawn_attacks(Color::Black, b).contains(a)
                );
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line(a, b), line(b, a));
            }
        }
    }

    #[test]
    fn lines_and_squares_between() {
        assert_eq!(between(Square::A1, Square::A4).len(), 2);
        assert_eq!(line(Square::C3, Square::D4), line(Square::A1, Square::H8));
        assert!(line(Square::A1, Square::B3).is_empty());
    }
}
