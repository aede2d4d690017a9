//! Positions as SVG. The squares and the pieces are drawn once in a page ([`shapes`]) and used by
//! every board.

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};
use movegen::{Bitboard, Color, Move, Position, Role, Square};

/// The side of a square.
const SIDE: usize = 40;

/// The meaning of an arrow on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrow {
    /// A move to find.
    Best,
    /// A move to avoid, or a wrong choice.
    Wrong,
}

impl Arrow {
    fn class(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Wrong => "wrong",
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

/// The shapes of squares and pieces, which a page with boards needs once.
pub fn shapes() -> Markup {
    let mut out =
        "<svg class=\"shapes\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>".to_owned();
    let _ = write!(
        out,
        "<g id=\"squares\"><path class=\"light\" d=\"M0 0h320v320H0z\"/>"
    );
    out.push_str("<path class=\"dark\" d=\"");
    for square in Bitboard::DARK {
        let [x, y] = corner(square);
        let _ = write!(out, "M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z");
    }
    out.push_str("\"/>");
    for (i, letter) in ('a'..='h').enumerate() {
        let x = i * SIDE + SIDE / 2;
        let _ = write!(out, "<text x=\"{x}\" y=\"333\">{letter}</text>");
        let y = 320 - i * SIDE - SIDE / 2 + 4;
        let _ = write!(out, "<text x=\"-8\" y=\"{y}\">{}</text>", i + 1);
    }
    out.push_str("</g>");
    for role in Role::ALL {
        let (shape, lines) = outline(role);
        let letter = role.to_char();
        let _ = write!(out, "<g id=\"{letter}\"><path d=\"{shape}\"/>");
        if !lines.is_empty() {
            let _ = write!(out, "<path class=\"within\" d=\"{lines}\"/>");
        }
        out.push_str("</g>");
    }
    for arrow in [Arrow::Best, Arrow::Wrong] {
        let class = arrow.class();
        let _ = write!(
            out,
            "<marker id=\"{class}\" class=\"{class}\" viewBox=\"0 0 10 10\" refX=\"7\" refY=\"5\" \
             markerWidth=\"3.2\" markerHeight=\"3.2\" orient=\"auto\"><path d=\"M0 0l10 5-10 5z\"/></marker>"
        );
    }
    out.push_str("</defs></svg>");
    // Constant text, which needs no escaping.
    PreEscaped(out)
}

/// The upper left corner of a square, seen from White's side.
fn corner(square: Square) -> [usize; 2] {
    let (file, rank) = (square.file() as usize, square.rank() as usize);
    [file * SIDE, (7 - rank) * SIDE]
}

/// A board with arrows for moves. `label` is the description for screen readers.
pub fn board(position: &Position, arrows: &[(Move, Arrow)], label: &str) -> Markup {
    let pieces = Square::all().filter_map(|square| Some((square, position.piece_at(square)?)));
    html! {
        svg class="board" viewBox="-16 -2 338 340" role="img" aria-label=(label) {
            use href="#squares" {}
            @for (square, piece) in pieces {
                @let class = match piece.color() {
                    Color::White => "white",
                    Color::Black => "black",
                };
                @let [x, y] = corner(square);
                use href={"#" (piece.role().to_char())} class=(class) x=(x) y=(y) {}
            }
            @for (mv, arrow) in arrows {
                @let [[x1, y1], [x2, y2]] =
                    [mv.from(), mv.to()].map(|square| corner(square).map(|at| at + SIDE / 2));
                @let class = arrow.class();
                path class={"arrow " (class)} d=(format!("M{x1} {y1}L{x2} {y2}"))
                    marker-end={"url(#" (class) ")"} {}
            }
        }
    }
}
