//! `check` and `init`: reading and writing event files.

use std::fs;
use std::io::{self, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use book::Book;
use referee::config::{Config, Dialect, Player, TEMPLATE, Transport, presets};
use referee::exposure::{self, Entry};
use referee::openings::{self, Opening};
use referee::spawn;
use referee::tablebases::Tables;
use referee::text::counted;
use referee::tls::Identity;
use referee::variant::Variant;
use serde::Deserialize;
use toml::Spanned;

use super::addresses::is_reachable;
use super::print::{print_result, warn};
use crate::exit_status::ExitStatus;

/// Reads an event file and describes the event. Commands must be there, and the address free.
pub fn check(path: &Path) -> anyhow::Result<ExitStatus> {
    let (config, text) = read_event(path)?;
    let (openings, _) = read_openings(&config, folder_of(path))?;
    print_result(&format!("{config}\n{}", counted(openings.len(), "opening")))?;
    if let Some(explanation) = presets::explain(&text) {
        print_result(&explanation)?;
    }
    let mut faults = 0;
    match read_tablebases(&config, folder_of(path)) {
        Ok(tablebases) => tablebases
            .iter()
            .try_for_each(|found| print_result(&found.to_string()))?,
        Err(error) => {
            faults += 1;
            eprintln!("epode-referee: {error:#}");
        }
    }
    for player in &config.players {
        faults += usize::from(!explain_transport(player)?);
    }
    for player in &config.players {
        let Some(command) = &player.command else {
            continue;
        };
        match spawn::words(command, &player.name, "127.0.0.1:1").map(|words| resolve(&words[0])) {
            Ok(Some(program)) => {
                print_result(&format!("{} runs {}", player.name, program.display()))?;
            }
            Ok(None) => {
                faults += 1;
                eprintln!(
                    "epode-referee: the program of player {} does not exist: {command}",
                    player.name
                );
            }
            Err(error) => {
                faults += 1;
                eprintln!("epode-referee: {error:#}");
            }
        }
    }
    warn(&config.command_warnings());
    faults += check_network(&config, folder_of(path))?;
    if let Err(error) = TcpListener::bind(&config.listen) {
        // The event itself may be running.
        faults += usize::from(error.kind() != io::ErrorKind::AddrInUse);
        eprintln!("epode-referee: cannot listen on {}: {error}", config.listen);
    }
    Ok(if faults == 0 {
        ExitStatus::Finished
    } else {
        ExitStatus::Error
    })
}

/// Looks at the certificate, and says what is open to whom; returns the number of faults.
fn check_network(config: &Config, folder: &Path) -> anyhow::Result<usize> {
    let mut faults = 0;
    let identity = config.tls.as_ref();
    match identity
        .map(|files| Identity::load(files, folder))
        .transpose()
    {
        Ok(identity) => warn(
            &identity
                .as_ref()
                .map(Identity::warnings)
                .unwrap_or_default(),
        ),
        Err(error) => {
            faults += 1;
            eprintln!("epode-referee: {error:#}");
        }
    }
    // An address that is none cannot be listened on either, which is said then.
    if is_reachable(&config.listen).unwrap_or(false) {
        warn(&exposure::warnings(config, &config.listen, Entry::Password));
        if exposure::needs_password(config) {
            print_result("`run` needs --password-file FILE, or --insecure")?;
        }
    }
    Ok(faults)
}

/// Says how a player comes; returns whether it can.
fn explain_transport(player: &Player) -> anyhow::Result<bool> {
    let (name, transport) = (&player.name, player.transport());
    let more = match transport {
        Transport::Network if player.command.is_some() => " once the referee has started it",
        Transport::Network => " when it wants to",
        Transport::Fifo(_) => ", which the referee makes",
        Transport::Serial(..) => "",
        Transport::Stdio => " of its command",
    };
    print_result(&format!("{name} connects by {transport}{more}"))?;
    if player.dialect == Dialect::Kit {
        print_result(&format!(
            "{name} speaks the dialect of the EPD Kit: it keeps its own time and knows no draw offers, \
             and games begin from the starting position"
        ))?;
    }
    Ok(match transport {
        Transport::Serial(device, _) if !device.exists() => {
            eprintln!(
                "epode-referee: player {name}: {} does not exist",
                device.display()
            );
            false
        }
        _ => true,
    })
}

/// The file of a program, by its path or in the folders of PATH.
fn resolve(program: &str) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return path.is_file().then(|| path.to_owned());
    }
    let folders = std::env::var_os("PATH")?;
    let mut files = std::env::split_paths(&folders).map(|folder| {
        let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
        folder.join(name)
    });
    files.find(|file| file.is_file())
}

/// Writes the template of an event file, to standard output if no path is given.
pub fn init(path: Option<&Path>) -> anyhow::Result<ExitStatus> {
    create(path, TEMPLATE)
}

/// Writes a new event file, to standard output if no path is given.
pub fn create(path: Option<&Path>, text: &str) -> anyhow::Result<ExitStatus> {
    let Some(path) = path else {
        print_result(text.trim_end())?;
        return Ok(ExitStatus::Finished);
    };
    let file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path);
    let mut file = file.with_context(|| format!("cannot create {}", path.display()))?;
    file.write_all(text.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(ExitStatus::Finished)
}

