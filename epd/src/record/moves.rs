//! Moves in the operands of `bm`, `pv` and other opcodes. Everything that reads a list of moves does it
//! here.

use movegen::Position;
use movegen::san::{self, SanError};

use crate::record::operand::Operand;

/// The texts of the moves in an operand, nearly always one. Commas separate moves, and so do blanks in
/// a string: `"e4, d4"`. Move numbers are left out: `1.e4` is `e4`.
pub(crate) fn texts(operand: &Operand) -> impl Iterator<Item = &str> {
    let quoted = matches!(operand, Operand::String(_));
    let separates = move |letter: char| letter == ',' || quoted && letter == ' ';
    let texts = operand.text().split(separates).map(without_number);
    texts.filter(|text| !text.is_empty())
}

/// A text without a move number: `12.Nf3` is `Nf3`, and nothing is left of `12...`.
pub(crate) fn without_number(text: &str) -> &str {
    let after = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let rest = after.trim_start_matches('.');
    let is_number = after.len() < text.len() && rest.len() < after.len();
    // A move or nothing follows: `0.1` is not a move with a number.
    let goes_on = rest.is_empty()
        || rest.starts_with(|letter: char| letter.is_ascii_alphabetic())
        || rest.starts_with("0-0");
    if is_number && goes_on { rest } else { text }
}

/// A text without the annotation glyphs after a move: `Nxb6?!` is `Nxb6`. Glyphs without a move are
/// kept.
pub(crate) fn without_glyphs(text: &str) -> &str {
    let before = text.trim_end_matches(['!', '?']);
    match before {
        "" => text,
        // The piece is missing, the glyph stands for it: `a8=?`.
        _ if before.ends_with('=') => text,
        _ => before,
    }
}

/// Reads a text from [`texts`] as a move.
pub(crate) fn read(position: &Position, text: &str) -> Result<movegen::Move, SanError> {
    san::parse_lenient(position, text).map(|(mv, _)| mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operand_may_hold_several_moves() {
        let of = |operand: Operand| texts(&operand).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(of(Operand::new("e4")), ["e4"]);
        assert_eq!(of(Operand::new("1.e4,2...d4!,")), ["e4", "d4!"]);
        assert_eq!(of(Operand::new("0-0")), ["0-0"]);
        assert_eq!(of(Operand::string("1. e4, d4  Nf3")), ["e4", "d4", "Nf3"]);
        assert_eq!(of(Operand::new("0.1")), ["0.1"]);
        assert_eq!(of(Operand::new("9.0-0")), ["0-0"]);
        assert!(of(Operand::new("12...")).is_empty());
    }

    #[test]
    fn glyphs_are_removed() {
        for (text, expected) in [("e4!?", "e4"), ("??", "??"), ("a8=?", "a8=?"), ("e4", "e4")] {
            assert_eq!(without_glyphs(text), expected);
        }
    }
}
