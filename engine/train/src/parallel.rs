//! Numbered work on several threads, with the results in order.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

/// Calls a function with every number on this many threads, and passes the results to `sink` in the
/// order of the numbers. Each thread makes its own function, which may keep state. The first error of
/// the sink ends everything.
pub fn map_in_order<R, E, F>(
    numbers: Range<u64>,
    threads: usize,
    make: impl Fn() -> F + Sync,
    mut sink: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E>
where
    R: Send,
    F: FnMut(u64) -> R,
{
    let next = AtomicU64::new(numbers.start);
    let ended = AtomicBool::new(false);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            let (next, ended, make) = (&next, &ended, &make);
            scope.spawn(move || {
                let mut function = make();
                while !ended.load(Relaxed) {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= numbers.end || sender.send((number, function(number))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut expected = numbers.start;
        for (number, result) in results {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&expected) {
                sink(result).inspect_err(|_| ended.store(true, Relaxed))?;
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
