//! The state that requests and the hub share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::state::State;

/// What requests and the hub share.
#[derive(Clone, Debug)]
pub struct Shared {
    state: Arc<Mutex<State>>,
    /// The number of the last event, to wait for the next one.
    pub news: watch::Receiver<u64>,
}

impl Shared {
    /// A state, and how to learn of changes.
    #[must_use]
    pub fn new(state: State, news: watch::Receiver<u64>) -> Self {
        Self {
            state: Arc::new(Mutex::new(state)),
            news,
        }
    }

    /// The state, for as long as an answer takes.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
