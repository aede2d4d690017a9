//! Matches the records of several files.
//!
//! There can be millions of records: their texts are spans of one string, and answers are stored in
//! a column for each file.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use hashbrown::HashTable;
use movegen::{Move, Position, San};
use serde::{Serialize, Serializer};

use super::answer::{Answer, Question};
use super::theme::theme;

/// The records of all files with the answers of each file.
#[derive(Debug, Default)]
pub struct Records {
    texts: Texts,
    /// A column for each file, up to its last answer.
    answers: Vec<Vec<Option<Answer>>>,
    by_id: Option<Index>,
    by_fields: Option<Index>,
    nameless: Option<Index>,
    /// By row and file: a hash of the position, if it differs from that of the row.
    others: HashMap<(u32, u32), u64>,
    hasher: RandomState,
}

/// The texts of all records in one string.
#[derive(Debug, Default)]
struct Texts {
    text: String,
    spans: Vec<Span>,
}

/// The place of the texts of a record: id, position, `bm` and `am`.
#[derive(Debug)]
struct Span {
    start: usize,
    lengths: [u32; 4],
}

impl Texts {
    /// A part of a record, by its place in [`Span`].
    fn part(&self, row: u32, part: usize) -> &str {
        let Span { start, lengths } = &self.spans[row as usize];
        let before: u32 = lengths[..part].iter().sum();
        let from = start + before as usize;
        &self.text[from..from + lengths[part] as usize]
    }

    fn id(&self, row: u32) -> &str {
        self.part(row, 0)
    }

    fn fields(&self, row: u32) -> &str {
        self.part(row, 1)
    }

    fn span(&mut self, parts: [&str; 4]) -> Span {
        let start = self.text.len();
        for part in parts {
            self.text.push_str(part);
        }
        // A line is far shorter than 4 GB.
        let lengths = parts.map(|part| part.len() as u32);
        Span { start, lengths }
    }

    /// Sets the id of a record without one.
    fn name(&mut self, row: u32, id: &str) {
        let parts = [1, 2, 3].map(|part| self.part(row, part).to_owned());
        let [fields, best, avoid] = &parts;
        self.spans[row as usize] = self.span([id, fields, best, avoid]);
    }
}

/// An index from a text to the rows that have it, in order.
#[derive(Debug, Default)]
struct Index {
    chains: HashTable<Chain>,
    /// For each row the next row with the same text.
    next: Vec<u32>,
    hasher: RandomState,
}

#[derive(Debug)]
struct Chain {
    first: u32,
    last: u32,
    /// The first row that may lack an answer from `file`.
    free: u32,
    file: u32,
}

/// No row.
const END: u32 = u32::MAX;

impl Index {
    fn add<'t>(&mut self, key: &str, row: u32, key_of: impl Fn(u32) -> &'t str) {
        let end = row as usize + 1;
        self.next.resize(self.next.len().max(end), END);
        let Self {
            chains,
            next,
            hasher,
        } = self;
        let hash = hasher.hash_one(key);
        if let Some(chain) = chains.find_mut(hash, |chain| key_of(chain.first) == key) {
            next[chain.last as usize] = row;
            chain.last = row;
        } else {
            let chain = Chain {
                first: row,
                last: row,
                free: row,
                file: END,
            };
            chains.insert_unique(hash, chain, |chain| hasher.hash_one(key_of(chain.first)));
        }
    }

    /// The first row with this text that has no answer from a file yet.
    fn free<'t>(
        &mut self,
        key: &str,
        file: u32,
        key_of: impl Fn(u32) -> &'t str,
        is_free: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let hash = self.hasher.hash_one(key);
        let same = |chain: &Chain| key_of(chain.first) == key;
        let chain = self.chains.find_mut(hash, same)?;
        if chain.file != file {
            (chain.file, chain.free) = (file, chain.first);
        }
        // A row stays taken while the file is read, so the search continues where it ended.
        while chain.free != END && !is_free(chain.free) {
            chain.free = self.next[chain.free as usize];
        }
        (chain.free != END).then_some(chain.free)
    }
}

impl Records {
    /// Begins a file; all following records belong to it.
    pub fn begin_file(&mut self) {
        self.answers.push(Vec::new());
        if self.answers.len() == 2 {
            // The indices are not needed before the second file.
            let [mut by_id, mut nameless] = [(); 2].map(|()| Index::default());
            let texts = &self.texts;
            for row in 0..texts.spans.len() as u32 {
                match texts.id(row) {
                    "" => nameless.add(texts.fields(row), row, |row| texts.fields(row)),
                    id => by_id.add(id, row, |row| texts.id(row)),
                }
            }
            (self.by_id, self.nameless) = (Some(by_id), Some(nameless));
        }
    }

