//! The laws of the fuzzer, held against every input that is kept for it.

use std::fs;
use std::path::Path;

#[path = "../fuzz/laws.rs"]
mod laws;

#[test]
fn the_corpus_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/read");
    let mut held = 0;
    for entry in fs::read_dir(&folder).expect("the corpus") {
        let path = entry.expect("an entry").path();
        // Beside those with a name may lie what a run of the fuzzer found.
        if path.extension().is_some_and(|end| end == "epd") {
            laws::hold(&fs::read(&path).expect("an input"));
            held += 1;
        }
    }
    assert!(held > 50, "{held} inputs");
}
