//! Two files side by side: who solved what, and who was sooner.

use std::cmp::Ordering;

use serde::Serialize;

use super::answer::{Answer, Status};
use super::effort::Measure;
use super::numbers::sign_test;
use super::rows::Row;

/// Two files, on the records with something to find that both have.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// Which of the files.
    pub files: [usize; 2],
    pub records: usize,
    /// Among these, those that have one id and two positions.
    pub different_positions: usize,
    pub both: usize,
    /// Solved by the first alone, and by the second alone.
    pub only: [usize; 2],
    pub neither: usize,
    /// The exact test for paired proportions ([`sign_test`]): how probable it is that two programs
    /// that solve each position as likely differ in so many or more.
    pub p: f64,
    /// Who was sooner where both solved.
    pub sooner: Vec<Sooner>,
}

/// Who needed less to the solution.
#[derive(Debug, Serialize)]
pub struct Sooner {
    pub measure: Measure,
    /// The records where the first needed less, and the second.
    pub less: [usize; 2],
    pub equal: usize,
    /// The exact sign test, two-sided; those that are equal do not count.
    pub p: f64,
}

impl Comparison {
    /// Compares two files.
    pub fn of(rows: &[Row], files: [usize; 2]) -> Self {
        let pairs: Vec<_> = rows
            .iter()
            .filter_map(|row| {
                let [one, other] = files.map(|file| {
                    let answer = row.answers[file].as_ref();
                    answer.filter(|answer| answer.status != Status::Untargeted)
                });
                Some((row, [one?, other?]))
            })
            .collect();
        let solved = |answer: &Answer| answer.status == Status::Solved;
        let among = |test: [bool; 2]| {
            let pairs = pairs.iter();
            pairs
                .filter(|(_, answers)| answers.map(solved) == test)
                .count()
        };
        let only = [among([true, false]), among([false, true])];
        let sooner = |measure: Measure| {
            let (mut less, mut equal) = ([0, 0], 0);
            for (_, answers) in &pairs {
                let [one, other] = answers.map(|answer| measure.of(&answer.solution));
                match one.zip(other).map(|(one, other)| one.cmp(&other)) {
                    None => {}
                    Some(Ordering::Less) => less[0] += 1,
                    Some(Ordering::Equal) => equal += 1,
                    Some(Ordering::Greater) => less[1] += 1,
                }
            }
            (less != [0, 0] || equal > 0).then(|| Sooner {
                measure,
                less,
                equal,
                p: sign_test(less[0], less[1]),
            })
        };
        Self {
            files,
            records: pairs.len(),
            different_positions: pairs.iter().filter(|(row, _)| row.differs(files)).count(),
            both: among([true, true]),
            only,
            neither: among([false, false]),
            p: sign_test(only[0], only[1]),
            sooner: [Measure::Milliseconds, Measure::Nodes]
                .into_iter()
                .filter_map(sooner)
                .collect(),
        }
    }
}
