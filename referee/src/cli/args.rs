//! The command line's arguments.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use clap::{Args as Arguments, Parser, Subcommand};
use epd::protocol::time_control::TimeControl;
use referee::config::Config;
use referee::event::GivenOrder;
use referee::exposure::{self, Entry};
use referee::secret_file;
use referee::tls::Identity;

use super::addresses::{check, host_port, is_reachable};
use super::pair::PairArgs;
use super::ratings::Ratings;
use super::trf::Trf;

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
  epode-referee run cup.toml --http 127.0.0.1:8080     (then open http://127.0.0.1:8080/)

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
    /// Follow a running referee, and take over when it fails
    #[command(after_help = "\
The folder gets a copy of the event file, the openings and the journal, which grows with the referee's. The \
event file must have [observer] with the hash of the token (`epode-referee token --observer` makes one). When the \
referee is gone for --takeover, or with `epode-referee control DIR takeover`, this one listens on its own \
address and goes on with the event as `resume` does. Clients find it by `epode client A:PORT,B:PORT \
--reconnect`. README.md says what two referees can and cannot guarantee.

Examples:
  epode-referee observe one.example:5001 --directory cup --token-file token \\
      --listen 0.0.0.0:5001 --password-file secret
  epode-referee control cup status
  epode-referee control cup takeover

Exit status: that of `resume` after a take-over; 0 if the event ended or the observer was stopped before.")]
    Observe(Observe),
    /// Check an event file and describe the event
    Check {
        /// The event file
        #[arg(value_name = "EVENT.toml")]
        event: PathBuf,
    },
    /// Write a commented event file to start from
    #[command(after_help = "\
With --tls, a certificate (cup.crt) and its private key (cup.key) are written beside the event file \
(cup.toml), which uses them and listens on all addresses of this machine. The certificate signs itself: a \
player gets a copy of it for `epode client --tls --ca cup.crt`.

With --trf, the event is a Swiss event with the players, ratings, rounds, forbidden pairs, byes and acceleration of a \
tournament report file (TRF16) in which no round has been played; `-` is standard input.

Examples:
  epode-referee init cup.toml
  epode-referee init --tls cup.toml
  epode-referee init --trf open.trf cup.toml
  epode-referee init --tls cup.toml --host chess.example --host 203.0.113.7")]
    Init {
        /// The file to create; without it, print to standard output
        #[arg(value_name = "EVENT.toml")]
        event: Option<PathBuf>,
        /// Encrypt connections by TLS, with a new certificate
        #[arg(long, requires = "event")]
        tls: bool,
        /// A name or an IP address by which players reach this machine; repeat it for more. `localhost`
        /// and the machine's own name are always in the certificate
        #[arg(long = "host", value_name = "NAME", requires = "tls")]
        hosts: Vec<String>,
        /// Take players, rounds and pairing rules from a tournament report file
        #[arg(long, value_name = "TRF", conflicts_with = "tls")]
        trf: Option<PathBuf>,
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
    /// Watch an event full screen in the terminal, and give orders as its arbiter
    #[command(after_help = "\
Shows the games with their clocks and evaluations, each game with its moves, the standings, the schedule and \
the log. `?` lists the keys, and `q` leaves the view; the event goes on. NO_COLOR=1 turns colours off.

In the event's folder the view reads events.jsonl from its beginning, whether the event is running, stopped \
or finished, and goes on when it is resumed. `:` takes every order of `epode-referee control`. Elsewhere, \
give the address of the page (`http` in the event file, or --http): it shows what is broadcast, and takes \
no orders.

Examples:
  epode-referee watch cup
  epode-referee watch 127.0.0.1:8080
  epode-referee watch https://chess.example/cup

Exit status: 0 when you quit, 2 if there is no such event or no terminal.")]
    Watch {
        /// The event's folder, or the address of the referee's page
        #[arg(value_name = "DIR|ADDR")]
        target: String,
    },
    /// Show an event that is stopped or finished on a page
    #[command(after_help = "\
Shows what the files of the event tell, until Ctrl-C; nothing is written. A referee that is running shows \
its event by itself (`http` in the event file, or --http).

Examples:
  epode-referee serve cup
  epode-referee serve cup --http 0.0.0.0:8080")]
    Serve {
        /// The event's folder
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// Address of the page. By default that of the event, or else 127.0.0.1:8080, or a free port
        #[arg(long, value_name = "HOST:PORT", value_parser = host_port)]
        http: Option<String>,
    },
    /// Print the standings of an event
    #[command(after_help = "\
The event may be running, stopped or finished. Programs read them from standings.json in the event's folder.

Example:
  epode-referee standings cup")]
    Standings {
        /// The event's folder
        #[arg(value_name = "DIR")]
        directory: PathBuf,
    },
    /// Pair the next round of a Swiss event by the FIDE Dutch system, or show its standings
    #[command(after_help = "\
Reads a FIDE tournament report file (TRF16, with the extensions of bbpPairings), and prints the pairing of the next round. Withdrawals, byes, forfeits, late entries, forbidden \
pairs and acceleration in the file are taken into account. The rules are those of FIDE's handbook, C.04.3.

Examples:
  epode-referee pair open.trf
  epode-referee pair --format json - < open.trf
  epode-referee pair --review open.trf
  epode-referee pair --standings --tie-breaks BH-C1,BH,SB open.trf

Exit status: 0 on success, 1 if --review finds rounds that are not as the rules say, 2 if the file is wrong or \
the rules leave no pairing.")]
    Pair(PairArgs),
    /// Rate the players of games in PGN files
    #[command(after_help = "\
Ratings are such that each player's expected points equal its points, as Ordo computes them; White's advantage is \
found too. The error is half of the 95 % interval around the difference to the average or the anchors, and LOS the \
likelihood of superiority over the next player in percent. Draws make errors smaller, as in the model of Davidson.

A player that has won or lost all its games, or that is not linked with the others by points in both directions, \
has no rating. Games that were abandoned do not count.

Examples:
  epode-referee ratings cup
  epode-referee ratings games.pgn more.pgn --anchor 'Crafty 25.6=2650'
  epode-referee ratings --average 3000 --format csv - < games.pgn > ratings.csv

Exit status: 0 on success, 1 if a game could not be read and was left out, 2 if a file could not be read.")]
    Ratings(Ratings),
    /// Write the tournament report file (TRF) of an event
    #[command(after_help = "\
The event may be running, stopped or finished. Other pairing and arbiters' programs read the file: players with their \
ratings, points and ranks, the games of each round, byes, forfeits, and for a Swiss event the number of rounds (XXR), the \
first colour (XXC), forbidden pairs (XXP) and acceleration (XXA) as bbpPairings understands them. Each game that \
two players play in a round is a round of the file. Of a Swiss event, the round in progress is left out; of others, games \
still to be played are blank. Knockouts and ladders have no such file.

Examples:
  epode-referee trf cup
  epode-referee trf cup -o cup.trf
  epode-referee trf cup | epode-referee pair --review -    (with one game in each round)

Exit status: 0 on success, 2 if something could not be read or written, or if the event has no such file.")]
    Trf(Trf),
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
line `token = \"sha256:...\"` for its [[player]] table in the event file. With --observer it prints the token \
for `observe --token-file`, and the line `observer = { token = \"sha256:...\" }`.

Examples:
  epode-referee token Ann
  epode-referee token --observer")]
    Token {
        /// The player's name
        #[arg(required_unless_present = "observer", conflicts_with = "observer")]
        name: Option<String>,
        /// Make the token of the second referee that observes the event
        #[arg(long)]
        observer: bool,
    },
    /// Watch the built-in engine play two games against itself
    #[command(after_help = "\
The games are printed, and shown on a page whose address is printed first.

Examples:
  epode-referee demo
  epode-referee demo --http 127.0.0.1:8888 --games 8 --time-control 60+1")]
    Demo {
        /// Address of the page. By default 127.0.0.1:8080, or a free port
        #[arg(long, value_name = "HOST:PORT", value_parser = host_port)]
        http: Option<String>,
        /// Number of games, all played at the same time
        #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
        games: u16,
        /// Time control, as in PGN
        #[arg(long, value_name = "TIME", default_value = "5+0.05", value_parser = time_control)]
        time_control: TimeControl,
    },
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

/// Whom to observe, and how to take over.
#[derive(Clone, Debug, Arguments)]
pub struct Observe {
    /// The address of the referee
    #[arg(value_name = "HOST:PORT")]
    pub address: String,
    /// The folder for the copy; it may be that of a referee that was replaced
    #[arg(long, value_name = "DIR")]
    pub directory: PathBuf,
    /// The observer's token is the first line of this file
    #[arg(long, value_name = "FILE")]
    pub token_file: PathBuf,
    /// Take over when the referee is gone for this long, instead of the event file's `takeover`
    #[arg(long, value_name = "DURATION", value_parser = takeover)]
    pub takeover: Option<Duration>,
    /// Connect to the referee by TLS, for an event with `tls` in its file
    #[arg(long)]
    pub tls: bool,
    /// Trust the certificates in this PEM file (default: those of the system's authorities)
    #[arg(long, value_name = "FILE", requires = "tls")]
    pub ca: Option<PathBuf>,
    /// The name that the referee's certificate must have, if it is not HOST
    #[arg(long, value_name = "NAME", requires = "tls")]
    pub server_name: Option<String>,
    /// The certificate to use after a take-over, instead of the event file's
    #[arg(long, value_name = "FILE", requires = "key")]
    pub certificate: Option<PathBuf>,
    /// The private key of --certificate
    #[arg(long, value_name = "FILE", requires = "certificate")]
    pub key: Option<PathBuf>,
    #[command(flatten)]
    pub network: Network,
    /// Print every move after a take-over
    #[arg(long)]
    pub moves: bool,
}

/// A time such as `5s`.
fn takeover(text: &str) -> Result<Duration, String> {
    let least = Duration::from_millis(100);
    match time(text)? {
        time if time >= least => Ok(time),
        _ => Err("expected at least 100ms".to_owned()),
    }
}

/// A time control as in PGN.
fn time_control(text: &str) -> Result<TimeControl, String> {
    text.parse().map_err(|error| format!("{error}"))
}

/// A time such as `5s`, or none.
fn time(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text)
        .map_err(|error| format!("{error}, expected for example 5s or 500ms"))
}

/// Where to listen, and who may connect.
#[derive(Clone, Debug, Default, Arguments)]
pub struct Network {
    /// Address to listen on, instead of the event file's
    #[arg(long, value_name = "HOST:PORT", value_parser = host_port)]
    pub listen: Option<String>,
    /// Require players without a token to send the password on the first line of this file
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// Accept players from other machines without a password
    #[arg(long, conflicts_with = "password_file")]
    pub insecure: bool,
    /// Show the event on a page at this address, instead of the event file's
    #[arg(long, value_name = "HOST:PORT", value_parser = host_port)]
    pub http: Option<String>,
    /// Go on with the page for this long after the event, instead of the event file's `linger` (1min). Ctrl-C and
    /// `stop` end it at once
    #[arg(long, value_name = "DURATION", value_parser = time)]
    pub linger: Option<Duration>,
}

/// Addresses to listen on, and what players must send.
#[derive(Clone, Debug)]
pub struct ListenConfig {
    /// The first one that is available is used.
    pub addresses: Vec<String>,
    pub password: Option<String>,
    /// The file that it is in.
    pub password_file: Option<PathBuf>,
    /// The certificate, if the event uses TLS.
    pub identity: Option<Identity>,
    /// The addresses of the page, of which the first one that is available is used; empty for no page.
    pub http: Vec<String>,
    /// What the organiser should know.
    pub warnings: Vec<String>,
}

impl Network {
    /// Puts what the command line says of the event in the place of its settings.
    pub fn set(&self, config: &mut Config) {
        if let Some(http) = &self.http {
            config.http = Some(http.clone());
        }
        if let Some(linger) = self.linger {
            config.broadcast.linger = linger;
        }
    }

    /// Where to listen for an event whose file is in `folder`. If it asks for any port (0), a resumed event
    /// listens on its `last` address again, where players that reconnect look for it.
    pub fn listen_config(
        &self,
        config: &Config,
        folder: &Path,
        last: Option<String>,
    ) -> anyhow::Result<ListenConfig> {
        let mut addresses = Vec::new();
        if let Some(listen) = &self.listen {
            addresses.push(listen.clone());
        } else {
            addresses.extend(last.filter(|_| config.listen.ends_with(":0")));
            addresses.push(config.listen.clone());
        }
        let mut warnings = config.command_warnings();
        let mut password = None;
        if let Some(path) = &self.password_file {
            let (secret, warning) = secret_file::read(path)?;
            password = Some(secret);
            warnings.extend(warning);
        }
        let identity = config.tls.as_ref();
        let identity = identity
            .map(|files| Identity::load(files, folder))
            .transpose()?;
        warnings.extend(identity.iter().flat_map(Identity::warnings));
        let pages = config.http.iter();
        for page in pages {
            check(page).map_err(|why| anyhow::anyhow!("http: {why}"))?;
        }
        let reachable = addresses.iter().map(|address| is_reachable(address));
        let reachable = reachable.collect::<anyhow::Result<Vec<_>>>()?;
        if let Some(i) = reachable.iter().position(|&is_reachable| is_reachable) {
            let listen = &addresses[i];
            if password.is_none() && !self.insecure && exposure::needs_password(config) {
                bail!(
                    "other machines can reach {listen}: add --password-file FILE, or --insecure, or a token for \
                     every player"
                );
            }
            let entry = password.as_ref().map_or(Entry::Anyone, |_| Entry::Password);
            warnings.extend(exposure::warnings(config, listen, entry));
        }
        Ok(ListenConfig {
            addresses,
            password,
            password_file: self.password_file.clone(),
            identity,
            http: config.http.iter().cloned().collect(),
            warnings,
        })
    }
}
