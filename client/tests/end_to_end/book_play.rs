//! Play from an opening book: under UCI, under xboard, and in an event.

use crate::common::records::START;
use crate::common::referee::Server;
use crate::common::{ALL_WELL, FAILED, Folder, stderr, stdout};
use movegen::Game;

/// 1. e4 has the weight 3, 1. d4 the weight 1; 1... c5 is the only answer to 1. e4.
const BOOK: &str = "\
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - Bk_g1f3 \"2 1 0 1 2 2020\";
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - Bk_c7c5 \"2 1 0 1 2 2020\";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - Bk_a2a3 \"9 0 0 9 0 2020\"; Bk_d2d4 \"1 0 1 0 1 2020\"; Bk_e2e4 \"2 1 1 0 3 2020\";
";

fn folder() -> Folder {
    let folder = Folder::with("book.epd", BOOK);
    folder.run("book export book.epd book.bin").code(ALL_WELL);
    folder
}

/// What an engine prints for these commands.
fn session(folder: &Folder, command: &str, input: &str) -> String {
    let run = folder.command(command).write_stdin(input).assert();
    stdout(&run.code(ALL_WELL))
}

#[test]
fn uci_announces_and_uses_a_book() {
    let folder = folder();
    let declared = session(&folder, "uci", "uci\n");
    for option in [
        "option name OwnBook type check default false",
        "option name BookFile type string default <empty>",
        "option name BookDepth type spin default 255 min 1 max 255",
        "option name BestBookMove type check default false",
    ] {
        assert!(declared.lines().any(|line| line == option), "{declared}");
    }
    let declared = session(&folder, "uci --book book.epd", "uci\n");
    assert!(declared.contains("option name OwnBook type check default true\n"));
    assert!(declared.contains("option name BookFile type string default book.epd\n"));
    for (book, games) in [("book.epd", ", 2 games"), ("book.bin", "")] {
        let set = format!(
            "setoption name BookFile value {book}\nsetoption name OwnBook value true\nsetoption name BestBookMove value true\n"
        );
        let said = session(
            &folder,
            "uci",
            &format!(
                "{set}position startpos\ngo depth 1\nposition startpos moves e2e4\ngo nodes 9\n"
            ),
        );
        let answer = if games.is_empty() { "" } else { games };
        assert_eq!(
            said,
            format!(
                "info string book e2e4, weight 3 of 4{answer}\nbestmove e2e4\ninfo string book c7c5, weight 2 of 2{answer}\nbestmove c7c5\n"
            )
        );
    }
    // The interface decides whether the book is used, and not in analysis.
    for input in [
        "setoption name OwnBook value false\nposition startpos\ngo depth 1\n",
        "position startpos\ngo infinite\nstop\n",
        "position startpos\ngo depth 1 searchmoves a2a3\n",
        "setoption name BookDepth value 1\nposition startpos moves e2e4 c7c5\ngo depth 1\n",
        "setoption name BookFile value <empty>\nposition startpos\ngo depth 1\n",
        "position startpos moves a2a3\ngo depth 1\n",
    ] {
        let said = session(&folder, "uci --book book.epd", input);
        assert!(
            !said.contains("info string book") && said.contains("bestmove "),
            "{input}{said}"
        );
    }
}

#[test]
fn moves_vary_by_weight() {
    let folder = folder();
    let go = "position startpos\ngo depth 1\n".repeat(400);
    let said = session(&folder, "uci --book book.epd --book-seed 1", &go);
    let count = |mv: &str| said.matches(&format!("bestmove {mv}\n")).count();
    assert_eq!(count("e2e4") + count("d2d4"), 400);
    assert!((250..350).contains(&count("e2e4")), "{}", count("e2e4"));
    assert_eq!(
        said,
        session(&folder, "uci --book book.epd --book-seed 1", &go)
    );
    let best = session(&folder, "uci --book book.epd --book-best", &go);
    assert_eq!(best.matches("bestmove e2e4\n").count(), 400);
}

#[test]
fn books_that_cannot_be_read_are_told() {
    let folder = folder();
    let failed = folder.run("uci --book missing.epd").code(FAILED);
    assert!(
        stderr(&failed).starts_with("epode: --book: cannot read missing.epd: "),
        "{}",
        stderr(&failed)
    );
    let said = session(
        &folder,
        "uci",
        "setoption name BookFile value missing.bin\nsetoption name OwnBook value true\nposition startpos\ngo depth 1\n",
    );
    assert!(
        said.starts_with("info string BookFile: cannot read missing.bin: ")
            && said.contains("bestmove "),
        "{said}"
    );
    std::fs::write(folder.path("bad.epd"), BOOK.replace("e2e4", "e2e5")).expect("written");
    let said = session(
        &folder,
        "uci --book bad.epd",
        "position startpos\ngo depth 1\n",
    );
    assert!(
        said.starts_with("info string BookFile: bad.epd:3: Bk_e2e5: not a legal move here\n")
            && said.contains("bestmove "),
        "{said}"
    );
}

#[test]
fn xboard_plays_from_a_book() {
    let folder = folder();
    let declared = session(&folder, "xboard --book book.epd", "xboard\nprotover 2\n");
    for option in [
        "OwnBook -check 1",
        "BookFile -file book.epd",
        "BookDepth -spin 255 1 255",
        "BestBookMove -check 0",
    ] {
        assert!(
            declared.contains(&format!("feature option=\"{option}\"\n")),
            "{declared}"
        );
    }
    let said = session(
        &folder,
        "xboard",
        "xboard\nprotover 2\nnew\nsd 1\noption OwnBook=1\noption BookFile=book.bin\nusermove e2e4\nusermove a2a3\nping 1\n",
    );
    let said = said.split("feature done=1\n").nth(1).expect("features");
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(lines[..2], ["# book c7c5, weight 2 of 2", "move c7c5"]);
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.starts_with("move "))
            .count(),
        2,
        "{said}"
    );
    let said = session(&folder, "xboard", "xboard\noption BookFile=none.epd\n");
    assert!(
        said.contains("# cannot read none.epd: ")
            && said.contains("Error (cannot open the book): option BookFile=none.epd"),
        "{said}"
    );
}

/// The referee gets the move of the book, without an analysis, whatever engine plays.
#[test]
fn players_of_an_event_play_from_a_book() {
    let folder = folder();
    let server = Server::new();
    let player = server.player(
        &folder,
        "--analysis --depth 1 --book book.epd --book-best --book-depth 1",
    );
    let mut peer = server.accept();
    peer.say(START, "refcom reset;");
    let mut game = Game::default();
    peer.ask(game.position());
    let reply = peer.hear_reply();
    let mv = reply.supplied_move().expect("a move");
    assert_eq!(mv.to_string(), "e2e4");
    assert!(reply.analysis.is_empty(), "{reply:?}");
    game.play(mv).expect("legal");
    let uci: movegen::UciMove = "c7c5".parse().expect("a move");
    game.play(uci.find(game.position()).expect("legal"))
        .expect("legal");
    // Move 2 is beyond the depth of the book.
    peer.ask(game.position());
    let reply = peer.hear_reply();
    assert!(
        reply.supplied_move().is_some() && !reply.analysis.is_empty(),
        "{reply:?}"
    );
    peer.say(START, "refcom disconnect;");
    peer.hear_end();
    let (status, messages) = player.ends();
    assert_eq!(status, ALL_WELL, "{messages}");
    assert!(
        messages.starts_with("epode: book e2e4, weight 3 of 4, 2 games\n"),
        "{messages}"
    );
    assert_eq!(messages.matches("epode: book").count(), 1, "{messages}");
}
