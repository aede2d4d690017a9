//! Completion scripts and man pages.

use std::fs;

use crate::common::program;
use tempfile::TempDir;

const COMMANDS: [&str; 9] = [
    "run",
    "resume",
    "check",
    "init",
    "control",
    "watch",
    "demo",
    "completions",
    "man",
];

#[test]
fn each_shell_gets_a_script_with_every_command() {
    let folder = TempDir::new().expect("a folder");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (script, status) = program(folder.path(), &format!("completions {shell}"));
        assert_eq!(status, 0, "{script}");
        for word in COMMANDS.into_iter().chain(["password-file"]) {
            assert!(script.contains(word), "no {word} for {shell}");
        }
    }
    let (said, status) = program(folder.path(), "completions tcsh");
    assert_eq!(status, 2, "{said}");
    assert!(said.contains("possible values: bash,"), "{said}");
}

#[test]
fn every_command_has_a_man_page() {
    let folder = TempDir::new().expect("a folder");
    let (said, status) = program(folder.path(), "man share/man1");
    assert_eq!((said.as_str(), status), ("", 0));
    let pages = COMMANDS.map(|command| format!("epode-referee-{command}"));
    for page in pages.iter().map(String::as_str).chain(["epode-referee"]) {
        let path = folder.path().join(format!("share/man1/{page}.1"));
        let text = fs::read_to_string(&path).expect(page);
        for part in [
            format!(".TH {page} 1"),
            ".SH NAME".into(),
            ".SH SYNOPSIS".into(),
        ] {
            assert!(text.contains(&part), "no {part} in {page}");
        }
    }
    fs::write(folder.path().join("file"), "").expect("written");
    let (said, status) = program(folder.path(), "man file");
    assert_eq!(status, 2, "{said}");
    assert!(
        said.starts_with("epode-referee: cannot write man pages into file: "),
        "{said}"
    );
}
