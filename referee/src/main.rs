//! The program: a tournament referee.

#![forbid(unsafe_code)]

mod args;
mod console;
mod shell;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};

use anyhow::{Context, bail};
use clap::Parser;
use referee::config::{Config, TEMPLATE};
use referee::event::Event;
use referee::files::{self, Files};
use referee::openings::{self, Opening};
use referee::server::{End, Incoming, Options, Server};
use tokio::net::TcpListener;

use args::{Args, Command, Hall, Network};

/// What the exit status tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// 0: every game was played.
    Played,
    /// 1: every game was played, and some were lost by a fault.
    Faulty,
    /// 2: something could not be read, written or understood.
    Failed,
    /// 3: the event was left before its end, and can be resumed.
    Left,
}

fn main() -> ExitCode {
    let verdict = run(Args::parse().command).unwrap_or_else(|error| {
        eprintln!("epode-referee: {error:#}");
        Verdict::Failed
    });
    ExitCode::from(verdict as u8)
}

fn run(command: Command) -> anyhow::Result<Verdict> {
    match command {
        Command::Check { event } => {
            let (config, _) = read_event(&event)?;
            let (openings, _) = read_openings(&config, folder_of(&event))?;
            say(&format!("{config}\n{} openings", openings.len()));
            Ok(Verdict::Played)
        }
        Command::Init { event } => init(event.as_deref()),
        Command::Run {
            event,
            network,
            background: true,
            ..
        } => background("run", &event, &network),
        Command::Run {
            event,
            network,
            moves,
            ..
        } => {
            let (config, text) = read_event(&event)?;
            let (openings, book) = read_openings(&config, folder_of(&event))?;
            let directory = config.directory(&event);
            let hall = network.hall(&config.listen, None)?;
            let files = Files::create(&directory, &text, book.as_deref())?;
            let event = Event::new(config, openings)?;
            conduct(event, files, hall, moves)
        }
        Command::Resume {
            directory,
            network,
            background: true,
            ..
        } => background("resume", &directory, &network),
        Command::Resume {
            directory,
            network,
            moves,
            ..
        } => {
            let (mut config, _) = read_event(&directory.join("event.toml"))?;
            if let Some(book) = &mut config.openings {
                book.file = files::OPENINGS.into();
            }
            let (openings, _) = read_openings(&config, &directory)?;
            let hall = network.hall(&config.listen, Files::last_address(&directory))?;
            let (mut files, entries) = Files::resume(&directory)?;
            let mut event = Event::new(config, openings)?;
            files.rewrite_games(&event.resume(entries)?)?;
            conduct(event, files, hall, moves)
        }
        Command::Control { directory, order } => {
            say(&console::ask(&directory, &order.join(" "))?);
            Ok(Verdict::Played)
        }
        Command::Demo => demo(),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man { directory } => shell::man(&directory),
    }
}

/// Prints for whoever watches; nobody has to.
fn say(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

fn read_event(path: &Path) -> anyhow::Result<(Config, String)> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let config = Config::read(&text).with_context(|| path.display().to_string())?;
    Ok((config, text))
}

/// The openings of an event and the text that they come from; without any, the start array.
fn read_openings(config: &Config, folder: &Path) -> anyhow::Result<(Vec<Opening>, Option<String>)> {
    let Some(book) = &config.openings else {
        return Ok((vec![Opening::default()], None));
    };
    let path = folder.join(&book.file);
    let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8_lossy(&text);
    let openings = openings::read(&text, book.plies);
    let openings = openings.map_err(|error| anyhow::anyhow!("{}:{error}", path.display()))?;
    if openings.is_empty() {
        bail!("{} has no openings", path.display());
    }
    Ok((openings, Some(text.into_owned())))
}

fn init(event: Option<&Path>) -> anyhow::Result<Verdict> {
    let Some(path) = event else {
        say(TEMPLATE.trim_end());
        return Ok(Verdict::Played);
    };
    let file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path);
    let mut file = file.with_context(|| format!("cannot make {}", path.display()))?;
    file.write_all(TEMPLATE.as_bytes())
        .context("cannot write the event")?;
    Ok(Verdict::Played)
}

/// Conducts an event in the foreground.
fn conduct(event: Event, files: Files, hall: Hall, moves: bool) -> anyhow::Result<Verdict> {
    let options = Options {
        password: hall.password,
        prints_moves: moves,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = listen(&hall.addresses).await?;
        let directory = files.directory().to_owned();
        let mut server = Server::new(event, files, options);
        console::open(&directory, &server.sender());
        let sender = server.sender();
        tokio::spawn(async move {
            wait_for_signal().await;
            // The referee may be gone already.
            let _ = sender.send(Incoming::Interrupted).await;
        });
        let end = server.run(listener).await?;
        let event = server.event();
        let standings = event.standings();
        say(&format!(
            "\n{}\n{}",
            standings.table(),
            standings.cross_table()
        ));
        if let Some(sprt) = standings.sprt {
            say(&format!(
                "llr {:.2} ({:.2} to {:.2}): {:?}",
                sprt.llr, sprt.lower, sprt.upper, sprt.state
            ));
        }
        Ok(match end {
            End::Left => Verdict::Left,
            End::Played if event.faults() > 0 => Verdict::Faulty,
            End::Played => Verdict::Played,
        })
    })
}

/// Listens at the first address that can be had.
async fn listen(addresses: &[String]) -> anyhow::Result<TcpListener> {
    let mut why = anyhow::anyhow!("no address to listen at");
    for address in addresses {
        match TcpListener::bind(address).await {
            Ok(listener) => return Ok(listener),
            Err(error) => {
                why = anyhow::Error::new(error).context(format!("cannot listen on {address}"));
            }
        }
    }
    Err(why)
}

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

/// Starts the referee again, away from the terminal.
fn background(verb: &str, path: &Path, network: &Network) -> anyhow::Result<Verdict> {
    let output = if verb == "run" {
        let (config, _) = read_event(path)?;
        let directory = config.directory(path);
        fs::create_dir_all(&directory)?;
        directory.join("output.log")
    } else {
        path.join("output.log")
    };
    let file = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(&output);
    let file = file.with_context(|| format!("cannot write {}", output.display()))?;
    let mut command = std::process::Command::new(std::env::current_exe()?);
    command.arg(verb).arg(path).args(network.arguments());
    command
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file);
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        // Ctrl-C on this terminal is not meant for it.
        command.process_group(0);
    }
    let child = command.spawn().context("cannot start the referee")?;
    say(&format!(
        "process {}, output in {}",
        child.id(),
        output.display()
    ));
    Ok(Verdict::Played)
}

/// Two built-in players play two games.
fn demo() -> anyhow::Result<Verdict> {
    let folder = tempfile::tempdir().context("no room for the demonstration")?;
    let here = std::env::current_exe()?;
    let beside = here.with_file_name("epode");
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
    let files = Files::create(folder.path(), &text, None)?;
    let hall = Network::default().hall(&config.listen, None)?;
    let event = Event::new(config, vec![Opening::default()])?;
    let verdict = conduct(event, files, hall, true)?;
    let games = fs::read_to_string(folder.path().join("games.pgn"))?;
    say(&games);
    Ok(verdict)
}
