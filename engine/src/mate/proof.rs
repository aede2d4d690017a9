//! Search by proof numbers, depth first
//! (df-pn, <https://www.chessprogramming.org/Proof-Number_Search>).
//!
//! A node is won for its side to move when one move leads to a node that is lost for the other, and
//! lost when all moves lead to nodes that are won. Of each node that is undecided two numbers tell
//! about how many nodes below it would have to be decided to win or to lose it. The search always
//! goes where the least is to be done, so that it is drawn to moves that leave the opponent few
//! replies. A node belongs to a number of moves that are left, so that no path comes back to it and
//! what is decided holds on any path. The last moves are [swept](super::sweep).

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

/// What the children of a node come to.
struct Survey {
    /// The numbers of the node.
    numbers: Numbers,
    /// The child that is lost with the least.
    best: usize,
    /// How much it takes until the next one is lost.
    second: u32,
    /// What the children add to the greatest of what it takes until they are won.
    others: u32,
}

/// A search for one mate.
pub(super) struct Prover<'a> {
    table: &'a mut Table,
    attacker: Color,
    stopwatch: Stopwatch<'a>,
    most_nodes: u64,
    nodes: u64,
    /// The children of all nodes on the path, those of the last node at the end.
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
            most_nodes: limits.nodes.unwrap_or(u64::MAX),
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

    /// The line of a mate within the moves of the node, if there is one. It is a shortest one if
    /// there is none within fewer.
    pub fn line_of(&mut self, root: &Node) -> Result<Option<Vec<Move>>, Unfinished> {
        self.children.clear();
        if !self.is_won(root)? {
            return Ok(None);
        }
        let mut line = Vec::new();
        let mut position = root.position;
        for moves in (1..=root.moves).rev() {
            let attack = self.move_that(&Node::root(&position, moves), |after| after)?;
            position.play(attack);
            line.push(attack);
            if moves > 1 {
                // Of the replies one at least takes all the moves that are left.
                let reply = self.move_that(
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

    /// A move after which the opponent has lost what the question makes of the node.
    fn move_that(
        &mut self,
        node: &Node,
        question: impl Fn(Node) -> Node,
    ) -> Result<Move, Unfinished> {
        let moves = node.position.legal_moves();
        // What is known already, and then what has to be found out.
        for &mv in &moves {
            let after = question(node.after(mv));
            if self.look(&after)?.winner() == Some(false) {
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

    /// Whether the node is won for its side to move.
    pub(super) fn is_won(&mut self, node: &Node) -> Result<bool, Unfinished> {
        const UNLIMITED: Numbers = Numbers {
            proof: NEVER,
            disproof: NEVER,
        };
        let mut numbers = self.look(node)?;
        if numbers.winner().is_none() {
            numbers = self.search(node, UNLIMITED)?;
        }
        Ok(numbers.winner() == Some(true))
    }

    /// Counts a node, and ends the search if it is time.
    fn visit(&mut self) -> Result<(), Unfinished> {
        const NODES_BETWEEN_LOOKS: u64 = 1024;
        let is_late = self.nodes == self.most_nodes
            || self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS)
                && (self.stopwatch.is_stopped() || !self.stopwatch.allows_nodes());
        if is_late {
            return Err(Unfinished);
        }
        self.nodes += 1;
        Ok(())
    }

    /// The numbers of a node from what is seen of it at once, or is known.
    pub(super) fn look(&mut self, node: &Node) -> Result<Numbers, Unfinished> {
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

    /// Searches below an undecided node until one of its numbers reaches the limit. Returns the
    /// numbers, which are in the table as well.
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

    /// Goes on with the child that is lost with the least, again and again. The children stay in
    /// their list.
    fn descend(&mut self, node: &Node, limit: Numbers) -> Result<Numbers, Unfinished> {
        let begin = self.children.len();
        for mv in node.position.legal_moves() {
            let numbers = self.look(&node.after(mv))?;
            match numbers.winner() {
                // Nothing else matters.
                Some(false) => return Ok(Numbers::WON),
                Some(true) => {}
                None => self.children.push(Child { mv, numbers }),
            }
        }
        loop {
            let survey = self.survey(begin);
            let numbers = survey.numbers;
            if numbers.proof >= limit.proof || numbers.disproof >= limit.disproof {
                return Ok(numbers);
            }
            let best = begin + survey.best;
            let below = Numbers {
                proof: limit.disproof - survey.others,
                // A little more than the second, so as not to go to and fro.
                disproof: limit.proof.min(survey.second + survey.second / 4 + 1),
            };
            let after = node.after(self.children[best].mv);
            self.children[best].numbers = self.search(&after, below)?;
        }
    }

    /// What the children of a node come to. Until the node is lost, the most of what each child
    /// takes is to be done and a little for each of the others: not the sum, since lines that meet
    /// again would count more than once (weak proof numbers, Ueda, Hashimoto, Hashimoto and Iida
    /// 2008).
    fn survey(&self, begin: usize) -> Survey {
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
        Survey {
            numbers: numbers.winner().map_or(numbers, Numbers::decided),
            best,
            second,
            others,
        }
    }
}
