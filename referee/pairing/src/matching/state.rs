//! The data of a matching.

use crate::wide::Wide;

/// No vertex, or no node.
pub(super) const NONE: usize = usize::MAX;

/// A graph with weighted edges and its matching of maximum weight.
#[derive(Debug)]
pub struct Matcher<const N: usize> {
    /// The number of vertices. Nodes with larger numbers are blossoms.
    pub(super) size: usize,
    /// The vertices that were not retired.
    pub(super) active: Vec<usize>,
    /// Twice the weight of each edge; zero where there is no edge.
    pub(super) double_weight: Vec<Wide<N>>,
    pub(super) mate: Vec<usize>,
    /// By node.
    pub(super) dual: Vec<Wide<N>>,
    /// The outermost node around each vertex.
    pub(super) top: Vec<usize>,
    pub(super) blossoms: Vec<Blossom>,
    pub(super) unused: Vec<usize>,
    /// Vertices that may be unmatched with a dual above zero.
    pub(super) loose: Vec<usize>,
    /// Vertices whose weights are free to change: their duals are found by `solve`.
    pub(super) open: Vec<bool>,
    pub(super) retired: Vec<bool>,
    pub(super) search: Search<N>,
}

/// An odd ring of nodes. The first one holds the base; the second and third are matched, the fourth and fifth, and so on.
#[derive(Debug, Default)]
pub(super) struct Blossom {
    pub(super) children: Vec<usize>,
    /// The edge from each child to the next one round the ring, its end in that child first.
    pub(super) edges: Vec<(usize, usize)>,
    pub(super) vertices: Vec<usize>,
    pub(super) base: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Free,
    Even,
    Odd,
}

/// The data of one search, and the room that the next one uses again.
#[derive(Debug)]
pub(super) struct Search<const N: usize> {
    pub(super) time: Wide<N>,
    /// By vertex: the label of the outermost node around it.
    pub(super) label: Vec<Label>,
    /// Even vertices whose edges were not looked at.
    pub(super) queue: Vec<usize>,
    /// By free vertex: when an edge to an even vertex becomes tight, and that vertex.
    pub(super) reach: Vec<(Wide<N>, usize)>,
    /// By even vertex: when an edge to another even node becomes tight, and its other end. The two may have come together
    /// in a blossom since.
    pub(super) meet: Vec<(Wide<N>, usize)>,
    /// By odd outermost node: the edge by which it was reached, its even end first.
    pub(super) entry: Vec<(usize, usize)>,
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
    /// A graph of `size` vertices without edges.
    #[must_use]
    pub fn new(size: usize) -> Self {
        let nodes = 2 * size;
        Self {
            size,
            active: (0..size).collect(),
            double_weight: vec![Wide::ZERO; size * size],
            mate: vec![NONE; size],
            dual: vec![Wide::ZERO; nodes],
            top: (0..size).collect(),
            blossoms: (0..size).map(|_| Blossom::default()).collect(),
            unused: (size..nodes).rev().collect(),
            loose: (0..size).collect(),
            open: vec![true; size],
            retired: vec![false; size],
            search: Search::new(size),
        }
    }
}
