//! Reads the piece placement, the first field of a FEN.

use super::error::{FenError, FenErrorKind};
use super::word::Word;
use crate::types::{Piece, Rank, Square};

/// What a byte of the piece placement field stands for.
#[derive(Clone, Copy)]
struct Glyph {
    /// How many squares it describes: one piece, or a run of empty squares.
    squares: u8,
    piece: Option<Piece>,
    ends_rank: bool,
}

/// The glyphs by byte. A byte that cannot occur describes more squares than there are.
static GLYPHS: [Glyph; 256] = {
    let unknown = Glyph {
        squares: Square::COUNT as u8 + 1,
        piece: None,
        ends_rank: false,
    };
    let mut glyphs = [unknown; 256];
    glyphs[b'/' as usize] = Glyph {
        squares: 0,
        piece: None,
        ends_rank: true,
    };
    let mut squares = 1;
    while squares <= 8 {
        glyphs[(b'0' + squares) as usize].squares = squares;
        squares += 1;
    }
    let mut i = 0;
    while i < Piece::ALL.len() {
        let glyph = &mut glyphs[Piece::ALL[i].to_char() as usize];
        glyph.squares = 1;
        glyph.piece = Some(Piece::ALL[i]);
        i += 1;
    }
    glyphs
};

/// Reads the piece placement field onto an empty board.
pub(super) fn read_placement(
    word: Word<'_>,
    board: &mut [Option<Piece>; Square::COUNT],
) -> Result<(), FenError> {
    // The loop does not branch on the kind of the byte. Branches would be mispredicted: with them here
    // and in `Board::of`, reading a record takes 1.07 µs instead of 0.56 (`benches/records.rs`). A
    // slash clears the square that the next byte fills. The first square is A8, so ranks are flipped.
    let (mut square, mut ranks, mut is_regular) = (Square::A1.index(), 1, true);
    for &byte in word.text.as_bytes() {
        let glyph = GLYPHS[usize::from(byte)];
        if let Some(content) = board.get_mut(square ^ Square::A8.index()) {
            *content = glyph.piece;
        }
        is_regular &= !glyph.ends_rank || square == 8 * ranks;
        ranks += usize::from(glyph.ends_rank);
        square += usize::from(glyph.squares);
    }
    if is_regular && ranks == Rank::ALL.len() && square == Square::COUNT {
        Ok(())
    } else {
        Err(placement_error(word))
    }
}

/// What is wrong with a piece placement field that cannot be read.
#[cold]
fn placement_error(word: Word<'_>) -> FenError {
    let ranks = word.text.split('/').count();
    if ranks != Rank::ALL.len() {
        return word.error(FenErrorKind::RankCount(ranks));
    }
    let mut column = word.column;
    for (text, rank) in word.text.split('/').zip(Rank::ALL.into_iter().rev()) {
        let mut found = 0;
        for (offset, letter) in text.char_indices() {
            found += match letter.to_digit(10) {
                Some(empty @ 1..=8) => empty,
                _ if Piece::from_char(letter).is_some() => 1,
                _ => {
                    return FenError {
                        column: column + offset,
                        kind: FenErrorKind::UnknownPiece(letter),
                    };
                }
            };
        }
        if found != 8 {
            let rank = rank.to_char();
            let kind = FenErrorKind::RankSum { rank, found };
            return FenError { column, kind };
        }
        column += text.len() + 1;
    }
    word.error(FenErrorKind::RankCount(ranks))
}
