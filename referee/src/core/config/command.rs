//! The commands of players: their placeholders, and whether they can reach the referee.

use super::player::Transport;
use super::{Config, Player};
use crate::core::text::shown;

/// What the referee replaces in a command. The name comes last: it may contain braces.
const PLACEHOLDERS: [&str; 4] = ["host", "port", "address", "name"];

/// The placeholders in braces, for messages.
pub(super) fn known_placeholders() -> String {
    PLACEHOLDERS.map(|word| format!("{{{word}}}")).join(", ")
}

/// Replaces the placeholders for host, port, address and name in a word of a command.
#[must_use]
pub fn replace_placeholders(word: &str, values: [&str; 4]) -> String {
    let pairs = PLACEHOLDERS.into_iter().zip(values);
    pairs.fold(word.to_owned(), |word, (placeholder, value)| {
        word.replace(&format!("{{{placeholder}}}"), value)
    })
}

/// A word in braces that the referee does not replace, such as `{adress}`. `${HOME}` is for a shell, and a text with
/// anything but small letters in the braces is no placeholder.
#[must_use]
pub fn unknown_placeholder(command: &str) -> Option<&str> {
    command.match_indices('{').find_map(|(start, _)| {
        let word = command[start + 1..].split_once('}')?.0;
        let is_word =
            !word.is_empty() && word.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'_'));
        let is_known = PLACEHOLDERS.contains(&word) || command[..start].ends_with('$');
        (is_word && !is_known).then_some(word)
    })
}

impl Player {
    /// Whether its command does not say where the referee is, although it has to connect to it.
    fn lacks_address(&self) -> bool {
        let Some(command) = &self.command else {
            return false;
        };
        let places = ["{address}", "{port}"];
        self.transport() == Transport::Network
            && !places.iter().any(|place| command.contains(place))
    }
}

impl Config {
    /// What the organiser should know of the commands.
    #[must_use]
    pub fn command_warnings(&self) -> Vec<String> {
        let players = self.players.iter().filter(|player| player.lacks_address());
        let warning = |player: &Player| {
            let command = shown(player.command.as_deref().unwrap_or_default());
            format!(
                "the command of {} has neither {{address}} nor {{port}}, so it may not find the referee; for a UCI \
                 engine: epode client {{address}} --name {{name}} --engine '{command}'",
                shown(&player.name)
            )
        };
        players.map(warning).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_words_in_braces() {
        for (command, unknown) in [
            ("epode client {address} --name {name}", None),
            ("epode client {host}:{port}", None),
            ("epode client {adress} --name {name}", Some("adress")),
            ("sh -c 'x ${port_of} {} { a } {A} {\"a\":1} {'", None),
            ("x {name} {Name} {nmae}", Some("nmae")),
        ] {
            assert_eq!(unknown_placeholder(command), unknown, "{command}");
        }
    }

    #[test]
    fn engines_are_no_players() {
        let text = "event = \"x\"\n[[player]]\nname = \"A\"\ncommand = \"stockfish\"\n\
                    [[player]]\nname = \"B\"\ncommand = \"x --port {port}\"\n\
                    [[player]]\nname = \"C\"\nstdio = true\ncommand = \"x\"\n";
        let warnings = Config::read(text).expect("sound").command_warnings();
        assert_eq!(
            warnings,
            [
                "the command of A has neither {address} nor {port}, so it may not find the referee; for a UCI engine: \
                 epode client {address} --name {name} --engine 'stockfish'"
            ]
        );
    }
}
