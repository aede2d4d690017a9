//! `epode book`: opening repositories and Polyglot books, from games to moves.

use std::fs;
use std::process::Command;

use predicates::str::contains;

use crate::common::{ALL_WELL, FAILED, FAULTY, Folder, stderr, stdout};

/// A few games; two of them reach the same position by different moves.
const GAMES: &str = include_str!("../data/games.pgn");
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

fn folder() -> Folder {
    let folder = Folder::with("games.pgn", GAMES);
    folder
        .run("book build --min-games 1 games.pgn -o book.epd")
        .code(ALL_WELL);
    folder
}

#[test]
fn games_become_a_repository() {
    let folder = Folder::with("games.pgn", GAMES);
    let built = folder.run("book build --min-games 1 games.pgn -o book.epd");
    assert_eq!(
        stderr(&built.code(ALL_WELL)),
        "4 games: 27 positions, 30 moves\n"
    );
    let text = folder.read("book.epd");
    assert!(text.contains(&format!(
        "{START} Bk_d2d4 \"1 1 0 0 2 2024\"; Bk_e2e4 \"2 1 1 0 3 2022\"; Bk_g1f3 \"1 0 0 1 0 2023\";\n"
    )));
    assert!(text.contains(" Bk_c7c5 \"1 0 1 0 1 2022\"; Bk_e7e5 \"1 0 0 1 0 2021\"; eco \"B00\"; v0 \"King's Pawn Game\";\n"));
    assert!(text.lines().is_sorted());
    // A record in normal form stays as it is.
    folder.run("pfdn --check book.epd").code(ALL_WELL);
    // From a pipe, compressed, in several threads, with little memory: the same.
    folder
        .command("book build --min-games 1 --jobs 3 --memory 1 - -o piped.epd")
        .write_stdin(GAMES)
        .assert()
        .code(ALL_WELL);
    assert_eq!(folder.read("piped.epd"), text);
    folder
        .run("book build --min-games 1 games.pgn -o book.epd.zst")
        .code(ALL_WELL);
    folder
        .run("book merge book.epd.zst -o plain.epd")
        .code(ALL_WELL);
    assert_eq!(folder.read("plain.epd"), text);
    let rare = folder.run("book build --plies 2 --min-games 2 games.pgn -o rare.epd");
    assert_eq!(
        stderr(&rare),
        "4 games: 1 position, 1 move; 6 moves in fewer than 2 games left out (--min-games)\n"
    );
    assert_eq!(
        folder.read("rare.epd"),
        format!("{START} Bk_e2e4 \"2 1 1 0 3 2022\";\n")
    );
}

#[test]
fn wrong_games_and_records_are_left_out() {
    let folder = Folder::with(
        "games.pgn",
        "1. e4 e5 *\n\n[Event \"x\"]\n\n1. e4\n2. Ke3 *\n\n1. d4 *\n",
    );
    let built = folder
        .run("book build --min-games 1 games.pgn -o book.epd")
        .code(FAULTY);
    assert_eq!(
        stderr(&built),
        "games.pgn:6:4: game left out: \"Ke3\": not a legal move here, expected a legal move or a result\n\
         2 games: 2 positions, 3 moves; 1 with errors left out\n"
    );
    fs::write(
        folder.path("x.epd"),
        format!("{START} bm e4; ce 30;\n{START} bm e5;\n# x\nnonsense\n"),
    )
    .expect("written");
    let built = folder.run("book build x.epd -o book.epd").code(FAILED);
    assert_eq!(
        stderr(&built),
        "x.epd:2: record left out: bm: e5: not a legal move here\n\
         x.epd:4:9: record left out: the active colour is missing\n\
         1 record: 1 position, 1 move; 1 with errors left out; 1 line not understood\n"
    );
    assert_eq!(
        folder.read("book.epd"),
        format!("{START} Bk_e2e4 \"0 0 0 0 1 0\"; bm e4; ce 30;\n")
    );
    folder
        .run("book build missing.pgn -o book.epd")
        .code(FAILED);
    folder
        .command("book build --min-games 1 --temp none x.epd -o book.epd")
        .assert()
        .code(FAILED)
        .stderr(contains(
            "epode: cannot use a temporary file in none (--temp names another folder): No such file",
        ));
}

/// What was read, or looks like games, is not replaced by a book.
#[test]
fn a_book_replaces_no_games() {
    let folder = Folder::with("a.pgn", GAMES);
    fs::write(folder.path("b.pgn"), GAMES).expect("written");
    fs::write(folder.path("c.epd"), format!("{START} bm e4;\n")).expect("written");
    let games =
        |name| format!("{name} has games (PGN), which the book would replace: name another OUT");
    for (files, message) in [
        ("a.pgn -o b.pgn", games("b.pgn")),
        ("a.pgn -o a.pgn --force", games("a.pgn")),
        (
            "c.epd a.pgn -o c.epd",
            "c.epd is one of the files to read, name another OUT".to_owned(),
        ),
    ] {
        folder
            .run(&format!("book build --min-games 1 {files}"))
            .code(FAILED)
            .stderr(format!("epode: {message}\n"));
    }
    assert_eq!(
        folder.read("a.pgn") + &folder.read("b.pgn"),
        GAMES.repeat(2)
    );
    // Without -o the book goes to standard output.
    let printed = stdout(
        &folder
            .run("book build --min-games 1 a.pgn b.pgn")
            .code(ALL_WELL),
    );
    assert_eq!(printed.lines().count(), 27);
    for verb in [
        "lookup a.pgn",
        "merge a.pgn",
        "export a.pgn out.bin",
        "stats a.pgn",
    ] {
        folder.run(&format!("book {verb}")).code(FAILED).stderr(
            "epode: a.pgn is PGN; `epode book build a.pgn -o BOOK.epd` makes a book of games\n",
        );
    }
}

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

