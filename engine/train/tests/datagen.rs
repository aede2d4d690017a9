//! `datagen` and `unpack`: the same games for any number of threads, continued after a crash, and
//! expanded to what was played.

mod common;

use std::fs;
use std::io::Write;
use std::num::NonZeroU8;

use common::{FAILED, FAULTY, Folder, stderr};
use engine::{Searcher, Signals};
use epode_train::data_point::DataPoint;
use epode_train::selfplay::SelfPlay;
use flate2::Compression;
use flate2::write::GzEncoder;
use predicates::str::contains;

/// The data points of a game file.
fn data_points(folder: &Folder, name: &str) -> Vec<DataPoint> {
    unpacked(folder, name, "")
}

/// The data points of a game file that `unpack` writes with these options.
fn unpacked(folder: &Folder, name: &str, options: &str) -> Vec<DataPoint> {
    let out = format!("{name}.bin");
    folder
        .run(&format!("unpack {name} --out {out} {options}"))
        .success();
    let bytes = folder.read(&out);
    let (stored, rest) = bytes.as_chunks();
    assert!(rest.is_empty(), "{} bytes", bytes.len());
    let points = stored.iter().map(DataPoint::from_bytes);
    points.map(|point| point.expect("a data point")).collect()
}

#[test]
fn the_same_games_on_any_number_of_threads() {
    let folder = Folder::new();
    let run = |line: &str| folder.run(line).success();
    run("datagen one --nodes 100 --games 8");
    run("datagen two --nodes 100 --games 8 --threads 2");
    let one = data_points(&folder, "one");
    assert!(one.len() > 100);
    let read = |name: &str| folder.read(name);
    assert_eq!(read("one"), read("two"));

    // In two runs, the second of which finds a block that is cut off.
    run("datagen parts --nodes 100 --games 3");
    let mut torn = read("parts");
    torn.extend(&read("one")[..100]);
    fs::write(folder.path("parts"), &torn[..torn.len() - 60]).expect("written");
    let assert = run("datagen parts --nodes 100 --games 8 --threads 2");
    assert!(
        stderr(&assert).starts_with("8 games, "),
        "{}",
        stderr(&assert)
    );
    assert_eq!(data_points(&folder, "parts"), one);
    // Nothing is left to do.
    let before = read("parts");
    run("datagen parts --nodes 100 --games 8");
    assert_eq!(read("parts"), before);

    run("datagen other --nodes 100 --games 8 --seed 2");
    assert_ne!(data_points(&folder, "other"), one);
}

/// The data points of stored games are those of the games that were played.
#[test]
fn a_file_expands_to_the_positions_that_were_played() {
    let folder = Folder::new();
    folder
        .run("datagen games --nodes 100 --games 70 --hash 1 --seed 5 --side-line-limit 900")
        .success();
    let play = SelfPlay {
        nodes: 100,
        seed: 5,
        side_lines: 100,
        side_line_limit: Some(900),
        ..SelfPlay::default()
    };
    let found = data_points(&folder, "games");
    assert_played(&play, 70, &found);
    folder
        .run("unpack games --threads 3 --out threads.bin")
        .success();
    let bytes: Vec<_> = found.iter().flat_map(DataPoint::to_bytes).collect();
    assert!(fs::read(folder.path("threads.bin")).expect("written") == bytes);
    let bytes = fs::metadata(folder.path("games")).expect("written").len();
    let each = bytes as f64 / found.len() as f64;
    assert!((1.0..4.0).contains(&each), "{each} bytes a position");

    folder
        .run("datagen few --nodes 100 --games 20 --hash 1 --seed 5 --label-every 4")
        .success();
    let play = SelfPlay {
        side_line_limit: None,
        label_every: NonZeroU8::new(4).expect("not 0"),
        ..play
    };
    assert_played(&play, 20, &data_points(&folder, "few"));
}

