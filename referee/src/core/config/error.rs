//! What makes an event file unusable.

use super::placeholders::known_placeholders;
use super::player::TransportError;
use crate::core::{schedule, sprt};

/// An event file that cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ConfigError {
    /// Not TOML, or a setting of the wrong name or type; the message quotes the line.
    #[error("{0}")]
    Syntax(String),
    #[error("preset {0:?} is unknown, expected one of {1}")]
    Preset(String, String),
    #[error("two players have the name {0:?}")]
    TwoNames(String),
    #[error("a player has an empty name")]
    NoName,
    #[error("player {0:?} has a space at an end of its name: nobody can sign on with that name")]
    SpaceAtEnd(String),
    #[error(
        "the command of player {0:?} has {{{1}}}, which is no placeholder; expected one of {known}",
        known = known_placeholders()
    )]
    Placeholder(String, String),
    #[error("concurrency is 0, expected at least 1")]
    Concurrency,
    #[error("player {0:?} has instances = 0, expected at least 1")]
    Instances(String),
    #[error(transparent)]
    Transport(#[from] TransportError),
    #[error(
        "opening {1} does not begin from the starting position, but player {0:?} has dialect = \"kit\": \
         the EPD Kit cannot set up positions; use openings that are games from the starting position \
         (PGN), or none"
    )]
    KitOpening(String, usize),
    #[error("[adjudication]: mode is about tablebases, but there is no `tablebases`")]
    Mode,
    #[error("[openings]: start is {0}, expected from 1 to {1}, the number of openings")]
    OpeningStart(usize, usize),
    #[error("[openings]: start is 0, expected at least 1")]
    OpeningStartZero,
    #[error("ping is below 1s")]
    Ping,
    #[error("[time_normalization]: {0}")]
    TimeNormalization(&'static str),
    #[error("player {0:?} has speed = 0, expected nodes a second as `epode bench` prints them")]
    Speed(String),
    #[error("[observer]: {0}")]
    Observer(&'static str),
    #[error("[{0}] is about events with format = \"{0}\"")]
    OtherFormat(&'static str),
    #[error("`{0}` is about events with format = {1}")]
    OtherFormatKey(&'static str, String),
    #[error("forbidden: no player has the name {0:?}")]
    Forbidden(String),
    #[error("player {0:?} has an anchor of {1} and a rating of {2}, expected one of them")]
    Anchor(String, u32, u32),
    #[error("player {0:?} has a bye in round {1}, expected a round from 1 to {2}")]
    Bye(String, usize, usize),
    #[error("[sprt]: {0}")]
    Sprt(sprt::SprtError),
    #[error("[sprt] compares two players, but the event has {0}")]
    SprtPlayers(usize),
    #[error(transparent)]
    Schedule(#[from] schedule::ScheduleError),
}
