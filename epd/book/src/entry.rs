//! An entry of a repository: a position with its moves and what else is known about it.

use std::fmt;

use epd::{Opcode, OperandError, Operation, Record};
use movegen::{Position, Setup, UciMove};

use crate::error::EntryError;
use crate::stats::Stats;

/// How the opcodes of moves begin. The move in UCI notation follows: `Bk_e2e4`, `Bk_e7e8q`.
pub const PREFIX: &str = "Bk_";

/// The opcodes that tell how a game went on or which message a record is, and nothing about the position.
const OF_GAMES: [&str; 18] = [
    "cc",
    "ctcc",
    "cte",
    "ctu",
    "draw_accept",
    "draw_claim",
    "draw_offer",
    "draw_reject",
    "fmvn",
    "hmvc",
    "ptp",
    "rc",
    "refcom",
    "refreq",
    "resign",
    "sm",
    "sv",
    "ts",
];

/// The opcodes of an analysis. Where two entries of a position are united, one analysis is kept whole.
const OF_ANALYSES: [&str; 9] = ["acd", "acn", "acs", "am", "bm", "ce", "dm", "pm", "pv"];

/// A position with its moves and other operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The position fields as in the file; see [`fields`].
    pub fields: String,
    /// The moves, in ASCII order of their opcodes.
    pub moves: Vec<(UciMove, Stats)>,
    /// All other operations, in ASCII order of their opcodes.
    pub operations: Vec<Operation>,
}

/// The position fields under which a repository has a position. The en passant square is there only if a capture
/// is legal, as in `board.epd()` of python-chess: then positions that allow the same moves have the same fields
/// (decision 47).
///
/// ```
/// let position: movegen::Position = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1".parse()?;
/// assert_eq!(epode_book::fields(&position), "4k3/8/8/8/4P3/8/8/4K3 b - -");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn fields(position: &Position) -> String {
    let setup = Setup {
        en_passant: position.legal_en_passant(),
        ..position.setup()
    };
    setup.fields().to_string()
}

/// The move as opcodes have it: castling as the king's move, but in a position that only Chess960 has as the king
/// takes its rook.
#[must_use]
pub fn uci(position: &Position, mv: movegen::Move) -> UciMove {
    UciMove::of(position, mv, position.castling_mode())
}

impl Entry {
    /// An entry without moves and operations.
    #[must_use]
    pub fn new(fields: String) -> Self {
        Self {
            fields,
            moves: Vec::new(),
            operations: Vec::new(),
        }
    }

    /// The entry of a record of a repository.
    pub fn of_record(record: &Record) -> Result<Self, EntryError> {
        let mut entry = Self::new(record.setup.fields().to_string());
        for operation in record.operations() {
            match operation.opcode.strip_prefix(PREFIX) {
                Some(mv) => {
                    let uci: UciMove = mv
                        .parse()
                        .map_err(|_| EntryError::Opcode(operation.opcode.to_string()))?;
                    entry.add_move(uci, &stats(operation)?);
                }
                None => entry.operations.push(operation.clone()),
            }
        }
        Ok(entry)
    }

    /// The position of the entry.
    pub fn position(&self) -> Result<Position, EntryError> {
        let record = epd::read(&self.fields, &mut Vec::new());
        let record = record.map_err(|error| EntryError::Record(error.kind))?;
        Ok(record.position()?)
    }

    /// The entry of an analysed record, which need not be in the form of a repository. Its moves are those
    /// that it has, or else its best moves with the weight 1: those of `bm`, or the move of `pm`, or the first of
    /// `pv`. Operations that belong to a game are left out.
    pub fn of_analysis(record: &Record) -> Result<Self, EntryError> {
        let position = record.position()?;
        let mut entry = Self::of_record(record)?;
        entry.fields = fields(&position);
        entry
            .operations
            .retain(|operation| !OF_GAMES.contains(&operation.opcode.as_str()));
        let mut moves = entry.book_moves(&position)?;
        if moves.is_empty() {
            let stats = Stats {
                weight: 1,
                ..Stats::default()
            };
            let best = best_moves(record, &position)?.into_iter();
            moves.extend(best.map(|mv| BookMove { mv, stats }));
        }
        // Once more, with castling as repositories write it.
        entry.moves.clear();
        for BookMove { mv, stats } in moves {
            entry.add_move(uci(&position, mv), &stats);
        }
        Ok(entry)
    }

    /// Adds the numbers of a move.
    pub fn add_move(&mut self, mv: UciMove, stats: &Stats) {
        let order = |mv: &UciMove| {
            (
                mv.from.file(),
                mv.from.rank(),
                mv.to.file(),
                mv.to.rank(),
                letter(*mv),
            )
        };
        match self
            .moves
            .binary_search_by_key(&order(&mv), |(known, _)| order(known))
        {
            Ok(at) => self.moves[at].1.add(stats),
            Err(at) => self.moves.insert(at, (mv, *stats)),
        }
    }

    /// Adds the moves and operations of another entry of the same position. Of two analyses the one with the
    /// higher `acd` is kept, else this one; of two other operations with one opcode this one's.
    pub fn unite(&mut self, other: Self) {
        for (mv, stats) in &other.moves {
            self.add_move(*mv, stats);
        }
        let is_analysis = |operation: &Operation| OF_ANALYSES.contains(&operation.opcode.as_str());
        let has_analysis = |entry: &Self| entry.operations.iter().any(is_analysis);
        let takes_analysis =
            has_analysis(&other) && (!has_analysis(self) || other.depth() > self.depth());
        if takes_analysis {
            self.operations.retain(|operation| !is_analysis(operation));
        }
        for operation in other.operations {
            let wanted = if is_analysis(&operation) {
                takes_analysis
            } else {
                self.get(&operation.opcode).is_none()
            };
            if wanted {
                self.set(operation);
            }
        }
    }

