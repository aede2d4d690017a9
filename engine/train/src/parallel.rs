//! Work on several threads, with the results in order.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// The results that may wait for a sink that is slow at times. Then the threads wait.
const WAITING: usize = 256;

/// Calls a function with every item on this many threads, and passes the results to `sink` in the
/// order of the items. Each thread makes its own function, which may keep state. The first error of
/// the sink ends everything.
pub fn map_in_order<T, R, E, F>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    make: impl Fn() -> F + Sync,
    mut sink: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E>
where
    R: Send,
    F: FnMut(T) -> R,
{
    let items = Mutex::new(items.enumerate());
    let (sender, results) = mpsc::sync_channel(WAITING);
    thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            let (items, make) = (&items, &make);
            scope.spawn(move || {
                let mut function = make();
                let next = || {
                    let mut items = items.lock().unwrap_or_else(PoisonError::into_inner);
                    items.next()
                };
                while let Some((number, item)) = next() {
                    if sender.send((number, function(item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut expected = 0;
        for (number, result) in results {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&expected) {
                sink(result)?;
                expected += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        for threads in [1, 2, 7] {
            let mut seen = Vec::new();
            let slow_first = |number: u64| {
                let steps = (500 - number) * 20;
                (0..steps).fold(number * number, |square, _| std::hint::black_box(square))
            };
            let all: Result<(), ()> = map_in_order(
                100..500,
                threads,
                || slow_first,
                |square| {
                    seen.push(square);
                    Ok(())
                },
            );
            assert_eq!(all, Ok(()));
            assert!(
                seen.into_iter()
                    .eq((100..500).map(|number| number * number))
            );
        }
    }

    #[test]
    fn the_first_error_ends_it() {
        let mut seen = 0;
        let sink = |number| {
            seen += 1;
            if number == 10 { Err(number) } else { Ok(()) }
        };
        let ended = map_in_order(0..u64::MAX, 3, || |number: u64| number, sink);
        assert_eq!((ended, seen), (Err(10), 11));
    }
}
