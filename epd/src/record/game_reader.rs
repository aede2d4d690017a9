//! Reads the records of a game in order. Comments, variation names and moves carry over from one
//! record to the next.

use movegen::{Game, san};
use smol_str::SmolStr;

use crate::record::operation::Operation;
use crate::record::{NoPosition, Record};

/// The ten comments or variation names (EPD 6.5 and 6.32).
pub type Registers = [Option<SmolStr>; 10];

/// Reads the records of one or more games in order.
///
/// - `cN` clears comment registers N to 9, then sets register N if it has an operand; `vN` does the
///   same for variation names. They take effect in ASCII order (decision 123).
/// - `eco` and `nic` stay in effect until a record changes them.
/// - A record continues the game if its position is the one after the supplied move (`sm`) of the
///   record before. Any other record starts a new game with empty registers.
///
/// ```
/// use epode_epd::GameReader;
///
/// let mut reader = GameReader::new();
/// for line in [
///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - c0 \"a game\"; c1 \"begins\"; sm e4;",
///     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - c1; eco \"B00\"; sm Nc6;",
/// ] {
///     assert!(reader.read(&line.parse()?).is_ok());
/// }
/// assert_eq!(reader.comments()[0].as_deref(), Some("a game"));
/// assert_eq!(reader.comments()[1], None);
/// assert_eq!(reader.eco(), Some("B00"));
/// assert_eq!(reader.game().unwrap().moves().len(), 2);
/// # Ok::<(), epode_epd::ReadError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GameReader {
    comments: Registers,
    variations: Registers,
    eco: Option<SmolStr>,
    nic: Option<SmolStr>,
    /// The game up to the supplied move of the last record.
    game: Option<Game>,
}

/// How a record relates to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sequence {
    /// The record starts a game, or a part of one.
    NewGame,
    /// The record has the position after the supplied move of the record before it.
    SameGame,
}

/// The record cannot be part of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// It has no legal position.
    #[error(transparent)]
    Position(#[from] NoPosition),
    /// Its supplied move is not legal.
    #[error("sm: {0} is not a legal move here")]
    Move(SmolStr),
}

impl GameReader {
    /// A reader that has not read a record yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The comments in effect at the last record.
    #[must_use]
    pub const fn comments(&self) -> &Registers {
        &self.comments
    }

    /// The variation names in effect at the last record.
    #[must_use]
    pub const fn variations(&self) -> &Registers {
        &self.variations
    }

    /// The opening code of the Encyclopedia of Chess Openings.
    #[must_use]
    pub fn eco(&self) -> Option<&str> {
        self.eco.as_deref()
    }

    /// The opening code of New In Chess.
    #[must_use]
    pub fn nic(&self) -> Option<&str> {
        self.nic.as_deref()
    }

    /// The game so far, with the supplied move of the last record played.
    #[must_use]
    pub const fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// Clears the game and all registers.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Reads the next record. After an error the registers are up to date, and the next record starts a
    /// new game.
    pub fn read(&mut self, record: &Record) -> Result<Sequence, GameError> {
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
            Err(error) => {
                self.game = None;
                return Err(error.into());
            }
        };
        let mut game = self.game.take().unwrap_or_else(|| Game::new(position));
        if let Some(supplied) = record.get("sm").and_then(|sm| sm.operands.first()) {
            let mv = san::parse_lenient(game.position(), supplied.text()).map(|(mv, _)| mv);
            if !mv.is_ok_and(|mv| game.play(mv).is_ok()) {
                return Err(GameError::Move(supplied.text().into()));
            }
        }
        self.game = Some(game);
        Ok(if next {
            Sequence::SameGame
        } else {
            Sequence::NewGame
        })
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

/// Clears the registers from `register` on, then sets this one.
fn set(registers: &mut Registers, register: u8, text: Option<SmolStr>) {
    registers[usize::from(register)..].fill(None);
    registers[usize::from(register)] = text;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(reader: &mut GameReader, line: &str) -> Result<Sequence, GameError> {
        reader.read(&line.parse().expect(line))
    }

    /// EPD 6.5 and 6.32; decision 123.
    #[test]
    fn registers() {
        let mut reader = GameReader::new();
        let at = |operations: &str| format!("8/8/8/8/8/k7/8/K7 w - - {operations}");
        read(
            &mut reader,
            &at("c0 \"a\"; c3 \"d\"; c9 \"j\"; nic \"n\"; v1 \"b\"; v2 \"c\";"),
        )
        .expect("legal");
        let filled = |registers: &Registers| -> String {
            let text =
                |text: &Option<SmolStr>| text.as_ref().map_or("-".to_owned(), ToString::to_string);
            registers.iter().map(text).collect()
        };
        assert_eq!(filled(reader.comments()), "a--d-----j");
        assert_eq!(filled(reader.variations()), "-bc-------");
        assert_eq!((reader.eco(), reader.nic()), (None, Some("n")));
        // Within a game a register keeps its text until it, or one below it, is set.
        let mut reader = GameReader::new();
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
            let step = read(&mut reader, line).expect("legal");
            assert_eq!(step == Sequence::SameGame, i > 0);
            assert_eq!(filled(reader.comments()), registers, "{line}");
        }
        assert_eq!(read(&mut reader, &at("sm Kb1;")), Ok(Sequence::NewGame));
        assert_eq!(filled(reader.comments()), "----------");
    }

    #[test]
    fn records_that_cannot_be_part_of_a_game() {
        let mut reader = GameReader::new();
        let error = read(&mut reader, "8/8/8/8/8/k7/8/K7 w - - sm Kb2;").expect_err("illegal");
        assert_eq!(error.to_string(), "sm: Kb2 is not a legal move here");
        assert!(reader.game().is_none());
        let error = read(&mut reader, "8/8/8/8/8/8/8/K7 w - - c1 \"x\";").expect_err("illegal");
        assert_eq!(error.to_string(), "illegal position: no black king");
        assert_eq!(reader.comments()[1].as_deref(), Some("x"));
    }

    /// The game counts repetitions across records.
    #[test]
    fn repetitions() {
        let mut reader = GameReader::new();
        let cycle = [
            ("8/8/8/8/8/k7/8/K6R w - -", "Rh2"),
            ("8/8/8/8/8/k7/7R/K7 b - -", "Kb3"),
            ("8/8/8/8/8/1k6/7R/K7 w - -", "Rh1"),
            ("8/8/8/8/8/1k6/8/K6R b - -", "Ka3"),
        ];
        for (n, (fields, mv)) in cycle.into_iter().cycle().take(8).enumerate() {
            let line = format!("{fields} hmvc {n}; sm {mv};");
            read(&mut reader, &line).expect("legal");
        }
        assert_eq!(reader.game().expect("a game").repetitions(), 3);
    }
}
