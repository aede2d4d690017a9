//! Matching of maximum weight in a general graph, kept optimal while weights change.
//!
//! This is Edmonds' method with dual values. Each vertex has a dual value, and so has each blossom (a set of vertices
//! of odd size). At the optimum:
//! - the *slack* of each edge (the duals of its ends and of the blossoms around both, less twice its weight) is not
//!   negative, and is zero for matched edges and for the edges that hold a blossom together;
//! - each unmatched vertex has a dual of zero.
//!
//! A new weight that breaks the first rule takes one end of the edge out of its blossoms and its pair ([`Matcher::set`]).
//! [`Matcher::solve`] then searches once from each unmatched vertex whose dual is not zero. A change of the weights at
//! one vertex so costs a few searches of at most O(n²) steps each, where a matching from nothing costs n searches.
//!
//! - `state`: the data.
//! - `blossom`: the nested sets, and how the matched edges inside one turn round.
//! - `search`: one search, which ends in one vertex less that breaks the second rule.
//! - `labels`: the part of each vertex in a search, and its dual as time passes.
//! - `tree`: how the blossoms of a search form and fall apart.

mod blossom;
mod labels;
mod search;
mod state;
#[cfg(test)]
mod tests;
mod tree;

pub use state::Matcher;

use crate::wide::Wide;
use state::NONE;

impl<const N: usize> Matcher<N> {
    /// The vertex that `vertex` is matched with in the solution.
    #[must_use]
    pub fn mate(&self, vertex: usize) -> Option<usize> {
        (self.mate[vertex] != NONE).then_some(self.mate[vertex])
    }

    /// Gives the edge between two different vertices its weight; zero removes the edge.
    ///
    /// Weights must stay below an eighth of the largest value. Changes at one vertex are cheapest with that vertex first.
    pub fn set(&mut self, first: usize, second: usize, weight: Wide<N>) {
        let double = weight.doubled();
        if self.double_weight[first * self.size + second] == double {
            return;
        }
        let keeps_order = self.open[first]
            || self.open[second]
            || (self.top[first] != self.top[second]
                && self.mate[first] != second
                && self.dual[first].plus(self.dual[second]) >= double);
        if !keeps_order {
            self.release(first);
        }
        self.double_weight[first * self.size + second] = double;
        self.double_weight[second * self.size + first] = double;
    }

    /// Prepares for new weights of most edges among these vertices.
    ///
    /// It changes no weight; but without it, the vertex that [`Matcher::set`] spares would keep a dual that no longer fits.
    pub fn reopen(&mut self, vertices: impl IntoIterator<Item = usize>) {
        for vertex in vertices {
            if !self.open[vertex] {
                self.release(vertex);
            }
        }
    }

    /// Takes two mates out of the graph. They stay mates.
    ///
    /// # Panics
    /// If they are not matched with each other.
    pub fn retire(&mut self, first: usize, second: usize) {
        assert_eq!(self.mate[first], second, "only mates retire together");
        self.release(first);
        self.release(second);
        self.mate[first] = second;
        self.mate[second] = first;
        self.retired[first] = true;
        self.retired[second] = true;
        self.active
            .retain(|&vertex| vertex != first && vertex != second);
    }

    /// Makes the matching one of maximum weight.
    pub fn solve(&mut self) {
        let opened: Vec<usize> = self
            .active
            .iter()
            .copied()
            .filter(|&vertex| self.open[vertex])
            .collect();
        for &vertex in &opened {
            self.dual[vertex] = self.closing_dual(vertex);
        }
        for &vertex in &opened {
            self.open[vertex] = false;
        }
        while let Some(vertex) = self.loose.pop() {
            if !self.retired[vertex] && self.mate[vertex] == NONE && !self.dual[vertex].is_zero() {
                self.search_from(vertex);
            }
        }
    }

    /// Takes a vertex out of its blossoms and its pair, so that the weights of its edges can change.
    fn release(&mut self, vertex: usize) {
        while self.top[vertex] >= self.size {
            self.dissolve(self.top[vertex]);
        }
        self.unmatch(vertex);
        self.loose.push(vertex);
        self.open[vertex] = true;
        self.dual[vertex] = Wide::ZERO;
    }

    /// A dual of an open vertex that leaves no slack below zero. Two open vertices share the weight between them.
    fn closing_dual(&self, vertex: usize) -> Wide<N> {
        let row = &self.double_weight[vertex * self.size..][..self.size];
        let mut least = Wide::ZERO;
        for &other in &self.active {
            if self.open[other] {
                least = least.max(row[other].halved());
            } else if row[other] > self.dual[other] {
                least = least.max(row[other].minus(self.dual[other]));
            }
        }
        least
    }

    /// Whether a matching with this edge weighs less than the solution by at least `loss`, as far as the duals tell.
    #[must_use]
    pub fn costs(&self, first: usize, second: usize, loss: Wide<N>) -> bool {
        let duals = self.dual[first].plus(self.dual[second]);
        let double = self.double_weight[first * self.size + second];
        !self.open[first] && !self.open[second] && duals >= double.plus(loss.doubled())
    }

    fn unmatch(&mut self, vertex: usize) {
        let mate = self.mate[vertex];
        if mate != NONE {
            self.mate[vertex] = NONE;
            self.mate[mate] = NONE;
            self.loose.push(vertex);
            self.loose.push(mate);
        }
    }
}
