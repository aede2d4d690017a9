//! `epode bench`: the node count (signature) and speed of the search.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, bail};
use engine::{Limits, Net, Searcher, Signals};
use epd::Record;
use movegen::Game;

use crate::cli::Bench;
use crate::exit_status::ExitStatus;
use crate::io::output::Output;
use crate::io::stream::Stream;
use crate::text::{rate, seconds};

/// The positions: openings, middlegames and endgames of the suite of Bratko and Kopec.
const POSITIONS: &str = include_str!("../../bench.epd");

/// What a benchmark depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchSettings {
    /// The size of the transposition table in MiB.
    pub hash: u32,
    pub threads: u16,
    /// Plies for each position.
    pub depth: u16,
}

impl Default for BenchSettings {
    fn default() -> Self {
        Self {
            hash: 16,
            threads: 1,
            depth: 12,
        }
    }
}

impl BenchSettings {
    /// Reads the words after `bench`: `[HASH [THREADS [DEPTH]]]`.
    pub fn read(words: &[&str]) -> Result<Self, String> {
        let mut settings = Self::default();
        let [hash, threads, depth] = [0, 1, 2].map(|at| words.get(at).copied());
        if let Some(surplus) = words.get(3) {
            return Err(format!("{surplus:?}: expected [HASH [THREADS [DEPTH]]]"));
        }
        if let Some(word) = hash {
            settings.hash = number("HASH", word, 1 << 20)?;
        }
        if let Some(word) = threads {
            settings.threads = number("THREADS", word, 1024)? as u16;
        }
        if let Some(word) = depth {
            settings.depth = number("DEPTH", word, 64)? as u16;
        }
        Ok(settings)
    }
}

fn number(name: &str, word: &str, most: u32) -> Result<u32, String> {
    let number = word.parse().ok();
    let number = number.filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| format!("{name}: {word:?} is not a number from 1 to {most}"))
}

impl Bench {
    fn settings(&self) -> BenchSettings {
        let usual = BenchSettings::default();
        BenchSettings {
            hash: self.hash_mib.or(self.hash).unwrap_or(usual.hash),
            threads: self.thread_count.or(self.threads).unwrap_or(usual.threads),
            depth: self.plies.or(self.depth).unwrap_or(usual.depth),
        }
    }
}

pub fn run(args: &Bench) -> anyhow::Result<ExitStatus> {
    let mut output = Output::create(&Stream::Standard)?;
    let net = args.net.load()?;
    for line in run_bench(args.settings(), net, &Signals::default())? {
        output.line(&line)?;
    }
    output.finish()?;
    Ok(ExitStatus::Success)
}

/// The result of a benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchResult {
    pub nodes: u64,
    pub time: Duration,
}

impl BenchResult {
    /// Nodes a second.
    pub fn speed(&self) -> f64 {
        rate(self.nodes, self.time)
    }
}

/// Searches the positions, and returns the lines of the result.
pub fn run_bench(
    settings: BenchSettings,
    net: Arc<Net>,
    signals: &Signals,
) -> anyhow::Result<Vec<String>> {
    let result = measure(settings, net, signals)?;
    // OpenBench reads the last line.
    Ok(vec![
        seconds(result.time, 3),
        format!("{} nodes {:.0} nps", result.nodes, result.speed()),
    ])
}

/// Searches the positions.
pub fn measure(
    settings: BenchSettings,
    net: Arc<Net>,
    signals: &Signals,
) -> anyhow::Result<BenchResult> {
    let limits = Limits::depth(settings.depth.into());
    let mut searcher = Searcher::with_hash(settings.hash as usize)?;
    searcher.set_net(net);
    searcher.set_threads(settings.threads.into());
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for line in POSITIONS.lines() {
        let record: Record = line.parse().with_context(|| line.to_owned())?;
        let game = Game::new(record.position()?);
        searcher.clear();
        let outcome = searcher.search(&game, &limits, signals, &mut |_| ());
        nodes += outcome.nodes;
        time += outcome.time;
        if signals.stop.load(Ordering::Relaxed) {
            bail!("stopped");
        }
    }
    Ok(BenchResult { nodes, time })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read() {
        let read = BenchSettings::read;
        assert_eq!(read(&[]), Ok(BenchSettings::default()));
        let settings = read(&["64", "2", "9"]).expect("numbers");
        assert_eq!(
            (settings.hash, settings.threads, settings.depth),
            (64, 2, 9)
        );
        for (words, why) in [
            (&["x"][..], "HASH: \"x\" is not a number from 1 to 1048576"),
            (&["1", "0"], "THREADS: \"0\" is not a number from 1 to 1024"),
            (
                &["1", "1", "65"],
                "DEPTH: \"65\" is not a number from 1 to 64",
            ),
            (
                &["1", "1", "5", "default"],
                "\"default\": expected [HASH [THREADS [DEPTH]]]",
            ),
        ] {
            assert_eq!(read(words), Err(why.to_owned()));
        }
    }
}
