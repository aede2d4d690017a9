//! The arbiter's orders, and how they are written.
//!
//! An order is a line of words separated by blanks: `replace Ann 'Old Zoe' --reason 'she is ill'`. A word
//! that has blanks stands in quotes, `'` or `"`; a quote inside such a word is doubled. The same line is
//! typed on the referee's standard input, sent by `epode-referee control`, and kept in the journal.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _};
use clap::{CommandFactory as _, Parser as _};
use movegen::Color;
use movegen::pgn::Outcome;

use crate::core::secret::Secret;

/// The most time that one order adds to a clock.
const MAX_EXTENSION: Duration = Duration::from_hours(24);

/// An order of the arbiter.
#[derive(Clone, Debug, PartialEq, clap::Subcommand)]
pub enum Order {
    /// Show the standings
    Status,
    /// List the games in progress: clocks, who is asked, how long it is silent
    Games,
    /// Start no new games, or stop a game with its clocks
    Pause {
        /// The number of the game
        game: Option<usize>,
    },
    /// Start new games again, or go on with a paused game
    Resume {
        /// The number of the game
        game: Option<usize>,
    },
    /// Tell all players in games something
    Message {
        /// The text
        #[arg(required = true, value_name = "TEXT")]
        words: Vec<String>,
    },
    /// End a game with a result
    Adjudicate {
        /// The number of the game
        game: usize,
        /// The result
        #[arg(value_parser = outcome_values().map(outcome))]
        result: Outcome,
    },
    /// End a game without a result
    Abort {
        /// The number of the game
        game: usize,
    },
    /// Pair the first round of a Swiss or knockout event although places are vacant
    Begin,
    /// Let a player lose a game, or all its games that are not finished
    Forfeit {
        /// The player's name
        player: String,
        /// The number of the game; without it, the player is out of the event
        #[arg(value_parser = game_of_player)]
        game: Option<usize>,
    },
    /// Let a player who is out of the event play again
    Readmit {
        /// The player's name
        #[arg(required = true, value_name = "PLAYER")]
        words: Vec<String>,
    },
    /// Cancel the result of a game and play it again
    Replay {
        /// The number of the game
        game: usize,
    },
    /// Go back to the position after PLY half-moves, with its clocks
    Takeback {
        /// The number of the game
        game: usize,
        /// How many half-moves remain, as `ply` in events.jsonl; those of the opening count
        ply: usize,
    },
    /// Add time to a clock
    Extend {
        /// The number of the game
        game: usize,
        /// Whose clock
        #[arg(value_parser = PossibleValuesParser::new(["white", "black"]).map(side))]
        side: Color,
        /// How much, such as 30s or 2min
        #[arg(value_parser = extension)]
        duration: Duration,
    },
    /// Send both players the moves of a game again, and go on
    Reset {
        /// The number of the game
        game: usize,
    },
    /// Kill a player's program and start it again; its games go on
    Restart {
        /// The player's name
        #[arg(required = true, value_name = "PLAYER")]
        words: Vec<String>,
    },
    /// Give a player's place to another entrant or program
    Replace {
        /// The player's name
        player: String,
        /// The name of the new entrant; without it, the player keeps its name and gets a new program
        #[arg(value_name = "NEW")]
        name: Option<String>,
        /// The command that starts it; without it, the new entrant connects by itself
        #[arg(long)]
        command: Option<String>,
        /// The hash of its token, as `epode-referee token` prints it
        #[arg(long, value_name = "HASH")]
        token: Option<Secret>,
    },
    /// Disconnect a player, who may come back
    Kick {
        /// The player's name
        #[arg(required = true, value_name = "PLAYER")]
        words: Vec<String>,
    },
    /// Go on without an observer until one has caught up
    Alone,
    /// Let an observer take over the event
    Takeover,
    /// Disconnect all players and exit; the event can be resumed
    Quit,
}

/// An order, and what is noted about it.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct GivenOrder {
    /// The order
    #[command(subcommand)]
    pub order: Order,
    /// Why the order is given: for the journal, and for the players where a game is decided
    #[arg(long, global = true, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Who gives the order; by default the name of the user
    #[arg(long, global = true, value_name = "NAME")]
    pub by: Option<String>,
}

/// A line with an order.
#[derive(Debug, clap::Parser)]
#[command(
    no_binary_name = true,
    name = "",
    disable_help_flag = true,
    override_usage = "ORDER [--reason TEXT] [--by NAME]"
)]
struct OrderLine {
    #[command(flatten)]
    given: GivenOrder,
}

