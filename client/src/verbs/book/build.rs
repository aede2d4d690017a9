//! `epode book build`.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::bail;
use book::{Batch, Builder, Entry, Totals};
use epd::LineKind;
use indicatif::{ProgressBar, ProgressStyle};
use movegen::pgn::{Games, PgnError};

use super::labels::Labels;
use crate::cli::{BookBuild, Castling};
use crate::exit_status::ExitStatus;
use crate::io::input::{Block, Blocks, DroppedCastling, Message, reader};
use crate::io::output::{Output, check_destination, refuse_same_file};
use crate::io::parallel::map_in_order;
use crate::io::pgn::{GameGroup, PgnGroups, is_pgn};
use crate::io::stream::Stream;
use crate::text::{counted, grouped_count};

/// The most groups of games that wait for an earlier one.
const GROUPS_AHEAD: usize = 32;

/// What was read.
#[derive(Default)]
struct Counts {
    games: u64,
    records: u64,
    /// Games and records with wrong content.
    faulty: u64,
    /// Lines that are not records.
    unreadable: u64,
}

/// The games of a group.
struct ReadGroup {
    size: usize,
    batch: Batch,
    games: u64,
    messages: Vec<String>,
}

pub fn run(args: &BookBuild) -> anyhow::Result<ExitStatus> {
    refuse_games(&args.output)?;
    let memory = args.memory as usize;
    let temp = args.temp.clone().unwrap_or_else(std::env::temp_dir);
    let mut build = Build {
        args,
        builder: Builder::new(memory << 20, temp.clone()),
        temp,
        counts: Counts::default(),
        bar: progress_bar(&args.inputs),
    };
    for input in &args.inputs {
        build.read(input)?;
    }
    let Build {
        builder,
        temp,
        counts,
        bar,
        ..
    } = build;
    bar.set_style(ProgressStyle::default_spinner());
    bar.set_message("sorting");
    let mut output = Output::create_records(&args.output)?;
    let labels = Labels::new(!args.no_names);
    let totals = builder.finish(args.min_games, |mut entry| {
        labels.label(&mut entry);
        bar.tick();
        let written = output.write_with(|out| writeln!(out, "{entry}"));
        written.map_err(Unfinished::Output)
    });
    let totals = totals.map_err(|error| match error {
        Unfinished::Temporary(error) => temporary_error(&temp, error),
        Unfinished::Output(error) => error,
    })?;
    bar.finish_and_clear();
    output.finish()?;
    summary(&counts, totals, args.min_games);
    Ok(match counts {
        Counts {
            unreadable: 1.., ..
        } => ExitStatus::Failed,
        Counts { faulty: 1.., .. } => ExitStatus::Faulty,
        _ => ExitStatus::Success,
    })
}

/// Refuses to replace games by a book: `-o *.pgn` names the first file of games as the output.
fn refuse_games(output: &Stream) -> anyhow::Result<()> {
    if output.is_regular() && is_pgn(Blocks::open(output)?.beginning()) {
        bail!("{output} has games (PGN), which the book would replace: name another OUT");
    }
    Ok(())
}

fn summary(counts: &Counts, totals: Totals, min_games: u64) {
    let mut read = Vec::new();
    if counts.games > 0 || counts.records == 0 {
        read.push(grouped_count(counts.games, "game", "games"));
    }
    if counts.records > 0 {
        read.push(grouped_count(counts.records, "record", "records"));
    }
    let positions = grouped_count(totals.positions, "position", "positions");
    let moves = grouped_count(totals.moves, "move", "moves");
    let mut parts = vec![format!("{}: {positions}, {moves}", read.join(" and "))];
    if totals.rare_moves > 0 {
        let rare = grouped_count(totals.rare_moves, "move", "moves");
        parts.push(format!(
            "{rare} in fewer than {min_games} games left out (--min-games)"
        ));
    }
    if counts.faulty > 0 {
        parts.push(format!("{} with errors left out", counts.faulty));
    }
    if counts.unreadable > 0 {
        let lines = counted(counts.unreadable, "line", "lines");
        parts.push(format!("{lines} not understood"));
    }
    eprintln!("{}", parts.join("; "));
}

struct Build<'a> {
    args: &'a BookBuild,
    builder: Builder,
    /// The folder for temporary files.
    temp: PathBuf,
    counts: Counts,
    bar: ProgressBar,
}

