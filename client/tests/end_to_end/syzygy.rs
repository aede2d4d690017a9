//! Endgame tablebases: `--syzygy` of pfga, pfts and client, and the UCI options.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{ALL_WELL, FAILED, Folder, run, shared, stdout};
use predicates::prelude::*;
use predicates::str::{contains, starts_with};

/// A won rook ending: its mate is beyond a search of this depth.
const ROOK: &str = "8/8/8/8/8/2k5/8/K6R w - - id \"rook\";";
const SHALLOW: &str = "--depth 4";

/// The tables of three pieces.
fn tables() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../movegen/syzygy/tables")
}

/// A folder with a record and the tables; one of them may be damaged.
fn folder(damaged: Option<&str>) -> Folder {
    let folder = Folder::with("in.epd", format!("{ROOK}\n"));
    fs::create_dir(folder.path("tables")).expect("a folder");
    for entry in fs::read_dir(tables()).expect("tables") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_str().expect("UTF-8");
        let mut bytes = fs::read(&path).expect("readable");
        if Some(name) == damaged {
            bytes[90] ^= 1;
        }
        fs::write(folder.path("tables").join(name), bytes).expect("room");
    }
    folder
}

#[test]
fn analyses_use_the_tables() {
    let folder = folder(None);
    let plain = folder.run(&format!("pfga in.epd - {SHALLOW}"));
    plain.code(ALL_WELL).stdout(contains(" ce 29999;").not());
    for jobs in ["1", "2"] {
        let line = format!("pfga in.epd - {SHALLOW} --syzygy tables --jobs {jobs}");
        let analysed = folder.run(&line).code(ALL_WELL);
        analysed
            .stdout(contains(" ce 29999;"))
            .stderr(starts_with("1 analysed; "));
    }
    let line = format!("pfts in.epd out.epd {SHALLOW} --syzygy tables");
    folder.run(&line).code(ALL_WELL);
    assert!(folder.read("out.epd").contains(" ce 29999;"));
    assert!(
        folder
            .read("out.epd.run.json")
            .contains("\"SyzygyPath\": \"tables\"")
    );
}

#[test]
fn wrong_folders_and_damaged_tables_are_told() {
    let folder = folder(Some("KRvK.rtbw"));
    let line = format!("pfga in.epd - {SHALLOW} --syzygy nowhere");
    let why = "epode: --syzygy: nowhere: No such file or directory";
    let failed = folder.run(&line).code(FAILED);
    failed.stdout("").stderr(starts_with(if cfg!(windows) {
        "epode: --syzygy: nowhere: "
    } else {
        why
    }));
    let line = format!("pfga in.epd - {SHALLOW} --syzygy tables:nowhere");
    folder.run(&line).code(FAILED).stdout("");

    let line = format!("pfga in.epd - {SHALLOW} --syzygy tables");
    let analysed = folder.run(&line).code(ALL_WELL);
    let analysed = analysed.stdout(contains(" ce 29999;").not());
    let path = Path::new("tables").join("KRvK.rtbw");
    let expected = format!(
        "epode: {}: damaged table: the checksum does not match; it is not used\n1 analysed; ",
        path.display()
    );
    analysed.stderr(starts_with(expected));
}

/// The lines that answer UCI commands.
fn uci(commands: &str) -> String {
    stdout(&run("uci", format!("{commands}\nquit\n")))
}

