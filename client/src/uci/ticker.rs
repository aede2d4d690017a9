//! Shows that a long search goes on.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use engine::{RootMove, Signals};
use movegen::Move;

/// When the first line comes, as Stockfish shows more of a search after this time.
pub const FIRST: Duration = Duration::from_secs(3);
/// How long it is from one line to the next.
pub const INTERVAL: Duration = Duration::from_secs(1);

/// A thread that prints the nodes, the time, the node rate and the present move of a search now and then, until it is
/// dropped.
pub struct Ticker {
    /// The thread ends when this is dropped.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    /// Starts with the search. `write_move` writes a move of the root, and `print` gets one line at a time.
    pub fn start(
        signals: Arc<Signals>,
        (first, interval): (Duration, Duration),
        write_move: impl Fn(Move) -> String + Send + 'static,
        print: impl Fn(&str) + Send + 'static,
    ) -> Self {
        let started = Instant::now();
        let (end, ended) = channel();
        let thread = thread::spawn(move || {
            let mut wait = first;
            while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                wait = interval;
                let nodes = signals.nodes.load(Relaxed);
                // A mate solver does not count there.
                if nodes > 0 {
                    let time = started.elapsed();
                    let rate = nodes as f64 / time.as_secs_f64();
                    let time = time.as_millis();
                    print(&format!("info nodes {nodes} nps {rate:.0} time {time}"));
                    if let Some(RootMove { mv, number, depth }) = signals.root_move() {
                        let mv = write_move(mv);
                        print(&format!(
                            "info depth {depth} currmove {mv} currmovenumber {number}"
                        ));
                    }
                }
            }
        });
        Self {
            end: Some(end),
            thread: Some(thread),
        }
    }
}

impl Drop for Ticker {
    /// Waits for the thread, so that it prints nothing after this.
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::{Limits, Searcher};
    use movegen::Game;

    use super::*;

    /// The lines have the nodes counted so far and the move of the root, and end with the ticker.
    #[test]
    fn it_prints_until_it_is_dropped() {
        let signals = Arc::new(Signals::default());
        let (tell, told) = channel();
        let print = move |line: &str| tell.send(line.to_owned()).expect("still read");
        let write_move = |mv: Move| format!("<{mv}>");
        let often = Duration::from_millis(1);
        let ticker = Ticker::start(Arc::clone(&signals), (often, often), write_move, print);
        signals.nodes.store(5_000, Relaxed);
        let line = told.recv().expect("a line");
        assert!(line.starts_with("info nodes 5000 nps "), "{line}");
        // A search of one move, which is the only one.
        let root = "8/8/8/8/8/5k2/7p/7K w - - 0 1".parse().expect("legal");
        let (game, limits) = (Game::new(root), Limits::depth(1));
        let mut searcher = Searcher::with_hash(1).expect("small");
        searcher.search(&game, &limits, &signals, &mut |_| ());
        let line = told.iter().find(|line| line.contains("currmove"));
        let line = line.expect("told until then");
        assert_eq!(line, "info depth 1 currmove <h1h2> currmovenumber 1");
        drop(ticker);
        assert_eq!(Arc::strong_count(&signals), 1);
        assert!(told.iter().all(|line| line.starts_with("info ")));
    }
}
