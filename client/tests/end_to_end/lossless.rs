//! Nothing is lost: lines that are not understood are copied, read and write errors name the file,
//! and a file is replaced only by a complete one.

mod compression;
#[cfg(unix)]
mod interrupted;
mod lines;
#[cfg(unix)]
mod replacing;
mod writing;

use epd::{Lines, Reader};

const PAWN: &str = "8/P7/8/8/8/8/5k2/K7 w - -";

/// Every verb that rewrites a file, without IN and OUT.
const VERBS: [&str; 6] = [
    "pfdn",
    "pfdr",
    "pfop id",
    "pfga --nodes 20 --hash 1",
    "pfts --nodes 20 --hash 1",
    "pfms --moves 1 --nodes 20 --hash 1",
];

/// Six records, and nine other lines.
const MIXED: &str = "# a suite\n\
    8/P7/8/8/8/8/5k2/K7 w - - bm a8=Q; id \"1\";\n\
    \n\
    nonsense\n\
    8/P7/8/8/8/8/5k2/K7 w - - id \"2\";\n\
    8/P7/8/8/8/8/5k2/K7 x - - id \"3\";\n\
    8/P7/8/8/8/8/5k2/K7 w - - id \"open;\n\
    8/P7/8/8/8/8/5k2/K7 w - - id \"5\";\n\
    \t\n\
    % another remark\n\
    8/P7/8/8/8/8/5k2/K7 w - - id \"6\";\n\
    9/P7/8/8/8/8/5k2/K7 w - - id \"7\";\n\
    8/P7/8/8/8/8/5k2/K7 w - - id \"8\";\n\
    the end\n\
    8/P7/8/8/8/8/5k2/K7 w - - noop;\n";

/// The expected output of each line: unchanged, or none if it is a record.
fn expected_lines(input: &[u8]) -> Vec<Option<Vec<u8>>> {
    let mut expected = Vec::new();
    for line in Lines::new(input, 1) {
        match line.read(&Reader::lenient(), &mut Vec::new()) {
            Ok(_) => expected.push(None),
            Err(_) => expected.extend(line.raw_lines().map(|raw| Some(raw.to_vec()))),
        }
    }
    expected
}

/// No line is missing, and lines that are not records are unchanged and in place.
fn check_lines(input: &[u8], output: &[u8], verb: &str) {
    let expected = expected_lines(input);
    let output: Vec<_> = output.split_inclusive(|&byte| byte == b'\n').collect();
    assert_eq!(output.len(), expected.len(), "{verb}: {input:?}");
    for (line, expected) in output.iter().zip(expected) {
        let line = line.strip_suffix(b"\n").expect("a whole line");
        if let Some(expected) = expected {
            assert_eq!(line, expected, "{verb}: {input:?}");
        }
    }
}
