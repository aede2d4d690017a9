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

use super::blossom::Blossom;
use super::{Matcher, NONE};
use crate::wide::Wide;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    Free,
    Even,
    Odd,
}

/// What happens next.
#[derive(Clone, Copy, Debug)]
enum Event {
    DualIsZero(usize),
    Reach(usize),
    Meet(usize),
    FallApart(usize),
}

#[derive(Debug)]
pub(super) struct Search<const N: usize> {
    time: Wide<N>,
    /// By vertex: the label of the outermost node around it.
    label: Vec<Label>,
    /// Even vertices whose edges were not looked at.
    queue: Vec<usize>,
    /// By free vertex: when an edge to an even vertex becomes tight, and that vertex.
    reach: Vec<(Wide<N>, usize)>,
    /// By even vertex: when an edge to another even node becomes tight, and its other end. The two may have come together
    /// in a blossom since.
    meet: Vec<(Wide<N>, usize)>,
    /// By odd outermost node: the edge by which it was reached, its even end first.
    entry: Vec<(usize, usize)>,
}

impl<const N: usize> Search<N> {
    pub(super) fn new(size: usize) -> Self {
        Self {
            time: Wide::ZERO,
            label: vec![Label::Free; size],
            queue: Vec::new(),
            reach: vec![(Wide::MAX, NONE); size],
            meet: vec![(Wide::MAX, NONE); size],
            entry: vec![(NONE, NONE); 2 * size],
        }
    }
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

    /// Gives all labelled nodes their duals of this moment.
    fn finish(&mut self) {
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

    /// Gives a labelled blossom its dual of this moment.
    fn settle_blossom(&mut self, node: usize, label: Label) {
        let double = self.search.time.doubled();
        self.dual[node] = match label {
            Label::Free => return,
            Label::Even => self.dual[node].plus(double),
            Label::Odd => self.dual[node].minus(double),
        };
    }

    fn node_label(&self, node: usize) -> Label {
        self.search.label[self.base(node)]
    }

    fn make_even(&mut self, node: usize) {
        let time = self.search.time;
        if node >= self.size {
            self.settle_blossom(node, self.node_label(node));
            self.dual[node] = self.dual[node].minus(time.doubled());
        }
        for vertex in self.vertices(node) {
            self.make_vertex_even(vertex);
        }
    }

    fn make_vertex_even(&mut self, vertex: usize) {
        let time = self.search.time;
        if self.search.label[vertex] == Label::Odd {
            self.dual[vertex] = self.dual[vertex].plus(time);
        }
        self.dual[vertex] = self.dual[vertex].plus(time);
        self.search.label[vertex] = Label::Even;
        self.search.meet[vertex] = (Wide::MAX, NONE);
        self.search.queue.push(vertex);
    }

    fn make_odd(&mut self, node: usize, entry: (usize, usize)) {
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

    /// When the edge from an even vertex to a free one becomes tight; for two even ones, twice that.
    fn due(&self, even: usize, other: usize) -> Wide<N> {
        self.dual[even]
            .plus(self.dual[other])
            .minus(self.double_weight[even * self.size + other])
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

    /// The even and odd nodes from an even node up to the root, and the edge from each to the next.
    fn path_up(&self, mut node: usize) -> (Vec<usize>, Vec<(usize, usize)>) {
        let (mut nodes, mut edges) = (vec![node], Vec::new());
        while let Some(mate) = self.outer_mate(node) {
            let odd = self.top[mate];
            let (even_end, odd_end) = self.search.entry[odd];
            edges.push((self.base(node), mate));
            edges.push((odd_end, even_end));
            node = self.top[even_end];
            nodes.extend([odd, node]);
        }
        (nodes, edges)
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

    /// Makes a blossom of two even nodes that met and of the paths to their common ancestor.
    fn shrink(&mut self, left_end: usize, right_end: usize) {
        let (mut left, mut left_edges) = self.path_up(self.top[left_end]);
        let (mut right, mut right_edges) = self.path_up(self.top[right_end]);
        // Both end at the root; the last node that they share is the base of the blossom.
        let shared = left
            .iter()
            .rev()
            .zip(right.iter().rev())
            .take_while(|(one, two)| one == two)
            .count();
        left.truncate(left.len() - shared + 1);
        left_edges.truncate(left.len() - 1);
        right.truncate(right.len() - shared);
        right_edges.truncate(right.len());
        left.reverse();
        left.extend(right);
        let mut edges: Vec<(usize, usize)> = left_edges
            .iter()
            .rev()
            .map(|&(one, two)| (two, one))
            .collect();
        edges.push((left_end, right_end));
        edges.extend(right_edges);
        self.shrink_ring(left, edges);
    }

    fn shrink_ring(&mut self, children: Vec<usize>, edges: Vec<(usize, usize)>) {
        let labels: Vec<Label> = children
            .iter()
            .map(|&child| self.node_label(child))
            .collect();
        let members = children.clone();
        for (&child, &label) in members.iter().zip(&labels) {
            if child >= self.size {
                self.settle_blossom(child, label);
            }
        }
        let node = self.form(children, edges);
        self.dual[node] = Wide::ZERO.minus(self.search.time.doubled());
        for (&child, &label) in members.iter().zip(&labels) {
            if label == Label::Odd {
                for vertex in self.vertices(child) {
                    self.make_vertex_even(vertex);
                }
            }
        }
    }

    /// Lets an odd blossom fall apart: the children between its entry and its base stay in the tree.
    fn expand(&mut self, node: usize) {
        let entry = self.search.entry[node];
        let Blossom {
            children, edges, ..
        } = self.open_up(node);
        self.dual[node] = Wide::ZERO;
        for &child in &children {
            self.make_free(child);
        }
        let count = children.len();
        let place = self.place_in(&children, entry.1);
        // Round the ring to the base, on the side where the child of the entry is matched.
        let forward = place % 2 == 1;
        let steps = if forward { count - place } else { place };
        let at = |step: usize| {
            if forward {
                (place + step) % count
            } else {
                place - step
            }
        };
        let mut evens = Vec::new();
        let mut child_entry = entry;
        for step in (0..=steps).step_by(2) {
            self.make_odd(children[at(step)], child_entry);
            if step < steps {
                evens.push(children[at(step + 1)]);
                // From the even child to the odd one after it.
                child_entry = if forward {
                    edges[at(step + 1)]
                } else {
                    let (one, two) = edges[at(step + 2)];
                    (two, one)
                };
            }
        }
        for child in evens {
            self.make_even(child);
        }
        self.find_reaches(&children);
    }

    /// Takes an odd node out of the tree.
    fn make_free(&mut self, node: usize) {
        // The dual of a child stood still while its blossom was odd.
        let time = self.search.time;
        for vertex in self.vertices(node) {
            self.dual[vertex] = self.dual[vertex].plus(time);
            self.search.label[vertex] = Label::Free;
        }
    }

    /// Finds anew when the vertices that just became free are reached by the even ones looked at before.
    fn find_reaches(&mut self, nodes: &[usize]) {
        let vertices: Vec<usize> = nodes.iter().flat_map(|&node| self.vertices(node)).collect();
        for vertex in vertices {
            if self.search.label[vertex] != Label::Free {
                continue;
            }
            let mut best = (Wide::MAX, NONE);
            for &even in &self.active {
                let has_edge = !self.double_weight[even * self.size + vertex].is_zero();
                if has_edge && self.search.label[even] == Label::Even {
                    let due = self.due(even, vertex);
                    if due < best.0 {
                        best = (due, even);
                    }
                }
            }
            self.search.reach[vertex] = best;
        }
    }
}
