//! Books as they circulate, and what is wrong with some.

use std::fs;
use std::path::Path;

use movegen::San;
use movegen::pgn::{Games, Outcome, PgnGame, Ply, ReadGame};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;

use super::*;

/// The same cases every time, unless the environment asks for others.
fn config() -> ProptestConfig {
    let mut config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(0x0E90_DE03);
    }
    config
}

/// The exact texts of an opening's moves.
fn line(opening: &Opening) -> String {
    let mut position = opening.start;
    let mut words = Vec::new();
    for &mv in &opening.moves {
        words.push(San::of(&position, mv).to_string());
        position.play(mv);
    }
    words.join(" ")
}

#[track_caller]
fn lines(text: &str, max_plies: usize, expected: &[&str]) {
    let openings = from_pgn(text, max_plies).unwrap_or_else(|error| panic!("{text}: {error}"));
    let lines: Vec<_> = openings.iter().map(line).collect();
    assert_eq!(lines, expected, "{text}");
}

#[track_caller]
fn fails(text: &str, message: &str) {
    let error = read(text, 100, CastlingMode::Standard).expect_err(text);
    assert_eq!(error.to_string(), message, "{text}");
}

#[test]
fn everything_that_is_passed_over() {
    let text = "\u{FEFF}% escape [\n[Event \"a\"]\r\n[Opening  \"The \"Big\" \\\"one\\\" \\\\\" ]\n\n\
        {a ( comment ; over\nlines} 1.e4 $1 e5!? ; rest ( of the line\n\
        % 2. a3\n\
        ( 1... c5 {)} 2. Nf3 (2. c3 $10 d5 ;)\n) 1-0 ) 2 . Ng1-f3 ! 2... Nb8c6 +- 3. Bb5 a6\n\
        4.0-0 Nf6 5 Re1 Be7 6 d4 exd4 7 e5 d5 8 exd6 e.p. O-O 1/2-1/2";
    let openings = from_pgn(text, 99).expect("readable");
    assert_eq!(
        line(&openings[0]),
        "e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6 Re1 Be7 d4 exd4 e5 d5 exd6 O-O"
    );
    assert_eq!(
        openings[0].name.as_deref(),
        Some("The \"Big\" \"one\" \\"),
        "quotes with and without backslash"
    );
}

#[test]
fn several_games() {
    let tagged = "[Event \"1\"]\n\n1. e4 *\n[Event \"2\"]\n1. d4\n\n[Event \"3\"]\n1. c4 d5 1-0";
    lines(tagged, 9, &["e4", "d4", "c4 d5"]);
    lines("1. e4 e5 * 1. d4 d5 *", 9, &["e4 e5", "d4 d5"]);
    // Games without moves are the starting array.
    lines(
        "[Event \"1\"]\n[Event \"2\"]\n*\n[Event \"3\"]\n",
        9,
        &["", "", ""],
    );
    // What is beyond the limit is not examined.
    lines("1. e4 e5 2. Ke4 Nonsense *", 2, &["e4 e5"]);
    lines("1. e4 e5 *", 0, &[""]);
}

#[test]
fn names() {
    let name = |tags: &str| {
        let mut openings = from_pgn(&format!("{tags}\n*"), 9).expect(tags);
        openings.remove(0).name
    };
    let some = |name: &str| Some(name.to_owned());
    assert_eq!(
        name("[ECO \"C60\"][Opening \"Ruy Lopez\"][Variation \"Berlin\"]"),
        some("Ruy Lopez, Berlin")
    );
    assert_eq!(
        name("[ECO \"C60\"][Opening \"?\"][Variation \"x\"]"),
        some("C60")
    );
    assert_eq!(name("[Event \"x\"]"), None);
}

#[test]
fn set_up_starts() {
    let text = "[Event \"x\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K2R w K - 3 40\"]\n\n40. a8=Q+ *";
    let openings = from_pgn(text, 9).expect("readable");
    let [opening] = &openings[..] else {
        panic!("{openings:?}")
    };
    assert_eq!(
        opening.start.to_string(),
        "4k3/P7/8/8/8/8/8/4K2R w K - 3 40"
    );
    assert_eq!(
        opening.position().to_string(),
        "Q3k3/8/8/8/8/8/8/4K2R b K - 0 40"
    );
}

#[test]
fn formats() {
    assert_eq!(Format::of("\n# x\n8/8/8/8/8/8/8/8 w - -"), Format::Epd);
    for text in ["[Site \"a/b/c/d/e/f/g/h\"]", "1. e4 1/2-1/2", "", "{ / }"] {
        assert_eq!(Format::of(text), Format::Pgn, "{text}");
    }
}

