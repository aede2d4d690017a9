//! The examples of the README and of the guide to the commands do what is printed there.
//!
//! The commands of all `console` blocks of a page run in order, in one folder with `suites` in it as in a
//! checkout, and tables in `syzygy`. A command must print the same words; numbers, moves and times may differ, and `...` stands
//! for any lines. `cat FILE` of a file that does not exist yet makes it from the lines shown.
//!
//! When the engine has changed, `EPODE_BLESS=1 cargo test --workspace --test end_to_end readme` writes the numbers and
//! moves that are printed now into the pages, except those of Stockfish. Review the differences: times, and the games of
//! `epode tune`, differ in each run.

use std::env;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

/// A command with what it prints.
struct Example {
    line: usize,
    command: String,
    output: Vec<String>,
}

/// The commands in the `console` blocks of a page.
fn examples(page: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for (i, line) in page.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            examples.push(Example {
                line: i + 1,
                command: command.to_owned(),
                output: Vec::new(),
            });
        } else if let (true, Some(example)) = (inside, examples.last_mut()) {
            example.output.push(line.to_owned());
        }
    }
    examples
}

/// The words of a line without those that have digits, as times, counts and moves do.
fn words(line: &str) -> Vec<&str> {
    let words = line.split_whitespace();
    words
        .filter(|word| !word.contains(|c: char| c.is_ascii_digit() || "█▉▊▋▌▍▎▏".contains(c)))
        .collect()
}

/// A program named `stockfish`, since not every machine has it: Epode under that name.
fn install_stockfish(folder: &Path) {
    let script = "#!/bin/sh\nepode uci | sed -u 's/^id name .*/id name Stockfish 15.1/'\n";
    fs::create_dir(folder).expect("a new folder");
    let path = folder.join("stockfish");
    fs::write(&path, script).expect("written");
    fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("executable");
}

/// Links a folder of the repository.
fn link(root: &Path, from: &str, to: &Path) {
    let from = root.join(from).canonicalize().expect("there");
    symlink(from, to).expect("a link");
}

/// Makes the file that `cat` shows, if there is none.
fn make_shown_file(folder: &Path, example: &Example) {
    let Some(name) = example.command.strip_prefix("cat ") else {
        return;
    };
    let path = folder.join(name);
    if !path.exists() {
        let text = example.output.join("\n") + "\n";
        fs::write(path, text).expect("written");
    }
}

/// The lines that a page shows, each as it is printed now; `...` stays. An error tells what differs.
fn matched(shown: &[String], printed: &str) -> Result<Vec<String>, String> {
    let mut lines = printed.lines();
    let mut skips = false;
    let mut now = Vec::new();
    for expected in shown {
        if expected == "..." {
            skips = true;
            now.push(expected.clone());
            continue;
        }
        let is_expected = |line: &&str| words(line) == words(expected);
        let found = if skips {
            lines.find(is_expected)
        } else {
            lines.next().filter(is_expected)
        };
        skips = false;
        now.push(
            found
                .ok_or_else(|| format!("expected: {expected}"))?
                .trim_end()
                .to_owned(),
        );
    }
    match lines.next() {
        Some(rest) if !skips => Err(format!("prints more: {rest:?}")),
        _ => Ok(now),
    }
}

fn check(page: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = fs::read_to_string(root.join(page)).expect(page);
    let folder = tempfile::tempdir().expect("a folder");
    link(&root, "suites", &folder.path().join("suites"));
    link(
        &root,
        "movegen/syzygy/tables",
        &folder.path().join("syzygy"),
    );
    let program = Path::new(env!("CARGO_BIN_EXE_epode"));
    let mut path = program.parent().expect("a folder").as_os_str().to_owned();
    path.push(":");
    path.push(folder.path().join("bin"));
    path.push(":");
    path.push(env::var_os("PATH").unwrap_or_default());
    install_stockfish(&folder.path().join("bin"));
    let mut page_lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut run = 0;
    for example in examples(&text) {
        let program = example.command.split(' ').next();
        if program == Some("epode-referee") {
            println!("{page}:{}: tested with the referee", example.line);
            continue;
        }
        make_shown_file(folder.path(), &example);
        let output = Command::new("sh")
            .args(["-c", &format!("{{ {}\n}} 2>&1", example.command)])
            .current_dir(folder.path())
            .env("PATH", &path)
            .output()
            .expect("a shell");
        let printed = String::from_utf8_lossy(&output.stdout);
        match matched(&example.output, &printed) {
            Ok(lines) if !example.command.contains("stockfish") => {
                // Lines count from 1, and the output begins after the command.
                page_lines.splice(example.line..example.line + lines.len(), lines);
            }
            Ok(_) => (),
            Err(problem) => panic!(
                "{page}:{}: $ {}\n{problem}\nprinted:\n{printed}",
                example.line, example.command
            ),
        }
        run += 1;
    }
    assert!(run >= 4, "{page} has {run} examples");
    if env::var_os("EPODE_BLESS").is_some() {
        fs::write(root.join(page), page_lines.join("\n") + "\n").expect(page);
    }
}

#[test]
fn examples_of_the_readme() {
    check("README.md");
}

#[test]
fn examples_of_the_guide() {
    check("client/README.md");
}

#[test]
fn examples_of_the_guide_to_positions() {
    check("client/guide/positions.md");
}

#[test]
fn examples_of_the_guide_to_diagrams() {
    check("client/guide/diagrams.md");
}

#[test]
fn examples_of_the_guide_to_tuning() {
    check("client/guide/tune.md");
}

#[test]
fn examples_of_the_guide_to_uci() {
    check("client/guide/uci.md");
}

#[test]
fn examples_of_the_guide_to_books() {
    check("client/guide/book.md");
}

#[test]
fn examples_of_the_guide_to_converting() {
    check("client/guide/convert.md");
}
