//! Polyglot books: written, read, damaged and read-only.

use std::fs;

use super::{START, folder};
use crate::common::{ALL_WELL, FAILED, FAULTY, stderr, stdout};

/// `book export` says how to overwrite a read-only file, and does.
#[test]
fn a_read_only_polyglot_book() {
    let folder = folder();
    fs::write(folder.path("book.bin"), "").expect("written");
    let mut permissions = fs::metadata(folder.path("book.bin"))
        .expect("it")
        .permissions();
    permissions.set_readonly(true);
    fs::set_permissions(folder.path("book.bin"), permissions).expect("set");
    folder
        .run("book export book.epd book.bin")
        .code(FAILED)
        .stderr("epode: cannot write book.bin: it is read-only (--force overwrites it)\n");
    folder
        .run("book export book.epd book.bin --force")
        .code(ALL_WELL);
    assert!(!fs::read(folder.path("book.bin")).expect("it").is_empty());
}

/// PGN -> repository -> Polyglot -> repository: the same moves and weights.
#[test]
fn polyglot_books_are_written_and_read() {
    let folder = folder();
    let exported = folder
        .run("book export --all book.epd book.bin")
        .code(ALL_WELL);
    assert_eq!(stderr(&exported), "27 positions, 30 moves\n");
    assert_eq!(
        fs::read(folder.path("book.bin")).expect("written").len(),
        30 * 16
    );
    let imported = folder.run("book import book.bin back.epd").code(ALL_WELL);
    assert_eq!(stderr(&imported), "27 positions, 30 moves\n");
    let weights = |name: &str| {
        let table = stdout(&folder.run(&format!("book dump {name}")));
        let columns = |line: &str| {
            let columns: Vec<_> = line.split('\t').collect();
            [columns[0], columns[1], columns[7], columns[9], columns[10]].join(" ")
        };
        let mut lines: Vec<_> = table.lines().map(columns).collect();
        lines.sort();
        lines
    };
    assert_eq!(weights("book.epd"), weights("back.epd"));
    assert_eq!(weights("book.epd").len(), 31);
    let found = stdout(&folder.run("book lookup book.bin"));
    assert!(
        found.contains("\ne4        0    -      -     -       3  60.0%     -\n"),
        "{found}"
    );
    folder.run("book export back.epd again.bin").code(ALL_WELL);
    folder
        .run("book export book.epd weighted.bin")
        .code(ALL_WELL);
    assert_eq!(
        fs::read(folder.path("again.bin")).expect("read"),
        fs::read(folder.path("weighted.bin")).expect("read")
    );

    // Damage.
    let bytes = fs::read(folder.path("book.bin")).expect("read");
    fs::write(folder.path("short.bin"), &bytes[..40]).expect("written");
    let reversed: Vec<u8> = bytes.chunks(16).rev().flatten().copied().collect();
    fs::write(folder.path("reversed.bin"), reversed).expect("written");
    for command in [
        "stats short.bin",
        "import short.bin out.epd",
        "lookup short.bin",
        "dump short.bin",
    ] {
        let failed = folder.run(&format!("book {command}")).code(FAILED);
        assert_eq!(
            stderr(&failed),
            "epode: short.bin: 40 bytes are not a Polyglot book, whose entries have 16 bytes each\n"
        );
    }
    let failed = stderr(&folder.run("book lookup reversed.bin").code(FAILED));
    assert!(
        failed.starts_with("epode: reversed.bin: entry 2 is not sorted"),
        "{failed}"
    );
    folder
        .run("book import reversed.bin sorted.epd")
        .code(ALL_WELL);
    assert_eq!(folder.read("sorted.epd"), folder.read("back.epd"));
    // An illegal move in the starting position, whose key the book has.
    let key = 0x463B_9618_1691_FC9C_u64.to_be_bytes();
    let at = bytes
        .chunks(16)
        .position(|entry| entry[..8] == key)
        .expect("there");
    let mut damaged = bytes.clone();
    damaged[16 * at + 8..][..2].copy_from_slice(&[0x07, 0x24]);
    fs::write(folder.path("illegal.bin"), &damaged).expect("written");
    let message = format!(
        "illegal.bin: entry {}: e4e5 is not a legal move in {START}",
        at + 1
    );
    let failed = stderr(&folder.run("book lookup illegal.bin").code(FAILED));
    assert_eq!(failed, format!("epode: {message}\n"));
    let imported = folder.run("book import illegal.bin out.epd").code(FAULTY);
    assert!(stderr(&imported).starts_with(&format!("{message}; left out\n")));
}
