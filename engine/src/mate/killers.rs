//! The replies that refuted an attack most recently, for the last moves before a mate.

use movegen::Move;

/// The plies that are swept: mates in three. With mates in two alone more nodes are needed to refute
/// mates in endings, and about as many to find them elsewhere (WAC and endings of tablebases).
pub(super) const SWEPT_PLIES: usize = 5;

/// The reply that last saved the defender, by the moves that are left: it often saves him again.
#[derive(Default)]
pub(super) struct Killers(pub [Option<Move>; SWEPT_PLIES / 2 + 1]);
