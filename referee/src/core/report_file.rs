//! The tournament report file (TRF) of an event, for pairing programs and arbiters' programs.
//!
//! Each game that two players play in a round is a round of the report. The players of a Swiss event stand in the
//! order of their seeds, others in that of the event file.

mod fixed;
mod rounds;
mod swiss;

use std::collections::{BTreeMap, HashSet};

use pairing::Event;
use pairing::trf::{Details, Report};

use self::rounds::Rounds;
use crate::core::config::Player;
use crate::core::event::Ledger;
use crate::core::schedule::Format;
use crate::core::text::visible;

/// How many characters of a name a report has.
const NAME: usize = 33;
/// The highest number of players, and the highest rating.
const HIGHEST: usize = 9999;
/// The highest number of rounds.
const ROUNDS: usize = 999;

/// An event of which there is no report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum NoReport {
    #[error(
        "a ladder has no rounds, and a tournament report file is a table of rounds; the games are in games.pgn, \
         and `epode-referee ratings` rates the players"
    )]
    Ladder,
    #[error(
        "a knockout has no report: a tournament report file is a table of rounds with points, and has no matches and \
         no bracket; the games are in games.pgn"
    )]
    Knockout,
    #[error("{0} {1}, and a tournament report file has room for {2}")]
    TooMany(usize, &'static str, usize),
}

/// The report of an event as it is now, and what its reader should know. `dates` are those of the games that have
/// begun, by number, as in PGN.
pub fn report(
    ledger: &Ledger,
    dates: &BTreeMap<usize, String>,
) -> Result<(Report, Vec<String>), NoReport> {
    let settings = ledger.config().pairings(1);
    let Rounds {
        mut event,
        players,
        round_of,
        open,
        announced,
        left_out,
        kind,
    } = match settings.format {
        Format::Swiss(swiss) => swiss::rounds(ledger, swiss),
        Format::Ladder(_) => return Err(NoReport::Ladder),
        Format::Knockout(_) => return Err(NoReport::Knockout),
        Format::RoundRobin { .. } | Format::Gauntlet { .. } | Format::Match => {
            fixed::rounds(ledger, settings.format)
        }
    };
    for (count, what, most) in [
        (players.len(), "players", HIGHEST),
        (event.rounds, "rounds", ROUNDS),
    ] {
        if count > most {
            return Err(NoReport::TooMany(count, what, most));
        }
    }
    let mut notes = Vec::new();
    if let Some(round) = left_out {
        notes.push(format!("round {round} is in progress and left out"));
    }
    enter(ledger, &mut event, &players, &mut notes);
    let ranks = match left_out {
        Some(_) => ranks_by_points(&event),
        None => ranks(ledger, &players),
    };
    let details = ranks.into_iter().map(|rank| Details {
        rank: Some(rank),
        ..Details::default()
    });
    let dates = round_dates(dates, &round_of, event.paired);
    let report = Report {
        lines: lines(ledger, &event, &kind, &dates),
        details: details.collect(),
        event,
        announced,
        open,
    };
    Ok((report, notes))
}

/// On which date each round began, as far as the report has it.
fn round_dates<'a>(
    dates: &'a BTreeMap<usize, String>,
    round_of: &BTreeMap<usize, usize>,
    paired: usize,
) -> BTreeMap<usize, &'a str> {
    let mut of_rounds: BTreeMap<usize, &str> = BTreeMap::new();
    for (game, date) in dates {
        if let Some(&round) = round_of.get(game).filter(|&&round| round < paired) {
            let first = of_rounds.entry(round).or_insert(date);
            *first = (*first).min(date);
        }
    }
    of_rounds
}

/// Enters the names and ratings of the players.
fn enter(ledger: &Ledger, event: &mut Event, players: &[usize], notes: &mut Vec<String>) {
    let names = players.iter().map(|&player| &ledger.names()[player][..]);
    let names = fitted(names, notes);
    for ((entry, name), &player) in event.players.iter_mut().zip(names).zip(players) {
        let settings = ledger.config().players.get(player);
        entry.rating = settings.and_then(Player::elo).unwrap_or(0);
        if entry.rating as usize > HIGHEST {
            notes.push(format!(
                "{name}: the rating {} has more than four digits and is left out",
                entry.rating
            ));
            entry.rating = 0;
        }
        entry.name = name;
    }
}

/// What is said of the event.
fn lines(ledger: &Ledger, event: &Event, kind: &str, dates: &BTreeMap<usize, &str>) -> Vec<String> {
    let config = ledger.config();
    let date = |text: &str| text.replace('.', "/");
    let mut lines = vec![format!("012 {}", visible(&config.event))];
    if config.site != "?" {
        lines.push(format!("022 {}", visible(&config.site)));
    }
    if let (Some(first), Some(last)) = (dates.values().min(), dates.values().max()) {
        lines.push(format!("042 {}", date(first)));
        lines.push(format!("052 {}", date(last)));
    }
    let rated = event
        .players
        .iter()
        .filter(|player| player.rating > 0)
        .count();
    lines.push(format!("062 {}", event.players.len()));
    lines.push(format!("072 {rated}"));
    lines.push(format!("092 Individual: {kind}"));
    lines.push(format!("122 {}", config.time_control.0));
    if !dates.is_empty() {
        // Under the games of the rounds, in eight of ten columns.
        let dates = (0..event.paired).map(|round| {
            let short = dates.get(&round).map(|text| date(text));
            format!(
                "  {:8}",
                short
                    .as_deref()
                    .and_then(|text| text.get(2..))
                    .unwrap_or_default()
            )
        });
        let line = format!("132 {:85}{}", "", dates.collect::<String>());
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// Names of at most 33 characters that differ as the names of the players do.
fn fitted<'a>(names: impl Iterator<Item = &'a str>, notes: &mut Vec<String>) -> Vec<String> {
    let mut taken = HashSet::new();
    let fit = |name: &str| {
        let whole = visible(name.trim()).into_owned();
        let mut fitted: String = whole.chars().take(NAME).collect();
        fitted.truncate(fitted.trim_end().len());
        let mut number = 1;
        while !taken.insert(fitted.clone()) {
            number += 1;
            let end = format!("~{number}");
            fitted = whole.chars().take(NAME - end.len()).collect();
            fitted += &end;
        }
        if fitted != name {
            let why = if whole.chars().count() > NAME {
                format!("names have up to {NAME} characters in a report")
            } else if fitted != whole {
                "another player has the same name in a report".to_owned()
            } else {
                "names have neither invisible characters nor spaces at their ends in a report"
                    .to_owned()
            };
            notes.push(format!("{name:?} is written as {fitted:?}: {why}"));
        }
        fitted
    };
    names.map(fit).collect()
}

fn ranks(ledger: &Ledger, players: &[usize]) -> Vec<u32> {
    let standings = ledger.standings();
    let ranks: BTreeMap<usize, usize> = standings
        .players
        .iter()
        .map(|standing| (standing.player, standing.rank))
        .collect();
    let rank = |player: &usize| ranks.get(player).copied().unwrap_or(players.len());
    players.iter().map(|player| rank(player) as u32).collect()
}

/// The ranks by the points of the report alone.
fn ranks_by_points(event: &Event) -> Vec<u32> {
    let points: Vec<_> = (0..event.players.len())
        .map(|player| event.score(player, event.paired))
        .collect();
    let rank = |one| 1 + points.iter().filter(|&&other| other > one).count() as u32;
    points.iter().map(|&points| rank(points)).collect()
}
