//! Recognises compressed and binary files by their first bytes.

use std::io::{self, Cursor, Read};

use anyhow::{Context, bail};

use crate::io::compression::Compression;
use crate::io::stream::Stream;

/// A file type that is not plain text, by its signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileType {
    Compressed(Compression),
    Other(&'static str),
}

const SIGNATURES: [(&[u8], FileType); 27] = [
    (b"\x1F\x8B", FileType::Compressed(Compression::Gzip)),
    (b"\x28\xB5\x2F\xFD", FileType::Compressed(Compression::Zstd)),
    (b"BZh", FileType::Other("bzip2-compressed")),
    (b"\xFD7zXZ\0", FileType::Other("xz-compressed")),
    (b"\x04\x22\x4D\x18", FileType::Other("lz4-compressed")),
    (b"PK\x03\x04", FileType::Other("a zip archive")),
    (b"PK\x05\x06", FileType::Other("an empty zip archive")),
    (b"7z\xBC\xAF\x27\x1C", FileType::Other("a 7z archive")),
    (b"Rar!\x1A\x07", FileType::Other("a rar archive")),
    (b"\xFF\xFE", FileType::Other("UTF-16 text")),
    (b"\xFE\xFF", FileType::Other("UTF-16 text")),
    (b"\xFF\xFE\0\0", FileType::Other("UTF-32 text")),
    (b"\0\0\xFE\xFF", FileType::Other("UTF-32 text")),
    (b"\x7FELF", FileType::Other("an ELF program")),
    (b"MZ\x90\0", FileType::Other("a Windows program")),
    (b"\xCF\xFA\xED\xFE", FileType::Other("a macOS program")),
    (b"\xCA\xFE\xBA\xBE", FileType::Other("a macOS program")),
    (b"\0asm", FileType::Other("a WebAssembly program")),
    (b"\x89PNG\r\n\x1A\n", FileType::Other("a PNG image")),
    (b"\xFF\xD8\xFF", FileType::Other("a JPEG image")),
    (b"GIF87a", FileType::Other("a GIF image")),
    (b"GIF89a", FileType::Other("a GIF image")),
    (b"%PDF-", FileType::Other("a PDF document")),
    (
        b"\xD0\xCF\x11\xE0",
        FileType::Other("an old Office document"),
    ),
    (b"SQLite format 3\0", FileType::Other("an SQLite database")),
    (b"EPODENET", FileType::Other("a network")),
    (
        b"\x89EPGAME\n",
        FileType::Other("a file of self-play games"),
    ),
];

/// A source of text.
pub struct Opened {
    /// The bytes read for recognition.
    pub begin: Vec<u8>,
    /// The rest of the source.
    pub rest: Box<dyn Read + Send>,
    /// The compression of the source.
    pub compression: Option<Compression>,
}

/// Opens a source as text, decompressed if necessary. A recognised binary format is an error that
/// names it.
pub fn open(mut source: impl Read + Send + 'static, name: &Stream) -> anyhow::Result<Opened> {
    let cannot = || format!("cannot read {name}");
    let (kind, begin) = peek(&mut source).with_context(cannot)?;
    let compression = match kind {
        None => {
            return Ok(Opened {
                begin,
                rest: Box::new(source),
                compression: None,
            });
        }
        Some(FileType::Other(what)) => bail!("{}", refusal(name, what)),
        Some(FileType::Compressed(compression)) => compression,
    };
    let compressed = Cursor::new(begin).chain(source);
    let mut rest = compression.reader(compressed).with_context(cannot)?;
    let (kind, begin) = peek(&mut rest).with_context(cannot)?;
    let within = match kind {
        None => {
            return Ok(Opened {
                begin,
                rest,
                compression: Some(compression),
            });
        }
        Some(FileType::Other(what)) => what.to_owned(),
        Some(FileType::Compressed(again)) => format!("{again}-compressed"),
    };
    let what = format!("{compression}-compressed, and what is in it is {within}");
    bail!("{}", refusal(name, &what))
}

/// Refuses a source whose beginning does not look like text.
pub fn check_text(begin: &[u8], name: &Stream) -> anyhow::Result<()> {
    if looks_binary(begin) {
        bail!("{}", refusal(name, utf_16(begin).unwrap_or("binary data")));
    }
    Ok(())
}

/// Whether a text begins with a tag of PGN, such as `[Event "?"]`. No record begins with a bracket.
/// That is narrower than `is_pgn`: a damaged first record must not make games of a file of records.
pub fn begins_with_tag(begin: &[u8]) -> bool {
    let Some(tag) = begin.trim_ascii_start().strip_prefix(b"[") else {
        return false;
    };
    let tag = tag.trim_ascii_start();
    let is_letter = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let name = tag.iter().take_while(is_letter).count();
    name > 0 && tag[name..].trim_ascii_start().starts_with(b"\"")
}

/// Whether bytes are ASCII text in UTF-16 without a byte order mark.
fn utf_16(bytes: &[u8]) -> Option<&'static str> {
    let is_ascii = |byte: u8| matches!(byte, b'\t' | b'\r' | b'\n' | b' '..=b'~');
    let (pairs, _) = bytes[..bytes.len().min(4096)].as_chunks();
    let all = |test: &dyn Fn([u8; 2]) -> bool| pairs.iter().all(|&pair| test(pair));
    if all(&|[low, high]| is_ascii(low) && high == 0) {
        Some("UTF-16LE text")
    } else if all(&|[high, low]| is_ascii(low) && high == 0) {
        Some("UTF-16BE text")
    } else {
        None
    }
}

fn refusal(name: &Stream, what: &str) -> String {
    let help = match what.strip_suffix(" text") {
        Some(encoding) => format!(" in UTF-8 (iconv -f {encoding} -t UTF-8 converts it)"),
        None if what.ends_with("-compressed") => {
            ", plain or compressed with gzip or zstd".to_owned()
        }
        None => String::new(),
    };
    format!("{name} is {what}, expected EPD text{help}")
}

/// Reads only as many bytes as recognition needs, so that a program that waits for an answer gets it.
fn peek(source: &mut impl Read) -> io::Result<(Option<FileType>, Vec<u8>)> {
    let mut begin = Vec::new();
    // One signature may begin as another does.
    let goes_on = |begin: &[u8]| {
        let longer =
            |signature: &[u8]| signature.len() > begin.len() && signature.starts_with(begin);
        SIGNATURES.iter().any(|(signature, _)| longer(signature))
    };
    while goes_on(&begin) {
        let mut byte = [0];
        match source.read(&mut byte) {
            Ok(0) => break,
            Ok(_) => begin.push(byte[0]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let found = SIGNATURES
        .iter()
        .filter(|(signature, _)| begin.starts_with(signature));
    let kind = found
        .max_by_key(|(signature, _)| signature.len())
        .map(|&(_, kind)| kind);
    Ok((kind, begin))
}

/// Whether many bytes, and more than one in sixteen, are control characters that stand in no text. A
/// few are read: some files have a NUL at the end of each line.
fn looks_binary(bytes: &[u8]) -> bool {
    const MANY: usize = 32;
    let bytes = &bytes[..bytes.len().min(4096)];
    let is_control = |byte: &&u8| matches!(byte, 0..=8 | 14..=31 | 127);
    let controls = bytes.iter().filter(is_control).count();
    controls >= MANY && controls > bytes.len() / 16
}
