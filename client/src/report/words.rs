//! The words for what is in a report, one each in all formats for people.

use std::fmt::Write;

use super::effort::{Distribution, Measure, Part};
use super::numbers::Bin;
use super::summary::Score;

/// What is shown where there is nothing.
pub const NOTHING: &str = "-";

/// A text, or what is shown in its place.
pub fn or_nothing(text: Option<String>) -> String {
    text.unwrap_or_else(|| NOTHING.to_owned())
}

impl Measure {
    /// What a column of it is called.
    pub fn word(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Milliseconds => "time",
            Self::Plies => "depth",
        }
    }

    /// An amount of it, with its unit where the word does not say it.
    pub fn text(self, number: f64) -> String {
        match self {
            Self::Nodes => format!("{number:.0}"),
            Self::Milliseconds => format!("{:.3} s", number / 1000.0),
            Self::Plies if number.fract() == 0.0 => format!("{number:.0}"),
            Self::Plies => format!("{number:.1}"),
        }
    }

    /// What a bin holds.
    pub fn range(self, bin: Bin) -> String {
        match self {
            Self::Milliseconds => {
                let [from, to] = [bin.from, bin.to].map(|number| number as f64 / 1000.0);
                if bin.from == bin.to {
                    format!("{from:.3} s")
                } else {
                    format!("{from:.3}-{to:.3} s")
                }
            }
            _ if bin.from == bin.to => bin.from.to_string(),
            _ => format!("{}-{}", bin.from, bin.to),
        }
    }
}

impl Distribution {
    /// What it is called.
    pub fn title(&self) -> String {
        let part = match self.part {
            Part::Solution => "to the solution",
            Part::Whole => "in all",
        };
        format!("{} {part}", self.measure.word())
    }
}

/// A part of one in percent.
pub fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// A probability, as precisely as it is of use.
pub fn probability(p: f64) -> String {
    if p < 0.0001 {
        "< 0.0001".to_owned()
    } else {
        format!("{p:.4}")
    }
}

/// Solved and asked, and the points where there are some.
pub fn score(score: &Score) -> String {
    let mut text = format!("{}/{}", score.solved, score.targets());
    if let Some((points, most)) = score.points.zip(score.most_points) {
        let _ = write!(text, " ({points}/{most} points)");
    }
    text
}

/// A text with its first letter made a capital.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// A text without letters that would do something to a terminal or are none.
pub fn printable(text: &str) -> String {
    let plain = |letter: char| {
        if letter.is_control() {
            '\u{FFFD}'
        } else {
            letter
        }
    };
    text.chars().map(plain).collect()
}
