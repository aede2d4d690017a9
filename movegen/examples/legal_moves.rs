//! Lists the legal moves of a position and counts the leaves of its move tree.
//!
//! `cargo run -p epode-movegen --example legal_moves -- "FEN"`

use epode_movegen::{Position, San, perft};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let position: Position = match std::env::args().nth(1) {
        Some(fen) => fen.parse()?,
        None => Position::start(),
    };
    println!("{position}");
    let moves = position.legal_moves();
    let names = moves.iter().map(|&mv| San::of(&position, mv).to_string());
    println!(
        "{} moves: {}",
        moves.len(),
        names.collect::<Vec<_>>().join(" ")
    );
    for depth in 1..=4 {
        println!("perft {depth}: {}", perft(&position, depth));
    }
    Ok(())
}
