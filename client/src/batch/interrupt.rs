//! Ctrl-C: the first press finishes the work in progress, the second quits at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use indicatif::ProgressBar;

use crate::engines::{abandon_starts, exit_at_once};
use crate::io::temporary;

/// Whether the user pressed Ctrl-C.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Installs the handler. Its message, which names the work in progress, is printed above the progress bar.
    pub fn listen(bar: ProgressBar, work: &'static str) -> anyhow::Result<Self> {
        temporary::leave_signals();
        let raised = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&raised);
        ctrlc::set_handler(move || {
            abandon_starts();
            if flag.swap(true, Ordering::Relaxed) {
                bar.finish_and_clear();
                exit_at_once();
            }
            bar.suspend(|| {
                eprintln!("finishing the {work} in progress; press Ctrl-C again to quit");
            });
        })
        .context("cannot wait for Ctrl-C")?;
        Ok(Self(raised))
    }

    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
