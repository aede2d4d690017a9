//! Squares, pieces and arrowheads. They are drawn once in a page or file, and every board refers to them.

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};
use movegen::{Bitboard, Color, File, Rank, Role, Square};

/// The side of a square.
pub(crate) const SIDE: usize = 40;

/// The meaning of an arrow on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrow {
    /// A move to find.
    Best,
    /// A move to avoid, or a wrong choice.
    Wrong,
    /// A move that was made.
    Played,
    /// A move that a player expects.
    Expected,
    /// A later move of the line that a player expects.
    Later,
}

impl Arrow {
    /// All meanings.
    pub const ALL: [Self; 5] = [
        Self::Best,
        Self::Wrong,
        Self::Played,
        Self::Expected,
        Self::Later,
    ];

    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Wrong => "wrong",
            Self::Played => "played",
            Self::Expected => "expected",
            Self::Later => "later",
        }
    }
}

/// The outline of a piece on a square of 40 by 40, and the lines inside it.
fn outline(role: Role) -> (&'static str, &'static str) {
    match role {
        Role::Pawn => (
            "M20 8a5.2 5.2 0 0 1 3.4 9.1h2.8v3h-3c.5 4 2.6 6.3 5.8 8.9v4.5H11V29c3.2-2.6 5.3-4.9 \
             5.8-8.9h-3v-3h2.8A5.2 5.2 0 0 1 20 8z",
            "",
        ),
        Role::Knight => (
            "M12 33.5c0-6 5-8.5 7-13-2.8 1.2-5 1.6-6.8 4.2L8.2 22c1.3-4.6 3-8.8 6.2-11.6L13.6 6l4.6 \
             2.6C26 8.4 30.4 14.5 30.5 22c.1 4 .3 7.5 0 11.5z",
            "M16.4 14.2h1.2",
        ),
        Role::Bishop => (
            "M20 5.2a2.4 2.4 0 0 1 1.6 4.2c4.4 3.3 6.2 6.8 5.6 10.6-.4 2.4-1.9 4-3.7 5.2h1.7v3.3H31v5\
             H9v-5h5.8v-3.3h1.7c-1.8-1.2-3.3-2.8-3.7-5.2-.6-3.8 1.2-7.3 5.6-10.6A2.4 2.4 0 0 1 20 5.2z",
            "M20 14v6.5M16.75 17.25h6.5",
        ),
        Role::Rook => (
            "M10.5 7h4.5v3h2.75V7h4.5v3H25V7h4.5v7.5l-3 3v8.5l3.5 3.5v4h-20v-4l3.5-3.5V17.5l-3-3z",
            "M13.5 17.5h13M13.5 26h13",
        ),
        Role::Queen => (
            "M10.5 28.5 6.5 14l6.3 6L14 10l6 9 6-9 1.2 10 6.3-6-4 14.5v5h-19zM6.5 14a1.8 1.8 0 1 1 .1 0zM14 \
             10a1.8 1.8 0 1 1 .1 0zM26 10a1.8 1.8 0 1 1 .1 0zM33.5 14a1.8 1.8 0 1 1 .1 0z",
            "M10.5 28.5h19",
        ),
        Role::King => (
            "M18.5 4.5h3V7H24v3h-2.5v3.3C27 11.5 34 13.5 34 19c0 4-2.6 6-4.5 9.5v5h-19v-5C8.6 25 6 23 6 \
             19c0-5.5 7-7.5 12.5-5.7V10H16V7h2.5z",
            "M10.5 28.5h19M20 14.5v9",
        ),
    }
}

/// The shapes that boards refer to: squares with coordinates, seen from these sides, pieces, and the heads
/// of these arrows. A page with boards needs them once.
#[must_use]
pub fn shapes(sides: &[Color], arrows: &[Arrow]) -> Markup {
    html! {
        svg class="shapes" width="0" height="0" aria-hidden="true" { (definitions(sides, arrows)) }
    }
}

/// The same without an element around it.
pub(crate) fn definitions(sides: &[Color], arrows: &[Arrow]) -> Markup {
    let mut out = "<defs>".to_owned();
    for &side in sides {
        squares(side, &mut out);
    }
    for role in Role::ALL {
        piece(role, &mut out);
    }
    for arrow in arrows {
        let class = arrow.class();
        let _ = write!(
            out,
            "<marker id=\"{class}\" class=\"{class}\" viewBox=\"0 0 10 10\" refX=\"7\" refY=\"5\" \
             markerWidth=\"3.2\" markerHeight=\"3.2\" orient=\"auto\"><path d=\"M0 0l10 5-10 5z\"/></marker>"
        );
    }
    out.push_str("</defs>");
    // Constant text, which needs no escaping.
    PreEscaped(out)
}

/// The board without pieces, with its coordinates at the left and below.
fn squares(side: Color, out: &mut String) {
    let id = squares_id(side);
    let class = match side {
        Color::White => "",
        Color::Black => " class=\"squares\"",
    };
    let _ = write!(
        out,
        "<g id=\"{id}\"{class}><path class=\"light\" d=\"M0 0h320v320H0z\"/>"
    );
    out.push_str("<path class=\"dark\" d=\"");
    for square in Bitboard::DARK {
        let [x, y] = corner(square, side);
        let _ = write!(out, "M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z");
    }
    out.push_str("\"/>");
    for (file, rank) in File::ALL.into_iter().zip(Rank::ALL) {
        let [x, y] = corner(Square::new(file, rank), side).map(|at| at + SIDE / 2);
        let _ = write!(out, "<text x=\"{x}\" y=\"333\">{}</text>", file.to_char());
        let _ = write!(
            out,
            "<text x=\"-8\" y=\"{}\">{}</text>",
            y + 4,
            rank.to_char()
        );
    }
    out.push_str("</g>");
}

fn piece(role: Role, out: &mut String) {
    let (shape, lines) = outline(role);
    let letter = role.to_char();
    let _ = write!(out, "<g id=\"{letter}\"><path d=\"{shape}\"/>");
    if !lines.is_empty() {
        let _ = write!(out, "<path class=\"within\" d=\"{lines}\"/>");
    }
    out.push_str("</g>");
}

/// The id of the squares, seen from a side.
pub(crate) fn squares_id(side: Color) -> &'static str {
    match side {
        Color::White => "squares",
        Color::Black => "squares-black",
    }
}

/// The upper left corner of a square, seen from a side.
pub(crate) fn corner(square: Square, side: Color) -> [usize; 2] {
    let (file, rank) = (square.file() as usize, square.rank() as usize);
    match side {
        Color::White => [file * SIDE, (7 - rank) * SIDE],
        Color::Black => [(7 - file) * SIDE, rank * SIDE],
    }
}
