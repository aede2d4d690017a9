//! `init --trf`: an event file made from a report.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{PROGRAM, program};
use pairing::trf::Report;
use tempfile::TempDir;

const OPEN: &str = "\
012 Open of \"Nowhere\"
022 Nowhere
122 40 moves in 90 minutes
XXR 5
XXC black1
XXP    1    3
240 H   4    2
001    1 m GM Adams, Ann                        2700 ENG      400041 1971/11/17  0.0    1
001    2      Baker, Bob                        2600 SCO                         0.0    2  0000 - H
001    3      Carter, Cay                       2500                             0.0    3
001    4      Dyer, Dan                                                          0.0    4
001    5      Evans, Eve                                                         0.0    5
001    6      Frei, Fritz                                                        0.0    6
";

/// An event of a report: its own report before the first round says the same.
#[test]
fn an_event_of_a_report() {
    let folder = TempDir::new().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("open.trf"), OPEN).expect("written");
    let (said, status) = program(folder.path(), "init --trf open.trf cup.toml");
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains("open.trf: set `time_control`: the report says \"40 moves in 90 minutes\""),
        "{said}"
    );
    let text = fs::read_to_string(path("cup.toml")).expect("written");
    for line in [
        "event = 'Open of \"Nowhere\"'",
        "format = \"swiss\"",
        "rounds = 5",
        "byes = [1, 4]",
        "rating = 2700",
    ] {
        assert!(text.lines().any(|there| there == line), "{line}\n{text}");
    }
    let (said, status) = program(folder.path(), "check cup.toml");
    assert!(
        status == 0 && said.contains("Swiss event (FIDE Dutch system), 5 rounds of one game each"),
        "{said}"
    );
    let cup = super::folder(&text);
    let (said, _) = program(cup.path(), "trf cup");
    let (given, mut made) = (
        Report::parse(OPEN).expect("sound"),
        Report::parse(&said).expect(&said),
    );
    assert_eq!(made.event, given.event);
    assert_eq!(made.announced, given.announced);
    made.lines.retain(|line| given.lines.contains(line));
    assert_eq!(made.lines, &given.lines[..2]);
    // An existing file is kept, and pipes work.
    let (said, status) = program(folder.path(), "init --trf open.trf cup.toml");
    assert!(
        status == 2 && said.contains("cannot create cup.toml"),
        "{said}"
    );
    let printed = piped(folder.path(), "init --trf -", OPEN);
    assert_eq!(printed, text);
}

fn piped(folder: &Path, line: &str, input: &str) -> String {
    let mut command = Command::new(PROGRAM);
    command.args(line.split(' ')).current_dir(folder);
    let input = tempfile::NamedTempFile::new().map(|file| {
        fs::write(file.path(), input).expect("written");
        file.reopen().expect("open")
    });
    let output = command
        .stdin(Stdio::from(input.expect("a file")))
        .output()
        .expect(PROGRAM);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Acceleration and byes of a report; and what an event cannot have.
#[test]
fn what_a_report_says_beyond_the_players() {
    let folder = TempDir::new().expect("a folder");
    let init = |text: &str| {
        fs::write(folder.path().join("open.trf"), text).expect("written");
        program(folder.path(), "init --trf open.trf")
    };
    let (said, _) = init(&OPEN.replace("XXC black1", "192 FIDE_DUTCH_BAKU"));
    assert!(
        said.contains("\nswiss = { acceleration = \"baku\" }\n") && said.contains("\n# seed = 0 "),
        "{said}"
    );
    let (said, _) = init(&OPEN.replace("XXC black1", "XXA    1  1.0  0.5"));
    assert!(
        said.contains("not those of the Baku method") && !said.contains("\nswiss = "),
        "{said}"
    );
    let (said, _) = init(&OPEN.replace("0.0    2  0000 - H", "0.0    2  0000 - F"));
    assert!(
        said.contains("Baker, Bob: a bye of a full point in round 1 is left out")
            && said.contains("\nbyes = [4]\n"),
        "{said}"
    );
    let (said, _) = init(&OPEN.replace("XXP ", "260   1   2 "));
    assert!(said.contains("kept apart in all rounds"), "{said}");
    let (said, _) = init(&OPEN.replace(" 2500 ", " 2650 "));
    assert!(said.contains("do not follow the ratings"), "{said}");
    for (from, to, message) in [
        (
            "XXR 5",
            "XXR 5\nBBW  3.0",
            "open.trf: the report has points of its own",
        ),
        (
            "Carter, Cay",
            "Adams, Ann ",
            "open.trf: two players have the name \"Adams, Ann\"",
        ),
        (
            "Carter, Cay",
            "           ",
            "open.trf: a player has an empty name",
        ),
        ("XXR 5", "XXR 6", "open.trf: 6 rounds for 6 players"),
        ("XXR 5", "XXR five", "open.trf:4:5: found \"five\""),
    ] {
        let (said, status) = init(&OPEN.replacen(from, to, 1));
        assert!(status == 2 && said.contains(message), "{message}: {said}");
    }
    let played = OPEN
        .replace("0.0    1\n", "1.0    1     4 w 1\n")
        .replace("0.0    4\n", "0.0    4     1 b 0\n");
    let played = played.replace("0.0    2 ", "0.5    2 ");
    let (said, status) = init(&played);
    assert!(
        status == 2 && said.contains("open.trf: round 1 has been played already"),
        "{said}"
    );
}
