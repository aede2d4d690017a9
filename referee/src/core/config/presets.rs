//! Presets: the rules of known events. A preset sets what the event file does not set itself.
//!
//! Each one is a file of TOML. Its first line names the event and says of when its rules are, and the comment of a
//! setting where the rule comes from. Lines with `#!` tell which rules the preset cannot set.

use std::fmt::Write as _;

use toml::{Table, Value};

/// The presets by name.
const PRESETS: [(&str, &str); 4] = [
    ("tcec", include_str!("presets/tcec.toml")),
    ("ccrl-blitz", include_str!("presets/ccrl-blitz.toml")),
    ("cct", include_str!("presets/cct.toml")),
    ("fide-swiss", include_str!("presets/fide-swiss.toml")),
];

/// The table that a preset adds to, but does not make: without the organiser's book it says nothing.
const NEEDS_OWN: &str = "openings";

/// The names of all presets.
pub fn names() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(name, _)| *name)
}

/// A setting of a preset.
struct Setting<'a> {
    /// The table that it is in; empty for the top level.
    table: &'a str,
    key: &'a str,
    /// The value as the preset's file has it.
    text: &'a str,
    /// Why it has this value.
    reason: &'a str,
}

impl Setting<'_> {
    /// The setting in the tables of a file, if that has it.
    fn of<'f>(&self, file: &'f Table) -> Option<&'f Value> {
        match self.table {
            "" => file.get(self.key),
            table => file.get(table)?.get(self.key),
        }
    }

    /// Whether it has no effect on this file.
    fn is_idle(&self, file: &Table) -> bool {
        self.table == NEEDS_OWN && !file.contains_key(NEEDS_OWN)
    }
}

/// The text of a preset.
fn find(name: &str) -> Option<&'static str> {
    let preset = PRESETS.iter().find(|(known, _)| *known == name);
    preset.map(|(_, text)| *text)
}

/// The settings of a preset.
fn settings(preset: &str) -> impl Iterator<Item = Setting<'_>> {
    let mut table = "";
    preset.lines().filter_map(move |line| {
        if let Some(name) = line.strip_prefix('[') {
            table = name.trim_end_matches(']');
        }
        let (setting, reason) = line.split_once("  # ")?;
        let (key, text) = setting.split_once(" = ")?;
        Some(Setting {
            table,
            key,
            text,
            reason,
        })
    })
}

/// Adds to the settings of an event file those of a preset. What the file has is kept as it is.
fn merge(file: &mut Table, preset: &str) {
    let preset: Table = preset.parse().expect("presets are TOML");
    for (key, value) in preset {
        match (file.get_mut(&key), value) {
            (Some(Value::Table(own)), Value::Table(table)) => {
                for (key, value) in table {
                    own.entry(key).or_insert(value);
                }
            }
            (None, value) if key != NEEDS_OWN => {
                file.insert(key, value);
            }
            _ => {}
        }
    }
}

/// The name of the preset in an event file's text, and the settings of the file.
fn read(text: &str) -> Option<(String, Table)> {
    let file: Table = text.parse().ok()?;
    let name = file.get("preset")?.as_str()?.to_owned();
    Some((name, file))
}

/// The settings of an event file together with those of a preset; `None` if there is no such preset, or the file is not
/// TOML.
pub(super) fn merged(name: &str, text: &str) -> Option<Table> {
    let preset = find(name)?;
    let mut file: Table = text.parse().ok()?;
    merge(&mut file, preset);
    Some(file)
}

/// The text of an event file with the settings of its preset in place of its name, so that a resumed event does not
/// depend on what the preset is by then. `None` if it has no preset.
#[must_use]
pub fn expanded(text: &str) -> Option<String> {
    let (name, mut file) = read(text)?;
    merge(&mut file, find(&name)?);
    file.remove("preset");
    let settings = toml::to_string(&file).ok()?;
    Some(format!(
        "# With the settings of preset = {name:?}.\n{settings}"
    ))
}

