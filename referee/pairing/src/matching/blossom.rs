//! Blossoms: nested sets of vertices that are matched inside but for one vertex, the base.

use super::state::{Blossom, Matcher, NONE};
use crate::wide::Wide;

impl<const N: usize> Matcher<N> {
    pub(super) fn blossom(&self, node: usize) -> &Blossom {
        &self.blossoms[node - self.size]
    }

    /// The vertices in a node.
    pub(super) fn vertices(&self, node: usize) -> Vec<usize> {
        if node < self.size {
            vec![node]
        } else {
            self.blossom(node).vertices.clone()
        }
    }

    /// The vertex of a node that is not matched inside it.
    pub(super) fn base(&self, node: usize) -> usize {
        if node < self.size {
            node
        } else {
            self.blossom(node).base
        }
    }

    /// Makes a new outermost blossom of outermost nodes.
    pub(super) fn form(&mut self, children: Vec<usize>, edges: Vec<(usize, usize)>) -> usize {
        let node = self
            .unused
            .pop()
            .expect("n vertices nest in fewer than n blossoms");
        let base = self.base(children[0]);
        let vertices: Vec<usize> = children
            .iter()
            .flat_map(|&child| self.vertices(child))
            .collect();
        for &vertex in &vertices {
            self.top[vertex] = node;
        }
        self.blossoms[node - self.size] = Blossom {
            children,
            edges,
            vertices,
            base,
        };
        node
    }

    /// Makes the children of an outermost blossom outermost, and returns the blossom.
    pub(super) fn open_up(&mut self, node: usize) -> Blossom {
        let blossom = std::mem::take(&mut self.blossoms[node - self.size]);
        for &child in &blossom.children {
            for vertex in self.vertices(child) {
                self.top[vertex] = child;
            }
        }
        self.unused.push(node);
        blossom
    }

    /// Dissolves an outermost blossom outside a search: its dual goes to its vertices.
    ///
    /// That slackens the edge between the base and its mate, which part.
    pub(super) fn dissolve(&mut self, node: usize) {
        let blossom = self.open_up(node);
        let share = self.dual[node].halved();
        self.dual[node] = Wide::ZERO;
        if share.is_zero() {
            return;
        }
        for &vertex in &blossom.vertices {
            self.dual[vertex] = self.dual[vertex].plus(share);
        }
        self.unmatch(blossom.base);
        self.loose.push(blossom.base);
    }

    /// Moves the matched edges inside a node so that `vertex` becomes its base.
    pub(super) fn rebase(&mut self, node: usize, vertex: usize) {
        if node < self.size || self.blossom(node).base == vertex {
            return;
        }
        let Blossom {
            mut children,
            mut edges,
            vertices,
            ..
        } = std::mem::take(&mut self.blossoms[node - self.size]);
        let place = self.place_in(&children, vertex);
        self.rebase(children[place], vertex);
        let count = children.len();
        // The children between the new base and the old one, on the side where they are matched in pairs with it.
        let pairs: Vec<(usize, usize)> = if place % 2 == 1 {
            (place + 1..count)
                .step_by(2)
                .map(|first| (first, (first + 1) % count))
                .collect()
        } else {
            (0..place)
                .step_by(2)
                .map(|first| (first, first + 1))
                .collect()
        };
        for (first, second) in pairs {
            let (left, right) = edges[first];
            self.rebase(children[first], left);
            self.rebase(children[second], right);
            self.mate[left] = right;
            self.mate[right] = left;
        }
        children.rotate_left(place);
        edges.rotate_left(place);
        self.blossoms[node - self.size] = Blossom {
            children,
            edges,
            vertices,
            base: vertex,
        };
    }

    /// Which of the nodes holds the vertex.
    pub(super) fn place_in(&self, nodes: &[usize], vertex: usize) -> usize {
        let holds = |&node: &usize| {
            node == vertex || (node >= self.size && self.blossom(node).vertices.contains(&vertex))
        };
        nodes
            .iter()
            .position(holds)
            .expect("the vertex lies in one of the nodes")
    }

    /// The mate of a node's base.
    pub(super) fn outer_mate(&self, node: usize) -> Option<usize> {
        let mate = self.mate[self.base(node)];
        (mate != NONE).then_some(mate)
    }
}
