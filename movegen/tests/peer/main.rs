//! Properties of every position, tested in random games and on random boards against shakmaty, an
//! independent move generator.
//!
//! Seeds are fixed, so the tests are reproducible. To run more cases with another seed:
//! `PROPTEST_CASES=20000 PROPTEST_RNG_SEED=1 cargo test -p epode-movegen --test peer`.

mod boards;
mod keys;
mod pair;
mod properties;
mod rare;
mod suite;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn config(cases: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    // A seed from the environment takes precedence.
    let chosen = std::env::var_os("PROPTEST_RNG_SEED").is_some();
    ProptestConfig {
        cases: if chosen { default.cases } else { cases },
        rng_seed: if chosen {
            default.rng_seed
        } else {
            RngSeed::Fixed(0x0E90_DE00)
        },
        failure_persistence: None,
        max_global_rejects: 100_000,
        ..default
    }
}
