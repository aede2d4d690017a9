//! Runs that end early and are resumed: nothing is lost, and nothing is done twice.
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::records::SUITE;
use crate::common::{Folder, calm, interrupt, network, stderr};
use predicates::prelude::*;
use predicates::str::{contains, starts_with};

const LINE: &str = "pfts in.epd out.epd --nodes 50000 --jobs 2";
/// Most of them are not decided.
const MATES: &str = "pfms in.epd out.epd --moves 9 --nodes 100000 --jobs 2";

/// The complete lines of the journal except for the first.
fn journaled(folder: &Folder) -> usize {
    let text = fs::read_to_string(folder.path("out.epd.journal")).unwrap_or_default();
    text.matches('\n').count().saturating_sub(1)
}

/// Waits until a number of records are done.
fn wait_for(folder: &Folder, records: usize) {
    let started = Instant::now();
    while journaled(folder) < records {
        assert!(
            started.elapsed() < Duration::from_mins(1),
            "it does nothing"
        );
        thread::yield_now();
    }
}

/// Starts a run that receives a number of records and then waits for more, so that it cannot end
/// before the test does.
fn start_with(folder: &Folder, line: &str, records: usize) -> (Child, ChildStdin) {
    let mut child = folder.start(&line.replace("in.epd", "-"));
    let mut input = child.stdin.take().expect("piped");
    for record in SUITE.lines().take(records) {
        writeln!(input, "{record}").expect("written");
    }
    (child, input)
}

/// The output and messages of an uninterrupted run, without the time.
fn unbroken(line: &str) -> (String, String) {
    let folder = Folder::with("in.epd", SUITE);
    let assert = folder.run(line).code(0);
    let told = stderr(&assert)
        .split(" nodes in ")
        .next()
        .expect("a summary")
        .to_owned();
    assert_eq!(folder.names(), ["in.epd", "out.epd", "out.epd.run.json"]);
    (folder.read("out.epd"), told)
}

/// A run that is killed more than once has the same output and messages in the end.
#[test]
fn killed_and_resumed() {
    for line in [LINE, MATES] {
        kill_and_resume(line);
    }
}

fn kill_and_resume(line: &str) {
    let (expected, summary) = unbroken(line);
    let folder = Folder::with("in.epd", SUITE);
    let mut done = 0;
    for (line, given) in [(line.to_owned(), 8), (format!("{line} --resume"), 20)] {
        let (mut child, _input) = start_with(&folder, &line, given);
        wait_for(&folder, done + 4);
        // SIGKILL.
        child.kill().expect("killed");
        child.wait().expect("it is gone");
        done = journaled(&folder);
        assert!(done <= given);
        let part = folder.read("out.epd.part");
        assert!(expected.starts_with(&part), "{part}");
    }
    assert_eq!(
        folder.names(),
        ["in.epd", "out.epd.journal", "out.epd.part"]
    );

    // An unfinished run is not overwritten by mistake, and incomplete lines are ignored.
    let refusal = "epode: out.epd.journal belongs to an unfinished run: ";
    folder.run(line).code(2).stderr(starts_with(refusal));
    let journal = folder.path("out.epd.journal");
    let text = fs::read_to_string(&journal).expect("readable");
    fs::write(&journal, format!("{text}{{\"line\":24,\"fing")).expect("written");

    // Another number of jobs makes no difference.
    let line = line.replace("--jobs 2", "--jobs 1 --resume");
    let assert = folder.run(&line).code(0);
    assert_eq!(folder.read("out.epd"), expected);
    assert_eq!(folder.names(), ["in.epd", "out.epd", "out.epd.run.json"]);
    assert.stderr(starts_with(summary).and(contains(format!("; {done} records taken from "))));
}

/// A journal of another run is refused with a reason.
#[test]
fn another_command_or_input_is_refused() {
    let folder = Folder::with("in.epd", SUITE);
    let (mut child, _input) = start_with(&folder, LINE, 6);
    wait_for(&folder, 3);
    child.kill().expect("killed");
    child.wait().expect("it is gone");
    let other = format!("{} --resume", LINE.replace("50000", "60000"));
    let assert = folder.run(&other).code(2);
    assert.stderr(contains(
        "epode: out.epd.journal: the unfinished run had other options: --nodes was 50000, is 60000; --resume needs the same options, \
         --restart starts over\n",
    ));
    let other = LINE.replace("pfts", "pfga --soft --write pes,acn");
    let assert = folder.run(&format!("{other} --resume")).code(2);
    assert.stderr(contains(
        "had other options: --soft was not given, is given; --write was default, is pes,acn; \
         the command was pfts, is pfga; ",
    ));
    let lines: Vec<_> = SUITE.lines().rev().collect();
    fs::write(folder.path("in.epd"), lines.join("\n")).expect("written");
    let part = folder.read("out.epd.part");
    for (input, what) in [
        ("in.epd", "the unfinished run read -, not in.epd"),
        ("-", "- is not what the unfinished run read"),
    ] {
        let line = format!("{} --resume", LINE.replace("in.epd", input));
        let mut command = folder.command(&line);
        let assert = calm(command.write_stdin(folder.read("in.epd")).assert());
        assert.code(2).stderr(format!(
            "epode: out.epd.journal: {what}: line 1 is another record; --resume needs the same input, \
             --restart starts over\n"
        ));
        assert!(journaled(&folder) >= 3);
        // What was read from a file is known before anything is written.
        assert!(input == "-" || folder.read("out.epd.part") == part);
    }
    // --restart starts over.
    folder.run(&format!("{LINE} --restart")).code(0);
    assert_eq!(folder.names(), ["in.epd", "out.epd", "out.epd.run.json"]);
    assert_eq!(folder.read("out.epd").lines().count(), 24);
    // Without a journal, --resume starts from the beginning.
    folder.run("pfga in.epd out.epd --depth 1 --resume").code(0);
    let assert = folder.run("pfga in.epd --depth 1 --resume").code(2);
    assert.stderr("epode: --resume needs a file as OUT, which has a journal beside it\n");
}

