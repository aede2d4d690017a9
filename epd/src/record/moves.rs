//! What the operands of `bm`, `pv` and the like say as moves: the one place where that is read, so
//! that every program understands a list of moves alike.

use movegen::Position;
use movegen::san::{self, SanError};

use crate::record::operand::Operand;

/// The texts of the moves in an operand. Nearly always there is just one. Commas separate moves,
/// as blanks do in a string: `"e4, d4"`. Numbers before moves are left out: `1.e4`.
pub(crate) fn texts(operand: &Operand) -> impl Iterator<Item = &str> {
    let quoted = matches!(operand, Operand::String(_));
    let separates = move |letter: char| letter == ',' || quoted && letter == ' ';
    let texts = operand.text().split(separates).map(without_number);
    texts.filter(|text| !text.is_empty())
}

/// A text without the number and dots before a move: `12.Nf3` is `Nf3`, `12...` is nothing.
pub(crate) fn without_number(text: &str) -> &str {
    let after = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let rest = after.trim_start_matches('.');
    let is_number = after.len() < text.len() && rest.len() < after.len();
    // What follows is a move or nothing: `0.1` is no numbered move.
    let goes_on = rest.is_empty()
        || rest.starts_with(|letter: char| letter.is_ascii_alphabetic())
        || rest.starts_with("0-0");
    if is_number && goes_on { rest } else { text }
}

/// A text without the glyphs that may follow a move: `Nxb6?!` is `Nxb6`. A text of glyphs alone
/// stays.
pub(crate) fn without_glyphs(text: &str) -> &str {
    let before = text.trim_end_matches(['!', '?']);
    match before {
        // The sign was a part of the move that is missing: `a8=?`.
        "" => text,
        _ if before.ends_with('=') => text,
        _ => before,
    }
}

/// The move of a text that [`texts`] gave.
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
    fn glyphs_go_and_promotions_stay_open() {
        for (text, expected) in [("e4!?", "e4"), ("??", "??"), ("a8=?", "a8=?"), ("e4", "e4")] {
            assert_eq!(without_glyphs(text), expected);
        }
    }
}
