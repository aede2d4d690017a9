//! Durations in the event file.

use std::time::Duration;

use serde::Deserialize;

/// Reads `5s`, `100ms`, `1min`.
pub fn duration<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(deserializer)?;
    humantime::parse_duration(&text).map_err(|error| {
        serde::de::Error::custom(format!(
            "{text:?} is not a duration ({error}), expected for example 5s, 100ms or 1min"
        ))
    })
}
