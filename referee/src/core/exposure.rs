//! What an event leaves open to strangers who can reach its address.

use crate::core::config::Config;

/// How many names a warning lists.
const MAX_NAMES: usize = 3;

/// Who may sign on under a name that has no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Whoever knows the password of the event.
    Password,
    /// Anyone.
    Anyone,
}

/// Warnings for the organiser of an event that other machines can reach at `listen`.
#[must_use]
pub fn warnings(config: &Config, listen: &str, entry: Entry) -> Vec<String> {
    let mut warnings = Vec::new();
    if config.tls.is_none() {
        let mut players = config.players.iter();
        let has_tokens = config.observer.is_some() || players.any(|player| player.token.is_some());
        let secrets = match (entry, has_tokens) {
            (Entry::Password, false) => " and the password",
            (Entry::Password, true) => ", the password and the tokens",
            (Entry::Anyone, true) => " and the tokens",
            (Entry::Anyone, false) => "",
        };
        warnings.push(format!(
            "connections to {listen} are not encrypted: whoever can listen on the network reads the games\
             {secrets}, and can change moves (set `tls` in the event file)"
        ));
    }
    let who = match entry {
        Entry::Password => "whoever knows the password".to_owned(),
        Entry::Anyone => format!("anyone who reaches {listen}"),
    };
    let names = config
        .players
        .iter()
        .filter(|player| player.token.is_none());
    let names: Vec<_> = names.map(|player| player.name.as_str()).collect();
    if !names.is_empty() {
        warnings.push(format!(
            "{who} can play as {}: no token is set (`epode-referee token NAME` makes one)",
            list(&names)
        ));
    }
    if config.open_entries > 0 {
        let places = config.open_entries;
        warnings.push(format!(
            "{who} can take one of {places} places for any name"
        ));
    }
    warnings
}

/// Whether a password keeps anyone out: not if all players have tokens.
#[must_use]
pub fn needs_password(config: &Config) -> bool {
    config.open_entries > 0 || config.players.iter().any(|player| player.token.is_none())
}

/// `Ann`, `Ann or Bob`, `Ann, Bob, Cid or 5 others`.
fn list(names: &[&str]) -> String {
    let shown = names.len().min(MAX_NAMES);
    let mut parts: Vec<_> = names[..shown].iter().map(ToString::to_string).collect();
    match names.len() - shown {
        0 => {}
        1 => parts.push(names[shown].to_owned()),
        rest => parts.push(format!("{rest} others")),
    }
    match parts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(head: &str, players: &[&str]) -> Config {
        let players = players
            .iter()
            .map(|player| format!("[[player]]\n{player}\n"));
        let players: String = players.collect();
        Config::read(&format!("event = \"x\"\n{head}\n{players}")).expect("sound")
    }

    const TLS: &str = "tls = { certificate = \"a\", key = \"b\" }";
    const ANN: &str = "name = \"Ann\"";
    const BOB: &str = "name = \"Bob\"";

    fn with_token(player: &str) -> String {
        format!("{player}\ntoken = \"sha256:{}\"", "0a".repeat(32))
    }

    #[test]
    fn what_is_open_to_whom() {
        let open = config("", &[ANN, BOB]);
        let said = warnings(&open, "0.0.0.0:1", Entry::Anyone).join("\n");
        assert!(
            said.contains("connections to 0.0.0.0:1 are not encrypted"),
            "{said}"
        );
        assert!(said.contains("reads the games, and can change"), "{said}");
        assert!(
            said.contains("anyone who reaches 0.0.0.0:1 can play as Ann or Bob:"),
            "{said}"
        );
        let half = config("open_entries = 2", &[&with_token(ANN), BOB]);
        let said = warnings(&half, "x", Entry::Password).join("\n");
        assert!(
            said.contains("the games, the password and the tokens,"),
            "{said}"
        );
        assert!(
            said.contains("whoever knows the password can play as Bob:"),
            "{said}"
        );
        assert!(said.contains("can take one of 2 places"), "{said}");
        let closed = config(TLS, &[&with_token(ANN), &with_token(BOB)]);
        assert_eq!(warnings(&closed, "x", Entry::Anyone), [""; 0]);
        assert!(!needs_password(&closed) && needs_password(&half) && needs_password(&open));
    }

    #[test]
    fn long_lists_of_names_are_cut() {
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b", "c", "d"]), "a, b, c or d");
        assert_eq!(list(&["a", "b", "c", "d", "e"]), "a, b, c or 2 others");
    }
}