#[test]
fn the_options_of_uci() {
    let path = tables().display().to_string();
    let root = "position fen 8/8/8/8/8/2k5/8/K6R w - - 90 100";
    let said = uci(&format!(
        "setoption name SyzygyPath value {path}\n{root}\ngo depth 4"
    ));
    assert!(
        said.contains("info string Found 5 tablebases (up to 3 pieces)\n"),
        "{said}"
    );
    // Ten plies before the fifty-move rule ends it, the game is drawn.
    assert!(said.contains(" score cp 2 "), "{said}");
    let hits = |said: &str| {
        let last = said.lines().rfind(|line| line.starts_with("info depth"));
        let last = last.unwrap_or_else(|| panic!("{said}"));
        let hits = last.split(' ').skip_while(|&word| word != "tbhits").nth(1);
        hits.expect("tbhits").parse::<u64>().expect("a number")
    };
    assert!(hits(&said) > 0, "{said}");
    let set = |options: &str| {
        uci(&format!(
            "setoption name SyzygyPath value {path}\n{options}\n{root}\ngo depth 4"
        ))
    };
    let said = set("setoption name Syzygy50MoveRule value false");
    assert!(said.contains(" score cp 29999 "), "{said}");
    for without in [
        "setoption name SyzygyProbeLimit value 2",
        "setoption name SyzygyPath value <empty>",
        "setoption name SyzygyPath value /nowhere",
    ] {
        let said = set(without);
        assert_eq!(hits(&said), 0, "{said}");
        for told in [
            "info string SyzygyPath: /nowhere: ",
            "expected files such as KQvK.rtbw; no tablebases are used\n",
        ] {
            let is_told = said.contains(told);
            assert_eq!(is_told, without.ends_with("nowhere"), "{said}");
        }
    }
    // The folders that can be read are used.
    let said = set(&format!("setoption name SyzygyPath value /nowhere:{path}"));
    let found = "info string Found 5 tablebases (up to 3 pieces)\n";
    assert_eq!(said.matches(found).count(), 2, "{said}");
    assert!(
        said.contains("info string SyzygyPath: /nowhere: "),
        "{said}"
    );
    assert!(hits(&said) > 0, "{said}");
    let folder = folder(Some("KQvK.rtbz"));
    let damaged = folder.path("tables").display().to_string();
    let said = uci(&format!(
        "setoption name SyzygyPath value {damaged}\nisready"
    ));
    let expected = "KQvK.rtbz: damaged table: the checksum does not match; it is not used\n\
        info string Found 5 tablebases (up to 3 pieces)\nreadyok\n";
    assert!(said.contains(expected), "{said}");
}

/// Another engine has an option for them, or it is an error.
#[cfg(unix)]
#[test]
fn other_engines_get_the_path() {
    let folder = folder(None);
    let engine = |options: &str| {
        let script = format!(
            "#!/bin/sh\nwhile read -r word rest; do case $word in\n\
             uci) echo id name Script; {options} echo uciok;;\n\
             setoption) echo $rest >> set;;\n\
             isready) echo readyok;;\n\
             go) echo info depth 1 nodes 1 score cp 0 pv h1h2; echo bestmove h1h2;;\n\
             quit) exit;;\n\
             esac; done\n"
        );
        fs::write(folder.path("engine.sh"), script).expect("written");
        let mut command = folder.command("pfga in.epd - --nodes 1 --syzygy tables --engine");
        crate::common::calm(command.arg("sh engine.sh").assert())
    };
    engine("echo option name SyzygyPath type string default '<empty>';").code(ALL_WELL);
    assert!(
        folder
            .read("set")
            .contains("name SyzygyPath value tables\n")
    );
    let failed = engine("").code(FAILED).stdout("");
    failed.stderr(contains("--syzygy tables: Script has no option SyzygyPath"));
}

/// With all tables of four pieces, mates in the first ply, and wins before captures, are scored.
#[test]
fn four_pieces_shared() {
    let Some(folder) = shared("syzygy") else {
        return;
    };
    let path = folder.display();
    let said = uci(&format!(
        "setoption name SyzygyPath value {path}\nposition fen 8/8/8/3k4/8/8/8/KBN5 w - - 0 1\ngo depth 6"
    ));
    assert!(
        said.contains("info string Found 35 tablebases (up to 4 pieces)"),
        "{said}"
    );
    assert!(said.contains(" score cp 29999 "), "{said}");
}
