//! `epode train`: trains a network on stored positions.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};
use engine::{DataPoint, Trainer, Training};
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::Train;
use crate::exit_status::ExitStatus;
use crate::games::Blocks;
use crate::io::output::Output;
use crate::io::stream::Stream;

pub fn run(args: &Train) -> anyhow::Result<ExitStatus> {
    let begin = args.load()?;
    let mut bytes = Vec::new();
    for path in &args.data {
        read(path, &mut bytes)?;
    }
    let (samples, _) = bytes.as_chunks();
    let training = Training {
        epochs: args.epochs,
        batch: args.batch,
        rate: args.rate,
        wdl_weight: args.blend,
        seed: args.seed,
        threads: args.threads,
    };
    let mut trainer = Trainer::new(training, samples, begin.as_ref());
    let (learnt, apart) = trainer.sizes();
    if learnt == 0 {
        bail!("there are no positions to learn from");
    }
    let mut report = io::stdout().lock();
    writeln!(
        report,
        "{learnt} training positions, {apart} validation positions"
    )?;

    let bar = ProgressBar::new((args.epochs.get() * learnt) as u64);
    let style = "{elapsed_precise} {wide_bar} {msg}{eta} left";
    bar.set_style(ProgressStyle::with_template(style)?);
    for epoch in 1..=args.epochs.get() {
        let begun = Instant::now();
        let losses = trainer.epoch(&mut |positions| {
            bar.inc(positions as u64);
            bar.set_message(format!("{:.0} positions a second, ", bar.per_sec()));
        });
        let rate = learnt as f64 / begun.elapsed().as_secs_f64();
        let mut out = Output::create(&Stream::File(args.out.clone()))?;
        out.write(&trainer.net().to_bytes())?;
        out.finish()?;
        bar.suspend(|| {
            writeln!(
                report,
                "epoch {epoch}: loss {:.6} in training, {:.6} in validation; {rate:.0} \
                 positions a second",
                losses.learnt, losses.validation
            )
        })?;
    }
    bar.finish_and_clear();
    Ok(ExitStatus::Success)
}

/// Adds the positions of a file to those of others.
fn read(path: &Path, bytes: &mut Vec<u8>) -> anyhow::Result<()> {
    let name = || path.display().to_string();
    if let Some(blocks) = Blocks::open(path)? {
        for block in blocks {
            for game in block? {
                let samples = game.data_points().with_context(name)?;
                bytes.extend(samples.iter().flat_map(DataPoint::to_bytes));
            }
        }
        return Ok(());
    }
    let begin = bytes.len();
    let mut file = File::open(path).with_context(name)?;
    file.read_to_end(bytes).with_context(name)?;
    match Trainer::samples(&bytes[begin..]) {
        Ok(_) => Ok(()),
        Err(bad) => bail!(
            "{}: byte {}: not a position stored by datagen",
            path.display(),
            bad * DataPoint::SIZE
        ),
    }
}
