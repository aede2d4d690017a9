//! What several tests share.
#![allow(dead_code, reason = "not every test uses all of it")]

use epode_book::{Batch, Builder, Entry, Repository};
use movegen::Position;
use movegen::pgn::{Games, Outcome, PgnGame, Ply};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;

/// The same cases every time, unless the environment asks for others.
pub fn config() -> ProptestConfig {
    let mut config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(0x0E90_DE24);
    }
    config
}

/// Games that share their first moves: each move is among the first few of its position.
pub fn any_games() -> impl Strategy<Value = Vec<PgnGame>> {
    let result = proptest::sample::select(vec![
        None,
        Some(Outcome::White),
        Some(Outcome::Black),
        Some(Outcome::Draw),
    ]);
    let choices = proptest::collection::vec((any::<Index>(), 1_usize..6), 0..40);
    let game = (choices, result, 1990..2030_u16).prop_map(|(choices, result, year)| {
        let mut game = PgnGame {
            result,
            date: format!("{year}.01.02"),
            ..PgnGame::default()
        };
        let mut position = Position::start();
        for (choice, among) in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[choice.index(among.min(moves.len()))];
            position.play(mv);
            game.plies.push(Ply::new(mv));
        }
        game
    });
    proptest::collection::vec(game, 1..30)
}

/// A batch of the games of a PGN text.
pub fn batch(pgn: &str, plies: usize) -> Batch {
    let mut batch = Batch::default();
    for game in Games::new(pgn, plies) {
        batch.add_game(&game.expect("a game"));
    }
    batch
}

/// The text of the repository of a PGN text.
pub fn build(pgn: &str, plies: usize, min_games: u64) -> String {
    let mut builder = Builder::new(1 << 20, std::env::temp_dir());
    builder.add(&batch(pgn, plies)).expect("in memory");
    finish(builder, min_games)
}

pub fn finish(builder: Builder, min_games: u64) -> String {
    let mut lines = Vec::new();
    let sink = |entry: Entry| {
        lines.push(format!("{entry}\n"));
        std::io::Result::Ok(())
    };
    builder.finish(min_games, sink).expect("built");
    lines.concat()
}

pub fn repository(text: &str) -> Repository {
    Repository::from_text("book.epd", text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The records of a repository with their positions.
pub fn positions(text: &str) -> Vec<(Position, Entry)> {
    let lines = text.lines().map(|line| {
        let record = epd::read(line, &mut Vec::new()).expect(line);
        let entry = Entry::of_record(&record).expect(line);
        (record.position().expect(line), entry)
    });
    lines.collect()
}

/// A game in PGN of a few moves.
pub const PGN: &str = "\
[Event \"a\"]
[Date \"2021.03.04\"]
[Result \"1-0\"]

1. e4 e5 2. Nf3 Nc6 1-0

[Event \"b\"]
[Date \"2023.??.??\"]
[Result \"0-1\"]

1. e4 c5 2. Nf3 0-1

[Event \"c\"]
[Date \"????.??.??\"]

1. Nf3 c5 2. e4 1/2-1/2

[Event \"d\"]

1. e4 e5 *
";
