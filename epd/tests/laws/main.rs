//! Properties of records: what is written reads back, what is read is kept, and no line makes the
//! reader panic.
//!
//! All random numbers come from fixed seeds, so that runs do not differ. More cases with other seeds: `PROPTEST_CASES=20000 PROPTEST_RNG_SEED=1 cargo test -p epode-epd --test laws`.

mod checks;
mod damage;
mod deviations;
mod drafts;
mod files;
mod round_trips;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn config(cases: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    // The environment may ask for other seeds.
    let chosen = std::env::var_os("PROPTEST_RNG_SEED").is_some();
    ProptestConfig {
        cases: if chosen { default.cases } else { cases },
        rng_seed: if chosen {
            default.rng_seed
        } else {
            RngSeed::Fixed(0x0E90_DE01)
        },
        failure_persistence: None,
        ..default
    }
}
