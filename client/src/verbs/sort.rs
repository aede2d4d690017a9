//! `epode sort`: records in another order.

use anyhow::anyhow;
use epd::{Line, Record};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

use crate::cli::Sort;
use crate::exit_status::ExitStatus;
use crate::io::sorter::Sorter;
use crate::query::{Facts, Term, Value};
use crate::text::counted;
use crate::verbs::lines::{Content, Depth, Input, Streams};

pub fn run(args: &Sort) -> anyhow::Result<ExitStatus> {
    let files = &args.files;
    let keys: Result<Vec<_>, _> = args.by.iter().map(|name| Key::parse(name)).collect();
    let keys = keys.map_err(|message| anyhow!("--by: {message}"))?;
    let needs_operations =
        |key: &Key| matches!(&key.what, What::Term(term) if term.needs_operations());
    let depth = if args.shuffle.is_none() && keys.iter().any(needs_operations) {
        Depth::Operations
    } else {
        Depth::Position
    };
    let streams = Streams {
        input: &files.input,
        output: &files.output,
        force: files.rewrite.force,
        castling: files.castling,
        jobs: files.jobs.get(),
        depth,
    };
    let input = Input::open(&files.input)?;
    let mut output = input.create_output(&streams)?;
    let mut random = args.shuffle.map(ChaCha8Rng::seed_from_u64);
    let mut sorter = Sorter::new();
    let counts = input.read_only(
        &streams,
        |line, record| {
            // Lines without a record have an empty key and come first.
            let mut bytes = vec![1];
            for key in &keys {
                key.encode(line, record, &mut bytes);
            }
            bytes
        },
        |entry| match (entry.content, &mut random) {
            (Content::NoRecord, _) if files.rewrite.drop_unreadable => Ok(()),
            (Content::NoRecord, _) => sorter.push(&[], entry.text),
            (Content::Record(key), None) => sorter.push(&key, entry.text),
            (Content::Record(_), Some(random)) => {
                let number = random.next_u64().to_be_bytes();
                sorter.push(&[&[1], &number[..]].concat(), entry.text)
            }
        },
    )?;
    for item in sorter.finish()? {
        let (_, text) = item?;
        output.write_with(|out| out.write_all(&text))?;
    }
    output.finish()?;
    let fate = if files.rewrite.drop_unreadable {
        ", dropped"
    } else {
        ", copied"
    };
    let records = counted(counts.records, "record", "records");
    eprintln!("{records}{}", counts.rest(fate));
    Ok(counts.status())
}

/// What records are ordered by.
struct Key {
    what: What,
    is_reversed: bool,
}

enum What {
    Position,
    Line,
    Term(Term),
}

impl Key {
    fn parse(text: &str) -> Result<Self, String> {
        let name = text.strip_prefix('-').unwrap_or(text);
        let what = match name {
            "position" => What::Position,
            "line" => What::Line,
            _ => What::Term(Term::parse(name)?),
        };
        let is_reversed = name != text;
        Ok(Self { what, is_reversed })
    }

    /// Appends the key of a record, in bytes that are in the order of the keys. None begins another one.
    fn encode(&self, line: &Line<'_>, record: &Record, bytes: &mut Vec<u8>) {
        let begin = bytes.len() + 1;
        match &self.what {
            What::Position => {
                bytes.push(0);
                encode_text(record.setup.to_string().bytes(), bytes);
            }
            What::Line => {
                bytes.push(0);
                encode_text(line.text.bytes(), bytes);
            }
            What::Term(term) => match term.value(&Facts::new(record)) {
                None => bytes.push(1),
                Some(Value::Number(number)) => {
                    bytes.extend([0, 0]);
                    bytes.extend(encode_number(number));
                }
                Some(Value::Text(text)) => {
                    bytes.extend([0, 1]);
                    encode_text(with_numbers(&text), bytes);
                }
            },
        }
        if self.is_reversed {
            bytes[begin..].iter_mut().for_each(|byte| *byte = !*byte);
        }
    }
}

/// A text that ends with 0.
fn encode_text(text: impl Iterator<Item = u8>, bytes: &mut Vec<u8>) {
    bytes.extend(text.map(|byte| byte.max(1)));
    bytes.push(0);
}

/// The bytes of a text in which numbers come in the order of their values: before its digits, each has their number.
fn with_numbers(text: &str) -> impl Iterator<Item = u8> {
    let mut bytes = Vec::with_capacity(text.len() + 8);
    let mut rest = text.as_bytes();
    while let Some(&first) = rest.first() {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            bytes.push(first);
            rest = &rest[1..];
            continue;
        }
        let (number, others) = rest.split_at(digits);
        let zeros = number.iter().take_while(|&&digit| digit == b'0').count();
        let number = &number[zeros.min(digits - 1)..];
        bytes.extend([b'0', u8::try_from(number.len()).unwrap_or(u8::MAX)]);
        bytes.extend(number);
        rest = others;
    }
    bytes.into_iter()
}

/// Bytes that are in the order of the numbers.
fn encode_number(number: f64) -> [u8; 8] {
    // -0 and 0 are equal.
    let bits = (number + 0.0).to_bits();
    let sign = 1 << 63;
    let ordered = if bits & sign == 0 { bits | sign } else { !bits };
    ordered.to_be_bytes()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_keep_their_order(one in -1e9..1e9, two in -1e9..1e9) {
            prop_assert_eq!(one < two, encode_number(one) < encode_number(two));
        }
    }

    #[test]
    fn numbers_in_texts() {
        let sorted = ["", "BK", "BK.2", "BK.09", "BK.10", "BK.10a", "BK.x", "bk.1"];
        let encode = |text: &str| {
            let mut bytes = Vec::new();
            encode_text(with_numbers(text), &mut bytes);
            bytes
        };
        assert!(sorted.map(encode).is_sorted(), "{:?}", sorted.map(encode));
        assert_eq!(encode_number(0.0), encode_number(-0.0));
    }
}
