//! `epode unpack`: expands self-play games into training positions.

use std::io::{self, Write};

use anyhow::{Context, bail};

use crate::cli::Unpack;
use crate::exit_status::ExitStatus;
use crate::games::{Blocks, Counts};
use crate::io::output::Output;

pub fn run(args: &Unpack) -> anyhow::Result<ExitStatus> {
    let mut output = args.out.as_ref().map(Output::create).transpose()?;
    let mut damaged = 0;
    for path in &args.games {
        let name = || path.display().to_string();
        let Some(mut blocks) = Blocks::open(path)? else {
            bail!(
                "{} is not a game file, expected one written by epode datagen",
                name()
            );
        };
        let mut counts = Counts::default();
        for block in &mut blocks {
            for game in block? {
                let samples = game.data_points().with_context(name)?;
                counts.games += 1;
                counts.positions += samples.len() as u64;
                if let Some(output) = &mut output {
                    for sample in samples {
                        output.write(&sample.to_bytes())?;
                    }
                }
            }
        }
        damaged += blocks.damaged();
        let bytes = path.metadata().with_context(name)?.len();
        writeln!(
            io::stderr(),
            "{}: {} games, {} positions, {:.2} bytes a position",
            name(),
            counts.games,
            counts.positions,
            bytes as f64 / counts.positions.max(1) as f64
        )?;
    }
    if let Some(output) = output {
        output.finish()?;
    }
    Ok(if damaged > 0 {
        ExitStatus::Faulty
    } else {
        ExitStatus::Success
    })
}
