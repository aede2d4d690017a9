//! Prints random games in PGN, to measure how large books are built: `cargo run -p epode-book --example games -- 1000000 60`
//! prints a million games of 60 plies. The first moves are few, as in real games, and the later ones many.

use std::io::{self, BufWriter, Write};

use movegen::Position;
use movegen::pgn::{Outcome, PgnGame, Ply};

fn main() -> io::Result<()> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let mut number = |default| numbers.next().and_then(Result::ok).unwrap_or(default);
    let (games, plies) = (number(1000), number(60));
    let mut state = 1_u64;
    // A linear congruential generator, for the same games everywhere.
    let mut draw = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / (1_u64 << 24) as f64
    };
    let mut out = BufWriter::new(io::stdout().lock());
    for number in 0..games {
        let result = Outcome::ALL[(draw() * 3.0) as usize];
        let mut game = PgnGame {
            event: "Random games".to_owned(),
            date: format!("{}.01.01", 1990 + number % 35),
            result: Some(result),
            ..PgnGame::default()
        };
        let mut position = Position::start();
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let chosen = (draw().powi(3) * moves.len() as f64) as usize;
            let mv = moves[chosen.min(moves.len() - 1)];
            position.play(mv);
            game.plies.push(Ply::new(mv));
        }
        let text = game.export().map_err(io::Error::other)?;
        out.write_all(text.as_bytes())?;
    }
    out.flush()
}