#[test]
fn places_of_errors_in_games() {
    fails(
        "1. e4 e5\n2. Ke3 *",
        "line 2, column 4: \"Ke3\": not a legal move here, expected a legal move or a result",
    );
    fails(
        "1. e4 é5",
        "line 1, column 7: \"é5\": not a move, expected a legal move or a result",
    );
    fails(
        "1. e4 -- 2. d4",
        "line 1, column 7: \"--\": not a move, expected a legal move or a result",
    );
    fails(
        "[FEN \"3k4/8/8/8/8/8/1K6/R6R w - -\"] 1. Rd1",
        "line 1, column 40: \"Rd1\": ambiguous: Rad1+ or Rhd1+, \
         expected a legal move or a result",
    );
    fails(
        "1. e4 {..",
        "line 1, column 7: a comment is not closed, expected \"}\"",
    );
    fails(
        "1. e4 ((e5)\n[Event \"x\"]",
        "line 1, column 7: a variation is not closed, expected \")\"",
    );
    fails(
        "1. e4 )",
        "line 1, column 7: found \")\", expected a move, a result or \"(\" first",
    );
    fails(
        "1. e4 }",
        "line 1, column 7: found \"}\", expected a tag, a move or a result",
    );
    fails(
        "\n[ \"x\"]",
        "line 2, column 3: found \"\\\"x\\\"]\", expected the name of a tag",
    );
    fails(
        "[Event x]",
        "line 1, column 8: found \"x]\", expected the value of a tag in quotes",
    );
    fails(
        "[Event \"x]\n",
        "line 1, column 9: the value of a tag is not closed, expected \"\\\"]\"",
    );
    fails(
        "",
        "line 1, column 1: no openings, expected EPD records or PGN games",
    );
}

#[test]
fn positions_without_a_game() {
    fails(
        "1. f3 e5 2. g4 Qh4# 0-1",
        "line 1, column 16: the opening ends in checkmate, \
         expected a position with moves left to play",
    );
    fails(
        "# x\n  7k/5Q2/6K1/8/8/8/8/8 b - -",
        "line 2, column 3: the opening ends in stalemate, \
         expected a position with moves left to play",
    );
    fails(
        "[FEN \"4k3/8/8/8/8/8/8/4KB2 w - -\"] *",
        "line 1, column 1: the opening ends in a dead position, \
         expected a position with moves left to play",
    );
    fails(
        "4k3/8/8/8/8/8/8/4K2R w K -\n4k3/8/8/8/8/8/8/8 w - -",
        "line 2, column 1: illegal position: no white king",
    );
    fails(
        "4k3/8/8/8/7/8/8/4K2R w K -",
        "line 1, column 11: rank 4 has 7 squares, expected 8",
    );
    fails(
        "[Event \"x\"]\n[FEN \"4k3/8/8/8/7/8/8/4K2R w K -\"] *",
        "line 2, column 17: rank 4 has 7 squares, expected 8",
    );
    fails(
        "[FEN \"8/8/8/8/8/8/8/4K3 w - -\"] *",
        "line 1, column 7: illegal position: no black king",
    );
}

/// The books that are at hand, outside the repository.
#[test]
fn shared_books_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/books");
    let Ok(files) = fs::read_dir(&folder) else {
        eprintln!("skipped: there is no folder {}", folder.display());
        return;
    };
    for file in files {
        let path = file.expect("a file").path();
        let text = fs::read_to_string(&path).expect("a text");
        let openings = read(&text, 20, CastlingMode::Standard)
            .unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert_eq!(openings.len(), text.lines().count(), "{path:?}");
        assert!(openings.iter().all(|opening| opening.moves.is_empty()));
        for (opening, line) in openings.iter().zip(text.lines()) {
            let fields = |text: &str| {
                text.split(' ')
                    .take(3)
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            let read = fields(&opening.start.to_string());
            let mut written = fields(line);
            // Rights that standard chess has too are written as in standard chess.
            if read[2] == "KQkq" && written[2] == "HAha" {
                written[2].clone_from(&read[2]);
            }
            assert_eq!(read, written);
        }
    }
}

