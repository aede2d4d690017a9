//! Runs the checks of the fuzzer on every input of its corpus.

use std::fs;
use std::path::Path;

#[path = "../fuzz/laws.rs"]
mod laws;

#[test]
fn the_corpus_passes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/read");
    let mut count = 0;
    for entry in fs::read_dir(&folder).expect("the corpus") {
        let path = entry.expect("an entry").path();
        // The fuzzer adds inputs without this extension.
        if path.extension().is_some_and(|end| end == "epd") {
            laws::check(&fs::read(&path).expect("an input"));
            count += 1;
        }
    }
    assert!(count > 50, "{count} inputs");
}