/// A line that is not an order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum NoOrder {
    #[error("")]
    Empty,
    /// It asks for the list of orders.
    #[error("{0}")]
    Help(String),
    #[error("{0}")]
    Wrong(String),
}

impl Order {
    /// Whether it shows something and changes nothing.
    #[must_use]
    pub const fn looks_only(&self) -> bool {
        matches!(self, Self::Status | Self::Games)
    }

    /// The number of the game that it is about, if it is about one.
    #[must_use]
    pub const fn game(&self) -> Option<usize> {
        match self {
            Self::Pause { game } | Self::Resume { game } | Self::Forfeit { game, .. } => *game,
            Self::Adjudicate { game, .. }
            | Self::Abort { game }
            | Self::Replay { game }
            | Self::Takeback { game, .. }
            | Self::Extend { game, .. }
            | Self::Reset { game } => Some(*game),
            _ => None,
        }
    }
}

/// The line of the order alone.
impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |words: &[String]| quoted(&words.join(" "));
        let number =
            |game: &Option<usize>| game.map_or_else(String::new, |game| format!(" {game}"));
        match self {
            Self::Status => f.write_str("status"),
            Self::Games => f.write_str("games"),
            Self::Pause { game } => write!(f, "pause{}", number(game)),
            Self::Resume { game } => write!(f, "resume{}", number(game)),
            Self::Message { words } => write!(f, "message {}", name(words)),
            Self::Adjudicate { game, result } => write!(f, "adjudicate {game} {}", short(*result)),
            Self::Abort { game } => write!(f, "abort {game}"),
            Self::Begin => f.write_str("begin"),
            Self::Forfeit { player, game } => {
                write!(f, "forfeit {}{}", quoted(player), number(game))
            }
            Self::Readmit { words } => write!(f, "readmit {}", name(words)),
            Self::Replay { game } => write!(f, "replay {game}"),
            Self::Takeback { game, ply } => write!(f, "takeback {game} {ply}"),
            Self::Extend {
                game,
                side,
                duration,
            } => {
                let time = humantime::format_duration(*duration).to_string();
                let (side, time) = (side_name(*side), time.replace(' ', ""));
                write!(f, "extend {game} {side} {time}")
            }
            Self::Reset { game } => write!(f, "reset {game}"),
            Self::Restart { words } => write!(f, "restart {}", name(words)),
            Self::Replace {
                player,
                name,
                command,
                token,
            } => {
                write!(f, "replace {}", quoted(player))?;
                if let Some(name) = name {
                    write!(f, " {}", quoted(name))?;
                }
                write_option(f, "command", command.as_ref())?;
                write_option(f, "token", token.as_ref())
            }
            Self::Kick { words } => write!(f, "kick {}", name(words)),
            Self::Alone => f.write_str("alone"),
            Self::Takeover => f.write_str("takeover"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

/// The whole line.
impl fmt::Display for GivenOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.order)?;
        write_option(f, "reason", self.reason.as_ref())?;
        write_option(f, "by", self.by.as_ref())
    }
}

fn write_option<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    value: Option<&T>,
) -> fmt::Result {
    match value {
        Some(value) => write!(f, " {}", quoted(&format!("--{name}={value}"))),
        None => Ok(()),
    }
}

impl FromStr for GivenOrder {
    type Err = NoOrder;

    fn from_str(line: &str) -> Result<Self, NoOrder> {
        let words = split(line);
        if words.is_empty() {
            return Err(NoOrder::Empty);
        }
        if let Some(help) = help_of(&words) {
            return Err(NoOrder::Help(help));
        }
        let parsed = OrderLine::try_parse_from(words);
        parsed.map(|line| line.given).map_err(|error| {
            let text = error.to_string().trim_end().to_owned();
            match error.kind() {
                clap::error::ErrorKind::DisplayHelp => NoOrder::Help(help()),
                _ => NoOrder::Wrong(text.trim_start_matches("error: ").to_owned()),
            }
        })
    }
}

impl FromStr for Order {
    type Err = NoOrder;

    fn from_str(line: &str) -> Result<Self, NoOrder> {
        line.parse::<GivenOrder>().map(|given| given.order)
    }
}

