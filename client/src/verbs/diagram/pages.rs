//! Reads the records to be drawn, in groups of those that come on one page.

use std::collections::VecDeque;
use std::fmt::Write;

use epd::{Line, LineKind, Lint, Part, Reader, Record, check};
use movegen::{Color, Move, Position, Rank, Role, Square};

use crate::cli::{Castling, Ranges};
use crate::io::input::{Block, Blocks, DroppedCastling, LineError, Message, reader};
use crate::io::stream::Stream;

/// A record to be drawn.
pub struct Entry {
    /// The number of the record in the file, from 1.
    pub number: usize,
    pub line: usize,
    pub record: Record,
    /// None if the position is illegal; then `fault` says why.
    pub position: Option<Position>,
    pub fault: Option<String>,
    /// The move that led to the position.
    pub last_move: Option<Move>,
}

/// The records of a page, and what was found before its end.
#[derive(Default)]
pub struct Page {
    pub entries: Vec<Entry>,
    pub messages: String,
    pub faulty: usize,
    pub unreadable: usize,
    /// The bytes read.
    pub bytes: usize,
}

/// What decides which records come on which page.
pub struct Choice<'a> {
    pub stream: &'a Stream,
    pub castling: Castling,
    pub only: Option<&'a Ranges>,
    /// The greatest number of records on a page.
    pub per_page: usize,
}

/// The pages of a file, in order.
pub struct Pages<'a> {
    choice: Choice<'a>,
    blocks: Blocks,
    reader: Reader<'static>,
    /// Pages that are complete.
    ready: VecDeque<Page>,
    /// The page that is being filled.
    page: Page,
    /// The number of records read.
    records: usize,
    /// The supplied move of the record before, and the position that it leads to.
    supplied: Option<(Move, Position)>,
    ended: bool,
}

impl<'a> Pages<'a> {
    pub fn open(choice: Choice<'a>) -> anyhow::Result<Self> {
        Ok(Self {
            blocks: Blocks::open_records(choice.stream)?,
            reader: reader(false, choice.castling),
            choice,
            ready: VecDeque::new(),
            page: Page::default(),
            records: 0,
            supplied: None,
            ended: false,
        })
    }

    pub fn is_compressed(&self) -> bool {
        self.blocks.compression().is_some()
    }

    fn read_block(&mut self, block: &Block) {
        self.page.bytes += block.text.len();
        let mut repairs = Vec::new();
        for line in block.lines() {
            if self.is_past_the_last() {
                self.ended = true;
                return;
            }
            repairs.clear();
            match line.read(&self.reader, &mut repairs) {
                Ok(record) => {
                    let dropped = DroppedCastling::of(&line, &record.setup, &repairs);
                    self.add(&line, record, dropped);
                }
                Err(_) if line.kind() != LineKind::Record => {}
                Err(error) => {
                    let error = LineError::new(&line, &error);
                    self.page.unreadable += 1;
                    self.report(error.place, &error.message);
                }
            }
        }
    }

    /// Whether the last record that was asked for has been read.
    fn is_past_the_last(&self) -> bool {
        let last = self.choice.only.and_then(Ranges::last);
        last.is_some_and(|last| self.records >= last)
    }

    fn add(&mut self, line: &Line<'_>, record: Record, dropped: Option<DroppedCastling>) {
        self.records += 1;
        let (position, fault) = match record.position() {
            Ok(position) => (Some(position), None),
            Err(error) => (None, Some(error.to_string())),
        };
        let supplied = self.supplied.take();
        self.supplied = position
            .as_ref()
            .and_then(|position| after_supplied(&record, position));
        if self
            .choice
            .only
            .is_some_and(|only| !only.contains(self.records))
        {
            return;
        }
        self.report_faults(line, &record, dropped);
        let last_move = position.as_ref().and_then(|position| {
            let supplied = supplied.filter(|(_, next)| next.key() == position.key());
            supplied
                .map(|(mv, _)| mv)
                .or_else(|| double_push(&record, position))
        });
        self.page.entries.push(Entry {
            number: self.records,
            line: line.number,
            record,
            position,
            fault,
            last_move,
        });
        if self.page.entries.len() == self.choice.per_page {
            self.ready.push_back(std::mem::take(&mut self.page));
        }
    }

    /// Reports what cannot be drawn.
    fn report_faults(
        &mut self,
        line: &Line<'_>,
        record: &Record,
        dropped: Option<DroppedCastling>,
    ) {
        if let Some(dropped) = dropped {
            self.report(dropped.place, &dropped.diagnostic());
        }
        let mut messages = check(record, self.reader.lexicon());
        messages.retain(|message| {
            let lint = message.lint;
            matches!(
                lint,
                Lint::IllegalPosition
                    | Lint::AmNotLegal
                    | Lint::BmNotLegal
                    | Lint::PmNotLegal
                    | Lint::PvNotPlayable
            )
        });
        if messages.is_empty() {
            return;
        }
        self.page.faulty += 1;
        let places = line.locate(&self.reader, &mut Vec::new());
        let start = |part: Part| {
            places
                .as_ref()
                .map_or(0, |(_, places)| places.span(part).start)
        };
        for message in &messages {
            let place = line.place(start(message.part));
            let text = format!("warning[{}]: {message}", message.lint.name());
            self.report(place, &text);
        }
    }

    fn report(&mut self, (line, column): (usize, usize), text: &str) {
        let message = Message {
            stream: self.choice.stream,
            line,
            column: Some(column),
            text,
        };
        let _ = writeln!(self.page.messages, "{message}");
    }

    /// Ends the last page, with an error if a record that was asked for does not exist.
    fn end(&mut self) -> Option<anyhow::Result<Page>> {
        let page = std::mem::take(&mut self.page);
        let asked = self.choice.only.map_or(0, Ranges::greatest);
        if asked > self.records {
            let (stream, records) = (self.choice.stream, self.records);
            return Some(Err(anyhow::anyhow!(
                "--only: there is no record {asked}: {stream} has {records}"
            )));
        }
        let is_empty = page.entries.is_empty() && page.messages.is_empty();
        (!is_empty).then_some(Ok(page))
    }
}

impl Iterator for Pages<'_> {
    type Item = anyhow::Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(page) = self.ready.pop_front() {
                return Some(Ok(page));
            }
            if self.ended {
                return self.end_once();
            }
            match self.blocks.next() {
                None => self.ended = true,
                Some(Ok(block)) => self.read_block(&block),
                Some(Err(error)) => {
                    self.choice.only = None;
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

impl Pages<'_> {
    /// What is left at the end; nothing the second time.
    fn end_once(&mut self) -> Option<anyhow::Result<Page>> {
        let left = self.end();
        self.choice.only = None;
        left
    }
}

/// The supplied move of a record and the position after it.
fn after_supplied(record: &Record, position: &Position) -> Option<(Move, Position)> {
    let mv = record.supplied_move(position).ok()??;
    let mut next = *position;
    next.play(mv);
    Some((mv, next))
}

/// The pawn move that an en passant square implies.
fn double_push(record: &Record, position: &Position) -> Option<Move> {
    let file = record.setup.en_passant?.file();
    let pusher = !record.setup.turn;
    let [from, to] = match pusher {
        Color::White => [Rank::R2, Rank::R4],
        Color::Black => [Rank::R7, Rank::R5],
    }
    .map(|rank| Square::new(file, rank));
    let pawn = position.piece_at(to)?;
    (pawn.role() == Role::Pawn && pawn.color() == pusher).then(|| Move::normal(from, to))
}
