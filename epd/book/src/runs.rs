//! Sorted entries in temporary files.
//!
//! A file has, for each entry, its position fields, its moves with their numbers, and its other operations as text.
//! Numbers take seven bits of each byte, and the highest bit says that more follow.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use epd::Reader;
use movegen::{Role, Square, UciMove};

use crate::entry::Entry;
use crate::stats::Stats;

/// The size of the buffer of a file that is read.
const BUFFER: usize = 1 << 17;

/// Writes sorted entries to a temporary file, which is gone when it is closed.
pub struct RunWriter(BufWriter<File>);

impl RunWriter {
    pub fn create(folder: &Path) -> io::Result<Self> {
        Ok(Self(BufWriter::with_capacity(
            BUFFER,
            tempfile::tempfile_in(folder)?,
        )))
    }

    pub fn write(&mut self, entry: &Entry) -> io::Result<()> {
        let out = &mut self.0;
        write_text(out, &entry.fields)?;
        write_number(out, entry.moves.len() as u64)?;
        for (mv, stats) in &entry.moves {
            let Stats {
                games,
                wins,
                draws,
                losses,
                weight,
                year,
            } = *stats;
            for number in [
                pack(*mv).into(),
                games,
                wins,
                draws,
                losses,
                weight,
                year.into(),
            ] {
                write_number(out, number)?;
            }
        }
        let mut operations = String::new();
        for operation in &entry.operations {
            // Writing to a string cannot fail.
            let _ = write!(operations, " {operation}");
        }
        write_text(out, &operations)
    }

    /// Ends writing; the entries can then be read.
    pub fn finish(self) -> io::Result<Run> {
        let mut file = self
            .0
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        Ok(Run(BufReader::with_capacity(BUFFER, file)))
    }
}

/// The entries of a temporary file.
pub struct Run(BufReader<File>);

impl Run {
    fn entry(&mut self) -> io::Result<Option<Entry>> {
        if self.0.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let mut entry = Entry::new(self.text()?);
        for _ in 0..self.number()? {
            let mv = unpack(self.number()? as u16).ok_or_else(corrupt)?;
            let stats = Stats {
                games: self.number()?,
                wins: self.number()?,
                draws: self.number()?,
                losses: self.number()?,
                weight: self.number()?,
                year: self.number()? as u16,
            };
            entry.moves.push((mv, stats));
        }
        let operations = self.text()?;
        if !operations.is_empty() {
            // Any position will do: only the operations are read.
            let line = format!("8/8/8/8/8/8/8/8 w - -{operations}");
            let record = Reader::lenient().read(&line, &mut Vec::new());
            let record = record.map_err(|_| corrupt())?;
            entry.operations = record.operations().to_vec();
        }
        Ok(Some(entry))
    }

    fn number(&mut self) -> io::Result<u64> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let mut byte = [0];
            self.0.read_exact(&mut byte)?;
            let [byte] = byte;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
            shift += 7;
            if shift > 63 {
                return Err(corrupt());
            }
        }
    }

    fn text(&mut self) -> io::Result<String> {
        let mut bytes = vec![0; self.number()? as usize];
        self.0.read_exact(&mut bytes)?;
        String::from_utf8(bytes).map_err(|_| corrupt())
    }
}

impl Iterator for Run {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        self.entry().transpose()
    }
}

fn corrupt() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a temporary file was changed")
}

fn write_number(out: &mut impl Write, mut number: u64) -> io::Result<()> {
    while number >= 0x80 {
        out.write_all(&[number as u8 | 0x80])?;
        number >>= 7;
    }
    out.write_all(&[number as u8])
}

fn write_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    write_number(out, text.len() as u64)?;
    out.write_all(text.as_bytes())
}

/// The roles that a pawn can promote to; their indices, from 1, are in the bits above those of the squares.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// A move as a number. Its order has no meaning.
pub fn pack(mv: UciMove) -> u16 {
    let promotion = PROMOTIONS
        .iter()
        .position(|&role| Some(role) == mv.promotes_to);
    let promotion = promotion.map_or(0, |index| index as u16 + 1);
    promotion << 12 | (mv.from.index() as u16) << 6 | mv.to.index() as u16
}

/// The move of a number.
pub fn unpack(bits: u16) -> Option<UciMove> {
    let square = |bits: u16| Square::from_index(usize::from(bits & 63));
    let promotes_to = match usize::from(bits >> 12) {
        0 => None,
        promotion => Some(*PROMOTIONS.get(promotion - 1)?),
    };
    Some(UciMove {
        from: square(bits >> 6),
        to: square(bits),
        promotes_to,
    })
}
