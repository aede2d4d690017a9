//! Diagrams in rows and columns, as an SVG file: boards with a heading above and text below.

use maud::{Markup, PreEscaped, html};
use movegen::Color;

use crate::board::Board;
use crate::file::{Colour, FILE_STYLE, PALETTE, colour, light_and_dark, with_colours};
use crate::shapes::{Arrow, SIDE, definitions};
use crate::text::{cut, lines};
use crate::{BOARD_STYLE, GAME_STYLE, printable};

pub use crate::text::Span;

/// The style of headings and text, and of the lines inside pieces: a rule such as `.black .within` has no
/// effect on the shapes that a `use` element refers to, but they inherit a colour.
const SHEET_STYLE: &str = "\
.heading { font-size: 15px; fill: var(--ink); }
.note { font-size: 13px; fill: var(--ink); }
.arrow.later { stroke: var(--expected); stroke-width: 3.5; opacity: .65; }
marker.later { fill: var(--expected); }
.dot.best, .dot.played { fill: var(--best); }
.dot.wrong { fill: var(--wrong); }
.dot.expected, .dot.later { fill: var(--expected); }
.turn { stroke: var(--soft); stroke-width: 1.2; }
.turn.white-turn { fill: #fff; }
.turn.black-turn { fill: #1b1b1b; }
.white { color: #1b1b1b; }
.black { color: #e8e8e8; }
.within { stroke: currentColor; }
";

/// The colour of text.
const INK: Colour<'_> = colour("--ink", "#1b1f24", "#e6e9ec");

/// The sizes of a diagram, in the units of a board whose squares are 40 wide.
const WIDTH: usize = 360;
/// The left edge of the board; its coordinates are to the left of it.
const LEFT: usize = 24;
const BOARD: usize = 8 * SIDE;
const HEADING_SIZE: usize = 15;
const HEADING_BASELINE: usize = 26;
const BOARD_TOP: usize = 38;
/// The height of what is between a board and the text: its coordinates, or a margin.
const COORDINATES: usize = 18;
const MARGIN: usize = 6;
const NOTE_SIZE: usize = 13;
const LINE_HEIGHT: usize = 17;
const BOTTOM: usize = 12;
/// The greatest number of lines below a board.
const MOST_LINES: usize = 9;
/// The greatest number of lines of one note.
const MOST_NOTE_LINES: usize = 4;
const TURN_RADIUS: usize = 6;

/// A board with a heading and text.
#[derive(Clone, Debug)]
pub struct Diagram<'a> {
    /// The board.
    pub board: Board<'a>,
    /// The side to move, which a circle after the heading shows.
    pub turn: Color,
    /// The name of the position.
    pub heading: &'a str,
    /// Paragraphs below the board. What does not fit is cut.
    pub notes: Vec<Vec<Span>>,
}

/// Which colours a file has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// Those of the light scheme.
    #[default]
    Light,
    /// Those of the dark scheme.
    Dark,
    /// Those of the scheme that the reader's system has.
    Both,
}

/// The form of a file with diagrams.
///
/// ```
/// use epode_svg::movegen::{Color, Position};
/// use epode_svg::{Board, Diagram, Sheet, Span};
///
/// let position = Position::default();
/// let diagram = Diagram {
///     board: Board::new(&position, "The starting position"),
///     turn: Color::White,
///     heading: "Start",
///     notes: vec![vec![Span::new("White to move")]],
/// };
/// let file = Sheet { columns: 2, size: 360, ..Sheet::default() }.to_file(&[diagram.clone(), diagram]);
/// assert!(file.starts_with("<svg ") && file.contains("width=\"720\""));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// The number of diagrams beside each other.
    pub columns: usize,
    /// The width of a diagram in pixels.
    pub size: usize,
    /// The colours.
    pub scheme: Scheme,
    /// Colours in place of those of [`PALETTE`] with the same names.
    pub colours: &'a [Colour<'a>],
}

impl Default for Sheet<'_> {
    fn default() -> Self {
        Self {
            columns: 1,
            size: WIDTH,
            scheme: Scheme::Light,
            colours: &[],
        }
    }
}

