//! What this build of the program is.

use engine::Net;

/// What `--version --verbose` and the UCI command `compiler` print: the version, what the build is
/// made for, and the instructions that it uses on this processor.
pub fn build_info() -> String {
    let features = [
        ("sse4.2", cfg!(target_feature = "sse4.2")),
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("avx512bw", cfg!(target_feature = "avx512bw")),
        ("neon", cfg!(target_feature = "neon")),
    ];
    let features: Vec<_> = features
        .into_iter()
        .filter_map(|(name, is_on)| is_on.then_some(name))
        .collect();
    let features = match features.as_slice() {
        [] => "no optional instructions".to_owned(),
        features => features.join(" "),
    };
    format!(
        "{version}\n\
         built for:          {arch} {os}, {features}\n\
         debug assertions:   {assertions}\n\
         attack tables:      {attacks} (chosen by the build)\n\
         network evaluation: {network} (chosen on this processor)\n\
         built-in network:   {checksum:08x}",
        version = env!("CARGO_PKG_VERSION"),
        arch = std::env::consts::ARCH,
        os = std::env::consts::OS,
        assertions = if cfg!(debug_assertions) { "on" } else { "off" },
        attacks = movegen::attacks::INSTRUCTIONS,
        network = Net::instructions(),
        checksum = Net::built_in().checksum(),
    )
}
