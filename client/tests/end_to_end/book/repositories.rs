//! Repositories that are merged, looked up, and read by python-chess.

use std::fs;
use std::process::Command;

use super::{START, folder};
use crate::common::{ALL_WELL, FAILED, FAULTY, stderr, stdout};

#[test]
fn repositories_are_merged() {
    let folder = folder();
    fs::write(
        folder.path("deep.epd"),
        format!("{START} acd 30; ce 21; pv e4 e5;\n"),
    )
    .expect("written");
    fs::write(
        folder.path("flat.epd"),
        format!("{START} Bk_e2e4 \"3 0 3 0 3 2030\"; acd 9; ce 50;\n"),
    )
    .expect("written");
    let merged = folder
        .run("book merge flat.epd deep.epd book.epd -o all.epd")
        .code(ALL_WELL);
    assert_eq!(stderr(&merged), "27 positions from 3 files\n");
    assert!(folder.read("all.epd").contains(&format!(
        "{START} Bk_d2d4 \"1 1 0 0 2 2024\"; Bk_e2e4 \"5 1 4 0 6 2030\"; Bk_g1f3 \"1 0 0 1 0 2023\"; acd 30; ce 21; pv e4 e5;\n"
    )));
    let reversed: String = folder
        .read("book.epd")
        .lines()
        .rev()
        .flat_map(|line| [line, "\n"])
        .collect();
    fs::write(folder.path("unsorted.epd"), reversed).expect("written");
    for command in [
        "merge unsorted.epd -o out.epd",
        "stats unsorted.epd",
        "lookup unsorted.epd",
        "export unsorted.epd out.bin",
    ] {
        let failed = folder.run(&format!("book {command}")).code(FAILED);
        assert_eq!(
            stderr(&failed),
            "epode: unsorted.epd:2: not sorted: this position belongs before that of line 1; \
             `epode book build --min-games 1 unsorted.epd -o SORTED.epd` sorts a repository\n"
        );
    }
    assert!(!folder.path("out.epd").exists() && !folder.path("out.bin").exists());
    folder
        .run("book build --min-games 1 unsorted.epd -o SORTED.epd")
        .code(ALL_WELL);
    assert_eq!(folder.read("SORTED.epd"), folder.read("book.epd"));
}

#[test]
fn positions_are_looked_up() {
    let folder = folder();
    let mut command = folder.command("book lookup book.epd --moves");
    let found = stdout(&command.arg("1. e4 c7c5 2.Nf3 d6").assert().code(ALL_WELL));
    let expected = "\
rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -
B50 Sicilian Defense: Modern Variations
move  games   won  drawn   lost  weight    play  last
d4        2  0.0%  50.0%  50.0%       1  100.0%  2023
";
    assert_eq!(found, expected);
    let record = stdout(&folder.run("book lookup --record book.epd"));
    assert!(folder.read("book.epd").contains(&record));
    let line = |options: &str| {
        stdout(
            &folder
                .run(&format!("book lookup --line {options} book.epd"))
                .code(ALL_WELL),
        )
    };
    assert_eq!(line("--best"), "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6\n");
    assert_eq!(line("--seed 7"), line("--seed 7"));
    let lines: std::collections::HashSet<_> = (0..20)
        .map(|seed| line(&format!("--seed {seed}")))
        .collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    let mut command = folder.command("book lookup book.epd");
    let absent = command
        .arg("4k3/8/8/8/8/8/8/4K3 w - -")
        .assert()
        .code(FAULTY);
    assert_eq!(
        stderr(&absent),
        "epode: book.epd does not have this position\n"
    );
}

#[test]
fn a_fen_needs_no_quotes() {
    let folder = folder();
    let line = format!("book lookup book.epd {START}");
    let found = stdout(&folder.run(&line).code(ALL_WELL));
    assert_eq!(found, stdout(&folder.run("book lookup book.epd")));
}

/// Scripts read a repository with python-chess: the moves are operations with one string. Tested if `EPODE_PYTHON` names
/// a Python with python-chess.
#[test]
fn python_chess_reads_a_repository() {
    let Some(python) = std::env::var_os("EPODE_PYTHON") else {
        println!("not tested: EPODE_PYTHON names no Python with python-chess");
        return;
    };
    let folder = folder();
    let script = "\
import chess, sys
book = {}
for line in open(sys.argv[1]):
    board, operations = chess.Board.from_epd(line)
    book[board.epd()] = operations
    assert line.startswith(board.epd()), line
board = chess.Board()
for move in ['e4', 'c5', 'Nf3', 'd6']:
    board.push_san(move)
for opcode, operand in book[board.epd()].items():
    if opcode.startswith('Bk_'):
        move = chess.Move.from_uci(opcode[3:])
        print(board.san(move), *map(int, operand.split()))
print(book[board.epd()]['eco'], len(book))
";
    let output = Command::new(python)
        .args(["-c", script])
        .arg(folder.path("book.epd"))
        .output()
        .expect("Python runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "d4 2 0 1 1 1 2023\nB50 27\n"
    );
}
