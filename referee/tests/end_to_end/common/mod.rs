//! What the tests of the referee share: the program at work in a folder of its own, players that
//! follow a script, and an independent reader of games.

pub mod chromium;
pub mod games;
pub mod http;
pub mod kills;
pub mod kit;
pub mod nodes;
pub mod player;
#[cfg(target_os = "linux")]
pub mod serial;
#[cfg(target_os = "linux")]
pub mod terminal;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// Whatever takes longer has failed.
pub const LIMIT: Duration = Duration::from_mins(1);

/// What players of the program's own play with: they have ten minutes and behave as if they had half
/// a second, so that they play fast and do not lose on time, however busy the machine is.
pub const CLOCK: &str = "time_control = \"600+0.01\"";
/// See [`CLOCK`].
pub const OVERHEAD: &str = "599500ms";

/// The referee's program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_epode-referee");

/// A program that ends with the test.
pub struct Killed(pub Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An event's file: no delays, short patience, these players.
pub fn event(settings: &str, tables: &str, players: &[&str]) -> String {
    let players = players.iter().fold(String::new(), |text, name| {
        text + &format!("[[player]]\nname = {name:?}\n")
    });
    let tables = if tables.contains("[rules]") {
        tables.to_owned()
    } else {
        format!("[rules]\nmate_reply_timeout = \"2s\"\n{tables}")
    };
    format!(
        "event = \"Test\"\nsite = \"Here\"\n{settings}\n\
         [delays]\nreset = \"0s\"\nconclude = \"0s\"\n{tables}\n{players}"
    )
}

/// A referee at work. It is killed when this value goes.
pub struct Referee {
    folder: TempDir,
    child: Child,
    output: Arc<Mutex<String>>,
    /// Ends with the program's standard output.
    ended: Receiver<()>,
    address: SocketAddr,
}

impl Referee {
    /// Starts an event.
    pub fn run(event: &str) -> Self {
        Self::run_with(event, &[], &[])
    }

    /// Starts an event with files beside it and more arguments.
    pub fn run_with(event: &str, files: &[(&str, &str)], arguments: &[&str]) -> Self {
        let folder = TempDir::new().expect("a folder");
        fs::write(folder.path().join("cup.toml"), event).expect("written");
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("written");
        }
        // No test looks at the page of an event that is over, unless it says so.
        let begin = ["run", "cup.toml", "--linger", "0s"];
        let begin = if arguments.contains(&"--linger") {
            &begin[..2]
        } else {
            &begin
        };
        Self::start(folder, &[begin, arguments].concat())
    }

    /// Starts an event in a folder that has something in it already.
    pub fn run_in(folder: TempDir, event: &str) -> Self {
        fs::write(folder.path().join("cup.toml"), event).expect("written");
        Self::start(folder, &["run", "cup.toml"])
    }

    /// Starts an event on a disk that is full when a file has so many kilobytes.
    pub fn run_on_full_disk(event: &str, kilobytes: usize) -> Self {
        let folder = TempDir::new().expect("a folder");
        fs::write(folder.path().join("cup.toml"), event).expect("written");
        let script =
            format!("trap '' XFSZ; ulimit -S -f {kilobytes}; exec \"$0\" run cup.toml --linger 0s");
        let mut command = Command::new("bash");
        command.args(["-c", &script, PROGRAM]);
        Self::start_command(folder, command)
    }

    fn start(folder: TempDir, arguments: &[&str]) -> Self {
        let mut command = Command::new(PROGRAM);
        command.args(arguments);
        Self::start_command(folder, command)
    }

    fn start_command(folder: TempDir, mut command: Command) -> Self {
        let mut child = command
            .current_dir(folder.path())
            .env("RUST_BACKTRACE", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect(PROGRAM);
        let output = Arc::new(Mutex::new(String::new()));
        let (found, address) = channel();
        let (alive, ended) = channel::<()>();
        let said = Arc::clone(&output);
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        thread::spawn(move || {
            let _alive = alive;
            for line in stdout.lines().map_while(Result::ok) {
                if let Some(address) = line.strip_prefix("listening on ") {
                    let _ = found.send(address.parse().expect("an address"));
                }
                said.lock().expect("sound").push_str(&(line + "\n"));
            }
        });
        let complaints = Arc::clone(&output);
        let stderr = BufReader::new(child.stderr.take().expect("piped"));
        thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                complaints.lock().expect("sound").push_str(&(line + "\n"));
            }
        });
        let Ok(address) = address.recv_timeout(LIMIT) else {
            let _ = child.kill();
            panic!(
                "the referee does not listen:\n{}",
                output.lock().expect("sound")
            );
        };
        Self {
            folder,
            child,
            output,
            ended,
            address,
        }
    }

    /// Waits until a game of the event has so many moves.
    pub fn wait_for_ply(&self, ply: usize) {
        let path = self.path("events.jsonl");
        let (found, is_found) = channel();
        thread::spawn(move || watch(&path, &format!("\"ply\":{ply},"), &found));
        is_found.recv_timeout(LIMIT).expect("a move");
    }

    /// Waits until it has said this.
    pub fn wait_for_output(&self, wanted: &str) {
        let started = Instant::now();
        while !self.output().contains(wanted) {
            assert!(started.elapsed() < LIMIT, "{}", self.output());
            thread::yield_now();
        }
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where its page is.
    pub fn page(&self) -> SocketAddr {
        let said = self.output();
        let begin = "watch the games at http://";
        let line = said.lines().find_map(|line| line.strip_prefix(begin));
        let address = line.expect("a page").trim_end_matches('/');
        address.parse().expect("an address")
    }

    /// The process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for its end; returns the exit status.
    #[track_caller]
    pub fn wait(&mut self) -> i32 {
        // Nothing is ever sent: the channel ends with the program, or the time does.
        if self.ended.recv_timeout(LIMIT) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            let _ = self.child.kill();
            panic!("the referee does not end:\n{}", self.output());
        }
        let status = self.child.wait().expect("waited for");
        status.code().unwrap_or(-1)
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a process").is_some()
    }

    /// Kills it as a power cut would.
    pub fn kill(&mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("waited for");
    }

    /// Another referee goes on with the event.
    #[must_use]
    pub fn resume(mut self) -> Self {
        self.kill();
        let folder = std::mem::replace(&mut self.folder, TempDir::new().expect("a folder"));
        Self::start(folder, &["resume", "cup", "--linger", "0s"])
    }

    /// What it has said.
    pub fn output(&self) -> String {
        self.output.lock().expect("sound").clone()
    }

    /// A file of the event.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("cup").join(name)
    }

    /// The text of a file of the event.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect(name)
    }

    /// The games that are over.
    pub fn games(&self) -> Vec<games::Played> {
        games::read(&self.read("games.pgn"))
    }

    /// The lines of the file of events that have been written to their end.
    pub fn event_lines(&self) -> String {
        let mut text = self.read("events.jsonl");
        text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
        text
    }

    /// What happened.
    pub fn events(&self) -> Vec<Value> {
        let text = self.event_lines();
        text.lines()
            .map(|line| serde_json::from_str(line).expect(line))
            .collect()
    }

    /// What happened of one kind.
    pub fn events_of(&self, kind: &str) -> Vec<Value> {
        let mut events = self.events();
        events.retain(|event| event["event"] == kind);
        events
    }

    /// Sends a command of the arbiter.
    pub fn control(&self, command: &str) -> String {
        let (output, code) = program(self.folder.path(), &format!("control cup {command}"));
        assert_eq!(code, 0, "{output}");
        output
    }

    /// Sends a command that is refused.
    pub fn refuses(&self, command: &str) -> String {
        let (output, code) = program(self.folder.path(), &format!("control cup {command}"));
        assert_eq!(code, 2, "{output}");
        output
    }

    /// Runs the program once more in the same folder.
    pub fn program(&self, line: &str) -> (String, i32) {
        program(self.folder.path(), line)
    }
}

