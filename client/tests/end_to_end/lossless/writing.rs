//! Outputs that cannot be written: full disks, broken pipes, the input itself.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{self, Stdio};

use super::{MIXED, PAWN, VERBS, check_lines};
use crate::common::{ALL_WELL, FAILED, Folder, stderr, stdout};
use assert_cmd::cargo::cargo_bin;
use predicates::str::ends_with;

/// The program with a file for its standard output.
fn redirected(folder: &Folder, line: &str, output: File) -> (Option<i32>, String) {
    let mut command = process::Command::new(cargo_bin!("epode"));
    command.args(line.split(' ')).current_dir(folder.path(""));
    command.stdin(Stdio::null()).stdout(output);
    let output = command.output().expect("it starts");
    let told = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(!told.contains("panicked"), "{told}");
    (output.status.code(), told)
}

fn append_to(path: &Path) -> File {
    File::options().append(true).open(path).expect("writable")
}

/// A file that the shell appends to is neither read while it grows nor replaced.
#[cfg(unix)]
#[test]
fn standard_output_that_is_a_file() {
    let folder = Folder::with("x.epd", MIXED);
    let path = folder.path("x.epd");
    for verb in ["pfdn x.epd", "pfga --nodes 20 x.epd -"] {
        let (code, told) = redirected(&folder, verb, append_to(&path));
        assert_eq!(
            told,
            "epode: x.epd is both the input and standard output, name another OUT\n"
        );
        assert_eq!(code, Some(FAILED));
        assert_eq!(folder.read("x.epd"), MIXED);
    }
    fs::write(folder.path("all.epd"), "before\n").expect("written");
    let output = append_to(&folder.path("all.epd"));
    redirected(&folder, "pfdn x.epd /dev/stdout", output);
    let all = folder.read("all.epd");
    let written = all.strip_prefix("before\n").expect("it is still there");
    check_lines(MIXED.as_bytes(), written.as_bytes(), "pfdn");
}

/// On a full disk the message names the file that cannot be written.
#[cfg(target_os = "linux")]
#[test]
fn full_disks() {
    let folder = Folder::with("x.epd", format!("{PAWN} bm Kc1; D1 7; pm Kb2;\n"));
    let no_space = "No space left on device (os error 28)";
    for verb in VERBS {
        let assert = folder.run(&format!("{verb} x.epd /dev/full")).code(FAILED);
        let told = stderr(&assert);
        let last = told.lines().last().expect("a message");
        assert_eq!(last, format!("epode: cannot write /dev/full: {no_space}"));
    }
    for line in [
        "pfdn x.epd",
        "pfdn --check x.epd",
        "pfga --nodes 20 x.epd -",
        "validate x.epd",
        "validate --format json x.epd",
        "validate --format sarif x.epd",
        "report x.epd",
        "perft 1",
        "perft --divide 1",
        "bench --depth 1",
        "uci",
    ] {
        let full = File::options().write(true).open("/dev/full");
        let (code, told) = redirected(&folder, line, full.expect("Linux"));
        if line == "uci" {
            // Without a question there is no answer.
            assert_eq!(code, Some(ALL_WELL), "{told}");
            continue;
        }
        let last = told.lines().last().expect("a message");
        assert_eq!(
            last,
            format!("epode: cannot write standard output: {no_space}"),
            "{line}"
        );
        assert_eq!(code, Some(FAILED), "{line}");
    }
    let assert = folder.run("report x.epd -o /dev/full").code(FAILED);
    assert.stderr(ends_with(format!(
        "epode: cannot write /dev/full: {no_space}\n"
    )));
    assert_eq!(folder.names(), ["x.epd"]);
}

/// Closing standard output or standard error early does no harm.
#[test]
fn broken_pipes() {
    let folder = Folder::with("x.epd", format!("{PAWN}  noop;\n").repeat(20_000));
    let mut child = folder.start("pfdn x.epd");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    output.read_line(&mut line).expect("a line");
    drop(output);
    assert_eq!(line, format!("{PAWN} noop;\n"));
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(ALL_WELL));
    assert!(output.stderr.is_empty());
    // The file is written although nobody reads the 20,000 messages.
    let mut child = folder.start("pfdr x.epd out.epd");
    drop(child.stderr.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(ALL_WELL));
    assert_eq!(folder.read("out.epd").lines().count(), 20_000);
}

/// A pipe that is given as OUT is not standard output: an incomplete output is an error.
#[cfg(unix)]
#[test]
fn a_broken_pipe_as_out_is_an_error() {
    let folder = Folder::with("x.epd", format!("{PAWN} bm Kb2; pm Kb2;\n").repeat(20_000));
    let pipe = folder.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    for line in ["pfdn x.epd pipe", "report x.epd --format csv -o pipe"] {
        let child = folder.start(line);
        drop(fs::File::open(&pipe).expect("it is opened for writing"));
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(FAILED), "{line}");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.starts_with("epode: cannot write pipe: "), "{told}");
    }
}

#[test]
fn a_report_of_an_unknown_kind_is_refused() {
    let folder = Folder::with("x.epd", format!("{PAWN} bm Kb2; pm Kb2;\n"));
    for name in ["x.pdf", "x.html.gz"] {
        let assert = folder.run(&format!("report x.epd -o {name}")).code(FAILED);
        assert.stderr(format!(
            "epode: {name}: unknown extension, expected .txt, .md, .markdown, .csv, .json, .html, \
             .htm or .svg, or --format\n"
        ));
    }
    assert_eq!(folder.names(), ["x.epd"]);
    folder
        .run("report x.epd -o x.pdf --format html")
        .code(ALL_WELL);
    folder.run("report x.epd -o x.txt").code(ALL_WELL);
    assert!(folder.read("x.txt").contains("\nSolved\n"));
    assert!(stdout(&folder.run("report x.epd")) == folder.read("x.txt"));
}
