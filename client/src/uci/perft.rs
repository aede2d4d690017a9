//! The command `go perft`.

use std::sync::atomic::Ordering::Relaxed;

use engine::Signals;
use movegen::{CastlingMode, Position, UciMove};

use crate::io::interface::print;

/// The depth up to which perft does not check the stop flag.
const UNSTOPPED_PERFT: u32 = 4;

/// Counts the leaf nodes below each move, and their sum.
pub fn perft(position: &Position, depth: u32, mode: CastlingMode, signals: &Signals) -> String {
    let mut sum = u64::from(depth == 0);
    if depth > 0 {
        for mv in position.legal_moves() {
            let mut after = *position;
            after.play(mv);
            let Some(leaves) = count(&after, depth - 1, signals) else {
                return "info string perft was stopped".to_owned();
            };
            print(&format!("{}: {leaves}", UciMove::of(position, mv, mode)));
            sum += leaves;
        }
    }
    format!("\nNodes searched: {sum}\n")
}

/// Counts the leaf nodes at a depth; none if it was stopped.
fn count(position: &Position, depth: u32, signals: &Signals) -> Option<u64> {
    if signals.stop.load(Relaxed) {
        return None;
    }
    if depth <= UNSTOPPED_PERFT {
        return Some(movegen::perft(position, depth));
    }
    let mut sum = 0;
    for mv in position.legal_moves() {
        let mut after = *position;
        after.play(mv);
        sum += count(&after, depth - 1, signals)?;
    }
    Some(sum)
}
