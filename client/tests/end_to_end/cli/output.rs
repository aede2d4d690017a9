//! Where the output goes: streams, files, pipes, devices and links.

use std::fs;
use std::process::Stdio;

use super::{bare, check_analysed};
use crate::common::records::{MATE_IN_ONE, SUITE, record, records};
use crate::common::{ALL_WELL, FAILED, Folder, calm, run, stdout};
use assert_cmd::cargo::cargo_bin;
use predicates::str::{is_empty, starts_with};

/// Files and streams give the same result, for input and output.
#[test]
fn streams_are_files() {
    let folder = Folder::with("in.epd", SUITE);
    let expected = stdout(&folder.run("pfts in.epd --depth 2").code(ALL_WELL));
    assert_eq!(records(&expected).len(), 24);

    for line in [
        "pfts - --depth 2",
        "pfts - - --depth 2",
        "pfts --depth 2 - -",
    ] {
        let assert = run(line, SUITE).code(ALL_WELL);
        assert_eq!(stdout(&assert), expected, "{line}");
    }
    let assert = folder.run("pfts in.epd out.epd --depth 2").code(ALL_WELL);
    assert.stdout(is_empty());
    assert_eq!(folder.read("out.epd"), expected);
    let mut command = folder.command("pfts --depth 2 - other.epd");
    calm(command.write_stdin(SUITE).assert()).code(ALL_WELL);
    assert_eq!(folder.read("other.epd"), expected);
    assert_eq!(
        folder.names(),
        [
            "in.epd",
            "other.epd",
            "other.epd.run.json",
            "out.epd",
            "out.epd.run.json"
        ]
    );

    // Also the same file, which is replaced after it has been read.
    folder.run("pfts in.epd in.epd --depth 2").code(ALL_WELL);
    assert_eq!(folder.read("in.epd"), expected);
}

/// A file is written whole or not at all, and nothing else is left behind.
#[test]
fn a_file_that_cannot_be_finished_is_not_touched() {
    let folder = Folder::with("in.epd", format!("{MATE_IN_ONE} noop;\nnonsense\n"));
    fs::write(folder.path("out.epd"), "as it was\n").expect("written");
    let unchanged = || {
        assert_eq!(folder.names(), ["in.epd", "out.epd"]);
        assert_eq!(folder.read("out.epd"), "as it was\n");
    };
    for (line, message) in [
        (
            "pfts in.epd out.epd --depth 1 --strict",
            "in.epd:2:9: the active colour is missing\nepode: stopped at line 2 of in.epd\n",
        ),
        (
            "pfts in.epd none.epd --depth 1 --strict",
            "in.epd:2:9: the active colour is missing\nepode: stopped at line 2 of in.epd\n",
        ),
        (
            "pfts none.epd out.epd --depth 1",
            "epode: cannot open none.epd: ",
        ),
        ("pfts . out.epd --depth 1", "epode: cannot "),
        (
            "pfts in.epd none/out.epd --depth 1",
            "epode: cannot write none/out.epd: ",
        ),
        (
            "pfts in.epd out.epd/out.epd --depth 1",
            "epode: cannot write out.epd/out.epd: ",
        ),
        ("pfts in.epd out.epd", "error: "),
        ("pfts in.epd out.epd --depth 0", "error: "),
        ("pfts in.epd out.epd --time 0s", "error: "),
    ] {
        let assert = folder.run(line).code(FAILED);
        assert.stdout(is_empty()).stderr(starts_with(message));
        unchanged();
    }
    // Without --strict, lines that are not records are copied.
    folder.run("pfts in.epd out.epd --depth 1").code(FAILED);
    assert_eq!(folder.names(), ["in.epd", "out.epd", "out.epd.run.json"]);
    let written = folder.read("out.epd");
    let (first, rest) = written.split_once('\n').expect("lines");
    assert_eq!(rest, "nonsense\n");
    check_analysed(&record(first));
    assert_eq!(
        bare(&record(first)),
        record(&format!("{MATE_IN_ONE} noop;"))
    );
}

/// A reader that closes standard output early is not a failure and gets no message.
#[test]
fn a_closed_pipe_is_quiet_success() {
    let folder = Folder::with("in.epd", SUITE);
    for line in [
        "pfts in.epd --depth 1",
        "pfts in.epd --depth 1 --jobs 3",
        "perft 2",
        "perft 2 --divide",
        "bench --depth 1",
        "query --count legal in.epd",
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = std::process::Command::new(cargo_bin!("epode"));
        command.args(line.split(' ')).current_dir(folder.path(""));
        command.env("RUST_BACKTRACE", "1");
        command.stdin(Stdio::null()).stdout(writer);
        let output = command.output().expect("it runs");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{line:?}");
        assert_eq!(output.status.code(), Some(ALL_WELL), "{line:?}");
    }
}

/// A full disk is an error with a message.
#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_a_failure() {
    let folder = Folder::with("in.epd", SUITE);
    for line in ["perft 2", "query --count legal in.epd"] {
        let full = fs::File::options().write(true).open("/dev/full");
        let mut command = std::process::Command::new(cargo_bin!("epode"));
        command.args(line.split(' ')).current_dir(folder.path(""));
        command.stdin(Stdio::null()).stdout(full.expect("a device"));
        let output = command.output().expect("it runs");
        let message = "epode: cannot write standard output: No space left on device";
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(message), "{line}: {told}");
        assert_eq!(output.status.code(), Some(FAILED), "{line:?}");
    }
}

/// Devices, pipes and folders are written or refused, never replaced.
#[cfg(unix)]
#[test]
fn other_things_than_files_stay_what_they_are() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    let folder = Folder::with("in.epd", "8/8/8/8/8/k7/8/K7 w - -\n");
    folder
        .run("pfts in.epd . --depth 1")
        .code(FAILED)
        .stderr("epode: cannot write .: Is a directory (os error 21)\n");
    let missing = "epode: cannot write no/out.epd: No such file or directory (os error 2)\n";
    folder
        .run("pfts in.epd no/out.epd --depth 1")
        .code(FAILED)
        .stderr(missing);

    folder.run("pfts in.epd /dev/null --depth 1").code(ALL_WELL);
    let device = fs::metadata("/dev/null").expect("a device");
    assert!(device.file_type().is_char_device());

    // The file behind a link is replaced, and keeps its permissions.
    fs::write(folder.path("real.epd"), "old\n").expect("written");
    fs::set_permissions(folder.path("real.epd"), fs::Permissions::from_mode(0o600)).expect("set");
    symlink("real.epd", folder.path("link.epd")).expect("linked");
    folder.run("pfts in.epd link.epd --depth 1").code(ALL_WELL);
    assert!(folder.path("link.epd").is_symlink());
    assert_eq!(records(&folder.read("real.epd")).len(), 1);
    let mode = fs::metadata(folder.path("real.epd"))
        .expect("there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}