    /// Adds a record of the current file to the row of records with the same id, or else with the
    /// same position if one of them has no id. Repeated records are matched in order: the first
    /// with the first, the second with the second.
    pub fn add(&mut self, question: &Question, answer: Answer) {
        let fields = question.position.setup().fields();
        let id = question.id.as_deref().unwrap_or_default();
        let known = self.find(id, &fields);
        let row = known.unwrap_or(self.texts.spans.len() as u32);
        let file = self.answers.len() as u32 - 1;
        if known.is_none() {
            self.push(question, id, &fields);
        } else {
            if !id.is_empty() && self.texts.id(row).is_empty() {
                self.texts.name(row, id);
                let texts = &self.texts;
                if let Some(by_id) = &mut self.by_id {
                    by_id.add(id, row, |row| texts.id(row));
                }
            }
            if self.texts.fields(row) != &*fields {
                let hash = self.hasher.hash_one(&*fields);
                self.others.insert((row, file), hash);
            }
        }
        let column = &mut self.answers[file as usize];
        let end = row as usize + 1;
        column.resize_with(column.len().max(end), || None);
        column[row as usize] = Some(answer);
    }

    /// The existing row that a record belongs to.
    fn find(&mut self, id: &str, fields: &str) -> Option<u32> {
        let file = self.answers.len() as u32 - 1;
        let texts = &self.texts;
        let column = &self.answers[file as usize];
        let is_free = |row: u32| column.get(row as usize).is_none_or(Option::is_none);
        let (by_id, nameless) = (self.by_id.as_mut()?, self.nameless.as_mut()?);
        if !id.is_empty() {
            let same = by_id.free(id, file, |row| texts.id(row), is_free);
            return same.or_else(|| {
                let is_free = |row| is_free(row) && texts.id(row).is_empty();
                nameless.free(fields, file, |row| texts.fields(row), is_free)
            });
        }
        // Built only when it is needed: most files have an id in every record.
        let by_fields = self.by_fields.get_or_insert_with(|| {
            let mut index = Index::default();
            for row in 0..texts.spans.len() as u32 {
                index.add(texts.fields(row), row, |row| texts.fields(row));
            }
            index
        });
        by_fields.free(fields, file, |row| texts.fields(row), is_free)
    }

    /// Adds a row, without an answer.
    fn push(&mut self, question: &Question, id: &str, fields: &str) {
        let words = |moves: &[Move]| {
            let words = moves.iter().map(|&mv| San::of(&question.position, mv));
            let words: Vec<_> = words.map(|san| san.to_string()).collect();
            words.join(" ")
        };
        let (best, avoid) = (words(&question.best), words(&question.avoid));
        let span = self.texts.span([id, fields, &best, &avoid]);
        let row = self.texts.spans.len() as u32;
        self.texts.spans.push(span);
        let texts = &self.texts;
        if let Some(index) = &mut self.by_fields {
            index.add(fields, row, |row| texts.fields(row));
        }
        if id.is_empty() {
            if let Some(index) = &mut self.nameless {
                index.add(fields, row, |row| texts.fields(row));
            }
        } else if let Some(index) = &mut self.by_id {
            index.add(id, row, |row| texts.id(row));
        }
    }

    pub fn len(&self) -> usize {
        self.texts.spans.len()
    }

    /// The number of files.
    pub fn files(&self) -> usize {
        self.answers.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = Row<'_>> + Clone {
        let rows = 0..self.len() as u32;
        rows.map(|row| Row { records: self, row })
    }

    /// The answers of a file, with their rows.
    pub fn answers(&self, file: usize) -> impl Iterator<Item = (Row<'_>, &Answer)> {
        let answers = self.answers[file].iter().zip(0..);
        answers.filter_map(|(answer, row)| Some((Row { records: self, row }, answer.as_ref()?)))
    }
}

impl Serialize for Records {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// A row: a position with the answers of all files.
#[derive(Clone, Copy, Debug)]
pub struct Row<'r> {
    records: &'r Records,
    row: u32,
}

