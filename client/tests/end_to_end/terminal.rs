//! Output on a terminal, which `script` of util-linux provides. Without `script` the tests print a
//! note and pass.
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use crate::common::records::{
    CHECKMATE, ILLEGAL, ILLEGAL_BECAUSE, MATE_IN_ONE, MATE_IN_TWO, START, SUITE,
};
use crate::common::{ALL_WELL, FAILED, FAULTY, Folder};
use assert_cmd::cargo::cargo_bin;

/// The state of a terminal after a command.
struct Terminal {
    status: i32,
    /// All bytes that were sent to it.
    sent: String,
    /// The visible lines at the end.
    seen: Vec<String>,
}

/// A command that runs a command line of the program on a terminal with 80 columns; none if that is
/// impossible.
fn command(folder: &Folder, line: &str) -> Option<Command> {
    let version = Command::new("script").arg("--version").output();
    if !version.is_ok_and(|version| String::from_utf8_lossy(&version.stdout).contains("util-linux"))
    {
        println!("not tested: there is no script of util-linux");
        return None;
    }
    let line = format!(
        "stty cols 80 rows 50; exec '{}' {line}",
        cargo_bin!("epode").display()
    );
    let mut command = Command::new("script");
    command
        .args(["-qec", &line, "/dev/null"])
        .current_dir(folder.path(""))
        .env_remove("NO_COLOR")
        .envs([("TERM", "xterm"), ("SHELL", "/bin/sh")]);
    Some(command)
}

/// Runs a command line of the program on a terminal; none if that is impossible.
fn run(folder: &Folder, line: &str, environment: &[(&str, &str)]) -> Option<Terminal> {
    let mut command = command(folder, line)?;
    command
        .envs(environment.iter().copied())
        .stdin(Stdio::null());
    let output = command.output().expect("it runs");
    Some(Terminal {
        status: output.status.code().expect("a status"),
        sent: String::from_utf8_lossy(&output.stdout).into_owned(),
        seen: seen(&output.stdout),
    })
}

/// The lines that a terminal shows at the end.
fn seen(sent: &[u8]) -> Vec<String> {
    let mut screen = vt100::Parser::new(50, 80, 0);
    screen.process(sent);
    let contents = screen.screen().contents();
    let lines = contents.lines().map(|line| line.trim_end().to_owned());
    lines.collect()
}

fn folder() -> Folder {
    let records = [
        format!("{MATE_IN_ONE} bm Rd8#; id \"Mate.1\";"),
        format!("{MATE_IN_TWO} bm h3; id \"STS(v10.0) Simplification.001\";"),
        format!("{START} am e4; bm h4;"),
        format!("{ILLEGAL} id \"wrong\";"),
        format!("{CHECKMATE} id \"over\";"),
        format!("{START} id \"no target\";"),
    ];
    Folder::with("in.epd", records.join("\n"))
}

/// The beginning and end of each line after the progress bar was cleared.
fn check(terminal: &Terminal, expected: &[(&str, &str)]) {
    assert!(terminal.sent.contains(" to go: "), "there was no bar");
    let seen = &terminal.seen;
    assert_eq!(seen.len(), expected.len(), "{seen:#?}");
    for (line, (begin, end)) in seen.iter().zip(expected) {
        assert!(
            line.starts_with(begin),
            "{line:?} does not begin with {begin:?}"
        );
        assert!(line.ends_with(end), "{line:?} does not end with {end:?}");
    }
}

#[test]
fn pfts_prints_a_line_a_position() {
    let folder = folder();
    let Some(terminal) = run(&folder, "pfts in.epd --depth 5", &[]) else {
        return;
    };
    assert_eq!(terminal.status, FAULTY);
    check(
        &terminal,
        &[
            (
                "   #  id                result   move       score  depth      time  expected",
                "",
            ),
            ("   1  Mate.1            solved   Rd8#          #1 ", " s"),
            (
                "   2  STS(v10.…ion.001  missed   Re8+          #2 ",
                " s  h3",
            ),
            ("   3                    missed   ", " s  h4, not e4"),
            (&format!("in.epd:4:23: {ILLEGAL_BECAUSE}"), ""),
            ("   4  wrong             illegal position", ""),
            (
                "   5  over                       -          mated           0.00 s",
                "",
            ),
            ("   6  no target                  ", " s"),
            (
                "1 solved, 2 missed, 2 without target; ",
                "; 1 illegal position copied",
            ),
        ],
    );
    // The bar is shown until the end, and must be cleared.
    assert!(terminal.sent.contains("6/6"));
}

