//! The state of a run: what its journal adds up to.

use std::collections::BTreeSet;

use anyhow::anyhow;

use super::effects::Effects;
use super::journal::{Contents, Entry, Head};
use super::params::{Param, read_file};
use super::spsa::{Perturbation, Spsa};
use super::trial::Trial;

/// A run with its finished iterations.
pub struct State {
    pub head: Head,
    pub spsa: Spsa,
    /// The values at the start and after each iteration, for the chart.
    pub course: Vec<Vec<f64>>,
    /// Wins, draws and losses of the first setting.
    pub games: [u64; 3],
    /// The positions that the two sides solved.
    pub solved: [u64; 2],
    pub faults: u64,
    pub effects: Effects,
    done: BTreeSet<u64>,
}

impl State {
    /// A run that has not begun.
    pub fn new(head: Head) -> anyhow::Result<Self> {
        let params = read_file(&head.params.join("\n"))
            .map_err(|error| anyhow!("the parameters of the journal: {error}"))?;
        let spsa = Spsa::new(params, head.iterations);
        Ok(Self {
            course: vec![spsa.values().to_vec()],
            effects: Effects::new(spsa.params().len()),
            spsa,
            head,
            games: [0; 3],
            solved: [0; 2],
            faults: 0,
            done: BTreeSet::new(),
        })
    }

    /// The state that a journal has.
    pub fn of(contents: &Contents) -> anyhow::Result<Self> {
        let mut state = Self::new(contents.head.clone())?;
        for entry in &contents.entries {
            state.add(entry);
        }
        Ok(state)
    }

    /// Adds a finished iteration.
    fn add(&mut self, entry: &Entry) {
        let Entry {
            iteration, result, ..
        } = *entry;
        self.spsa.learn(iteration, &entry.is_up(), result);
        self.course.push(self.spsa.values().to_vec());
        self.done.insert(iteration);
        for (sum, count) in self.games.iter_mut().zip(entry.wdl) {
            *sum += u64::from(count);
        }
        for (sum, count) in self.solved.iter_mut().zip(entry.solved.unwrap_or_default()) {
            *sum += u64::from(count);
        }
        self.faults += entry.faults.len() as u64;
        let steps: Vec<f64> = (self.spsa.params().iter())
            .zip(entry.plus.iter().zip(&entry.minus))
            .map(|(param, (plus, minus))| (value(plus) - value(minus)) / param.c_end)
            .collect();
        self.effects.add(&steps, result);
    }

    /// Learns from an iteration; returns its line of the journal.
    pub fn finish(&mut self, played: &Perturbation, trial: Trial) -> Entry {
        let signs = played
            .is_up
            .iter()
            .map(|&is_up| if is_up { '+' } else { '-' });
        let params = self.spsa.params();
        let texts = |values: &[f64]| -> Vec<String> {
            let values = params.iter().zip(values);
            values.map(|(param, &value)| param.text(value)).collect()
        };
        let mut entry = Entry {
            iteration: played.iteration,
            signs: signs.collect(),
            plus: texts(&played.settings[0]),
            minus: texts(&played.settings[1]),
            result: trial.result,
            wdl: trial.games,
            solved: trial.solved,
            values: Vec::new(),
            games: trial.played,
            faults: trial.faults,
        };
        self.add(&entry);
        entry.values = self
            .spsa
            .values()
            .iter()
            .map(|&value| super::params::number(value))
            .collect();
        entry
    }

    /// The numbers of the iterations that are left to do.
    pub fn open_iterations(&self) -> impl Iterator<Item = u64> + use<> {
        let done = self.done.clone();
        (1..=self.spsa.iterations()).filter(move |iteration| !done.contains(iteration))
    }

    /// The number of finished iterations.
    pub fn finished(&self) -> u64 {
        self.done.len() as u64
    }

    /// The parameters with the current values as start values.
    pub fn params_now(&self) -> Vec<Param> {
        let params = self.spsa.params().iter().zip(self.spsa.values());
        params.map(|(param, &value)| param.at(value)).collect()
    }

    /// Wins, draws and losses, or positions solved, in words.
    pub fn score(&self) -> String {
        let [wins, draws, losses] = self.games;
        match self.solved {
            [0, 0] => format!("+{wins} ={draws} -{losses}"),
            [plus, minus] => format!("solved {plus} : {minus}"),
        }
    }
}

/// A value of the journal.
fn value(text: &str) -> f64 {
    // Without a number, the effects are unknown.
    text.parse().unwrap_or(f64::NAN)
}
