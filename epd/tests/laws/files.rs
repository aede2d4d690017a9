//! Suites and books from outside the repository: their lines keep the laws as well. Where the files are
//! missing, nothing is tested.

use std::fs;
use std::path::Path;

use epode_epd::{LineKind, read};

use crate::checks::check_line;

/// Suites outside the repository, each with the number of lines that cannot be read, and a remark. The
/// numbers were counted by hand.
const SUITES: [(&str, usize, &str); 20] = [
    ("bratko-kopec-strict.epd", 0, "written to the letter"),
    (
        "bratko-kopec.epd",
        0,
        "odd semicolons, blanks before check signs",
    ),
    ("bt2630.epd", 0, "clean"),
    (
        "destruction-test.epd",
        9,
        "nine positions that are not positions",
    ),
    (
        "endgame-dm-4.epd",
        0,
        "clean, with comments on their own lines",
    ),
    ("endgame-dm-5.epd", 0, "as the one before"),
    ("fortresses.epd", 0, "comments that look like operations"),
    ("grief-causers.epd", 0, "remarks"),
    (
        "hard-mates-blass-uri.epd",
        0,
        "operations without semicolons",
    ),
    ("hardtestpos-clean.epd", 0, "counters, no semicolons"),
    ("kaufman.epd", 0, "counters"),
    ("lapuce2.epd", 0, "clean"),
    ("lct2.epd", 0, "odd semicolons"),
    ("mixed.epd", 1, "\"startpos\" in place of a position"),
    ("nolot.epd", 0, "odd semicolons"),
    ("perft-double-checks.epd", 0, "counters"),
    ("perft-random-488.epd", 0, "counters"),
    ("perft.epd", 0, "counters"),
    ("silent-but-deadly.epd", 0, "odd semicolons"),
    ("wacnew.epd", 0, "clean"),
];

/// The path of a folder outside the repository, if it is there.
fn shared(folder: &str) -> Option<std::path::PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let path = path.join(folder);
    if !path.is_dir() {
        println!("nothing to test: {} is not there", path.display());
    }
    path.is_dir().then_some(path)
}

/// The lines of a file that should be records. Bytes that are not UTF-8 are read as Latin-1.
fn records_of(path: &Path) -> Vec<String> {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
    text.split('\n')
        .filter(|line| LineKind::of(line) == LineKind::Record)
        .map(str::to_owned)
        .collect()
}

#[test]
fn shared_suites_are_read_without_loss() {
    let Some(folder) = shared("suites") else {
        return;
    };
    for (name, unreadable, reason) in SUITES {
        let path = folder.join(name);
        if !path.exists() {
            println!("{name} is not there");
            continue;
        }
        let lines = records_of(&path);
        assert!(lines.len() > 10, "{name}");
        let errors: Vec<_> = lines
            .iter()
            .filter_map(|line| {
                check_line(line);
                let error = read(line, &mut Vec::new()).err()?;
                Some(format!("{error}: {line}"))
            })
            .collect();
        assert_eq!(errors.len(), unreadable, "{name} ({reason}): {errors:#?}");
    }
}

#[test]
fn every_line_of_every_shared_file_is_safe() {
    for folder in ["suites", "books"] {
        let Some(folder) = shared(folder) else {
            return;
        };
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "epd") {
                for line in records_of(&path) {
                    check_line(&line);
                }
            }
        }
    }
}
