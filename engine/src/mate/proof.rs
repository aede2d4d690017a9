//! Depth-first proof-number search
//! (df-pn, <https://www.chessprogramming.org/Proof-Number_Search>).
//!
//! A node is won for the side to move if one move leads to a node that is lost for the opponent, and
//! lost if all moves lead to won nodes. For an undecided node, the proof and disproof numbers
//! estimate how many nodes below it must be decided to prove a win or a loss. The search always
//! expands the node with the least remaining work, and so prefers moves that leave the opponent few
//! replies. The number of remaining moves is part of a node, so no path returns to a node and a
//! result holds on every path. The last moves are searched by [`sweep`](super::sweep).

use std::time::Duration;

use movegen::{Color, Move};

use super::killers::{Killers, SWEPT_PLIES};
use super::node::Node;
use super::numbers::{NEVER, Numbers};
use super::table::Table;
use crate::limits::{Limits, Signals, Stopwatch};

/// A limit was reached or the search was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unfinished;

/// A move and the numbers of the node after it, for the opponent.
#[derive(Clone, Copy)]
struct Child {
    mv: Move,
    numbers: Numbers,
}

/// The summary of the children of a node.
struct Summary {
    /// The numbers of the node.
    numbers: Numbers,
    /// The child with the smallest disproof number.
    best: usize,
    /// The second smallest disproof number.
    second: u32,
    /// What the other undecided children add to the greatest proof number.
    others: u32,
}

/// A search for one mate.
pub(super) struct Prover<'a> {
    table: &'a mut Table,
    attacker: Color,
    stopwatch: Stopwatch<'a>,
    node_limit: u64,
    nodes: u64,
    /// The children of all nodes on the current path, in order.
    children: Vec<Child>,
    pub(super) killers: Killers,
}

impl<'a> Prover<'a> {
    pub fn new(
        table: &'a mut Table,
        attacker: Color,
        limits: &Limits,
        signals: &'a Signals,
    ) -> Self {
        Self {
            table,
            attacker,
            stopwatch: Stopwatch::start(limits, signals),
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            children: Vec::new(),
            killers: Killers::default(),
        }
    }

    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    pub fn elapsed(&self) -> Duration {
        self.stopwatch.elapsed()
    }

    /// The line of a mate within the moves of the node, if there is one. It is a shortest one if there
    /// is no mate in fewer moves.
    pub fn line_of(&mut self, root: &Node) -> Result<Option<Vec<Move>>, Unfinished> {
        self.children.clear();
        if !self.is_won(root)? {
            return Ok(None);
        }
        let mut line = Vec::new();
        let mut position = root.position;
        for moves in (1..=root.moves).rev() {
            let attack = self.winning_move(&Node::root(&position, moves), |after| after)?;
            position.play(attack);
            line.push(attack);
            if moves > 1 {
                // At least one reply holds out for all remaining moves.
                let reply = self.winning_move(
                    &Node {
                        position,
                        moves: moves - 1,
                        attacks: false,
                    },
                    |after| Node {
                        moves: after.moves - 1,
                        ..after
                    },
                )?;
                position.play(reply);
                line.push(reply);
            }
        }
        Ok(Some(line))
    }

    /// A move after which the opponent has lost the node that `question` turns the next node into.
    fn winning_move(
        &mut self,
        node: &Node,
        question: impl Fn(Node) -> Node,
    ) -> Result<Move, Unfinished> {
        let moves = node.position.legal_moves();
        // First the moves whose result is known.
        for &mv in &moves {
            let after = question(node.after(mv));
            if self.probe(&after)?.winner() == Some(false) {
                return Ok(mv);
            }
        }
        for &mv in &moves {
            if !self.is_won(&question(node.after(mv)))? {
                return Ok(mv);
            }
        }
        unreachable!("the node was won")
    }

    /// Whether the node is won for the side to move.
    pub(super) fn is_won(&mut self, node: &Node) -> Result<bool, Unfinished> {
        const UNLIMITED: Numbers = Numbers {
            proof: NEVER,
            disproof: NEVER,
        };
        let mut numbers = self.probe(node)?;
        if numbers.winner().is_none() {
            numbers = self.search(node, UNLIMITED)?;
        }
        Ok(numbers.winner() == Some(true))
    }

