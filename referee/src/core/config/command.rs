//! The commands of players: whether they can reach the referee.

use super::player::Transport;
use super::{Config, Player};
use crate::core::text::shown;

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
