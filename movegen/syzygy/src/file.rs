//! The bytes of a table file, read without mapping it into memory: a file that is cut short while it is
//! in use gives an error, where a mapped one ends the program.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::checksum;
use crate::error::{Fault, Kind};

/// The length of the checksum at the end.
const CHECKSUM: u64 = 16;

/// Files up to this size are kept in memory, unless a test says otherwise.
pub(crate) const KEPT: u64 = 1 << 20;

/// More than the header of any table takes.
const HEADER: u64 = 1 << 21;

/// A file whose size and first bytes are those of a table.
pub(crate) struct TableFile {
    source: Source,
    /// The size without the checksum.
    pub len: u64,
}

enum Source {
    Memory(Box<[u8]>),
    Disk(File),
}

impl TableFile {
    /// Opens a file, and keeps it in memory up to a size. Its checksum is compared unless the file is too
    /// large to read all of it.
    pub fn open(path: &Path, kind: Kind, kept: u64) -> Result<Self, Fault> {
        let file = File::open(path).map_err(|error| io_fault(&error))?;
        let size = file.metadata().map_err(|error| io_fault(&error))?.len();
        check_size(size)?;
        let len = size - CHECKSUM;
        let mut opened = Self {
            source: Source::Disk(file),
            len,
        };
        let mut magic = [0; 4];
        opened.read(0, &mut magic)?;
        check_magic(magic, kind)?;
        if len <= checksum::LIMIT as u64 {
            let mut bytes = vec![0; size as usize];
            opened.read(0, &mut bytes)?;
            let sum = bytes.split_off(len as usize);
            if checksum::of(&bytes)[..] != sum {
                return Err(Fault::Checksum);
            }
            if len <= kept {
                opened.source = Source::Memory(bytes.into());
            }
        }
        Ok(opened)
    }

    /// Checks the size and the first bytes of a file.
    pub fn check(path: &Path, kind: Kind) -> Result<(), Fault> {
        let file = File::open(path).map_err(|error| io_fault(&error))?;
        check_size(file.metadata().map_err(|error| io_fault(&error))?.len())?;
        let mut magic = [0; 4];
        read_at(&file, 0, &mut magic).map_err(|error| io_fault(&error))?;
        check_magic(magic, kind)
    }

    /// The part of the file that holds the header.
    pub fn header(&self) -> Result<Vec<u8>, Fault> {
        let mut bytes = vec![0; self.len.min(HEADER) as usize];
        self.read(0, &mut bytes)?;
        Ok(bytes)
    }

    /// Fills a buffer with the bytes from a place on.
    pub fn read(&self, at: u64, buffer: &mut [u8]) -> Result<(), Fault> {
        match &self.source {
            Source::Disk(file) => read_at(file, at, buffer).map_err(|error| io_fault(&error)),
            Source::Memory(bytes) => {
                let from = usize::try_from(at).unwrap_or(usize::MAX);
                let to = from.saturating_add(buffer.len());
                let bytes = bytes.get(from..to);
                buffer.copy_from_slice(bytes.ok_or(Fault::Damaged("a place beyond its end"))?);
                Ok(())
            }
        }
    }
}

fn io_fault(error: &io::Error) -> Fault {
    Fault::Io(error.to_string())
}

fn check_size(size: u64) -> Result<(), Fault> {
    if size % 64 == CHECKSUM && size > CHECKSUM {
        Ok(())
    } else {
        Err(Fault::Size(size))
    }
}

fn check_magic(found: [u8; 4], kind: Kind) -> Result<(), Fault> {
    if found == kind.magic() {
        Ok(())
    } else {
        Err(Fault::Magic { kind, found })
    }
}

#[cfg(unix)]
fn read_at(file: &File, at: u64, buffer: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at)
}

#[cfg(windows)]
fn read_at(file: &File, mut at: u64, mut buffer: &mut [u8]) -> io::Result<()> {
    while !buffer.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, buffer, at)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        buffer = &mut buffer[read..];
        at += read as u64;
    }
    Ok(())
}
