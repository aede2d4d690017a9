//! `epode bench`: the node count (signature) and speed of the search.

use std::time::Duration;

use anyhow::Context;
use engine::{Limits, Searcher, Signals};
use epd::Record;
use movegen::Game;

use crate::cli::Bench;
use crate::exit_status::ExitStatus;
use crate::io::output::Output;
use crate::io::stream::Stream;
use crate::text::{rate, seconds};

/// The positions: openings, middlegames and endgames of the suite of Bratko and Kopec.
const POSITIONS: &str = include_str!("../../bench.epd");

pub fn run(args: &Bench) -> anyhow::Result<ExitStatus> {
    let limits = Limits::depth(args.depth.into());
    let mut searcher = Searcher::with_hash(args.hash as usize)?;
    searcher.set_net(args.net.load()?);
    let mut output = Output::create(&Stream::Standard)?;
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for line in POSITIONS.lines() {
        let record: Record = line.parse().with_context(|| line.to_owned())?;
        let game = Game::new(record.position()?);
        searcher.clear();
        let outcome = searcher.search(&game, &limits, &Signals::default(), &mut |_| ());
        nodes += outcome.nodes;
        time += outcome.time;
    }
    output.line(&seconds(time, 3))?;
    // OpenBench reads this line.
    output.line(&format_args!("{nodes} nodes {:.0} nps", rate(nodes, time)))?;
    output.finish()?;
    Ok(ExitStatus::Success)
}
