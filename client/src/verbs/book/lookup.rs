//! `epode book lookup`.

use anyhow::{Context, anyhow};
use book::{Book, BookMove, Choice, Entry, Name, Names, Stats};
use movegen::{Position, San, UciMove, san};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

use crate::cli::{BookLookup, Castling};
use crate::exit_status::ExitStatus;
use crate::io::input::{DroppedCastling, reader};
use crate::io::output::Output;
use crate::io::stream::Stream;

/// The longest line that is followed, in plies: a book can repeat positions.
const MAX_LINE: usize = 400;

pub fn run(args: &BookLookup) -> anyhow::Result<ExitStatus> {
    let book = Book::open(&args.book)?;
    let names = Names::built_in();
    let (position, name) = target(args, &names)?;
    let Some(entry) = book.get(&position)? else {
        eprintln!("epode: {} does not have this position", args.book.display());
        return Ok(ExitStatus::Faulty);
    };
    let lines = if args.record {
        vec![entry.to_string()]
    } else if args.line {
        let choice = if args.best {
            Choice::Best
        } else {
            Choice::Weighted
        };
        vec![line(&book, position, choice, args.seed)?]
    } else {
        // The search tells the line of a move that is not legal.
        let moves = book.moves(&position)?;
        let own = Name::of_entry(&entry);
        let name = own.as_ref().or(name);
        let name = name.map(|name| format!("{} {}", name.eco, name.text()));
        let begin = std::iter::once(entry.fields.clone()).chain(name);
        begin
            .chain(table(&position, &moves))
            .chain(analysis(&entry))
            .collect()
    };
    let mut output = Output::create(&Stream::Standard)?;
    for line in lines {
        output.line(&line.trim())?;
    }
    output.finish()?;
    Ok(ExitStatus::Success)
}

/// The position to look up, and the last name on the way to it.
fn target<'n>(args: &BookLookup, names: &'n Names) -> anyhow::Result<(Position, Option<&'n Name>)> {
    let fen = args.fen.join(" ");
    let mut position = if fen.is_empty() {
        Position::start()
    } else {
        read(&fen, args.castling).with_context(|| format!("{fen:?}"))?
    };
    let mut name = names.get(&position);
    let words = args.moves.as_deref().unwrap_or_default().split_whitespace();
    for word in words {
        // The number of a move may stand before it: `1. e4`, `1.e4`, `1... c5`.
        let digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let word = digits
            .strip_prefix('.')
            .map_or(word, |rest| rest.trim_start_matches('.'));
        if word.is_empty() {
            continue;
        }
        let mv = read_move(&position, word).with_context(|| format!("--moves: {word:?}"))?;
        position.play(mv);
        name = names.get(&position).or(name);
    }
    Ok((position, name))
}

/// The position of a FEN or a record. Reports castling rights that it drops.
fn read(text: &str, castling: Castling) -> anyhow::Result<Position> {
    let mut repairs = Vec::new();
    let record = reader(false, castling)
        .read(text, &mut repairs)
        .map_err(|error| anyhow!("column {}: {}", error.span.start + 1, error.kind))?;
    if let Some(dropped) = DroppedCastling::in_text(text, &record.setup, &repairs) {
        eprintln!("epode: {text:?}: {dropped}");
    }
    Ok(record.position()?)
}

/// A move in SAN or UCI notation.
fn read_move(position: &Position, word: &str) -> anyhow::Result<movegen::Move> {
    if let Ok(uci) = word.parse::<UciMove>() {
        return Ok(uci.find(position)?);
    }
    Ok(san::parse_lenient(position, word)?.0)
}

/// The table of the moves.
fn table(position: &Position, moves: &[BookMove]) -> Vec<String> {
    let total: f64 = moves
        .iter()
        .map(|book_move| book_move.stats.weight as f64)
        .sum();
    let percent = |part: f64, whole: f64| {
        if whole > 0.0 {
            format!("{:.1}%", 100.0 * part / whole)
        } else {
            "-".to_owned()
        }
    };
    let head = [
        "move", "games", "won", "drawn", "lost", "weight", "play", "last",
    ];
    let mut rows = vec![head.map(str::to_owned)];
    for book_move in moves {
        let Stats {
            games,
            wins,
            draws,
            losses,
            weight,
            year,
        } = book_move.stats;
        let ended = (wins + draws + losses) as f64;
        rows.push([
            San::of(position, book_move.mv).to_string(),
            games.to_string(),
            percent(wins as f64, ended),
            percent(draws as f64, ended),
            percent(losses as f64, ended),
            weight.to_string(),
            percent(weight as f64, total),
            if year > 0 {
                year.to_string()
            } else {
                "-".to_owned()
            },
        ]);
    }
    let widths: Vec<_> = (0..head.len())
        .map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0))
        .collect();
    let print = |row: &[String; 8]| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(print).collect()
}

/// The operations of the analysis.
fn analysis(entry: &Entry) -> Option<String> {
    let opcodes = ["acd", "ce", "pm", "pv"];
    let operations = opcodes.iter().filter_map(|opcode| entry.get(opcode));
    let texts: Vec<_> = operations.map(ToString::to_string).collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

/// Follows the book until it ends.
fn line(book: &Book, start: Position, choice: Choice, seed: u64) -> anyhow::Result<String> {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut rng = ChaCha8Rng::from_seed(key);
    let mut position = start;
    let mut words = Vec::new();
    for _ in 0..MAX_LINE {
        let moves = book.moves(&position)?;
        let Some(chosen) = choice.of(&moves, rng.next_u64()) else {
            break;
        };
        words.push(San::of(&position, chosen.mv).to_string());
        position.play(chosen.mv);
    }
    Ok(words.join(" "))
}