/// A game as it is written, of random moves; those before `begin` lead to where it starts.
fn any_game() -> impl Strategy<Value = PgnGame> {
    let words = proptest::collection::vec("[a-z%;{}()\\[\\]\"$*.0-9]{1,12}|[%x]{80,200}", 0..30);
    let text = prop_oneof![words.prop_map(|words| words.join(" ")), any::<String>()];
    let ply = (any::<Index>(), proptest::option::of(text));
    let result = proptest::option::of(proptest::sample::select(Outcome::ALL.to_vec()));
    let plies = proptest::collection::vec(ply, 0..80);
    (plies, 0_usize..40, result, any::<String>()).prop_map(|(plies, begin, result, tag)| {
        let mut game = PgnGame {
            result,
            tags: vec![("Other".to_owned(), tag)],
            ..PgnGame::default()
        };
        let mut position = game.start;
        for (i, (choice, comment)) in plies.into_iter().enumerate() {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[choice.index(moves.len())];
            position.play(mv);
            if i < begin {
                game.start = position;
            } else {
                let ply = Ply::new(mv);
                game.plies.push(Ply { comment, ..ply });
            }
        }
        game
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_written_is_read_back(games in proptest::collection::vec(any_game(), 1..4)) {
        let written = games.iter().map(|game| game.export().expect("legal moves"));
        let text: String = written.collect();
        let read: Result<Vec<ReadGame>, _> = Games::new(&text, usize::MAX).collect();
        let read = read.expect("readable");
        prop_assert_eq!(read.len(), games.len());
        for (game, read) in games.iter().zip(&read) {
            prop_assert!(game.plies.iter().map(|ply| ply.mv).eq(read.moves.iter().copied()));
            prop_assert_eq!(game.start.to_string(), read.start.to_string());
            prop_assert_eq!(read.result, Some(game.result.map_or("*", Outcome::result)));
            prop_assert_eq!(read.tag("Result"), read.result);
            let printed: String = game.tags[0].1.chars()
                .map(|letter| if letter.is_control() { ' ' } else { letter })
                .collect();
            prop_assert_eq!(read.tag("Other"), Some(&*printed));
        }
    }

    /// No text makes a reader panic, and places are those of the text.
    #[test]
    fn any_text_is_read_or_refused(
        parts in proptest::collection::vec(prop_oneof![
            Just("[Event \"x\"]\n"), Just("[FEN \"4k3/8/8/8/8/8/8/4K2R w K -\"]"),
            Just("1. e4 "), Just("e5 "), Just("1... "), Just("Nf3"), Just("(2. d4 "), Just(") "),
            Just("{ x }"), Just("; x\n"), Just("$1"), Just("!"), Just("* "), Just("1-0 "),
            Just("\n%"), Just("["), Just("]"), Just("\""), Just("\\"), Just("{"), Just("}"),
            Just("\u{FEFF}"), Just("\u{BD}"), Just("\u{2026}"), Just("4k3/8/8/8/8/8/8/4K2R w K -\n"),
        ], 0..20),
        max_plies in 0_usize..9,
    ) {
        let text = parts.concat();
        for result in [from_pgn(&text, max_plies), from_epd(&text, CastlingMode::Standard), read(&text, max_plies, CastlingMode::Standard)] {
            match result {
                Ok(openings) => prop_assert!(!openings.is_empty()),
                Err(error) => {
                    let line = text.split('\n').nth(error.line - 1).expect("a line of the text");
                    prop_assert!(error.column <= line.chars().count() + 1, "{}", error);
                }
            }
        }
    }
}

/// A castling flag without its rook, as books of games at odds have it, is left out of records and
/// of the positions of games alike.
#[test]
fn castling_without_a_rook_is_left_out() {
    let odds = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w KQkq - 0 1";
    let game = format!("[Event \"1\"]\n[SetUp \"1\"]\n[FEN \"{odds}\"]\n\n1. e4 *\n");
    for book in [odds, game.as_str()] {
        let openings =
            read(book, 9, CastlingMode::Standard).unwrap_or_else(|error| panic!("{book}: {error}"));
        assert_eq!(openings[0].start.castling().to_string(), "Kkq", "{book}");
    }
    let junk = odds.replace("KQkq", "KQAb");
    let openings = read(&junk, 9, CastlingMode::Standard).expect("readable");
    assert_eq!(openings[0].start.castling().to_string(), "K");
}

/// Books of Chess960 in X-FEN: `KQkq` are the outermost rooks.
#[test]
fn books_of_chess960() {
    let book = "nrbbnqkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBNQKR w KQkq - 0 1\n\
                rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    let castling = |mode| {
        let openings = read(book, 9, mode).expect("a book");
        openings
            .iter()
            .map(|opening| opening.start.castling().to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(castling(CastlingMode::Chess960), ["HBhb", "KQkq"]);
    assert_eq!(castling(CastlingMode::Standard), ["-", "KQkq"]);
}

/// A repository is walked; what it reaches can be written as PGN and read back.
#[test]
fn openings_of_a_repository() {
    let text = "\
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - Bk_c7c5 \"3 1 1 1 3 0\"; Bk_e7e5 \"9 1 8 0 10 0\"; eco \"B00\"; v0 \"King's Pawn\"; v1 \"A\"; v2 \"B\";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - Bk_a2a3 \"1 0 0 1 0 0\"; Bk_d2d4 \"2 1 1 0 3 0\"; Bk_e2e4 \"9 1 8 0 10 0\";
";
    assert!(is_repository(text));
    assert!(!is_repository(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;"
    ));
    let repository = book::Repository::from_text("book.epd", text).expect("sorted");
    let book = Book::Repository(repository);
    for (plies, expected) in [
        (1, &["e4", "d4"][..]),
        (2, &["e4 e5", "d4", "e4 c5"]),
        (9, &["e4 e5", "d4", "e4 c5"]),
    ] {
        let openings = from_book(&book, plies).expect("readable");
        assert_eq!(openings.iter().map(line).collect::<Vec<_>>(), expected);
        assert_eq!(openings[0].name.as_deref(), Some("King's Pawn: A, B"));
        assert_eq!(
            from_pgn(&to_pgn(&openings), plies).expect("readable"),
            openings
        );
    }
}
