//! A file is replaced: in place, with its mode and owner, behind a link; or not, if it is read-only.

use std::fs;
use std::path::Path;

use super::{MIXED, PAWN, VERBS, check_lines};
use crate::common::{ALL_WELL, FAILED, Folder, stderr};
use predicates::str::contains;

/// IN and OUT are the same file, by any name.
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
