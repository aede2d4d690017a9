//! Repositories: built, looked up, merged.

mod common;

use std::collections::BTreeMap;
use std::fs;

use common::{PGN, any_games, batch, build, config, finish, positions, repository};
use epode_book::{Builder, Entry, Merge, Repository, Stats, fields};
use movegen::pgn::Games;
use movegen::{Position, San};
use proptest::prelude::*;

#[test]
fn games_are_counted_for_the_side_that_moves() {
    let text = build(PGN, 40, 1);
    let start = text
        .lines()
        .find(|line| line.starts_with("rnbqkbnr/pppppppp/8/8/8/8/"))
        .expect("there");
    assert_eq!(
        start,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - \
         Bk_e2e4 \"3 1 0 1 3 2023\"; Bk_g1f3 \"1 0 1 0 1 0\";"
    );
    // 1. Nf3 c5 2. e4 is the position of 1. e4 c5 2. Nf3, which has no moves any more.
    assert!(!text.contains("2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b"), "{text}");
    assert_eq!(build(PGN, 1, 2).lines().count(), 1);
    assert_eq!(build(PGN, 0, 1), "");
}

#[test]
fn moves_come_best_first() {
    let text = build(PGN, 40, 1);
    let book = repository(&text);
    let mut position = Position::start();
    let moves = book.moves(&position).expect("readable");
    let sans: Vec<_> = moves
        .iter()
        .map(|book_move| San::of(&position, book_move.mv).to_string())
        .collect();
    assert_eq!(sans, ["e4", "Nf3"]);
    position.play(moves[0].mv);
    let moves = book.moves(&position).expect("readable");
    assert_eq!(
        San::of(&position, moves[0].mv).to_string(),
        "c5",
        "by weight, not by games"
    );
    assert_eq!(
        moves[0].stats,
        Stats {
            games: 1,
            wins: 1,
            weight: 2,
            year: 2023,
            ..Stats::default()
        }
    );
    assert_eq!(
        book.moves(&"4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().expect("legal"))
            .expect("readable"),
        []
    );
}

/// A large file is not read as a whole, and still searched right: every position is found, and no other.
#[test]
fn every_position_of_a_file_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.epd");
    let mut text = "# a comment\n\n".to_owned();
    let mut all = Vec::new();
    // Kings and pawns on all squares make some thousand positions.
    for king in 8..56 {
        for pawn in 8..56 {
            let mut board = [b'1'; 64];
            (board[king], board[pawn], board[0], board[7]) = (b'K', b'P', b'k', b'1');
            let ranks: Vec<_> = board
                .chunks(8)
                .map(|rank| String::from_utf8_lossy(rank))
                .collect();
            let fen = format!("{} w - - 0 1", ranks.join("/"));
            if let Ok(position) = fen.parse::<Position>() {
                all.push(position);
            }
        }
    }
    let (known, unknown): (Vec<_>, Vec<_>) = all.iter().enumerate().partition(|(n, _)| n % 3 != 0);
    let mut lines: Vec<_> = known
        .iter()
        .map(|(n, position)| {
            let mv = position.legal_moves()[0];
            let comment = "x".repeat(n % 200);
            format!(
                "{} Bk_{mv} \"1 0 0 1 {n} 0\"; c0 \"{comment}\";\n",
                fields(position)
            )
        })
        .collect();
    lines.sort_unstable();
    text += &lines.concat();
    for ends in ["\n", "\r\n"] {
        fs::write(&path, text.replace('\n', ends)).expect("written");
        let book = Repository::open(&path).expect("sorted");
        for (n, position) in &known {
            let moves = book.moves(position).expect("readable");
            assert_eq!(moves[0].stats.weight, *n as u64, "{position}");
        }
        for (_, position) in &unknown {
            assert_eq!(book.moves(position).expect("readable"), [], "{position}");
        }
    }
    // The last line needs no line feed.
    fs::write(&path, text.trim_end()).expect("written");
    let book = Repository::open(&path).expect("sorted");
    assert!(
        known
            .iter()
            .all(|(_, position)| !book.moves(position).expect("readable").is_empty())
    );
}

