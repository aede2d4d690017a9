//! The comparison of two files: which solved more, and which was faster.

use std::cmp::Ordering;

use serde::Serialize;

use super::answer::{Answer, Status};
use super::effort::{Measure, Part};
use super::numbers::sign_test;
use super::rows::{Records, Row};

/// The comparison of two files on the records with a target that both have.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// The indices of the files.
    pub files: [usize; 2],
    pub records: usize,
    /// The number of these that have the same id but different positions.
    pub different_positions: usize,
    pub both: usize,
    /// Solved only by the first file, and only by the second.
    pub only: [usize; 2],
    pub neither: usize,
    /// The exact test for paired proportions ([`sign_test`]): the probability that two equally strong
    /// programs differ at least this much.
    pub p: f64,
    /// Which was faster where both solved, for each measure.
    pub sooner: Vec<Sooner>,
}

/// Which file needed less effort to the solution.
#[derive(Debug, Serialize)]
pub struct Sooner {
    pub measure: Measure,
    /// The number of records where the first needed less, and where the second did.
    pub less: [usize; 2],
    pub equal: usize,
    /// The exact two-sided sign test; ties do not count.
    pub p: f64,
}

impl Comparison {
    /// Compares two files.
    pub fn of(records: &Records, files: [usize; 2]) -> Self {
        let mut comparison = Self {
            files,
            records: 0,
            different_positions: 0,
            both: 0,
            only: [0, 0],
            neither: 0,
            p: 1.0,
            sooner: Vec::new(),
        };
        let mut sooner = [Measure::Milliseconds, Measure::Nodes].map(|measure| Sooner {
            measure,
            less: [0, 0],
            equal: 0,
            p: 1.0,
        });
        for (row, answers) in pairs(records, files) {
            comparison.count(row, answers);
            for each in &mut sooner {
                each.count(answers);
            }
        }
        comparison.p = sign_test(comparison.only[0], comparison.only[1]);
        comparison.sooner = sooner.into_iter().filter_map(Sooner::tested).collect();
        comparison
    }

    fn count(&mut self, row: Row<'_>, answers: [&Answer; 2]) {
        self.records += 1;
        self.different_positions += usize::from(row.differs(self.files));
        match answers.map(|answer| answer.status == Status::Solved) {
            [true, true] => self.both += 1,
            [true, false] => self.only[0] += 1,
            [false, true] => self.only[1] += 1,
            [false, false] => self.neither += 1,
        }
    }
}

impl Sooner {
    fn count(&mut self, answers: [&Answer; 2]) {
        let [one, other] = answers.map(|answer| self.measure.of(&answer.effort(Part::Solution)));
        match one.zip(other).map(|(one, other)| one.cmp(&other)) {
            None => {}
            Some(Ordering::Less) => self.less[0] += 1,
            Some(Ordering::Equal) => self.equal += 1,
            Some(Ordering::Greater) => self.less[1] += 1,
        }
    }

    /// Adds the test; none if there are no records.
    fn tested(mut self) -> Option<Self> {
        self.p = sign_test(self.less[0], self.less[1]);
        (self.less != [0, 0] || self.equal > 0).then_some(self)
    }
}

/// The records with a target that both files have.
fn pairs(records: &Records, files: [usize; 2]) -> impl Iterator<Item = (Row<'_>, [&Answer; 2])> {
    records.iter().filter_map(move |row| {
        let [one, other] = files.map(|file| {
            let answer = row.answer(file);
            answer.filter(|answer| answer.status != Status::Untargeted)
        });
        Some((row, [one?, other?]))
    })
}
