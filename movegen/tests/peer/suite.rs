//! The positions of the perft suite, counted by both generators.

use std::fs;
use std::path::Path;

use epode_movegen::perft;

use crate::pair::Pair;

/// All counts of the suite with both generators:
/// `cargo test --release -p epode-movegen --test peer -- --ignored`.
#[test]
#[ignore = "ten seconds of a release build"]
fn suite_counts_agree() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../suites/perft.epd");
    let text = fs::read_to_string(path).expect("the suite");
    for line in text.lines() {
        let fields: Vec<&str> = line.splitn(5, ' ').collect();
        let pair = Pair::new(fields[..4].join(" ").parse().expect(line));
        pair.check();
        for operation in fields[4].split("; ") {
            let Some((depth, leaves)) = operation
                .strip_prefix('D')
                .and_then(|count| count.split_once(' '))
            else {
                continue;
            };
            let depth = depth.parse().expect(line);
            let leaves: u64 = leaves.parse().expect(line);
            assert_eq!(shakmaty::perft(&pair.theirs, depth), leaves, "{line}");
            assert_eq!(perft(&pair.ours, depth), leaves, "{line}");
        }
    }
}
