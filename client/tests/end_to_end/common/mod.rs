//! Shared by the tests of the program: a folder to run it in, its output, and test data.

pub mod engine;
pub mod event;
pub mod records;
pub mod referee;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Stdio};

use ::engine::Net;
use ::engine::layout::{BUCKETS, HIDDEN, ROWS};
use assert_cmd::Command;
use assert_cmd::assert::Assert;
use assert_cmd::cargo::{cargo_bin, cargo_bin_cmd};
use predicates::prelude::*;
use predicates::str::contains;
use tempfile::TempDir;

/// The exit statuses.
pub const ALL_WELL: i32 = 0;
pub const FAULTY: i32 = 1;
pub const FAILED: i32 = 2;

/// A temporary folder to run the program in.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(TempDir::new().expect("a folder"))
    }

    pub fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let folder = Self::new();
        fs::write(folder.path(name), content).expect("written");
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect(name)
    }

    /// The names in the folder, including hidden files.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<_> = names
            .map(|name| name.into_string().expect("UTF-8"))
            .collect();
        names.sort();
        names
    }

    /// A command line without the program's name.
    pub fn command(&self, line: &str) -> Command {
        let mut command = cargo_bin_cmd!("epode");
        command.env("RUST_BACKTRACE", "1");
        command.current_dir(self.0.path());
        command.args(line.split(' '));
        command
    }

    pub fn run(&self, line: &str) -> Assert {
        calm(self.command(line).assert())
    }

    /// Starts the program with pipes for its streams, and does not wait for it.
    pub fn start(&self, line: &str) -> Child {
        let mut command = process::Command::new(cargo_bin!("epode"));
        command.args(line.split(' ')).current_dir(self.0.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::piped()).spawn().expect("it starts")
    }
}

/// Ctrl-C.
#[cfg(unix)]
pub fn interrupt(child: &Child) {
    let id = child.id().to_string();
    let done = process::Command::new("kill").args(["-INT", &id]).status();
    assert!(done.expect("there is kill").success());
}

/// The program with an input, and without files.
pub fn run(line: &str, input: impl Into<Vec<u8>>) -> Assert {
    calm(Folder::new().command(line).write_stdin(input).assert())
}

/// Checks that the program did not panic.
pub fn calm(assert: Assert) -> Assert {
    assert.stderr(contains("panicked").or(contains("RUST_BACKTRACE")).not())
}

pub fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
}

pub fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).expect("UTF-8")
}

/// A file of the material outside the repository; none, with a printed note, if it is absent.
pub fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let path = path.join(name);
    if !path.exists() {
        println!("not tested: ../shared/{name} is not there");
        return None;
    }
    Some(path)
}

/// The command that starts Stockfish; none, with a printed note, if it is not installed.
pub fn stockfish() -> Option<&'static str> {
    let starts = |command: &&str| process::Command::new(command).arg("quit").output().is_ok();
    let found = ["/usr/games/stockfish", "stockfish"]
        .into_iter()
        .find(starts);
    if found.is_none() {
        println!("not tested: there is no Stockfish");
    }
    found
}

/// A network whose outputs are constant: the given bias.
pub fn network(bias: i32) -> Vec<u8> {
    let rows = vec![[0; HIDDEN]; ROWS];
    let rows = rows[..].try_into().expect("all rows");
    let net = Net::from_rows(rows, [bias; BUCKETS]).expect("weights in range");
    net.to_bytes()
}

/// The EPD files of the material outside the repository, if it is there, and of the repository.
pub fn suites() -> Vec<PathBuf> {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../suites");
    let mut files = Vec::new();
    for folder in [Some(ours), shared("suites")].into_iter().flatten() {
        let entries = fs::read_dir(folder).expect("a folder");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        files.extend(paths.filter(|path| path.extension().is_some_and(|end| end == "epd")));
    }
    files.sort();
    assert!(files.len() >= 2);
    files
}
