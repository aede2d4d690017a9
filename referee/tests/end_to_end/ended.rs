//! The page of an event that has ended.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::common::http::{get, json};
use crate::common::{Killed, LIMIT, PROGRAM, Referee, event};
use crate::web::HTTP;

/// An event that ends at once: one of its players is put out of it.
fn finished(arguments: &[&str]) -> Referee {
    let settings = format!("{HTTP}\nformat = \"match\"\ngames_per_pairing = 1");
    let text = event(&settings, "", &["Ann", "Bob"]);
    let referee = Referee::run_with(&text, &[], arguments);
    referee.control("forfeit Ann");
    referee
}

/// Waits until a page says that the event is over.
fn wait_for_end(page: SocketAddr) {
    let started = Instant::now();
    while json(page, "/api/event")["ended"] != "the event is over" {
        assert!(started.elapsed() < LIMIT, "{}", json(page, "/api/event"));
    }
}

/// Viewers see the end of the event until the time is over, or the referee is told to end.
#[test]
fn the_page_outlives_the_event() {
    let mut referee = finished(&["--linger", "1h"]);
    let page = referee.page();
    referee.wait_for_output("is there for 1h more; Ctrl-C or `epode-referee stop cup` ends it");
    let output = referee.output();
    assert!(output.contains("\nRank  Name"), "{output}");
    let answer = referee.refuses("status");
    assert!(
        answer.contains("the event is over, and only its page is still there"),
        "{answer}"
    );
    wait_for_end(page);
    let standings = referee.program("standings cup");
    assert_eq!(referee.program("stop cup").1, 0);
    assert!(!referee.path("control.sock").exists());
    // One game was forfeited.
    assert_eq!(referee.wait(), 1);
    // They are there while the page is, and after.
    assert_eq!(referee.program("standings cup"), standings);
    let (table, status) = standings;
    assert!(table.starts_with("Rank  Name"), "{table}");
    assert!(output.contains(&table), "{output}\n{table}");
    assert_eq!(status, 0);
}

#[test]
fn a_finished_event_is_served_again() {
    let mut referee = finished(&[]);
    referee.wait();
    let folder = referee.path("");
    let before = referee.read("events.jsonl");
    let mut command = Command::new(PROGRAM);
    command
        .args(["serve", "--http", "127.0.0.1:0"])
        .arg(&folder);
    let child = command.stdout(Stdio::piped()).spawn();
    let mut child = Killed(child.expect(PROGRAM));
    let mut lines = BufReader::new(child.0.stdout.take().expect("piped")).lines();
    let said = lines.next().expect("a line").expect("UTF-8");
    let page = said
        .strip_prefix("watch the games at http://")
        .expect(&said);
    let page: SocketAddr = page.trim_end_matches('/').parse().expect(&said);
    wait_for_end(page);
    assert_eq!(json(page, "/api/event")["games"]["finished"], 1);
    assert_eq!(get(page, "/games.pgn"), referee.read("games.pgn"));
    assert_eq!(get(page, "/health"), "ok\n");
    assert_eq!(referee.read("events.jsonl"), before);
    // It cannot be begun again in the same folder.
    let (said, code) = referee.program("run cup.toml");
    assert!(
        code == 2 && said.contains("cup is finished; to play it again, move or delete"),
        "{said}"
    );
}
