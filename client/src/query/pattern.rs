//! Patterns of the board: a piece placement field with wildcards, as the `FENPattern` of pgn-extract.

use movegen::{Color, File, Piece, Rank, Setup, Square};

use crate::text::counted;

/// One rank each, from the eighth.
#[derive(Debug)]
pub struct Pattern([Vec<Element>; 8]);

/// A part of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    /// One square with one of these contents: a bit for each piece of [`Piece::ALL`], and one for none.
    Square(u16),
    /// Any number of squares with any contents.
    Anything,
}

const EMPTY: u16 = 1 << Piece::ALL.len();
const ALL: u16 = (EMPTY << 1) - 1;

fn bit(piece: Piece) -> u16 {
    1 << piece as u16
}

/// The pieces of a side.
fn side(color: Color) -> u16 {
    let pieces = Piece::ALL
        .into_iter()
        .filter(|piece| piece.color() == color);
    pieces.map(bit).sum()
}

impl Pattern {
    /// Reads a pattern; the error names the byte where it is wrong.
    pub fn parse(text: &str) -> Result<Self, (usize, String)> {
        let mut ranks: [Vec<Element>; 8] = Default::default();
        let mut rank = 0;
        let mut letters = text.char_indices();
        while let Some((at, letter)) = letters.next() {
            let elements = &mut ranks[rank];
            match letter {
                '/' if rank < 7 => rank += 1,
                '/' => return Err((at, "more than eight ranks".to_owned())),
                '1'..='8' => {
                    let count = letter as usize - '0' as usize;
                    elements.extend(std::iter::repeat_n(Element::Square(EMPTY), count));
                }
                '*' => elements.push(Element::Anything),
                '[' => elements.push(Element::Square(set(at, &mut letters)?)),
                _ => elements.push(Element::Square(contents(at, letter)?)),
            }
        }
        if rank < 7 {
            let ranks = counted(rank + 1, "rank", "ranks");
            let message = format!("{ranks}, expected eight with / between them");
            return Err((text.len(), message));
        }
        for (i, elements) in ranks.iter().enumerate() {
            let squares = elements
                .iter()
                .filter(|element| **element != Element::Anything)
                .count();
            let is_open = squares < elements.len();
            if squares > 8 || squares < 8 && !is_open {
                let message = format!(
                    "rank {} has {}, expected eight (* stands for any number)",
                    8 - i,
                    counted(squares, "square", "squares")
                );
                return Err((text.len(), message));
            }
        }
        Ok(Self(ranks))
    }

    pub fn matches(&self, setup: &Setup) -> bool {
        self.0
            .iter()
            .zip(Rank::ALL.iter().rev())
            .all(|(elements, &rank)| {
                let contents = File::ALL.map(|file| {
                    let piece = setup.board[Square::new(file, rank).index()];
                    piece.map_or(EMPTY, bit)
                });
                fits(elements, &contents)
            })
    }
}

/// What may stand on a square, by its letter.
fn contents(at: usize, letter: char) -> Result<u16, (usize, String)> {
    match letter {
        '?' => Ok(ALL),
        '!' => Ok(ALL & !EMPTY),
        '_' => Ok(EMPTY),
        'A' => Ok(side(Color::White)),
        'a' => Ok(side(Color::Black)),
        _ => Piece::from_char(letter).map(bit).ok_or_else(|| {
            let message =
                format!("{letter:?}, expected a piece, a digit, or one of ? ! * A a [ ] /");
            (at, message)
        }),
    }
}

/// The letters of a set in brackets: any of them, or after `^` none.
fn set(begin: usize, letters: &mut std::str::CharIndices<'_>) -> Result<u16, (usize, String)> {
    let (mut found, mut excludes) = (0, false);
    for (at, letter) in letters.by_ref() {
        match letter {
            ']' if excludes => return Ok(ALL & !found),
            ']' => return Ok(found),
            '^' if at == begin + 1 => excludes = true,
            _ => found |= contents(at, letter)?,
        }
    }
    Err((begin, "a set that is not closed, expected ]".to_owned()))
}

fn fits(elements: &[Element], contents: &[u16]) -> bool {
    match elements {
        [] => contents.is_empty(),
        [Element::Anything, rest @ ..] => {
            (0..=contents.len()).any(|skipped| fits(rest, &contents[skipped..]))
        }
        [Element::Square(allowed), rest @ ..] => {
            matches!(contents, [first, others @ ..] if allowed & first != 0 && fits(rest, others))
        }
    }
}
