//! Where records and the engine meet: a position is searched and the result written into its
//! record.

use engine::{Limits, Outcome, Searcher, Signals};
use epd::{NoPosition, Operation, Record};
use movegen::{Game, Position};

/// Searches the position of a record as if nothing had been searched before.
pub fn analyse(
    record: &mut Record,
    searcher: &mut Searcher,
    limits: &Limits,
) -> Result<Outcome, NoPosition> {
    let position = record.position()?;
    searcher.clear();
    let outcome = searcher.search(
        &Game::new(position),
        limits,
        &Signals::default(),
        &mut |_| (),
    );
    write(record, &position, &outcome);
    Ok(outcome)
}

/// Sets the operations of an analysis (EPD 7.2): `pm`, `pv`, `ce`, `acd`, `acn`, `acs`. At
/// checkmate and stalemate there is no `pm`, and `pv` is empty (decisions 130 and 131).
fn write(record: &mut Record, position: &Position, outcome: &Outcome) {
    record.remove("pm");
    if let Some(best) = outcome.best {
        record.set_predicted_move(position, best);
    }
    record.set_predicted_variation(position, &outcome.pv);
    record.set(Operation::new("ce").symbol(outcome.score));
    record.set_depth(outcome.depth as u64);
    record.set_nodes(outcome.nodes);
    // Wall time, rounded to the nearest second (decision 89).
    record.set_seconds(outcome.time.as_secs_f64().round() as u64);
}
