//! Opening books: EPD files, plain or compressed with gzip or zstd.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use epd::{LineKind, Lines, Reader};
use movegen::Position;

/// Reads the positions of a book; `-` is standard input.
pub fn read(path: &Path) -> anyhow::Result<Vec<Position>> {
    let name = path.display();
    let bytes = read_bytes(path).with_context(|| format!("cannot read {name}"))?;
    let mut starts = Vec::new();
    for line in Lines::new(&bytes, 1) {
        if line.kind() != LineKind::Record {
            continue;
        }
        let record = match line.read(&Reader::lenient(), &mut Vec::new()) {
            Ok(record) => record,
            Err(error) => {
                let (line, column) = line.place(error.span.start);
                bail!("{name}:{line}:{column}: {}", error.kind);
            }
        };
        let position = record.position();
        starts.push(position.with_context(|| format!("{name}:{}", line.number))?);
    }
    if starts.is_empty() {
        bail!("{name} has no positions, expected EPD records");
    }
    Ok(starts)
}

fn read_bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().read_to_end(&mut bytes)?;
    } else {
        bytes = std::fs::read(path)?;
    }
    if bytes.starts_with(&[0x1F, 0x8B]) {
        let mut plain = Vec::new();
        flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut plain)?;
        Ok(plain)
    } else if bytes.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) {
        zstd::decode_all(&bytes[..])
    } else {
        Ok(bytes)
    }
}