#[test]
fn errors_name_the_line_and_what_helps() {
    let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
    let kings = "4k3/8/8/8/8/8/8/4K3 w - -";
    let error = |text: &str| match Repository::from_text("my.epd", text) {
        Err(error) => error.to_string(),
        Ok(book) => {
            let position = epd::read(kings, &mut Vec::new())
                .expect("a record")
                .position();
            book.moves(&position.expect("legal"))
                .expect_err(text)
                .to_string()
        }
    };
    assert_eq!(
        error(&format!("# two\n{e4} Bk_e7e5 \"1 0 0 1 0 0\";\n{kings}\n")),
        "my.epd:3: not sorted: this position belongs before that of line 2; \
         `epode book build --min-games 1 my.epd -o SORTED.epd` sorts a repository"
    );
    assert_eq!(
        error(&format!("{kings}\n{kings} c0 \"again\";\n")),
        "my.epd:2: this position is in line 1 too; \
         `epode book build --min-games 1 my.epd -o UNITED.epd` unites them"
    );
    assert_eq!(
        error(&format!("# x\n\n{kings}\n\n")),
        "my.epd:4: a blank line or comment after the first record, where a search does not expect it; \
         `epode book merge my.epd -o CLEAN.epd` leaves it out"
    );
    assert_eq!(
        error(&format!("# x\n{kings} Bk_e1e3 \"1 0 0 1 0 0\";\n")),
        "my.epd:2: Bk_e1e3: not a legal move here"
    );
    assert_eq!(
        error(&format!("{kings} Bk_Kd1 \"1 0 0 1 0 0\";")),
        "my.epd:1: Bk_Kd1: expected Bk_ and a move in UCI notation, such as Bk_e2e4"
    );
    assert_eq!(
        error(&format!("{kings} Bk_e1d1 \"1 0 0\";")),
        "my.epd:1: Bk_e1d1: \"1 0 0\": expected \"GAMES WINS DRAWS LOSSES WEIGHT YEAR\", six numbers"
    );
    assert_eq!(
        error(&format!("{kings} Bk_e1d1 1 2;")),
        "my.epd:1: Bk_e1d1 has 2 operands, expected one string"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.epd.gz");
    fs::write(&path, [0x1F, 0x8B, 8, 0]).expect("written");
    let error = Repository::open(&path).expect_err("compressed").to_string();
    assert!(error.ends_with(
        "is compressed with gzip: a book is searched in its file, so decompress it first"
    ));
}

/// Files that are too large to be checked whole are checked where they are read.
#[test]
fn large_unsorted_files_are_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.epd");
    let lines: Vec<_> = (0..60_000)
        .map(|n| format!("{} w - - c0 \"{}\";\n", n * 7919 % 60_000, "x".repeat(80)))
        .collect();
    // The first record is read when the file is opened.
    let lines = format!("k7/8/8/8/8/8/8/K7 w - -;\n{}", lines.concat());
    assert!(lines.len() > 4 << 20);
    fs::write(&path, &lines).expect("written");
    let error = Repository::open(&path).expect_err("unsorted").to_string();
    assert!(
        error.contains("book.epd:") && error.contains("not sorted"),
        "{error}"
    );
}

fn entries(text: &str) -> Vec<Result<Entry, String>> {
    positions(text)
        .into_iter()
        .map(|(_, entry)| Ok(entry))
        .collect()
}

/// `ce`, `pv` and the like come from one analysis, the deeper one; other operations from the first file.
#[test]
fn entries_are_united() {
    const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - -";
    let united = |first: &str, second: &str| {
        let sources =
            [first, second].map(|operations| entries(&format!("{KINGS} {operations}")).into_iter());
        let merged: Vec<_> = Merge::new(sources.into())
            .collect::<Result<_, _>>()
            .expect("merged");
        let [entry] = &merged[..] else {
            panic!("{merged:?}")
        };
        entry.to_string()[KINGS.len() + 1..].to_owned()
    };
    assert_eq!(
        united(
            "Bk_e1d1 \"2 1 0 1 2 1999\"; eco \"A\";",
            "Bk_e1d1 \"1 0 1 0 1 2001\"; Bk_e1d2 \"1 0 1 0 1 0\"; eco \"B\"; v0 \"x\";"
        ),
        "Bk_e1d1 \"3 1 1 1 3 2001\"; Bk_e1d2 \"1 0 1 0 1 0\"; eco \"A\"; v0 \"x\";"
    );
    assert_eq!(
        united("acd 9; ce 1; pv Kd1;", "acd 12; bm Kd2; ce 3;"),
        "acd 12; bm Kd2; ce 3;"
    );
    assert_eq!(
        united("acd 9; ce 1;", "acd 9; ce 3; pm Kd2;"),
        "acd 9; ce 1;"
    );
    assert_eq!(
        united("c0 \"x\";", "ce 3; pm Kd2;"),
        "c0 \"x\"; ce 3; pm Kd2;"
    );
}

