//! `epode-train unpack`: expands self-play games into data points.

use anyhow::{Context, bail};
use epode_train::games::Counts;
use epode_train::selection::Selection;

use super::expand::expand;
use crate::cli::Unpack;
use crate::exit_status::ExitStatus;
use crate::output::Output;

pub fn run(args: &Unpack) -> anyhow::Result<ExitStatus> {
    let mut output = args.out.as_deref().map(Output::create).transpose()?;
    let mut status = ExitStatus::Success;
    let selection = Selection {
        td_lambda: args.td_lambda,
        max_score: args.max_score,
        game_share: args.game_share,
    };
    for path in &args.games {
        let name = || path.display().to_string();
        let mut counts = Counts::default();
        let damaged = expand(path, selection, args.threads, |expanded| {
            counts.games += expanded.counts.games;
            counts.positions += expanded.counts.positions;
            match &mut output {
                Some(output) => output.write(&expanded.bytes),
                None => Ok(()),
            }
        })?;
        match damaged {
            None => bail!(
                "{} is not a game file, expected one written by epode-train datagen",
                name()
            ),
            Some(true) => status = ExitStatus::Faulty,
            Some(false) => {}
        }
        let bytes = path.metadata().with_context(name)?.len();
        eprintln!(
            "{}: {} games, {} data points, {:.2} bytes per data point",
            name(),
            counts.games,
            counts.positions,
            bytes as f64 / counts.positions.max(1) as f64
        );
    }
    if let Some(output) = output {
        output.finish()?;
    }
    Ok(status)
}
