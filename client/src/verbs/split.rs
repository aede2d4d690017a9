//! `epode split`: one file of records becomes several.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow, bail};

use crate::cli::{MAX_FILES, Split};
use crate::exit_status::ExitStatus;
use crate::io::compression::Compression;
use crate::io::output::{Complete, Output, check_destination, is_same_file};
use crate::io::stream::Stream;
use crate::query::{Facts, Term};
use crate::text::counted;
use crate::verbs::lines::{Content, Depth, Input, Streams};

pub fn run(args: &Split) -> anyhow::Result<ExitStatus> {
    let term = args.by.as_deref().map(key).transpose()?;
    let depth = if term.as_ref().is_some_and(Term::needs_operations) {
        Depth::Operations
    } else {
        Depth::Position
    };
    let streams = Streams {
        input: &args.input,
        output: &Stream::File(args.folder.clone()),
        force: args.force,
        castling: args.castling,
        jobs: args.jobs.get(),
        depth,
    };
    let input = Input::open(&args.input)?;
    fs::create_dir_all(&args.folder)
        .with_context(|| format!("cannot make the folder {}", args.folder.display()))?;
    let mut files = Files::new(args, input.compression());
    let mut number = 0;
    let value = |record: &epd::Record| {
        let value = term.as_ref()?.value(&Facts::new(record));
        Some(value.map_or_else(|| "none".to_owned(), |value| file_name(&value.to_string())))
    };
    let counts = input.read_only(
        &streams,
        |_, record| value(record),
        |entry| {
            let name = match entry.content {
                Content::NoRecord => return files.write(REST, entry.text),
                Content::Record(Some(value)) => format!("{value}.epd"),
                Content::Record(None) => {
                    let file = match (args.records, args.parts) {
                        (Some(records), _) => number / records,
                        (None, parts) => number % parts.unwrap_or(1),
                    };
                    number += 1;
                    format!("{}-{:03}.epd", files.stem, file + 1)
                }
            };
            if args.records.is_some() {
                files.keep_only(&name)?;
            }
            files.write(&name, entry.text)
        },
    )?;
    let count = files.replace()?;
    eprintln!(
        "{} in {}{}",
        counted(counts.records, "record", "records"),
        counted(count, "file", "files"),
        counts.rest(", in rest.txt"),
    );
    Ok(counts.status())
}

/// The key of --by.
fn key(name: &str) -> anyhow::Result<Term> {
    if name.starts_with('-') {
        bail!("--by: {name:?} is no key: files have no order that `-` could reverse");
    }
    Term::parse(name).map_err(|message| anyhow!("--by: {message}"))
}

/// A value as a part of a file's name.
fn file_name(value: &str) -> String {
    let safe = |letter: char| {
        if letter.is_alphanumeric() || "-+._ ".contains(letter) {
            letter
        } else {
            '_'
        }
    };
    let name: String = value.chars().take(80).map(safe).collect();
    match name.trim_matches(['.', ' ']) {
        "" => "_".to_owned(),
        name => name.to_owned(),
    }
}

/// The files that are written.
struct Files<'a> {
    args: &'a Split,
    /// The compression of the input.
    compression: Option<Compression>,
    /// The name of the input without its extensions.
    stem: String,
    open: BTreeMap<String, Output>,
    /// The names of all files that are written.
    written: BTreeSet<String>,
    /// Files of records that are complete. They replace others when all are, so that an error replaces none.
    complete: Vec<Complete>,
}

/// The name of the file for lines that are not records.
const REST: &str = "rest.txt";

impl<'a> Files<'a> {
    fn new(args: &'a Split, compression: Option<Compression>) -> Self {
        let name = match &args.input {
            Stream::Standard => None,
            Stream::File(path) => path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned()),
        };
        let name = name.unwrap_or_else(|| "part".to_owned());
        let stem = name
            .trim_end_matches(".gz")
            .trim_end_matches(".zst")
            .trim_end_matches(".epd");
        Self {
            args,
            compression,
            stem: if stem.is_empty() {
                "part".to_owned()
            } else {
                stem.to_owned()
            },
            open: BTreeMap::new(),
            written: BTreeSet::new(),
            complete: Vec::new(),
        }
    }

    fn write(&mut self, name: &str, text: &[u8]) -> anyhow::Result<()> {
        if !self.open.contains_key(name) {
            if self.open.len() as u64 > MAX_FILES {
                bail!(
                    "more than {MAX_FILES} different values; `epode sort` puts records of one value together"
                );
            }
            let path = Stream::File(self.args.folder.join(name));
            let input = &self.args.input;
            if is_same_file(input, &path) {
                bail!("{path} is the file to split, name another DIR");
            }
            check_destination(input, self.compression, &path, self.args.force)?;
            self.open
                .insert(name.to_owned(), Output::create_records(&path)?);
            self.written.insert(name.to_owned());
        }
        match self.open.get_mut(name) {
            Some(output) => output.write_with(|out| out.write_all(text)),
            None => Ok(()),
        }
    }

    /// Completes all files of records but this one.
    fn keep_only(&mut self, name: &str) -> anyhow::Result<()> {
        let done: Vec<_> = self
            .open
            .extract_if(.., |other, _| other != name && other != REST)
            .collect();
        for (_, output) in done {
            self.complete.push(output.complete()?);
        }
        Ok(())
    }

    /// Completes all files and replaces those that exist; the number of those with records.
    fn replace(mut self) -> anyhow::Result<usize> {
        self.keep_only("")?;
        let count = self.complete.len();
        for (_, rest) in self.open {
            self.complete.push(rest.complete()?);
        }
        for file in self.complete {
            file.replace()?;
        }
        report_older(&self.args.folder, &self.stem, &self.written);
        Ok(count)
    }
}

/// Reports numbered parts that this run did not write: a program that reads all parts would read them too.
fn report_older(folder: &Path, stem: &str, written: &BTreeSet<String>) {
    let is_part = |name: &String| {
        let rest = name
            .strip_prefix(stem)
            .and_then(|rest| rest.strip_prefix('-'));
        let number = rest.and_then(|rest| rest.strip_suffix(".epd"));
        number.is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = names.filter_map(|file| file.file_name().into_string().ok());
    let older = names
        .filter(|name| is_part(name) && !written.contains(name))
        .count();
    if older > 0 {
        let (folder, parts) = (folder.display(), counted(older, "part", "parts"));
        eprintln!("{folder} also has {parts} of {stem} that an earlier run wrote");
    }
}
