//! A configuration in words.

use std::fmt;

use humantime::format_duration;

use super::{Config, FormatName, Sprt};
use crate::core::broadcast::{Broadcast, Delay};
use crate::core::ending::DrawRule;
use crate::core::schedule::{self, OpeningOrder};
use crate::core::variant::Variant;

/// Describes the event in words, for `check`.
impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({})", self.event, self.site)?;
        let names: Vec<_> = self
            .players
            .iter()
            .map(|player| player.name.as_str())
            .collect();
        write!(f, "{} players: {}", self.player_count(), names.join(", "))?;
        if self.open_entries > 0 {
            write!(f, " and {} with any name", self.open_entries)?;
        }
        let started = self
            .players
            .iter()
            .filter(|player| player.command.is_some())
            .count();
        writeln!(f, "; {started} started by the referee")?;
        self.describe_connections(f)?;
        self.describe_games(f)?;
        let tie_breaks: Vec<_> = self.tie_breaks().iter().map(ToString::to_string).collect();
        if !tie_breaks.is_empty() {
            writeln!(f, "tie-breaks: {}", tie_breaks.join(", "))?;
        }
        if self.variant != Variant::Standard {
            writeln!(f, "variant {}", self.variant)?;
        }
        writeln!(
            f,
            "time control {}, time margin {:?}",
            self.time_control.0, self.rules.time_margin
        )?;
        self.describe_speeds(f)?;
        writeln!(
            f,
            "pauses: {} before each game, {} after each game",
            format_duration(self.delays.reset),
            format_duration(self.delays.conclude)
        )?;
        let draws = match self.rules.draws {
            DrawRule::Automatic => {
                "threefold repetition and the fifty-move rule end a game automatically"
            }
            DrawRule::Claims => {
                "players must claim draws by threefold repetition and the fifty-move rule"
            }
        };
        writeln!(f, "{draws}")?;
        if let Some(moves) = self.adjudication.max_moves {
            writeln!(f, "a game is drawn after {moves} moves of each side")?;
        }
        self.describe_openings(f)?;
        if let Some(observer) = &self.observer {
            write!(f, "\n{observer}")?;
        }
        if let Some(Ok(test)) = self.sprt.as_ref().map(Sprt::test) {
            write!(f, "\n{test}")?;
        }
        Ok(())
    }
}

impl Config {
    /// How players connect, and the page for viewers.
    fn describe_connections(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(tls) = &self.tls {
            let certificate = tls.certificate.display();
            writeln!(f, "connections use TLS with the certificate {certificate}")?;
        }
        if let Some(http) = &self.http {
            let Broadcast {
                delay,
                show_thinking,
                linger,
            } = self.broadcast;
            let thinking = match (show_thinking, delay) {
                (false, Delay::None | Delay::Plies(_)) => "after the opponent's reply",
                _ => "at once",
            };
            writeln!(
                f,
                "page for viewers at http://{http}/, delay {delay}, evaluations and lines {thinking}, there for {} \
                 after the end",
                format_duration(linger)
            )?;
        }
        Ok(())
    }

    /// How many games are played, and how many of them at the same time.
    fn describe_games(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = schedule::schedule(&self.pairings(1)).map_or(0, |games| games.len());
        match self.format {
            FormatName::RoundRobin => write!(f, "round robin, {games} games")?,
            FormatName::Gauntlet => write!(f, "gauntlet, {games} games")?,
            FormatName::Match => write!(f, "match, {games} games")?,
            FormatName::Swiss | FormatName::Knockout | FormatName::Ladder => {
                self.describe_growing(f)?;
            }
        }
        let at_once = self.games_at_once();
        write!(f, ", up to {at_once} at the same time")?;
        if at_once < self.concurrency {
            write!(
                f,
                " (concurrency is {}, but the players cannot play more games at once; see instances)",
                self.concurrency
            )?;
        }
        writeln!(f)
    }

    /// Where games begin.
    fn describe_openings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.openings {
            Some(openings) => {
                let file = openings.file.display();
                match openings.order {
                    OpeningOrder::Random => write!(f, "openings from {file}, seed {}", self.seed)?,
                    OpeningOrder::Sequential => {
                        write!(f, "openings from {file}, in its own order")?;
                    }
                }
                if openings.start > 1 {
                    write!(f, ", from number {} on", openings.start)?;
                }
            }
            None => match self.variant {
                Variant::Standard => write!(f, "every game begins from the starting position")?,
                Variant::Chess960 | Variant::Dfrc => {
                    write!(f, "starting positions drawn by seed {}", self.seed)?;
                }
            },
        }
        Ok(())
    }
}
