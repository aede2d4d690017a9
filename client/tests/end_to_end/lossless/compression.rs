//! Compressed files, whole and broken, and files of other kinds.

use std::fs;
use std::io::{Read, Write};

use super::{MIXED, PAWN, VERBS, check_lines};
use crate::common::{ALL_WELL, FAILED, Folder, run, stderr};
use assert_cmd::cargo::cargo_bin;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("compressed");
    encoder.finish().expect("compressed")
}

fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let read = MultiGzDecoder::new(bytes).read_to_end(&mut text);
    read.expect("gzip data");
    text
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 0).expect("an encoder");
    encoder.include_checksum(true).expect("set");
    encoder.write_all(bytes).expect("compressed");
    encoder.finish().expect("compressed")
}

#[test]
fn compressed_files_are_read() {
    let records = format!("{PAWN} bm Kb2;\n{PAWN} noop;\n");
    let (first, second) = records.split_at(7);
    let members = [gzip(first.as_bytes()), gzip(second.as_bytes())].concat();
    let frames = [zstd(first.as_bytes()), zstd(second.as_bytes())].concat();
    for (name, bytes) in [
        ("x.epd.gz", gzip(records.as_bytes())),
        // The content of a file counts, not its name.
        ("x.epd", members),
        ("x.epd.zst", frames),
    ] {
        let folder = Folder::with(name, &bytes);
        let assert = folder.run(&format!("pfdn {name}")).code(ALL_WELL);
        assert.stdout(records.clone());
        run("pfdn -", bytes.clone()).stdout(records.clone());
        for verb in VERBS {
            let assert = folder.run(&format!("{verb} {name} out.epd"));
            assert.code(ALL_WELL);
            assert_eq!(folder.read("out.epd").lines().count(), 2, "{verb}");
        }
        let told = folder.run(&format!("validate {name}"));
        told.stderr("2 records: 0 errors, 0 warnings, 0 notes\n");
        folder.run(&format!("report {name}")).code(ALL_WELL);
    }
    let suite = gzip(format!("{PAWN} D1 7;\n").as_bytes());
    let assert = run("perft --suite -", suite);
    assert.stderr(starts_with("1 position, 1 count right"));
}

#[test]
fn a_name_that_ends_so_is_compressed() {
    for verb in VERBS {
        let folder = Folder::with("in.epd", MIXED);
        let plain = folder.run(&format!("{verb} in.epd"));
        let plain = &plain.get_output().stdout;
        folder.run(&format!("{verb} in.epd out.gz")).code(FAILED);
        let written = fs::read(folder.path("out.gz")).expect("readable");
        assert_eq!(gunzip(&written), *plain, "{verb}");
        folder.run(&format!("{verb} out.gz out.zst")).code(FAILED);
        let written = fs::read(folder.path("out.zst")).expect("readable");
        let text = zstd::decode_all(&written[..]).expect("zstd data");
        check_lines(plain, &text, verb);
        // In place.
        folder.run(&format!("{verb} out.gz out.gz")).code(FAILED);
        let written = fs::read(folder.path("out.gz")).expect("readable");
        check_lines(plain, &gunzip(&written), verb);
        // There may be a description of the run beside them.
        let mut names = folder.names();
        names.retain(|name| !name.contains(".json"));
        assert_eq!(names, ["in.epd", "out.gz", "out.zst"]);
    }
}

/// A compressed file is not replaced by a plain one under the same name, nor the reverse.
#[test]
fn in_place_nothing_changes_its_kind() {
    for (name, bytes, told) in [
        (
            "x.epd",
            gzip(MIXED.as_bytes()),
            "x.epd is compressed with gzip and would become plain text",
        ),
        (
            "x.gz",
            MIXED.into(),
            "x.gz is plain text and would become compressed with gzip",
        ),
        (
            "x.gz",
            zstd(MIXED.as_bytes()),
            "x.gz is compressed with zstd and would become compressed with gzip",
        ),
    ] {
        for verb in VERBS {
            let folder = Folder::with(name, &bytes);
            let assert = folder.run(&format!("{verb} {name} {name}")).code(FAILED);
            assert.stderr(format!("epode: {told}, name another OUT\n"));
            assert_eq!(fs::read(folder.path(name)).expect("readable"), bytes);
            assert_eq!(folder.names(), [name]);
        }
    }
}

