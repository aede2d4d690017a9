//! Nothing is lost: lines that are not understood are copied, read and write errors name the file,
//! and a file is replaced only by a complete one.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{self, Stdio};

use crate::common::{ALL_WELL, FAILED, Folder, run, stderr, stdout};
use assert_cmd::cargo::cargo_bin;
use epd::{Lines, Reader};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use predicates::prelude::*;
use predicates::str::{contains, ends_with, is_empty, starts_with};
use proptest::prelude::*;

const PAWN: &str = "8/P7/8/8/8/8/5k2/K7 w - -";
/// Every verb that rewrites a file, without IN and OUT.
const VERBS: [&str; 6] = [
    "pfdn",
    "pfdr",
    "pfop id",
    "pfga --nodes 20 --hash 1",
    "pfts --nodes 20 --hash 1",
    "pfms --moves 1 --nodes 20 --hash 1",
];
/// Six records, and nine other lines.
const MIXED: &str = "# a suite\n\
    8/P7/8/8/8/8/5k2/K7 w - - bm a8=Q; id \"1\";\n\
    \n\
    nonsense\n\
    8/P7/8/8/8/8/5k2/K7 w - - id \"2\";\n\
    8/P7/8/8/8/8/5k2/K7 x - - id \"3\";\n\
    8/P7/8/8/8/8/5k2/K7 w - - id \"open;\n\
    8/P7/8/8/8/8/5k2/K7 w - - id \"5\";\n\
    \t\n\
    % another remark\n\
    8/P7/8/8/8/8/5k2/K7 w - - id \"6\";\n\
    9/P7/8/8/8/8/5k2/K7 w - - id \"7\";\n\
    8/P7/8/8/8/8/5k2/K7 w - - id \"8\";\n\
    the end\n\
    8/P7/8/8/8/8/5k2/K7 w - - noop;\n";

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

/// The expected output of each line: unchanged, or none if it is a record.
fn expected_lines(input: &[u8]) -> Vec<Option<Vec<u8>>> {
    let mut expected = Vec::new();
    for line in Lines::new(input, 1) {
        match line.read(&Reader::lenient(), &mut Vec::new()) {
            Ok(_) => expected.push(None),
            Err(_) => expected.extend(line.raw_lines().map(|raw| Some(raw.to_vec()))),
        }
    }
    expected
}

/// No line is missing, and lines that are not records are unchanged and in place.
fn check_lines(input: &[u8], output: &[u8], verb: &str) {
    let expected = expected_lines(input);
    let output: Vec<_> = output.split_inclusive(|&byte| byte == b'\n').collect();
    assert_eq!(output.len(), expected.len(), "{verb}: {input:?}");
    for (line, expected) in output.iter().zip(expected) {
        let line = line.strip_suffix(b"\n").expect("a whole line");
        if let Some(expected) = expected {
            assert_eq!(line, expected, "{verb}: {input:?}");
        }
    }
}

/// IN and OUT are the same file, by any name.
#[cfg(unix)]
#[test]
fn in_place() {
    use std::os::unix::fs::symlink;
    assert_eq!(MIXED.lines().count(), 15);
    for verb in VERBS {
        for out in ["x.epd", "./x.epd", "link.epd", "hard.epd", "other.epd"] {
            let folder = Folder::with("x.epd", MIXED);
            symlink("x.epd", folder.path("link.epd")).expect("a link");
            fs::hard_link(folder.path("x.epd"), folder.path("hard.epd")).expect("a link");
            let assert = folder.run(&format!("{verb} x.epd {out}")).code(FAILED);
            let written = fs::read(folder.path(out)).expect("readable");
            check_lines(MIXED.as_bytes(), &written, verb);
            let told = stderr(&assert);
            assert!(told.contains("x.epd:4:9: "), "{told}");
            assert!(told.contains("5 lines not understood, copied"), "{told}");
            assert!(folder.path("link.epd").is_symlink());
            if matches!(out, "hard.epd" | "other.epd") {
                assert_eq!(folder.read("x.epd"), MIXED);
            }
        }
        let folder = Folder::with("x.epd", MIXED);
        let dropping = format!("{verb} x.epd x.epd --drop-unreadable");
        let assert = folder.run(&dropping).code(FAILED);
        assert.stderr(contains("5 lines not understood, dropped"));
        assert_eq!(folder.read("x.epd").lines().count(), 6, "{verb}");
    }
}

