//! Looks positions up in a repository without reading it as a whole.
//!
//! The lines of a repository are sorted by the bytes of their position fields, so that a binary search over the
//! bytes of the file finds a position. It reads a few kilobytes near the middle of what is left, about 20 times in
//! a million positions. There is no index that could be out of date, and nothing to load.

use std::cmp::Ordering;
use std::fs::File;
use std::io;
use std::path::Path;

use epd::Reader;
use movegen::Position;

use crate::entry::{BookMove, Entry, fields};
use crate::error::{BookError, EntryError};

/// The number of bytes that are read at once; a record has a few hundred.
const WINDOW: usize = 2048;
/// A file up to this size is checked whole when it is opened.
const CHECKED_WHOLE: u64 = 4 << 20;
/// In a larger file, this many lines are compared.
const SAMPLES: u64 = 64;
/// The longest line that is searched for its end.
const MAX_LINE: usize = epd::lines::MAX_READABLE_LINE;

/// An opening repository that can be searched.
#[derive(Debug)]
pub struct Repository {
    /// The name of the file, for messages.
    name: String,
    text: Text,
}

/// The bytes of a repository.
#[derive(Debug)]
enum Text {
    File(File, u64),
    Memory(Box<[u8]>),
}

/// A line with its place in the file.
struct Found {
    begin: u64,
    /// Without the line feed.
    text: Vec<u8>,
    /// Where the next line begins.
    next: u64,
}