/// The value that a preset's file has as this text.
fn value(text: &str) -> Option<Value> {
    let mut table: Table = format!("value = {text}").parse().ok()?;
    table.remove("value")
}

/// Whether a line about what a preset cannot set begins with a setting that the file has: `rounds: ...`, or
/// `player.rating: ...` if all players have one.
fn is_covered(line: &str, file: &Table) -> bool {
    fn has(value: Option<&Value>, path: &[&str]) -> bool {
        match (value, path) {
            (None, _) => false,
            (Some(_), []) => true,
            (Some(Value::Array(all)), path) => all.iter().all(|one| has(Some(one), path)),
            (Some(value), [key, rest @ ..]) => has(value.get(key), rest),
        }
    }
    let place: Vec<_> = line
        .split(": ")
        .next()
        .unwrap_or_default()
        .split('.')
        .collect();
    has(file.get(place[0]), &place[1..])
}

/// Explains which settings the preset of an event file sets, for `check`. `None` if it has no preset.
#[must_use]
pub fn explain(text: &str) -> Option<String> {
    let (name, file) = read(text)?;
    let preset = find(&name)?;
    let title = preset.lines().next()?.trim_start_matches("# ");
    let mut told = format!("preset {name}: {title}\n");
    for setting in settings(preset) {
        let dot = if setting.table.is_empty() { "" } else { "." };
        let place = format!("{}{dot}{}", setting.table, setting.key);
        let Setting { text, reason, .. } = setting;
        // Writing to a string cannot fail.
        let _ = match setting.of(&file) {
            Some(own) if Some(own) == value(text).as_ref() => {
                writeln!(told, "  {place} = {text}, as your file says too: {reason}")
            }
            Some(own) => writeln!(
                told,
                "  {place} = {own}, as your file says; the preset has {text}: {reason}"
            ),
            None if setting.is_idle(&file) => {
                writeln!(told, "  {place} = {text}, once you give a file: {reason}")
            }
            None => writeln!(told, "  {place} = {text}: {reason}"),
        };
    }
    let open = preset.lines().filter_map(|line| line.strip_prefix("#! "));
    for line in open.filter(|line| !is_covered(line, &file)) {
        let _ = writeln!(told, "  not covered: {line}");
    }
    told.pop();
    Some(told)
}

#[cfg(test)]
mod tests {
    use super::super::Config;
    use super::*;

    const PLAYERS: &str =
        "[[player]]\nname = \"a\"\n[[player]]\nname = \"b\"\n[[player]]\nname = \"c\"\n";

    fn event(settings: &str) -> String {
        format!("event = \"x\"\n{settings}\n{PLAYERS}")
    }

    /// Every line of a preset is a setting with a reason, and each one is a setting of event files.
    #[test]
    fn presets_are_sound() {
        for (name, text) in PRESETS {
            let preset: Table = text.parse().expect(name);
            let count: usize = preset
                .values()
                .map(|value| value.as_table().map_or(1, Table::len))
                .sum();
            // `draw = { ... }` is one setting, and so is `[rules]` none.
            assert_eq!(settings(text).count(), count, "{name}");
            assert!(
                text.starts_with("# ") && settings(text).all(|setting| setting.reason.len() > 20),
                "{name}"
            );
            let rounds = if preset.contains_key("rounds") {
                "rounds = 2"
            } else {
                ""
            };
            let with_book = event(&format!(
                "preset = {name:?}\n{rounds}\nopenings = {{ file = \"b.epd\" }}"
            ));
            for text in [with_book, event(&format!("preset = {name:?}\n{rounds}"))] {
                let config = Config::read(&text).expect(name);
                let saved = expanded(&text).expect("a preset");
                assert!(saved.starts_with(&format!("# With the settings of preset = {name:?}.\n")));
                let saved = Config::read_saved(&saved).expect(&saved);
                let without_name = Config {
                    preset: None,
                    ..config
                };
                assert_eq!(format!("{saved:?}"), format!("{without_name:?}"));
            }
        }
    }