#[test]
fn analysed_records_become_entries() {
    let entry = |line: &str| {
        let record = epd::read(line, &mut Vec::new()).expect(line);
        Entry::of_analysis(&record)
            .map(|entry| entry.to_string())
            .map_err(|error| error.to_string())
    };
    let kings = "4k3/8/8/8/8/8/8/4K3 w - -";
    for (operations, expected) in [
        (
            "bm Kd1 Ke2; ce 4; hmvc 3; fmvn 9;",
            "Bk_e1d1 \"0 0 0 0 1 0\"; Bk_e1e2 \"0 0 0 0 1 0\"; bm Kd1 Ke2; ce 4;",
        ),
        (
            "pm Kf2; sm Ke2; id \"x\";",
            "Bk_e1f2 \"0 0 0 0 1 0\"; id \"x\"; pm Kf2;",
        ),
        ("pv Kf2 Kd7;", "Bk_e1f2 \"0 0 0 0 1 0\"; pv Kf2 Kd7;"),
        (
            "Bk_e1d1 \"1 0 1 0 1 0\"; bm Kf2;",
            "Bk_e1d1 \"1 0 1 0 1 0\"; bm Kf2;",
        ),
    ] {
        assert_eq!(
            entry(&format!("{kings} {operations}")),
            Ok(format!("{kings} {expected}"))
        );
    }
    assert_eq!(
        entry(&format!("{kings} bm Kd4;")),
        Err("bm: Kd4: not a legal move here".to_owned())
    );
    assert_eq!(
        entry("8/8/8/8/8/8/8/4K3 w - -"),
        Err("illegal position: no black king".to_owned())
    );
    assert_eq!(
        entry(&format!("{kings} Bk_e1e4 \"1 0 1 0 1 0\";")),
        Err("Bk_e1e4: not a legal move here".to_owned())
    );
    assert_eq!(
        entry("4k3/8/8/8/8/8/8/4K2R w K - Bk_e1h1 \"1 0 1 0 1 0\";"),
        Ok("4k3/8/8/8/8/8/8/4K2R w K - Bk_e1g1 \"1 0 1 0 1 0\";".to_owned())
    );
    // An en passant square without a legal capture is left out.
    assert_eq!(
        entry("4k3/8/8/8/4P3/8/8/4K3 b - e3 ce 1;"),
        Ok("4k3/8/8/8/4P3/8/8/4K3 b - - ce 1;".to_owned())
    );
}

proptest! {
    #![proptest_config(config())]

    /// What the builder writes is what counting in a map says, in memory and through temporary files alike.
    #[test]
    fn games_are_added_up(games in any_games(), plies in 0_usize..50, min_games in 1_u64..4) {
        let pgn: String = games.iter().map(|game| game.export().expect("legal")).collect();
        let mut expected: BTreeMap<String, BTreeMap<String, Stats>> = BTreeMap::new();
        for game in Games::new(&pgn, plies) {
            let game = game.expect("a game");
            let points = match game.result { Some("1-0") => [2, 0], Some("0-1") => [0, 2], Some("1/2-1/2") => [1, 1], _ => [3, 3] };
            let mut position = game.start;
            for &mv in &game.moves {
                let points = points[position.turn() as usize];
                let moves = expected.entry(fields(&position)).or_default();
                let stats = moves.entry(mv.to_string()).or_default();
                stats.games += 1;
                stats.wins += u64::from(points == 2);
                stats.draws += u64::from(points == 1);
                stats.losses += u64::from(points == 0);
                stats.weight += [0, 1, 2, 1][points];
                stats.year = stats.year.max(game.tag("Date").expect("a date")[..4].parse().expect("a year"));
                position.play(mv);
            }
        }
        let mut text = String::new();
        for (fields, moves) in &expected {
            let moves: Vec<_> = moves.iter().filter(|(_, stats)| stats.games >= min_games)
                .map(|(mv, stats)| format!(" Bk_{mv} \"{stats}\";")).collect();
            if !moves.is_empty() {
                text += &[fields, &*moves.concat(), "\n"].concat();
            }
        }
        prop_assert_eq!(build(&pgn, plies, min_games), &*text);
        // So little memory that each game goes to a file, entries of a repository among them.
        let mut builder = Builder::new(0, std::env::temp_dir());
        for game in &games {
            builder.add(&batch(&game.export().expect("legal"), plies)).expect("written");
        }
        prop_assert_eq!(finish(builder, min_games), &*text);
        let all = build(&pgn, plies, 1);
        let half = all.lines().count() / 2;
        let mut builder = Builder::new(0, std::env::temp_dir());
        for (_, entry) in positions(&all).into_iter().rev().skip(half) {
            builder.add_entry(entry).expect("written");
        }
        for (_, entry) in positions(&all).into_iter().rev().take(half) {
            builder.add_entry(entry).expect("written");
        }
        prop_assert_eq!(finish(builder, min_games), &*text);
        // Every position is found with its moves.
        let book = repository(&text);
        for (position, entry) in positions(&text) {
            prop_assert_eq!(book.get(&position).expect("readable"), Some(entry));
        }
    }

    /// No text makes a search panic.
    #[test]
    fn any_text_is_searched_or_refused(
        parts in proptest::collection::vec(prop_oneof![
            Just("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"), Just(" Bk_e2e4"), Just(" \"1 0 0 1 0 0\";"),
            Just(" Bk_e2e5 \"1 1 1 1 1 1\";"), Just("\n"), Just("\r\n"), Just("#"), Just("\""), Just(" "), Just("\u{e9}"),
            Just("4k3/8/8/8/8/8/8/4K3 w - -"), Just("zzz"), Just(";"), Just("\0"),
        ], 0..25),
    ) {
        if let Ok(book) = Repository::from_text("any", parts.concat()) {
            let _ = book.moves(&Position::start());
            let _ = book.get(&"4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().expect("legal"));
        }
    }
}