    /// The depth of the analysis; 0 if it is not told.
    fn depth(&self) -> u64 {
        let depth = self.get("acd").and_then(|depth| depth.count().ok());
        depth.unwrap_or(0)
    }

    /// The operation with an opcode.
    #[must_use]
    pub fn get(&self, opcode: &str) -> Option<&Operation> {
        self.operations
            .iter()
            .find(|operation| operation.opcode == opcode)
    }

    /// The text of an operation with one operand.
    #[must_use]
    pub fn text(&self, opcode: &str) -> Option<&str> {
        Some(self.get(opcode)?.operands.first()?.text())
    }

    /// Adds an operation in place of others with its opcode.
    pub fn set(&mut self, operation: Operation) {
        self.operations
            .retain(|other| other.opcode != operation.opcode);
        let at = self
            .operations
            .partition_point(|other| other.opcode < operation.opcode);
        self.operations.insert(at, operation);
    }

    /// The moves in the position, which must be that of the entry: the best ones first, by weight, then games, then
    /// their text. A move that is not legal is an error.
    pub fn book_moves(&self, position: &Position) -> Result<Vec<BookMove>, EntryError> {
        let mut moves = Vec::with_capacity(self.moves.len());
        for &(uci, stats) in &self.moves {
            let mv = uci
                .find(position)
                .map_err(|_| EntryError::Move(format!("{PREFIX}{uci}")))?;
            moves.push(BookMove { mv, stats });
        }
        sort(&mut moves);
        Ok(moves)
    }
}

/// Puts the best moves first. Equal ones keep their order.
pub(crate) fn sort(moves: &mut [BookMove]) {
    moves.sort_by_key(|book_move| {
        let Stats { weight, games, .. } = book_move.stats;
        std::cmp::Reverse((weight, games))
    });
}

/// The moves of `bm`, or the move of `pm`, or the first of `pv`.
fn best_moves(record: &Record, position: &Position) -> Result<Vec<movegen::Move>, OperandError> {
    if let Some(moves) = record.best_moves(position)? {
        return Ok(moves);
    }
    if let Some(mv) = record.predicted_move(position)? {
        return Ok(vec![mv]);
    }
    let line = record.predicted_variation(position)?;
    Ok(line.unwrap_or_default().into_iter().take(1).collect())
}

/// The letter of the new piece; for the order of moves.
fn letter(mv: UciMove) -> Option<char> {
    mv.promotes_to
        .map(|role| role.to_char().to_ascii_lowercase())
}

/// The numbers of a move.
fn stats(operation: &Operation) -> Result<Stats, EntryError> {
    let [operand] = &operation.operands[..] else {
        return Err(EntryError::Operand(OperandError::Count {
            opcode: operation.opcode.clone(),
            found: operation.operands.len(),
            expected: "one string".to_owned(),
        }));
    };
    operand
        .text()
        .parse()
        .map_err(|error| EntryError::Stats(operation.opcode.to_string(), error))
}

/// Prints the entry as a record in normal form.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fields)?;
        let is_before = |opcode: &Opcode| opcode.as_str() < PREFIX;
        let (before, after): (Vec<_>, Vec<_>) = self
            .operations
            .iter()
            .partition(|operation| is_before(&operation.opcode));
        for operation in before {
            write!(f, " {operation}")?;
        }
        for (mv, stats) in &self.moves {
            write!(f, " {PREFIX}{mv} \"{stats}\";")?;
        }
        for operation in after {
            write!(f, " {operation}")?;
        }
        Ok(())
    }
}

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move, which is legal.
    pub mv: movegen::Move,
    /// What is known about it.
    pub stats: Stats,
}

/// How to choose among the moves of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Choice {
    /// The move with the highest weight.
    Best,
    /// Each move as often as its weight says.
    #[default]
    Weighted,
}

impl Choice {
    /// Chooses a move; `random` is any number. Moves of weight 0 are never chosen.
    ///
    /// ```
    /// use epode_book::{Choice, Repository};
    ///
    /// let text = "4k3/8/8/8/8/8/8/4K3 w - - Bk_e1d1 \"1 0 1 0 1 0\"; Bk_e1e2 \"3 0 3 0 3 0\";";
    /// let repository = Repository::from_text("kings", text)?;
    /// let moves = repository.moves(&"4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap())?;
    /// let chosen = |choice: Choice, random| choice.of(&moves, random).unwrap().mv.to_string();
    /// assert_eq!(chosen(Choice::Best, 3), "e1e2");
    /// assert_eq!((0..4).map(|n| chosen(Choice::Weighted, n)).collect::<Vec<_>>(),
    ///     ["e1e2", "e1e2", "e1e2", "e1d1"]);
    /// # Ok::<(), epode_book::BookError>(())
    /// ```
    #[must_use]
    pub fn of(self, moves: &[BookMove], random: u64) -> Option<&BookMove> {
        let total = moves.iter().fold(0_u64, |sum, book_move| {
            sum.saturating_add(book_move.stats.weight)
        });
        if total == 0 {
            return None;
        }
        match self {
            Self::Best => moves.first(),
            Self::Weighted => {
                // The bias of the division is below total / 2^64.
                let mut left = random % total;
                moves.iter().find(|book_move| {
                    let weight = book_move.stats.weight;
                    let is_chosen = left < weight;
                    left = left.saturating_sub(weight);
                    is_chosen
                })
            }
        }
    }
}