impl Build<'_> {
    fn read(&mut self, input: &Stream) -> anyhow::Result<()> {
        let args = self.args;
        let blocks = Blocks::open(input)?;
        check_destination(input, blocks.compression(), &args.output, args.force)?;
        refuse_same_file(input, &args.output)?;
        if is_pgn(blocks.beginning()) {
            self.read_games(input, blocks)
        } else {
            self.read_records(input, blocks)
        }
    }

    fn read_games(&mut self, input: &Stream, blocks: Blocks) -> anyhow::Result<()> {
        let plies = self.args.plies;
        map_in_order(
            PgnGroups::new(blocks),
            self.args.jobs.get(),
            GROUPS_AHEAD,
            || |group: anyhow::Result<GameGroup>| Ok(read_group(&group?, plies, input)),
            |group: anyhow::Result<ReadGroup>| {
                let group = group?;
                self.bar.inc(group.size as u64);
                self.report(&group.messages);
                self.counts.games += group.games;
                self.counts.faulty += group.messages.len() as u64;
                let added = self.builder.add(&group.batch);
                added.map_err(|error| temporary_error(&self.temp, error))
            },
        )
    }

    fn read_records(&mut self, input: &Stream, blocks: Blocks) -> anyhow::Result<()> {
        map_in_order(
            blocks,
            self.args.jobs.get(),
            GROUPS_AHEAD,
            || |block: anyhow::Result<Block>| Ok(read_block(&block?, input, self.args.castling)),
            |block: anyhow::Result<ReadBlock>| {
                let block = block?;
                self.bar.inc(block.size as u64);
                self.report(&block.messages);
                self.counts.records += block.entries.len() as u64;
                self.counts.faulty += block.faulty;
                self.counts.unreadable += block.unreadable;
                for entry in block.entries {
                    let added = self.builder.add_entry(entry);
                    added.map_err(|error| temporary_error(&self.temp, error))?;
                }
                Ok(())
            },
        )
    }

    fn report(&self, messages: &[String]) {
        if !messages.is_empty() {
            self.bar
                .suspend(|| messages.iter().for_each(|message| eprintln!("{message}")));
        }
    }
}

/// Why a book could not be finished.
enum Unfinished {
    Temporary(io::Error),
    Output(anyhow::Error),
}

impl From<io::Error> for Unfinished {
    fn from(error: io::Error) -> Self {
        Self::Temporary(error)
    }
}

fn temporary_error(folder: &Path, error: io::Error) -> anyhow::Error {
    let folder = folder.display();
    let what = "cannot use a temporary file";
    anyhow::Error::from(error).context(format!("{what} in {folder} (--temp names another folder)"))
}

fn read_group(group: &GameGroup, plies: usize, stream: &Stream) -> ReadGroup {
    let mut read = ReadGroup {
        size: group.size,
        batch: Batch::default(),
        games: 0,
        messages: Vec::new(),
    };
    for text in &group.games {
        for game in Games::new(&String::from_utf8_lossy(&text.bytes), plies) {
            match game {
                Ok(game) => {
                    read.games += 1;
                    read.batch.add_game(&game);
                }
                Err(error) => read.messages.push(game_message(stream, text.line, &error)),
            }
        }
    }
    read
}

/// The message about a game whose text begins at a line.
pub fn game_message(stream: &Stream, first_line: usize, error: &PgnError) -> String {
    let message = Message {
        stream,
        line: first_line + error.place.line - 1,
        column: Some(error.place.column),
        text: format_args!("game left out: {}", error.kind),
    };
    message.to_string()
}

/// The records of a block.
struct ReadBlock {
    size: usize,
    entries: Vec<Entry>,
    messages: Vec<String>,
    faulty: u64,
    unreadable: u64,
}

fn read_block(block: &Block, stream: &Stream, castling: Castling) -> ReadBlock {
    let mut read = ReadBlock {
        size: block.text.len(),
        entries: Vec::new(),
        messages: Vec::new(),
        faulty: 0,
        unreadable: 0,
    };
    let reader = reader(false, castling);
    let mut repairs = Vec::new();
    for line in block.lines() {
        if line.kind() != LineKind::Record {
            continue;
        }
        repairs.clear();
        let (place, text) = match line.read(&reader, &mut repairs) {
            Ok(record) => {
                if let Some(dropped) = DroppedCastling::of(&line, &record.setup, &repairs) {
                    read.messages.push(dropped.message(stream).to_string());
                }
                match Entry::of_analysis(&record) {
                    Ok(entry) => {
                        read.entries.push(entry);
                        continue;
                    }
                    Err(error) => {
                        read.faulty += 1;
                        ((line.number, None), error.to_string())
                    }
                }
            }
            Err(error) => {
                read.unreadable += 1;
                let (number, column) = line.place(error.span.start);
                ((number, Some(column)), error.kind.to_string())
            }
        };
        let message = Message {
            stream,
            line: place.0,
            column: place.1,
            text: format_args!("record left out: {text}"),
        };
        read.messages.push(message.to_string());
    }
    read
}

/// A progress bar over all inputs, if their sizes are known.
fn progress_bar(inputs: &[Stream]) -> ProgressBar {
    let size = |input: &Stream| match input {
        Stream::File(path) => {
            let is_compressed = crate::io::compression::Compression::of_name(path).is_some();
            let metadata = path.metadata().ok().filter(|_| !is_compressed);
            metadata.map(|metadata| metadata.len())
        }
        Stream::Standard => None,
    };
    let total: Option<u64> = inputs.iter().map(size).sum();
    let Some(total) = total.filter(|&total| total > 0 && std::io::stderr().is_terminal()) else {
        return ProgressBar::hidden();
    };
    let template = "{wide_bar} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} to go";
    let style = ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar());
    ProgressBar::new(total).with_style(style)
}
