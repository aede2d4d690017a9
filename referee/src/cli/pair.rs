//! `pair`: the next round of a Swiss event, or the standings of an event, from a tournament report file.

use std::fmt::Write;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args as Arguments, ValueEnum};
use pairing::review::{Difference, review};
use pairing::tiebreaks::{Kind, Place, TieBreak, Value, rank};
use pairing::trf::Report;
use pairing::{Event, Pair, Pairing, Round};
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::print::{print_result, warn};
use crate::exit_status::ExitStatus;

/// Which event, and what about it.
#[derive(Clone, Debug, Arguments)]
pub struct PairArgs {
    /// The report file; `-` for standard input
    #[arg(value_name = "TRF")]
    input: PathBuf,
    /// Compare all rounds with the rules instead, and show those that differ
    #[arg(long)]
    review: bool,
    /// Show the standings instead; of a round robin if line 092 or 192 says so, else of a Swiss event
    #[arg(long, conflicts_with = "review")]
    standings: bool,
    /// The tie-breaks of the standings, by FIDE's acronyms or plain names, the first one first [default: BH-C1,BH,SB;
    /// of a round robin DE,WIN,SB,KS]
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        requires = "standings"
    )]
    tie_breaks: Vec<TieBreak>,
    /// The form of the output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text, conflicts_with = "review")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table
    Text,
    /// JSON
    Json,
    /// Starting numbers as bbpPairings writes them: the number of pairs, then White and Black of each; 0 is a
    /// bye
    Numbers,
}

/// Prints the pairing of the next round or the standings, or reviews all rounds.
pub fn pair(args: &PairArgs) -> anyhow::Result<ExitStatus> {
    let name = args.input.display().to_string();
    let Report { event, lines, .. } = read_report(&args.input)?;
    if args.standings {
        let text = standings(args, &event, kind(&lines))?;
        print_result(text.trim_end())?;
        return Ok(ExitStatus::Finished);
    }
    warn_of_second_meetings(&name, &event);
    if args.review {
        return print_review(&event, &review(&event));
    }
    let pairing = pairing::pair(&event).with_context(|| name)?;
    let text = match args.format {
        Format::Text => table(&event, &pairing),
        Format::Json => serde_json::to_string_pretty(&Listing::new(&event, &pairing))?,
        Format::Numbers => numbers(&pairing),
    };
    print_result(text.trim_end())?;
    Ok(ExitStatus::Finished)
}

/// A report says in line 092 or 192 whether the event is a round robin.
fn kind(lines: &[String]) -> Kind {
    let is_robin = |line: &String| {
        let code = line.get(..3).unwrap_or_default();
        let text = line.to_ascii_uppercase();
        let mut words = text.split(|char: char| !char.is_ascii_alphanumeric());
        ["092", "192"].contains(&code)
            && words.any(|word| ["RR", "ROBIN", "ROUNDROBIN", "BERGER"].contains(&word))
    };
    if lines.iter().any(is_robin) {
        Kind::RoundRobin
    } else {
        Kind::Swiss
    }
}

fn standings(args: &PairArgs, event: &Event, kind: Kind) -> anyhow::Result<String> {
    let order = if args.tie_breaks.is_empty() {
        kind.usual_tie_breaks()
    } else {
        args.tie_breaks.clone()
    };
    let places = rank(event, kind, &order);
    Ok(match args.format {
        Format::Text => standings_table(event, &order, &places),
        Format::Json => {
            serde_json::to_string_pretty(&StandingsListing::new(event, &order, &places))?
        }
        Format::Numbers => {
            bail!("found --format numbers, but the standings have only the formats text and json")
        }
    })
}

