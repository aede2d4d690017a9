//! `run` and `resume`: running an event in the foreground.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};
use referee::config::Config;
use referee::event::{Access, Ledger, Report};
use referee::message::Incoming;
use referee::replica;
use referee::secret::Secret;
use referee::server::{Completion, Server};
use referee::storage::{self, FolderLock, Storage};
use referee::text::counted;
use referee::web::{Hub, Settings};
use tokio::net::TcpListener;
use tokio::sync::mpsc::Sender;

use super::args::{ListenConfig, Network};
use super::control::Control;
use super::event_file::{
    folder_of, read_event, read_openings, read_saved_event, read_tablebases, saved_text,
};
use super::print::{print, warn};
use super::standings;
use crate::exit_status::ExitStatus;

/// Runs an event from its first game.
pub fn run(path: &Path, network: &Network, prints_moves: bool) -> anyhow::Result<ExitStatus> {
    let (mut config, text) = read_event(path)?;
    network.set(&mut config);
    let (openings, book) = read_openings(&config, folder_of(path))?;
    let directory = config.directory(path);
    let tablebases = read_tablebases(&config, folder_of(path))?;
    let listen = network.listen_config(&config, folder_of(path), None)?;
    let text = saved_text(text, folder_of(path))?;
    let storage = Storage::create(&directory, &text, book.as_deref())?;
    let mut ledger = Ledger::new(config, openings)?;
    ledger.set_judge(tablebases.map(|tables| tables as _));
    serve(ledger, storage, &listen, Prints::moves(prints_moves))
}

/// Continues an event from the journal in its folder.
pub fn resume(
    directory: &Path,
    network: &Network,
    prints_moves: bool,
) -> anyhow::Result<ExitStatus> {
    if directory.is_file() {
        bail!(
            "{} is a file: `resume` takes the folder of the event, such as {}",
            directory.display(),
            directory.with_extension("").display()
        );
    }
    replica::check_referee(directory)?;
    let mut config = read_saved_event(&directory.join("event.toml"))?;
    network.set(&mut config);
    let last = Storage::last_address(directory);
    let listen = network.listen_config(&config, directory, last)?;
    let lock = FolderLock::take(directory)?;
    let (ledger, storage) = load(config, directory, lock)?;
    serve(ledger, storage, &listen, Prints::moves(prints_moves))
}

/// Reads the state of an event from the folder of its referee.
pub fn load(
    mut config: Config,
    directory: &Path,
    lock: FolderLock,
) -> anyhow::Result<(Ledger, Storage)> {
    if let Some(book) = &mut config.openings {
        book.file = storage::OPENINGS.into();
    }
    let (openings, _) = read_openings(&config, directory)?;
    // The journal has the games that they ended.
    let tablebases = read_tablebases(&config, directory).unwrap_or_else(|error| {
        let text = format!("{error:#}; they no longer end any game");
        warn(&[text]);
        None
    });
    let (mut storage, entries) = Storage::resume_locked(directory, lock)?;
    let mut ledger = Ledger::new(config, openings)?;
    ledger.set_judge(tablebases.map(|tables| tables as _));
    storage.add_missing_results(&ledger, &entries)?;
    let games = ledger.resume(entries)?;
    storage.rewrite_games(&games)?;
    replay_games_without_moves(&mut ledger, &mut storage)?;
    Ok((ledger, storage))
}

/// Games that were forfeited before a move was made, because a command had a typing error for example,
/// are played again.
fn replay_games_without_moves(ledger: &mut Ledger, storage: &mut Storage) -> anyhow::Result<()> {
    let games = ledger.forfeited_without_a_move();
    for &number in &games {
        let why = "forfeited without a move, replayed when the event was resumed";
        if let Some(entry) = ledger.withdrawn_entry(number, why) {
            storage.journal(&entry)?;
            ledger.withdraw(number);
            storage.event(&Report::Withdrawn {
                game: number,
                text: why.to_owned(),
            });
        }
    }
    if !games.is_empty() {
        print(&format!(
            "{} games that were forfeited without a move are played again",
            games.len()
        ));
        storage.rebuild_games(ledger)?;
    }
    Ok(())
}

/// What is printed beside what happens.
#[derive(Clone, Copy, Debug)]
pub struct Prints {
    /// Every move.
    pub moves: bool,
    /// The finished games, at the end.
    pub games: bool,
}

impl Prints {
    /// Every move or none, and no games at the end.
    const fn moves(moves: bool) -> Self {
        Self {
            moves,
            games: false,
        }
    }
}

