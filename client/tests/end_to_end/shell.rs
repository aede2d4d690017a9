//! Completion scripts and man pages.

use std::fs;
use std::process::Command;

use crate::common::{ALL_WELL, FAILED, Folder, run, stdout};
use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};

/// The commands that the help lists.
fn verbs() -> Vec<String> {
    let help = stdout(&run("--help", "").code(ALL_WELL));
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    // Long descriptions continue in lines with a deeper indent.
    let names = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names = names.filter(|name| !name.is_empty());
    let names: Vec<_> = names
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect();
    assert!(names.iter().any(|name| name == "pfts"), "{help}");
    names
}

#[test]
fn each_shell_gets_a_script_with_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&format!("completions {shell}"), "").code(ALL_WELL);
        let script = stdout(&script.stderr(is_empty()));
        for word in verbs().iter().map(String::as_str).chain(["multipv"]) {
            assert!(script.contains(word), "no {word} for {shell}");
        }
    }
    run("completions tcsh", "").code(FAILED).stderr(contains(
        "possible values: bash, elvish, fish, powershell, zsh",
    ));
}

/// Bash completes a command and an option with the script.
#[test]
fn bash_completes() {
    let folder = Folder::new();
    let script = stdout(&folder.run("completions bash"));
    fs::write(folder.path("script"), script).expect("written");
    let complete = |words: &str, typed: &str, before: &str| {
        let test = format!(
            "source ./script && COMP_WORDS=({words} {typed}) && COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)) \
             && _epode epode {typed} {before} && echo ${{COMPREPLY[@]}}"
        );
        let mut bash = Command::new("bash");
        bash.args(["--norc", "-c", &test])
            .current_dir(folder.path(""));
        let output = bash.output().ok()?;
        assert!(output.status.success(), "{output:?}");
        Some(
            String::from_utf8(output.stdout)
                .expect("UTF-8")
                .trim()
                .to_owned(),
        )
    };
    let Some(completed) = complete("epode", "valid", "epode") else {
        println!("not tested: no bash");
        return;
    };
    assert_eq!(completed, "validate");
    assert_eq!(
        complete("epode pfga", "--multi", "pfga").as_deref(),
        Some("--multipv")
    );
}

/// Each page has a title, a name and a synopsis.
#[test]
fn every_command_has_a_man_page() {
    let folder = Folder::new();
    folder
        .run("man share/man1")
        .code(ALL_WELL)
        .stdout(is_empty())
        .stderr(is_empty());
    let pages = verbs().into_iter().map(|verb| format!("epode-{verb}"));
    for page in pages.chain(["epode".to_owned()]) {
        let text = folder.read(&format!("share/man1/{page}.1"));
        for part in [
            format!(".TH {page} 1"),
            ".SH NAME".into(),
            ".SH SYNOPSIS".into(),
        ] {
            assert!(text.contains(&part), "no {part} in {page}");
        }
    }
    // The text after the options is included.
    assert!(folder.read("share/man1/epode-pfts.1").contains("Examples:"));
    // The folder may exist already.
    folder.run("man share/man1").code(ALL_WELL);
}

#[test]
fn pages_that_cannot_be_written_are_an_error() {
    let folder = Folder::with("file", "");
    let message = starts_with("epode: cannot write man pages into file: ");
    folder
        .run("man file")
        .code(FAILED)
        .stderr(message.and(contains("\n").count(1)));
}