fn standings_table(event: &Event, order: &[TieBreak], places: &[Place]) -> String {
    let mut rows = vec![vec![
        "rank".to_owned(),
        "player".to_owned(),
        "points".to_owned(),
    ]];
    rows[0].extend(order.iter().map(ToString::to_string));
    rows.extend(places.iter().map(|place| {
        let name = event.players[place.player].name.trim();
        let mut row = vec![
            place.rank.to_string(),
            format!("{} {name}", place.player + 1),
            place.points.to_string(),
        ];
        row.extend(place.values.iter().map(ToString::to_string));
        row
    }));
    let widths: Vec<usize> = (0..rows[0].len())
        .map(|column| {
            let widths = rows.iter().map(|row| row[column].width());
            widths.max().unwrap_or(0)
        })
        .collect();
    let mut text = format!("Standings after round {}\n", event.paired);
    for row in &rows {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, width))| {
                let pad = " ".repeat(width - cell.width());
                // Only the names begin on the left.
                if column == 1 {
                    format!("{cell}{pad}")
                } else {
                    format!("{pad}{cell}")
                }
            })
            .collect();
        let _ = writeln!(text, "{}", cells.join("  ").trim_end());
    }
    text
}

/// The JSON of the standings.
#[derive(Serialize)]
struct StandingsListing<'e> {
    /// How many rounds were paired.
    round: usize,
    tie_breaks: Vec<String>,
    places: Vec<PlaceListing<'e>>,
}

#[derive(Serialize)]
struct PlaceListing<'e> {
    rank: usize,
    #[serde(flatten)]
    player: Seat<'e>,
    /// In the order of the tie-breaks; null where one does not apply.
    values: Vec<Option<f64>>,
}

impl<'e> StandingsListing<'e> {
    fn new(event: &'e Event, order: &[TieBreak], places: &[Place]) -> Self {
        let listed = places.iter().map(|place| PlaceListing {
            rank: place.rank,
            player: Seat::new(event, place.player),
            values: place.values.iter().map(Value::number).collect(),
        });
        Self {
            round: event.paired,
            tie_breaks: order.iter().map(ToString::to_string).collect(),
            places: listed.collect(),
        }
    }
}

/// Reads a report; `-` is standard input.
pub fn read_report(path: &Path) -> anyhow::Result<Report> {
    let report = Report::parse(&read(path)?);
    let report = report.map_err(|error| {
        let place = format!("{}:{}:{}", path.display(), error.line, error.column);
        anyhow::anyhow!("{place}: {}", error.message)
    })?;
    if report.event.players.is_empty() {
        bail!(
            "{} has no player lines (001), expected a tournament report file",
            path.display()
        );
    }
    Ok(report)
}

/// Two players who have played each other more than once, if there are such.
fn met_twice(event: &Event) -> Option<(usize, usize)> {
    let mut players = event.players.iter().enumerate();
    players.find_map(|(player, line)| {
        let opponents: Vec<_> = line.rounds.iter().filter_map(played_opponent).collect();
        let mut twice = opponents.iter().enumerate();
        let twice = twice.find(|(i, opponent)| opponents[..*i].contains(opponent));
        twice.map(|(_, &opponent)| (player, opponent))
    })
}

/// The opponent of a round that was played.
const fn played_opponent(round: &Round) -> Option<usize> {
    match round {
        Round::Played { opponent, .. } | Round::Match { opponent, .. } => Some(*opponent),
        _ => None,
    }
}

/// Warns of a file that no Swiss event of one game a round can have.
fn warn_of_second_meetings(name: &str, event: &Event) {
    let Some((one, other)) = met_twice(event) else {
        return;
    };
    let [one, other] = [one, other].map(|player| event.players[player].name.trim());
    warn(&[format!(
        "{name}: {one} and {other} have met more than once, as in an event of two games a round, each of which is a round \
         of the file; the rules pair rounds of one game"
    )]);
}

fn read(path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        let read = std::io::stdin().read_to_end(&mut bytes);
        read.context("cannot read standard input")?;
    } else {
        bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    if bytes.is_empty() {
        bail!(
            "{} is empty, expected a tournament report file",
            path.display()
        );
    }
    // Older programs write Latin-1.
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| {
        error
            .as_bytes()
            .iter()
            .map(|&byte| char::from(byte))
            .collect()
    }))
}

/// A player as it is shown: starting number, name, points.
fn shown(event: &Event, player: usize) -> String {
    let points = event.score(player, event.paired);
    format!(
        "{} {} ({points})",
        player + 1,
        event.players[player].name.trim()
    )
}

