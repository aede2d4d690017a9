//! The features that an engine declares with `feature NAME=VALUE ...`.

use crate::engines::options::Options;
use crate::text::printable;

/// The features of an engine. Until it declares others, they have the default values of the protocol, which
/// are also those of engines of version 1.
#[derive(Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a feature of its own"
)]
pub struct Features {
    /// The name of the engine.
    pub name: Option<String>,
    /// It answers `ping`.
    pub ping: bool,
    /// It takes positions by `setboard`.
    pub setboard: bool,
    /// Moves are sent after the word `usermove`.
    pub usermove: bool,
    /// Moves are sent in SAN.
    pub san: bool,
    /// `time`: it takes `time` and `otim`.
    pub time: bool,
    /// `draw`: it takes the opponent's draw offers.
    pub draw: bool,
    /// It can play several games.
    pub reuse: bool,
    /// It has the command `analyze`.
    pub analyze: bool,
    /// `colors`: it takes `white` and `black`.
    pub colors: bool,
    /// It takes the size of its tables by `memory`.
    pub memory: bool,
    /// It takes the number of threads by `cores`.
    pub smp: bool,
    /// It takes a number of nodes instead of a second by `nps`.
    pub nps: bool,
    /// The variants that it plays.
    pub variants: Vec<String>,
    /// The kinds of endgame tables that it reads.
    pub tables: Vec<String>,
    /// Its own options.
    pub options: Options,
    /// Whether it has told with `done` that there are more features to come, or that these were all.
    pub done: Option<bool>,
}

impl Default for Features {
    fn default() -> Self {
        Self {
            name: None,
            ping: false,
            setboard: false,
            usermove: false,
            san: false,
            time: true,
            draw: true,
            reuse: true,
            analyze: true,
            colors: true,
            memory: false,
            smp: false,
            nps: false,
            variants: vec!["normal".to_owned()],
            tables: Vec::new(),
            options: Options::default(),
            done: None,
        }
    }
}

impl Features {
    /// Takes in the features of a line, and returns the answer to each.
    pub fn take(&mut self, line: &str) -> Vec<String> {
        let declared = pairs(line).into_iter();
        let answers = declared.map(|(name, value)| {
            let is_known = self.set(name, value);
            let word = if is_known { "accepted" } else { "rejected" };
            format!("{word} {name}")
        });
        answers.collect()
    }

    /// Sets a feature; false if it is not known or not supported.
    fn set(&mut self, name: &str, value: &str) -> bool {
        let flag = value == "1";
        let list = || value.split(',').map(|word| word.trim().to_owned());
        match name {
            "ping" => self.ping = flag,
            "setboard" => self.setboard = flag,
            "usermove" => self.usermove = flag,
            "san" => self.san = flag,
            "time" => self.time = flag,
            "draw" => self.draw = flag,
            "reuse" => self.reuse = flag,
            "analyze" => self.analyze = flag,
            "colors" => self.colors = flag,
            "memory" => self.memory = flag,
            "smp" => self.smp = flag,
            "nps" => self.nps = flag,
            "myname" => self.name = Some(printable(value.trim())),
            "variants" => self.variants = list().collect(),
            "egt" => self.tables = list().collect(),
            "option" => self.options.add_xboard(value),
            "done" => self.done = Some(flag),
            // Nothing follows from these here: no signals are sent, and no names.
            "sigint" | "sigterm" | "name" | "playother" | "debug" => {}
            _ => return false,
        }
        true
    }

    pub fn plays(&self, variant: &str) -> bool {
        self.variants.iter().any(|name| name == variant)
    }
}

/// What a line declares, if it declares features. A prompt may stand before it.
pub fn declaration(line: &str) -> Option<&str> {
    let line = line.trim_start();
    if let Some(declared) = line.strip_prefix("feature ") {
        return Some(declared);
    }
    let (_, declared) = line.split_once(": feature ")?;
    Some(declared)
}

/// The pairs `NAME=VALUE` of a line, whose values may be quoted.
fn pairs(line: &str) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    let mut rest = line.trim();
    while let Some((name, after)) = rest.split_once('=') {
        let end = |end: Option<usize>| end.unwrap_or(after.len());
        let (value, next) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_at(end(after.find(char::is_whitespace))),
        };
        // What stands between two pairs is no feature.
        let name = name.split_whitespace().last().unwrap_or_default();
        pairs.push((name, value));
        rest = next.trim_start();
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read() {
        let mut features = Features::default();
        let answers = features.take(
            "myname=\"Crafty 25.6 = best\" ping=1 setboard=1 san=1 colors=0 nps=1 pause=1 draw=0",
        );
        let expected = [
            "accepted myname",
            "accepted ping",
            "accepted setboard",
            "accepted san",
            "accepted colors",
            "accepted nps",
            "rejected pause",
            "accepted draw",
        ];
        assert_eq!(answers, expected);
        assert_eq!(features.name.as_deref(), Some("Crafty 25.6 = best"));
        assert!(features.ping && features.setboard && features.san && features.nps);
        assert!(features.time && features.reuse && !features.colors && !features.draw);
        features.take("variants=\"normal, fischerandom\" option=\"Level -spin 3 1 9\" done=0");
        assert!(features.plays("fischerandom") && !features.plays("atomic"));
        let command = features.options.xboard_command("level", "9");
        assert_eq!(command.as_deref(), Ok("option Level=9"));
        assert_eq!(features.done, Some(false));
        features.take("done=1");
        assert_eq!(features.done, Some(true));
    }

    #[test]
    fn declarations_are_found() {
        assert_eq!(declaration("feature ping=1"), Some("ping=1"));
        assert_eq!(declaration("White (1) : feature done=0"), Some("done=0"));
        assert_eq!(declaration("features: none"), None);
    }

    #[test]
    fn odd_lines_do_no_harm() {
        for (line, expected) in [
            ("", vec![]),
            ("ping", vec![]),
            ("ping=", vec![("ping", "")]),
            ("a=\"open", vec![("a", "open")]),
            ("and ping=1  san=0", vec![("ping", "1"), ("san", "0")]),
            ("=1", vec![("", "1")]),
        ] {
            assert_eq!(pairs(line), expected, "{line}");
        }
    }
}
