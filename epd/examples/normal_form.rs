//! Reads a file of EPD records; prints what is wrong with each, its best moves and its normal form.
//!
//! `cargo run -p epode-epd --example normal_form -- FILE`

use epode_epd::movegen::San;
use epode_epd::{LineKind, Lines, Reader, diagnose};

const SAMPLE: &[u8] = b"r1k5/8/8/8/8/8/8/4K2R w K - 0 1 ; bm h1h8 ; id Rook to the seventh";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args()
        .nth(1)
        .map_or(Ok(SAMPLE.to_vec()), std::fs::read)?;
    let reader = Reader::repair();
    for line in Lines::new(&text, 1).filter(|line| line.kind() == LineKind::Record) {
        for diagnostic in diagnose(&line, &reader) {
            let (number, column) = line.place(diagnostic.span.start);
            println!("line {number}, column {column}: {diagnostic}");
        }
        let Ok(record) = line.read(&reader, &mut Vec::new()) else {
            continue;
        };
        let position = record.position()?;
        if let Ok(Some(best)) = record.best_moves(&position) {
            let best: Vec<_> = best.iter().map(|&mv| San::of(&position, mv)).collect();
            println!("best moves: {best:?}");
        }
        println!("{record}\n");
    }
    Ok(())
}
