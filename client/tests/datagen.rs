//! `epode datagen`: whole games, the same ones whatever the threads, and continued where they ended.

mod common;

use std::fs;

use common::{FAILED, Folder, stderr};
use engine::Sample;
use predicates::str::contains;

fn samples(bytes: &[u8]) -> Vec<Sample> {
    let (samples, rest) = bytes.as_chunks();
    assert!(rest.is_empty(), "{} bytes", bytes.len());
    let samples = samples.iter().map(Sample::from_bytes);
    samples.map(|sample| sample.expect("a sample")).collect()
}

#[test]
fn the_same_games_on_any_number_of_threads() {
    let folder = Folder::new();
    let run = |line: &str| folder.run(line).success();
    run("datagen one --nodes 100 --games 8");
    run("datagen two --nodes 100 --games 8 --threads 2");
    let one = fs::read(folder.path("one")).expect("written");
    assert!(samples(&one).len() > 100);
    assert_eq!(one, fs::read(folder.path("two")).expect("written"));
    assert_eq!(folder.read("one.state"), folder.read("two.state"));

    // In parts, the second of which finds a game that was torn off.
    run("datagen parts --nodes 100 --games 3");
    let mut torn = fs::read(folder.path("parts")).expect("written");
    torn.extend([7; 50]);
    fs::write(folder.path("parts"), torn).expect("written");
    let assert = run("datagen parts --nodes 100 --games 8 --threads 2");
    assert!(
        stderr(&assert).starts_with("8 games, "),
        "{}",
        stderr(&assert)
    );
    assert_eq!(one, fs::read(folder.path("parts")).expect("written"));
    // Nothing is left to do.
    run("datagen parts --nodes 100 --games 8");
    assert_eq!(one, fs::read(folder.path("parts")).expect("written"));

    run("datagen other --nodes 100 --games 8 --seed 2");
    assert_ne!(one, fs::read(folder.path("other")).expect("written"));
}

#[test]
fn it_ends_when_there_is_enough() {
    let folder = Folder::new();
    folder
        .run("datagen data --nodes 50 --positions 200")
        .success();
    let count = samples(&fs::read(folder.path("data")).expect("written")).len();
    assert!((200..1000).contains(&count), "{count}");
    folder.run("datagen timed --nodes 50 --time 1ms").success();
    assert!(!folder.read("timed.state").is_empty());
}

#[test]
fn a_book_is_read() {
    let book = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - id \"pawns\";\n";
    let folder = Folder::with("book.epd", book);
    folder
        .run("datagen data --nodes 50 --games 5 --book book.epd")
        .success();
    for sample in samples(&fs::read(folder.path("data")).expect("written")) {
        assert!(sample.position.occupied().len() <= 10);
    }
    folder
        .run("datagen data --nodes 50 --games 6")
        .code(FAILED)
        .stderr(contains("data has games with other settings"));

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
fn files_that_do_not_belong_together_are_left_alone() {
    let folder = Folder::with("data", [0; 64]);
    folder
        .run("datagen data --games 1")
        .code(FAILED)
        .stderr(contains("data is there, but not data.state"));
    assert_eq!(fs::read(folder.path("data")).expect("kept"), [0; 64]);

    folder.run("datagen new --nodes 50 --games 2").success();
    fs::write(folder.path("new"), "").expect("written");
    folder
        .run("datagen new --nodes 50 --games 3")
        .code(FAILED)
        .stderr(contains("new is shorter than new.state says"));
    for state in ["", "{}", "what"] {
        fs::write(folder.path("new.state"), state).expect("written");
        let assert = folder.run("datagen new --nodes 50 --games 3").code(FAILED);
        assert!(stderr(&assert).contains("new"), "{}", stderr(&assert));
    }
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
    folder.run("datagen data --check").code(FAILED);
}
