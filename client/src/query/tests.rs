use proptest::prelude::*;

use super::*;

const RECORD: &str = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - acd 12; bm Qd1+ h5; ce -40; id \"BK.01\"; Src \"a b\";";

fn matches(query: &str, record: &str) -> bool {
    let record: Record = record.parse().expect("a record");
    Query::parse(query)
        .unwrap_or_else(|error| panic!("{error}"))
        .matches(&record)
}

#[test]
fn true_and_false_tests() {
    for query in [
        "ce = -40",
        "ce<-39.5 and acd >= 12",
        "ce > 100 or acd == 12",
        "not ce > 0 and not (acd < 3 or has c0)",
        "bm = Qd1",
        "bm = \"Qd1+\"",
        "bm = h5",
        "bm = d6d1 and bm = h6h5 and not bm = a7a6",
        "bm != a7a6 and \"bm\" = d6d1",
        "id = 'BK.01' and id ~ BK",
        "Src ~ \"a b\"",
        "has bm AND NOT has am",
        "side = b and side = black and side != white",
        "castling = -",
        "pieces = 17 and pawns = 8 and phase = 15",
        "Q = 1 and n = 0 and P >= 3",
        "material = KQRBBPPPkqrbppppp",
        "KQRBBPPPkqrbppppp",
        "KQRBBPPPvKQRBPPPPP",
        "KQRBPPPPPvKQRBBPPP",
        "KQ*k* and K*vK* and not KQ*kq",
        "K@c1 and Bb@4 and P@a and Rr@7 and q@d6",
        "pattern \"*/*/*/*/*/*/PPP??B2/*K*\"",
        "pattern '1k1r4/pp_b!A2/3a2pp/[^Nn]???p?[1]?'  or legal",
        "legal and not in-check and not checkmate and not stalemate and not en-passant and not chess960",
        "legal-moves > 20",
        "\"foo\" = 3 or has Src",
    ] {
        if query.contains("[1]") {
            assert!(Query::parse(query).is_err(), "{query}");
            continue;
        }
        assert!(matches(query, RECORD), "{query}");
        assert!(!matches(&format!("not ({query})"), RECORD), "{query}");
    }
    let check = "4k3/8/8/8/8/8/4r3/R3K2R w KQ -";
    assert!(matches(
        "in-check and legal-moves = 3 and castling = KQ",
        check
    ));
    assert!(matches("castling = QK", check));
    let all = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
    assert!(matches("castling = qQkK", all));
    assert!(
        !matches("ce < 0 or ce >= 0 or ce != 0", check),
        "it has no ce"
    );
    assert!(matches("not legal and side = w", "8/8/8/8/8/8/8/K7 w - -"));
}

/// The caret stands below what is wrong.
#[test]
fn errors() {
    for (query, begin, end, message) in [
        ("", 0, 0, "found the end, expected a test, such as"),
        (
            "ce > and acd",
            5,
            8,
            "found `and`, expected a number or a text",
        ),
        ("ce >", 4, 4, "found the end, expected a number or a text"),
        ("acd", 0, 3, "`acd` is not compared with anything"),
        (
            "legalmoves = 3",
            0,
            10,
            "\"legalmoves\" is neither a property nor an opcode of the standard; legal-moves?",
        ),
        ("foo = 3", 0, 3, "quote it (\"foo\")"),
        (
            "(has bm",
            7,
            7,
            "found the end, expected `and`, `or` or `)`",
        ),
        (
            "has bm)",
            6,
            7,
            "found `)`, expected `and`, `or` or the end",
        ),
        ("pieces = five", 9, 13, "found `five`, expected a number"),
        ("N@j9", 0, 4, "expected pieces and squares"),
        ("KRRxkr", 0, 6, "`KRRxkr` is not compared"),
        ("KRPr", 0, 4, "is not compared"),
        ("Kvkp!", 0, 4, "is not compared"),
        ("krk", 0, 3, "is not a test"),
        ("KQKR", 0, 4, "`KQKR` is not a test; `KQkr`?"),
        ("id = \"BK", 5, 8, "a text that is not closed"),
        ("pattern 8/8/8", 13, 13, "wrong pattern: 3 ranks"),
        ("pattern '8/8/8/8/8/8/8/K8'", 25, 25, "rank 1 has 9 squares"),
        ("pattern 'x*/8/8/8/8/8/8/8'", 9, 10, "wrong pattern: 'x'"),
        ("ç = 3", 0, 2, "neither a property nor an opcode"),
        ("LEGAL", 0, 5, "`LEGAL` is not a test; `legal`?"),
        ("Dm = 3", 0, 2, "; dm? Quote it (\"Dm\")"),
        (
            "side = blue",
            7,
            11,
            "found `blue`, expected white or black",
        ),
        (
            "castling != foo",
            12,
            15,
            "found `foo`, expected castling rights such as KQkq or -",
        ),
    ] {
        let error = Query::parse(query).expect_err(query);
        assert!(
            error.message.contains(message),
            "{query}: {}",
            error.message
        );
        assert_eq!(error.span, begin..end, "{query}: {error}");
    }
    let error = Query::parse("  ce >\n)").expect_err("wrong");
    assert_eq!(
        error.to_string(),
        "found `)`, expected a number or a text\n    ce > )\n         ^"
    );
    let deep = "(".repeat(10_000);
    assert!(
        Query::parse(&deep)
            .expect_err("too deep")
            .message
            .contains("levels")
    );
    assert!(Query::parse(&"not ".repeat(10_000)).is_err());
}

proptest! {
    /// No text makes the parser panic, and every error can be printed.
    #[test]
    fn any_text(text in "\\PC*") {
        if let Err(error) = Query::parse(&text) {
            prop_assert!(error.to_string().lines().count() >= 3);
        }
    }

    /// Nor do words of the language in any order, and what is a query can be asked.
    #[test]
    fn any_words(words in prop::collection::vec(prop::sample::select(vec![
        "and", "or", "not", "(", ")", "has", "pattern", "ce", "bm", "<", "=", "~", "5", "\"x\"", "KRPkr", "K*vK*",
        "N@f5", "P@", "@d", "legal", "in-check", "phase", "Q", "'*/*/*/*/*/*/*/*'", "'8/[x'", "é", "\"",
    ]), 0..12)) {
        let record: Record = RECORD.parse().expect("a record");
        match Query::parse(&words.join(" ")) {
            Ok(query) => {
                query.matches(&record);
            }
            Err(error) => prop_assert!(error.to_string().contains('^')),
        }
    }
}
