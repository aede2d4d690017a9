//! The labels of vertices in a search, and their duals while time passes.

use super::state::{Label, Matcher, NONE};
use crate::wide::Wide;

impl<const N: usize> Matcher<N> {
    /// Gives a labelled blossom its dual of this moment.
    pub(super) fn settle_blossom(&mut self, node: usize, label: Label) {
        let double = self.search.time.doubled();
        self.dual[node] = match label {
            Label::Free => return,
            Label::Even => self.dual[node].plus(double),
            Label::Odd => self.dual[node].minus(double),
        };
    }

    pub(super) fn node_label(&self, node: usize) -> Label {
        self.search.label[self.base(node)]
    }

    pub(super) fn make_even(&mut self, node: usize) {
        let time = self.search.time;
        if node >= self.size {
            self.settle_blossom(node, self.node_label(node));
            self.dual[node] = self.dual[node].minus(time.doubled());
        }
        for vertex in self.vertices(node) {
            self.make_vertex_even(vertex);
        }
    }

    pub(super) fn make_vertex_even(&mut self, vertex: usize) {
        let time = self.search.time;
        if self.search.label[vertex] == Label::Odd {
            self.dual[vertex] = self.dual[vertex].plus(time);
        }
        self.dual[vertex] = self.dual[vertex].plus(time);
        self.search.label[vertex] = Label::Even;
        self.search.meet[vertex] = (Wide::MAX, NONE);
        self.search.queue.push(vertex);
    }

    pub(super) fn make_odd(&mut self, node: usize, entry: (usize, usize)) {
        let time = self.search.time;
        self.search.entry[node] = entry;
        if node >= self.size {
            self.dual[node] = self.dual[node].plus(time.doubled());
        }
        for vertex in self.vertices(node) {
            self.dual[vertex] = self.dual[vertex].minus(time);
            self.search.label[vertex] = Label::Odd;
        }
    }

    /// Takes an odd node out of the tree.
    pub(super) fn make_free(&mut self, node: usize) {
        // The dual of a child stood still while its blossom was odd.
        let time = self.search.time;
        for vertex in self.vertices(node) {
            self.dual[vertex] = self.dual[vertex].plus(time);
            self.search.label[vertex] = Label::Free;
        }
    }

    /// When the edge from an even vertex to a free one becomes tight; for two even ones, twice that.
    pub(super) fn due(&self, even: usize, other: usize) -> Wide<N> {
        self.dual[even]
            .plus(self.dual[other])
            .minus(self.double_weight[even * self.size + other])
    }

    /// Gives all labelled nodes their duals of this moment.
    pub(super) fn finish(&mut self) {
        let time = self.search.time;
        for index in 0..self.active.len() {
            let vertex = self.active[index];
            let top = self.top[vertex];
            let label = self.search.label[vertex];
            self.dual[vertex] = match label {
                Label::Free => continue,
                Label::Even => self.dual[vertex].minus(time),
                Label::Odd => self.dual[vertex].plus(time),
            };
            if top >= self.size && self.base(top) == vertex {
                self.settle_blossom(top, label);
            }
        }
    }
}