impl Sheet<'_> {
    /// An SVG file with diagrams. It needs nothing else: colours are written out, for programs that know no
    /// CSS variables.
    #[must_use]
    pub fn to_file(&self, diagrams: &[Diagram<'_>]) -> String {
        let rows: Vec<Vec<Cell<'_>>> = diagrams
            .chunks(self.columns.max(1))
            .map(|row| row.iter().map(Cell::new).collect())
            .collect();
        let columns = self.columns.clamp(1, diagrams.len().max(1));
        let heights: Vec<usize> = rows.iter().map(|row| row_height(row)).collect();
        let (width, height) = (columns * WIDTH, heights.iter().sum::<usize>().max(1));
        let markup = html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}"))
                width=(columns * self.size) height=((height * self.size).div_ceil(WIDTH)) {
                @if let [diagram] = diagrams { title { (printable(diagram.heading)) } }
                style { (PreEscaped(self.style())) }
                (definitions(&sides(diagrams), &Arrow::ALL))
                rect class="paper" width=(width) height=(height) {}
                @for (n, row) in rows.iter().enumerate() {
                    @let top = heights[..n].iter().sum::<usize>();
                    @for (column, cell) in row.iter().enumerate() {
                        (cell.markup(column * WIDTH, top))
                    }
                }
            }
            "\n"
        };
        markup.into_string()
    }

    fn style(&self) -> String {
        let mut palette: Vec<_> = PALETTE.into_iter().chain([INK]).collect();
        for colour in &mut palette {
            if let Some(chosen) = self.colours.iter().find(|other| other.name == colour.name) {
                *colour = *chosen;
            }
        }
        let styles = [FILE_STYLE, BOARD_STYLE, GAME_STYLE, SHEET_STYLE].concat();
        match self.scheme {
            Scheme::Both => light_and_dark(&styles, &palette),
            Scheme::Light => format!(
                "\n{}",
                with_colours(&styles, &palette, |colour| colour.light)
            ),
            Scheme::Dark => format!(
                "\n{}",
                with_colours(&styles, &palette, |colour| colour.dark)
            ),
        }
    }
}