/// Lines of every kind: records, what is nearly one, torn ones, text, bytes.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let text = |text: &'static str| Just(text.as_bytes().to_vec());
    prop_oneof![
        4 => text("8/P7/8/8/8/8/5k2/K7 w - - bm a8=Q; id \"x\";"),
        1 => text("  8/P7/8/8/8/8/5k2/K7 w - - 3 40 ; bm Kb2"),
        1 => text("8/8/8/8/8/8/8/K7 w - - noop;"),
        2 => text("8/P7/8/8/8/8/5k2/K7 w - - id \"torn"),
        1 => text("apart\"; noop;"),
        1 => text(""),
        1 => text(" \t"),
        1 => text("# a remark"),
        1 => text("8/P7/8/8/8/8/5k2"),
        1 => Just(b"caf\xe9 8/8".to_vec()),
        1 => Just(b"8/P7/8/8/8/8/5k2/K7 w - - id \"caf\xe9\";".to_vec()),
        2 => prop::collection::vec(32_u8.., 0..60),
        1 => Just(vec![b'x'; 70_000]),
    ]
}

fn junk() -> impl Strategy<Value = Vec<u8>> {
    let end = prop_oneof![4 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r")];
    let lines = prop::collection::vec((line(), end), 0..12);
    (lines, any::<bool>()).prop_map(|(lines, is_ended)| {
        let mut bytes = Vec::new();
        for (line, end) in &lines {
            bytes.extend(line);
            bytes.extend(end.as_bytes());
        }
        if !is_ended {
            bytes.pop();
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_line_of_any_file_is_lost(input in junk()) {
        for verb in VERBS {
            let folder = Folder::with("x.epd", &input);
            let piped = folder.run(&format!("{verb} x.epd"));
            check_lines(&input, &piped.get_output().stdout, verb);
            folder.run(&format!("{verb} x.epd y.epd --jobs 2"));
            let there = fs::read(folder.path("y.epd")).expect("readable");
            check_lines(&input, &there, verb);
            folder.run(&format!("{verb} x.epd x.epd"));
            let in_place = fs::read(folder.path("x.epd")).expect("readable");
            check_lines(&input, &in_place, verb);
        }
    }
}

/// A long line is copied unchanged, however it arrives.
#[test]
fn a_long_line_in_pieces_is_copied() {
    let folder = Folder::new();
    let mut input = vec![b'y'; 200_000];
    for at in [65_535, 65_536, 65_537, 131_072, 131_073, 199_999] {
        for end in ["\n", "\r\n", "\r", "\r\r\n"] {
            for verb in ["pfdn -", "pfga - --nodes 20 --hash 1"] {
                input.truncate(200_000);
                input.splice(at..at, end.bytes());
                let mut child = folder.start(verb);
                let mut stdin = child.stdin.take().expect("piped");
                let piece = input.clone();
                let writer = std::thread::spawn(move || {
                    for piece in piece.chunks(at) {
                        stdin.write_all(piece).expect("written");
                    }
                });
                let output = child.wait_with_output().expect("it ends");
                writer.join().expect("written");
                check_lines(&input, &output.stdout, verb);
                input.drain(at..at + end.len());
            }
        }
    }
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
            assert.stderr(format!("epode: x is {what}\n"));
            assert_eq!(folder.names(), ["x"]);
            assert_eq!(fs::read(folder.path("x")).expect("readable"), bytes);
        }
    }
    // A typing mistake that names the program itself.
    let program = cargo_bin!("epode");
    let assert = run(&format!("pfdn {}", program.display()), "").code(FAILED);
    assert.stderr(contains("an ELF program").or(contains("a macOS program")));
}

/// Line ends of old Macs (CR) are line ends, and lines are numbered.
#[test]
fn carriage_returns_end_lines() {
    let input = format!("{PAWN} id \"1\";\r{PAWN} id \"2\";\r\rnonsense\r{PAWN} bm Kc1;\r");
    let folder = Folder::with("mac.epd", &input);
    let assert = folder.run("pfdn mac.epd").code(FAILED);
    let assert = assert.stderr(starts_with(
        "mac.epd:4:9: the active colour is missing\n\
         mac.epd:5:30: warning[bm-not-legal]: bm: Kc1: not a legal move here\n",
    ));
    // An illegal move is quoted: as a bare operand python-chess would reject it.
    let copied = input.replace('\r', "\n").replace("Kc1", "\"Kc1\"");
    assert.stdout(copied);
    let assert = folder.run("pfga mac.epd out.epd --nodes 20").code(FAILED);
    assert.stderr(starts_with("mac.epd:4:9: ").and(contains("3 analysed; ")));
    assert_eq!(folder.read("out.epd").lines().count(), 5);
    let assert = folder.run("validate --level warning mac.epd").code(FAILED);
    assert.stdout(starts_with("mac.epd:4:9: error[").and(contains("mac.epd:5:30: warning[")));
    // To be in normal form, they must end as other lines do.
    let assert = folder.run("pfdn --check mac.epd");
    assert.stderr(contains("3 records; 5 lines are not in normal form"));
    // Of whatever kind, and also within a string.
    let mixed = format!("{PAWN}\r\n{PAWN}\n{PAWN}\r{PAWN} id \"a\rb\";\n{PAWN} noop;");
    let assert = run("pfdn -", mixed).code(ALL_WELL);
    assert.stdout(format!(
        "{PAWN}\n{PAWN}\n{PAWN}\n{PAWN} id \"a b\";\n{PAWN} noop;\n"
    ));
}

#[cfg(unix)]
#[test]
fn read_only_files_are_refused() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    for verb in VERBS {
        let folder = Folder::with("in.epd", format!("{PAWN} noop;\n"));
        fs::write(folder.path("out.epd"), "before\n").expect("written");
        symlink("out.epd", folder.path("link")).expect("a link");
        let read_only = fs::Permissions::from_mode(0o440);
        fs::set_permissions(folder.path("out.epd"), read_only).expect("set");
        let names = folder.names();
        for out in ["out.epd", "link"] {
            let assert = folder.run(&format!("{verb} in.epd {out}")).code(FAILED);
            assert.stderr(format!(
                "epode: cannot write {out}: it is read-only (--force overwrites it)\n"
            ));
            assert_eq!(folder.read("out.epd"), "before\n");
            assert_eq!(folder.names(), names);
        }
        folder
            .run(&format!("{verb} in.epd link --force"))
            .code(ALL_WELL);
        assert!(folder.read("out.epd").starts_with(PAWN), "{verb}");
        assert!(folder.path("link").is_symlink());
        let metadata = fs::metadata(folder.path("out.epd")).expect("there");
        assert_eq!(metadata.permissions().mode() & 0o7777, 0o440, "{verb}");
    }
}

/// The mode of a file is kept, and its owner if permitted.
#[cfg(unix)]
#[test]
fn mode_and_owner_are_kept() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let verbs = VERBS.map(|verb| (verb, "out.epd"));
    for (verb, out) in verbs.into_iter().chain([("pfga --nodes 20", "out.gz")]) {
        let folder = Folder::with("in.epd", format!("{PAWN} noop;\n"));
        let path = folder.path(out);
        fs::write(&path, "before\n").expect("written");
        if chown(&path, Some(12345), Some(23456)).is_err() {
            println!("not tested: the owner, which only root may set");
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o6751)).expect("set");
        let owner = |path: &Path| {
            let metadata = fs::metadata(path).expect("there");
            (metadata.uid(), metadata.gid(), metadata.mode() & 0o7777)
        };
        let before = owner(&path);
        folder.run(&format!("{verb} in.epd {out}")).code(ALL_WELL);
        assert_ne!(fs::read(&path).expect("readable"), b"before\n");
        assert_eq!(owner(&path), before, "{verb}");
    }
}

