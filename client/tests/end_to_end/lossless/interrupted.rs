//! A signal ends the program: OUT is as it was, and nothing else is left.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;

use super::PAWN;
use crate::common::{ALL_WELL, FAILED, Folder};
use predicates::str::contains;

fn signal(id: u32, name: &str) {
    let id = id.to_string();
    let done = Command::new("kill").args([name, &id]).status();
    assert!(done.expect("there is kill").success());
}

#[test]
fn temporary_files_are_removed() {
    for line in [
        "pfdn - out.epd",
        "convert - out.epd.gz",
        "unique - out.epd",
        "query pieces=3 - out.epd",
        "split - . --by id",
    ] {
        let folder = Folder::with("out.epd", "as it was\n");
        let mut child = folder.start(line);
        let mut input = child.stdin.take().expect("piped");
        writeln!(input, "{PAWN} id \"a\";\nnonsense").expect("written");
        // Once a line is reported, there is a temporary file.
        let mut told = BufReader::new(child.stderr.take().expect("piped")).lines();
        let message = told.next().expect("a message").expect("readable");
        assert!(message.starts_with("-:2:"), "{message}");
        signal(child.id(), "-TERM");
        let status = child.wait().expect("it ends");
        assert_eq!(status.signal(), Some(15), "{line}: {status}");
        assert_eq!(folder.names(), ["out.epd"], "{line}");
        assert_eq!(folder.read("out.epd"), "as it was\n");
    }
}

/// As started by `nohup`, or in the background of a script.
#[test]
fn ignored_signals_stay_ignored() {
    let folder = Folder::new();
    let program = cargo_bin!("epode");
    let script = format!("trap '' HUP INT; exec {} pfdn - out.epd", program.display());
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(folder.path("."));
    command.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("a shell");
    let mut input = child.stdin.take().expect("piped");
    writeln!(input, "nonsense").expect("written");
    let mut told = BufReader::new(child.stderr.take().expect("piped")).lines();
    told.next().expect("a message").expect("readable");
    signal(child.id(), "-HUP");
    signal(child.id(), "-INT");
    writeln!(input, "{PAWN}").expect("it still reads");
    drop(input);
    assert_eq!(child.wait().expect("it ends").code(), Some(FAILED));
    assert_eq!(folder.read("out.epd"), format!("nonsense\n{PAWN}\n"));
}

/// What an interrupted run of `mine` has found is not replaced unasked.
#[test]
fn mine_keeps_an_unfinished_run() {
    let folder = Folder::with("in.epd", format!("{PAWN}\n"));
    fs::write(folder.path("out.epd.part"), "found\n").expect("written");
    let line = "mine in.epd out.epd --nodes 100";
    folder.run(line).code(FAILED).stderr(contains(
        "out.epd.part belongs to an unfinished run: rename it to keep it, or --force replaces it",
    ));
    assert_eq!(folder.read("out.epd.part"), "found\n");
    folder.run(&format!("{line} --force")).code(ALL_WELL);
    assert_eq!(folder.names(), ["in.epd", "out.epd"]);
}
