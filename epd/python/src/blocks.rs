//! Whole lines of a file, a compressed file, or one of Python's file objects.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use epd::lines::{MAX_READABLE_LINE, count_line_ends, first_line, opens_string, whole_lines};
use flate2::read::MultiGzDecoder;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// How many bytes are read at once: enough that threads wait seldom, and few enough that the records of a
/// block stay in the caches until Python takes them.
const CHUNK: usize = 16 << 10;

pub type Source = Box<dyn Read + Send>;

const GZIP: &[u8] = b"\x1F\x8B";
const ZSTD: &[u8] = b"\x28\xB5\x2F\xFD";

/// Binary files that people pass by mistake, with what to tell them.
const BINARY: [(&[u8], &str); 7] = [
    (
        b"BZh",
        "bzip2-compressed, expected EPD text, plain or compressed with gzip or zstd",
    ),
    (
        b"\xFD7zXZ\0",
        "xz-compressed, expected EPD text, plain or compressed with gzip or zstd",
    ),
    (b"PK\x03\x04", "a zip archive, expected EPD text"),
    (b"\xFF\xFE", "UTF-16 text, expected EPD text in UTF-8"),
    (b"\xFE\xFF", "UTF-16 text, expected EPD text in UTF-8"),
    (b"PAR1", "a Parquet file, expected EPD text"),
    (
        b"SQLite format 3\0",
        "an SQLite database, expected EPD text",
    ),
];

/// Opens a file.
pub fn open_file(path: &Path) -> io::Result<Source> {
    Ok(Box::new(File::open(path)?))
}

/// A file object of Python, open for bytes or for text.
pub struct FileObject {
    object: Py<PyAny>,
    /// `read1` returns what a pipe has, where `read` waits for all.
    method: &'static str,
    /// Bytes that Python returned but nobody has read yet.
    rest: Cursor<Vec<u8>>,
}

impl FileObject {
    pub fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let method = if object.hasattr("read1")? {
            "read1"
        } else {
            "read"
        };
        Ok(Self {
            object: object.clone().unbind(),
            method,
            rest: Cursor::default(),
        })
    }
}

impl Read for FileObject {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.position() == self.rest.get_ref().len() as u64 {
            let bytes = Python::attach(|py| -> PyResult<Vec<u8>> {
                let read = self
                    .object
                    .bind(py)
                    .call_method1(self.method, (buffer.len(),))?;
                match read.cast::<PyBytes>() {
                    Ok(bytes) => Ok(bytes.as_bytes().to_vec()),
                    Err(_) => Ok(read.cast::<PyString>()?.to_cow()?.into_owned().into_bytes()),
                }
            });
            self.rest = Cursor::new(bytes.map_err(io::Error::other)?);
        }
        self.rest.read(buffer)
    }
}

/// Runs Python's handlers of signals: Ctrl-C raises KeyboardInterrupt.
fn check_signals() -> io::Result<()> {
    Python::attach(|py| py.check_signals().map_err(io::Error::other))
}

/// A block of whole lines, and the number of its first line.
pub struct Block {
    pub first_line: usize,
    pub text: Vec<u8>,
}

/// Splits a stream into blocks of whole lines. What a pipe has is passed on at once.
pub struct Blocks {
    source: Source,
    buffer: Vec<u8>,
    first_line: usize,
    /// The beginning of a line that is too long was passed on; the rest of it is dropped.
    inside_long: bool,
    ended: bool,
}

