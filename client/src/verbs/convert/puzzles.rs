//! Puzzles as Lichess publishes them (<https://database.lichess.org/#puzzles>): the position is the one before a move of
//! the opponent, which is the first of `Moves`; the solution follows.

use epd::{Operand, Record};
use movegen::UciMove;

use super::rows::RowError;

/// The columns that a puzzle must have beside its FEN.
pub const COLUMNS: [&str; 2] = ["PuzzleId", "Moves"];

/// What the puzzle itself says in place of these operations.
const REPLACED: [&str; 7] = ["PuzzleId", "Moves", "bm", "fmvn", "hmvc", "id", "sv"];

/// The record of a puzzle, from that of its row: the position to solve, the best move, the whole solution as `sv`, and
/// with a theme such as `mateIn2` the number of moves to mate.
pub fn puzzle(row: &Record) -> Result<Record, RowError> {
    let text = |opcode: &str| {
        let operand = row.get(opcode)?.operands.first();
        operand.map(Operand::text)
    };
    let missing = |name: &str| RowError::of_row(format!("there is no {name}, expected a puzzle"));
    let [id, moves] = COLUMNS.map(|name| text(name).ok_or_else(|| missing(name)));
    let (id, moves) = (id?, moves?);
    let mut position = row
        .position()
        .map_err(|error| RowError::of_row(error.to_string()))?;
    let mut start = None;
    let mut solution = Vec::new();
    for word in moves.split_whitespace() {
        let illegal = || RowError::of_value(word, format!("{word:?}: not a legal move here"));
        let uci: UciMove = word.parse().map_err(|_| illegal())?;
        let mv = uci.find(&position).map_err(|_| illegal())?;
        position.play(mv);
        match start {
            None => start = Some(position),
            Some(_) => solution.push(mv),
        }
    }
    let (Some(start), [first, ..]) = (start, &solution[..]) else {
        let message = format!("{moves:?}: expected two moves at least");
        return Err(RowError::of_value(moves, message));
    };
    let mut puzzle = Record::new(start.setup());
    let operations = row.operations().iter();
    for operation in operations.filter(|operation| !REPLACED.contains(&&*operation.opcode)) {
        puzzle.add(operation.clone());
    }
    puzzle.set_id(id);
    puzzle.set_best_moves(&start, &[*first]);
    puzzle.set_supplied_variation(&start, &solution);
    // `mateIn5` stands for five moves or more.
    let themes = text("Themes").unwrap_or_default();
    let mut mates = themes
        .split_whitespace()
        .filter_map(|theme| theme.strip_prefix("mateIn"));
    if let Some(moves @ 1..5) = mates.find_map(|moves| moves.parse().ok()) {
        puzzle.set_mate_in(moves);
    }
    Ok(puzzle)
}