/// A link stays a link, even if its target did not exist.
#[cfg(unix)]
#[test]
fn links_are_kept() {
    use std::os::unix::fs::symlink;
    for verb in VERBS {
        let folder = Folder::with("in.epd", format!("{PAWN} noop;\n"));
        fs::create_dir(folder.path("sub")).expect("a folder");
        symlink("sub/one", folder.path("out")).expect("a link");
        symlink("two", folder.path("sub/one")).expect("a link");
        folder.run(&format!("{verb} in.epd out")).code(ALL_WELL);
        for link in ["out", "sub/one"] {
            assert!(folder.path(link).is_symlink(), "{verb}");
        }
        assert!(folder.path("sub/two").is_file());
        assert!(folder.read("out").starts_with(PAWN));
    }
}

/// The program with a file for its standard output.
fn redirected(folder: &Folder, line: &str, output: File) -> (Option<i32>, String) {
    let mut command = process::Command::new(cargo_bin!("epode"));
    command.args(line.split(' ')).current_dir(folder.path(""));
    command.stdin(Stdio::null()).stdout(output);
    let output = command.output().expect("it starts");
    let told = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(!told.contains("panicked"), "{told}");
    (output.status.code(), told)
}

fn append_to(path: &Path) -> File {
    File::options().append(true).open(path).expect("writable")
}

