//! Help texts, and files that are not games or networks.

mod common;

use common::{FAILED, Folder, stderr, stdout};
use predicates::str::contains;

#[test]
fn every_verb_has_help_with_examples() {
    let folder = Folder::new();
    let all = stdout(&folder.run("--help").success());
    for verb in ["datagen", "unpack", "train"] {
        let help = stdout(&folder.run(&format!("{verb} --help")).success());
        assert!(
            help.contains(&format!("Usage: epode-train {verb} ")),
            "{help}"
        );
        assert!(
            help.contains(&format!("\nExamples:\n  epode-train {verb} ")),
            "{help}"
        );
        assert!(all.contains(&format!("\n  {verb} ")), "{all}");
    }
}

#[test]
fn bad_networks_and_large_tables_are_refused() {
    let folder = Folder::with("bad.net", "P5 768 256");
    let assert = folder.run("datagen --check --games 1 --net bad.net");
    let message = stderr(&assert.code(FAILED));
    assert!(message.contains("bad.net: no network"), "{message}");
    folder
        .run("datagen --check --hash 1048576")
        .code(FAILED)
        .stderr(contains("the system gives no 1048576 MiB for the table"));
}

/// The file is replaced only at the end: a failed run leaves it unchanged.
#[cfg(unix)]
#[test]
fn output_files_are_replaced_or_left_unchanged() {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = Folder::with("old", "old");
    folder.run("datagen games --nodes 20 --games 2").success();
    folder.run("unpack games missing --out old").code(FAILED);
    assert_eq!(folder.read("old"), b"old");

    let mode = |name: &str| {
        fs::metadata(folder.path(name))
            .expect(name)
            .permissions()
            .mode()
    };
    fs::set_permissions(folder.path("old"), fs::Permissions::from_mode(0o640)).expect("set");
    symlink(folder.path("old"), folder.path("link")).expect("a link");
    folder.run("unpack games --out link").success();
    assert!(folder.read("old").len() > 1000);
    assert_eq!(mode("old") & 0o777, 0o640);
    assert_eq!(folder.names(), ["games", "link", "old"]);

    let standard = folder.run("unpack games --out -").success();
    assert_eq!(standard.get_output().stdout, folder.read("old"));
}
