//! One search from an unmatched vertex, the root, whose dual is not zero.
//!
//! The search grows a tree of alternating paths. Nodes at an even distance from the root are *even*, the others *odd*;
//! all nodes not yet reached are *free*. As time passes, the duals of even vertices fall and those of odd ones rise by
//! the time passed, so that the edges of the tree keep a slack of zero. At known times something happens:
//! - the dual of an even vertex reaches zero: it may be unmatched instead of the root, and the search ends;
//! - an edge to a free node becomes tight: that node and its mate join the tree or, where it has no mate, the search
//!   ends with one more pair;
//! - an edge between two even nodes becomes tight: they form a blossom with the path between them;
//! - the dual of an odd blossom reaches zero: it falls apart into its children.
//!
//! Duals of labelled vertices are stored such that they need no change as time passes: the dual that an even vertex had
//! or would have had at time zero, and the same for an odd one. The first is the dual plus the time, the second the dual
//! minus the time (which may wrap below zero, and wraps back when it is read).

use super::state::{Label, Matcher, NONE};
use crate::wide::Wide;

/// What happens next.
#[derive(Clone, Copy, Debug)]
enum Event {
    DualIsZero(usize),
    Reach(usize),
    Meet(usize),
    FallApart(usize),
}

impl<const N: usize> Matcher<N> {
    pub(super) fn search_from(&mut self, root: usize) {
        self.search.time = Wide::ZERO;
        self.search.queue.clear();
        for &vertex in &self.active {
            self.search.label[vertex] = Label::Free;
            self.search.reach[vertex] = (Wide::MAX, NONE);
        }
        self.make_even(self.top[root]);
        loop {
            while let Some(vertex) = self.search.queue.pop() {
                self.look_around(vertex);
            }
            let (time, event) = self.next_event();
            self.search.time = time;
            match event {
                Event::DualIsZero(vertex) => {
                    self.shift_matches(vertex, NONE);
                    break;
                }
                Event::Reach(vertex) => {
                    if self.reach(vertex) {
                        break;
                    }
                }
                Event::Meet(vertex) => self.meet(vertex),
                Event::FallApart(node) => self.expand(node),
            }
        }
        self.finish();
    }

    /// Notes when the edges of a new even vertex become tight.
    fn look_around(&mut self, vertex: usize) {
        let top = self.top[vertex];
        for index in 0..self.active.len() {
            let other = self.active[index];
            if self.double_weight[vertex * self.size + other].is_zero() {
                continue;
            }
            match self.search.label[other] {
                Label::Free => {
                    let due = self.due(vertex, other);
                    if due < self.search.reach[other].0 {
                        self.search.reach[other] = (due, vertex);
                    }
                }
                Label::Even if self.top[other] != top => {
                    let due = self.due(vertex, other).halved();
                    if due < self.search.meet[vertex].0 {
                        self.search.meet[vertex] = (due, other);
                    }
                }
                Label::Even | Label::Odd => {}
            }
        }
    }

    /// What happens next; of what happens at the same time, what ends the search.
    fn next_event(&self) -> (Wide<N>, Event) {
        let (mut best, mut ends) = ((Wide::MAX, Event::DualIsZero(NONE)), false);
        let mut offer = |time: Wide<N>, event: Event, is_end: bool| {
            if time < best.0 || time == best.0 && is_end && !ends {
                (best, ends) = ((time, event), is_end);
            }
        };
        for &vertex in &self.active {
            match self.search.label[vertex] {
                Label::Free => {
                    let is_end = self.mate[self.base(self.top[vertex])] == NONE;
                    offer(self.search.reach[vertex].0, Event::Reach(vertex), is_end);
                }
                Label::Even => {
                    offer(self.dual[vertex], Event::DualIsZero(vertex), true);
                    offer(self.search.meet[vertex].0, Event::Meet(vertex), false);
                }
                Label::Odd => {
                    let top = self.top[vertex];
                    if top >= self.size && self.base(top) == vertex {
                        offer(self.dual[top].halved(), Event::FallApart(top), false);
                    }
                }
            }
        }
        best
    }

    /// Takes the node of a free vertex into the tree. Returns whether the search is over.
    fn reach(&mut self, vertex: usize) -> bool {
        let even = self.search.reach[vertex].1;
        let node = self.top[vertex];
        let Some(mate) = self.outer_mate(node) else {
            self.rebase(node, vertex);
            self.mate[vertex] = even;
            self.shift_matches(even, vertex);
            return true;
        };
        self.make_odd(node, (even, vertex));
        self.make_even(self.top[mate]);
        false
    }

    /// Gives an even vertex a new partner, or none, and moves the pairs along the path to the root.
    fn shift_matches(&mut self, mut vertex: usize, mut partner: usize) {
        loop {
            let node = self.top[vertex];
            let old = self.outer_mate(node);
            self.rebase(node, vertex);
            self.mate[vertex] = partner;
            let Some(old) = old else { return };
            let odd = self.top[old];
            let (even_end, odd_end) = self.search.entry[odd];
            self.rebase(odd, odd_end);
            self.mate[odd_end] = even_end;
            (vertex, partner) = (even_end, odd_end);
        }
    }

    /// Makes a blossom of the two ends of a tight edge, unless they are in one already.
    fn meet(&mut self, vertex: usize) {
        let other = self.search.meet[vertex].1;
        if self.top[vertex] == self.top[other] {
            self.renew_meetings();
        } else {
            self.shrink(vertex, other);
        }
    }

    /// Looks anew from the even vertices whose next meeting would be now, but is inside their own blossom.
    fn renew_meetings(&mut self) {
        for index in 0..self.active.len() {
            let vertex = self.active[index];
            let (due, other) = self.search.meet[vertex];
            let is_even = self.search.label[vertex] == Label::Even;
            if is_even && due == self.search.time && self.top[vertex] == self.top[other] {
                self.search.meet[vertex] = (Wide::MAX, NONE);
                self.look_around(vertex);
            }
        }
    }
}
