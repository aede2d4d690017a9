//! A board as a file of its own, with its shapes and styles.

use maud::{PreEscaped, html};

use crate::board::Board;
use crate::shapes::{Arrow, definitions};
use crate::{BOARD_STYLE, GAME_STYLE};

/// A colour of boards: a CSS variable and its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour<'a> {
    /// The variable: `--light`.
    pub name: &'a str,
    /// Its value in a light scheme.
    pub light: &'a str,
    /// Its value in a dark scheme.
    pub dark: &'a str,
}

pub(crate) const fn colour<'a>(name: &'a str, light: &'a str, dark: &'a str) -> Colour<'a> {
    Colour { name, light, dark }
}

/// The colours of boards.
pub const PALETTE: [Colour<'static>; 9] = [
    colour("--paper", "#fff", "#14171a"),
    colour("--soft", "#5b6470", "#a3acb6"),
    colour("--light", "#f0e4cf", "#c9b592"),
    colour("--dark", "#bf9b73", "#85674a"),
    colour("--best", "#18794e", "#0d6b40"),
    colour("--wrong", "#c62a2f", "#b3261e"),
    colour("--last", "#9bc700", "#a8c400"),
    colour("--check", "#e5322d", "#e5322d"),
    colour("--expected", "#2563b0", "#1f5fae"),
];

/// What only a file needs.
pub(crate) const FILE_STYLE: &str = ".paper { fill: var(--paper); }\ntext { font-family: system-ui, \"DejaVu Sans\", sans-serif; }\n";

/// The arrows that a file of one board can have: those of [`GAME_STYLE`].
const ARROWS: [Arrow; 4] = [Arrow::Best, Arrow::Wrong, Arrow::Played, Arrow::Expected];

impl Board<'_> {
    /// The board as an SVG file, in a light scheme or in a dark one as the reader's system has it. Colours are
    /// written out, for programs that know no CSS variables. [`Arrow::Later`] is for a [`Sheet`](crate::Sheet).
    #[must_use]
    pub fn to_file(&self) -> String {
        let markup = html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox=(self.view_box()) width="400" height="400"
                role="img" aria-label=(self.label()) {
                title { (self.label()) }
                style { (PreEscaped(style())) }
                (definitions(&[self.side()], &ARROWS))
                rect class="paper" x="-16" y="-16" width="352" height="360" {}
                (self.content())
            }
            "\n"
        };
        markup.into_string()
    }
}

/// The styles in the light scheme, and again in the dark one.
fn style() -> String {
    let styles = [FILE_STYLE, BOARD_STYLE, GAME_STYLE].concat();
    light_and_dark(&styles, &PALETTE)
}

/// A style with the colours of the light scheme, and after it what differs in the dark one.
#[must_use]
pub fn light_and_dark(styles: &str, palette: &[Colour]) -> String {
    let light = with_colours(styles, palette, |colour| colour.light);
    let dark = with_colours(styles, palette, |colour| colour.dark);
    // Only rules with a colour of the palette differ.
    let differences: String = light
        .lines()
        .zip(dark.lines())
        .filter(|(light, dark)| light != dark)
        .flat_map(|(_, dark)| ["  ", dark, "\n"])
        .collect();
    format!("\n{light}@media (prefers-color-scheme: dark) {{\n{differences}}}\n")
}

/// A style with the values of its variables.
pub(crate) fn with_colours<'c>(
    styles: &str,
    palette: &[Colour<'c>],
    value: impl Fn(&Colour<'c>) -> &'c str,
) -> String {
    palette.iter().fold(styles.to_owned(), |styles, colour| {
        styles.replace(&format!("var({})", colour.name), value(colour))
    })
}

#[cfg(test)]
mod tests {
    use movegen::Position;

    use super::*;

    #[test]
    fn a_file_stands_alone() {
        let file = Board::new(&Position::default(), "Start <&").to_file();
        assert!(!file.contains("var("), "{file}");
        assert!(file.contains("<title>Start &lt;&amp;</title>"));
        // Each reference has its definition.
        for (at, _) in file.match_indices("href=\"#") {
            let id = file[at + 7..].split('"').next().expect("an id");
            assert_eq!(file.matches(&format!(" id=\"{id}\"")).count(), 1, "{id}");
        }
        let dark = file.split("@media").nth(1).expect("a dark scheme");
        assert!(dark.contains(".light { fill: #c9b592; }") && !dark.contains("opacity: .8;"));
    }

    #[test]
    fn every_colour_is_in_the_palette() {
        for style in [BOARD_STYLE, GAME_STYLE] {
            for (at, _) in style.match_indices("var(") {
                let name = style[at + 4..].split(')').next().expect("a name");
                assert!(PALETTE.iter().any(|colour| colour.name == name), "{name}");
            }
        }
    }
}
