//! The mate solver: it proves the shortest forced mate, or that there is none within a number of
//! moves.
//!
//! For 1, 2, 3 ... moves, a [proof-number search](proof) decides whether the side to move can force
//! mate within that many moves. The first success is the shortest mate. The search is exhaustive,
//! and independent of the search that plays games.
//!
//! The rules of a mate:
//!
//! - The fifty-move rule applies, from the halfmove clock of the position: once it is reached, the
//!   defender is safe unless the move that reaches it is mate (decision 78).
//! - Repetition is ignored. In a shortest mate every move of the attacker shortens the mate, so no
//!   position can repeat; the moves before the position are not known (decision 51).

mod killers;
mod node;
mod numbers;
mod proof;
mod sweep;
mod table;

use std::time::Duration;

use movegen::memory::NoMemory;
use movegen::{Move, Position};

use crate::cpu_time;
use crate::limits::{Limits, Signals};
use crate::score::MAX_PLY;
use node::Node;
use proof::{Prover, Unfinished};
use table::Table;

/// Searches for mates. It keeps its results, which hold for other positions too, until it is
/// [cleared](Self::clear).
///
/// ```
/// use epode_engine::{Limits, Mate, MateSolver, Signals};
///
/// let position = "r5k1/5ppp/8/8/8/8/4RPPP/4R1K1 w - -".parse()?;
/// let outcome =
///     MateSolver::new(1)?.solve(&position, 3, &Limits::default(), &Signals::default());
/// let Mate::Found(line) = outcome.mate else {
///     panic!("there is a mate");
/// };
/// assert_eq!(line.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MateSolver {
    table: Table,
}

/// The result of a mate search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mate {
    /// The side to move can force mate. The line ends with the mate and has the shortest length that
    /// can be forced, 2n - 1 plies for a mate in n moves: both sides play best moves.
    Found(Vec<Move>),
    /// There is no forced mate within the number of moves.
    None,
    /// The limits or the stop signal ended the search.
    Undecided {
        /// There is no mate in this many moves; longer mates are not decided.
        none_in: usize,
    },
}

/// The result of a mate search and its cost.
#[derive(Clone, Debug)]
pub struct MateOutcome {
    /// The result.
    pub mate: Mate,
    /// Positions visited.
    pub nodes: u64,
    /// Wall time.
    pub time: Duration,
    /// Processor time of this thread, if the system provides it.
    pub processor_time: Option<Duration>,
}

impl MateSolver {
    /// The longest mate that can be searched for, in moves. Its score is still a mate score (decision
    /// 125).
    pub const MAX_MOVES: usize = MAX_PLY / 2;

    /// Creates a solver with a table of this many MiB.
    ///
    /// # Errors
    ///
    /// If there is not enough memory.
    pub fn new(hash_mib: usize) -> Result<Self, NoMemory> {
        let table = Table::new(hash_mib)?;
        Ok(Self { table })
    }

    /// Forgets all results, so that later searches do not depend on earlier ones.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Searches for the shortest mate of the side to move in at most this many moves. Only the limits
    /// of nodes and hard time apply; without them the search ends with a result or when the signals
    /// stop it. After [`clear`](Self::clear) the result depends on the position and the limits alone.
    ///
    /// # Panics
    /// If `moves` is greater than [`MAX_MOVES`](Self::MAX_MOVES).
    pub fn solve(
        &mut self,
        position: &Position,
        moves: usize,
        limits: &Limits,
        signals: &Signals,
    ) -> MateOutcome {
        assert!(moves <= Self::MAX_MOVES, "mate in {moves} is too far");
        let mut prover = Prover::new(&mut self.table, position.turn(), limits, signals);
        let (mate, processor_time) = cpu_time::timed(|| {
            for length in 1..=moves {
                match prover.line_of(&Node::root(position, length)) {
                    Ok(Some(line)) => return Mate::Found(line),
                    Ok(None) => {}
                    Err(Unfinished) => {
                        return Mate::Undecided {
                            none_in: length - 1,
                        };
                    }
                }
            }
            Mate::None
        });
        MateOutcome {
            mate,
            nodes: prover.nodes(),
            time: prover.elapsed(),
            processor_time,
        }
    }
}
