//! A map over a stream on several threads that keeps the order.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc;
use std::thread;

/// Applies a function to every item on `jobs` threads and gives the results to `sink` in the order
/// of the items. Each thread makes its own function, which may keep state. The first error of the
/// sink ends everything.
pub fn map_in_order<T, R, E, F>(
    items: impl Iterator<Item = T> + Send,
    jobs: usize,
    make: impl Fn() -> F + Sync,
    mut sink: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E>
where
    R: Send,
    F: FnMut(T) -> R,
{
    let items = Mutex::new(items.enumerate());
    thread::scope(|scope| {
        // Little room: results wait for the sink, not the other way round.
        let (sender, results) = mpsc::sync_channel(jobs);
        for _ in 0..jobs {
            let sender = sender.clone();
            let (items, make) = (&items, &make);
            scope.spawn(move || {
                let mut function = make();
                loop {
                    // A thread that panicked while it held the source ends the others too.
                    let Some((i, item)) = items.lock().ok().and_then(|mut items| items.next())
                    else {
                        break;
                    };
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
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for jobs in [1, 2, 7] {
            let mut seen = Vec::new();
            let all: Result<(), ()> = map_in_order(
                0..1000,
                jobs,
                || {
                    |n: u64| {
                        // The lower the slower, so that results do come out of order.
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
            || |n: u64| n,
            |n| {
                seen += 1;
                if n == 10 { Err(n) } else { Ok(()) }
            },
        );
        assert_eq!((ended, seen), (Err(10), 11));
    }
}
