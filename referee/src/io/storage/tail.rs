//! The end of a file of lines, as a crash may have left it.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use serde_json::Value;

use crate::core::event::Report;
use crate::core::event::stream::Stamped;

/// Cuts off an incomplete last line.
pub(super) fn drop_torn_line(file: &File, path: &Path) -> io::Result<()> {
    let (_, whole) = last_line(path)?;
    file.set_len(whole)
}

/// The number of the last event in `events.jsonl`. Files of earlier versions have no numbers: their lines
/// count.
pub(super) fn last_event(path: &Path) -> io::Result<u64> {
    let (line, _) = last_line(path)?;
    let line = serde_json::from_slice::<Value>(&line).unwrap_or_default();
    match line["seq"].as_u64() {
        Some(seq) => Ok(seq),
        None => Ok(memchr::memchr_iter(b'\n', &fs::read(path)?).count() as u64),
    }
}

/// What `events.jsonl` says last.
pub(super) fn last_report(path: &Path) -> io::Result<Option<Report>> {
    let (line, _) = last_line(path)?;
    let event = serde_json::from_slice::<Stamped>(&line);
    Ok(event.ok().map(|event| event.report))
}

/// The last whole line of a file, empty if it has none, and the length of all whole lines.
fn last_line(path: &Path) -> io::Result<(Vec<u8>, u64)> {
    let mut reader = File::open(path)?;
    let length = reader.metadata()?.len();
    let mut size = 1 << 14;
    loop {
        let from = length.saturating_sub(size);
        reader.seek(SeekFrom::Start(from))?;
        let mut tail = Vec::new();
        reader.read_to_end(&mut tail)?;
        let mut ends = memchr::memrchr_iter(b'\n', &tail);
        match (ends.next(), ends.next(), from) {
            (Some(end), Some(before), _) => {
                return Ok((tail[before + 1..end].to_vec(), from + end as u64 + 1));
            }
            (Some(end), None, 0) => return Ok((tail[..end].to_vec(), end as u64 + 1)),
            (None, _, 0) => return Ok((Vec::new(), 0)),
            _ => size *= 4,
        }
    }
}
