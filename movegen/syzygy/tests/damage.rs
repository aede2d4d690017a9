//! Damaged files: a message, and the table is missing. Never a panic, never a hang.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{random_position, shared_tables, small_tables};
use epode_syzygy::movegen::Position;
use epode_syzygy::{
    BadTable, Fault, Kind, Material, OpenError, ProbeError, TableName, Tablebases, Wdl,
};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tempfile::TempDir;

const KQVK: &str = "8/8/8/8/8/4k3/8/4K2Q w - - 0 1";

fn position(fen: &str) -> Position {
    fen.parse().expect(fen)
}

fn missing(material: &str, kind: Kind) -> ProbeError {
    let fen = match material {
        "KQvK" => KQVK,
        _ => "8/8/8/8/8/4k3/8/4K2R w - - 0 1",
    };
    let material = Material::of(&position(fen));
    ProbeError::Missing(TableName { material, kind })
}

/// A copy of a folder, one file of it changed.
fn copy(from: &Path, name: &str, change: impl FnOnce(&mut Vec<u8>)) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    for entry in fs::read_dir(from).expect("tables") {
        let path = entry.expect("a file").path();
        let to = folder.path().join(path.file_name().expect("a name"));
        fs::write(to, fs::read(path).expect("readable")).expect("room");
    }
    let path = folder.path().join(name);
    let mut bytes = fs::read(&path).expect(name);
    change(&mut bytes);
    fs::write(&path, bytes).expect("room");
    (folder, path)
}

#[test]
fn each_kind_of_damage_has_its_message() {
    type Change = fn(&mut Vec<u8>);
    let table = "KQvK.rtbw";
    let changes: [(Change, &str); 6] = [
        (
            Vec::clear,
            "incomplete table: 0 bytes, expected 16 more than a multiple of 64",
        ),
        (
            |bytes| bytes.truncate(200),
            "incomplete table: 200 bytes, expected 16 more",
        ),
        (
            |bytes| bytes.fill(0),
            "not a rtbw table: begins with [00, 00, 00, 00], expected [71, e8",
        ),
        (
            |bytes| bytes[100] ^= 4,
            "damaged table: the checksum does not match",
        ),
        (
            |bytes| bytes.truncate(208),
            "damaged table: the checksum does not match",
        ),
        (
            |bytes| *bytes = fs::read(small_tables().join("KRvK.rtbz")).expect("a table"),
            "not a rtbw table: begins with [d7, 66, 0c, a5]",
        ),
    ];
    for (change, message) in changes {
        let (folder, path) = copy(&small_tables(), table, change);
        let tablebases = Tablebases::open(folder.path()).expect("other tables");
        let bad = tablebases.bad_tables();
        assert_eq!(bad.len(), 1, "{bad:?}");
        let expected = format!("{}: {message}", path.display());
        assert!(bad[0].to_string().starts_with(&expected), "{}", bad[0]);
        // The others are there.
        assert_eq!(tablebases.count(), 4);
        let lost = tablebases.wdl(&position(KQVK));
        assert_eq!(lost, Err(missing("KQvK", Kind::Wdl)));
        let rook = position("8/8/8/8/8/4k3/8/4K2R w - - 0 1");
        assert_eq!(tablebases.wdl(&rook), Ok(Wdl::Win));
        assert_eq!(tablebases.bad_tables(), []);
    }
}

/// Random damage of the contents, with a checksum that matches it: the reader itself must be safe.
#[test]
fn damage_that_the_checksum_hides_never_panics() {
    let mut rng = StdRng::seed_from_u64(7);
    let names = [
        "KQvK.rtbw",
        "KQvK.rtbz",
        "KPvK.rtbw",
        "KPvK.rtbz",
        "KRvK.rtbz",
        "KRvK.rtbw",
    ];
    let positions: Vec<_> = (0..300).map(|_| random_position(&mut rng, 1)).collect();
    let mut refused = 0;
    for round in 0..600 {
        let name = names[round % names.len()];
        let (folder, _) = copy(&small_tables(), name, |bytes| damage(&mut rng, bytes));
        let tablebases = Tablebases::open(folder.path()).expect("other tables");
        let bad = tablebases.bad_tables();
        assert!(
            bad.iter().all(|bad| bad.fault != Fault::Checksum),
            "{bad:?}"
        );
        for position in &positions {
            let (wdl, dtz) = (tablebases.wdl(position), tablebases.dtz(position));
            refused += u32::from(wdl.is_err() || dtz.is_err());
        }
    }
    assert!(refused > 1000, "{refused}");
}

/// Changes some bytes, mostly of the header, and makes the checksum match.
fn damage(rng: &mut StdRng, bytes: &mut Vec<u8>) {
    let len = bytes.len() - 16;
    for _ in 0..rng.random_range(1..4) {
        let reach = if rng.random_bool(0.7) {
            len.min(128)
        } else {
            len
        };
        bytes[rng.random_range(5..reach)] = rng.random();
    }
    if rng.random_bool(0.2) {
        bytes.truncate(rng.random_range(1..=len / 64) * 64);
    } else {
        bytes.truncate(len);
    }
    let sum = epode_syzygy::checksum(bytes);
    bytes.extend(sum);
}

