//! `epode diagram`.

use std::fs;
use std::path::Path;

use crate::common::{ALL_WELL, FAILED, FAULTY, Folder};
use predicates::str::contains;

const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../suites/bratko-kopec.epd");

const GAME: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - sm Nf3;
rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - id \"second\";
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 id \"third\";
";

/// The size of a PNG by its header.
fn png_size(folder: &Folder, name: &str) -> [u32; 2] {
    let bytes = fs::read(folder.path(name)).expect(name);
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1A\n"), "{name}");
    [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes")))
}

/// `EPODE_BLESS=1 cargo test -p epode --test end_to_end diagram` writes the picture of the guide anew.
#[test]
fn the_picture_of_the_guide_is_what_is_drawn() {
    let folder = Folder::new();
    folder
        .run(&format!("diagram {SUITE} sheet.svg --only 1-6"))
        .code(ALL_WELL);
    let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("guide/sheet.svg");
    if std::env::var_os("EPODE_BLESS").is_some() {
        fs::copy(folder.path("sheet.svg"), &picture).expect("written");
    }
    let expected = fs::read_to_string(picture).expect("a picture");
    assert_eq!(folder.read("sheet.svg"), expected);
}

#[test]
fn sheets_have_as_many_diagrams_as_asked_for() {
    let folder = Folder::new();
    for (options, out, width) in [
        ("--only 3", "one.png", 360),
        ("--only 3 --size 90", "small.png", 90),
        ("--per-page 6", "six-4.png", 720),
        ("--per-page 12", "twelve-2.png", 1080),
        ("--per-page 24 --columns 6", "all.png", 2160),
    ] {
        let name = out.replace("-4", "").replace("-2", "");
        folder
            .run(&format!("diagram {SUITE} {name} {options}"))
            .code(ALL_WELL);
        let [found, height] = png_size(&folder, out);
        assert_eq!(found, width, "{out}");
        assert!(height > 0);
    }
    folder
        .run(&format!("diagram {SUITE} six.svg --per-page 6"))
        .code(ALL_WELL);
    let sheets = folder.names();
    assert!(sheets.contains(&"six-4.svg".to_owned()) && !sheets.contains(&"six.svg".to_owned()));
    assert_eq!(
        folder
            .read("six-4.svg")
            .matches("class=\"heading\"")
            .count(),
        6
    );
}

#[test]
fn threads_make_no_difference() {
    let folder = Folder::new();
    folder
        .run(&format!(
            "diagram {SUITE} one --jobs 1 --format png --size 100"
        ))
        .code(ALL_WELL);
    folder
        .run(&format!(
            "diagram {SUITE} three --jobs 3 --format png --size 100"
        ))
        .code(ALL_WELL);
    let read = |name: &str| {
        let files = fs::read_dir(folder.path(name)).expect("a folder");
        let mut files: Vec<_> = files
            .map(|file| {
                let path = file.expect("a file").path();
                (
                    path.file_name().expect("a name").to_owned(),
                    fs::read(path).expect("read"),
                )
            })
            .collect();
        files.sort();
        files
    };
    assert_eq!(read("one").len(), 24);
    assert!(read("one") == read("three"));
}

#[test]
fn the_last_move_is_that_of_the_record_before_or_of_the_en_passant_square() {
    let folder = Folder::with("game.epd", GAME);
    folder.run("diagram game.epd out").code(ALL_WELL);
    let marked = |name: &str| {
        let svg = folder.read(&format!("out/{name}.svg"));
        let marks = svg.match_indices("class=\"last\" ");
        marks
            .map(|(at, _)| svg[at + 13..at + 30].to_owned())
            .collect::<Vec<_>>()
    };
    assert!(marked("line-1").is_empty());
    // g1 and f3; e7 and e5.
    for (name, squares) in [
        ("second", ["x=\"240\" y=\"280\"", "x=\"200\" y=\"200\""]),
        ("third", ["x=\"160\" y=\"40\"", "x=\"160\" y=\"120\""]),
    ] {
        let found = marked(name);
        assert_eq!(found.len(), 2, "{name}");
        for (found, square) in found.iter().zip(squares) {
            assert!(found.starts_with(square), "{name}: {found}");
        }
    }
}

#[test]
fn moves_are_arrows_unless_it_is_an_exercise() {
    let record = "7k/8/8/8/8/8/8/R6K w - - am Ra7; bm Ra8+; pm Rb1; pv Rb1 Kg8 Rb8+; id \"x\";\n";
    let folder = Folder::with("x.epd", record);
    let arrows = |options: &str| {
        let output = folder
            .command(&format!("diagram x.epd - {options}"))
            .output();
        let svg = String::from_utf8(output.expect("it runs").stdout).expect("UTF-8");
        let count = |class: &str| svg.matches(&format!("class=\"arrow {class}\"")).count();
        (
            ["best", "wrong", "expected", "later"].map(count),
            svg.contains("Ra8+"),
        )
    };
    assert_eq!(arrows("--pv 3"), ([1, 1, 1, 2], true));
    assert_eq!(arrows("--pv 0"), ([1, 1, 1, 0], true));
    assert_eq!(arrows("--no-moves"), ([0, 0, 0, 0], false));
}

#[test]
fn hostile_text_stays_text() {
    let long = "<script>alert(1)</script>".repeat(400);
    let line = format!("7k/8/8/8/8/8/8/R6K w - - c0 \"{long}\"; id \"{long}\";\n");
    let folder = Folder::with("x.epd", line);
    folder.run("diagram x.epd x.svg").code(ALL_WELL);
    folder.run("diagram x.epd out --format png").code(ALL_WELL);
    let svg = folder.read("x.svg");
    assert!(!svg.contains("<script") && svg.contains("&lt;script&gt;"));
    let names: Vec<_> = fs::read_dir(folder.path("out"))
        .expect("a folder")
        .collect();
    let name = names[0].as_ref().expect("a file").file_name();
    assert!(name.len() <= 104, "{name:?}");
}

#[test]
fn what_cannot_be_drawn_is_reported() {
    let lines = "7k/8/8/8/8/8/8/R6K w - - bm Ra8+ Rb2;\n# remark\n\n8/8/8/8/8/8/8/8 w - -\n";
    let folder = Folder::with("x.epd", lines);
    folder
        .run("diagram x.epd x.svg")
        .code(FAULTY)
        .stderr(contains(
            "x.epd:1:34: warning[bm-not-legal]: bm: Rb2: not a legal move here",
        ))
        .stderr(contains("x.epd:4:1: warning[illegal-position]"))
        .stderr(contains(
            "2 diagrams in 1 file, 2 with warnings; 0 lines not understood",
        ));
    assert_eq!(folder.read("x.svg").matches("class=\"heading\"").count(), 2);
    fs::write(folder.path("x.epd"), "nothing here\n").expect("written");
    folder
        .run("diagram x.epd y.svg")
        .code(FAILED)
        .stderr(contains("x.epd:1:13: the castling availability is missing"))
        .stderr(contains("0 diagrams in 0 files"));
    assert!(!folder.path("y.svg").exists());
}

#[test]
fn wrong_arguments_are_refused() {
    let folder = Folder::with("x.epd", GAME);
    fs::write(folder.path("many.epd"), GAME.repeat(67)).expect("written");
    for (line, message) in [
        (
            "x.epd x.pdf",
            "x.pdf is not a folder and does not end in .svg or .png",
        ),
        (
            "x.epd x.svg --format png",
            "does not end in the name of --format",
        ),
        ("x.epd x.epd --format svg", "both IN and OUT"),
        ("x.epd x.svg --only 4", "there is no record 4: x.epd has 3"),
        ("x.epd - --per-page 2", "standard output takes one sheet"),
        ("many.epd x.png --size 4000 --per-page 100", "is too large"),
        ("none.epd x.svg", "cannot open none.epd"),
        ("x.epd x.svg --color dark=red", "\"red\" is not a colour"),
        ("x.epd x.svg --only 0", "is not a number from 1"),
    ] {
        folder
            .run(&format!("diagram {line}"))
            .code(FAILED)
            .stderr(contains(message));
    }
    folder
        .run("diagram many.epd x.svg")
        .code(FAILED)
        .stderr(contains("too many for one sheet: give --per-page"));
    assert_eq!(folder.names(), ["many.epd", "x.epd"]);
}

#[test]
fn colours_and_themes() {
    let folder = Folder::with("x.epd", GAME);
    folder
        .run("diagram x.epd x.svg --theme auto --color dark=#010203")
        .code(ALL_WELL);
    let svg = folder.read("x.svg");
    assert!(svg.contains("@media (prefers-color-scheme: dark)"));
    assert!(svg.contains(".dark { fill: #010203; }") && !svg.contains("#bf9b73"));
    folder
        .run("diagram x.epd x.svg --theme dark")
        .code(ALL_WELL);
    let svg = folder.read("x.svg");
    assert!(svg.contains(".paper { fill: #14171a; }") && !svg.contains("@media"));
}
