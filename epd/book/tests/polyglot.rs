//! Polyglot books, and what python-chess reads in them.

mod common;

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use common::{any_games, build, config, positions, repository};
use epode_book::polyglot::{PolyglotBook, PolyglotEntry, entries, key, read_entries, sort_entries};
use epode_book::{Book, BookMove, Stats, walk};
use movegen::pgn::Games;
use movegen::{Position, UciMove};
use proptest::prelude::*;

/// The examples of the format's description.
#[test]
fn keys_are_those_that_were_published() {
    for (moves, expected) in [
        ("", 0x463B_9618_1691_FC9C_u64),
        ("e2e4", 0x823C_9B50_FD11_4196),
        ("e2e4 d7d5", 0x0756_B944_61C5_0FB0),
        ("e2e4 d7d5 e4e5", 0x662F_AFB9_65DB_29D4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22A4_8B5A_8E47_FF78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652A_607C_A3F2_42C1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00FD_D303_C946_BDD9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3C81_23EA_7B06_7637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5C3F_9B82_9B27_9560),
    ] {
        let mut position = Position::start();
        for text in moves.split_whitespace() {
            let uci: UciMove = text.parse().expect(text);
            position.play(uci.find(&position).expect(text));
        }
        assert_eq!(key(&position), expected, "{moves}");
    }
}

#[test]
fn castling_and_promotions_have_their_bits() {
    for (fen, uci, bits) in [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0x0107),
        ("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8", 0x0F38),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1d1", 0x0103),
        ("8/P7/8/8/8/8/8/k1K5 w - - 0 1", "a7a8q", 0x4C38),
        ("8/P7/8/8/8/8/8/k1K5 w - - 0 1", "a7a8n", 0x1C38),
    ] {
        let position: Position = fen.parse().expect(fen);
        let mv = uci
            .parse::<UciMove>()
            .expect(uci)
            .find(&position)
            .expect(uci);
        let entry = PolyglotEntry::new(&position, mv, 7);
        assert_eq!(entry.mv, bits, "{uci}");
        assert_eq!(entry.legal_move(&position), Some(mv));
        assert_eq!(PolyglotEntry::from_bytes(entry.to_bytes()), entry);
    }
}

#[test]
fn damaged_books_are_refused() {
    let start = Position::start();
    let e2e4 = UciMove::find("e2e4".parse().expect("a move"), &start).expect("legal");
    let entry = PolyglotEntry::new(&start, e2e4, 3);
    let good = entry.to_bytes();
    let error = |bytes: &[u8]| match PolyglotBook::from_bytes("x.bin", bytes) {
        Err(error) => error.to_string(),
        Ok(book) => book.moves(&start).expect_err("illegal").to_string(),
    };
    assert_eq!(
        error(&good[..15]),
        "x.bin: 15 bytes are not a Polyglot book, whose entries have 16 bytes each"
    );
    let lower = PolyglotEntry { key: 5, ..entry };
    assert_eq!(
        error(&[good, lower.to_bytes()].concat()),
        "x.bin: entry 2 is not sorted: its key 0000000000000005 belongs before that of the entry before it; \
         `epode book import` reads such a file, and `epode book export` writes a sorted one"
    );
    let array = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for (mv, text) in [
        (0x0FFF, "h8h8"),
        (0x7B1C, "0x7b1c"),
        (0x0324, "e2e5"),
        (0, "0x0000"),
    ] {
        let illegal = PolyglotEntry { mv, ..entry };
        let text = if mv == 0x0FFF { "0x0fff" } else { text };
        let found = error(&[good, illegal.to_bytes()].concat());
        assert_eq!(
            found,
            format!("x.bin: entry 2: {text} is not a legal move in {array}")
        );
    }
    assert!(
        PolyglotBook::from_bytes("empty.bin", &[])
            .expect("no entries")
            .entries()
            .is_empty()
    );
}

#[test]
fn large_weights_are_scaled() {
    let start = Position::start();
    let moves: Vec<_> = (start.legal_moves().iter().zip([400_000, 200_000, 1, 0]))
        .map(|(&mv, weight)| BookMove {
            mv,
            stats: Stats {
                weight,
                ..Stats::default()
            },
        })
        .collect();
    let weights: Vec<_> = entries(&start, &moves)
        .iter()
        .map(|entry| entry.weight)
        .collect();
    assert_eq!(weights, [65535, 32768, 1, 0]);
}

/// A book for one side: the positions of the other side are not in it.
#[test]
fn books_for_one_side_are_walked() {
    let pgn = "1. e4 e5 2. Nf3 Nc6 3. Bb5 * 1. e4 c5 2. Nf3 d6 *";
    let mut all = Vec::new();
    for game in Games::new(pgn, 99) {
        let game = game.expect("a game");
        let mut position = game.start;
        for (ply, &mv) in game.moves.iter().enumerate() {
            if ply % 2 == 1 {
                all.push(PolyglotEntry::new(&position, mv, 1));
            }
            position.play(mv);
        }
    }
    let keys: std::collections::HashSet<_> = all.iter().map(|entry| entry.key).collect();
    let book = PolyglotBook::from_entries("black.bin", all);
    let found = walk::positions(&book, &[Position::start()]);
    assert_eq!(found.len(), keys.len());
}

