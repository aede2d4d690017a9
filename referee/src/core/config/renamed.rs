//! Settings that earlier versions called otherwise.

use std::fmt::Write as _;

/// A setting that earlier versions had under another name.
struct Renamed {
    /// The table that it is in; empty for the top level.
    table: &'static str,
    old: &'static str,
    new: &'static str,
}

impl Renamed {
    const fn new(table: &'static str, old: &'static str, new: &'static str) -> Self {
        Self { table, old, new }
    }

    /// The table that the setting is in, if the file has it.
    fn table_in<'a>(&self, root: &'a mut toml::Table) -> Option<&'a mut toml::Table> {
        match self.table {
            "" => Some(root),
            name => root.get_mut(name)?.as_table_mut(),
        }
    }
}

const RENAMED: [Renamed; 8] = [
    Renamed::new("", "advice", "limits"),
    Renamed::new("", "cycles", "rounds"),
    Renamed::new("rules", "margin", "time_margin"),
    Renamed::new("rules", "grace", "reconnect_timeout"),
    Renamed::new("rules", "stall", "move_timeout"),
    Renamed::new("rules", "mate_wait", "mate_reply_timeout"),
    Renamed::new("rules", "sign_on", "sign_on_timeout"),
    Renamed::new("rules", "connections", "max_connections"),
];

/// A line for each setting of a file that has an old name, to follow an error message.
pub(super) fn renamed_settings(text: &str) -> String {
    let Ok(mut root) = text.parse::<toml::Table>() else {
        return String::new();
    };
    let mut lines = String::new();
    for renamed in &RENAMED {
        let table = renamed.table_in(&mut root);
        if table.is_some_and(|table| table.contains_key(renamed.old)) {
            let _ = write!(
                lines,
                "\nthe setting `{}` is now called `{}`",
                renamed.old, renamed.new
            );
        }
    }
    lines
}

/// Gives the settings of a file that have old names their present ones.
pub(super) fn rename_settings(root: &mut toml::Table) {
    for renamed in &RENAMED {
        if let Some(table) = renamed.table_in(root)
            && !table.contains_key(renamed.new)
            && let Some(value) = table.remove(renamed.old)
        {
            table.insert(renamed.new.to_owned(), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::config::Config;

    const OLD: &str = "event = \"x\"\ncycles = 3\nformat = \"round-robin\"\n\
            advice = { nodes = 7 }\n[rules]\nmargin = \"1s\"\ngrace = \"2s\"\nstall = \"3s\"\n\
            mate_wait = \"4s\"\nsign_on = \"5s\"\nconnections = 6\n\
            [[player]]\nname = \"a\"\n[[player]]\nname = \"b\"\n";

    fn error(text: &str) -> String {
        Config::read(text).expect_err(text).to_string()
    }

    #[test]
    fn old_names_are_refused_with_the_new_ones() {
        let refused = error(OLD);
        assert!(refused.contains("unknown field"), "{refused}");
        for renamed in &RENAMED {
            let (old, new) = (renamed.old, renamed.new);
            assert!(OLD.contains(&format!("\n{old} = ")), "{old} is not tested");
            let line = format!("\nthe setting `{old}` is now called `{new}`");
            assert!(refused.contains(&line), "{refused}");
        }
        // A setting of the same name in another table is not meant.
        let refused = error(&OLD.replace("[rules]", "[rulez]"));
        assert!(!refused.contains("time_margin"), "{refused}");
    }

    #[test]
    fn a_saved_event_may_have_old_names() {
        let config = Config::read_saved(OLD).expect("readable");
        let rules = config.rules;
        let seconds = [
            rules.time_margin,
            rules.reconnect_timeout,
            rules.move_timeout,
            rules.mate_reply_timeout,
            rules.sign_on_timeout,
        ];
        assert_eq!(seconds.map(|time| time.as_secs()), [1, 2, 3, 4, 5]);
        assert_eq!((rules.max_connections, config.rounds()), (6, 3));
        assert_eq!(config.limits.nodes, Some(7));
        // Whatever else is wrong is told with its line.
        let error = Config::read_saved(&OLD.replace("\"4s\"", "\"4x\"")).expect_err("4x");
        assert!(
            error.to_string().contains("TOML parse error at line"),
            "{error}"
        );
    }
}