impl Repository {
    /// Opens a repository. A small file is checked whole, in a large one only some lines are compared; a search that
    /// meets lines that are not sorted fails too.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let name = path.display().to_string();
        let fail = |error| BookError::read(&name, error);
        let file = File::open(path).map_err(fail)?;
        let len = file.metadata().map_err(fail)?.len();
        let mut begin = [0; 64];
        let read = read_at(&file, &mut begin, 0).map_err(fail)?;
        let begin = &begin[..read];
        let text = without_mark(begin);
        // A tag of a game: no record begins with a bracket.
        if text.trim_ascii_start().starts_with(b"[") {
            return Err(BookError::Games { name });
        }
        let compression = match begin {
            [0x1F, 0x8B, ..] => Some("gzip"),
            [0x28, 0xB5, 0x2F, 0xFD] => Some("zstd"),
            _ => None,
        };
        if let Some(compression) = compression {
            return Err(BookError::Compressed { name, compression });
        }
        if begin.contains(&0) {
            return Err(BookError::Binary { name });
        }
        let repository = Self {
            name,
            text: Text::File(file, len),
        };
        repository.check_first()?;
        if len <= CHECKED_WHOLE {
            repository.check()?;
        } else {
            repository.check_samples()?;
        }
        Ok(repository)
    }

    /// A repository in memory, checked whole. The name is for messages.
    pub fn from_text(name: &str, text: impl Into<String>) -> Result<Self, BookError> {
        let repository = Self {
            name: name.to_owned(),
            text: Text::Memory(text.into().into_bytes().into_boxed_slice()),
        };
        repository.check()?;
        Ok(repository)
    }

    /// The entry of a position.
    pub fn get(&self, position: &Position) -> Result<Option<Entry>, BookError> {
        let key = fields(position);
        let Some(found) = self.find(key.as_bytes())? else {
            return Ok(None);
        };
        let entry = read_entry(&found.text).map_err(|error| self.bad(found.begin, error))?;
        Ok(Some(entry))
    }

    /// The moves of a position, the best first; none if it is not in the repository.
    pub fn moves(&self, position: &Position) -> Result<Vec<BookMove>, BookError> {
        let key = fields(position);
        let Some(found) = self.find(key.as_bytes())? else {
            return Ok(Vec::new());
        };
        let moves = read_entry(&found.text).and_then(|entry| entry.book_moves(position));
        moves.map_err(|error| self.bad(found.begin, error))
    }

    /// The error of the line that begins here.
    fn bad(&self, begin: u64, error: EntryError) -> BookError {
        let line = self.line_number(begin).unwrap_or(0);
        BookError::entry(&self.name, line, error)
    }

    fn line_number(&self, begin: u64) -> Result<usize, BookError> {
        let mut number = 1;
        self.each_line(|line| {
            let is_before = line.begin < begin;
            number += usize::from(is_before);
            Ok(is_before)
        })?;
        Ok(number)
    }

    /// Finds the line of a position.
    fn find(&self, key: &[u8]) -> Result<Option<Found>, BookError> {
        // Lines before `low` have smaller keys, those from `high` on have larger ones.
        let (mut low, mut high) = (0, self.len());
        let (mut low_key, mut high_key) = (Vec::new(), Vec::new());
        while low < high {
            let line = self.line_around(low + (high - low) / 2)?;
            let found = key_of(&line.text);
            let is_between =
                low_key.as_slice() <= found && (high_key.is_empty() || found < &high_key[..]);
            if !is_between {
                // The whole check finds the line to name.
                self.check()?;
            }
            match found.cmp(key) {
                Ordering::Equal => return Ok(Some(line)),
                Ordering::Less => {
                    low_key = found.to_vec();
                    low = line.next;
                }
                Ordering::Greater => {
                    high_key = found.to_vec();
                    high = line.begin;
                }
            }
        }
        Ok(None)
    }

    fn len(&self) -> u64 {
        match &self.text {
            Text::File(_, len) => *len,
            Text::Memory(text) => text.len() as u64,
        }
    }

    /// The bytes from `begin`, as many as are asked for and there.
    fn bytes(&self, begin: u64, count: usize) -> Result<Vec<u8>, BookError> {
        let count = (count as u64).min(self.len().saturating_sub(begin)) as usize;
        match &self.text {
            Text::Memory(text) => Ok(text[begin as usize..][..count].to_vec()),
            Text::File(file, _) => {
                let mut bytes = vec![0; count];
                let read = read_at(file, &mut bytes, begin);
                let read = read.map_err(|error| BookError::read(&self.name, error))?;
                bytes.truncate(read);
                Ok(bytes)
            }
        }
    }

    /// The line that has the byte at an offset.
    fn line_around(&self, offset: u64) -> Result<Found, BookError> {
        let mut reach = WINDOW / 2;
        loop {
            let from = offset.saturating_sub(reach as u64);
            let bytes = self.bytes(from, (offset - from) as usize + reach)?;
            let at = (offset - from) as usize;
            let begin = match bytes[..at.min(bytes.len())]
                .iter()
                .rposition(|&byte| byte == b'\n')
            {
                Some(end) => Some(end + 1),
                None => (from == 0).then_some(0),
            };
            let end = bytes.get(at..).and_then(|rest| {
                let end = rest.iter().position(|&byte| byte == b'\n');
                end.map(|end| at + end)
            });
            let is_last = from + bytes.len() as u64 >= self.len();
            let is_long = reach > MAX_LINE;
            match (begin, end) {
                (Some(begin), Some(end)) => return Ok(found(from, &bytes, begin, end, end + 1)),
                (Some(begin), None) if is_last || is_long => {
                    let end = bytes.len();
                    return Ok(found(from, &bytes, begin, end, end));
                }
                (None, _) if is_long => {
                    let end = end.unwrap_or(bytes.len());
                    return Ok(found(from, &bytes, 0, end, end));
                }
                _ => reach *= 4,
            }
        }
    }

    /// Reads the lines from the first, until the function returns false.
    fn each_line(
        &self,
        mut see: impl FnMut(&Found) -> Result<bool, BookError>,
    ) -> Result<(), BookError> {
        const BLOCK: usize = 1 << 18;
        let mut begin = 0;
        let mut rest: Vec<u8> = Vec::new();
        loop {
            let bytes = self.bytes(begin + rest.len() as u64, BLOCK)?;
            let is_end = bytes.is_empty();
            rest.extend(bytes);
            let mut at = 0;
            while let Some(end) = rest[at..].iter().position(|&byte| byte == b'\n') {
                if !see(&found(begin, &rest, at, at + end, at + end + 1))? {
                    return Ok(());
                }
                at += end + 1;
            }
            if is_end {
                if at < rest.len() {
                    let len = rest.len();
                    see(&found(begin, &rest, at, len, len))?;
                }
                return Ok(());
            }
            rest.drain(..at);
            begin += at as u64;
        }
    }

    /// Checks that the first record is one of a repository: a file of another kind is not just unsorted.
    fn check_first(&self) -> Result<(), BookError> {
        let mut first = None;
        let mut number = 0;
        self.each_line(|line| {
            number += 1;
            if !key_of(&line.text).is_empty() {
                first = Some(line.text.clone());
            }
            Ok(first.is_none())
        })?;
        let entry = first.map(|text| read_entry(&text)).transpose();
        entry
            .map(|_| ())
            .map_err(|error| BookError::entry(&self.name, number, error))
    }

    /// Checks that all lines are sorted.
    pub fn check(&self) -> Result<(), BookError> {
        let mut order = Order::new(&self.name);
        let mut number = 0;
        self.each_line(|line| {
            number += 1;
            let key = key_of(&line.text);
            if key.is_empty() && !order.last.is_empty() {
                let name = self.name.clone();
                return Err(BookError::Comment { name, line: number });
            }
            order.next(number, key)?;
            Ok(true)
        })
    }

    fn check_samples(&self) -> Result<(), BookError> {
        let mut last = Vec::new();
        for sample in 0..SAMPLES {
            let line = self.line_around(self.len() / SAMPLES * sample)?;
            let key = key_of(&line.text);
            if key < last.as_slice() {
                return self.check();
            }
            last = key.to_vec();
        }
        Ok(())
    }
}