/// Why a stream gives no blocks.
pub enum Refusal {
    Io(io::Error),
    /// It is not text; what it is.
    NotText(&'static str),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Blocks {
    /// Begins to read a stream, which is decompressed if its first bytes say that it is compressed.
    pub fn open(source: Source) -> Result<Self, Refusal> {
        let mut blocks = Self {
            source,
            buffer: Vec::new(),
            first_line: 1,
            inside_long: false,
            ended: false,
        };
        blocks.peek()?;
        let decoder: fn(Source) -> io::Result<Source> = match &blocks.buffer {
            begin if begin.starts_with(GZIP) => |source| Ok(Box::new(MultiGzDecoder::new(source))),
            begin if begin.starts_with(ZSTD) => |source| Ok(Box::new(zstd::Decoder::new(source)?)),
            _ => {
                blocks.check_text()?;
                return Ok(blocks);
            }
        };
        let begin = Cursor::new(std::mem::take(&mut blocks.buffer));
        blocks.source = decoder(Box::new(begin.chain(blocks.source)))?;
        blocks.ended = false;
        blocks.peek()?;
        blocks.check_text()?;
        Ok(blocks)
    }

    /// Reads until there are enough bytes to recognise a file type.
    fn peek(&mut self) -> io::Result<()> {
        const LONGEST: usize = 16;
        while self.buffer.len() < LONGEST && !self.ended && !self.buffer.contains(&b'\n') {
            self.fill()?;
        }
        Ok(())
    }

    fn check_text(&self) -> Result<(), Refusal> {
        let known = BINARY
            .iter()
            .find(|(begin, _)| self.buffer.starts_with(begin));
        let is_compressed = self.buffer.starts_with(GZIP) || self.buffer.starts_with(ZSTD);
        match known {
            Some((_, what)) => Err(Refusal::NotText(what)),
            None if is_compressed => Err(Refusal::NotText("compressed twice, expected EPD text")),
            None => Ok(()),
        }
    }

    /// Reads the available bytes.
    fn fill(&mut self) -> io::Result<()> {
        let before = self.buffer.len();
        self.buffer.resize(before + CHUNK, 0);
        let read = loop {
            match self.source.read(&mut self.buffer[before..]) {
                // A signal: perhaps Ctrl-C.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                    check_signals()?;
                }
                other => break other,
            }
        };
        self.buffer.truncate(before + *read.as_ref().unwrap_or(&0));
        self.ended = read? == 0;
        Ok(())
    }

    /// The next block; none at the end.
    pub fn next(&mut self) -> io::Result<Option<Block>> {
        loop {
            if self.inside_long {
                self.drop_long_line();
            }
            let len = self.ready();
            if len > 0 {
                return Ok(Some(self.cut(len)));
            }
            if self.ended {
                return Ok(None);
            }
            if let Err(error) = self.fill() {
                self.ended = true;
                self.buffer.clear();
                return Err(error);
            }
        }
    }

    /// The number of bytes that can be passed on: whole lines, or the beginning of a line that is too
    /// long, which makes it an error.
    fn ready(&mut self) -> usize {
        if self.ended {
            return self.buffer.len();
        }
        let lines = whole_lines(&self.buffer);
        // A line with an open string is joined with the next one.
        let last = self.buffer[..lines].trim_ascii_end();
        let begin = memchr::memrchr2(b'\n', b'\r', last).map_or(0, |end| end + 1);
        let whole = if opens_string(&last[begin..]) {
            begin
        } else {
            lines
        };
        if whole > 0 || self.buffer.len() - lines <= MAX_READABLE_LINE {
            return whole;
        }
        if lines == 0 {
            self.inside_long = true;
            return self.buffer.len();
        }
        lines
    }

    /// Drops the rest of a line that is too long, as far as it was read.
    fn drop_long_line(&mut self) {
        let (end, next) = first_line(&self.buffer);
        let is_whole = whole_lines(&self.buffer) > 0 || self.ended;
        if is_whole {
            self.buffer.drain(..next);
            self.first_line += 1;
            self.inside_long = false;
        } else {
            self.buffer.drain(..end);
        }
    }

    fn cut(&mut self, len: usize) -> Block {
        let rest = self.buffer.split_off(len);
        let text = std::mem::replace(&mut self.buffer, rest);
        let first_line = self.first_line;
        self.first_line += count_line_ends(&text);
        Block { first_line, text }
    }
}
