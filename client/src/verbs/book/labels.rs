//! The names of openings for the entries of a repository.

use std::collections::HashMap;

use book::{Entry, Name, Names};

/// The built-in names by position fields, for entries that have no name yet.
pub struct Labels(HashMap<String, Name>);

impl Labels {
    /// The built-in names, or none.
    pub fn new(are_wanted: bool) -> Self {
        let mut labels = HashMap::new();
        if are_wanted {
            let names = Names::built_in();
            let all = names.iter();
            labels.extend(all.map(|(position, name)| (book::fields(position), name.clone())));
        }
        Self(labels)
    }

    /// Gives an entry its name, unless it has one.
    pub fn label(&self, entry: &mut Entry) {
        if let Some(name) = self.0.get(&entry.fields)
            && entry.get("eco").is_none()
            && entry.get("v0").is_none()
        {
            name.operations().for_each(|operation| entry.set(operation));
        }
    }
}
