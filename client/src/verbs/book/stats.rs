//! `epode book stats`.

use book::polyglot::PolyglotBook;
use book::{Book, BookError, Repository, fields};
use movegen::Position;

use super::entries::Entries;
use crate::cli::BookStats;
use crate::exit_status::ExitStatus;
use crate::io::output::Output;
use crate::io::stream::Stream;
use crate::text::{grouped, grouped_count};

/// What a repository has.
#[derive(Default)]
struct Counts {
    positions: u64,
    moves: u64,
    named: u64,
    analysed: u64,
    /// The games that begin at the starting position.
    games: u64,
    /// The years of the last games.
    years: Option<(u16, u16)>,
    /// The number of moves of the position with the most.
    most: usize,
}

pub fn run(args: &BookStats) -> anyhow::Result<ExitStatus> {
    let mut output = Output::create(&Stream::Standard)?;
    let lines = match &args.input {
        Stream::File(path) if Book::is_polyglot(path) => polyglot(&PolyglotBook::open(path)?),
        input => repository(input)?,
    };
    for (label, text) in lines {
        output.line(&format_args!("{label:<20}{text}"))?;
    }
    output.finish()?;
    Ok(ExitStatus::Success)
}

fn repository(input: &Stream) -> anyhow::Result<Vec<(&'static str, String)>> {
    if let Stream::File(path) = input {
        match Repository::open(path) {
            // What is compressed, or no plain file, cannot be searched, but counted.
            Err(BookError::Compressed { .. } | BookError::Read { .. }) => {}
            book => book?.check()?,
        }
    }
    let start = fields(&Position::start());
    let mut counts = Counts::default();
    for entry in Entries::open(input)? {
        let (line, entry) = entry?;
        let moves = entry
            .position()
            .and_then(|position| entry.book_moves(&position));
        moves.map_err(|error| BookError::entry(&input.to_string(), line, error))?;
        counts.positions += 1;
        counts.moves += entry.moves.len() as u64;
        counts.named += u64::from(entry.get("eco").is_some() || entry.get("v0").is_some());
        counts.analysed += u64::from(entry.get("ce").is_some());
        counts.most = counts.most.max(entry.moves.len());
        if entry.fields == start {
            counts.games = entry.moves.iter().map(|(_, stats)| stats.games).sum();
        }
        for (_, stats) in entry.moves.iter().filter(|(_, stats)| stats.year > 0) {
            let (first, last) = counts.years.unwrap_or((stats.year, stats.year));
            counts.years = Some((first.min(stats.year), last.max(stats.year)));
        }
    }
    let years = match counts.years {
        None => "unknown".to_owned(),
        Some((first, last)) => format!("{first} to {last}"),
    };
    let most = grouped_count(counts.most, "move", "moves");
    Ok(vec![
        ("positions", grouped(counts.positions)),
        (
            "moves",
            format!("{}, up to {most} a position", grouped(counts.moves)),
        ),
        (
            "games",
            format!("{} from the starting position", grouped(counts.games)),
        ),
        ("last games", years),
        ("named positions", grouped(counts.named)),
        ("analysed positions", grouped(counts.analysed)),
    ])
}

fn polyglot(book: &PolyglotBook) -> Vec<(&'static str, String)> {
    let entries = book.entries();
    let positions = entries.chunk_by(|a, b| a.key == b.key);
    let most = positions.clone().map(<[_]>::len).max().unwrap_or(0);
    let most = grouped_count(most, "move", "moves");
    let played = entries.iter().filter(|entry| entry.weight > 0).count();
    let highest = entries.iter().map(|entry| entry.weight).max().unwrap_or(0);
    vec![
        ("positions", grouped(positions.count())),
        (
            "moves",
            format!("{}, up to {most} a position", grouped(entries.len())),
        ),
        ("moves with weight", grouped(played)),
        ("highest weight", grouped(u64::from(highest))),
    ]
}