/// The text of an event file as it is kept in the event's folder. Files of a certificate are read where
/// they are, because they may be renewed, and so are tablebases: their paths no longer depend on the
/// folder of the event file. A preset is replaced by its settings.
pub fn saved_text(mut text: String, folder: &Path) -> anyhow::Result<String> {
    #[derive(Deserialize)]
    struct Event {
        tls: Option<Tls>,
        adjudication: Option<Adjudication>,
    }
    #[derive(Deserialize)]
    struct Adjudication {
        tablebases: Option<Spanned<String>>,
    }
    #[derive(Deserialize)]
    struct Tls {
        certificate: Spanned<PathBuf>,
        key: Spanned<PathBuf>,
    }
    if let Some(expanded) = presets::expanded(&text) {
        text = expanded;
    }
    let event: Event = toml::from_str(&text)?;
    let absolute = |path: &Path| {
        let absolute = std::path::absolute(folder.join(path))?;
        let text = absolute.to_str().map(str::to_owned);
        text.with_context(|| format!("{} is not UTF-8", folder.display()))
    };
    let mut values = Vec::new();
    for path in event
        .tls
        .iter()
        .flat_map(|tls| [&tls.certificate, &tls.key])
    {
        values.push((path.span(), absolute(path.get_ref())?));
    }
    if let Some(list) = event
        .adjudication
        .and_then(|adjudication| adjudication.tablebases)
    {
        let folders = std::env::split_paths(list.get_ref()).map(|path| absolute(&path));
        let folders = std::env::join_paths(folders.collect::<Result<Vec<_>, _>>()?)?;
        values.push((list.span(), folders.to_string_lossy().into_owned()));
    }
    // The last one first: what comes before it stays where it is.
    values.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    for (span, value) in values {
        text.replace_range(span, &toml::Value::String(value).to_string());
    }
    Ok(text)
}

/// Opens the tablebases of an event's adjudication, and warns of damaged ones.
pub fn read_tablebases(config: &Config, folder: &Path) -> anyhow::Result<Option<Arc<Tables>>> {
    let Some(list) = &config.adjudication.tablebases else {
        return Ok(None);
    };
    let tables = Tables::open(list, folder).context("[adjudication] tablebases")?;
    warn(&tables.warnings());
    Ok(Some(Arc::new(tables)))
}

/// The folder that paths in an event file are relative to.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Reads a new event's file; returns its text too.
pub fn read_event(path: &Path) -> anyhow::Result<(Config, String)> {
    let text = read_text(path)?;
    let config = Config::read(&text).with_context(|| path.display().to_string())?;
    Ok((config, text))
}

/// Reads the copy of the event file in an event's folder. An earlier version may have written it, so
/// old names of settings are accepted.
pub fn read_saved_event(path: &Path) -> anyhow::Result<Config> {
    Config::read_saved(&read_text(path)?).with_context(|| path.display().to_string())
}

fn read_text(path: &Path) -> anyhow::Result<String> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + memchr::memchr_iter(b'\n', before).count();
        anyhow::anyhow!(
            "{}:{line}: not UTF-8, which event files are",
            path.display()
        )
    })
}

/// Reads an event's openings; returns the text that its folder keeps of them too. Without a book, games begin from the
/// starting positions of the variant.
pub fn read_openings(
    config: &Config,
    folder: &Path,
) -> anyhow::Result<(Vec<Opening>, Option<String>)> {
    let Some(settings) = &config.openings else {
        return Ok((config.variant.openings(config.seed), None));
    };
    let path = folder.join(&settings.file);
    let (openings, text) = read_book(&path, settings.plies, config.variant)?;
    if openings.is_empty() {
        bail!("{} has no openings", path.display());
    }
    let other = openings
        .iter()
        .find(|opening| !config.variant.allows(&opening.start));
    if let Some(opening) = other {
        bail!(
            "{} has a position of Chess960 ({}), but the event has not `variant = \"chess960\"` or \
             `\"dfrc\"`",
            path.display(),
            opening.start
        );
    }
    let check = config.check_openings(&openings);
    check.with_context(|| path.display().to_string())?;
    Ok((openings, Some(text)))
}

/// Reads a book of any format; returns its openings and a text that has them. Of a Polyglot book, and of a repository
/// with the starting position, that is a text of games: the event needs no more of the book.
fn read_book(
    path: &Path,
    plies: usize,
    variant: Variant,
) -> anyhow::Result<(Vec<Opening>, String)> {
    if Book::is_polyglot(path) {
        let openings = openings::from_book(&Book::open(path)?, plies)?;
        if openings.is_empty() {
            bail!(
                "{} has no move in the starting position, or only moves of weight 0",
                path.display()
            );
        }
        let text = openings::to_pgn(&openings);
        return Ok((openings, text));
    }
    let text = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8_lossy(&text);
    if openings::is_repository(&text) && variant == Variant::Standard {
        let openings = openings::from_book(&Book::open(path)?, plies)?;
        if !openings.is_empty() {
            let text = openings::to_pgn(&openings);
            return Ok((openings, text));
        }
    }
    let openings = openings::read(&text, plies, variant.castling_mode());
    let openings = openings.map_err(|error| {
        let (line, column) = (error.line, error.column);
        anyhow::anyhow!("{}:{line}:{column}: {}", path.display(), error.kind)
    })?;
    Ok((openings, text.into_owned()))
}
