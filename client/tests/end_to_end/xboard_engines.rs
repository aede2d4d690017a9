//! Engines of the xboard protocol in events and analyses: scripted ones, and those of Debian where they are
//! installed.

mod analyses;
mod failures;
mod games;

use crate::common::Folder;
use crate::common::event::MOVES;

const FEATURES: &str =
    "myname=\"Script\" setboard=1 usermove=1 ping=1 colors=0 analyze=1 sigint=0 done=1";

/// A scripted engine that plays fixed moves and writes every command that it receives to `heard`. The
/// cases are shell code that handles a command before the script does. `$life` counts the starts of the
/// engine, `$ply` the moves of the game.
fn folder(features: &str, cases: &str) -> Folder {
    let script = format!(
        "echo start >> heard\n\
         life=$(grep -c ^start heard)\n\
         answer() {{\n\
         set -- {MOVES}; shift $ply; ply=$((ply + 1))\n\
         echo \"$ply 10 1 50 $1\"; echo move $1; }}\n\
         opposed() {{ ply=$((ply + 1)); if [ ! $forced ]; then answer; fi; }}\n\
         echo tellics set 1 A script\n\
         while read -r word rest; do\n\
         echo $word $rest >> heard\n\
         case $word in\n\
         {cases}\n\
         protover) echo 'feature {features}';;\n\
         ping) echo pong $rest;;\n\
         new) ply=0; forced=;;\n\
         force) forced=1;;\n\
         go) forced=; answer;;\n\
         usermove|[a-h][1-8]*) opposed;;\n\
         quit) exit;;\n\
         esac\n\
         done\n"
    );
    Folder::with("engine.sh", script)
}

/// The lines that an engine was told, without the answers to its features.
fn told(life: &[String]) -> Vec<&str> {
    let lines = life.iter().map(String::as_str);
    let lines = lines.filter(|line| !line.starts_with("accepted") && !line.is_empty());
    lines.collect()
}

/// Checks the lines that an engine was told; a number at the end of `time` may differ.
fn assert_told(life: &[String], expected: &[&str]) {
    let told = told(life);
    let plain = |line: &str| {
        line.strip_prefix("time ")
            .map_or(line.to_owned(), |_| "time".into())
    };
    let told: Vec<_> = told.iter().map(|line| plain(line)).collect();
    assert_eq!(told, expected);
}
