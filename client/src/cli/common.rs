//! What several verbs share: arguments, and the reading of values.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::Args as Arguments;
use engine::Net;

/// The network of the built-in engine.
#[derive(Clone, Debug, Default, Arguments)]
pub struct NetFile {
    /// Evaluate with the network in this file instead of the built-in one
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
}

impl NetFile {
    /// The network.
    pub fn load(&self) -> anyhow::Result<Arc<Net>> {
        match &self.net {
            None => Ok(Net::built_in()),
            Some(path) => read_net(path).map(Arc::new),
        }
    }
}

/// The network of a file.
pub fn read_net(path: &Path) -> anyhow::Result<Net> {
    let name = || path.display().to_string();
    let bytes = std::fs::read(path).with_context(name)?;
    Net::from_bytes(&bytes).with_context(name)
}

/// How verbs that write EPD files treat other lines and an existing output.
#[derive(Clone, Copy, Debug, Arguments)]
pub struct Rewrite {
    /// Drop blank lines, comments and lines that cannot be read, instead of copying them unchanged
    #[arg(long)]
    pub drop_unreadable: bool,
    /// Overwrite OUT even if it is read-only
    #[arg(long)]
    pub force: bool,
}

/// Whether a byte may occur in an opcode (EPD 5.1).
pub fn is_opcode_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// A number with a unit; seconds without one.
pub fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|letter: char| letter != '.' && !letter.is_ascii_digit());
    let (number, unit) = text.split_at(digits.unwrap_or(text.len()));
    let seconds = match unit {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit {unit:?}, expected ms, s, m or h")),
    };
    let number: f64 = number
        .parse()
        .map_err(|_| "expected a number and a unit, such as 500ms".to_owned())?;
    Duration::try_from_secs_f64(number * seconds)
        .ok()
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| "expected a time above zero and of finite length".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (text, milliseconds) in [
            ("1s", 1000),
            ("500ms", 500),
            ("1.5s", 1500),
            ("2m", 120_000),
            ("3", 3000),
            ("1h", 3_600_000),
        ] {
            assert_eq!(
                duration(text),
                Ok(Duration::from_millis(milliseconds)),
                "{text}"
            );
        }
        for text in ["", "s", "1d", "0s", "-1s", "1..2s", "1e99h"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
