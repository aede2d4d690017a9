//! The note in `c9` of a record whose analysis failed.

use epd::{MAX_STRING, Record};

const NOTE: &str = "not analysed: ";
/// The separator between the earlier text of `c9` and the note.
const BETWEEN: &str = "; ";

/// Adds a note why a record was not analysed to its `c9`.
pub fn add(record: &mut Record, why: &str) {
    let before = said(record);
    let between = if before.is_empty() { "" } else { BETWEEN };
    let mut text = format!("{before}{between}{NOTE}{why}");
    let mut end = text.len().min(MAX_STRING);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    record.set_comment(9, &text);
}

/// Whether the last run did not analyse the record.
pub fn is_in(record: &Record) -> bool {
    let comment = record.get("c9");
    comment.is_some_and(|comment| comment.to_string().contains(NOTE))
}

/// Removes the note of an earlier run, and `c9` if nothing else is in it.
pub fn remove(record: &mut Record) {
    if !is_in(record) {
        return;
    }
    let before = said(record);
    record.remove("c9");
    if !before.is_empty() {
        record.set_comment(9, &before);
    }
}

/// The text of `c9` without a note.
fn said(record: &Record) -> String {
    let operands = record.get("c9").map(|comment| &comment.operands[..]);
    let words: Vec<_> = operands
        .unwrap_or_default()
        .iter()
        .map(epd::Operand::text)
        .collect();
    let text = words.join(" ");
    let end = text.find(NOTE).unwrap_or(text.len());
    text[..end].trim_end_matches(BETWEEN).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_come_and_go() {
        for (before, noted) in [
            ("", " c9 \"not analysed: it fell over\";"),
            (
                " c9 \"e2e4 d2d4\";",
                " c9 \"e2e4 d2d4; not analysed: it fell over\";",
            ),
            (
                " c9 \"a\" \"b\";",
                " c9 \"a b; not analysed: it fell over\";",
            ),
        ] {
            let line = format!("8/P7/8/8/8/8/5k2/K7 w - -{before}");
            let mut record = epd::read(&line, &mut Vec::new()).expect("readable");
            let original = record.to_string();
            remove(&mut record);
            assert_eq!(record.to_string(), original);
            // A second note replaces the first.
            add(&mut record, "no time");
            add(&mut record, "it fell over");
            assert!(record.to_string().ends_with(noted), "{record}");
            remove(&mut record);
            let expected = original.replace("\"a\" \"b\"", "\"a b\"");
            assert_eq!(record.to_string(), expected);
        }
    }

    /// Strings have at most 255 bytes (decision 105).
    #[test]
    fn notes_are_no_longer_than_strings_may_be() {
        let mut record: Record = "8/P7/8/8/8/8/5k2/K7 w - -".parse().expect("exact");
        add(&mut record, &"\u{e9}".repeat(300));
        let text = record.comment(9).expect("one").expect("a note").to_owned();
        assert!((MAX_STRING - 1..=MAX_STRING).contains(&text.len()));
    }
}