/// Plays the first games, and compares their data points with those of a file.
fn assert_played(play: &SelfPlay, games: u64, found: &[DataPoint]) {
    let mut searcher = Searcher::new(1);
    let mut expected = Vec::new();
    for number in 0..games {
        let game = play.play(number, &mut searcher, &Signals::default());
        expected.extend(game.expect("a game").data_points(0.0).expect("legal moves"));
    }
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        // Bytes: equality of positions leaves clocks out.
        assert_eq!(found.to_bytes(), expected.to_bytes(), "{expected:?}");
    }
}

/// `unpack` leaves out high scores and a share of the data points of games, but none of side lines.
#[test]
fn some_data_points_can_be_left_out() {
    let folder = Folder::new();
    folder
        .run("datagen games --nodes 100 --games 40 --hash 1")
        .success();
    let all = data_points(&folder, "games");
    let kept = |options: &str| unpacked(&folder, "games", options);
    let small = |point: &&DataPoint| point.score.unsigned_abs() <= 300;
    let expected: Vec<_> = all.iter().filter(small).copied().collect();
    assert!(expected.len() < all.len());
    assert_eq!(kept("--max-score 300"), expected);

    let aside = |points: &[DataPoint]| points.iter().filter(|p| p.result.is_none()).count();
    let [half, third, none] = [50, 30, 0].map(|share| kept(&format!("--game-share {share}")));
    let of_games = |points: &[DataPoint]| points.len() - aside(points);
    assert!((of_games(&all) * 4 / 10..of_games(&all) * 6 / 10).contains(&of_games(&half)));
    assert!(third.iter().all(|point| half.contains(point)));
    assert!(of_games(&third) < of_games(&half));
    assert_eq!(of_games(&none), 0);
    for points in [&half, &third, &none] {
        assert_eq!(aside(points), aside(&all));
    }
}

/// A damaged block loses its own games and no others, wherever the damage is.
#[test]
fn damaged_blocks_are_skipped() {
    let folder = Folder::new();
    folder.run("datagen games --nodes 20 --games 200").success();
    let whole = data_points(&folder, "games");
    let bytes = fs::read(folder.path("games")).expect("written");
    let frames: Vec<_> = memchr::memmem::find_iter(&bytes, b"\x89EPGAME\n").collect();
    // The settings, three full blocks and the rest.
    assert_eq!(frames.len(), 5);
    let damage = |name: &str, at: usize, cut: usize| {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        damaged.drain(at + 1..at + 1 + cut);
        fs::write(folder.path(name), damaged).expect("written");
        let assert = folder
            .run(&format!("unpack {name} --threads 2 --out {name}.bin"))
            .code(FAULTY)
            .stderr(contains("bytes are damaged and were skipped"));
        let left = fs::read(folder.path(&format!("{name}.bin"))).expect("written");
        drop(assert);
        left.len() / DataPoint::SIZE
    };
    let header = damage("header", frames[2] + 20, 0);
    let payload = damage("payload", frames[2] + 60, 0);
    let cut = damage("cut", frames[2] + 60, 30);
    assert!(header == payload && payload == cut && header < whole.len());
    assert!(header > whole.len() / 2, "{header} of {}", whole.len());
    // The first frame is not needed to read the games.
    let mut beheaded = bytes.clone();
    beheaded[8] ^= 1;
    fs::write(folder.path("beheaded"), beheaded).expect("written");
    folder.run("unpack beheaded --out all.bin").code(FAULTY);
    let all = fs::read(folder.path("all.bin")).expect("written");
    assert_eq!(all.len() / DataPoint::SIZE, whole.len());
    // It cannot be continued where games follow the damage.
    folder
        .run("datagen cut --nodes 20 --games 300")
        .code(FAILED)
        .stderr(contains("damaged, with games after it"));
}

#[test]
fn it_ends_when_there_is_enough() {
    let folder = Folder::new();
    folder
        .run("datagen data --nodes 50 --positions 200")
        .success();
    let count = data_points(&folder, "data").len();
    assert!((200..1000).contains(&count), "{count}");
    folder.run("datagen timed --nodes 50 --time 1ms").success();
    assert!(folder.path("timed").exists());
}

