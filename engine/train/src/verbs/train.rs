//! `epode-train train`: trains a network.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};
use engine::Net;
use epode_train::data_point::DataPoint;
use epode_train::selection::Selection;
use epode_train::trainer::{Trainer, Training};
use indicatif::{ProgressBar, ProgressStyle};

use super::expand::{Expanded, expand};
use crate::cli::{self, Train};
use crate::exit_status::ExitStatus;
use crate::output::Output;

pub fn run(args: &Train) -> anyhow::Result<ExitStatus> {
    let begin = args.begin.as_deref();
    let begin = begin.map(|path| cli::read_net(path, Net::widened));
    let begin = begin.transpose()?;
    let mut bytes = Vec::new();
    for path in &args.data {
        read(path, args.td_lambda, args.threads, &mut bytes)?;
    }
    let (data, _) = bytes.as_chunks();
    let training = Training {
        epochs: args.epochs,
        batch: args.batch,
        rate: args.rate,
        wdl_weight: args.wdl_weight,
        seed: args.seed,
        threads: args.threads,
    };
    let mut trainer = Trainer::new(training, data, begin.as_ref());
    let (training_set, validation_set) = trainer.sizes();
    if training_set == 0 {
        bail!("there are no data points to train on");
    }
    let mut report = io::stdout().lock();
    writeln!(
        report,
        "{training_set} data points in the training set, {validation_set} in the validation set"
    )?;

    let bar = ProgressBar::new((args.epochs.get() * training_set) as u64);
    let style = "{elapsed_precise} {wide_bar} {msg}{eta} left";
    bar.set_style(ProgressStyle::with_template(style)?);
    for epoch in 1..=args.epochs.get() {
        let start = Instant::now();
        let losses = trainer.epoch(&mut |data_points| {
            bar.inc(data_points as u64);
            bar.set_message(format!("{:.0} data points a second, ", bar.per_sec()));
        });
        let rate = training_set as f64 / start.elapsed().as_secs_f64();
        let mut output = Output::create(&args.out)?;
        output.write(&trainer.net().to_bytes())?;
        output.finish()?;
        bar.suspend(|| {
            write!(
                report,
                "epoch {epoch}: training loss {:.6}, ",
                losses.training
            )?;
            if validation_set > 0 {
                write!(report, "validation loss {:.6}, ", losses.validation)?;
            }
            writeln!(report, "{rate:.0} data points a second")
        })?;
    }
    bar.finish_and_clear();
    Ok(ExitStatus::Success)
}

/// Appends the data points of a file.
fn read(
    path: &Path,
    td_lambda: f64,
    threads: NonZeroUsize,
    bytes: &mut Vec<u8>,
) -> anyhow::Result<()> {
    let append = |expanded: Expanded| {
        bytes.extend(expanded.bytes);
        Ok(())
    };
    let selection = Selection {
        td_lambda,
        ..Selection::default()
    };
    if expand(path, selection, threads, append)?.is_some() {
        return Ok(());
    }
    let name = || path.display().to_string();
    if td_lambda > 0.0 {
        bail!(
            "{}: --td-lambda needs game files; give it to unpack for data points",
            name()
        );
    }
    let content = std::fs::read(path).with_context(|| format!("cannot read {}", name()))?;
    if let Err(bad) = Trainer::data_points(&content) {
        bail!(
            "{}: byte {}: not a data point written by epode-train unpack",
            name(),
            bad * DataPoint::SIZE
        );
    }
    bytes.extend(content);
    Ok(())
}
