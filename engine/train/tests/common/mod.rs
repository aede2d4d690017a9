//! A folder to run the program in.

#![allow(dead_code, reason = "each test file uses a part")]

use std::fs;
use std::path::PathBuf;

use assert_cmd::assert::Assert;
use assert_cmd::cargo::cargo_bin_cmd;
use predicates::prelude::*;
use predicates::str::contains;
use tempfile::TempDir;

/// The exit statuses.
pub const FAULTY: i32 = 1;
pub const FAILED: i32 = 2;

/// The program in a temporary folder of its own.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(TempDir::new().expect("a folder"))
    }

    pub fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let folder = Self::new();
        folder.write(name, content);
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect(name);
    }

    /// The names of the files in the folder, hidden ones included.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<_> = names
            .map(|name| name.into_string().expect("UTF-8"))
            .collect();
        names.sort();
        names
    }

    /// Runs a command line, given without the name of the program.
    pub fn run(&self, line: &str) -> Assert {
        let mut command = cargo_bin_cmd!("epode-train");
        command.current_dir(self.0.path());
        command.args(line.split_whitespace());
        command.assert().stderr(contains("panicked").not())
    }
}

pub fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
}

pub fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).expect("UTF-8")
}
