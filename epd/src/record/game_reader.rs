//! The records of a game, one after the other: what comments, names and moves carry from record to
//! record.

use movegen::{Game, san};
use smol_str::SmolStr;

use crate::record::Record;
use crate::record::operation::Operation;

/// Ten ranked texts (EPD 6.5 and 6.32).
pub type Registers = [Option<SmolStr>; 10];

/// Reads the records of a game, or of several, in their order.
///
/// - An operation `cN` empties the comment registers from N on and then sets register N, if it has
///   a text; `vN` does so for names of variations (decision 123: in ASCII order).
/// - `eco` and `nic` set their registers, which stay until another one comes.
/// - A record whose position is the one that the supplied move `sm` of the record before leads to
///   goes on with that game; any other begins a new one, with empty registers.
///
/// ```
/// use epode_epd::Scanner;
///
/// let mut scanner = Scanner::new();
/// for line in [
///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - c0 \"a game\"; c1 \"begins\"; sm e4;",
///     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - c1; eco \"B00\"; sm Nc6;",
/// ] {
///     assert!(scanner.scan(&line.parse()?).is_ok());
/// }
/// assert_eq!(scanner.comments()[0].as_deref(), Some("a game"));
/// assert_eq!(scanner.comments()[1], None);
/// assert_eq!(scanner.eco(), Some("B00"));
/// assert_eq!(scanner.game().unwrap().moves().len(), 2);
/// # Ok::<(), epode_epd::ReadError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scanner {
    comments: Registers,
    variations: Registers,
    eco: Option<SmolStr>,
    nic: Option<SmolStr>,
    /// The game up to the last record's position and the move that was supplied there.
    game: Option<Game>,
}

/// What a record is to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The first of a game, or of a part of one.
    Beginning,
    /// The position that the move before it leads to.
    Next,
}

/// A record cannot be a part of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ScanError {
    #[error(transparent)]
    Position(#[from] crate::NoPosition),
    #[error("sm: {0:?} is not a move here")]
    Move(SmolStr),
}

impl Scanner {
    /// A scanner before its first record.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The comments that hold for the last record.
    #[must_use]
    pub const fn comments(&self) -> &Registers {
        &self.comments
    }

    /// The names of variations that hold for the last record.
    #[must_use]
    pub const fn variations(&self) -> &Registers {
        &self.variations
    }

    /// The opening in the Encyclopedia of Chess Openings.
    #[must_use]
    pub fn eco(&self) -> Option<&str> {
        self.eco.as_deref()
    }

    /// The opening in New In Chess.
    #[must_use]
    pub fn nic(&self) -> Option<&str> {
        self.nic.as_deref()
    }

    /// The game so far, with the supplied move of the last record played.
    #[must_use]
    pub const fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// Forgets everything: the next record begins a game.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Takes in a record. One that cannot be a part of a game still sets the registers, and the
    /// next one begins a game.
    pub fn scan(&mut self, record: &Record) -> Result<Step, ScanError> {
        let position = record.position();
        let next = match (&position, &self.game) {
            (Ok(position), Some(game)) => game.position().key() == position.key(),
            _ => false,
        };
        if !next {
            self.reset();
        }
        for operation in record.operations() {
            self.interpret(operation);
        }
        let position = match position {
            Ok(position) => position,
            Err(nowhere) => {
                self.game = None;
                return Err(nowhere.into());
            }
        };
        let mut game = self.game.take().unwrap_or_else(|| Game::new(position));
        if let Some(supplied) = record.get("sm").and_then(|sm| sm.operands.first()) {
            let mv = san::mend(game.position(), supplied.text()).map(|(mv, _)| mv);
            if !mv.is_ok_and(|mv| game.play(mv).is_ok()) {
                return Err(ScanError::Move(supplied.text().into()));
            }
        }
        self.game = Some(game);
        Ok(if next { Step::Next } else { Step::Beginning })
    }

    fn interpret(&mut self, operation: &Operation) {
        let text = || {
            operation
                .operands
                .first()
                .map(|operand| operand.text().into())
        };
        match operation.opcode.as_bytes() {
            [b'c', digit @ b'0'..=b'9'] => set(&mut self.comments, digit - b'0', text()),
            [b'v', digit @ b'0'..=b'9'] => set(&mut self.variations, digit - b'0', text()),
            b"eco" => self.eco = text(),
            b"nic" => self.nic = text(),
            _ => {}
        }
    }
}

