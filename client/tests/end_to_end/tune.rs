//! `epode tune`: parameters of UCI engines, tuned by games and by suites.

mod journal;
mod results;
mod settings;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::common::Folder;
use assert_cmd::assert::Assert;
use assert_cmd::cargo::cargo_bin;

/// An engine with an option `Nodes`, how many it searches, whatever it is told, and one for each other kind.
/// `on_go` is done before each search.
fn engine(on_go: &str) -> String {
    let epode = cargo_bin!("epode").display().to_string();
    format!(
        "#!/bin/sh\nnodes=1\nbad=0\nwhile read -r line; do case $line in\n\
         'setoption name Nodes value '*) nodes=${{line##* }};;\n\
         'setoption name Bad value '*) bad=${{line##* }};;\n\
         'setoption name Factor value '*) echo \"$line\" >> factors;;\n\
         quit) echo quit; exit;;\n\
         go*) {on_go}\necho \"go nodes $nodes\";;\n\
         *) echo \"$line\";;\n\
         esac; done | '{epode}' uci | sed -u '/^uciok/i \\\n\
         option name Nodes type spin default 40 min 1 max 400\\\n\
         option name Bad type spin default 0 min 0 max 9\\\n\
         option name Factor type string default 0.5'\n"
    )
}

fn folder_with(engine: &str) -> Folder {
    let folder = Folder::with("engine.sh", engine);
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(folder.path("engine.sh"), mode).expect("permissions");
    folder
}

fn folder() -> Folder {
    folder_with(&engine(""))
}

/// Short games: the side that is behind resigns.
const RULES: &str = "--nodes 20 --max-plies 60 --resign movecount=1,score=400";

fn tune(folder: &Folder, line: &str) -> Assert {
    folder.run(&format!("tune --engine ./engine.sh {line}"))
}

/// The value of a parameter in lines for `--params`.
fn value(lines: &str, name: &str) -> f64 {
    let line = lines
        .lines()
        .find(|line| line.starts_with(&format!("{name}, ")));
    let line = line.expect("a line of the parameter");
    line.split(", ")
        .nth(2)
        .expect("a value")
        .parse()
        .expect("a number")
}

/// The iterations of a journal, without its first line.
fn iterations(folder: &Folder) -> Vec<String> {
    let text = folder.read("run.tune");
    text.lines().skip(1).map(str::to_owned).collect()
}
