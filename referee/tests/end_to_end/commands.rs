//! Commands that only print something.

use std::fs;
use std::process::Command;

use crate::common::{PROGRAM, event, program};
use tempfile::TempDir;

/// A result that cannot be written is an error.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_noticed() {
    let folder = TempDir::new().expect("a folder");
    let (text, _) = program(folder.path(), "init");
    fs::write(folder.path().join("cup.toml"), text).expect("written");
    for arguments in ["init", "check cup.toml", "token Ann", "token --observer"] {
        let full = fs::File::options().write(true).open("/dev/full");
        let output = Command::new(PROGRAM)
            .args(arguments.split(' '))
            .current_dir(folder.path())
            .stdout(full.expect("it"))
            .output()
            .expect(PROGRAM);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(
            message.contains("cannot write standard output"),
            "{message}"
        );
    }
}

/// `token --observer` prints what the event file of two referees needs.
#[test]
fn an_observer_gets_a_token() {
    let folder = TempDir::new().expect("a folder");
    let (said, status) = program(folder.path(), "token --observer");
    assert_eq!(status, 0, "{said}");
    let line = said.lines().find(|line| line.starts_with("observer = "));
    let text = event("", "", &["Ann", "Bob"]);
    let text = format!("{}\n{text}", line.expect("a line"));
    let config = referee::config::Config::read(&text).expect(&text);
    assert!(config.observer.is_some());
}

/// A word that is no order is called that, and the orders are listed. After an order, it is an argument too many.
#[test]
fn unknown_orders_are_refused() {
    let folder = TempDir::new().expect("a folder");
    let (said, status) = program(folder.path(), "control cup stop");
    assert_eq!(status, 2, "{said}");
    assert!(
        said.contains("there is no order 'stop'; the orders are status, games, "),
        "{said}"
    );
    for (command, word) in [
        ("control cup status now", "now"),
        ("control cup --now", "--now"),
    ] {
        let (said, status) = program(folder.path(), command);
        let expected = format!("unexpected argument '{word}' found");
        assert!(status == 2 && said.contains(&expected), "{said}");
    }
}
