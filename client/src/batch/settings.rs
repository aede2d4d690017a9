//! The options of a run that affect its results: a run can be resumed only with the same ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Options by name, such as `--nodes`, with their values in words. One that was not given, and has no
/// default, is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Settings(BTreeMap<String, String>);

impl Settings {
    pub fn set(&mut self, name: impl Into<String>, value: impl Display) {
        self.0.insert(name.into(), value.to_string());
    }

    /// Sets an option if it has a value.
    pub fn set_some(&mut self, name: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.set(name, value);
        }
    }

    /// Sets an option that takes a time.
    pub fn set_time(&mut self, name: &str, time: Option<Duration>) {
        self.set_some(name, time.map(|time| format!("{time:?}")));
    }

    /// Sets an option without a value, if it was given.
    pub fn set_flag(&mut self, name: &str, is_given: bool) {
        self.set_some(name, is_given.then_some("given"));
    }

    /// How other settings differ from these, a phrase for each option.
    pub fn differences(&self, now: &Self) -> Vec<String> {
        let names: BTreeSet<_> = self.0.keys().chain(now.0.keys()).collect();
        let value = |of: &Self, name| {
            let value = of.0.get(name).map(String::as_str);
            value.unwrap_or("not given").to_owned()
        };
        names
            .into_iter()
            .filter(|&name| self.0.get(name) != now.0.get(name))
            .map(|name| format!("{name} was {}, is {}", value(self, name), value(now, name)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_told_in_words() {
        let mut before = Settings::default();
        before.set("--nodes", 1000);
        before.set("--write", "default");
        before.set_time("--time", Some(Duration::from_millis(500)));
        before.set_flag("--soft", true);
        assert_eq!(before.differences(&before), [""; 0]);
        let mut now = before.clone();
        now.set("--nodes", 2000);
        now.set_some("--hash", Some(64));
        now.0.remove("--time");
        now.0.remove("--soft");
        assert_eq!(
            before.differences(&now),
            [
                "--hash was not given, is 64",
                "--nodes was 1000, is 2000",
                "--soft was given, is not given",
                "--time was 500ms, is not given",
            ]
        );
    }
}
