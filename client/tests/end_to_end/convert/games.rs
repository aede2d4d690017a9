//! Games, puzzles and FENs: which positions become records, and what PGN and FEN have no place for.

use std::fs;

use super::{GAMES, HARD, normal};
use crate::common::{ALL_WELL, FAILED, FAULTY, Folder};
use predicates::str::contains;

#[test]
fn positions_of_games() {
    let folder = Folder::with("g.pgn", GAMES);
    folder
        .run("convert g.pgn - --ply 1-2")
        .code(FAILED)
        .stdout(
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 eco \"C20\"; id \"Ann - Bob, Cup, 2025.11.30, ply 1\"; sm e5;\n\
             rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 eco \"C20\"; fmvn 2; hmvc 0; id \"Ann - Bob, Cup, 2025.11.30, ply 2\"; sm Qh5;\n\
             rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 id \"Third, ply 1\";\n",
        )
        .stderr(contains("g.pgn:15:13: \"Zz\": not a move, expected a legal move or a result"))
        .stderr(contains("3 records from 3 games, 0 with warnings; 1 game not understood"));
    let last = folder
        .command("convert g.pgn - --last --to fen")
        .output()
        .expect("it runs");
    let last = String::from_utf8(last.stdout).expect("UTF-8");
    assert_eq!(last.lines().count(), 2);
    assert!(last.starts_with("rnbq1bnr/ppppkppp/8/4Q3/"), "{last}");
    let all = folder.command("convert g.pgn -").output().expect("it runs");
    assert_eq!(
        String::from_utf8(all.stdout)
            .expect("UTF-8")
            .lines()
            .count(),
        6 + 2
    );
    folder
        .run("convert g.pgn - --ply 0,1 --unique --tags")
        .stdout(contains("ptp Event \"Cup\" Date \"2025.11.30\" White \"Ann\" Black \"Bob\" Result \"1-0\" ECO \"C20\";"))
        .stderr(contains("2 records from 3 games"))
        .stderr(contains("4 repeated positions left out"));
}

/// As python-chess writes them: `Variant` after `FEN`.
#[test]
fn games_of_chess960_keep_their_castling_rights() {
    let game = |moves| {
        format!(
            "[Event \"?\"]\n[FEN \"1k6/8/8/8/8/8/8/RK5R w KQ - 0 1\"]\n[SetUp \"1\"]\n[Variant \"Chess960\"]\n\n{moves} *\n\n"
        )
    };
    let folder = Folder::with("g.pgn", game("1. O-O Kc7") + &game("") + &game("1. O-O-O"));
    folder
        .run("convert g.pgn - --last --to fen")
        .code(ALL_WELL)
        .stdout(
            "8/2k5/8/8/8/8/8/R4RK1 w - - 2 2\n\
             1k6/8/8/8/8/8/8/RK5R w HA - 0 1\n\
             1k6/8/8/8/8/8/8/2KR3R b - - 1 1\n",
        );
}

#[test]
fn a_pgn_has_one_position_a_game() {
    let folder = Folder::with("in.epd", HARD);
    folder
        .run("convert in.epd x.pgn")
        .code(FAULTY)
        .stderr(contains(
            "in.epd:5:1: left out: PGN has no place for an illegal position",
        ));
    let pgn = folder.read("x.pgn");
    assert_eq!(pgn.matches("[Event ").count(), HARD.lines().count() - 1);
    assert!(pgn.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 3 1\"]\n"));
    assert!(pgn.contains("[Variant \"Chess960\"]"));
    folder.run("convert x.pgn back.epd --ply 0");
    let expected = normal(&folder, "in.epd");
    let mut expected: Vec<_> = expected.lines().collect();
    expected.remove(4);
    assert_eq!(
        folder.read("back.epd").lines().collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn what_fen_has_no_place_for_is_counted() {
    let folder = Folder::with("in.epd", format!("# remark\n{HARD}no record\n"));
    folder
        .run("convert in.epd x.fen")
        .code(FAILED)
        .stderr(contains("in.epd:9:"))
        .stderr(contains(
            "1 line not understood; 1 blank line or comment left out; 2",
        ))
        .stderr(contains("operations left out, which FEN has no place for"));
    let fens = folder.read("x.fen");
    assert!(
        fens.starts_with("4k3/8/8/8/8/8/8/4K2R w K - 3 1\n"),
        "{fens}"
    );
    assert!(
        fens.contains("\n8/8/8/8/8/8/8/4K2R w - - 0 1\n"),
        "illegal ones too"
    );
}

/// The first move of a puzzle of Lichess is the opponent's, and is played.
#[test]
fn puzzles() {
    let header = "PuzzleId,FEN,Moves,Rating,Themes\n";
    let fen = "q3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17";
    let row = format!("00sHx,{fen},e8d7 a2e6 d7d8 f7f8,1760,mate mateIn2\n");
    let record = "q5nr/1ppknQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 w - - Rating 1760; Themes \"mate mateIn2\"; \
                  bm Be6+; dm 2; fmvn 18; hmvc 1; id \"00sHx\"; sv Be6+ Kd8 Qf8#;\n";
    let folder = Folder::with(
        "a.csv",
        format!("{header}{row}1,{fen},e8d7,1,x\n2,{fen},e8d7 a2e7,1,x\n"),
    );
    folder
        .run("convert --puzzles a.csv -")
        .code(FAILED)
        .stdout(record)
        .stderr(contains(
            "a.csv:3:61: \"e8d7\": expected two moves at least\n",
        ))
        .stderr(contains("a.csv:4:66: \"a2e7\": not a legal move here\n"));
    // The mate is proven, and the best move is found.
    fs::write(folder.path("a.epd"), record).expect("written");
    folder
        .run("pfms --moves 2 a.epd")
        .code(ALL_WELL)
        .stdout(contains("dm 2;"));
    folder
        .run("pfts --nodes 1000 a.epd")
        .code(ALL_WELL)
        .stderr(contains("1 solved"));
    // A game shows the solution.
    folder
        .run("convert a.epd - --to pgn")
        .code(ALL_WELL)
        .stdout(contains("\n18. Be6+ Kd8 19. Qf8# *\n"));
    // As JSON, and without the option.
    let json = format!(
        "{{\"PuzzleId\":\"00sHx\",\"FEN\":\"{fen}\",\"Moves\":\"e8d7 a2e6 d7d8 f7f8\",\"Rating\":1760,\"Themes\":\"mate mateIn2\"}}\n"
    );
    fs::write(folder.path("b.jsonl"), json).expect("written");
    folder
        .run("convert --puzzles b.jsonl -")
        .code(ALL_WELL)
        .stdout(record);
    folder
        .run("convert a.csv -")
        .code(ALL_WELL)
        .stdout(contains("Moves \"e8d7 a2e6 d7d8 f7f8\""))
        .stderr(contains("--puzzles plays that move"));
    folder
        .run("convert --puzzles a.epd -")
        .code(FAILED)
        .stderr("epode: --puzzles expects CSV or JSON, and a.epd is neither\n");
}