#[test]
fn a_book_is_read() {
    let book = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - id \"pawns\";\n";
    let folder = Folder::with("book.epd", book);
    folder
        .run("datagen data --nodes 50 --games 5 --book book.epd")
        .success();
    for point in data_points(&folder, "data") {
        assert!(point.position.occupied().len() <= 10);
    }
    folder
        .run("datagen data --nodes 50 --games 6")
        .code(FAILED)
        .stderr(contains("data has games with other settings"));

    // Compressed, it is the same book.
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(book.as_bytes()).expect("compressed");
    folder.write("book.epd.gz", gzip.finish().expect("compressed"));
    let zstd = zstd::encode_all(book.as_bytes(), 3);
    folder.write("book.epd.zst", zstd.expect("compressed"));
    for name in ["book.epd.gz", "book.epd.zst"] {
        let line = format!("datagen {name}.data --nodes 50 --games 5 --book {name}");
        folder.run(&line).success();
        assert_eq!(folder.read(&format!("{name}.data")), folder.read("data"));
    }

    for (content, message) in [
        ("", "book.epd has no positions, expected EPD records"),
        (
            "4k3/8/8/8/8/8/4R3/4K3 w - -\n",
            "book.epd:1: illegal position",
        ),
        ("what\n", "book.epd:1:5: the active colour is missing"),
    ] {
        fs::write(folder.path("book.epd"), content).expect("written");
        folder
            .run("datagen new --book book.epd")
            .code(FAILED)
            .stderr(contains(message));
    }
}

#[test]
fn files_that_are_not_games_are_left_alone() {
    let folder = Folder::with("data", [0; 64]);
    folder
        .run("datagen data --games 1")
        .code(FAILED)
        .stderr(contains("data is not a game file: it is left unchanged"));
    assert_eq!(fs::read(folder.path("data")).expect("kept"), [0; 64]);
    folder
        .run("unpack data")
        .code(FAILED)
        .stderr(contains("data is not a game file"));
    folder
        .run("datagen missing/data --games 1")
        .code(FAILED)
        .stderr(contains("cannot write missing/data"));
}

#[test]
fn checking_stores_nothing() {
    let folder = Folder::new();
    let assert = folder.run("datagen --check --nodes 50 --games 3").success();
    assert!(
        stderr(&assert).starts_with("3 games, "),
        "{}",
        stderr(&assert)
    );
    assert!(folder.names().is_empty());
    folder.run("datagen").code(FAILED);
    folder
        .run("datagen data --endings 60 --chess960 41")
        .code(FAILED)
        .stderr(contains("more than 100 percent together"));
    folder
        .run("datagen data --endings 101")
        .code(FAILED)
        .stderr(contains("expected a number from 0 to 100"));
    folder
        .run("datagen data --syzygy missing")
        .code(FAILED)
        .stderr(contains("--syzygy"));
    folder.run("datagen data --check").code(FAILED);
}

/// A damaged table is named, and games go on without it.
#[test]
fn damaged_tables_are_reported() {
    let folder = Folder::new();
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../../movegen/syzygy/tables");
    for entry in fs::read_dir(tables).expect("tables") {
        let entry = entry.expect("an entry");
        let name = entry.file_name();
        let name = name.to_str().expect("UTF-8");
        let mut bytes = fs::read(entry.path()).expect(name);
        if name == "KRvK.rtbw" {
            bytes[40] ^= 1;
        }
        folder.write(name, bytes);
    }
    let assert = folder
        .run("datagen data --nodes 50 --games 40 --endings 100 --syzygy .")
        .success();
    let report = stderr(&assert);
    assert_eq!(report.matches("it is not used").count(), 1, "{report}");
    assert!(
        report.contains("KRvK.rtbw: damaged table: the checksum does not match; it is not used"),
        "{report}"
    );
    assert!(report.contains("40 games, "), "{report}");
}
