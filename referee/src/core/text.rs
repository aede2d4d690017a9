//! Text from strangers: names, comments and whatever else a peer may send.

use std::borrow::Cow;

/// The longest text of a stranger that is shown, in characters.
const MAX_SHOWN: usize = 255;

/// A text that is safe on a terminal, in a log and in a table: control characters, line breaks, and
/// characters that are invisible or turn the direction of text become `?`.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let shown = |letter: char| if is_unsafe(letter) { '?' } else { letter };
    Cow::Owned(text.chars().map(shown).collect())
}

/// [`visible`] text of at most 255 characters.
#[must_use]
pub fn shown(text: &str) -> String {
    let text = visible(text);
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into_owned(),
    }
}

/// `1 game`, `2 games`.
#[must_use]
pub fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// Control characters, and those of Unicode's format category that change how others are displayed.
fn is_unsafe(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_acts_on_a_terminal() {
        for (text, expected) in [
            ("Ann", "Ann"),
            ("Björn 王", "Björn 王"),
            ("\u{1b}[31mred\u{7}", "?[31mred?"),
            ("a\nb\tc\r", "a?b?c?"),
            ("\u{202e}evil\u{2066}\u{200b}", "?evil??"),
            ("\u{9b}31m", "?31m"),
        ] {
            assert_eq!(visible(text), expected);
            assert_eq!(shown(text), expected);
        }
        assert_eq!(shown(&"é".repeat(256)), "é".repeat(255) + "...");
        assert_eq!(shown(&"x".repeat(255)).len(), 255);
    }
}