/// The help of one order: `help extend`, `extend --help`.
fn help_of(words: &[String]) -> Option<String> {
    let name = match words {
        [first, name] if first == "help" => name,
        [name, rest @ ..] if rest.iter().any(|word| word == "--help" || word == "-h") => name,
        _ => return None,
    };
    let mut command = OrderLine::command();
    command.build();
    let order = command.find_subcommand_mut(name)?;
    Some(order.render_long_help().to_string().trim_end().to_owned())
}

/// The list of orders, one a line; `epode-referee control --help` explains their options.
fn help() -> String {
    let command = OrderLine::command();
    let lines = command.get_subcommands().map(|order| {
        let mut words = order.get_name().to_owned();
        for argument in order.get_positionals() {
            let name = argument.get_value_names().map_or_else(
                || argument.get_id().as_str().to_uppercase(),
                <[clap::builder::Str]>::concat,
            );
            words.push(' ');
            if argument.is_required_set() {
                words.push_str(&name);
            } else {
                words.extend(["[", &name, "]"]);
            }
        }
        let about = order.get_about().map(ToString::to_string);
        format!("{words:<26} {}", about.unwrap_or_default())
    });
    let lines: Vec<_> = lines.collect();
    format!(
        "{}\nAll take --reason TEXT and --by NAME. Quote a name or text of several words. `help ORDER` \
         explains an order.",
        lines.join("\n")
    )
}

/// Splits a line into words. A quote that does not begin a word is a letter like any other.
fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let (word, after) = match first {
            '\'' | '"' => unquoted(rest, first),
            _ => match rest.split_once(char::is_whitespace) {
                Some((word, after)) => (word.to_owned(), after),
                None => (rest.to_owned(), ""),
            },
        };
        words.push(word);
        rest = after.trim_start();
    }
    words
}

/// The word in quotes at the beginning of a text, and what follows it. A quote that is not closed is
/// closed by the end of the line.
fn unquoted(text: &str, quote: char) -> (String, &str) {
    let mut word = String::new();
    let mut rest = &text[1..];
    loop {
        let Some((part, after)) = rest.split_once(quote) else {
            return (word + rest, "");
        };
        word.push_str(part);
        match after.strip_prefix(quote) {
            Some(after) => {
                word.push(quote);
                rest = after;
            }
            None => return (word, after),
        }
    }
}

/// A word as [`split`] reads it.
fn quoted(word: &str) -> String {
    let is_plain =
        !word.is_empty() && !word.starts_with(['\'', '"']) && !word.contains(char::is_whitespace);
    if is_plain {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "''"))
    }
}

/// The result as an order names it.
const fn short(result: Outcome) -> &'static str {
    match result {
        Outcome::White => "1-0",
        Outcome::Black => "0-1",
        Outcome::Draw => "1/2",
    }
}

/// The number of a game after the name of a player, which may be two words without quotes.
fn game_of_player(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| {
        "expected the number of a game; a name of several words needs quotes: forfeit 'Old Ann'"
            .to_owned()
    })
}

/// The ways to write a result: the shortest ones, and those of PGN and of tables.
fn outcome_values() -> PossibleValuesParser {
    PossibleValuesParser::new([
        PossibleValue::new("1-0"),
        PossibleValue::new("0-1"),
        PossibleValue::new("1/2").aliases(["1/2-1/2", "=", "½-½", "½"]),
    ])
}

#[allow(clippy::needless_pass_by_value, reason = "clap passes it so")]
fn outcome(text: String) -> Outcome {
    match &*text {
        "1-0" => Outcome::White,
        "0-1" => Outcome::Black,
        _ => Outcome::Draw,
    }
}

/// The name of a side in orders.
#[must_use]
pub const fn side_name(side: Color) -> &'static str {
    match side {
        Color::White => "white",
        Color::Black => "black",
    }
}

#[allow(clippy::needless_pass_by_value, reason = "clap passes it so")]
fn side(text: String) -> Color {
    if text == "white" {
        Color::White
    } else {
        Color::Black
    }
}

fn extension(text: &str) -> Result<Duration, String> {
    let duration = humantime::parse_duration(text)
        .map_err(|_| "not a duration, expected for example 30s or 2min".to_owned())?;
    // Clocks count milliseconds.
    if duration.is_zero() || !duration.subsec_nanos().is_multiple_of(1_000_000) {
        return Err("expected at least 1ms, and whole milliseconds".to_owned());
    }
    if duration > MAX_EXTENSION {
        return Err("expected at most 1day".to_owned());
    }
    Ok(duration)
}

#[cfg(test)]
mod tests;
