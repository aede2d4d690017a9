//! Text for people: numbers with their nouns, speeds, and text that is safe to print.

use std::time::Duration;

/// The noun for a number of things: the singular for one.
pub fn noun<'t>(count: impl TryInto<u64>, one: &'t str, several: &'t str) -> &'t str {
    if count.try_into().is_ok_and(|count| count == 1) {
        one
    } else {
        several
    }
}

/// A number with its noun: `1 record`, `2500 records`.
pub fn counted(count: impl TryInto<u64> + Copy, one: &str, several: &str) -> String {
    let number = count.try_into().unwrap_or(u64::MAX);
    format!("{number} {}", noun(number, one, several))
}

/// A number with its digits in groups of three: `1,234,567`.
pub fn grouped(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().unwrap_or(u64::MAX).to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number in groups of digits, with its noun: `2,500 records`.
pub fn grouped_count(count: impl TryInto<u64>, one: &str, several: &str) -> String {
    let number = count.try_into().unwrap_or(u64::MAX);
    format!("{} {}", grouped(number), noun(number, one, several))
}

/// A number with at most so many decimals, without zeros at the end: `1.5`, `20`.
pub fn trimmed(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    if decimals == 0 {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Seconds with a number of decimals: `1.50 s`.
pub fn seconds(time: Duration, decimals: usize) -> String {
    format!("{:.decimals$} s", time.as_secs_f64())
}

/// Nodes per second.
pub fn rate(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-9)
}

/// A number of nodes, the time that they took, and the speed.
pub fn speed(nodes: u64, time: Duration, decimals: usize) -> String {
    format!(
        "{} in {}, {:.0} nodes a second",
        counted(nodes, "node", "nodes"),
        seconds(time, decimals),
        rate(nodes, time)
    )
}

/// A text with every control character replaced, which could change the state of a terminal.
pub fn printable(text: &str) -> String {
    text.replace(char::is_control, "\u{FFFD}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_singular() {
        for (count, expected) in [(0, "0 lines"), (1, "1 line"), (2500, "2500 lines")] {
            assert_eq!(counted(count, "line", "lines"), expected);
        }
        assert_eq!(grouped_count(1_usize, "line", "lines"), "1 line");
        assert_eq!(grouped_count(2500_u64, "line", "lines"), "2,500 lines");
        assert_eq!(
            speed(1, Duration::from_secs(2), 2),
            "1 node in 2.00 s, 0 nodes a second"
        );
    }

    #[test]
    fn digits_are_grouped() {
        for (number, expected) in [
            (0_u64, "0"),
            (999, "999"),
            (1000, "1,000"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(grouped(number), expected);
        }
    }

    #[test]
    fn superfluous_zeros_are_trimmed() {
        for (number, decimals, expected) in [
            (0.15, 3, "0.15"),
            (20.0, 3, "20"),
            (1234.5, 1, "1234.5"),
            (100.0, 0, "100"),
            (0.0, 1, "0"),
        ] {
            assert_eq!(trimmed(number, decimals), expected);
        }
    }

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(printable("a\u{1b}[2Jb\n"), "a\u{FFFD}[2Jb\u{FFFD}");
    }
}
