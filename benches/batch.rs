//! The frame of the verbs that analyse: records a second, what it costs beside the search, and what a
//! second job gains, next to what a second program does.
//!
//! The program is built by `cargo build --release`, or is the one named in `EPODE`. What is compared
//! is measured in turns, and the best of each taken: a machine that does other things as well only
//! ever takes longer.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use engine::{Limits, Searcher, Signals};
use epode_benches::{SUITE, Whose, processor_time};
use movegen::Game;

/// What each search takes.
const NODES: u64 = 1000;
/// How often each is measured.
const ROUNDS: usize = 5;

fn main() {
    let Some(program) = &epode_benches::program("epode", "EPODE") else {
        println!("skipped: no epode, cargo build --release makes one");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let many = SUITE.repeat(80);
    fs::write(folder.join("many.epd"), &many).expect("written");
    fs::write(folder.join("few.epd"), SUITE.repeat(2)).expect("written");
    fs::write(folder.join("half.epd"), SUITE).expect("written");
    // What a run takes, in seconds and in seconds of processor time.
    let pfga = |line: &str| {
        let started = Instant::now();
        let before = processor_time("self", Whose::Children);
        run(program, folder, line);
        let processor_time = processor_time("self", Whose::Children) - before;
        (started.elapsed().as_secs_f64(), processor_time)
    };

    let (mut whole, mut framed, mut bare) = (Best::default(), Best::default(), Best::default());
    let (mut one, mut two, mut apart) = (Best::default(), Best::default(), Best::default());
    for _ in 0..ROUNDS {
        let (time, processor_time) = pfga(&format!("many.epd out.epd --nodes {NODES}"));
        whole.add(time);
        framed.add(processor_time);
        bare.add(search_all(&many));
        one.add(pfga("few.epd out.epd --nodes 100000 --jobs 1").0);
        two.add(pfga("few.epd out.epd --nodes 100000 --jobs 2").0);
        // The two halves, by a program each at the same time.
        let started = Instant::now();
        thread::scope(|scope| {
            for out in ["a.epd", "b.epd"] {
                let line = format!("half.epd {out} --nodes 100000");
                scope.spawn(move || run(program, folder, &line));
            }
        });
        apart.add(started.elapsed().as_secs_f64());
    }
    println!(
        "pfga --nodes {NODES}: {:.0} records a second",
        many.lines().count() as f64 / whole.0
    );
    println!(
        "processor time beside that of the search: {:.1} % of it, {:.0} us a record",
        100.0 * (framed.0 / bare.0 - 1.0),
        1e6 * (framed.0 - bare.0) / many.lines().count() as f64
    );
    println!(
        "two jobs: {:.2} times one; two programs at once: {:.2} times",
        one.0 / two.0,
        one.0 / apart.0
    );
}

/// The least of several times, in seconds.
struct Best(f64);

impl Default for Best {
    fn default() -> Self {
        Self(f64::INFINITY)
    }
}

impl Best {
    fn add(&mut self, time: f64) {
        self.0 = self.0.min(time);
    }
}

fn run(program: &Path, folder: &Path, line: &str) {
    let status = Command::new(program)
        .arg("pfga")
        .args(line.split(' '))
        .current_dir(folder)
        .stderr(Stdio::null())
        .status();
    assert!(status.expect("it runs").success());
}

/// The same searches without a frame; returns their processor time.
fn search_all(text: &str) -> f64 {
    let records = text.lines().map(|line| {
        let record: epd::Record = line.parse().expect("exact");
        Game::new(record.position().expect("legal"))
    });
    let games: Vec<_> = records.collect();
    let before = processor_time("self", Whose::Own);
    // A table of the size that pfga takes for so few nodes.
    let mut searcher = Searcher::new(1);
    for game in &games {
        searcher.clear();
        let limits = Limits::nodes(NODES);
        let outcome = searcher.search(game, &limits, &Signals::default(), &mut |_| ());
        assert_eq!(outcome.nodes, NODES);
    }
    processor_time("self", Whose::Own) - before
}