/// Runs the server until the event is finished or stopped, then prints the standings.
pub fn serve(
    ledger: Ledger,
    storage: Storage,
    listen: &ListenConfig,
    prints: Prints,
) -> anyhow::Result<ExitStatus> {
    warn(&listen.warnings);
    runtime()?.block_on(async {
        let listener = bind(&listen.addresses).await?;
        let started = Started::new(ledger, storage, listen, prints)?;
        let server = &started.server;
        let control = Control::open(server.directory(), &server.sender());
        send_signals(server.sender());
        started.conduct(listener, control).await
    })
}

/// Runs everything in this thread.
pub fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
}

/// Lets Ctrl-C and a request to terminate end the server.
pub fn send_signals(sender: Sender<Incoming>) {
    tokio::spawn(async move {
        wait_for_signal().await;
        // The server may have ended already.
        let _ = sender.send(Incoming::Shutdown).await;
    });
}

/// A server that does as the command line says, and the page of its event.
pub struct Started {
    pub server: Server,
    hub: Option<Hub>,
    prints_games: bool,
}

impl Started {
    pub fn new(
        ledger: Ledger,
        mut storage: Storage,
        listen: &ListenConfig,
        prints: Prints,
    ) -> anyhow::Result<Self> {
        let access = Access {
            password: listen.password.as_deref().map(Secret::of),
            prints_moves: prints.moves,
        };
        let hub = start_hub(&ledger, &mut storage, &listen.http)?;
        let mut server = Server::new(ledger, storage, access);
        server.pass_password_file(listen.password_file.as_deref())?;
        if let Some(identity) = &listen.identity {
            server.use_tls(identity.clone())?;
        }
        Ok(Self {
            server,
            hub,
            prints_games: prints.games,
        })
    }

    /// Runs the server to its end, then prints the standings.
    pub async fn conduct(
        self,
        listener: TcpListener,
        control: Control,
    ) -> anyhow::Result<ExitStatus> {
        let Self {
            mut server,
            hub,
            prints_games,
        } = self;
        let completion = server.run(listener).await;
        let is_over = matches!(completion, Ok(Completion::Finished));
        let status = completion.and_then(|completion| {
            print(&format!("\n{}", standings::text(server.ledger())));
            if prints_games {
                print(&fs::read_to_string(server.directory().join("games.pgn"))?);
            }
            status_of(completion, &server)
        });
        if let (Some(hub), true) = (&hub, is_over) {
            linger(&mut server, hub).await;
        }
        control.remove_socket();
        drop(server);
        if let Some(hub) = hub {
            hub.end(is_over);
        }
        control.close().await;
        status
    }
}

/// Goes on with the page after the event: until viewers have had all that is behind, and then `linger`.
async fn linger(server: &mut Server, hub: &Hub) {
    let broadcast = server.ledger().config().broadcast;
    let time = broadcast.linger + broadcast.time_behind();
    if time.is_zero() {
        return;
    }
    print(&format!(
        "the page at http://{}/ is there for {} more; Ctrl-C or `epode-referee stop {}` ends it",
        hub.address,
        humantime::format_duration(time),
        server.directory().display()
    ));
    server.linger(time).await;
}

fn status_of(completion: Completion, server: &Server) -> anyhow::Result<ExitStatus> {
    match completion {
        Completion::Superseded(term) => bail!(
            "another referee has taken over the event (term {term}); to follow it: epode-referee observe \
             HOST:PORT --directory {} --token-file FILE",
            server.directory().display()
        ),
        Completion::Stopped => {
            print(&format!(
                "stopped: {} played; to continue: epode-referee resume {}",
                played(server.ledger()),
                server.directory().display()
            ));
            Ok(ExitStatus::Stopped)
        }
        Completion::Finished if server.ledger().forfeits() > 0 => Ok(ExitStatus::Forfeits),
        Completion::Finished => Ok(ExitStatus::Finished),
    }
}

/// How many games have been played; of how many, where the schedule says.
fn played(ledger: &Ledger) -> String {
    let played = ledger.finished();
    if ledger.config().plan().is_some() {
        return counted(played, "game");
    }
    format!("{played} of {}", counted(ledger.schedule().len(), "game"))
}

/// Starts the page, if the event has one.
fn start_hub(
    ledger: &Ledger,
    storage: &mut Storage,
    addresses: &[String],
) -> anyhow::Result<Option<Hub>> {
    if addresses.is_empty() {
        return Ok(None);
    }
    let hub = Hub::start(Settings {
        addresses: addresses.to_vec(),
        broadcast: ledger.config().broadcast,
        events: storage.events(),
    })?;
    storage.set_feed(hub.feed());
    print(&format!("watch the games at http://{}/", hub.address));
    Ok(Some(hub))
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
pub async fn wait_for_signal() {
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