fn table(event: &Event, pairing: &Pairing) -> String {
    let whites: Vec<_> = pairing
        .pairs
        .iter()
        .map(|pair| shown(event, pair.white))
        .collect();
    let width = whites
        .iter()
        .map(|white| white.width())
        .max()
        .unwrap_or(0)
        .max("White".len());
    let mut text = format!("Round {}\n", event.paired + 1);
    let _ = writeln!(text, "board  White{:1$}  Black", "", width - "White".len());
    for (i, (pair, white)) in pairing.pairs.iter().zip(&whites).enumerate() {
        let (pad, black) = (width - white.width(), shown(event, pair.black));
        let _ = writeln!(text, "{:>5}  {white}{:pad$}  {black}", i + 1, "");
    }
    if let Some(player) = pairing.bye {
        let _ = writeln!(text, "bye    {}", shown(event, player));
    }
    text
}

fn numbers(pairing: &Pairing) -> String {
    let bye = pairing.bye.map(|player| (player + 1, 0));
    let pairs = pairing
        .pairs
        .iter()
        .map(|pair| (pair.white + 1, pair.black + 1));
    let lines: Vec<_> = pairs
        .chain(bye)
        .map(|(white, black)| format!("{white} {black}\n"))
        .collect();
    format!("{}\n{}", lines.len(), lines.concat())
}

/// The JSON of a round.
#[derive(Serialize)]
struct Listing<'e> {
    /// From 1.
    round: usize,
    pairs: Vec<Board<'e>>,
    bye: Option<Seat<'e>>,
}

#[derive(Serialize)]
struct Board<'e> {
    white: Seat<'e>,
    black: Seat<'e>,
}

#[derive(Serialize)]
struct Seat<'e> {
    /// The starting number, from 1.
    number: usize,
    name: &'e str,
    points: f64,
}

impl<'e> Seat<'e> {
    fn new(event: &'e Event, player: usize) -> Self {
        Self {
            number: player + 1,
            name: event.players[player].name.trim(),
            points: f64::from(event.score(player, event.paired).tenths) / 10.0,
        }
    }
}

impl<'e> Listing<'e> {
    fn new(event: &'e Event, pairing: &Pairing) -> Self {
        let seat = |player: usize| Seat::new(event, player);
        let board = |pair: &Pair| Board {
            white: seat(pair.white),
            black: seat(pair.black),
        };
        Self {
            round: event.paired + 1,
            pairs: pairing.pairs.iter().map(board).collect(),
            bye: pairing.bye.map(seat),
        }
    }
}

fn print_review(event: &Event, differences: &[Difference]) -> anyhow::Result<ExitStatus> {
    let name = |player: usize| format!("{} {}", player + 1, event.players[player].name.trim());
    let game = |pair: &Pair| format!("{} - {}", name(pair.white), name(pair.black));
    for Difference {
        round,
        expected,
        surplus,
        bye,
    } in differences
    {
        let found: Vec<_> = surplus.iter().map(game).collect();
        print_result(&format!(
            "round {}: not as the rules say: {}",
            round + 1,
            found.join("; ")
        ))?;
        match expected {
            Err(error) => print_result(&format!("  expected: {error}"))?,
            Ok(pairing) => {
                let played = |pair: &&Pair| {
                    surplus.iter().any(|other| {
                        [pair.white, pair.black]
                            .iter()
                            .any(|player| [other.white, other.black].contains(player))
                    })
                };
                let wanted: Vec<_> = pairing.pairs.iter().filter(played).map(game).collect();
                if !wanted.is_empty() {
                    print_result(&format!("  expected: {}", wanted.join("; ")))?;
                }
                if pairing.bye != *bye {
                    let shown = |player: Option<usize>| player.map_or("nobody".to_owned(), name);
                    print_result(&format!(
                        "  the bye went to {}, expected {}",
                        shown(*bye),
                        shown(pairing.bye)
                    ))?;
                }
            }
        }
    }
    print_result(&format!(
        "{} of {} rounds are as the rules say",
        event.paired - differences.len(),
        event.paired
    ))?;
    Ok(if differences.is_empty() {
        ExitStatus::Finished
    } else {
        ExitStatus::Forfeits
    })
}
