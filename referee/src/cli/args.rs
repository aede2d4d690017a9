//! The command line's arguments.

use std::fs;
use std::net::ToSocketAddrs;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args as Arguments, Parser, Subcommand};
use referee::event::GivenOrder;

/// A tournament referee that exchanges EPD records with its players.
#[derive(Debug, Parser)]
#[command(version, about, propagate_version = true, max_term_width = 100)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run an event from its first game
    #[command(after_help = "\
Everything is written to a folder beside the event file:
  journal.log     moves, clocks and results; `resume` continues from it after a crash
  records.log     every record sent and received
  games.pgn       finished games
  events.jsonl    what happens, one JSON object per line
  standings.json  the current standings
While the event runs, type orders on standard input (`help` lists them), or send them with
`epode-referee control`.

Examples:
  epode-referee init cup.toml
  epode-referee check cup.toml
  epode-referee run cup.toml
  epode-referee run cup.toml --listen 0.0.0.0:5001 --password-file secret --background

Exit status: 0 if all games were played, 1 if at least one was forfeited (crash, no reply, time, illegal \
move, protocol error), 2 if something could not be read or written, 3 if the event was stopped before \
its end and can be resumed.")]
    Run {
        /// The event file
        #[arg(value_name = "EVENT.toml")]
        event: PathBuf,
        #[command(flatten)]
        network: Network,
        /// Print every move
        #[arg(long)]
        moves: bool,
        /// Run in the background; returns once players can connect. Output goes to output.log in the
        /// event's folder
        #[arg(long)]
        background: bool,
    },
    /// Continue an event whose referee was stopped or killed
    #[command(after_help = "\
Finished games are kept. Games in progress continue from their last move, with their saved clocks, as \
soon as both players have connected again. What the arbiter has paused stays paused. Games that were forfeited before a move was made are played \
again. To correct a player's command, edit event.toml in the event's folder first.

Example:
  epode-referee resume cup")]
    Resume {
        /// The event's folder
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        #[command(flatten)]
        network: Network,
        /// Print every move
        #[arg(long)]
        moves: bool,
        /// Run in the background; returns once players can connect. Output goes to output.log in the
        /// event's folder
        #[arg(long)]
        background: bool,
    },
    /// Check an event file and describe the event
    Check {
        /// The event file
        #[arg(value_name = "EVENT.toml")]
        event: PathBuf,
    },
    /// Write a commented event file to start from
    Init {
        /// The file to create; without it, print to standard output
        #[arg(value_name = "EVENT.toml")]
        event: Option<PathBuf>,
    },
    /// Give an order to a running referee
    #[command(
        subcommand_value_name = "ORDER",
        subcommand_help_heading = "Orders",
        after_help = "\
Every order is written to the journal with its time, its reason and who gave it, so a resumed event goes \
on as if it had not been interrupted. `control DIR ORDER --help` explains an order. The exit status is 2 \
if the referee refuses an order.

Examples:
  epode-referee control cup games
  epode-referee control cup pause 12 --reason 'the network is down'
  epode-referee control cup extend 12 black 30s --reason 'the network was down' --by Eve
  epode-referee control cup takeback 12 40
  epode-referee control cup adjudicate 12 1/2
  epode-referee control cup restart 'Old Ann'
  epode-referee control cup replace Bob Zoe --command 'zoe-client {address} --name {name}'"
    )]
    Control {
        /// The event's folder
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        #[command(flatten)]
        given: GivenOrder,
    },
    /// Stop a running referee and wait until it has ended; the event can be resumed
    Stop {
        /// The event's folder
        #[arg(value_name = "DIR")]
        directory: PathBuf,
    },
    /// Make a token with which a player proves who it is
    #[command(after_help = "\
A player with a token signs on with it instead of the event's password. Nobody else can take its \
place, and it takes its place back at once when its connection has broken without being noticed.

The command prints the token, which the player puts into the file of its own --password-file, and the \
line `token = \"sha256:...\"` for its [[player]] table in the event file.

Example:
  epode-referee token Ann")]
    Token {
        /// The player's name
        name: String,
    },
    /// Watch the built-in engine play two games against itself
    Demo,
    /// Print a completion script for a shell
    #[command(after_help = "\
Examples:
  epode-referee completions bash > ~/.local/share/bash-completion/completions/epode-referee
  epode-referee completions zsh > ~/.zfunc/_epode-referee    (a folder in $fpath)
  epode-referee completions fish > ~/.config/fish/completions/epode-referee.fish")]
    Completions {
        /// The shell that reads the script
        shell: clap_complete::Shell,
    },
    /// Write man pages, one for the program and one for each command
    #[command(after_help = "\
Example:
  epode-referee man ~/.local/share/man/man1
  man epode-referee-run")]
    Man {
        /// The folder to write the pages into; created if it does not exist
        #[arg(value_name = "DIR")]
        directory: PathBuf,
    },
}

/// Where to listen, and who may connect.
#[derive(Clone, Debug, Default, Arguments)]
pub struct Network {
    /// Address to listen on, instead of the event file's
    #[arg(long, value_name = "HOST:PORT")]
    pub listen: Option<String>,
    /// Require players to send the password on the first line of this file; it is sent unencrypted
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// Accept players from other machines without a password
    #[arg(long, conflicts_with = "password_file")]
    pub insecure: bool,
}

/// Addresses to listen on, and the password that players must send.
#[derive(Clone, Debug)]
pub struct ListenConfig {
    /// The first one that is available is used.
    pub addresses: Vec<String>,
    pub password: Option<String>,
    /// The file that it is in.
    pub password_file: Option<PathBuf>,
}

impl Network {
    /// Where to listen for an event. If its file asks for any port (0), a resumed event listens on its
    /// `last` address again, where players that reconnect look for it.
    pub fn listen_config(
        &self,
        listen: &str,
        last: Option<String>,
    ) -> anyhow::Result<ListenConfig> {
        let mut addresses = Vec::new();
        if let Some(listen) = &self.listen {
            addresses.push(listen.clone());
        } else {
            addresses.extend(last.filter(|_| listen.ends_with(":0")));
            addresses.push(listen.to_owned());
        }
        let password = addresses.iter().map(|address| self.password(address));
        let password = password.collect::<anyhow::Result<Vec<_>>>()?.pop();
        Ok(ListenConfig {
            addresses,
            password: password.flatten(),
            password_file: self.password_file.clone(),
        })
    }

    /// The password, if any. An address that other machines can reach needs one, or `--insecure`.
    fn password(&self, listen: &str) -> anyhow::Result<Option<String>> {
        if let Some(path) = &self.password_file {
            let text = fs::read_to_string(path);
            let text = text.with_context(|| format!("cannot read {}", path.display()))?;
            // The first line, as the client reads it.
            let password = text.lines().next().unwrap_or_default().trim();
            if password.is_empty() {
                bail!("{} has no password in its first line", path.display());
            }
            return Ok(Some(password.to_owned()));
        }
        let mut addresses = listen.to_socket_addrs();
        let addresses = addresses
            .as_mut()
            .map_err(|error| anyhow::anyhow!("{listen}: {error}"))?;
        if !self.insecure && !addresses.all(|address| address.ip().is_loopback()) {
            bail!("other machines can reach {listen}: add --password-file FILE, or --insecure");
        }
        Ok(None)
    }
}
