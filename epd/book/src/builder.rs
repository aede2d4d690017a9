//! Builds a repository from any number of moves in bounded memory.
//!
//! Moves are collected in memory. When the memory is used up they are sorted, added up and written to a temporary
//! file; at the end the files are merged. So the result does not depend on the order of the games, except where two
//! analyses of a position have the same depth.

use std::io;
use std::path::PathBuf;

use movegen::pgn::{Outcome, ReadGame};
use movegen::{Position, UciMove};

use crate::entry::{Entry, fields, uci};
use crate::merge::Merge;
use crate::runs::{Run, RunWriter, pack, unpack};
use crate::stats::Stats;

/// The most temporary files; more of them are merged into one.
const MAX_RUNS: usize = 64;

/// Moves of games in the order in which they were read.
#[derive(Debug, Default)]
pub struct Batch {
    /// The position fields of all items, one after the other.
    text: Vec<u8>,
    items: Vec<Item>,
}

/// A move that was played.
#[derive(Clone, Copy, Debug)]
struct Item {
    /// Where the position fields begin in the text, and their length.
    begin: u32,
    len: u8,
    mv: u16,
    stats: Stats,
}

impl Item {
    fn fields<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        &text[self.begin as usize..][..self.len.into()]
    }
}

impl Batch {
    /// Adds the moves of a game.
    pub fn add_game(&mut self, game: &ReadGame) {
        let outcome = game
            .result
            .and_then(|result| result.parse::<Outcome>().ok());
        let year = year(game);
        let mut position = game.start;
        for &mv in &game.moves {
            let half_points = outcome.map(|outcome| outcome.half_points(position.turn()));
            let stats = Stats {
                games: 1,
                wins: u64::from(half_points == Some(2)),
                draws: u64::from(half_points == Some(1)),
                losses: u64::from(half_points == Some(0)),
                // A game without a result counts as a draw.
                weight: half_points.unwrap_or(1) as u64,
                year,
            };
            self.add(&position, uci(&position, mv), stats);
            position.play(mv);
        }
    }

    fn add(&mut self, position: &Position, mv: UciMove, stats: Stats) {
        let fields = fields(position);
        self.push(fields.as_bytes(), pack(mv), stats);
    }

    fn push(&mut self, fields: &[u8], mv: u16, stats: Stats) {
        self.items.push(Item {
            begin: self.text.len() as u32,
            len: fields.len() as u8,
            mv,
            stats,
        });
        self.text.extend(fields);
    }

    fn size(&self) -> usize {
        self.text.len() + self.items.len() * size_of::<Item>()
    }

    /// Adds those of another batch, one after the other.
    fn append(&mut self, other: &Self) {
        let begin = self.text.len() as u32;
        self.text.extend(&other.text);
        self.items.extend(other.items.iter().map(|item| Item {
            begin: begin + item.begin,
            ..*item
        }));
    }

    /// Sorts the moves and adds up those that are equal.
    fn compact(&mut self) {
        let text = std::mem::take(&mut self.text);
        let mut items = std::mem::take(&mut self.items);
        items.sort_unstable_by(|a, b| {
            let order = a.fields(&text).cmp(b.fields(&text));
            order.then(a.mv.cmp(&b.mv))
        });
        for item in items {
            let fields = item.fields(&text);
            if let Some(last) = self.items.last_mut()
                && last.mv == item.mv
                && last.fields(&self.text) == fields
            {
                last.stats.add(&item.stats);
            } else if let Some(last) = self.items.last().copied()
                && last.fields(&self.text) == fields
            {
                // Moves of one position share its text.
                self.items.push(Item {
                    begin: last.begin,
                    ..item
                });
            } else {
                self.push(fields, item.mv, item.stats);
            }
        }
    }

    /// The entries of a compacted batch.
    fn entries(&self) -> impl Iterator<Item = Entry> {
        let positions = self
            .items
            .chunk_by(|a, b| a.fields(&self.text) == b.fields(&self.text));
        positions.map(|items| {
            let fields = String::from_utf8_lossy(items[0].fields(&self.text));
            let mut entry = Entry::new(fields.into_owned());
            for item in items {
                // Packed moves can be unpacked.
                if let Some(mv) = unpack(item.mv) {
                    entry.add_move(mv, &item.stats);
                }
            }
            entry
        })
    }
}

/// The year of a game; 0 if it is not told.
fn year(game: &ReadGame) -> u16 {
    let year = |tag: &str| game.tag(tag)?.get(..4)?.parse().ok();
    year("Date").or_else(|| year("UTCDate")).unwrap_or(0)
}

