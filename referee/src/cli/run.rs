//! `run` and `resume`: running an event in the foreground.

use std::path::Path;

use anyhow::Context as _;
use referee::event::Event;
use referee::message::Incoming;
use referee::server::{Completion, Options, Server};
use referee::storage::{self, Storage};
use tokio::net::TcpListener;

use super::args::{ListenConfig, Network};
use super::event_file::{folder_of, read_event, read_openings, read_saved_event};
use super::{control, print};
use crate::ExitStatus;

/// Runs an event from its first game.
pub fn run(path: &Path, network: &Network, prints_moves: bool) -> anyhow::Result<ExitStatus> {
    let (config, text) = read_event(path)?;
    let (openings, book) = read_openings(&config, folder_of(path))?;
    let directory = config.directory(path);
    let listen = network.listen_config(&config.listen, None)?;
    let storage = Storage::create(&directory, &text, book.as_deref())?;
    let event = Event::new(config, openings)?;
    serve(event, storage, listen, prints_moves)
}

/// Continues an event from the journal in its folder.
pub fn resume(
    directory: &Path,
    network: &Network,
    prints_moves: bool,
) -> anyhow::Result<ExitStatus> {
    let mut config = read_saved_event(&directory.join("event.toml"))?;
    if let Some(book) = &mut config.openings {
        book.file = storage::OPENINGS.into();
    }
    let (openings, _) = read_openings(&config, directory)?;
    let listen = network.listen_config(&config.listen, Storage::last_address(directory))?;
    let (mut storage, entries) = Storage::resume(directory)?;
    let mut event = Event::new(config, openings)?;
    storage.rewrite_games(&event.resume(entries)?)?;
    serve(event, storage, listen, prints_moves)
}

/// Runs the server until the event is finished or stopped, then prints the standings.
pub fn serve(
    event: Event,
    storage: Storage,
    listen: ListenConfig,
    prints_moves: bool,
) -> anyhow::Result<ExitStatus> {
    let options = Options {
        password: listen.password,
        prints_moves,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = bind(&listen.addresses).await?;
        let directory = storage.directory().to_owned();
        let mut server = Server::new(event, storage, options);
        control::open(&directory, &server.sender());
        let sender = server.sender();
        tokio::spawn(async move {
            wait_for_signal().await;
            // The server may have ended already.
            let _ = sender.send(Incoming::Shutdown).await;
        });
        let completion = server.run(listener).await?;
        let event = server.event();
        print_standings(event);
        Ok(match completion {
            Completion::Stopped => ExitStatus::Stopped,
            Completion::Finished if event.forfeits() > 0 => ExitStatus::Forfeits,
            Completion::Finished => ExitStatus::Finished,
        })
    })
}

fn print_standings(event: &Event) {
    let standings = event.standings();
    print(&format!(
        "\n{}\n{}",
        standings.table(),
        standings.cross_table()
    ));
    if let Some(sprt) = standings.sprt {
        print(&format!(
            "llr {:.2} ({:.2} to {:.2}): {:?}",
            sprt.llr, sprt.lower, sprt.upper, sprt.state
        ));
    }
}

/// Listens on the first address that is available.
async fn bind(addresses: &[String]) -> anyhow::Result<TcpListener> {
    let mut why = anyhow::anyhow!("no address to listen on");
    for address in addresses {
        match TcpListener::bind(address)
            .await
            .with_context(|| format!("cannot listen on {address}"))
        {
            Ok(listener) => return Ok(listener),
            Err(error) => why = error,
        }
    }
    Err(why)
}

/// Waits for Ctrl-C or a request to terminate.
async fn wait_for_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