/// Reads a file that grows until a line has this in it; gives up when nobody waits.
fn watch(path: &Path, wanted: &str, found: &Sender<()>) {
    let mut file = BufReader::new(fs::File::open(path).expect("a file"));
    let mut line = String::new();
    let started = Instant::now();
    while started.elapsed() < LIMIT {
        match file.read_line(&mut line) {
            Ok(0) => thread::yield_now(),
            Ok(_) if !line.ends_with('\n') => {}
            Ok(_) if line.contains(wanted) => {
                let _ = found.send(());
                return;
            }
            Ok(_) => line.clear(),
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Referee {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the program to its end; returns what it says and the exit status.
pub fn program(folder: &Path, line: &str) -> (String, i32) {
    let output = Command::new(PROGRAM)
        .args(line.split(' '))
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect(PROGRAM);
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    (text, output.status.code().unwrap_or(-1))
}

/// The player's program beside the referee's. `cargo test --workspace` has built it already; where it
/// is missing or older than what it is made of, it is built now. None, and a word about it, where
/// there is no cargo.
pub fn epode() -> Option<PathBuf> {
    let path = Path::new(PROGRAM).with_file_name("epode");
    if is_fresh(&path) {
        return Some(path);
    }
    let folder = path.parent().expect("a folder");
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(profile) => profile,
    };
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "-p", "epode", "--profile", profile]);
    cargo.arg("--target-dir").arg(folder.with_file_name(""));
    match cargo.output() {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "epode cannot be built:\n{said}");
            Some(path)
        }
        Err(error) => {
            println!("not tested: epode is missing or old, and cargo does not start: {error}");
            None
        }
    }
}

/// Whether a program is newer than the files that it was made of, as cargo lists them beside it.
fn is_fresh(program: &Path) -> bool {
    let modified = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified());
    let (Ok(built), Ok(listed)) = (
        modified(program),
        fs::read_to_string(program.with_extension("d")),
    ) else {
        return false;
    };
    let Some((_, sources)) = listed.split_once(": ") else {
        return false;
    };
    // Blanks in paths are escaped.
    let sources = sources.replace("\\ ", "\0");
    let sources = sources
        .split_whitespace()
        .map(|path| PathBuf::from(path.replace('\0', " ")));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifests = ["", "client", "engine", "epd", "movegen"];
    let manifests = manifests.map(|package| root.join(package).join("Cargo.toml"));
    sources
        .chain(manifests)
        .chain([root.join("Cargo.lock")])
        .all(|path| modified(&path).is_ok_and(|modified| modified <= built))
}

/// Everything that can be read, as text.
pub fn read_all(mut from: impl Read) -> String {
    let mut bytes = Vec::new();
    // A connection that is reset has said what it has said.
    let _ = from.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}
