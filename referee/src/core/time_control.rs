//! A time control as text: in the event file, in the stream of events, and in tags.

use epd::protocol::time_control::TimeControl;
use serde::{Deserialize, Serialize};

/// The tags with the time control of each side, where time is normalised.
pub const TAGS: [&str; 2] = ["WhiteTimeControl", "BlackTimeControl"];

/// A time control that is written as in the PGN tag `TimeControl`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control(pub TimeControl);

impl Default for Control {
    fn default() -> Self {
        Self(TimeControl::None)
    }
}

impl Serialize for Control {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Control {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(serde::de::Error::custom)
    }
}