/// The content of a network counts, not the name of its file.
#[test]
fn another_network_of_the_same_name_is_refused() {
    let folder = Folder::with("in.epd", SUITE);
    let line = format!("{LINE} --net my.net");
    fs::write(folder.path("my.net"), network(1)).expect("written");
    let (mut child, _input) = start_with(&folder, &line, 6);
    wait_for(&folder, 3);
    child.kill().expect("killed");
    child.wait().expect("it is gone");
    fs::write(folder.path("my.net"), network(2)).expect("written");
    let assert = folder.run(&format!("{line} --resume")).code(2);
    assert.stderr(contains("had other options: the network was "));
    fs::write(folder.path("my.net"), network(1)).expect("written");
    folder.run(&format!("{line} --resume")).code(0);
}

/// Ctrl-C finishes the positions in progress, and says how to resume.
#[test]
fn interrupted_and_resumed() {
    let (expected, summary) = unbroken(LINE);
    let folder = Folder::with("in.epd", SUITE);
    let (mut child, mut input) = start_with(&folder, LINE, 6);
    wait_for(&folder, 3);
    interrupt(&child);
    let mut told = BufReader::new(child.stderr.take().expect("piped")).lines();
    let heard = told.next().expect("a line").expect("a line");
    assert!(
        heard.starts_with("finishing the positions in progress"),
        "{heard}"
    );
    // It may be waiting for another record.
    let next = SUITE.lines().nth(6).expect("a record");
    let _ = writeln!(input, "{next}");
    let last = told.last().expect("a line").expect("a line");
    assert_eq!(child.wait().expect("it ends").code(), Some(2));
    let (done, part) = (journaled(&folder), folder.read("out.epd.part"));
    // No started position is missing.
    assert_eq!(part.lines().count(), done);
    assert!(done <= 7 && expected.starts_with(&part));
    assert!(last.starts_with(&format!(
        "epode: interrupted: {done} records so far are in "
    )));
    assert!(
        last.ends_with("out.epd.part, run the same command with --resume to continue"),
        "{last}"
    );
    // The description of the run so far is beside the part file.
    let info = folder.read("out.epd.part.run.json");
    let info: serde_json::Value = serde_json::from_str(&info).expect("JSON");
    assert_eq!(info["records"], done);
    assert!(info["started"].is_string() && info["finished"].is_null());
    let assert = folder.run(&format!("{LINE} --resume")).code(0);
    assert_eq!(folder.read("out.epd"), expected);
    assert.stderr(starts_with(summary));
    assert_eq!(folder.names(), ["in.epd", "out.epd", "out.epd.run.json"]);
}

/// Without OUT as a file there is no journal, but finished records have been written.
#[test]
fn an_interrupted_stream_has_what_was_done() {
    let folder = Folder::new();
    let mut child = folder.start("pfga - --depth 2");
    let mut input = child.stdin.take().expect("piped");
    let mut output = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut told = BufReader::new(child.stderr.take().expect("piped")).lines();
    let mut lines = SUITE.lines();
    for line in lines.by_ref().take(3) {
        writeln!(input, "{line}").expect("written");
        output.next().expect("a record").expect("a record");
    }
    interrupt(&child);
    let heard = told.next().expect("a line").expect("a line");
    assert_eq!(
        heard,
        "finishing the positions in progress; press Ctrl-C again to quit"
    );
    // It may be waiting for another record.
    for line in lines {
        let _ = writeln!(input, "{line}");
    }
    drop(input);
    let records = 3 + output.count();
    assert!((3..=4).contains(&records));
    let last = told.last().expect("a line").expect("a line");
    assert_eq!(last, format!("epode: interrupted after {records} records"));
    assert_eq!(child.wait().expect("it ends").code(), Some(2));
}

/// Two runs do not write the same file.
#[test]
fn one_run_a_file() {
    let folder = Folder::with("in.epd", SUITE);
    let (mut child, _input) = start_with(&folder, LINE, 3);
    wait_for(&folder, 1);
    let assert = folder.run(&format!("{LINE} --resume")).code(2);
    assert.stderr(contains("another run writes "));
    child.kill().expect("killed");
    child.wait().expect("it is gone");
}

/// A long file takes no more memory than a short one. It takes a minute: `cargo test -p epode --test
/// resume -- --ignored`, last done on 2026-11-21 (15 MiB and 17 MiB).
#[test]
#[ignore = "100000 records"]
fn long_files_stream() {
    let (few, many) = (memory(1000), memory(100_000));
    println!("1000 records take {few} KiB, 100000 take {many}");
    assert!(many < few + (4 << 10));
}

/// The maximum memory for a number of records, in KiB.
fn memory(records: usize) -> u64 {
    let folder = Folder::new();
    let mut child = folder.start("pfga - - --depth 1 --jobs 2 --hash 1");
    let mut input = child.stdin.take().expect("piped");
    let output = child.stdout.take().expect("piped");
    let writer = thread::spawn(move || {
        for line in SUITE.lines().cycle().take(records) {
            writeln!(input, "{line}").expect("written");
        }
        // Standard input stays open: the program must run while its memory is read.
        input
    });
    let lines = BufReader::new(output).lines().take(records).count();
    assert_eq!(lines, records);
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("Linux");
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let most = most.expect("told").trim().trim_end_matches(" kB").parse();
    drop(writer.join().expect("no complaints"));
    child.wait().expect("it ends");
    most.expect("a number")
}
