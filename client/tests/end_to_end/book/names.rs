//! `book classify`: games and records get the names of their openings.

use std::fs;

use super::{GAMES, START};
use crate::common::{ALL_WELL, Folder, stderr, stdout};

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
