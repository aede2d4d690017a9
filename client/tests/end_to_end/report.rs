//! `epode report` as a user runs it: formats, exit status, and numbers compared with those of an
//! independent script.

mod formats;
mod messages;
mod names;
mod numbers;
mod size;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{Folder, stdout};
use serde_json::Value;

/// The results of searches of 400 ms and of 15 ms. Of seven targets the first solved six and was
/// given up in one, the second solved four; in the first a record lacks its id and another has no
/// target.
const OURS: &str = include_str!("../report/ours.epd");

const THEIRS: &str = include_str!("../report/theirs.epd");

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/report")
        .join(name)
}

/// A folder with both files.
fn folder() -> Folder {
    let folder = Folder::with("ours.epd", OURS);
    fs::write(folder.path("theirs.epd"), THEIRS).expect("written");
    folder
}

/// Runs a Python script; prints a note if there is no Python.
fn python(arguments: &[PathBuf]) -> Option<String> {
    let child = Command::new("python3")
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn();
    let Ok(child) = child else {
        eprintln!("not tested: there is no python3");
        return None;
    };
    let output = child.wait_with_output().expect("ended");
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

fn report(folder: &Folder, files: &str) -> Value {
    let assert = folder
        .run(&format!("report {files} -o report.json"))
        .success();
    assert_eq!(stdout(&assert), "");
    serde_json::from_str(&folder.read("report.json")).expect("JSON")
}
