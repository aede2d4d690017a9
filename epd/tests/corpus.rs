//! The laws of the fuzzer, held against every input that is kept for it.

use std::fs;
use std::path::Path;

#[path = "../fuzz/laws.rs"]
mod laws;

/// Begins the names of inputs that still break a law.
const OPEN: &str = "open-";

fn inputs(open: bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/read");
    let mut held = 0;
    for entry in fs::read_dir(&folder).expect("the corpus") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Beside those with a name may lie what a run of the fuzzer found.
        if name.ends_with(".epd") && name.starts_with(OPEN) == open {
            laws::hold(&fs::read(&path).expect("an input"));
            held += 1;
        }
    }
    assert!(open || held > 30, "{held} inputs");
}

#[test]
fn the_corpus_holds() {
    inputs(false);
}

#[test]
#[ignore = "what the reader has still to learn; an input that holds loses the prefix of its name"]
fn the_open_inputs_hold() {
    inputs(true);
}
