//! Blossoms of the tree of a search: how they form and how they fall apart.

use super::state::{Blossom, Label, Matcher, NONE};
use crate::wide::Wide;

impl<const N: usize> Matcher<N> {
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

    /// Makes a blossom of two even nodes that met and of the paths to their common ancestor.
    pub(super) fn shrink(&mut self, left_end: usize, right_end: usize) {
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
    pub(super) fn expand(&mut self, node: usize) {
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
