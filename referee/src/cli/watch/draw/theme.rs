//! Colours and signs.

use ratatui::style::{Color, Modifier, Style};
use referee::event::view::LogKind;

/// How things look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    has_colours: bool,
    /// Pieces are letters: some terminals have no chess pieces.
    pub has_letters: bool,
}

/// The colours of squares: light and dark, and both after the last move. White and black pieces can be told
/// from all four, and terminals with 256 colours have them.
const SQUARES: [Color; 4] = [
    Color::Indexed(137),
    Color::Indexed(94),
    Color::Indexed(67),
    Color::Indexed(60),
];
const WHITE: Color = Color::Indexed(231);
const BLACK: Color = Color::Indexed(16);

/// What stands out, with and without colours.
pub const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);
/// What is selected, with and without colours.
pub const SELECTED: Style = Style::new().add_modifier(Modifier::REVERSED);

impl Theme {
    pub const fn new(has_colours: bool) -> Self {
        Self {
            has_colours,
            has_letters: false,
        }
    }

    /// Colours, unless the user has set `NO_COLOR` (no-color.org).
    pub fn of_terminal() -> Self {
        let is_set = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self::new(!is_set)
    }

    pub const fn has_colours(self) -> bool {
        self.has_colours
    }

    /// A style with this colour of the text, where colours are.
    const fn coloured(self, colour: Color) -> Style {
        if self.has_colours {
            Style::new().fg(colour)
        } else {
            Style::new()
        }
    }

    pub const fn heading(self) -> Style {
        self.coloured(Color::Cyan).add_modifier(Modifier::BOLD)
    }

    pub const fn dim(self) -> Style {
        self.coloured(Color::DarkGray)
    }

    pub const fn fault(self) -> Style {
        self.coloured(Color::Red).add_modifier(Modifier::BOLD)
    }

    pub const fn good(self) -> Style {
        self.coloured(Color::Green)
    }

    /// A clock that runs.
    pub const fn running(self) -> Style {
        self.coloured(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    pub const fn log(self, kind: LogKind) -> Style {
        match kind {
            LogKind::Fault => self.fault(),
            LogKind::Result => self.good(),
            LogKind::Order => self.coloured(Color::Yellow),
            LogKind::Note => Style::new(),
        }
    }

    /// A square and the piece on it.
    pub const fn square(self, is_dark: bool, is_last_move: bool, is_white: bool) -> Style {
        if self.has_colours {
            let square = SQUARES[is_dark as usize + 2 * is_last_move as usize];
            let piece = if is_white { WHITE } else { BLACK };
            Style::new().bg(square).fg(piece)
        } else if is_last_move {
            SELECTED
        } else {
            Style::new()
        }
    }

    /// White's part of a bar, and Black's.
    pub const fn bar(self) -> Style {
        if self.has_colours {
            Style::new().fg(Color::Indexed(253)).bg(Color::Indexed(238))
        } else {
            Style::new()
        }
    }
}
