//! A position as a drawing.

use maud::{Markup, html};
use movegen::{Color, Move, Piece, Position, Setup, Square};

use crate::printable;
use crate::shapes::{Arrow, SIDE, corner, squares_id};

/// A board to be drawn.
///
/// ```
/// use epode_svg::Board;
/// use epode_svg::movegen::Position;
///
/// let position: Position = "4k3/8/8/8/8/8/8/4K2Q w - - 0 1".parse()?;
/// let svg = Board::new(&position, "White wins").to_markup().into_string();
/// assert!(svg.contains("aria-label=\"White wins\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Board<'a> {
    pieces: Pieces<'a>,
    label: &'a str,
    side: Color,
    last_move: Option<Move>,
    arrows: &'a [(Move, Arrow)],
    marks_check: bool,
    has_coordinates: bool,
}

/// Where the pieces of a board are.
#[derive(Clone, Copy, Debug)]
enum Pieces<'a> {
    Legal(&'a Position),
    /// Perhaps illegal: without a king, or with nine pawns.
    Any(&'a Setup),
}

impl Pieces<'_> {
    fn at(self, square: Square) -> Option<Piece> {
        match self {
            Self::Legal(position) => position.piece_at(square),
            Self::Any(setup) => setup.board[square.index()],
        }
    }

    /// The square of the king that is in check.
    fn king_in_check(self) -> Option<Square> {
        match self {
            Self::Legal(position) if position.is_check() => Some(position.king(position.turn())),
            Self::Legal(_) | Self::Any(_) => None,
        }
    }
}

impl<'a> Board<'a> {
    /// A board seen from White's side, with coordinates. `label` is what a screen reader says; see
    /// [`describe`](crate::describe()).
    #[must_use]
    pub const fn new(position: &'a Position, label: &'a str) -> Self {
        Self::with_pieces(Pieces::Legal(position), label)
    }

    /// A board with the pieces of a setup, which may be illegal. No king of it is marked as in check.
    #[must_use]
    pub const fn of_setup(setup: &'a Setup, label: &'a str) -> Self {
        Self::with_pieces(Pieces::Any(setup), label)
    }

    const fn with_pieces(pieces: Pieces<'a>, label: &'a str) -> Self {
        Self {
            pieces,
            label,
            side: Color::White,
            last_move: None,
            arrows: &[],
            marks_check: false,
            has_coordinates: true,
        }
    }

    /// Draws the board as this side sees it.
    #[must_use]
    pub const fn seen_from(self, side: Color) -> Self {
        Self { side, ..self }
    }

    /// Highlights the squares of the move that led to the position.
    #[must_use]
    pub const fn last_move(self, mv: Move) -> Self {
        Self {
            last_move: Some(mv),
            ..self
        }
    }

    /// Adds arrows for moves.
    #[must_use]
    pub const fn arrows(self, arrows: &'a [(Move, Arrow)]) -> Self {
        Self { arrows, ..self }
    }

    /// Highlights a king in check.
    #[must_use]
    pub const fn mark_check(self) -> Self {
        Self {
            marks_check: true,
            ..self
        }
    }

    /// Leaves the coordinates out.
    #[must_use]
    pub const fn without_coordinates(self) -> Self {
        Self {
            has_coordinates: false,
            ..self
        }
    }

    /// The element, for a page that contains the [`shapes`](crate::shapes()) once.
    #[must_use]
    pub fn to_markup(&self) -> Markup {
        html! {
            svg class="board" viewBox=(self.view_box()) role="img" aria-label=(printable(self.label)) {
                (self.content())
            }
        }
    }

    pub(crate) const fn has_coordinates(&self) -> bool {
        self.has_coordinates
    }

