//! `demo`: two built-in players play two games in a temporary folder.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use referee::config::Config;
use referee::event::Ledger;
use referee::openings::Opening;
use referee::storage::Storage;

use super::args::Network;
use super::print::print;
use super::run::serve;
use crate::exit_status::ExitStatus;

/// Plays a short match of `epode` against itself and prints every move and both games.
pub fn demo() -> anyhow::Result<ExitStatus> {
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
        "event = \"Demonstration\"\ntime_control = \"5+0.05\"\nformat = \"match\"\n\
         [delays]\nreset = \"0s\"\nconclude = \"0s\"\n\
         [[player]]\nname = \"One\"\ncommand = \"\"\"{command}\"\"\"\n\
         [[player]]\nname = \"Two\"\ncommand = \"\"\"{command}\"\"\"\n"
    );
    let config = Config::read(&text)?;
    let storage = Storage::create(folder.path(), &text, None)?;
    let listen = Network::default().listen_config(&config, folder.path(), None)?;
    let ledger = Ledger::new(config, vec![Opening::default()])?;
    let status = serve(ledger, storage, &listen, true)?;
    print(&fs::read_to_string(folder.path().join("games.pgn"))?);
    Ok(status)
}