/// Any cut, and any single flipped bit, of any file.
#[test]
fn cuts_and_flipped_bits_are_found_shared() {
    let Some(folder) = shared_tables() else {
        return;
    };
    let mut rng = StdRng::seed_from_u64(8);
    let files: Vec<_> = fs::read_dir(folder).expect("tables").collect();
    let files: Vec<_> = files
        .into_iter()
        .map(|file| file.expect("a file").path())
        .collect();
    let temporary = tempfile::tempdir().expect("a folder");
    for round in 0..400 {
        let path = &files[rng.random_range(0..files.len())];
        let mut bytes = fs::read(path).expect("readable");
        let at = rng.random_range(0..bytes.len());
        if round % 2 == 0 {
            bytes.truncate(at);
        } else {
            bytes[at] ^= 1 << rng.random_range(0..8);
        }
        let copy = temporary.path().join(path.file_name().expect("a name"));
        fs::write(&copy, bytes).expect("room");
        let tablebases = Tablebases::open(temporary.path()).expect("a file");
        assert_eq!(tablebases.bad_tables().len(), 1, "{} {at}", copy.display());
        assert_eq!(tablebases.max_pieces(), 0);
        fs::remove_file(copy).expect("a file");
    }
}

#[test]
fn lists_of_folders() {
    let nowhere = small_tables().join("nowhere");
    let error = Tablebases::open(&nowhere).expect_err("no such folder");
    let expected = format!("{}: No such file or directory", nowhere.display());
    assert!(
        cfg!(windows) || error.to_string().starts_with(&expected),
        "{error}"
    );
    let empty = tempfile::tempdir().expect("a folder");
    let error = Tablebases::open(empty.path()).expect_err("no tables");
    assert!(matches!(error, OpenError::NoTables(_)), "{error}");
    // In the second folder, and in both.
    let both = std::env::join_paths([empty.path().to_owned(), small_tables(), small_tables()]);
    let tablebases = Tablebases::open(both.expect("a list")).expect("tables");
    assert_eq!((tablebases.count(), tablebases.max_pieces()), (5, 3));
    // A folder that cannot be read is an error, or passed over.
    let list = std::env::join_paths([nowhere.clone(), small_tables(), nowhere.clone()]);
    let list = list.expect("a list");
    let error = Tablebases::open(&list).expect_err("no such folder");
    assert!(matches!(error, OpenError::Folder { .. }), "{error}");
    let mut told = Vec::new();
    let mut tell = |error: OpenError| told.push(error.to_string());
    let tablebases = Tablebases::open_readable(&list, &mut tell).expect("tables");
    assert_eq!((tablebases.count(), tablebases.max_pieces()), (5, 3));
    let error = Tablebases::open_readable(&nowhere, &mut tell).expect_err("no tables");
    assert!(matches!(error, OpenError::NoTables(_)), "{error}");
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(cfg!(windows) || told.iter().all(|why| why.starts_with(&expected)));
}

#[test]
fn missing_tables_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::copy(
        small_tables().join("KQvK.rtbw"),
        folder.path().join("KQvK.rtbw"),
    )
    .expect("room");
    let tablebases = Tablebases::open(folder.path()).expect("a table");
    assert_eq!(tablebases.wdl(&position(KQVK)), Ok(Wdl::Win));
    let error = tablebases.dtz(&position(KQVK)).expect_err("no distances");
    assert_eq!(error.to_string(), "no table KQvK.rtbz");
    let error = tablebases.wdl(&position("r3k3/8/8/8/8/8/8/4K3 b q - 0 1"));
    assert_eq!(error, Err(ProbeError::Castling));
    let error = tablebases.wdl(&position("r3k3/8/8/8/8/8/8/4K3 b - - 0 1"));
    assert_eq!(
        error.expect_err("no rooks").to_string(),
        "no table KvKR.rtbw"
    );
}

/// Larger files are read from the disk, and opened at their first use.
#[test]
fn files_on_the_disk_have_the_same_results() {
    let mut rng = StdRng::seed_from_u64(9);
    let memory = Tablebases::open(small_tables()).expect("tables");
    let disk = Tablebases::open_keeping(small_tables(), 0).expect("tables");
    for _ in 0..10_000 {
        let position = random_position(&mut rng, 1);
        assert_eq!(disk.wdl(&position), memory.wdl(&position), "{position}");
        assert_eq!(disk.dtz(&position), memory.dtz(&position), "{position}");
    }
    assert_eq!(disk.bad_tables(), []);
}

/// The checksum of a larger file is found to be wrong at its first use; a file that is cut short after
/// that is an error too.
#[test]
fn files_on_the_disk_can_be_damaged() {
    let (folder, path) = copy(&small_tables(), "KQvK.rtbw", |bytes| bytes[100] ^= 1);
    let tablebases = Tablebases::open_keeping(folder.path(), 0).expect("tables");
    assert_eq!(tablebases.bad_tables(), []);
    let lost = Err(missing("KQvK", Kind::Wdl));
    assert_eq!(tablebases.wdl(&position(KQVK)), lost);
    let bad = tablebases.bad_tables();
    assert_eq!((bad.len(), &bad[0].fault), (1, &Fault::Checksum));

    fs::copy(small_tables().join("KQvK.rtbw"), &path).expect("room");
    let tablebases = Tablebases::open_keeping(folder.path(), 0).expect("tables");
    // All positions with White to move are won, so that the header has their result.
    let black = position("8/8/8/8/8/4k3/8/4K2Q b - - 0 1");
    assert_eq!(tablebases.wdl(&black), Ok(Wdl::Loss));
    fs::write(&path, "").expect("room");
    assert_eq!(tablebases.wdl(&black), lost);
    let bad = tablebases.bad_tables();
    assert!(
        matches!(
            bad[..],
            [BadTable {
                fault: Fault::Io(_),
                ..
            }]
        ),
        "{bad:?}"
    );
}
