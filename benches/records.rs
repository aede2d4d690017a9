//! Records of EPD: read, checked for legality, and written; alone and one after the other. Then the
//! same with python-chess, if that is installed (`python3 -m pip install chess`).

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use criterion::{Criterion, Throughput};
use epd::Record;
use movegen::{Position, San};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

const RECORDS: usize = 100_000;
const SEED: u64 = 1;

/// The position after 20 to 60 random plies, where a move can be played.
fn position(rng: &mut StdRng) -> Position {
    loop {
        let mut position = Position::start();
        for _ in 0..rng.random_range(20..=60) {
            let Some(&mv) = position.legal_moves().choose(rng) else {
                break;
            };
            position.play(mv);
        }
        if position.count_moves() > 0 {
            return position;
        }
    }
}

/// As suites for engines have it: a best move and a name.
fn test(number: usize, rng: &mut StdRng) -> String {
    let position = position(rng);
    let moves = position.legal_moves();
    let best = San::of(&position, *moves.choose(rng).expect("there is one"));
    let setup = position.setup();
    format!("{} bm {best}; id \"random.{number:05}\";", setup.fields())
}

/// As suites for move generators have it: the leaves at depths 1 to 5. Only the first are counted;
/// the others are of a plausible length.
fn perft(rng: &mut StdRng) -> String {
    let position = position(rng);
    let mut leaves = position.count_moves();
    let mut line = position.setup().fields().to_string();
    for depth in 1..=5 {
        write!(line, " D{depth} {leaves};").expect("strings take anything");
        leaves *= rng.random_range(20..=40);
    }
    line
}

fn lines() -> Vec<String> {
    let mut rng = StdRng::seed_from_u64(SEED);
    let half = 0..RECORDS / 2;
    half.flat_map(|number| [test(number, &mut rng), perft(&mut rng)])
        .collect()
}

fn read(line: &str) -> Record {
    epd::read(black_box(line), &mut Vec::new()).expect("readable")
}

fn read_check_write(lines: &[String]) {
    let lexicon = epd::Lexicon::standard();
    let mut text = String::new();
    for line in lines {
        let record = read(line);
        assert!(epd::check(&record, &lexicon).is_empty());
        text.clear();
        record
            .print(epd::Counters::Operations, &mut text)
            .expect("strings take anything");
        black_box(&text);
    }
}

fn bench(criterion: &mut Criterion, lines: &[String]) {
    let records: Vec<_> = lines.iter().map(|line| read(line)).collect();
    let lexicon = epd::Lexicon::standard();
    let mut group = criterion.benchmark_group("records");
    group.throughput(Throughput::Elements(lines.len() as u64));
    group.sample_size(20);
    group.bench_function("read", |bencher| {
        bencher.iter(|| {
            for line in lines {
                black_box(read(line));
            }
        });
    });
    group.bench_function("check", |bencher| {
        bencher.iter(|| {
            for record in &records {
                assert!(epd::check(black_box(record), &lexicon).is_empty());
            }
        });
    });
    group.bench_function("write", |bencher| {
        bencher.iter(|| {
            let mut text = String::new();
            for record in &records {
                text.clear();
                let record = black_box(record);
                record
                    .print(epd::Counters::Operations, &mut text)
                    .expect("strings take anything");
                black_box(&text);
            }
        });
    });
    group.bench_function("all three", |bencher| {
        bencher.iter(|| read_check_write(lines));
    });
    group.finish();
}

/// The records that we read, check and write a second, in one run as with theirs.
fn ours(lines: &[String]) -> f64 {
    let begin = Instant::now();
    read_check_write(lines);
    lines.len() as f64 / begin.elapsed().as_secs_f64()
}

/// The records that python-chess reads, checks and writes a second; none if it is not there.
fn python_chess(lines: &[String]) -> io::Result<Option<f64>> {
    let mut python = Command::new("python3");
    python.args(["-c", "import chess"]).stderr(Stdio::null());
    if !python.status().is_ok_and(|status| status.success()) {
        return Ok(None);
    }
    let mut file = tempfile::NamedTempFile::new()?;
    for line in lines {
        writeln!(file, "{line}")?;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python_chess.py");
    let output = Command::new("python3")
        .arg(script)
        .arg(file.path())
        .stderr(Stdio::inherit())
        .output()?;
    let rate = String::from_utf8_lossy(&output.stdout).trim().parse();
    rate.map(Some).map_err(io::Error::other)
}

fn main() -> io::Result<()> {
    let lines = lines();
    let mut criterion = Criterion::default().configure_from_args();
    bench(&mut criterion, &lines);
    criterion.final_summary();
    // Not where the benches are only tried or listed.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    if let Some(theirs) = python_chess(&lines)? {
        let ours = ours(&lines);
        let ratio = ours / theirs;
        println!("python-chess: {theirs:.0} records a second; epode: {ours:.0}; ratio {ratio:.0}");
    } else {
        println!("python-chess is not installed: left out");
    }
    Ok(())
}
