//! `epode --version`, short and verbose.

use crate::common::{ALL_WELL, FAILED, run, stdout};
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn verbose_adds_what_the_build_uses() {
    let short = stdout(&run("--version", "").code(ALL_WELL));
    assert_eq!(short, format!("epode {}\n", env!("CARGO_PKG_VERSION")));
    for line in ["--version --verbose", "--verbose --version", "-V --verbose"] {
        let verbose = stdout(&run(line, "").code(ALL_WELL));
        let facts = verbose.strip_prefix(&short).expect("the version first");
        let facts: Vec<_> = facts
            .lines()
            .filter_map(|line| line.split_once(':'))
            .collect();
        let names: Vec<_> = facts.iter().map(|(name, _)| *name).collect();
        let expected = [
            "built for",
            "debug assertions",
            "attack tables",
            "network evaluation",
            "built-in network",
        ];
        assert_eq!(names, expected, "{verbose}");
        assert!(facts[0].1.contains(std::env::consts::ARCH), "{verbose}");
        #[cfg(target_arch = "x86_64")]
        assert_eq!(
            is_x86_feature_detected!("avx2"),
            facts[3].1.contains("AVX"),
            "{verbose}"
        );
    }
    run("--verbose bench", "")
        .code(FAILED)
        .stderr(contains("--version"));
    run("uci", "compiler\nquit\n")
        .code(ALL_WELL)
        .stdout(contains(short.trim_end()).and(contains("network evaluation: ")));
}
