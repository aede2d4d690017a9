//! The processor time of threads.

use std::time::Duration;

/// The processor time of this thread, if the system provides it.
pub(crate) fn thread_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).ok()
    }
    #[cfg(not(unix))]
    None
}

/// Runs a closure and returns its result and the processor time that this thread spent on it.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Option<Duration>) {
    let before = thread_time();
    let done = work();
    let spent = before.and_then(|before| Some(thread_time()?.saturating_sub(before)));
    (done, spent)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work takes processor time, but no more than elapsed time.
    #[cfg(unix)]
    #[test]
    fn work_takes_processor_time() {
        let started = std::time::Instant::now();
        let (_, spent) =
            timed(|| (0..20_000_000_u64).fold(1, |sum, i| std::hint::black_box(sum ^ i)));
        let spent = spent.expect("Unix provides it");
        assert!(spent > Duration::ZERO && spent <= started.elapsed());
    }
}
