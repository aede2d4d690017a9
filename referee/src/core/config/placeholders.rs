//! What the referee replaces in the commands of players.

/// The words in braces. The name comes last: it may contain braces.
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
}
