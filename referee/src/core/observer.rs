//! What a referee and its observer say to each other, line by line (decision 143).
//!
//! Every line is an EPD record with the private opcode `Observe`, but for the lines of the journal, which
//! the referee sends as they are in its file, and for its last word, a `refcom disconnect`.

use std::time::Duration;

use epd::protocol::frame::line_of;
use epd::protocol::{Command, Term};
use epd::{Operand, Operation, Record};
use movegen::Position;

use crate::core::journal::{MAX_PART, escaped, unescaped};

/// The opcode of all records but those of the journal.
pub const OPCODE: &str = "Observe";
/// What a referee says that does no longer wait for its observer.
pub const GOES_ON_ALONE: &str = "the referee goes on without a copy";
/// How many strings of a file's text are in one record, which must not be too long.
const PARTS_OF_LINE: usize = 15;

/// The copy of a journal that an observer has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplicaState {
    /// Its length in bytes.
    pub length: u64,
    /// Its SHA-256, in hexadecimal digits.
    pub hash: String,
    /// The number of the last referee that it knows of.
    pub term: u64,
}

/// The first words of an observer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignOn {
    /// What it has.
    pub replica: ReplicaState,
    /// The longest pause that it wants between two records.
    pub beat: Duration,
}

/// Something that a referee says to its observer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromReferee {
    /// A part of the text of a file, escaped.
    File {
        /// The file's name.
        name: String,
        /// The part.
        part: String,
    },
    /// The journal follows.
    Journal {
        /// From this byte on: the length of the observer's copy, or 0.
        from: u64,
        /// Its present length.
        to: u64,
        /// The number of the referee.
        term: u64,
    },
    /// Players are told of nothing that the observer does not get, from now on.
    Complete,
    /// The referee is still there.
    Beat,
    /// The referee ends the connection, for this reason.
    Farewell {
        /// The reason.
        why: String,
        /// The number of the referee, if the observer thinks that a later one is itself.
        term: Option<Term>,
    },
    /// A line of the journal.
    Entry,
}

/// A record at the starting position, which means nothing.
fn record(words: Operation) -> Record {
    let mut record = Record::new(Position::start().setup());
    record.set(words);
    record
}

fn words(kind: &str) -> Operation {
    Operation::new(OPCODE).symbol(kind)
}

impl SignOn {
    /// The line that says it, with the observer's token.
    #[must_use]
    pub fn line(&self, token: &str) -> String {
        let replica = &self.replica;
        let mut record = record(
            words("sign_on")
                .symbol(replica.length)
                .string(&replica.hash)
                .symbol(self.beat.as_millis()),
        );
        record.set(Operation::new("Term").symbol(replica.term));
        record.set(Operation::new("Auth").string(token));
        line_of(&record)
    }

    /// The first words in a record; none if it has other ones.
    #[must_use]
    pub fn read(record: &Record) -> Option<Self> {
        let operands = &record.get(OPCODE)?.operands;
        let text = |i: usize| operands.get(i).map(Operand::text);
        if text(0)? != "sign_on" {
            return None;
        }
        Some(Self {
            replica: ReplicaState {
                length: text(1)?.parse().ok()?,
                hash: text(2)?.to_owned(),
                term: Term::of(record)?.number,
            },
            beat: Duration::from_millis(text(3)?.parse().ok()?),
        })
    }
}

/// The line by which an observer tells how many bytes are in its copy.
#[must_use]
pub fn replica_line(length: u64) -> String {
    line_of(&record(words("replica").symbol(length)))
}

/// The length in a line of [`replica_line`]; none if it is another one.
#[must_use]
pub fn replica_length(line: &str) -> Option<u64> {
    let record = epd::read(line, &mut Vec::new()).ok()?;
    match &record.get(OPCODE)?.operands[..] {
        [kind, length] if kind.text() == "replica" => length.text().parse().ok(),
        _ => None,
    }
}

/// The line by which a referee shows its term to an earlier one, which stops then.
#[must_use]
pub fn fence_line(term: &Term) -> String {
    let mut record = record(words("fence"));
    record.set(term.operation());
    line_of(&record)
}

/// Whether a record is from [`fence_line`].
#[must_use]
pub fn is_fence(record: &Record) -> bool {
    let first = record.get(OPCODE).and_then(|words| words.operands.first());
    first.is_some_and(|word| word.text() == "fence")
}

/// The lines with the text of a file.
#[must_use]
pub fn file_lines(name: &str, text: &str) -> String {
    let text = escaped(text);
    let file = || words("file").string(name);
    if text.is_empty() {
        return line_of(&record(file()));
    }
    // Escaped text is ASCII.
    let lines = text.as_bytes().chunks(MAX_PART * PARTS_OF_LINE);
    let lines = lines.map(|line| {
        let parts = line.chunks(MAX_PART);
        let parts = parts.fold(file(), |words, part| {
            words.string(&String::from_utf8_lossy(part))
        });
        line_of(&record(parts))
    });
    lines.collect()
}

