//! `epode validate`: reports errors and deviations in EPD files, as text, JSON lines or SARIF.

mod located;
mod sarif;

use std::io::{self, IsTerminal, Write};

use annotate_snippets::Renderer;
use annotate_snippets::renderer::DecorStyle;
use anyhow::Context;
use epd::{LineKind, Mode, Reader, Severity, diagnose};

use crate::cli::{Format, Validate};
use crate::exit_status::ExitStatus;
use crate::io::input::{Blocks, reader};
use crate::io::output::StandardOutput;
use crate::io::stream::Stream;
use crate::text::counted;
use located::LocatedDiagnostic;

/// The number of records, and of diagnostics by severity, notes first.
#[derive(Default)]
struct Counts {
    records: usize,
    by_severity: [usize; 3],
}

pub fn run(args: &Validate) -> anyhow::Result<ExitStatus> {
    let reader = reader(args.strict, args.castling);
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut counts = Counts::default();
    let mut first = true;
    let renderer = renderer();
    if args.format == Format::Sarif {
        sarif::begin(&mut out).context(StandardOutput)?;
    }
    for stream in &args.inputs {
        each_diagnostic(stream, reader, args.level.into(), &mut counts, |located| {
            match args.format {
                Format::Text => writeln!(out, "{}", located.text(&renderer)),
                Format::Json => writeln!(out, "{}", located.json()),
                Format::Sarif => sarif::result(&mut out, located, std::mem::take(&mut first)),
            }
            .context(StandardOutput)
        })?;
    }
    if args.format == Format::Sarif {
        sarif::end(&mut out).context(StandardOutput)?;
    }
    out.flush().context(StandardOutput)?;
    let [notes, warnings, errors] = counts.by_severity;
    let records = counted(counts.records, "record", "records");
    let errors = counted(errors, "error", "errors");
    let warnings = counted(warnings, "warning", "warnings");
    eprintln!(
        "{records}: {errors}, {warnings}, {}",
        counted(notes, "note", "notes")
    );
    Ok(match counts.by_severity {
        [0, 0, 0] => ExitStatus::Success,
        [_, _, 0] => ExitStatus::Faulty,
        _ => ExitStatus::Failed,
    })
}

/// Calls `report` for each diagnostic of a file.
fn each_diagnostic(
    stream: &Stream,
    reader: Reader<'_>,
    level: Severity,
    counts: &mut Counts,
    mut report: impl FnMut(&LocatedDiagnostic<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    for block in Blocks::open(stream)? {
        for line in block?.lines() {
            if line.kind() != LineKind::Record && reader.mode() != Mode::Strict {
                continue;
            }
            counts.records += 1;
            for diagnostic in diagnose(&line, &reader) {
                if diagnostic.severity < level {
                    continue;
                }
                counts.by_severity[diagnostic.severity as usize] += 1;
                report(&LocatedDiagnostic {
                    stream,
                    line: &line,
                    diagnostic: &diagnostic,
                })?;
            }
        }
    }
    Ok(())
}

/// A renderer with colours on a terminal.
fn renderer() -> Renderer {
    let renderer = if io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.decor_style(DecorStyle::Ascii)
}
