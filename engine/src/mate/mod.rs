//! The mate solver: it proves the shortest forced mate, or that there is none within a number of
//! moves.
//!
//! For 1, 2, 3 ... moves it is asked whether the side to move mates within so many, whatever the
//! other side does; the first yes is the shortest mate. Each question goes to a [search](proof) by
//! proof numbers that leaves nothing out and guesses nothing. This is no part of the search that
//! plays.
//!
//! What counts as a mate:
//!
//! - The fifty-move rule counts, from the position's halfmove clock: where it is reached the
//!   defender is safe, unless the move that reaches it mates (decision 78).
//! - Repetition need not be looked at. In a shortest mate every move of the attacker brings the mate
//!   nearer, whatever the defender does, so that no position comes twice; and of what came before
//!   the position nothing is known (decision 51).

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

/// Looks for mates. It keeps what it has proven, which holds for other positions as well, until it
/// is [cleared](Self::clear).
///
/// ```
/// use epode_engine::{Limits, Mate, MateSolver, Signals};
///
/// let position = "r5k1/5ppp/8/8/8/8/4RPPP/4R1K1 w - -".parse()?;
/// let outcome =
///     MateSolver::new(1)?.solve(&position, 3, &Limits::default(), &Signals::default());
/// let Mate::Found(line) = outcome.mate else {
///     panic!("there is one");
/// };
/// assert_eq!(line.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MateSolver {
    table: Table,
}

/// What was found out about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mate {
    /// The side to move mates by force. The line ends with the mate and is of the shortest length
    /// that can be forced: 2n - 1 plies for a mate in n moves, in which the attacker never plays a
    /// move that takes longer than another, and the defender none that takes less.
    Found(Vec<Move>),
    /// There is none within so many moves.
    None,
    /// The limits or the stop signal ended the search.
    Undecided {
        /// In so many moves there is no mate; of more nothing is known.
        none_in: usize,
    },
}

/// The result of a search for a mate, and what it took.
#[derive(Clone, Debug)]
pub struct MateOutcome {
    /// The answer.
    pub mate: Mate,
    /// Positions looked at.
    pub nodes: u64,
    /// Wall time.
    pub time: Duration,
    /// Processor time of this thread, where the system tells it.
    pub processor_time: Option<Duration>,
}

impl MateSolver {
    /// The longest mate that is looked for, in moves: its score is still one of a mate (decision
    /// 125).
    pub const MAX_MOVES: usize = MAX_PLY / 2;

    /// A solver with a table of so many MiB.
    ///
    /// # Errors
    ///
    /// The memory may be refused.
    pub fn new(hash_mib: usize) -> Result<Self, NoMemory> {
        let table = Table::new(hash_mib)?;
        Ok(Self { table })
    }

    /// Forgets everything, so that what comes does not depend on what came before.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Looks for the shortest mate in at most so many moves of the side to move. Of the limits those
    /// of nodes and of hard time count; without them the search ends only with an answer or when the
    /// signals stop it. Given the same nodes it does the same, if it was cleared before.
    ///
    /// # Panics
    /// If it is to look further than [`MAX_MOVES`](Self::MAX_MOVES).
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