/// The text of a file, from all parts of it; none if they are damaged.
#[must_use]
pub fn file_text(parts: &str) -> Option<String> {
    unescaped(parts)
}

/// The line before those of the journal.
#[must_use]
pub fn journal_line(from: u64, to: u64, term: u64) -> String {
    let words = words("journal").symbol(from).symbol(to).symbol(term);
    line_of(&record(words))
}

/// The line that says that the referee is still there.
#[must_use]
pub fn beat_line() -> String {
    line_of(&record(words("beat")))
}

/// The line that follows all that players may have been told of, as soon as they wait for the observer's copy.
#[must_use]
pub fn complete_line() -> String {
    line_of(&record(words("complete")))
}

impl FromReferee {
    /// What a line without its line feed says.
    pub fn read(line: &str) -> Result<Self, String> {
        // Almost all lines are entries, which are read when they are needed.
        if !line.contains(OPCODE) && !line.contains("refcom") {
            return Ok(Self::Entry);
        }
        let record = epd::read(line, &mut Vec::new()).map_err(|error| error.to_string())?;
        let Some(words) = record.get(OPCODE) else {
            return Ok(match Command::read(&record) {
                Ok(Command::Disconnect(message)) => Self::Farewell {
                    why: message.text.unwrap_or_default().into(),
                    term: message.term,
                },
                _ => Self::Entry,
            });
        };
        let operands: Vec<_> = words.operands.iter().map(Operand::text).collect();
        let number = |text: &str| {
            let number = text.parse::<u64>();
            number.map_err(|_| format!("{OPCODE}: {text:?} is not a number"))
        };
        match &operands[..] {
            ["file", name, parts @ ..] => Ok(Self::File {
                name: (*name).to_owned(),
                part: parts.concat(),
            }),
            ["journal", from, to, term] => Ok(Self::Journal {
                from: number(from)?,
                to: number(to)?,
                term: number(term)?,
            }),
            ["complete"] => Ok(Self::Complete),
            ["beat"] => Ok(Self::Beat),
            _ => Err(format!("{words} is not understood")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parts(lines: &str) -> (String, String) {
        let mut names = Vec::new();
        let mut text = String::new();
        for line in lines.lines() {
            assert!(line.len() <= 4093, "{}", line.len());
            match FromReferee::read(line) {
                Ok(FromReferee::File { name, part }) => {
                    names.push(name);
                    text += &part;
                }
                other => panic!("{line}: {other:?}"),
            }
        }
        names.dedup();
        assert_eq!(names.len(), 1, "{names:?}");
        (names.remove(0), file_text(&text).expect("whole"))
    }

    proptest! {
        /// Whatever is in a file arrives.
        #[test]
        fn files_arrive(text in "(?s).{0,3000}", tail in "[ -~\\n]{0,20000}") {
            let text = text + &tail;
            prop_assert_eq!(parts(&file_lines("event.toml", &text)), ("event.toml".to_owned(), text));
        }
    }

    #[test]
    fn words_are_understood() {
        let sign_on = SignOn {
            replica: ReplicaState {
                length: 7,
                hash: "0a".repeat(32),
                term: 3,
            },
            beat: Duration::from_millis(250),
        };
        let line = sign_on.line("sesame");
        let record: Record = line.trim_end().parse().expect("a record");
        assert_eq!(SignOn::read(&record), Some(sign_on));
        assert_eq!(record.get("Auth").expect("a token").operands.len(), 1);
        assert_eq!(replica_length(replica_line(12).trim_end()), Some(12));
        assert_eq!(replica_length(beat_line().trim_end()), None);
        for (line, said) in [
            (beat_line(), FromReferee::Beat),
            (complete_line(), FromReferee::Complete),
            (
                journal_line(1, 20, 2),
                FromReferee::Journal {
                    from: 1,
                    to: 20,
                    term: 2,
                },
            ),
        ] {
            assert_eq!(FromReferee::read(line.trim_end()), Ok(said));
        }
        let damaged = "8/8/8/8/8/k7/8/K7 w - - Observe journal x 1 1;";
        let why = "Observe: \"x\" is not a number".to_owned();
        assert_eq!(FromReferee::read(damaged), Err(why));
        // An arbiter may write what he likes into the journal.
        let order = "8/8/8/8/8/k7/8/K7 w - - Order \"message 'Observe beat; refcom disconnect;'\";";
        assert_eq!(FromReferee::read(order), Ok(FromReferee::Entry));
    }
}
