//! Reads the entries of a repository from a stream, in their order.

use anyhow::bail;
use book::{BookError, Entry, Order};
use epd::Reader;

use crate::io::compression::Compression;
use crate::io::input::{Blocks, Message, Records};
use crate::io::pgn::is_pgn;
use crate::io::stream::Stream;

/// The entries of a repository. A line that is no record of a repository is an error, and so is one that is not
/// sorted.
pub struct Entries<'s> {
    stream: &'s Stream,
    records: Records<'static>,
    order: Order,
}

impl<'s> Entries<'s> {
    pub fn open(stream: &'s Stream) -> anyhow::Result<Self> {
        let blocks = Blocks::open(stream)?;
        let name = stream.to_string();
        if is_pgn(blocks.beginning()) {
            return Err(BookError::Games { name }.into());
        }
        Ok(Self {
            stream,
            records: Records::new(blocks, Reader::lenient()),
            order: Order::new(&name),
        })
    }

    /// The compression of the stream.
    pub fn compression(&self) -> Option<Compression> {
        self.records.compression()
    }

    fn entry(&mut self) -> anyhow::Result<Option<(usize, Entry)>> {
        let Some(line) = self.records.next().transpose()? else {
            return Ok(None);
        };
        if let Some(dropped) = &line.dropped {
            // There is no option here that reads the letters otherwise.
            eprintln!("{}", dropped.at_place(self.stream, &dropped.rights));
        }
        let number = line.line;
        let record = match line.record {
            Ok(record) => record,
            Err(error) => {
                let (line, column) = error.place;
                let message = Message {
                    stream: self.stream,
                    line,
                    column: Some(column),
                    text: &error.message,
                };
                bail!("{message}");
            }
        };
        let entry = Entry::of_record(&record)
            .map_err(|error| BookError::entry(&self.stream.to_string(), number, error))?;
        self.order.next(number, entry.fields.as_bytes())?;
        Ok(Some((number, entry)))
    }
}

/// The entries with the numbers of their lines.
impl Iterator for Entries<'_> {
    type Item = anyhow::Result<(usize, Entry)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.entry().transpose()
    }
}
