//! `epode book classify`.

use std::fs;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use book::{Name, Names};
use epd::{Counters, Record};
use movegen::Position;
use movegen::pgn::Games;

use super::build::game_message;
use crate::cli::{BookClassify, Files};
use crate::exit_status::ExitStatus;
use crate::io::input::{Blocks, reader};
use crate::io::output::{Output, check_destination};
use crate::io::parallel::map_in_order;
use crate::io::pgn::{GameGroup, GameText, PgnGroups, is_pgn};
use crate::io::stream::Stream;
use crate::text::{counted, grouped_count};
use crate::verbs::filter::{Filter, filter_blocks, progress_bar};

/// The most groups of games that wait for an earlier one.
const GROUPS_AHEAD: usize = 32;

pub fn run(args: &BookClassify) -> anyhow::Result<ExitStatus> {
    let names = match &args.names {
        None => Names::built_in(),
        Some(path) => {
            let name = path.display().to_string();
            let text = fs::read(path).with_context(|| format!("cannot read {name}"))?;
            Names::read(&name, &text)?
        }
    };
    let blocks = Blocks::open(&args.input)?;
    let compression = blocks.compression();
    check_destination(&args.input, compression, &args.output, args.rewrite.force)?;
    if is_pgn(blocks.beginning()) {
        games(args, &names, blocks)
    } else {
        records(args, &names, blocks, compression.is_some())
    }
}

/// The record before, for records that are the positions of a game.
#[derive(Default)]
struct Before {
    position: Option<Position>,
    name: Option<Name>,
}

impl Before {
    /// The name of the next record.
    fn name(&mut self, names: &Names, record: &Record) -> Option<Name> {
        let position = record.position().ok()?;
        let goes_on = self.position.take().is_some_and(|before| {
            before.legal_moves().iter().any(|&mv| {
                let mut next = before;
                next.play(mv);
                next == position
            })
        });
        let kept = self.name.take().filter(|_| goes_on);
        let own = names.get(&position).cloned().or(kept);
        (self.position, self.name) = (Some(position), own.clone());
        let line = record.get("sv").map(|line| line.variation(&position));
        let line = line.and_then(Result::ok).unwrap_or_default();
        let after = names.of_line(&position, &line).cloned();
        after.or(own)
    }
}

fn records(
    args: &BookClassify,
    names: &Names,
    blocks: Blocks,
    is_compressed: bool,
) -> anyhow::Result<ExitStatus> {
    let reader = reader(false, args.castling);
    let files = Files {
        input: args.input.clone(),
        output: args.output.clone(),
        rewrite: args.rewrite,
        castling: args.castling,
        // A record can have the name of the one before it.
        jobs: NonZeroUsize::MIN,
    };
    let filter = Filter {
        files: &files,
        reader,
        differences: false,
    };
    let before = Mutex::new(Before::default());
    let bar = progress_bar(&files.input, &files.output, is_compressed);
    let counts = filter_blocks(
        &filter,
        blocks,
        &bar,
        |result, line, mut record, repairs| {
            for repair in repairs {
                result.report_dropped(line, &record, repair);
            }
            let mut before = before.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(name) = before.name(names, &record) {
                name.write(&mut record);
                *result.counts.kinds.entry("named").or_default() += 1;
            }
            record.normalise(reader.lexicon());
            record.make_portable(reader.lexicon());
            result.write(&record, Counters::Operations);
        },
    )?;
    let named = counts.kinds.get("named").copied().unwrap_or(0);
    let records = counted(counts.records, "record", "records");
    eprintln!("{records}, {named} named{}", counts.rest());
    Ok(counts.status())
}

/// The games of a group with their names.
#[derive(Default)]
struct NamedGames {
    text: Vec<u8>,
    games: u64,
    with_name: u64,
    messages: Vec<String>,
}

fn games(args: &BookClassify, names: &Names, blocks: Blocks) -> anyhow::Result<ExitStatus> {
    let mut output = Output::create_records(&args.output)?;
    let mut totals = NamedGames::default();
    map_in_order(
        PgnGroups::new(blocks),
        args.jobs.get(),
        GROUPS_AHEAD,
        || |group: anyhow::Result<GameGroup>| Ok(name_group(&group?, names, &args.input)),
        |group: anyhow::Result<NamedGames>| {
            let group = group?;
            totals.games += group.games;
            totals.with_name += group.with_name;
            for message in &group.messages {
                eprintln!("{message}");
            }
            totals.messages.extend(group.messages);
            output.write(&group.text)
        },
    )?;
    output.finish()?;
    let games = grouped_count(totals.games, "game", "games");
    eprintln!("{games}, {} named", totals.with_name);
    Ok(if totals.messages.is_empty() {
        ExitStatus::Success
    } else {
        ExitStatus::Faulty
    })
}

