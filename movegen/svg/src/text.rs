//! The width of text, and where lines break.

use crate::shapes::Arrow;

/// The widths of the characters from blank to tilde in `DejaVu` Sans, in thousandths of the font size.
/// Most other sans-serif fonts are narrower, so that a text fits in them too.
const WIDTHS: [u16; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
];

/// The width of any other character below U+2E80; those above are as wide as they are high.
const OTHER: usize = 720;
const WIDE: usize = 1000;

const ELLIPSIS: char = '\u{2026}';

/// A part of a text, with a dot in the colour of an arrow before it if it is about one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The text.
    pub text: String,
    /// The arrow.
    pub arrow: Option<Arrow>,
}

impl Span {
    /// A text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            arrow: None,
        }
    }

    /// A text about an arrow.
    #[must_use]
    pub fn about(arrow: Arrow, text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            arrow: Some(arrow),
        }
    }
}

/// The width of the dot with the blank after it, in thousandths of the font size.
const DOT: usize = 873 + 318;

fn letter_width(letter: char) -> usize {
    match u32::from(letter) {
        code @ 32..=126 => WIDTHS[code as usize - 32].into(),
        code if code >= 0x2E80 => WIDE,
        _ if letter == ELLIPSIS => WIDE,
        _ => OTHER,
    }
}

fn width(text: &str) -> usize {
    text.chars().map(letter_width).sum()
}

/// The text in one line of at most this width (in thousandths of the font size), cut with an ellipsis.
pub(crate) fn cut(text: &str, limit: usize) -> String {
    if width(text) <= limit {
        return text.to_owned();
    }
    let mut cut = fitting(text, limit.saturating_sub(WIDE))
        .trim_end()
        .to_owned();
    cut.push(ELLIPSIS);
    cut
}

/// The longest beginning of a text that is not wider than a limit.
fn fitting(text: &str, limit: usize) -> &str {
    let mut wide = 0;
    let end = text.char_indices().find(|&(_, letter)| {
        wide += letter_width(letter);
        wide > limit
    });
    end.map_or(text, |(end, _)| &text[..end])
}

/// Breaks a paragraph into lines of at most this width, at white space where there is some. What does not
/// fit into the greatest number of lines is cut with an ellipsis.
pub(crate) fn lines(paragraph: &[Span], limit: usize, most: usize) -> Vec<Vec<Span>> {
    let mut breaker = Breaker {
        limit,
        lines: vec![Vec::new()],
        used: 0,
    };
    for span in paragraph {
        let mut arrow = span.arrow;
        for word in span.text.split_whitespace() {
            breaker.add(word, arrow.take(), most);
        }
    }
    let mut lines = breaker.lines;
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            end_with_ellipsis(last, limit);
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

struct Breaker {
    limit: usize,
    lines: Vec<Vec<Span>>,
    /// The width of the last line.
    used: usize,
}

impl Breaker {
    /// Adds a word, unless there are already more lines than the greatest number.
    fn add(&mut self, mut word: &str, mut arrow: Option<Arrow>, most: usize) {
        while self.lines.len() <= most {
            let dot = if arrow.is_some() { DOT } else { 0 };
            // There are two blanks before a dot.
            let blank = match (self.used, arrow) {
                (0, _) => 0,
                (_, None) => letter_width(' '),
                (_, Some(_)) => 2 * letter_width(' '),
            };
            let needed = dot + width(word);
            if self.used + blank + needed <= self.limit {
                return self.append(word, arrow, blank + needed);
            }
            if self.used > 0 {
                self.begin();
                continue;
            }
            // A word wider than a line.
            let part = fitting(word, self.limit.saturating_sub(dot));
            let part = if part.is_empty() { word } else { part };
            self.append(part, arrow.take(), self.limit);
            word = &word[part.len()..];
            if word.is_empty() {
                return;
            }
        }
    }

    fn begin(&mut self) {
        self.lines.push(Vec::new());
        self.used = 0;
    }

    fn append(&mut self, word: &str, arrow: Option<Arrow>, wide: usize) {
        let line = self.lines.last_mut().expect("one is there");
        match line.last_mut() {
            Some(span) if arrow.is_none() => {
                span.text.push(' ');
                span.text.push_str(word);
            }
            _ => line.push(Span {
                text: word.to_owned(),
                arrow,
            }),
        }
        self.used += wide;
    }
}

fn end_with_ellipsis(line: &mut [Span], limit: usize) {
    let dots = line.iter().filter(|span| span.arrow.is_some()).count() * DOT;
    let (last, before) = line.split_last_mut().expect("a word");
    let used: usize = before
        .iter()
        .map(|span| width(&span.text) + letter_width(' '))
        .sum();
    let free = limit.saturating_sub(used + dots + WIDE + letter_width(' '));
    last.text = format!("{} {ELLIPSIS}", fitting(&last.text, free).trim_end());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(paragraph: &[Span], most: usize) -> Vec<String> {
        let lines = lines(paragraph, 10_000, most);
        for line in &lines {
            let wide: usize = line.iter().map(|span| width(&span.text)).sum();
            assert!(wide <= 10_000, "{line:?}");
        }
        let text = |line: &Vec<Span>| {
            let texts: Vec<_> = line.iter().map(|span| span.text.clone()).collect();
            texts.join("|")
        };
        lines.iter().map(text).collect()
    }

    #[test]
    fn lines_break_between_words() {
        let paragraph = [
            Span::new("White to move."),
            Span::about(Arrow::Best, "best Qd1+"),
        ];
        assert_eq!(broken(&paragraph, 4), ["White to move.", "best Qd1+"]);
        assert_eq!(broken(&paragraph, 1), ["White to move. \u{2026}"]);
        assert_eq!(broken(&[Span::new("")], 4), Vec::<String>::new());
    }

    #[test]
    fn a_word_wider_than_a_line_is_broken() {
        let lines = broken(&[Span::new("x".repeat(10_000))], 3);
        assert_eq!(lines.len(), 3);
        assert!(lines[2].ends_with(ELLIPSIS));
        assert_eq!(
            broken(&[Span::new("x".repeat(20))], 3).concat(),
            "x".repeat(20)
        );
    }

    #[test]
    fn headings_are_cut() {
        assert_eq!(cut("short", 5000), "short");
        assert_eq!(cut("much too long", 4500), "much\u{2026}");
    }
}