/// Collects moves and entries.
pub struct Builder {
    memory: usize,
    folder: PathBuf,
    batch: Batch,
    /// Entries with more than moves of games.
    entries: Vec<Entry>,
    entries_size: usize,
    runs: Vec<Run>,
}

/// What a repository has, and what was left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Positions that were passed on.
    pub positions: u64,
    /// Their moves.
    pub moves: u64,
    /// Moves that were left out, because they were played in too few games.
    pub rare_moves: u64,
    /// Positions without any move or operation that is left.
    pub rare_positions: u64,
}

impl Builder {
    /// A builder that takes about this many bytes of memory, and writes temporary files to a folder.
    #[must_use]
    pub fn new(memory: usize, folder: PathBuf) -> Self {
        // Offsets in a batch have 32 bits. Half is for sorting.
        let memory = (memory / 2).clamp(1 << 16, 1 << 31);
        Self {
            memory,
            folder,
            batch: Batch::default(),
            entries: Vec::new(),
            entries_size: 0,
            runs: Vec::new(),
        }
    }

    /// Adds the moves of games.
    pub fn add(&mut self, batch: &Batch) -> io::Result<()> {
        self.batch.append(batch);
        if self.batch.size() >= self.memory {
            self.batch.compact();
            if self.batch.size() >= self.memory / 2 {
                self.spill()?;
            }
        }
        Ok(())
    }

    /// Adds an entry of another repository.
    pub fn add_entry(&mut self, entry: Entry) -> io::Result<()> {
        let moves = entry.moves.len() * size_of::<(UciMove, Stats)>();
        self.entries_size += size_of::<Entry>() + moves + 200 * entry.operations.len();
        self.entries.push(entry);
        if self.entries_size >= self.memory {
            self.spill()?;
        }
        Ok(())
    }

    /// Writes what is in memory to temporary files.
    fn spill(&mut self) -> io::Result<()> {
        let mut batch = std::mem::take(&mut self.batch);
        batch.compact();
        if !batch.items.is_empty() {
            let mut run = RunWriter::create(&self.folder)?;
            for entry in batch.entries() {
                run.write(&entry)?;
            }
            self.runs.push(run.finish()?);
        }
        drop(batch);
        if !self.entries.is_empty() {
            let mut entries = std::mem::take(&mut self.entries);
            self.entries_size = 0;
            // A stable sort: the first of equal entries comes first.
            entries.sort_by(|a, b| a.fields.cmp(&b.fields));
            let mut run = RunWriter::create(&self.folder)?;
            for entry in united(entries) {
                run.write(&entry)?;
            }
            self.runs.push(run.finish()?);
        }
        if self.runs.len() >= MAX_RUNS {
            let mut run = RunWriter::create(&self.folder)?;
            for entry in Merge::new(std::mem::take(&mut self.runs)) {
                run.write(&entry?)?;
            }
            self.runs.push(run.finish()?);
        }
        Ok(())
    }

    /// Passes on all entries in their order, without the moves that were played in fewer games than `min_games`.
    /// Moves that come from no game at all are kept.
    pub fn finish<E: From<io::Error>>(
        mut self,
        min_games: u64,
        mut sink: impl FnMut(Entry) -> Result<(), E>,
    ) -> Result<Totals, E> {
        let mut totals = Totals::default();
        let mut pass = |mut entry: Entry| {
            let before = entry.moves.len();
            entry
                .moves
                .retain(|(_, stats)| stats.games == 0 || stats.games >= min_games);
            totals.rare_moves += (before - entry.moves.len()) as u64;
            if entry.moves.is_empty() && entry.operations.is_empty() {
                totals.rare_positions += 1;
                return Ok(());
            }
            totals.positions += 1;
            totals.moves += entry.moves.len() as u64;
            sink(entry)
        };
        if self.runs.is_empty() && self.entries.is_empty() {
            self.batch.compact();
            self.batch.entries().try_for_each(&mut pass)?;
        } else {
            self.spill()?;
            for entry in Merge::new(self.runs) {
                pass(entry?)?;
            }
        }
        Ok(totals)
    }
}

/// Sorted entries, with those of one position united.
fn united(entries: Vec<Entry>) -> impl Iterator<Item = Entry> {
    let mut entries = entries.into_iter().peekable();
    std::iter::from_fn(move || {
        let mut entry = entries.next()?;
        while let Some(other) = entries.next_if(|other| other.fields == entry.fields) {
            entry.unite(other);
        }
        Some(entry)
    })
}
