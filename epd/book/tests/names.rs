//! The names of openings that are built in.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use epode_book::{Entry, Name, Names, OPENINGS, Order, fields};
use movegen::pgn::Games;
use movegen::{Position, UciMove};

/// The first lines of the file.
const HEADER: &str = "\
# Names of chess openings, one record a position: eco, and v0 to v9 for the opening, its variation and so on.
# Names and lines are those of https://github.com/lichess-org/chess-openings, which Lichess put in the public domain
# (CC0 1.0, https://creativecommons.org/publicdomain/zero/1.0/); so is this file. It is an opening repository: sorted,
# to be searched, merged and classified with by `epode book`.
";

/// The file from the tables of the Lichess project, with columns `eco`, `name` and `pgn`. The first name of a
/// position counts.
fn openings(folder: &Path) -> String {
    let mut entries: HashMap<String, Entry> = HashMap::new();
    for letter in ["a", "b", "c", "d", "e"] {
        let table = fs::read_to_string(folder.join(format!("{letter}.tsv"))).expect("a table");
        for line in table.lines().skip(1) {
            let columns: Vec<_> = line.split('\t').collect();
            let [eco, name, pgn] = columns[..] else {
                panic!("{line}")
            };
            let game = Games::new(pgn, usize::MAX).next().expect(line).expect(line);
            let fields = fields(&game.position);
            entries.entry(fields.clone()).or_insert_with(|| {
                let name = Name::of_text(eco, name);
                let mut entry = Entry::new(fields);
                name.operations().for_each(|operation| entry.set(operation));
                entry
            });
        }
    }
    let mut lines: Vec<_> = entries.values().map(|entry| format!("{entry}\n")).collect();
    lines.sort_unstable();
    format!("{HEADER}{}", lines.concat())
}

/// `EPODE_BLESS=1 cargo test -p epode-book --test names shared` makes the file again.
#[test]
fn the_file_is_made_of_the_shared_tables() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/openings");
    if !folder.exists() {
        println!("not tested: there is no folder {}", folder.display());
        return;
    }
    let text = openings(&folder);
    if std::env::var_os("EPODE_BLESS").is_some() {
        fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/openings.epd"), &text).expect("written");
        return;
    }
    assert!(text == OPENINGS, "openings.epd is not what the tables say");
}

#[test]
fn the_file_is_a_sorted_repository_in_normal_form() {
    let mut order = Order::new("openings.epd");
    for (line, text) in (1..).zip(OPENINGS.lines()) {
        if text.starts_with('#') {
            continue;
        }
        // Some names have letters that ASCII lacks (decision 5).
        let record = epd::read(text, &mut Vec::new()).expect(text);
        assert_eq!(record.to_string(), text);
        let position = record.position().expect(text);
        assert!(text.starts_with(&fields(&position)), "{text}");
        order
            .next(line, fields(&position).as_bytes())
            .expect("sorted");
    }
    assert!(Names::built_in().len() > 3500);
}

fn line(text: &str) -> (Position, Vec<movegen::Move>) {
    let game = Games::new(text, usize::MAX)
        .next()
        .expect(text)
        .expect(text);
    (game.start, game.moves)
}

#[test]
fn the_deepest_name_counts_and_transpositions_too() {
    let names = Names::built_in();
    for (moves, eco, name) in [
        ("1. e4 *", "B00", "King's Pawn Game"),
        (
            "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *",
            "B90",
            "Sicilian Defense: Najdorf Variation",
        ),
        // The same position by other moves.
        (
            "1. Nf3 c5 2. e4 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *",
            "B90",
            "Sicilian Defense: Najdorf Variation",
        ),
        // What follows has no name of its own.
        (
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 h5 5. a3 h4 *",
            "C70",
            "Ruy Lopez: Morphy Defense",
        ),
    ] {
        let (start, moves) = line(moves);
        let found = names.of_line(&start, &moves).expect("a name");
        assert_eq!((found.eco.as_str(), found.text().as_str()), (eco, name));
    }
    assert_eq!(names.get(&Position::start()), None);
    let uci: UciMove = "e2e4".parse().expect("a move");
    let mv = uci.find(&Position::start()).expect("legal");
    assert_eq!(
        names
            .of_line(&Position::start(), &[mv])
            .map(Name::text)
            .as_deref(),
        Some("King's Pawn Game")
    );
}

/// A name is split into its ranks and put together again.
#[test]
fn names_have_ranks() {
    for (text, ranks) in [
        ("Amar Opening", &["Amar Opening"][..]),
        ("Polish Opening, with d5", &["Polish Opening, with d5"]),
        (
            "Sicilian Defense: Najdorf Variation, English Attack, Anti-English",
            &[
                "Sicilian Defense",
                "Najdorf Variation",
                "English Attack",
                "Anti-English",
            ],
        ),
    ] {
        let name = Name::of_text("A00", text);
        assert_eq!(name.variations, ranks);
        assert_eq!(name.text(), text);
    }
}
