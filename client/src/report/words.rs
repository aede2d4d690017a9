//! The wording of measures and numbers, which is the same in all formats for people.

use std::fmt::Write;

use super::distribution::Distribution;
use super::effort::{Measure, Part};
use super::numbers::Bin;
use super::summary::Score;
use crate::text::{grouped, grouped_count, noun};

/// The text in place of a missing value.
pub const NOTHING: &str = "-";

/// A text, or [`NOTHING`].
pub fn or_nothing(text: Option<String>) -> String {
    text.unwrap_or_else(|| NOTHING.to_owned())
}

/// Joins names in a sentence: `a, b and c`.
pub fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

impl Measure {
    /// The heading of a column.
    pub fn word(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Milliseconds => "time",
            Self::Plies => "depth",
        }
    }

    /// The label of an axis, with the unit.
    pub fn axis(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Milliseconds => "seconds",
            Self::Plies => "depth in plies",
        }
    }

    /// An amount, with its unit unless the heading implies it.
    pub fn text(self, number: f64) -> String {
        match self {
            Self::Nodes => grouped(number.round() as u64),
            Self::Milliseconds => seconds(number, 3) + " s",
            Self::Plies if number.fract() == 0.0 => format!("{number:.0}"),
            Self::Plies => format!("{number:.1}"),
        }
    }

    /// A rounded amount for a sentence.
    pub fn about(self, number: f64) -> String {
        match self {
            Self::Nodes => grouped_count(number.round() as u64, "node", "nodes"),
            Self::Milliseconds => {
                let decimals = match number {
                    ..100.0 => 3,
                    ..1000.0 => 2,
                    ..10_000.0 => 1,
                    _ => 0,
                };
                let text = seconds(number.max(1.0), decimals);
                let text = if decimals > 0 {
                    text.trim_end_matches('0').trim_end_matches('.')
                } else {
                    &text
                };
                format!("{text} s")
            }
            Self::Plies => grouped_count(number.round() as u64, "ply", "plies"),
        }
    }

    /// The range of a bin.
    pub fn range(self, bin: Bin) -> String {
        let text = |number: u64| match self {
            Self::Milliseconds => seconds(number as f64, 3),
            _ => grouped(number),
        };
        let unit = if self == Self::Milliseconds { " s" } else { "" };
        if bin.from == bin.to {
            text(bin.from) + unit
        } else {
            format!("{}\u{2013}{}{unit}", text(bin.from), text(bin.to))
        }
    }
}

/// Converts milliseconds to seconds with `decimals` decimals.
fn seconds(milliseconds: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", milliseconds / 1000.0);
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    match whole.parse::<u64>() {
        Ok(whole) => grouped(whole) + fraction,
        Err(_) => text,
    }
}

impl Distribution {
    /// The title of the distribution.
    pub fn title(&self) -> String {
        let part = match self.part {
            Part::Solution => "to the solution",
            Part::Whole => "in all",
        };
        format!("{} {part}", self.measure.word())
    }
}

/// A share in percent.
pub fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// A share in percent for a sentence: `75%`, `33.3%`.
pub fn about_percent(share: f64) -> String {
    percent(share).replace(".0%", "%")
}

/// A probability with four decimals.
pub fn probability(p: f64) -> String {
    if p < 0.0001 {
        "< 0.0001".to_owned()
    } else {
        format!("{p:.4}")
    }
}

/// A probability for a sentence.
pub fn about_probability(p: f64) -> String {
    match p {
        ..0.001 => "p < 0.001".to_owned(),
        ..0.1 => format!("p = {p:.3}"),
        _ => format!("p = {p:.2}"),
    }
}

/// The number of solved positions and of targets, and the points if there are any.
pub fn score(score: &Score) -> String {
    let mut text = format!("{}/{}", grouped(score.solved), grouped(score.targets()));
    if let Some((points, most)) = score.points.zip(score.most_points) {
        let points = grouped(points);
        let unit = noun(most, "point", "points");
        let _ = write!(text, " ({points}/{} {unit})", grouped(most));
    }
    text
}

/// A text with its first letter in upper case.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_write_them() {
        let time = Measure::Milliseconds;
        for (milliseconds, exact, about) in [
            (0.0, "0.000 s", "0.001 s"),
            (17.0, "0.017 s", "0.017 s"),
            (100.4, "0.100 s", "0.1 s"),
            (1250.0, "1.250 s", "1.2 s"),
            (20_000.0, "20.000 s", "20 s"),
            (1_234_567.0, "1,234.567 s", "1,235 s"),
        ] {
            assert_eq!(time.text(milliseconds), exact);
            assert_eq!(time.about(milliseconds), about);
        }
        let bin = Bin {
            from: 5000,
            to: 9999,
        };
        assert_eq!(Measure::Nodes.range(bin), "5,000\u{2013}9,999");
        assert_eq!(time.range(bin), "5.000\u{2013}9.999 s");
    }
}
