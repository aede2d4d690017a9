//! Measures a repository: how long it takes to open it, and to find positions in it.
//! `cargo run --release -p epode-book --example lookup -- BOOK.epd`

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

use epode_book::Repository;
use movegen::Position;

/// The number of positions that are looked up.
const LOOKUPS: usize = 20_000;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("expected the name of a repository")?;
    let text = fs::read_to_string(&path)?;
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    // Spread over the file, and in no order.
    let positions = (0..LOOKUPS).map(|n| {
        let line = lines[n * 7919 * (lines.len() / LOOKUPS).max(1) % lines.len()];
        let record = epd::read(line, &mut Vec::new())?;
        Ok(record.position()?)
    });
    let positions: Vec<Position> = positions.collect::<Result<_, Box<dyn Error>>>()?;
    let mut best = [f64::INFINITY; 2];
    for _ in 0..5 {
        let begin = Instant::now();
        let book = Repository::open(Path::new(&path))?;
        best[0] = best[0].min(begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        for position in &positions {
            assert!(!book.moves(position)?.is_empty(), "{position}");
        }
        best[1] = best[1].min(begin.elapsed().as_secs_f64());
    }
    let [open, all] = best;
    println!(
        "{} positions: opened in {:.2} ms, {:.1} us a position",
        lines.len(),
        1e3 * open,
        1e6 * all / LOOKUPS as f64
    );
    Ok(())
}
