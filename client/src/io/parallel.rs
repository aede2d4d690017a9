//! An ordered parallel map over a stream.

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Applies a function to every item on `jobs` threads and gives the results to `sink` in the order
/// of the items. Each thread makes its own function, which may keep state. The first error of the
/// sink ends everything.
///
/// At most `ahead` items are started but not yet passed to the sink at any time, so that results do
/// not pile up behind a slow item.
pub fn map_in_order<T, R, E, F>(
    items: impl Iterator<Item = T> + Send,
    jobs: usize,
    ahead: usize,
    make: impl Fn() -> F + Sync,
    mut sink: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E>
where
    R: Send,
    F: FnMut(T) -> R,
{
    let items = Mutex::new(items.enumerate());
    let window = Window::new(ahead.max(jobs));
    thread::scope(|scope| {
        // Releases the waiting threads however this function ends: by return, error or panic.
        let _closing = Closing {
            window: &window,
            only_on_panic: false,
        };
        // A small queue: threads wait for the sink.
        let (sender, results) = mpsc::sync_channel(jobs);
        for _ in 0..jobs {
            let sender = sender.clone();
            let (items, window, make) = (&items, &window, &make);
            scope.spawn(move || {
                let _closing = Closing {
                    window,
                    only_on_panic: true,
                };
                let mut function = make();
                loop {
                    // If a thread panicked while it held the source, the others end too.
                    let Ok(mut source) = items.lock() else { break };
                    if !window.begin() {
                        break;
                    }
                    let Some((i, item)) = source.next() else {
                        break;
                    };
                    drop(source);
                    if sender.send((i, function(item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);

        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (i, result) in results {
            waiting.insert(i, result);
            while let Some(result) = waiting.remove(&next) {
                sink(result)?;
                next += 1;
                window.end();
            }
        }
        Ok(())
    })
}

/// A bounded count of items in progress.
struct Window {
    /// None when it is closed.
    free: Mutex<Option<usize>>,
    changed: Condvar,
}

impl Window {
    fn new(size: usize) -> Self {
        Self {
            free: Mutex::new(Some(size)),
            changed: Condvar::new(),
        }
    }

    fn free(&self) -> MutexGuard<'_, Option<usize>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a free slot and takes it; false if the window is closed.
    fn begin(&self) -> bool {
        let mut free = self.free();
        loop {
            match *free {
                None => return false,
                Some(0) => {}
                Some(left) => {
                    *free = Some(left - 1);
                    return true;
                }
            }
            free = self
                .changed
                .wait(free)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Frees a slot.
    fn end(&self) {
        let mut free = self.free();
        *free = free.map(|left| left + 1);
        self.changed.notify_one();
    }

    fn close(&self) {
        *self.free() = None;
        self.changed.notify_all();
    }
}

/// Closes a window when dropped; in a thread only if it panics, because its item will never arrive.
struct Closing<'w> {
    window: &'w Window,
    only_on_panic: bool,
}

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        if !self.only_on_panic || thread::panicking() {
            self.window.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for jobs in [1, 2, 7] {
            let mut seen = Vec::new();
            let all: Result<(), ()> = map_in_order(
                0..1000,
                jobs,
                10,
                || {
                    |n: u64| {
                        // Low numbers take longer, so that results arrive out of order.
                        (0..(1000 - n) * 20).fold(n, |sum, i| std::hint::black_box(sum ^ i));
                        n * n
                    }
                },
                |square| {
                    seen.push(square);
                    Ok(())
                },
            );
            assert_eq!(all, Ok(()));
            assert!(seen.into_iter().eq((0..1000).map(|n| n * n)));
        }
    }

    #[test]
    fn the_first_error_ends_it() {
        let mut seen = 0;
        let ended = map_in_order(
            0..,
            3,
            4,
            || |n: u64| n,
            |n| {
                seen += 1;
                if n == 10 { Err(n) } else { Ok(()) }
            },
        );
        assert_eq!((ended, seen), (Err(10), 11));
    }

    /// A slow item holds up those far behind it.
    #[test]
    fn no_more_items_are_begun_than_the_bound() {
        const AHEAD: usize = 5;
        let (started, ended, sunk) = (
            AtomicUsize::new(0),
            AtomicUsize::new(0),
            AtomicUsize::new(0),
        );
        let items = (0..100).inspect(|_| {
            let under_way = started.fetch_add(1, SeqCst) + 1 - sunk.load(SeqCst);
            assert!(under_way <= AHEAD, "{under_way}");
        });
        let all: Result<(), ()> = map_in_order(
            items,
            3,
            AHEAD,
            || {
                |n: usize| {
                    // The first item waits until all items within the window have overtaken it.
                    while n == 0 && ended.load(SeqCst) < AHEAD - 1 {
                        thread::yield_now();
                    }
                    for _ in 0..if n == 0 { 1000 } else { 0 } {
                        thread::yield_now();
                    }
                    ended.fetch_add(1, SeqCst);
                }
            },
            |()| {
                sunk.fetch_add(1, SeqCst);
                Ok(())
            },
        );
        assert_eq!((all, sunk.into_inner()), (Ok(()), 100));
    }

    /// If a thread panics, the others do not wait for its result.
    #[test]
    fn a_panic_ends_it() {
        let panicked = std::panic::catch_unwind(|| {
            map_in_order(
                0..,
                2,
                4,
                || |n: u64| assert_ne!(n, 3, "this one panics"),
                |()| Ok::<(), ()>(()),
            )
        });
        assert!(panicked.is_err());
    }
}
