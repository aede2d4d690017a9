//! `demo`: two built-in players play a few games in a temporary folder, with a page to watch them.

use std::path::PathBuf;

use anyhow::Context;
use epd::protocol::time_control::TimeControl;
use referee::config::Config;
use referee::event::Ledger;
use referee::openings::Opening;
use referee::storage::Storage;

use super::args::Network;
use super::run::{Prints, serve};
use crate::exit_status::ExitStatus;

/// Where the page is, unless something else is there.
pub const DEFAULT_HTTP: &str = "127.0.0.1:8080";

/// Plays a short match of `epode` against itself and prints every move and both games.
pub fn demo(
    http: Option<&str>,
    games: u16,
    time_control: &TimeControl,
) -> anyhow::Result<ExitStatus> {
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let beside = std::env::current_exe()?.with_file_name("epode");
    let player = if beside.exists() {
        beside
    } else {
        PathBuf::from("epode")
    };
    let command = format!(
        "'{}' client {{address}} --name {{name}} --analysis",
        player.display()
    );
    let text = format!(
        "event = \"Demonstration\"\ntime_control = \"{time_control}\"\nformat = \"match\"\n\
         games_per_pairing = {games}\nconcurrency = {games}\n\
         [delays]\nreset = \"0s\"\nconclude = \"0s\"\n\
         [[player]]\nname = \"One\"\ncommand = \"\"\"{command}\"\"\"\n\
         [[player]]\nname = \"Two\"\ncommand = \"\"\"{command}\"\"\"\n"
    );
    let mut config = Config::read(&text)?;
    config.http = Some(http.unwrap_or(DEFAULT_HTTP).to_owned());
    let storage = Storage::create(folder.path(), &text, None)?;
    let mut listen = Network::default().listen_config(&config, folder.path(), None)?;
    if http.is_none() {
        listen.http.push("127.0.0.1:0".to_owned());
    }
    let ledger = Ledger::new(config, vec![Opening::default()])?;
    let prints = Prints {
        moves: true,
        games: true,
    };
    serve(ledger, storage, &listen, prints)
}
