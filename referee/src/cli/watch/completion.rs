//! What may come next in an order that is being typed.

use clap::{Arg, Args as _, Command};
use referee::event::{GivenOrder, Order};

use super::state::State;

/// What may stand in place of the word before the cursor.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Where the word begins.
    pub start: usize,
    pub candidates: Vec<Candidate>,
    /// What is expected there, in words.
    pub hint: String,
}

/// A word that may be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The word as orders have it: in quotes if need be.
    pub word: String,
    pub about: String,
}

impl Candidate {
    fn new(word: impl Into<String>, about: impl Into<String>) -> Self {
        Self {
            word: word.into(),
            about: about.into(),
        }
    }
}

impl Completion {
    /// What may come at the end of a text.
    pub fn of(state: &State, text: &str) -> Self {
        let (words, start) = split(text);
        let orders = GivenOrder::augment_args(Command::new("order"));
        let fragment = &text[start..];
        let (mut candidates, hint) = match words.split_first() {
            None => (orders_of(&orders), "an order".to_owned()),
            Some((order, words)) => match orders.find_subcommand(order) {
                Some(command) if fragment.starts_with('-') => {
                    (options(command, &orders), String::new())
                }
                Some(command) => argument(state, command, words),
                None => (Vec::new(), format!("there is no order {order}")),
            },
        };
        candidates.retain(|candidate| fits(&candidate.word, fragment));
        Self {
            start,
            candidates,
            hint,
        }
    }

    /// What all candidates begin with.
    pub fn common(&self) -> Option<String> {
        let mut words = self.candidates.iter().map(|candidate| &candidate.word);
        let first = words.next()?.clone();
        Some(words.fold(first, |common, word| {
            let letters = common.chars().zip(word.chars());
            letters
                .take_while(|(one, other)| one == other)
                .map(|(one, _)| one)
                .collect()
        }))
    }
}

/// The whole words of a line, and where the last, unfinished one begins.
fn split(text: &str) -> (Vec<String>, usize) {
    let mut words = Vec::new();
    let mut start = 0;
    loop {
        let rest = text[start..].trim_start();
        start = text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            return (words, start);
        };
        let end = match first {
            '\'' | '"' => rest[1..].find(first).map(|end| end + 2),
            _ => rest.find(char::is_whitespace),
        };
        // A word ends with the blank after it.
        let Some(end) = end.filter(|&end| end < rest.len()) else {
            return (words, start);
        };
        words.push(rest[..end].trim_matches(['\'', '"']).to_owned());
        start += end;
    }
}

/// Whether a word may be what has been typed of it.
fn fits(word: &str, typed: &str) -> bool {
    let plain = |text: &str| text.trim_start_matches(['\'', '"']).to_lowercase();
    plain(word).starts_with(&plain(typed))
}

fn orders_of(orders: &Command) -> Vec<Candidate> {
    let orders = orders.get_subcommands().map(|order| {
        let about = order.get_about().map(ToString::to_string);
        Candidate::new(order.get_name(), about.unwrap_or_default())
    });
    orders.collect()
}

fn options(order: &Command, all: &Command) -> Vec<Candidate> {
    let arguments = order.get_arguments().chain(all.get_arguments());
    let options = arguments.filter_map(|argument| {
        let name = argument.get_long()?;
        Some(Candidate::new(format!("--{name}"), about(argument)))
    });
    options.collect()
}

fn about(argument: &Arg) -> String {
    argument
        .get_help()
        .map(ToString::to_string)
        .unwrap_or_default()
}

/// What an order expects after these words.
fn argument(state: &State, order: &Command, words: &[String]) -> (Vec<Candidate>, String) {
    let mut place = 0;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.strip_prefix("--") {
            // Its value is the next word.
            Some(option) if !option.contains('=') => {
                words.next();
            }
            Some(_) => {}
            None => place += 1,
        }
    }
    let mut arguments = order.get_positionals();
    let Some(argument) = arguments.nth(place) else {
        return (Vec::new(), "--reason TEXT says why".to_owned());
    };
    let values = argument.get_possible_values();
    let value_name = argument.get_value_names().and_then(|names| names.first());
    let candidates = if argument.get_id() == "game" {
        games(state, order.get_name())
    } else if argument.get_id() == "player" || value_name.is_some_and(|name| name == "PLAYER") {
        players(state)
    } else {
        let values = values
            .iter()
            .map(|value| Candidate::new(value.get_name(), ""));
        values.collect()
    };
    (candidates, about(argument))
}

/// The games that an order may be about.
fn games(state: &State, order: &str) -> Vec<Candidate> {
    let view = &state.view;
    let games: Vec<usize> = match order {
        "replay" => view.finished().iter().rev().copied().collect(),
        "resume" => {
            let paused = view.running().filter(|game| game.game.is_paused);
            paused.map(|game| game.game.game).collect()
        }
        _ => view.running().map(|game| game.game.game).collect(),
    };
    let name = |player: usize| view.names.get(player).map_or("", String::as_str);
    let games = games.into_iter().map(|number| {
        let pairing = view.results.pairing(number);
        let about =
            pairing.map(|pairing| format!("{} - {}", name(pairing.white), name(pairing.black)));
        Candidate::new(number.to_string(), about.unwrap_or_default())
    });
    games.collect()
}

fn players(state: &State) -> Vec<Candidate> {
    let names = state.view.names.iter().filter(|name| !name.is_empty());
    names.map(|name| Candidate::new(quoted(name), "")).collect()
}

/// A name as orders have it.
fn quoted(name: &str) -> String {
    let order = Order::Kick {
        words: vec![name.to_owned()],
    };
    let line = order.to_string();
    line.strip_prefix("kick ").unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::watch::draw::theme::Theme;

    fn words(text: &str) -> Vec<String> {
        let mut state = State::new("cup".to_owned(), true, Theme::new(false));
        state.view = crate::cli::watch::sample::view();
        let completion = Completion::of(&state, text);
        let words = completion.candidates.into_iter();
        words.map(|candidate| candidate.word).collect()
    }

    #[test]
    fn orders_games_players_and_values_are_completed() {
        for (text, expected) in [
            (
                "re",
                &["resume", "readmit", "replay", "reset", "restart", "replace"][..],
            ),
            ("adj", &["adjudicate"]),
            ("adjudicate ", &["2", "3"]),
            ("adjudicate 2 ", &["1-0", "0-1", "1/2"]),
            ("adjudicate 2 1", &["1-0", "1/2"]),
            ("extend 2 b", &["black"]),
            ("replay ", &["1"]),
            ("resume ", &["3"]),
            ("kick ", &["'Old Ann'", "Bob", "王者"]),
            ("kick 'o", &["'Old Ann'"]),
            ("kick old", &["'Old Ann'"]),
            ("forfeit 'Old Ann' ", &["2", "3"]),
            ("forfeit --by 'the arbiter' B", &["Bob"]),
            ("pause 2 --r", &["--reason"]),
            (
                "replace Bob --",
                &["--command", "--token", "--reason", "--by"],
            ),
            ("nonsense ", &[]),
            ("message ", &[]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn the_common_part_is_found() {
        let completion = |text: &str| {
            let state = State::new("cup".to_owned(), true, Theme::new(false));
            Completion::of(&state, text).common()
        };
        assert_eq!(completion("rep").as_deref(), Some("repla"));
        assert_eq!(completion("st").as_deref(), Some("status"));
        assert_eq!(completion("z"), None);
    }
}
