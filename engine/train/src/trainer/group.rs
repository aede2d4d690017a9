//! Groups of consecutive data points.
//!
//! Such positions come from the same game and differ in a few pieces. Both passes take one after the other and
//! change the sums of the hidden layer by these pieces alone, as the search does from move to move.

use arrayvec::ArrayVec;
use movegen::Color;

use super::example::{Example, Label};

/// Data points of a group. They are in one batch.
pub const GROUP: usize = 16;

/// At most [`GROUP`] consecutive data points.
pub struct Group {
    pub labels: ArrayVec<Label, GROUP>,
    /// By colour.
    paths: [Path; 2],
}

/// The inputs of one side of the positions of a group.
#[derive(Default)]
struct Path {
    /// For each position the inputs that its predecessor has and it has not, then the inputs that it has and
    /// its predecessor has not. The first has no predecessor. At the end, all inputs of the last position.
    inputs: Vec<u16>,
    /// For each position the numbers of both, at the end that of the inputs of the last position.
    counts: ArrayVec<[u8; 2], { GROUP + 1 }>,
}

/// How the inputs of a side change at a position.
pub struct Change<'a> {
    pub removed: &'a [u16],
    pub added: &'a [u16],
}

impl Path {
    fn push(&mut self, removed: &[u16], added: &[u16]) {
        self.inputs.extend_from_slice(removed);
        self.inputs.extend_from_slice(added);
        self.counts.push([removed.len() as u8, added.len() as u8]);
    }
}

impl Group {
    pub fn new(examples: &[Example]) -> Self {
        let inputs = |example: Option<&Example>, side| {
            let inputs = example.map(|example| example.inputs(side));
            inputs.unwrap_or_default()
        };
        let mut paths = Color::ALL.map(|side| {
            let mut path = Path::default();
            path.push(&[], &inputs(examples.first(), side));
            path
        });
        for pair in examples.windows(2) {
            let [before, after] = [&pair[0], &pair[1]];
            let removed = before.pieces_but_of(after);
            let added = after.pieces_but_of(before);
            for (side, path) in Color::ALL.into_iter().zip(&mut paths) {
                if before.is_seen_like(after, side) {
                    let [removed, added] =
                        [&removed, &added].map(|pieces| after.inputs_of(side, pieces));
                    path.push(&removed, &added);
                } else {
                    path.push(&before.inputs(side), &after.inputs(side));
                }
            }
        }
        for (side, path) in Color::ALL.into_iter().zip(&mut paths) {
            path.push(&inputs(examples.last(), side), &[]);
        }
        Self {
            labels: examples.iter().map(|example| example.label).collect(),
            paths,
        }
    }

    /// The changes of the inputs of a side at each position, and one at the end that removes all inputs.
    pub fn changes(&self, side: Color) -> impl Iterator<Item = Change<'_>> {
        let path = &self.paths[side as usize];
        let mut rest = path.inputs.as_slice();
        path.counts.iter().map(move |counts| {
            let [removed, added] = counts.map(|count| {
                let (first, others) = rest.split_at(usize::from(count));
                rest = others;
                first
            });
            Change { removed, added }
        })
    }
}
