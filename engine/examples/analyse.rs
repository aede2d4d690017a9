//! Searches a position and prints each iteration: depth, score, nodes and the best line.
//!
//! `cargo run -p epode-engine --example analyse -- "FEN"`

use epode_engine::movegen::{Game, Position, San};
use epode_engine::{Limits, Searcher, Signals};

const SAMPLE: &str = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fen = std::env::args().nth(1).unwrap_or(SAMPLE.to_owned());
    let position: Position = fen.parse()?;
    let game = Game::new(position);
    let mut searcher = Searcher::with_hash(16)?;
    let outcome = searcher.search(&game, &Limits::depth(12), &Signals::default(), &mut |now| {
        let mut board = position;
        print!(
            "depth {:2}  score {:>6}  nodes {:>7} ",
            now.depth, now.score, now.nodes
        );
        for &mv in now.pv {
            print!(" {}", San::of(&board, mv));
            board.play(mv);
        }
        println!();
    });
    let best = outcome.best.ok_or("the game is over")?;
    println!("best move: {}", San::of(&position, best));
    Ok(())
}
