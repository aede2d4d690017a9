//! The theme of a position, derived from its id.

/// Separators between a number and the words beside it.
const BETWEEN: [char; 9] = [' ', '.', '-', '_', '#', ':', '/', ')', ','];

/// The words of an id without its number: `Undermine` of `Undermine.001`, `Knight outposts` of `001
/// Knight outposts`, `Relief` of `ERET 001 - Relief`. A comment in parentheses at the end is
/// ignored. None if the id has no number, or nothing but a number.
pub fn theme(id: &str) -> Option<&str> {
    let id = without_comment(id);
    let before = id.trim_end_matches(|last: char| last.is_ascii_digit());
    let theme = if before.len() < id.len() {
        // A trailing number is removed first; there may also be a leading one.
        let words = before.trim_end_matches(BETWEEN_BEFORE);
        after_number(words).unwrap_or(words)
    } else {
        after_number(id)?
    };
    has_words(theme).then_some(theme)
}

/// As [`BETWEEN`], but a parenthesis that closes before a number belongs to the words.
const BETWEEN_BEFORE: [char; 7] = [' ', '.', '-', '_', '#', ':', '/'];

fn has_words(text: &str) -> bool {
    text.contains(|letter: char| !letter.is_ascii_digit() && !BETWEEN.contains(&letter))
}

/// Removes a comment such as `(d6!)` at the end of an id.
fn without_comment(id: &str) -> &str {
    let id = id.trim();
    let open = id.strip_suffix(')').and_then(|rest| rest.rfind(" ("));
    open.map_or(id, |open| id[..open].trim_end())
}

/// The text after the first separate number; none without such a number, or without text after it.
fn after_number(id: &str) -> Option<&str> {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let mut begin = 0;
    while let Some(found) = id[begin..].find(is_digit) {
        let start = begin + found;
        let rest = id[start..].trim_start_matches(is_digit);
        let alone = id[..start].is_empty() || id[..start].ends_with([' ', '#']);
        let words = rest.trim_start_matches(BETWEEN);
        if alone && words.len() < rest.len() && !words.is_empty() {
            return Some(words);
        }
        begin = id.len() - rest.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn themes_are_the_words_beside_numbers() {
        for (id, expected) in [
            ("WAC.001", Some("WAC")),
            ("BK.01", Some("BK")),
            ("test 1", Some("test")),
            (
                "STS(v2.2) Open Files and Diagonals.017",
                Some("STS(v2.2) Open Files and Diagonals"),
            ),
            (
                "STS(v12.0) Center Control.001",
                Some("STS(v12.0) Center Control"),
            ),
            ("arasan21.1", Some("arasan21")),
            ("pos 7", Some("pos")),
            ("001 Knight outposts", Some("Knight outposts")),
            ("1. Rook endings", Some("Rook endings")),
            ("12) Fortress", Some("Fortress")),
            ("#3: Zugzwang", Some("Zugzwang")),
            ("ERET 001 - Relief", Some("Relief")),
            ("7 Pawn endings 12", Some("Pawn endings")),
            ("LCTPOS01 (d6!)", Some("LCTPOS")),
            ("LCTCMB12 (Rxh7!)", Some("LCTCMB")),
            ("7th rank.003", Some("7th rank")),
            ("Undermine", None),
            ("Undermine2b", None),
            ("12", None),
            ("12 (Nf3)", None),
            (".12", None),
            ("", None),
        ] {
            assert_eq!(theme(id), expected, "{id}");
        }
    }
}