fn name_group(group: &GameGroup, names: &Names, stream: &Stream) -> NamedGames {
    let mut result = NamedGames::default();
    for text in &group.games {
        name_game(text, names, stream, &mut result);
    }
    result
}

fn name_game(text: &GameText, names: &Names, stream: &Stream, result: &mut NamedGames) {
    let readable = String::from_utf8_lossy(&text.bytes);
    let mut name = None;
    let before = result.games;
    for game in Games::new(&readable, usize::MAX) {
        match game {
            Ok(game) => {
                result.games += 1;
                name = names.of_line(&game.start, &game.moves);
            }
            Err(error) => {
                let message = game_message(stream, text.line, &error);
                result
                    .messages
                    .push(message.replace("game left out", "game not named"));
                name = None;
            }
        }
    }
    // Of several games in one line, none is named: the tags would be those of the first.
    match name.filter(|_| result.games == before + 1) {
        Some(name) => {
            result.with_name += 1;
            result.text.extend(with_tags(&text.bytes, name));
        }
        None => result.text.extend(&text.bytes),
    }
}

/// The tags of PGN for a name (PGN 9.4), which belong to the opcodes `eco`, `nic`, `v0`, `v1` and `v2`.
fn tags(name: &Name) -> Vec<(&'static str, String)> {
    let code = |tag, text: &str| (!text.is_empty()).then(|| (tag, text.to_owned()));
    let mut tags: Vec<_> = code("ECO", &name.eco)
        .into_iter()
        .chain(code("NIC", &name.nic))
        .collect();
    let mut ranks = name.variations.iter();
    for tag in ["Opening", "Variation"] {
        tags.extend(ranks.next().map(|rank| (tag, rank.clone())));
    }
    let rest: Vec<_> = ranks.cloned().collect();
    tags.extend(code("SubVariation", &rest.join(", ")));
    tags
}

/// The text of a game with the tags of a name in place of those that it has. All other bytes stay.
fn with_tags(game: &[u8], name: &Name) -> Vec<u8> {
    const OURS: [&[u8]; 5] = [b"ECO", b"NIC", b"Opening", b"Variation", b"SubVariation"];
    let tag_of = |line: &[u8]| {
        let line = line.trim_ascii().strip_prefix(b"[")?.trim_ascii_start();
        let end = line
            .iter()
            .position(|byte| byte.is_ascii_whitespace() || *byte == b'"')?;
        Some(line[..end].to_vec())
    };
    let lines: Vec<_> = game.split_inclusive(|&byte| byte == b'\n').collect();
    // The tags of a game are its first lines that are neither blank nor comments.
    let mut in_comment = false;
    let blank = lines
        .iter()
        .take_while(|line| {
            let text = line.trim_ascii();
            if in_comment || text.starts_with(b"{") {
                in_comment = !text.contains(&b'}');
                return in_comment || text.ends_with(b"}");
            }
            text.is_empty() || text.starts_with(b";") || line.starts_with(b"%")
        })
        .count();
    let is_tag = |line: &&&[u8]| {
        let line = line.trim_ascii();
        line.starts_with(b"[") && line.ends_with(b"]")
    };
    let count = lines[blank..].iter().take_while(is_tag).count();
    let (begin, rest) = lines.split_at(blank + count);
    let line_end: &[u8] = match lines.get(blank) {
        Some(line) if line.ends_with(b"\r\n") => b"\r\n",
        _ => b"\n",
    };
    let mut text = Vec::with_capacity(game.len() + 100);
    let replaces_nic = !name.nic.is_empty();
    for line in begin {
        let tag = tag_of(line);
        let is_ours = tag
            .is_some_and(|tag| OURS.contains(&tag.as_slice()) && (replaces_nic || tag != b"NIC"));
        if !is_ours {
            text.extend(*line);
        }
    }
    for (tag, value) in tags(name) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.extend(format!("[{tag} \"{value}\"]").into_bytes());
        text.extend(line_end);
    }
    if count == 0 {
        text.extend(line_end);
    }
    text.extend(rest.concat());
    text
}
