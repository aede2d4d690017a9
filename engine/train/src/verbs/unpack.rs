//! `epode-train unpack`: expands self-play games into data points.

use anyhow::{Context, bail};
use epode_train::games::{Blocks, Counts};

use super::report_damage;
use crate::cli::Unpack;
use crate::exit_status::ExitStatus;
use crate::output::Output;

pub fn run(args: &Unpack) -> anyhow::Result<ExitStatus> {
    let mut output = args.out.as_deref().map(Output::create).transpose()?;
    let mut status = ExitStatus::Success;
    for path in &args.games {
        let name = || path.display().to_string();
        let Some(mut blocks) = Blocks::open(path)? else {
            bail!(
                "{} is not a game file, expected one written by epode-train datagen",
                name()
            );
        };
        let mut counts = Counts::default();
        for block in &mut blocks {
            for game in block? {
                let data_points = game.data_points().with_context(name)?;
                counts.games += 1;
                counts.positions += data_points.len() as u64;
                if let Some(output) = &mut output {
                    for data_point in data_points {
                        output.write(&data_point.to_bytes())?;
                    }
                }
            }
        }
        if report_damage(path, &blocks) {
            status = ExitStatus::Faulty;
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
