//! Compressed files: gzip and zstd.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    Gzip,
    Zstd,
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        })
    }
}

impl Compression {
    /// The compression that the extension of a file name stands for.
    pub fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_ascii_lowercase();
        match extension.to_str()? {
            "gz" => Some(Self::Gzip),
            "zst" | "zstd" => Some(Self::Zstd),
            _ => None,
        }
    }

    /// A decoder. Several members or frames in a row are read as one text.
    pub fn reader(
        self,
        source: impl Read + Send + 'static,
    ) -> io::Result<Box<dyn Read + Send + 'static>> {
        let decoder: Box<dyn Read + Send> = match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(source)),
            Self::Zstd => Box::new(zstd::Decoder::new(source)?),
        };
        Ok(Box::new(Decompressed {
            decoder,
            compression: self,
        }))
    }
}

/// A decoder with readable error messages.
struct Decompressed {
    decoder: Box<dyn Read + Send>,
    compression: Compression,
}

impl Read for Decompressed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let compression = self.compression;
        self.decoder.read(buffer).map_err(|error| {
            let kind = error.kind();
            match kind {
                io::ErrorKind::Interrupted => error,
                // An I/O error, not corrupt data.
                _ if error.raw_os_error().is_some() => error,
                io::ErrorKind::UnexpectedEof => {
                    io::Error::new(kind, format!("the {compression} data is truncated"))
                }
                _ => io::Error::new(kind, format!("the {compression} data is corrupt: {error}")),
            }
        })
    }
}

/// Writes bytes unchanged or compressed.
pub enum Encoder<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: Write> Encoder<W> {
    pub fn new(writer: W, compression: Option<Compression>) -> io::Result<Self> {
        Ok(match compression {
            None => Self::Plain(writer),
            Some(Compression::Gzip) => {
                Self::Gzip(GzEncoder::new(writer, flate2::Compression::default()))
            }
            Some(Compression::Zstd) => {
                let mut encoder = zstd::Encoder::new(writer, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                encoder.include_checksum(true)?;
                Self::Zstd(encoder)
            }
        })
    }

    /// Finishes the compressed stream.
    pub fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(writer) => Ok(writer),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(writer) => writer.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(writer) => writer.flush(),
            Self::Gzip(encoder) => encoder.flush(),
            Self::Zstd(encoder) => encoder.flush(),
        }
    }
}
