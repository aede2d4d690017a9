//! Ctrl-C: the first asks for an end, the second does not ask.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use indicatif::ProgressBar;

use crate::engines::{abandon_starts, exit_at_once};

/// Whether the user wants an end.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. What it says does not run into the progress bar.
    pub fn listen(bar: ProgressBar) -> anyhow::Result<Self> {
        let raised = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&raised);
        ctrlc::set_handler(move || {
            abandon_starts();
            if flag.swap(true, Ordering::Relaxed) {
                bar.finish_and_clear();
                exit_at_once();
            }
            bar.suspend(|| {
                eprintln!("finishing the positions in progress; press Ctrl-C again to quit");
            });
        })
        .context("cannot wait for Ctrl-C")?;
        Ok(Self(raised))
    }

    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
