//! The words of the command line.

use std::fs;
use std::net::ToSocketAddrs;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args as Arguments, Parser, Subcommand};

/// A tournament referee that exchanges EPD records with its players.
#[derive(Debug, Parser)]
#[command(version, about, propagate_version = true, max_term_width = 100)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Conduct an event from its first game
    #[command(after_help = "\
Everything is written into a folder beside the event's file: the journal, from which the event can be \
resumed after a crash, a log of every record, the games (games.pgn), what happened for programs \
(events.jsonl) and how it stands (standings.json). While it goes on, orders can be given on standard \
input (help lists them) or by `epode-referee control`.

Examples:
  epode-referee init cup.toml
  epode-referee check cup.toml
  epode-referee run cup.toml
  epode-referee run cup.toml --listen 0.0.0.0:5001 --password-file secret --background

Exit status: 0 if every game was played, 1 if some were lost by a fault (crash, stall, time, illegal \
move, protocol), 2 if something could not be read or written, 3 if the event was left and can be resumed.")]
    Run {
        /// The event's file
        #[arg(value_name = "EVENT.toml")]
        event: PathBuf,
        #[command(flatten)]
        network: Network,
        /// Print every move
        #[arg(long)]
        moves: bool,
        /// Go on without a terminal; what would be printed goes to output.log
        #[arg(long)]
        background: bool,
    },
    /// Go on with an event whose referee was killed or left
    #[command(after_help = "\
Games that are over stay; games under way go on from their last move with the clocks as they were, as \
soon as their players have signed on again.

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
        /// Go on without a terminal; what would be printed goes to output.log
        #[arg(long)]
        background: bool,
    },
    /// Explain an event's file
    Check {
        /// The event's file
        #[arg(value_name = "EVENT.toml")]
        event: PathBuf,
    },
    /// Write an event's file to begin with
    Init {
        /// Where; standard output if not given
        #[arg(value_name = "EVENT.toml")]
        event: Option<PathBuf>,
    },
    /// Give an order to a referee at work
    #[command(after_help = "\
Examples:
  epode-referee control cup status
  epode-referee control cup adjudicate 12 1/2")]
    Control {
        /// The event's folder
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// The order; `help` lists them
        #[arg(required = true, trailing_var_arg = true)]
        order: Vec<String>,
    },
    /// Watch two built-in players play
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

/// Who may connect.
#[derive(Clone, Debug, Default, Arguments)]
pub struct Network {
    /// Where to listen, in place of what the event's file says
    #[arg(long, value_name = "HOST:PORT")]
    pub listen: Option<String>,
    /// Players must say the password that stands in this file
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// Let anybody connect from other machines
    #[arg(long, conflicts_with = "password_file")]
    pub insecure: bool,
}

/// Where players come, and what they must say.
#[derive(Clone, Debug)]
pub struct Hall {
    /// The first that can be had is taken.
    pub addresses: Vec<String>,
    pub password: Option<String>,
}

impl Network {
    /// The hall of an event whose file says where to listen. With any port (0), players that come
    /// back after a crash look for the referee where it was.
    pub fn hall(&self, listen: &str, last: Option<String>) -> anyhow::Result<Hall> {
        let mut addresses = Vec::new();
        if let Some(listen) = &self.listen {
            addresses.push(listen.clone());
        } else {
            addresses.extend(last.filter(|_| listen.ends_with(":0")));
            addresses.push(listen.to_owned());
        }
        let password = addresses.iter().map(|address| self.password(address));
        let password = password.collect::<anyhow::Result<Vec<_>>>()?.pop();
        Ok(Hall {
            addresses,
            password: password.flatten(),
        })
    }

    /// The password. An address that other machines can reach needs one.
    fn password(&self, listen: &str) -> anyhow::Result<Option<String>> {
        if let Some(path) = &self.password_file {
            let text = fs::read_to_string(path);
            let text = text.with_context(|| format!("cannot read {}", path.display()))?;
            let password = text.trim();
            if password.is_empty() {
                bail!("{} holds no password", path.display());
            }
            return Ok(Some(password.to_owned()));
        }
        let mut addresses = listen.to_socket_addrs();
        let addresses = addresses
            .as_mut()
            .map_err(|error| anyhow::anyhow!("{listen}: {error}"))?;
        if !self.insecure && !addresses.all(|address| address.ip().is_loopback()) {
            bail!(
                "{listen} can be reached from other machines: give --password-file, or --insecure"
            );
        }
        Ok(None)
    }

    /// The same options once more.
    pub fn arguments(&self) -> Vec<std::ffi::OsString> {
        let mut arguments = Vec::new();
        if let Some(listen) = &self.listen {
            arguments.extend(["--listen".into(), listen.into()]);
        }
        if let Some(path) = &self.password_file {
            arguments.extend(["--password-file".into(), path.into()]);
        }
        if self.insecure {
            arguments.push("--insecure".into());
        }
        arguments
    }
}
