//! File names made of ids: safe on every system, and each used once.

use std::collections::HashMap;

/// The greatest length of a name without its extension, in bytes. Systems allow 255, and encrypted file
/// systems about 140.
const LONGEST: usize = 100;

/// Gives out file names without extension.
#[derive(Default)]
pub struct Names {
    /// The names given, in lower case, with the number of the last copy: `X` and `x` are the same file on
    /// some systems.
    given: HashMap<String, usize>,
}

impl Names {
    /// A name made of a text. One that was given before gets a number.
    pub fn unique(&mut self, text: &str, otherwise: &str) -> String {
        let name = safe(text);
        let name = if name.is_empty() { otherwise } else { &name };
        let mut candidate = name.to_owned();
        loop {
            let key = candidate.to_lowercase();
            if let Some(copies) = self.given.get_mut(&key) {
                *copies += 1;
                candidate = format!("{candidate}-{copies}");
            } else {
                self.given.insert(key, 1);
                return candidate;
            }
        }
    }
}

/// The letters, digits, dots and underscores of a text, with one hyphen in place of others.
fn safe(text: &str) -> String {
    let mut name = String::new();
    for letter in text.chars() {
        let is_safe = letter.is_alphanumeric() || matches!(letter, '.' | '_' | '+');
        let letter = if is_safe { letter } else { '-' };
        if name.len() + letter.len_utf8() > LONGEST {
            break;
        }
        if letter != '-' || !name.ends_with('-') {
            name.push(letter);
        }
    }
    // A leading dot hides a file, a leading hyphen looks like an option; Windows drops dots at the end.
    let name = name
        .trim_start_matches(['.', '-'])
        .trim_end_matches(['.', '-']);
    if is_reserved(name) {
        format!("{name}_")
    } else {
        name.to_owned()
    }
}

/// Whether Windows takes a name for a device.
fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let numbered = |device| {
        let digit = stem.strip_prefix(device);
        digit.is_some_and(|digit| matches!(digit.as_bytes(), [b'1'..=b'9']))
    };
    matches!(&*stem, "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe() {
        for (id, name) in [
            ("BK.01", "BK.01"),
            ("../../etc/passwd", "etc-passwd"),
            ("a / b: <c>?", "a-b-c"),
            ("-rf", "rf"),
            (".hidden.", "hidden"),
            ("CON", "CON_"),
            ("nul.txt", "nul.txt_"),
            ("Дебют 1", "Дебют-1"),
            ("\0\u{1b}[2J", "2J"),
            ("???", "line-7"),
            ("", "line-7"),
        ] {
            assert_eq!(Names::default().unique(id, "line-7"), name, "{id:?}");
        }
        let long = Names::default().unique(&"ж".repeat(5000), "");
        assert_eq!(long, "ж".repeat(LONGEST / 2));
    }

    #[test]
    fn names_are_unique() {
        let mut names = Names::default();
        let given: Vec<_> = ["a", "A", "a-2", "a", "b", "a"]
            .map(|id| names.unique(id, ""))
            .into_iter()
            .collect();
        let mut keys: Vec<_> = given.iter().map(|name| name.to_lowercase()).collect();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), given.len(), "{given:?}");
        assert_eq!(given[..2], ["a", "A-2"]);
    }
}