/// Empties the registers from a rank on and sets the one of that rank.
fn set(registers: &mut Registers, rank: u8, text: Option<SmolStr>) {
    registers[usize::from(rank)..].fill(None);
    registers[usize::from(rank)] = text;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(scanner: &mut Scanner, line: &str) -> Result<Step, ScanError> {
        scanner.scan(&line.parse().expect(line))
    }

    /// EPD 6.5 and 6.32; decision 123.
    #[test]
    fn registers() {
        let mut scanner = Scanner::new();
        let at = |operations: &str| format!("8/8/8/8/8/k7/8/K7 w - - {operations}");
        // The same position without a move is reached by none.
        scan(
            &mut scanner,
            &at("c0 \"a\"; c3 \"d\"; c9 \"j\"; nic \"n\"; v1 \"b\"; v2 \"c\";"),
        )
        .expect("legal");
        let filled = |registers: &Registers| -> String {
            let text =
                |text: &Option<SmolStr>| text.as_ref().map_or("-".to_owned(), ToString::to_string);
            registers.iter().map(text).collect()
        };
        assert_eq!(filled(scanner.comments()), "a--d-----j");
        assert_eq!(filled(scanner.variations()), "-bc-------");
        assert_eq!((scanner.eco(), scanner.nic()), (None, Some("n")));
        // Within a game they stay until something is said from their rank on.
        let mut scanner = Scanner::new();
        let steps = [
            (
                "8/8/8/8/8/k7/8/K7 w - - c0 \"a\"; c2 \"c\"; c4 \"e\"; sm Kb1;",
                "a-c-e-----",
            ),
            ("8/8/8/8/8/k7/8/1K6 b - - sm Kb3;", "a-c-e-----"),
            ("8/8/8/8/8/1k6/8/1K6 w - - c3 \"d\"; sm Kc1;", "a-cd------"),
            ("8/8/8/8/8/1k6/8/2K5 b - - c2; sm Kc3;", "a---------"),
            ("8/8/8/8/8/2k5/8/2K5 w - - c0 \"A\";", "A---------"),
        ];
        for (i, (line, registers)) in steps.into_iter().enumerate() {
            let step = scan(&mut scanner, line).expect("legal");
            assert_eq!(step == Step::Next, i > 0);
            assert_eq!(filled(scanner.comments()), registers, "{line}");
        }
        assert_eq!(scan(&mut scanner, &at("sm Kb1;")), Ok(Step::Beginning));
        assert_eq!(filled(scanner.comments()), "----------");
    }

    #[test]
    fn records_that_are_no_part_of_a_game() {
        let mut scanner = Scanner::new();
        let error = scan(&mut scanner, "8/8/8/8/8/k7/8/K7 w - - sm Kb2;").expect_err("illegal");
        assert_eq!(error.to_string(), "sm: \"Kb2\" is not a move here");
        assert!(scanner.game().is_none());
        let error = scan(&mut scanner, "8/8/8/8/8/8/8/K7 w - - c1 \"x\";").expect_err("illegal");
        assert_eq!(error.to_string(), "illegal position: no black king");
        assert_eq!(scanner.comments()[1].as_deref(), Some("x"));
    }

    /// The third time of a position shows in the game.
    #[test]
    fn repetitions() {
        let mut scanner = Scanner::new();
        let cycle = [
            ("8/8/8/8/8/k7/8/K6R w - -", "Rh2"),
            ("8/8/8/8/8/k7/7R/K7 b - -", "Kb3"),
            ("8/8/8/8/8/1k6/7R/K7 w - -", "Rh1"),
            ("8/8/8/8/8/1k6/8/K6R b - -", "Ka3"),
        ];
        for (n, (fields, mv)) in cycle.into_iter().cycle().take(8).enumerate() {
            let line = format!("{fields} hmvc {n}; sm {mv};");
            scan(&mut scanner, &line).expect("legal");
        }
        assert_eq!(scanner.game().expect("a game").repetitions(), 3);
    }
}
