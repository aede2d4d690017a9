//! Positions in words.

use std::fmt::Write;

use movegen::{Color, Position, Role};

/// The pieces of both sides and who is to move, for people who cannot see the board.
///
/// ```
/// use epode_svg::movegen::Position;
///
/// let position: Position = "8/3k4/8/8/4p3/2R5/3PP3/4K3 b - - 0 1".parse()?;
/// assert_eq!(
///     epode_svg::describe(&position),
///     "White: king e1, rook c3, pawns d2 e2. Black: king d7, pawn e4. Black to move."
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn describe(position: &Position) -> String {
    let side = |color| format!("{}: {}", name(color), pieces(position, color));
    let turn = name(position.turn());
    let mut text = format!(
        "{}. {}. {turn} to move",
        side(Color::White),
        side(Color::Black)
    );
    text.push_str(if position.is_checkmate() {
        ", checkmate."
    } else if position.is_check() {
        ", in check."
    } else {
        "."
    });
    text
}

fn pieces(position: &Position, color: Color) -> String {
    let mut text = String::new();
    for role in Role::ALL.into_iter().rev() {
        let squares = position.pieces(color, role);
        if squares.is_empty() {
            continue;
        }
        let separator = if text.is_empty() { "" } else { ", " };
        let plural = if squares.len() == 1 { "" } else { "s" };
        let _ = write!(text, "{separator}{}{plural}", role_name(role));
        for square in squares {
            let _ = write!(text, " {square}");
        }
    }
    text
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_and_mate_are_told() {
        for (fen, end) in [
            ("k6R/8/8/8/8/8/8/K7 b - - 0 1", "Black to move, in check."),
            ("k6R/8/1K6/8/8/8/8/8 b - - 0 1", "Black to move, checkmate."),
            ("k7/8/8/8/8/8/8/K6R w - - 0 1", "White to move."),
        ] {
            let position: Position = fen.parse().expect("legal");
            assert!(describe(&position).ends_with(end), "{fen}");
        }
    }
}