/// Checks that the position fields of a repository come in their order.
#[derive(Debug)]
pub struct Order {
    name: String,
    last: Vec<u8>,
    line: usize,
}

impl Order {
    /// Nothing was seen yet. The name of the file is for messages.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            last: Vec::new(),
            line: 0,
        }
    }

    /// The position fields of the next line, which has this number.
    pub fn next(&mut self, line: usize, fields: &[u8]) -> Result<(), BookError> {
        let (name, before) = (&self.name, self.line);
        match fields.cmp(&self.last) {
            Ordering::Less => Err(BookError::Unsorted {
                name: name.to_owned(),
                line,
                before,
            }),
            Ordering::Equal if !fields.is_empty() => Err(BookError::Twice {
                name: name.to_owned(),
                line,
                before,
            }),
            _ => {
                self.last.clear();
                self.last.extend(fields);
                self.line = line;
                Ok(())
            }
        }
    }
}

/// A text without the byte order mark that some editors put before it.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(text)
}

fn found(from: u64, bytes: &[u8], begin: usize, end: usize, next: usize) -> Found {
    let text = &bytes[begin..end];
    let text = if from + begin as u64 == 0 {
        without_mark(text)
    } else {
        text
    };
    Found {
        begin: from + begin as u64,
        text: text.strip_suffix(b"\r").unwrap_or(text).to_vec(),
        next: from + next as u64,
    }
}

/// The four position fields of a line. Blank lines and comments have none: they come before all records.
fn key_of(line: &[u8]) -> &[u8] {
    if line
        .first()
        .is_none_or(|first| matches!(first, b'#' | b'%'))
    {
        return &[];
    }
    let mut blanks = line.iter().enumerate().filter(|&(_, &byte)| byte == b' ');
    let end = blanks.nth(3).map_or(line.len(), |(at, _)| at);
    let fields = &line[..end];
    fields.strip_suffix(b";").unwrap_or(fields)
}

fn read_entry(line: &[u8]) -> Result<Entry, EntryError> {
    let text = String::from_utf8_lossy(line);
    let record = Reader::lenient().read(&text, &mut Vec::new());
    Entry::of_record(&record.map_err(|error| EntryError::Record(error.kind))?)
}

/// Reads at an offset, until the buffer is full or the file ends.
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut read = 0;
    while read < buffer.len() {
        match read_some(file, &mut buffer[read..], offset + read as u64) {
            Ok(0) => break,
            Ok(count) => read += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}

#[cfg(unix)]
fn read_some(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_some(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}