/// A file that the shell appends to is neither read while it grows nor replaced.
#[cfg(unix)]
#[test]
fn standard_output_that_is_a_file() {
    let folder = Folder::with("x.epd", MIXED);
    let path = folder.path("x.epd");
    for verb in ["pfdn x.epd", "pfga --nodes 20 x.epd -"] {
        let (code, told) = redirected(&folder, verb, append_to(&path));
        assert_eq!(
            told,
            "epode: x.epd is both the input and standard output, name another OUT\n"
        );
        assert_eq!(code, Some(FAILED));
        assert_eq!(folder.read("x.epd"), MIXED);
    }
    fs::write(folder.path("all.epd"), "before\n").expect("written");
    let output = append_to(&folder.path("all.epd"));
    redirected(&folder, "pfdn x.epd /dev/stdout", output);
    let all = folder.read("all.epd");
    let written = all.strip_prefix("before\n").expect("it is still there");
    check_lines(MIXED.as_bytes(), written.as_bytes(), "pfdn");
}

/// On a full disk the message names the file that cannot be written.
#[cfg(target_os = "linux")]
#[test]
fn full_disks() {
    let folder = Folder::with("x.epd", format!("{PAWN} bm Kc1; D1 7; pm Kb2;\n"));
    let no_space = "No space left on device (os error 28)";
    for verb in VERBS {
        let assert = folder.run(&format!("{verb} x.epd /dev/full")).code(FAILED);
        let told = stderr(&assert);
        let last = told.lines().last().expect("a message");
        assert_eq!(last, format!("epode: cannot write /dev/full: {no_space}"));
    }
    for line in [
        "pfdn x.epd",
        "pfdn --check x.epd",
        "pfga --nodes 20 x.epd -",
        "validate x.epd",
        "validate --format json x.epd",
        "validate --format sarif x.epd",
        "report x.epd",
        "perft 1",
        "perft --divide 1",
        "bench --depth 1",
        "uci",
    ] {
        let full = File::options().write(true).open("/dev/full");
        let (code, told) = redirected(&folder, line, full.expect("Linux"));
        if line == "uci" {
            // Without a question there is no answer.
            assert_eq!(code, Some(ALL_WELL), "{told}");
            continue;
        }
        let last = told.lines().last().expect("a message");
        assert_eq!(
            last,
            format!("epode: cannot write standard output: {no_space}"),
            "{line}"
        );
        assert_eq!(code, Some(FAILED), "{line}");
    }
    let assert = folder.run("report x.epd -o /dev/full").code(FAILED);
    assert.stderr(ends_with(format!(
        "epode: cannot write /dev/full: {no_space}\n"
    )));
    assert_eq!(folder.names(), ["x.epd"]);
}

/// Closing standard output or standard error early does no harm.
#[test]
fn broken_pipes() {
    let folder = Folder::with("x.epd", format!("{PAWN}  noop;\n").repeat(20_000));
    let mut child = folder.start("pfdn x.epd");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    output.read_line(&mut line).expect("a line");
    drop(output);
    assert_eq!(line, format!("{PAWN} noop;\n"));
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(ALL_WELL));
    assert!(output.stderr.is_empty());
    // The file is written although nobody reads the 20,000 messages.
    let mut child = folder.start("pfdr x.epd out.epd");
    drop(child.stderr.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(ALL_WELL));
    assert_eq!(folder.read("out.epd").lines().count(), 20_000);
}

#[test]
fn a_report_of_an_unknown_kind_is_refused() {
    let folder = Folder::with("x.epd", format!("{PAWN} bm Kb2; pm Kb2;\n"));
    for name in ["x.pdf", "x.html.gz"] {
        let assert = folder.run(&format!("report x.epd -o {name}")).code(FAILED);
        assert.stderr(format!(
            "epode: {name}: unknown extension, expected .txt, .md, .markdown, .csv, .json, .html, \
             .htm or .svg, or --format\n"
        ));
    }
    assert_eq!(folder.names(), ["x.epd"]);
    folder
        .run("report x.epd -o x.pdf --format html")
        .code(ALL_WELL);
    folder.run("report x.epd -o x.txt").code(ALL_WELL);
    assert!(folder.read("x.txt").contains("\nSolved\n"));
    assert!(stdout(&folder.run("report x.epd")) == folder.read("x.txt"));
}

/// A pipe that is given as OUT is not standard output: an incomplete output is an error.
#[cfg(unix)]
#[test]
fn a_broken_pipe_as_out_is_an_error() {
    let folder = Folder::with("x.epd", format!("{PAWN} bm Kb2; pm Kb2;\n").repeat(20_000));
    let pipe = folder.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    for line in ["pfdn x.epd pipe", "report x.epd --format csv -o pipe"] {
        let child = folder.start(line);
        drop(fs::File::open(&pipe).expect("it is opened for writing"));
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(FAILED), "{line}");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.starts_with("epode: cannot write pipe: "), "{told}");
    }
}