#[test]
fn games_and_records_get_their_names() {
    let folder = Folder::with("games.pgn", GAMES);
    let named = folder
        .run("book classify games.pgn named.pgn")
        .code(ALL_WELL);
    assert_eq!(stderr(&named), "4 games, 4 named\n");
    let text = folder.read("named.pgn");
    // Nothing is lost, and nothing else changes.
    let is_ours = |line: &&str| {
        ["[ECO ", "[Opening ", "[Variation ", "[SubVariation "]
            .iter()
            .any(|tag| line.starts_with(tag))
    };
    let rest: Vec<_> = text.lines().filter(|line| !is_ours(line)).collect();
    assert_eq!(rest, GAMES.lines().collect::<Vec<_>>());
    let ours: Vec<_> = text.lines().filter(is_ours).collect();
    let najdorf = [
        "[ECO \"B90\"]",
        "[Opening \"Sicilian Defense\"]",
        "[Variation \"Najdorf Variation\"]",
    ];
    assert_eq!(ours[3..6], najdorf);
    // By other moves.
    assert_eq!(ours[6..9], najdorf);
    // Old tags are replaced.
    let wrong = text.replace("B90", "A00").replace("Najdorf Variation", "x");
    fs::write(folder.path("wrong.pgn"), wrong).expect("written");
    folder
        .run("book classify --jobs 2 wrong.pgn wrong.pgn")
        .code(ALL_WELL);
    assert_eq!(folder.read("wrong.pgn"), text);

    // Games without tags get some; two in one line cannot be told apart.
    let untagged = "1. e4 c5 *\n\n1. e4 e5 * 1. d4 *\n";
    fs::write(folder.path("untagged.pgn"), untagged).expect("written");
    let named = folder.run("book classify untagged.pgn").code(ALL_WELL);
    assert_eq!(
        stdout(&named),
        format!("[ECO \"B20\"]\n[Opening \"Sicilian Defense\"]\n\n{untagged}")
    );

    // The positions of a game, one after the other; the last has no name of its own.
    let records = "\
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - c9 \"kept\"; eco \"X\"; v3 \"old\";
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
rnbqkbnr/pp1ppppp/8/2p5/4P2P/8/PPPP1PP1/RNBQKBNR b KQkq -
rnbqkbnr/1p1ppppp/p7/2p5/4P2P/8/PPPP1PP1/RNBQKBNR w KQkq -
4k3/8/8/8/8/8/8/4K3 w - - eco \"mine\";
# a comment
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - sv d4 d5 c4 a6;
";
    fs::write(folder.path("in.epd"), records).expect("written");
    let named = folder.run("book classify in.epd").code(ALL_WELL);
    assert_eq!(
        stderr(&named),
        "6 records, 5 named; 0 lines not understood; 1 blank line or comment\n"
    );
    let named = stdout(&named);
    let lines: Vec<_> = named.lines().collect();
    assert!(
        lines[0].ends_with(" - c9 \"kept\"; eco \"B00\"; v0 \"King's Pawn Game\";"),
        "{}",
        lines[0]
    );
    assert!(
        lines[1].ends_with(" - eco \"B20\"; v0 \"Sicilian Defense\";"),
        "{}",
        lines[1]
    );
    assert!(
        lines[2].contains("eco \"B20\"; v0 \"Sicilian Defense\""),
        "{}",
        lines[2]
    );
    assert!(
        lines[3].contains("eco \"B20\"; v0 \"Sicilian Defense\""),
        "{}",
        lines[3]
    );
    assert_eq!(lines[4..6], records.lines().collect::<Vec<_>>()[4..6]);
    assert!(
        lines[6].contains("eco \"D06\"") || lines[6].contains("eco \"D20\""),
        "{}",
        lines[6]
    );

    fs::write(
        folder.path("names.epd"),
        format!("{START} v0 \"Everything\"; nic \"XX 1\";\n"),
    )
    .expect("written");
    let named = folder
        .run("book classify --names names.epd games.pgn")
        .code(ALL_WELL);
    assert_eq!(
        stdout(&named)
            .matches("[NIC \"XX 1\"]\n[Opening \"Everything\"]\n")
            .count(),
        4
    );
}

/// A file of several groups of games: nothing depends on where they are cut, or on the number of threads.
#[test]
fn many_games_are_read_in_groups() {
    let mut text = String::new();
    for number in 0..3000 {
        let game = GAMES.split("\n\n[Event").nth(number % 4).expect("a game");
        let game = game.trim_start_matches("[Event").trim_start();
        text += &["[Event ", game.trim_start_matches('"'), "\n\n"]
            .concat()
            .replace("[Event Club", "[Event \"Club");
    }
    let folder = Folder::with("many.pgn", &text);
    let built = folder.run("book build many.pgn -o one.epd").code(ALL_WELL);
    assert!(
        stderr(&built).starts_with("3,000 games: "),
        "{}",
        stderr(&built)
    );
    folder
        .run("book build --jobs 4 --memory 1 many.pgn -o four.epd")
        .code(ALL_WELL);
    assert_eq!(folder.read("one.epd"), folder.read("four.epd"));
    assert!(
        folder
            .read("one.epd")
            .contains(&format!("{START} Bk_d2d4 \"750 750 0 0 1500 2024\""))
    );
    let one = stdout(&folder.run("book classify many.pgn"));
    assert_eq!(one, stdout(&folder.run("book classify --jobs 3 many.pgn")));
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