    #[test]
    fn the_file_overrides_the_preset() {
        let text = event(
            "preset = \"tcec\"\ntime_control = \"60+1\"\n[adjudication]\nwin = { score = 700, moves = 3 }",
        );
        let config = Config::read(&text).expect("sound");
        assert_eq!(config.time_control.0.to_string(), "60+1");
        // A table is merged, the value of a setting is not.
        let win = config.adjudication.win.expect("a rule");
        assert_eq!((win.score, win.moves, win.from_move), (700, 3, 0));
        let draw = config.adjudication.draw.expect("a rule");
        assert_eq!((draw.score, draw.moves, draw.from_move), (15, 5, 35));
        let told = explain(&text).expect("a preset");
        for line in [
            "  time_control = \"60+1\", as your file says; the preset has \"1800+5\": 30 minutes",
            "  adjudication.win = { moves = 3, score = 700 }, as your file says; the preset has { score = 1000, moves = 5 }",
            "  adjudication.draw = { score = 15, moves = 5, from_move = 35 }: \"TCEC draw rule\"",
            "  not covered: openings.file: ",
        ] {
            assert!(told.contains(&format!("\n{line}")), "{line}\n{told}");
        }
        assert!(!text.contains("[openings]") && config.openings.is_none());
    }

    /// What the file has itself is no longer to be set, and only what differs is contrasted.
    #[test]
    fn what_the_file_has_is_covered() {
        let settings =
            "preset = \"fide-swiss\"\nformat = \"swiss\"\nrounds = 2\ntime_control = \"60\"";
        let told = explain(&event(settings)).expect("a preset");
        assert!(
            told.contains("\n  format = \"swiss\", as your file says too: FIDE"),
            "{told}"
        );
        let open = |text: &str| -> Vec<String> {
            let told = explain(text).expect("a preset");
            let lines = told
                .lines()
                .filter_map(|line| line.strip_prefix("  not covered: "));
            lines
                .map(|line| line.split(": ").next().unwrap_or_default().to_owned())
                .collect()
        };
        assert_eq!(open(&event(settings)), ["concurrency", "player.rating"]);
        let rated = event(settings).replace("[[player]]", "[[player]]\nrating = 2000");
        assert_eq!(open(&rated), ["concurrency"]);
    }

    #[test]
    fn what_is_wrong_is_told() {
        let error = |settings: &str| {
            Config::read(&event(settings))
                .expect_err(settings)
                .to_string()
        };
        assert_eq!(
            error("preset = \"tcek\""),
            "preset \"tcek\" is unknown, expected one of \"tcec\", \"ccrl-blitz\", \"cct\", \"fide-swiss\""
        );
        // The line of the file is told as without a preset.
        assert!(error("preset = \"tcec\"\nconcurency = 2").contains("line 3, column 1"));
        // 9 rounds are too many for three players.
        assert!(error("preset = \"cct\"").contains("9 rounds for 3 players"));
        assert_eq!((explain(&event("")), expanded(&event(""))), (None, None));
    }

    #[test]
    fn a_book_of_the_file_gets_the_depth_of_the_preset() {
        let text = event("preset = \"ccrl-blitz\"");
        assert!(Config::read(&text).expect("sound").openings.is_none());
        assert!(
            explain(&text)
                .expect("it")
                .contains("  openings.plies = 24, once you give a file: ")
        );
        let text = event("preset = \"ccrl-blitz\"\nopenings = { file = \"b.epd\" }");
        assert_eq!(
            Config::read(&text)
                .expect("sound")
                .openings
                .expect("a book")
                .plies,
            24
        );
        assert!(
            explain(&text)
                .expect("it")
                .contains("  openings.plies = 24: ")
        );
    }
}
