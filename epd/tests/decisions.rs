//! Every decision that the source cites has an entry in `DECISIONS.md`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("../DECISIONS.md");

/// The numbers of the entries, in the order of the page.
fn entries() -> Vec<u32> {
    let number = |line: &str| line.split_once(". ")?.0.parse().ok();
    PAGE.lines().filter_map(number).collect()
}

/// The numbers that a text cites: `decision 5`, `decisions 5 and 7`, `decisions 5, 7 and 9`,
/// `decisions 5 to 7`. A citation may continue on the next line of a comment.
fn citations(text: &str) -> BTreeSet<u32> {
    let lines = text.lines().map(|line| {
        let line = line.trim();
        line.trim_start_matches(['/', '!', '|']).trim_start()
    });
    let text = lines.collect::<Vec<_>>().join(" ").to_lowercase();
    let mut found = BTreeSet::new();
    for (at, word) in text.match_indices("decision") {
        let rest = &text[at + word.len()..];
        let mut words = rest.strip_prefix('s').unwrap_or(rest).split_whitespace();
        let mut last: Option<u32> = None;
        let mut is_range = false;
        if !rest.starts_with(['s', ' ']) {
            continue;
        }
        for word in words.by_ref() {
            let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            match (word, word[..digits].parse()) {
                (_, Ok(number)) => {
                    let first = if is_range {
                        last.unwrap_or(number)
                    } else {
                        number
                    };
                    found.extend(first..=number);
                    last = Some(number);
                    is_range = false;
                    // Anything but a comma ends the list; "and" may still follow a bare number.
                    if !matches!(&word[digits..], "" | ",") {
                        break;
                    }
                }
                ("and" | "or", _) => {}
                ("to", _) => is_range = true,
                _ => break,
            }
        }
    }
    found
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            sources(&path, found);
        } else if path
            .extension()
            .is_some_and(|end| end == "rs" || end == "md")
        {
            found.push(path);
        }
    }
}

#[test]
fn entries_are_numbered_without_gaps() {
    let expected: Vec<_> = (1..=146).collect();
    assert_eq!(entries(), expected);
}

#[test]
fn every_citation_has_an_entry() {
    let entries: BTreeSet<_> = entries().into_iter().collect();
    let mut paths = Vec::new();
    // The package alone, if it was taken out of its workspace.
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = package.join("..");
    let is_workspace = workspace.join("movegen/Cargo.toml").exists();
    let root = if is_workspace { &workspace } else { package };
    sources(root, &mut paths);
    let mut cited = BTreeSet::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("a source file");
        let numbers = citations(&text);
        let unknown: Vec<_> = numbers.difference(&entries).collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", path.display());
        cited.extend(numbers);
    }
    assert!(cited.len() > 30, "only {cited:?} are cited");
}

#[test]
fn citations_are_found() {
    let cited = |text| citations(text).into_iter().collect::<Vec<_>>();
    assert_eq!(cited("(decision 5)."), [5]);
    assert_eq!(cited("/// Decisions 2 and 5."), [2, 5]);
    assert_eq!(
        cited("decisions 124 to 127, 130,\n/// and 131."),
        [124, 125, 126, 127, 130, 131]
    );
    assert_eq!(cited("EPD 6.7; decisions 1, 2\", \"3 things"), [1, 2]);
    assert_eq!(cited("(decision\n    /// 113) 7"), [113]);
    assert_eq!(cited("decision 5: 6 moves"), [5]);
    assert_eq!(cited("decisive 5; a decision of 6"), []);
}