    /// Counts a node, and ends the search if a limit is reached.
    fn visit(&mut self) -> Result<(), Unfinished> {
        const POLL_INTERVAL: u64 = 1024;
        let is_over = self.nodes == self.node_limit
            || self.nodes.is_multiple_of(POLL_INTERVAL)
                && (self.stopwatch.is_stopped() || !self.stopwatch.allows_nodes());
        if is_over {
            return Err(Unfinished);
        }
        self.nodes += 1;
        Ok(())
    }

    /// The numbers of a node without a search: from its position or from the table.
    pub(super) fn probe(&mut self, node: &Node) -> Result<Numbers, Unfinished> {
        self.visit()?;
        let first = if node.attacks {
            if node.moves == 0 || node.is_drawn(self.attacker) {
                return Ok(Numbers::LOST);
            }
            if node.moves == 1 {
                return Ok(Numbers::decided(node.mates_in_one()));
            }
            Numbers::UNKNOWN
        } else {
            let replies = node.position.count_moves();
            if replies == 0 {
                return Ok(Numbers::decided(!node.position.is_check()));
            }
            if node.moves == 0 || node.is_drawn(self.attacker) {
                return Ok(Numbers::WON);
            }
            Numbers {
                proof: 1,
                disproof: replies as u32,
            }
        };
        Ok(self.table.get(node).unwrap_or(first))
    }

    /// Searches below an undecided node until one of its numbers reaches the limit. Returns the numbers
    /// and stores them in the table.
    fn search(&mut self, node: &Node, limit: Numbers) -> Result<Numbers, Unfinished> {
        let nodes = self.nodes;
        let numbers = if node.plies() <= SWEPT_PLIES {
            Numbers::decided(self.sweep(node)?)
        } else {
            let begin = self.children.len();
            let numbers = self.descend(node, limit)?;
            self.children.truncate(begin);
            numbers
        };
        self.table.put(node, numbers, self.nodes - nodes);
        Ok(numbers)
    }

    /// Expands the child with the smallest disproof number until a limit is reached. The caller removes
    /// the children from their list.
    fn descend(&mut self, node: &Node, limit: Numbers) -> Result<Numbers, Unfinished> {
        let begin = self.children.len();
        for mv in node.position.legal_moves() {
            let numbers = self.probe(&node.after(mv))?;
            match numbers.winner() {
                // One winning move is enough.
                Some(false) => return Ok(Numbers::WON),
                Some(true) => {}
                None => self.children.push(Child { mv, numbers }),
            }
        }
        loop {
            let summary = self.summarise(begin);
            let numbers = summary.numbers;
            if numbers.proof >= limit.proof || numbers.disproof >= limit.disproof {
                return Ok(numbers);
            }
            let best = begin + summary.best;
            let below = Numbers {
                proof: limit.disproof - summary.others,
                // A little above the second, to avoid switching between children all the time.
                disproof: limit.proof.min(summary.second + summary.second / 4 + 1),
            };
            let after = node.after(self.children[best].mv);
            self.children[best].numbers = self.search(&after, below)?;
        }
    }

    /// Summarises the children of a node. The disproof number is the greatest proof number of a child
    /// plus 1 for each other undecided child. It is not the sum, because transpositions would count more
    /// than once (weak proof-number search, Ueda, Hashimoto, Hashimoto and Iida 2008).
    fn summarise(&self, begin: usize) -> Summary {
        let (mut best, mut first, mut second) = (0, NEVER, NEVER);
        let (mut most, mut undecided) = (0, 0);
        for (i, Child { numbers, .. }) in self.children[begin..].iter().enumerate() {
            if numbers.disproof < first {
                (best, first, second) = (i, numbers.disproof, first);
            } else {
                second = second.min(numbers.disproof);
            }
            if numbers.proof > 0 {
                most = most.max(numbers.proof);
                undecided += 1;
            }
        }
        let others = u32::saturating_sub(undecided, 1);
        let numbers = Numbers {
            proof: first,
            disproof: most + others,
        };
        Summary {
            numbers: numbers.winner().map_or(numbers, Numbers::decided),
            best,
            second,
            others,
        }
    }
}
