//! Boards.

use std::iter::once;

use movegen::{Color, File, Move, Piece, Position, Rank, Role, Square};
use ratatui::text::{Line, Span};

use super::theme::Theme;

/// How large a board is drawn: the lines of a square, which has twice as many columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale(usize);

impl Scale {
    pub const SMALL: Self = Self(1);
    const LARGEST: usize = 3;

    /// The largest scale at which a board has at most so many columns and lines, if the smallest one has.
    pub fn fitting(columns: u16, lines: u16) -> Self {
        let scales = (1..=Self::LARGEST).rev().map(Self);
        let mut fitting =
            scales.filter(|scale| scale.width() <= columns && scale.height() <= lines);
        fitting.next().unwrap_or(Self::SMALL)
    }

    const fn columns(self) -> usize {
        2 * self.0
    }

    const fn lines(self) -> usize {
        self.0
    }

    /// The line and the column of a square in which its piece stands.
    const fn middle(self) -> (usize, usize) {
        ((self.lines() - 1) / 2, (self.columns() - 1) / 2)
    }

    /// The columns of a board with the numbers of its ranks.
    pub const fn width(self) -> u16 {
        8 * self.columns() as u16 + 2
    }

    /// The lines of a board with the letters of its files.
    pub const fn height(self) -> u16 {
        8 * self.lines() as u16 + 1
    }
}

/// A position with ranks and files named, after this move.
pub fn with_coordinates(
    position: &Position,
    last: Option<Move>,
    scale: Scale,
    theme: Theme,
) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for rank in Rank::ALL.into_iter().rev() {
        for part in 0..scale.lines() {
            let label = if part == scale.middle().0 {
                format!("{} ", rank.to_char())
            } else {
                "  ".to_owned()
            };
            let squares = rank_line(position, last, rank, (scale, part), theme);
            let spans = once(Span::styled(label, theme.dim())).chain(squares);
            lines.push(spans.collect::<Vec<_>>().into());
        }
    }
    let files = File::ALL.map(|file| square_text(file.to_char(), scale));
    let files = format!("  {}", files.concat());
    lines.push(Span::styled(files, theme.dim()).into());
    lines
}

/// A position after this move, in 8 lines of 16 columns.
pub fn small(position: &Position, last: Option<Move>, theme: Theme) -> Vec<Line<'static>> {
    let ranks = Rank::ALL.into_iter().rev();
    let lines = ranks.map(|rank| {
        let squares = rank_line(position, last, rank, (Scale::SMALL, 0), theme);
        squares.collect::<Vec<_>>().into()
    });
    lines.collect()
}

/// One of the lines of a rank.
fn rank_line(
    position: &Position,
    last: Option<Move>,
    rank: Rank,
    (scale, part): (Scale, usize),
    theme: Theme,
) -> impl Iterator<Item = Span<'static>> {
    File::ALL.into_iter().map(move |file| {
        let square = Square::new(file, rank);
        let is_middle = part == scale.middle().0;
        let piece = position.piece_at(square).filter(|_| is_middle);
        let is_dark = (file as usize + rank as usize).is_multiple_of(2);
        let is_last = last.is_some_and(|mv| [mv.from(), mv.to()].contains(&square));
        let is_white = piece.is_some_and(|piece| piece.color() == Color::White);
        let sign = match piece {
            Some(piece) => sign(piece, theme),
            // Without colours dark squares are told by dots.
            None if is_dark && !theme.has_colours() && is_middle => '·',
            None => ' ',
        };
        let text = square_text(sign, scale);
        Span::styled(text, theme.square(is_dark, is_last, is_white))
    })
}

/// A line of a square with a sign in its middle.
fn square_text(sign: char, scale: Scale) -> String {
    let before = scale.middle().1;
    let after = scale.columns() - before - 1;
    format!("{}{sign}{}", " ".repeat(before), " ".repeat(after))
}

/// The sign of a piece. On coloured squares the solid ones are white or black; on a plain terminal the
/// outlines are White's.
fn sign(piece: Piece, theme: Theme) -> char {
    if theme.has_letters {
        return piece.to_char();
    }
    let is_solid = piece.color() == Color::Black || theme.has_colours();
    let signs = match piece.role() {
        Role::King => ['♔', '♚'],
        Role::Queen => ['♕', '♛'],
        Role::Rook => ['♖', '♜'],
        Role::Bishop => ['♗', '♝'],
        Role::Knight => ['♘', '♞'],
        Role::Pawn => ['♙', '♟'],
    };
    signs[usize::from(is_solid)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: &[Line]) -> String {
        let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
        lines.join("\n")
    }

    #[test]
    fn pieces_stand_where_they_are() {
        let position: Position = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1".parse().expect("legal");
        let theme = Theme::new(false);
        assert_eq!(
            text(&with_coordinates(&position, None, Scale::SMALL, theme)),
            "8   ·   · ♚ ·   · \n\
             7 ♙   ·   ·   ·   \n\
             6   ·   ·   ·   · \n\
             5 ·   ·   ·   ·   \n\
             4   ·   ·   ·   · \n\
             3 ·   ·   ·   ·   \n\
             2   ·   ·   ·   · \n\
             1 ·   ·   ♔   · ♖ \n\
             \x20 a b c d e f g h "
        );
        let mut theme = Theme::new(true);
        theme.has_letters = true;
        let mv = Move::normal(Square::A6, Square::A7);
        let large = Scale::fitting(40, 20);
        let lines = with_coordinates(&position, Some(mv), large, theme);
        assert_eq!(lines.len(), 17);
        assert_eq!(text(&lines[2..3]), "7  P                              ");
        assert_eq!(text(&lines[16..]), "   a   b   c   d   e   f   g   h  ");
        let [a7, b7] = [1, 2].map(|square: usize| lines[2].spans[square].style.bg);
        assert_ne!(a7, b7);
        let a6 = lines[4].spans[1].style.bg;
        assert_eq!(a6, theme.square(false, true, false).bg);
        let largest = with_coordinates(&position, None, Scale::fitting(200, 60), theme);
        assert_eq!(
            text(&largest[4..5]),
            "7   P                                             "
        );
    }
}