#[test]
fn the_lines_of_a_book_are_its_openings() {
    let pgn = "1. e4 e5 2. Nf3 Nc6 3. Bb5 * 1. e4 e5 2. Nf3 * 1. Nf3 e5 2. e4 * 1. d4 *";
    let text = build(pgn, 9, 1);
    let book = Book::Repository(repository(&text));
    let lines = |plies| {
        let lines = walk::lines(&book, &Position::start(), plies, 100).expect("readable");
        lines
            .iter()
            .map(|line| {
                line.moves
                    .iter()
                    .map(|mv| format!("{mv} "))
                    .collect::<Vec<_>>()
                    .concat()
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(1), ["e2e4 ", "g1f3 ", "d2d4 "]);
    // Transpositions are one opening; a book that ends earlier is one too.
    let three = lines(3);
    assert_eq!(three.len(), 2, "{three:?}");
    assert_eq!(three[0], "e2e4 e7e5 g1f3 ");
    assert_eq!(three[1], "d2d4 ");
    assert_eq!(
        walk::lines(&book, &Position::start(), 3, 1)
            .expect("readable")
            .len(),
        1
    );
}

proptest! {
    #![proptest_config(config())]

    /// PGN -> repository -> Polyglot -> import -> lookup: the same moves and weights.
    #[test]
    fn books_round_trip(games in any_games()) {
        let pgn: String = games.iter().map(|game| game.export().expect("legal")).collect();
        let text = build(&pgn, 99, 1);
        let ours = repository(&text);
        let mut all = Vec::new();
        for (position, entry) in positions(&text) {
            all.extend(entries(&position, &entry.book_moves(&position).expect("legal")));
        }
        sort_entries(&mut all);
        let bytes: Vec<u8> = all.iter().flat_map(|entry| entry.to_bytes()).collect();
        prop_assert_eq!(read_entries("x.bin", &bytes).expect("whole"), &*all);
        let book = PolyglotBook::from_bytes("x.bin", &bytes).expect("sorted");
        let found = walk::positions(&book, &[Position::start()]);
        prop_assert_eq!(found.len(), text.lines().count());
        let mut imported: Vec<String> = Vec::new();
        for position in &found {
            let entry = book.get(position).expect("legal").expect("there");
            imported.push(format!("{entry}\n"));
        }
        imported.sort_unstable();
        let imported = repository(&imported.concat());
        for position in &found {
            let weights = |moves: Vec<BookMove>| {
                let mut weights: Vec<_> = moves.iter().map(|book_move| (book_move.mv.to_string(), book_move.stats.weight)).collect();
                weights.sort();
                weights
            };
            let expected = weights(ours.moves(position).expect("readable"));
            prop_assert!(!expected.is_empty());
            prop_assert_eq!(weights(imported.moves(position).expect("readable")), expected);
        }
    }

    /// No bytes make a reader panic.
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200), cut in 0_usize..2) {
        let bytes = &bytes[..bytes.len() - if cut == 0 { bytes.len() % 16 } else { 0 }];
        if let Ok(entries) = read_entries("x.bin", bytes) {
            let start = Position::start();
            let entries = entries.into_iter().map(|entry| PolyglotEntry { key: key(&start), ..entry });
            let book = PolyglotBook::from_entries("x.bin", entries.collect());
            let _ = book.moves(&start);
            let _ = walk::positions(&book, &[start]);
        }
    }
}

/// python-chess's reader finds the same keys, moves and weights in 10,000 positions. Tested if `EPODE_PYTHON` names a
/// Python with python-chess.
#[test]
fn python_chess_reads_the_same_book() {
    let Some(python) = std::env::var_os("EPODE_PYTHON") else {
        println!("not tested: EPODE_PYTHON names no Python with python-chess");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = random_games(400);
    let text = build(&pgn, 60, 1);
    let mut all = Vec::new();
    let mut expected = String::new();
    let mut count = 0;
    for (position, entry) in positions(&text).into_iter().take(10_000) {
        let of_position = entries(&position, &entry.book_moves(&position).expect("legal"));
        count += 1;
        write!(expected, "{position}\t{:016x}", key(&position)).expect("written");
        for entry in of_position.iter().filter(|entry| entry.weight > 0) {
            let mv = entry.legal_move(&position).expect("legal");
            write!(expected, "\t{mv} {}", entry.weight).expect("written");
        }
        expected.push('\n');
        all.extend(of_position);
    }
    assert_eq!(count, 10_000);
    sort_entries(&mut all);
    let bytes: Vec<u8> = all.iter().flat_map(|entry| entry.to_bytes()).collect();
    fs::write(folder.path().join("book.bin"), bytes).expect("written");
    fs::write(folder.path().join("expected"), expected).expect("written");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python_chess.py");
    let output = Command::new(python)
        .arg(script)
        .arg(folder.path())
        .output()
        .expect("Python runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).trim(),
        "10000 positions"
    );
}

/// Games of moves chosen by a fixed rule, with castling, promotions and en passant among them.
fn random_games(count: u64) -> String {
    let mut state = 24_u64;
    let mut draw = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut text = String::new();
    for _ in 0..count {
        let mut position = Position::start();
        text += "[Event \"x\"]\n\n";
        for ply in 0..60 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            // The first moves are few, so that positions have several moves.
            let mv = moves[draw(if ply < 6 {
                moves.len().min(3)
            } else {
                moves.len()
            })];
            text += &[&*mv.to_string(), " "].concat();
            position.play(mv);
        }
        text += ["1-0\n\n", "0-1\n\n", "1/2-1/2\n\n"][draw(3)];
    }
    text
}
