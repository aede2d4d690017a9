//! The replies that refuted an attack most recently, for the last moves before a mate.

use movegen::Move;

/// The number of plies that are searched by [`sweep`](super::sweep): mates in three. With mates in two,
/// refuting mates in endings takes more nodes, and other positions take about as many (WAC and
/// tablebase endings).
pub(super) const SWEPT_PLIES: usize = 5;

/// The latest refutation for each number of remaining moves. It often works again.
#[derive(Default)]
pub(super) struct Killers(pub [Option<Move>; SWEPT_PLIES / 2 + 1]);