#[test]
fn pfga_and_pfms_print_a_line_a_position() {
    let folder = folder();
    let Some(terminal) = run(&folder, "pfga in.epd --depth 5", &[]) else {
        return;
    };
    let seen = &terminal.seen;
    assert_eq!(
        seen[0],
        "   #  id                move       score  depth      time  line"
    );
    assert!(seen[1].starts_with("   1  Mate.1            Rd8#          #1 "));
    assert!(seen[2].ends_with(" s  Re8+ Rxe8 Rxe8#"), "{}", seen[2]);
    assert!(seen[8].starts_with("5 analysed; "), "{seen:#?}");

    let line = "pfms --moves 2 --nodes 20 in.epd --jobs 2";
    let terminal = run(&folder, line, &[]).expect("a terminal");
    let seen = &terminal.seen;
    for (number, mark) in [(1, "mate"), (3, "open")] {
        let line = seen
            .iter()
            .find(|line| line.starts_with(&format!("   {number}  ")));
        let line = line.expect("a line");
        assert_eq!(&line[24..28], mark, "{seen:#?}");
    }
    assert!(
        seen.iter().any(|line| line.contains("  no mate  ")),
        "{seen:#?}"
    );
}

/// `-` is standard output for records, also on a terminal, and the bar does not overlap them.
#[test]
fn records_go_to_a_terminal_on_request() {
    let folder = folder();
    let expected = folder.run("pfga in.epd --depth 2").code(FAULTY);
    let expected = crate::common::stdout(&expected);
    let Some(terminal) = run(&folder, "pfga in.epd - --depth 2", &[]) else {
        return;
    };
    assert!(terminal.sent.contains(" to go: "), "there was no bar");
    for line in expected.lines() {
        assert!(terminal.seen.iter().any(|seen| seen == line), "{line}");
    }

    let file = run(&folder, "pfga in.epd out.epd --depth 2", &[]).expect("a terminal");
    assert_eq!(folder.read("out.epd"), expected);
    assert!(file.sent.contains(" to go: "), "there was no bar");
    let seen = &file.seen;
    assert_eq!(seen.len(), 2, "{seen:#?}");
    assert!(seen[0].starts_with("in.epd:4:23: ") && seen[1].starts_with("5 analysed; "));
}

/// The echoed `^C` and the message leave no parts of the bar behind.
#[test]
fn ctrl_c_leaves_no_bar_behind() {
    let folder = Folder::with("in.epd", SUITE);
    let Some(mut command) = command(&folder, "pfts in.epd --nodes 200000") else {
        return;
    };
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut keys = child.stdin.take().expect("piped");
    let mut output = child.stdout.take().expect("piped");
    let mut pressed = false;
    let (mut sent, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let read = output.read(&mut buffer).expect("readable");
        sent.extend_from_slice(&buffer[..read]);
        // Interrupts when the bar is below the second position.
        let so_far = String::from_utf8_lossy(&sent);
        if !pressed && so_far.contains("   2  BK.02") && so_far.contains(" 2/24, ") {
            keys.write_all(b"\x03").expect("written");
            pressed = true;
        }
        if read == 0 {
            break;
        }
    }
    assert_eq!(child.wait().expect("it ends").code(), Some(FAILED));
    let seen = seen(&sent);
    let told = "finishing the positions in progress; press Ctrl-C again to quit";
    assert!(seen.iter().any(|line| line == told), "{seen:#?}");
    assert!(
        seen.last()
            .expect("a line")
            .starts_with("epode: interrupted after ")
    );
    assert!(
        !seen.iter().any(|line| line.contains("to go: ")),
        "{seen:#?}"
    );
}

#[test]
fn colours_heed_the_user() {
    let folder = Folder::with("in.epd", format!("{MATE_IN_ONE} bm Rd8#;\n"));
    let line = "pfts in.epd --depth 1";
    let Some(terminal) = run(&folder, line, &[]) else {
        return;
    };
    assert_eq!(terminal.status, ALL_WELL);
    assert!(
        terminal.sent.contains("\u{1b}[32msolved "),
        "{}",
        terminal.sent
    );
    let plain = run(&folder, line, &[("NO_COLOR", "1")]).expect("a terminal");
    assert!(plain.sent.contains("  solved "), "{}", plain.sent);
    assert!(!plain.sent.contains("\u{1b}[3"), "{}", plain.sent);
}
