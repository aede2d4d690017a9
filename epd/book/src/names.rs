//! The names of openings.

use std::collections::HashMap;

use epd::{LineKind, Lines, Operation, Reader, Record};
use movegen::Position;

use crate::entry::Entry;
use crate::error::{BookError, EntryError};

/// The names of openings as an EPD file, with `eco` and `v0` to `v9`. They are those of
/// <https://github.com/lichess-org/chess-openings> (CC0 1.0).
pub const OPENINGS: &str = include_str!("../openings.epd");

/// The name of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// The code of the Encyclopedia of Chess Openings; empty if there is none.
    pub eco: String,
    /// The opening, its variation, its subvariation, ...: the texts of `v0`, `v1`, ...
    pub variations: Vec<String>,
    /// The code of New In Chess; empty if there is none.
    pub nic: String,
}

impl Name {
    /// The name that a record has; none if it has neither `eco` nor `v0`.
    #[must_use]
    pub fn of_record(record: &Record) -> Option<Self> {
        let text = |opcode: &str| Some(record.get(opcode)?.operands.first()?.text().to_owned());
        Self::of_operations(text)
    }

    /// The name that an entry has; none if it has neither `eco` nor `v0`.
    #[must_use]
    pub fn of_entry(entry: &Entry) -> Option<Self> {
        Self::of_operations(|opcode| entry.text(opcode).map(str::to_owned))
    }

    /// The name from the texts of opcodes.
    fn of_operations(text: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let name = Self {
            eco: text("eco").unwrap_or_default(),
            variations: (0..10)
                .map_while(|rank| text(&format!("v{rank}")))
                .collect(),
            nic: text("nic").unwrap_or_default(),
        };
        let is_empty = name.eco.is_empty() && name.variations.is_empty();
        (!is_empty).then_some(name)
    }

    /// A name as people write it: `Sicilian Defense: Najdorf Variation, English Attack`.
    #[must_use]
    pub fn of_text(eco: &str, text: &str) -> Self {
        let (opening, rest) = match text.split_once(": ") {
            Some((opening, rest)) => (opening, Some(rest)),
            None => (text, None),
        };
        let rest = rest.into_iter().flat_map(|rest| rest.splitn(9, ", "));
        Self {
            eco: eco.to_owned(),
            variations: std::iter::once(opening)
                .chain(rest)
                .map(str::to_owned)
                .collect(),
            nic: String::new(),
        }
    }

    /// The name as people write it.
    #[must_use]
    pub fn text(&self) -> String {
        match &self.variations[..] {
            [] => String::new(),
            [opening] => opening.clone(),
            [opening, rest @ ..] => format!("{opening}: {}", rest.join(", ")),
        }
    }

    /// The operations `eco`, `nic` and `v0` to `v9`.
    pub fn operations(&self) -> impl Iterator<Item = Operation> {
        const RANKS: [&str; 10] = ["v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9"];
        let code =
            |opcode, code: &str| (!code.is_empty()).then(|| Operation::new(opcode).string(code));
        let codes = code("eco", &self.eco)
            .into_iter()
            .chain(code("nic", &self.nic));
        let names = RANKS.iter().zip(&self.variations);
        codes.chain(names.map(|(opcode, name)| Operation::new(opcode).string(name)))
    }

    /// Writes the name into a record, in place of another.
    pub fn write(&self, record: &mut Record) {
        record.retain(|operation| {
            let is_rank = matches!(operation.opcode.as_bytes(), [b'v', b'0'..=b'9']);
            !is_rank
                && operation.opcode != "eco"
                && (self.nic.is_empty() || operation.opcode != "nic")
        });
        for operation in self.operations() {
            record.set(operation);
        }
    }
}

/// The names of positions.
#[derive(Clone, Debug)]
pub struct Names {
    /// By [`Position::key`]. The position itself excludes that another one has the same key.
    names: HashMap<u64, (Position, Name)>,
}

impl Names {
    /// The names that are built in: [`OPENINGS`].
    ///
    /// # Panics
    /// If they are damaged.
    #[must_use]
    pub fn built_in() -> Self {
        match Self::read("openings.epd", OPENINGS.as_bytes()) {
            Ok(names) => names,
            Err(error) => panic!("{error}"),
        }
    }

    /// Reads an EPD file with names, in any order. Records without `eco` and `v0` are skipped. The name of the file is
    /// for messages.
    pub fn read(file: &str, text: &[u8]) -> Result<Self, BookError> {
        let mut names = HashMap::new();
        let reader = Reader::lenient();
        for line in Lines::new(text, 1).filter(|line| line.kind() == LineKind::Record) {
            let named = || -> Result<_, EntryError> {
                let record = line.read(&reader, &mut Vec::new());
                let record = record.map_err(|error| EntryError::Record(error.kind))?;
                Ok((record.position()?, Name::of_record(&record)))
            };
            let (position, name) =
                named().map_err(|error| BookError::entry(file, line.number, error))?;
            if let Some(name) = name {
                names.entry(position.key()).or_insert((position, name));
            }
        }
        Ok(Self { names })
    }

    /// The number of names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The positions with their names, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&Position, &Name)> {
        self.names.values().map(|(position, name)| (position, name))
    }

    /// The name of a position, by whatever moves it was reached.
    #[must_use]
    pub fn get(&self, position: &Position) -> Option<&Name> {
        let (known, name) = self.names.get(&position.key())?;
        (known == position).then_some(name)
    }

    /// The name of the last named position of a game.
    #[must_use]
    pub fn of_line(&self, start: &Position, moves: &[movegen::Move]) -> Option<&Name> {
        let mut position = *start;
        let mut name = self.get(&position);
        for &mv in moves {
            position.play(mv);
            name = self.get(&position).or(name);
        }
        name
    }
}