    pub(crate) fn view_box(&self) -> &'static str {
        if self.has_coordinates {
            "-16 -2 338 340"
        } else {
            "0 0 320 320"
        }
    }

    pub(crate) fn label(&self) -> String {
        printable(self.label)
    }

    pub(crate) fn side(&self) -> Color {
        self.side
    }

    pub(crate) fn content(&self) -> Markup {
        html! {
            use href={"#" (squares_id(self.side))} {}
            (self.highlights())
            (self.pieces())
            @for &(mv, arrow) in self.arrows { (self.arrow(mv, arrow)) }
        }
    }

    fn corner(&self, square: Square) -> [usize; 2] {
        corner(square, self.side)
    }

    fn highlights(&self) -> Markup {
        let last = self.last_move.map(|mv| [mv.from(), mv.to()]);
        let checked = self.pieces.king_in_check().filter(|_| self.marks_check);
        html! {
            @for square in last.into_iter().flatten() {
                @let [x, y] = self.corner(square);
                rect class="last" x=(x) y=(y) width=(SIDE) height=(SIDE) {}
            }
            @if let Some(king) = checked {
                @let [x, y] = self.corner(king).map(|at| at + SIDE / 2);
                circle class="check" cx=(x) cy=(y) r=(SIDE / 2) {}
            }
        }
    }

    fn pieces(&self) -> Markup {
        let pieces = Square::all().filter_map(|square| Some((square, self.pieces.at(square)?)));
        html! {
            @for (square, piece) in pieces {
                @let class = match piece.color() {
                    Color::White => "white",
                    Color::Black => "black",
                };
                @let [x, y] = self.corner(square);
                use href={"#" (piece.role().to_char())} class=(class) x=(x) y=(y) {}
            }
        }
    }

    fn arrow(&self, mv: Move, arrow: Arrow) -> Markup {
        let [[x1, y1], [x2, y2]] =
            [mv.from(), mv.to()].map(|square| self.corner(square).map(|at| at + SIDE / 2));
        let class = arrow.class();
        html! {
            path class={"arrow " (class)} d=(format!("M{x1} {y1}L{x2} {y2}"))
                marker-end={"url(#" (class) ")"} {}
        }
    }
}

#[cfg(test)]
mod tests {
    use movegen::UciMove;

    use super::*;

    fn markup(board: &Board<'_>) -> String {
        board.to_markup().into_string()
    }

    #[test]
    fn either_side_is_below() {
        let position: Position = "7k/8/8/8/8/8/8/K7 w - - 0 1".parse().expect("legal");
        let board = Board::new(&position, "");
        let king = |x: usize, y: usize, class: &str| {
            format!("<use href=\"#K\" class=\"{class}\" x=\"{x}\" y=\"{y}\">")
        };
        let white = markup(&board);
        assert!(white.contains(&king(0, 280, "white")) && white.contains(&king(280, 0, "black")));
        let black = markup(&board.seen_from(Color::Black));
        assert!(black.contains(&king(280, 0, "white")) && black.contains(&king(0, 280, "black")));
        assert!(black.contains("#squares-black"));
    }

    #[test]
    fn last_move_and_check_are_marked() {
        let mut position: Position = "k7/8/8/8/8/8/8/K6R w - - 0 1".parse().expect("legal");
        let uci: UciMove = "h1h8".parse().expect("a move");
        let mv = uci.find(&position).expect("legal");
        position.play(mv);
        let board = Board::new(&position, "").last_move(mv);
        let svg = markup(&board);
        assert_eq!(svg.matches("class=\"last\"").count(), 2);
        assert!(svg.contains("<rect class=\"last\" x=\"280\" y=\"280\""));
        assert!(!svg.contains("class=\"check\""));
        let svg = markup(&board.mark_check());
        assert!(
            svg.contains("<circle class=\"check\" cx=\"20\" cy=\"20\""),
            "{svg}"
        );
        assert!(svg.find("check") < svg.find("#K"), "the king is above");
    }

    #[test]
    fn labels_are_escaped() {
        let board = Board::new(&Position::default(), "<b>\"\u{1b}&").to_markup();
        assert!(
            board
                .into_string()
                .contains("aria-label=\"&lt;b&gt;&quot;\u{FFFD}&amp;\"")
        );
    }
}
