//! `ratings`: rates the players of games in PGN files.

mod games;
mod table;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::bail;
use clap::{Args as Arguments, ValueEnum};
use referee::ratings::{Settings, rate};

use self::games::Games;
use self::table::Table;
use super::print::print_result;
use crate::exit_status::ExitStatus;

/// Which games, and how they are rated.
#[derive(Clone, Debug, Arguments)]
pub struct Ratings {
    /// PGN files, or folders of events; `-` for standard input
    #[arg(value_name = "PGN|DIR", required = true)]
    inputs: Vec<PathBuf>,
    /// The average rating of players without an anchor among them
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 0.0,
        allow_hyphen_values = true
    )]
    average: f64,
    /// Fix the rating of a player; repeat it for more
    #[arg(long = "anchor", value_name = "NAME=ELO", value_parser = anchor)]
    anchors: Vec<(String, f64)>,
    /// White's advantage, instead of the one that the games show
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    white_advantage: Option<f64>,
    /// List only players with at least this many games; all games are used
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: usize,
    /// The form of the output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Csv,
    Json,
}

/// A player and its rating: `NAME=ELO`.
fn anchor(text: &str) -> Result<(String, f64), String> {
    let parts = text
        .rsplit_once('=')
        .and_then(|(name, elo)| Some((name.trim(), elo.trim().parse().ok()?)));
    match parts {
        Some((name, elo)) if !name.is_empty() && f64::is_finite(elo) => Ok((name.to_owned(), elo)),
        _ => Err("expected NAME=ELO, for example Crafty=2600".to_owned()),
    }
}

/// Rates the players and prints the table.
pub fn ratings(args: &Ratings) -> anyhow::Result<ExitStatus> {
    let mut games = Games::default();
    for input in &args.inputs {
        games.read(input)?;
    }
    if games.results.is_empty() {
        bail!("no game has a result");
    }
    let mut anchors = BTreeMap::new();
    for (name, elo) in &args.anchors {
        let Some(player) = games.names.iter().position(|known| known == name) else {
            bail!("--anchor: no game of {name:?}; {}", games.nearest(name));
        };
        anchors.insert(player, *elo);
    }
    let settings = Settings {
        average: args.average,
        anchors,
        white_advantage: args.white_advantage,
    };
    let ratings = rate(games.names.len(), &games.results, &settings);
    let table = Table::new(
        &games,
        &ratings,
        args.white_advantage.is_none(),
        args.min_games,
    );
    let text = match args.format {
        Format::Text => table.text(),
        Format::Csv => table.csv(),
        Format::Json => serde_json::to_string_pretty(&table)?,
    };
    print_result(text.trim_end())?;
    Ok(if games.faulty > 0 {
        ExitStatus::Forfeits
    } else {
        ExitStatus::Finished
    })
}