/// The sides from which boards are seen.
fn sides(diagrams: &[Diagram<'_>]) -> Vec<Color> {
    let mut sides = vec![Color::White, Color::Black];
    sides.retain(|&side| diagrams.iter().any(|diagram| diagram.board.side() == side));
    sides
}

fn row_height(row: &[Cell<'_>]) -> usize {
    row.iter().map(Cell::height).max().unwrap_or_default()
}

/// A diagram with its lines of text.
struct Cell<'a> {
    diagram: &'a Diagram<'a>,
    lines: Vec<Vec<Span>>,
}

impl<'a> Cell<'a> {
    fn new(diagram: &'a Diagram<'a>) -> Self {
        let limit = BOARD * 1000 / NOTE_SIZE;
        let mut below = Vec::new();
        for note in &diagram.notes {
            let most = MOST_NOTE_LINES.min(MOST_LINES - below.len());
            below.extend(lines(note, limit, most));
        }
        Self {
            diagram,
            lines: below,
        }
    }

    /// The lower edge of the board with its coordinates.
    fn board_bottom(&self) -> usize {
        let coordinates = if self.diagram.board.has_coordinates() {
            COORDINATES
        } else {
            MARGIN
        };
        BOARD_TOP + BOARD + coordinates
    }

    fn height(&self) -> usize {
        self.board_bottom() + LINE_HEIGHT * self.lines.len() + BOTTOM
    }

    fn markup(&self, left: usize, top: usize) -> Markup {
        let diagram = self.diagram;
        let board = &diagram.board;
        let turn = match diagram.turn {
            Color::White => "turn white-turn",
            Color::Black => "turn black-turn",
        };
        let limit = (BOARD - 3 * TURN_RADIUS) * 1000 / HEADING_SIZE;
        let (x, y) = (left + LEFT, top + BOARD_TOP);
        // A board has coordinates to the left and below, and two units on the other sides.
        let [inner_x, inner_y, width, height] = if board.has_coordinates() {
            [x - 16, y - 2, 338, 340]
        } else {
            [x, y, BOARD, BOARD]
        };
        html! {
            g role="img" aria-label=(board.label()) {
                text class="heading" x=(x) y=(top + HEADING_BASELINE) {
                    (cut(&printable(diagram.heading), limit))
                }
                circle class=(turn) cx=(x + BOARD - TURN_RADIUS) cy=(top + HEADING_BASELINE - 5)
                    r=(TURN_RADIUS) {}
                svg x=(inner_x) y=(inner_y) width=(width) height=(height) viewBox=(board.view_box()) {
                    (board.content())
                }
                @for (n, line) in self.lines.iter().enumerate() {
                    text class="note" x=(x) y=(top + self.board_bottom() + LINE_HEIGHT * (n + 1) - 4) {
                        (spans(line))
                    }
                }
            }
        }
    }
}

/// A line of text, with two blanks between its parts.
fn spans(line: &[Span]) -> Markup {
    html! {
        @for (n, span) in line.iter().enumerate() {
            @if n > 0 { "\u{A0} " }
            @if let Some(arrow) = span.arrow {
                tspan class={"dot " (arrow.class())} { "\u{25CF} " }
            }
            (printable(&span.text))
        }
    }
}

#[cfg(test)]
mod tests {
    use movegen::{Position, Setup};

    use super::*;

    fn diagram<'a>(board: Board<'a>, heading: &'a str, notes: &[&str]) -> Diagram<'a> {
        Diagram {
            board,
            turn: Color::White,
            heading,
            notes: notes.iter().map(|&note| vec![Span::new(note)]).collect(),
        }
    }

    #[test]
    fn a_sheet_stands_alone() {
        let position = Position::default();
        let board = Board::new(&position, "Start");
        let black = board.seen_from(Color::Black);
        let some = [
            diagram(board, "<b>&", &["\u{1}\u{FFFF}]]>"]),
            diagram(black, "", &[]),
        ];
        for scheme in [Scheme::Light, Scheme::Dark, Scheme::Both] {
            let sheet = Sheet {
                scheme,
                columns: 5,
                ..Sheet::default()
            };
            let file = sheet.to_file(&some);
            assert!(!file.contains("var("), "{file}");
            assert_eq!(file.contains("@media"), scheme == Scheme::Both);
            assert!(file.contains(">&lt;b&gt;&amp;</text>"));
            assert!(file.contains("\u{FFFD}\u{FFFD}]]&gt;"));
            assert!(file.contains("viewBox=\"0 0 720 "), "no empty columns");
            for (at, _) in file.match_indices("href=\"#") {
                let id = file[at + 7..].split('"').next().expect("an id");
                assert_eq!(file.matches(&format!(" id=\"{id}\"")).count(), 1, "{id}");
            }
        }
    }

    #[test]
    fn long_text_is_cut() {
        let position = Position::default();
        let long = "word ".repeat(2000);
        let notes = [&*long; 50];
        let cell = diagram(Board::new(&position, ""), &long, &notes);
        let file = Sheet::default().to_file(&[cell]);
        assert_eq!(file.matches("class=\"note\"").count(), MOST_LINES);
        assert!(file.len() < 20_000, "{}", file.len());
    }

    #[test]
    fn illegal_positions_are_drawn() {
        let setup: Setup = "8/8/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1"
            .parse()
            .expect("fields");
        let cell = diagram(Board::of_setup(&setup, "").mark_check(), "", &[]);
        let file = Sheet::default().to_file(&[cell]);
        assert_eq!(file.matches("href=\"#P\"").count(), 16);
    }

    #[test]
    fn colours_can_be_chosen() {
        let colours = [colour("--dark", "#010203", "#040506")];
        let sheet = Sheet {
            colours: &colours,
            ..Sheet::default()
        };
        assert!(sheet.to_file(&[]).contains(".dark { fill: #010203; }"));
    }
}
