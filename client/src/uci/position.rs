//! The command `position`.

use movegen::{CastlingMode, Game, Position, Setup, SetupFaults, UciMove, Word};

/// A game, with notes about repairs that were needed to read it.
#[derive(Debug)]
pub struct Read {
    pub game: Game,
    pub notes: Vec<String>,
}

/// Reads what follows `position` in a line. Errors name the column; an invalid command is not used
/// in part.
pub fn read(line: &str, words: &[Word<'_>], mode: CastlingMode) -> Result<Read, String> {
    let at_end = Word {
        text: "",
        column: line.trim_end().len() + 1,
    };
    let (setup, moves) = match words.iter().position(|word| word.text == "moves") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let mut notes = Vec::new();
    let start = match setup {
        [] => {
            let found = words.first().unwrap_or(&at_end);
            return Err(fault(line, found, "expected startpos or fen"));
        }
        [first] if first.text == "startpos" => Position::start(),
        [first, surplus, ..] if first.text == "startpos" => {
            let why = format!("{:?}: expected moves", surplus.text);
            return Err(fault(line, surplus, &why));
        }
        [first, fields @ ..] if first.text == "fen" => {
            let end = words.get(setup.len()).unwrap_or(&at_end);
            fen(line, fields, end, mode, &mut notes)?
        }
        [other, ..] => {
            let why = format!("{:?}: expected startpos or fen", other.text);
            return Err(fault(line, other, &why));
        }
    };
    let mut game = Game::new(start);
    for word in moves {
        let mv = find_move(word.text, game.position())
            .map_err(|why| fault(line, word, &format!("{:?}: {why}", word.text)))?;
        game.play(mv)
            .map_err(|why| fault(line, word, &format!("{:?}: {why}", word.text)))?;
    }
    Ok(Read { game, notes })
}

/// Finds a legal move by its UCI notation; upper case is accepted, as some programs write it.
pub fn find_move(text: &str, position: &Position) -> Result<movegen::Move, String> {
    let uci_move: Result<UciMove, _> = text.to_ascii_lowercase().parse();
    uci_move
        .and_then(|uci_move| uci_move.find(position))
        .map_err(|why| why.to_string())
}

/// A message about a word of a line.
pub fn fault(line: &str, word: &Word<'_>, why: &str) -> String {
    format!("column {}: {why}", column(line, word.column))
}

/// The column, in characters from 1, of a byte counted from 1.
fn column(line: &str, byte: usize) -> usize {
    let before = line.char_indices().take_while(|(at, _)| at + 1 < byte);
    before.count() + 1
}

/// Reads a FEN that ends before the word `end`. Castling rights that are impossible on the board are
/// dropped with a note: many files have them.
fn fen(
    line: &str,
    fields: &[Word<'_>],
    end: &Word<'_>,
    mode: CastlingMode,
    notes: &mut Vec<String>,
) -> Result<Position, String> {
    let Some(first) = fields.first() else {
        return Err(fault(line, end, "expected a FEN"));
    };
    let start = first.column - 1;
    let text = line[start..end.column - 1].trim_end();
    let mut setup = Setup::from_fen(text, mode).map_err(|error| {
        let byte = start + error.column;
        format!("column {}: {}", column(line, byte), error.kind)
    })?;
    for (right, ..) in setup.castling.rooks() {
        if let Some(why) = setup.castling_fault(right) {
            setup.castling.remove(right);
            let letter = right.letter(setup.castling_mode);
            let note = format!("castling right {letter} dropped: {why}");
            notes.push(fault(line, &fields[2], &note));
        }
    }
    Position::from_setup(&setup).map_err(|illegal| {
        let field = if illegal.faults() == SetupFaults::EN_PASSANT {
            fields[3]
        } else if illegal.faults() == SetupFaults::OPPONENT_IN_CHECK {
            fields[1]
        } else {
            fields[0]
        };
        fault(line, &field, &format!("illegal position: {illegal}"))
    })
}

/// Reads a FEN, as `position fen` does.
pub fn read_fen(text: &str, mode: CastlingMode) -> Result<Position, String> {
    let fields: Vec<_> = movegen::words(text).collect();
    let at_end = Word {
        text: "",
        column: text.trim_end().len() + 1,
    };
    fen(text, &fields, &at_end, mode, &mut Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_line(line: &str) -> Result<Read, String> {
        let words: Vec<_> = movegen::words(line).skip(1).collect();
        read(line, &words, CastlingMode::Standard)
    }

    #[test]
    fn games_are_read() {
        let read = read_line("position startpos moves e2e4 e7e5").expect("legal");
        assert_eq!(read.game.moves().len(), 2);
        let line = "position fen 8/8/8/8/8/k7/8/K6R w - - 3 40 moves h1h2";
        let read = read_line(line).expect("legal");
        assert_eq!(read.game.position().halfmove_clock(), 4);
        let line = "position  fen 8/P7/8/8/8/k7/8/K6R  w - -  moves a7a8Q";
        assert_eq!(read_line(line).expect("legal").game.moves().len(), 1);
        assert!(read_line("position startpos moves").is_ok());
    }

    #[test]
    fn what_is_wrong_is_told_with_its_column() {
        for (line, expected) in [
            ("position", "column 9: expected startpos or fen"),
            ("position moves e2e4", "column 10: expected startpos or fen"),
            (
                "position here",
                "column 10: \"here\": expected startpos or fen",
            ),
            (
                "position startpos e2e4",
                "column 19: \"e2e4\": expected moves",
            ),
            ("position fen", "column 13: expected a FEN"),
            ("position fen moves e2e4", "column 14: expected a FEN"),
            (
                "position fen 8/8 w - - 0 1",
                "column 14: 2 ranks, expected 8",
            ),
            (
                "position fen 8/8/8/8/8/8/8/K6k x - - 0 1",
                "column 32: the active colour",
            ),
            (
                "position fen 8/8/8/8/8/8/8/K7 w - - 0 1",
                "column 14: illegal position: no black king",
            ),
            (
                "position fen 8/8/8/8/8/8/8/K6k w - e3 0 1",
                "column 36: illegal position: impossible en passant square: e3",
            ),
            (
                "position fen 8/8/8/8/8/8/8/K6k b KQAb - 0 1",
                "column 34: the castling availability",
            ),
            (
                "position fen 8/8/8/8/8/8/8/K5rk b - - 0 1",
                "column 33: illegal position: the side not to move is in check: a1",
            ),
            (
                "position startpos moves e2e5",
                "column 25: \"e2e5\": not a legal",
            ),
            (
                "position startpos moves e2e4 x",
                "column 30: \"x\": not a move in UCI",
            ),
            (
                "position startpos moves é e2e4",
                "column 25: \"é\": not a move in UCI",
            ),
            ("position é moves", "column 10: \"é\": expected startpos"),
        ] {
            let why = read_line(line).expect_err(line);
            assert!(why.starts_with(expected), "{line}: {why}");
        }
    }

    /// X-FEN only in the mode of Chess960, Shredder-FEN always; castling with either notation.
    #[test]
    fn games_of_960_are_read() {
        let fen = |castling| {
            format!("position fen 1r3k1r/p6p/8/8/8/8/P6P/1R3K1R w {castling} - 0 1 moves f1h1 f8g8")
        };
        let x_fen = fen("KQkq");
        let words: Vec<_> = movegen::words(&x_fen).skip(1).collect();
        assert!(read(&x_fen, &words, CastlingMode::Chess960).is_ok());
        assert!(read_line(&x_fen).is_err());
        let game = read_line(&fen("HBhb")).expect("legal").game;
        assert_eq!(
            game.position().to_string(),
            "1r4kr/p6p/8/8/8/8/P6P/1R3RK1 w - - 2 2"
        );
    }

    #[test]
    fn castling_rights_without_a_rook_are_dropped() {
        let line = "position fen r3k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1 moves e1g1";
        let read = read_line(line).expect("legal");
        assert_eq!(
            read.notes,
            ["column 39: castling right Q dropped: no rook on a1"]
        );
        let line = "position fen r2k3r/8/8/8/8/8/8/4K2R w Kkq -";
        let notes = read_line(line).expect("legal").notes;
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(notes[1].ends_with("castling right q dropped: no king on e8"));
    }
}