/// Truncated or corrupted files are reported by name, and the output is left unchanged.
#[test]
fn broken_compressed_files() {
    let text = MIXED.repeat(2000);
    for (name, bytes) in [
        ("x.gz", gzip(text.as_bytes())),
        ("x.zst", zstd(text.as_bytes())),
    ] {
        let kind = if name == "x.gz" { "gzip" } else { "zstd" };
        // The checksum is another.
        let mut corrupt = bytes.clone();
        corrupt[bytes.len() - if name == "x.gz" { 8 } else { 1 }] ^= 1;
        for (broken, what) in [
            (&bytes[..bytes.len() - 5], "is truncated\n".to_owned()),
            (&bytes[..5], "is truncated\n".to_owned()),
            (&corrupt, "is corrupt: ".to_owned()),
        ] {
            for verb in ["pfdn", "pfop id"] {
                let folder = Folder::with(name, broken);
                fs::write(folder.path("out.epd"), "before\n").expect("written");
                for out in [name, "out.epd"] {
                    let assert = folder.run(&format!("{verb} {name} {out}")).code(FAILED);
                    let told = format!("epode: cannot read {name}: the {kind} data {what}");
                    assert.stderr(contains(told));
                }
                assert_eq!(fs::read(folder.path(name)).expect("readable"), broken);
                assert_eq!(folder.read("out.epd"), "before\n");
                assert_eq!(folder.names(), ["out.epd", name]);
            }
        }
    }
}

#[test]
fn other_kinds_of_files_are_named() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    let compressed = gzip(png);
    for (bytes, what) in [
        (&png[..], "a PNG image, expected EPD text"),
        (b"\x7fELF\x02\x01", "an ELF program, expected EPD text"),
        (b"PK\x03\x04x", "a zip archive, expected EPD text"),
        (
            b"BZh91AY",
            "bzip2-compressed, expected EPD text, plain or compressed with gzip or zstd",
        ),
        (
            b"\xfd7zXZ\0",
            "xz-compressed, expected EPD text, plain or compressed with gzip or zstd",
        ),
        (
            b"\xff\xfe8\0/\0",
            "UTF-16 text, expected EPD text in UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)",
        ),
        (
            b"\xff\xfe\0\x008\0\0\0",
            "UTF-32 text, expected EPD text in UTF-8 (iconv -f UTF-32 -t UTF-8 converts it)",
        ),
        (
            &b"8\0/\0".repeat(20),
            "UTF-16LE text, expected EPD text in UTF-8 (iconv -f UTF-16LE -t UTF-8 converts it)",
        ),
        (
            &b"\x008\0/".repeat(20),
            "UTF-16BE text, expected EPD text in UTF-8 (iconv -f UTF-16BE -t UTF-8 converts it)",
        ),
        (
            &compressed,
            "gzip-compressed, and what is in it is a PNG image, expected EPD text",
        ),
        (&[7; 64], "binary data, expected EPD text"),
    ] {
        for verb in [
            "pfdn x",
            "pfdr x out.epd",
            "pfop id x x",
            "pfga --nodes 20 x out.epd",
            "pfms --moves 1 x x",
            "validate x",
            "report x",
            "perft --suite x",
        ] {
            let folder = Folder::with("x", bytes);
            let assert = folder.run(verb).code(FAILED).stdout(is_empty());
            // Only validate goes on after it, to the summary.
            let message = format!("epode: x is {what}\n");
            let rest = stderr(&assert).replacen(&message, "", 1);
            let is_right = rest.is_empty() || rest.starts_with("0 records, 1 file not read: ");
            assert!(is_right, "{verb}: {rest}");
            assert_eq!(folder.names(), ["x"]);
            assert_eq!(fs::read(folder.path("x")).expect("readable"), bytes);
        }
    }
    // A typing mistake that names the program itself.
    let program = cargo_bin!("epode");
    let assert = run(&format!("pfdn {}", program.display()), "").code(FAILED);
    assert.stderr(contains("an ELF program").or(contains("a macOS program")));
}