impl<'r> Row<'r> {
    fn part(self, part: usize) -> &'r str {
        self.records.texts.part(self.row, part)
    }

    pub fn id(self) -> Option<&'r str> {
        Some(self.part(0)).filter(|id| !id.is_empty())
    }

    /// The theme in the id.
    pub fn theme(self) -> Option<&'r str> {
        self.id().and_then(theme)
    }

    /// The four fields of the position.
    pub fn fields(self) -> &'r str {
        self.part(1)
    }

    /// The moves to find.
    pub fn best(self) -> &'r str {
        self.part(2)
    }

    /// The moves to avoid.
    pub fn avoid(self) -> &'r str {
        self.part(3)
    }

    pub fn position(self) -> Option<Position> {
        format!("{} 0 1", self.fields()).parse().ok()
    }

    /// The answer of a file; none if it does not have the record.
    pub fn answer(self, file: usize) -> Option<&'r Answer> {
        self.records.answers[file].get(self.row as usize)?.as_ref()
    }

    /// The answers in the order of the files.
    pub fn answers(self) -> impl Iterator<Item = Option<&'r Answer>> {
        (0..self.records.files()).map(move |file| self.answer(file))
    }

    /// The id, or else the position.
    pub fn label(self) -> &'r str {
        self.id().unwrap_or(self.fields())
    }

    /// The target as EPD operations.
    pub fn expected(self) -> String {
        let part = |opcode, moves: &str| (!moves.is_empty()).then(|| format!("{opcode} {moves}"));
        let parts = [part("bm", self.best()), part("am", self.avoid())];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Whether at least one file missed it.
    pub fn is_missed(self) -> bool {
        let mut answers = self.answers().flatten();
        answers.any(|answer| answer.status.is_failure())
    }

    /// Whether two files have different positions in this row.
    pub fn differs(self, files: [usize; 2]) -> bool {
        if self.records.others.is_empty() {
            return false;
        }
        let [one, other] = files.map(|file| {
            let other = self.records.others.get(&(self.row, file as u32));
            other.map_or_else(|| self.records.hasher.hash_one(self.fields()), |hash| *hash)
        });
        one != other
    }
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'a> {
            id: Option<&'a str>,
            theme: Option<&'a str>,
            position: &'a str,
            best: Vec<&'a str>,
            avoid: Vec<&'a str>,
            answers: Vec<Option<&'a Answer>>,
        }
        let fields = Fields {
            id: self.id(),
            theme: self.theme(),
            position: self.fields(),
            best: self.best().split_whitespace().collect(),
            avoid: self.avoid().split_whitespace().collect(),
            answers: self.answers().collect(),
        };
        fields.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::answer;

    const KINGS: [&str; 3] = [
        "8/8/8/8/8/k7/8/K7 w - -",
        "8/8/8/8/k7/8/8/K7 w - -",
        "8/8/8/k7/8/8/8/K7 w - -",
    ];

    /// Each record as an id, if it has one, and the number of its position.
    fn aligned(files: &[&[(&str, usize)]]) -> Records {
        let mut records = Records::default();
        for file in files {
            records.begin_file();
            for (&(id, position), line) in file.iter().zip(1..) {
                let mut record: epd::Record = KINGS[position].parse().expect("exact");
                if !id.is_empty() {
                    record.set_id(id);
                }
                let position = record.position().expect("legal");
                let (question, answer) =
                    answer::read(line, &record, &position, &mut |error| panic!("{error}"));
                records.add(&question, answer);
            }
        }
        records
    }

    /// For each row its label, and the lines of the answers; 0 for none.
    fn lines(records: &Records) -> Vec<(&str, Vec<usize>)> {
        let line = |answer: Option<&Answer>| answer.map_or(0, Answer::line);
        let lines = |row: Row<'_>| row.answers().map(line).collect();
        let rows = records.iter();
        rows.map(|row| (row.label(), lines(row))).collect()
    }

    #[test]
    fn records_are_matched_by_id_or_else_by_position() {
        let rows = aligned(&[
            &[("a", 0), ("b", 1), ("", 2), ("a", 0)],
            &[("b", 1), ("c", 2), ("a", 0), ("d", 0)],
            &[("", 0), ("", 0), ("", 0), ("c", 2)],
        ]);
        let expected = [
            ("a", vec![1, 3, 1]),
            ("b", vec![2, 1, 0]),
            ("c", vec![3, 2, 4]),
            ("a", vec![4, 0, 2]),
            ("d", vec![0, 4, 3]),
        ];
        assert_eq!(lines(&rows), expected);
    }

    #[test]
    fn one_id_of_two_positions_is_noticed() {
        let rows = aligned(&[&[("a", 0)], &[("a", 1)], &[("a", 1)], &[("a", 0)]]);
        assert_eq!(lines(&rows), [("a", vec![1, 1, 1, 1])]);
        for (files, expected) in [([0, 1], true), ([1, 2], false), ([0, 3], false)] {
            assert_eq!(
                rows.iter().next().map(|row| row.differs(files)),
                Some(expected)
            );
        }
    }

    /// A record that got its name from one file is not found again under another name.
    #[test]
    fn a_record_is_named_once() {
        let rows = aligned(&[&[("", 0)], &[("a", 0)], &[("b", 0)], &[("", 0), ("", 0)]]);
        let expected = [("a", vec![1, 1, 0, 1]), ("b", vec![0, 0, 1, 2])];
        assert_eq!(lines(&rows), expected);
    }
}
