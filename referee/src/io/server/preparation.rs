//! What an observer gets first: the files of the event, and what its copy of the journal lacks.

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use sha2::{Digest as _, Sha256};

use crate::core::observer::{self, SignOn};
use crate::core::secret::hexadecimal;
use crate::io::message::Prepared;
use crate::io::storage::{JOURNAL, OPENINGS};

/// How much of the journal is one piece in the queue of an observer's connection.
const PIECE: usize = 1 << 16;

/// What is read for an observer that has signed on.
pub(super) struct Preparation {
    pub directory: PathBuf,
    /// The length of the journal when it signed on.
    pub length: u64,
    pub term: u64,
    pub sign_on: SignOn,
}

impl Preparation {
    pub fn read(&self) -> anyhow::Result<Prepared> {
        let text = |name: &str| {
            let path = self.directory.join(name);
            fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
        };
        let mut lines = Vec::new();
        let mut add = |name: &str, text: Vec<u8>| {
            let all = observer::file_lines(name, &String::from_utf8_lossy(&text));
            lines.extend(pieces(&all));
        };
        add("event.toml", text("event.toml")?);
        if self.directory.join(OPENINGS).exists() {
            add(OPENINGS, text(OPENINGS)?);
        }
        let mut journal = text(JOURNAL)?;
        journal.truncate(usize::try_from(self.length)?);
        let from = common_length(&journal, &self.sign_on);
        lines.push(observer::journal_line(from as u64, self.length, self.term));
        // Entries are ASCII.
        lines.extend(pieces(&String::from_utf8_lossy(&journal[from..])));
        let from = from as u64;
        Ok(Prepared { from, lines })
    }
}

/// The length of an observer's copy if it is a beginning of the journal, else 0.
fn common_length(journal: &[u8], sign_on: &SignOn) -> usize {
    let replica = &sign_on.replica;
    let length = usize::try_from(replica.length).ok();
    let copy = length.and_then(|length| journal.get(..length));
    let is_same = copy.is_some_and(|copy| hash(copy) == replica.hash);
    if is_same { length.unwrap_or(0) } else { 0 }
}

/// The SHA-256 of a journal, in hexadecimal digits.
#[must_use]
pub fn hash(journal: &[u8]) -> String {
    hexadecimal(&Sha256::digest(journal))
}

/// A text in pieces of whole lines.
fn pieces(text: &str) -> impl Iterator<Item = String> + use<'_> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let at_most = rest.len().min(PIECE);
        let line = rest.as_bytes()[..at_most].iter();
        let end = match line.rev().position(|&byte| byte == b'\n') {
            Some(behind) => at_most - behind,
            None => rest.find('\n').map_or(rest.len(), |end| end + 1),
        };
        let (piece, after) = rest.split_at(end);
        rest = after;
        (!piece.is_empty()).then(|| piece.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::observer::ReplicaState;

    #[test]
    fn pieces_are_whole_lines() {
        let long = "x".repeat(PIECE) + "y\n";
        let text = format!("a\n{}{long}b\nc", "0123456\n".repeat(PIECE / 4));
        let found: Vec<_> = pieces(&text).collect();
        assert_eq!(found.concat(), text);
        assert!(found.len() > 3);
        let (last, others) = found.split_last().expect("some");
        assert!(others.iter().all(|piece| piece.ends_with('\n')) && last == "c");
        assert_eq!(pieces("").count(), 0);
    }

    #[test]
    fn a_copy_goes_on_where_it_ends() {
        let journal = b"one\ntwo\nthree\n";
        let has = |copy: &[u8]| {
            let replica = ReplicaState {
                length: copy.len() as u64,
                hash: hash(copy),
                term: 1,
            };
            let beat = std::time::Duration::from_secs(1);
            common_length(journal, &SignOn { replica, beat })
        };
        for (copy, from) in [
            (&b""[..], 0),
            (b"one\n", 4),
            (journal, journal.len()),
            (b"one\ntoo\n", 0),
            (b"one\ntwo\nthree\nfour\n", 0),
        ] {
            assert_eq!(has(copy), from, "{copy:?}");
        }
    }
}
