//! Runs the iterations on several threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::{anyhow, bail};

use super::contestant::{Contestant, Start};
use super::journal::Journal;
use super::params::Param;
use super::progress::Progress;
use super::spsa::random_of;
use super::state::State;
use super::trial::{Objective, Trial};
use crate::batch::interrupt::Interrupt;
use crate::engines::UciPlayer;
use crate::text::counted;

/// After so many iterations in a row with a fault, something is wrong with the engine or the settings.
const MOST_FAULTY: u32 = 10;

/// What a run needs.
pub struct Setup<'a> {
    pub start: &'a Start,
    /// An engine that has started already.
    pub first: UciPlayer,
    pub objective: &'a Objective,
    pub seed: u64,
    pub jobs: usize,
}

/// What the threads share.
struct Shared {
    state: State,
    journal: Option<Journal>,
    progress: Progress,
    /// The iterations to play.
    open: Box<dyn Iterator<Item = u64> + Send>,
    faulty_in_a_row: u32,
    error: Option<anyhow::Error>,
}

/// Plays all iterations that are left. After an interruption or an error, those that are finished are in the
/// journal.
pub fn run(setup: Setup<'_>, state: State, journal: Option<Journal>) -> anyhow::Result<State> {
    let progress = Progress::new(&state);
    let interrupt = Interrupt::listen(progress.bar().clone(), "iterations")?;
    let params = state.spsa.params().to_vec();
    let shared = Mutex::new(Shared {
        open: Box::new(state.open_iterations()),
        state,
        journal,
        progress,
        faulty_in_a_row: 0,
        error: None,
    });
    let has_failed = AtomicBool::new(false);
    let first = Mutex::new(Some(setup.first));
    thread::scope(|scope| {
        for _ in 0..setup.jobs {
            scope.spawn(|| {
                let first = first.lock().unwrap_or_else(PoisonError::into_inner).take();
                let worker = Worker {
                    seed: setup.seed,
                    objective: setup.objective,
                    shared: &shared,
                    interrupt: &interrupt,
                    has_failed: &has_failed,
                };
                if let Err(error) = worker.run(setup.start, &params, first) {
                    has_failed.store(true, Ordering::Relaxed);
                    worker.shared().error.get_or_insert(error);
                }
            });
        }
    });
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    shared.progress.finish(&shared.state);
    let (done, all) = (shared.state.finished(), shared.state.spsa.iterations());
    let error = match shared.error {
        // Engines that were starting are given up.
        Some(error) if !interrupt.is_raised() => error,
        _ if done == all => return Ok(shared.state),
        _ => anyhow!("interrupted"),
    };
    let done = counted(done, "iteration", "iterations");
    let Some(journal) = shared.journal else {
        bail!("{error:#}; {done} of {all} were played, and without -o they are lost");
    };
    let path = journal.path().display();
    bail!("{error:#}; {done} of {all} are in {path}, continue with: epode tune --resume {path}")
}

/// One thread of a run, with two engines.
struct Worker<'a> {
    seed: u64,
    objective: &'a Objective,
    shared: &'a Mutex<Shared>,
    interrupt: &'a Interrupt,
    has_failed: &'a AtomicBool,
}

impl Worker<'_> {
    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, start: &Start, params: &[Param], first: Option<UciPlayer>) -> anyhow::Result<()> {
        let mut sides = [
            Contestant::new(start, params, first),
            Contestant::new(start, params, None),
        ];
        let has_failed = || self.has_failed.load(Ordering::Relaxed);
        while !has_failed() && !self.interrupt.is_raised() {
            let (played, mut random) = {
                let mut shared = self.shared();
                let Some(iteration) = shared.open.next() else {
                    break;
                };
                let mut random = random_of(self.seed, iteration);
                (shared.state.spsa.perturb(iteration, &mut random), random)
            };
            for (side, values) in sides.iter_mut().zip(&played.settings) {
                side.take(values);
            }
            let Some(trial) = self.objective.play(&mut sides, &mut random, &has_failed)? else {
                break;
            };
            let mut shared = self.shared();
            shared.count_faults(played.iteration, &trial)?;
            let entry = shared.state.finish(&played, trial);
            if let Some(journal) = &mut shared.journal {
                journal.append(&entry)?;
            }
            let Shared {
                state, progress, ..
            } = &mut *shared;
            progress.show(state);
        }
        Ok(())
    }
}

impl Shared {
    /// Reports the faults of an iteration. If almost every one has some, the run ends.
    fn count_faults(&mut self, iteration: u64, trial: &Trial) -> anyhow::Result<()> {
        for fault in &trial.faults {
            self.progress
                .print(&format!("iteration {iteration}: {fault}"));
        }
        if trial.faults.is_empty() {
            self.faulty_in_a_row = 0;
            return Ok(());
        }
        self.faulty_in_a_row += 1;
        if self.faulty_in_a_row >= MOST_FAULTY {
            bail!("{MOST_FAULTY} iterations in a row had crashes, illegal moves or losses on time");
        }
        Ok(())
    }
}
