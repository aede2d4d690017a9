//! `epode validate`: reports errors and deviations in EPD files, as text, JSON lines or SARIF.

mod located;
mod sarif;

use std::fmt::Write as _;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write as _};

use annotate_snippets::Renderer;
use annotate_snippets::renderer::DecorStyle;
use anyhow::Context;
use epd::{LineKind, Mode, Severity, diagnose};

use crate::cli::{Format, Validate};
use crate::exit_status::ExitStatus;
use crate::io::input::{Block, Blocks, reader};
use crate::io::output::StandardOutput;
use crate::io::stream::Stream;
use crate::text::counted;
use located::LocatedDiagnostic;

pub fn run(args: &Validate) -> anyhow::Result<ExitStatus> {
    let mut check = Check {
        args,
        renderer: renderer(),
        out: BufWriter::new(io::stdout().lock()),
        reported: false,
        counts: Counts::default(),
    };
    if args.format == Format::Sarif {
        sarif::begin(&mut check.out).context(StandardOutput)?;
    }
    for stream in &args.inputs {
        check.file(stream)?;
    }
    if args.format == Format::Sarif {
        sarif::end(&mut check.out).context(StandardOutput)?;
    }
    check.out.flush().context(StandardOutput)?;
    eprintln!("{}", check.counts.summary());
    Ok(check.counts.status())
}

/// The check of several files.
struct Check<'a> {
    args: &'a Validate,
    renderer: Renderer,
    out: BufWriter<StdoutLock<'static>>,
    /// Whether there has been a diagnostic.
    reported: bool,
    counts: Counts,
}

impl Check<'_> {
    /// Reports what is wrong with a file. One that cannot be read does not keep the others from being checked.
    fn file(&mut self, stream: &Stream) -> anyhow::Result<()> {
        let blocks = match Blocks::open_records(stream) {
            Ok(blocks) => blocks,
            Err(error) => {
                self.cannot_read(&error);
                return Ok(());
            }
        };
        for block in blocks {
            match block {
                Ok(block) => self.block(stream, &block)?,
                Err(error) => self.cannot_read(&error),
            }
        }
        Ok(())
    }

    fn cannot_read(&mut self, error: &anyhow::Error) {
        eprintln!("epode: {error:#}");
        self.counts.unreadable_files += 1;
    }

    fn block(&mut self, stream: &Stream, block: &Block) -> anyhow::Result<()> {
        let reader = reader(self.args.strict, self.args.castling);
        for line in block.lines() {
            if line.kind() != LineKind::Record && reader.mode() != Mode::Strict {
                continue;
            }
            let mut is_record = true;
            for diagnostic in diagnose(&line, &reader) {
                is_record &= diagnostic.severity != Severity::Error;
                if diagnostic.severity < self.args.level.into() {
                    continue;
                }
                self.counts.by_severity[diagnostic.severity as usize] += 1;
                self.report(&LocatedDiagnostic {
                    stream,
                    line: &line,
                    diagnostic: &diagnostic,
                })
                .context(StandardOutput)?;
            }
            self.counts.records += usize::from(is_record);
            self.counts.unreadable += usize::from(!is_record);
        }
        Ok(())
    }

    fn report(&mut self, located: &LocatedDiagnostic<'_>) -> io::Result<()> {
        let is_first = !std::mem::replace(&mut self.reported, true);
        let out = &mut self.out;
        match self.args.format {
            Format::Text => writeln!(out, "{}", located.text(&self.renderer)),
            Format::Json => writeln!(out, "{}", located.json()),
            Format::Sarif => sarif::result(out, located, is_first),
        }
    }
}

/// What was counted in all files.
#[derive(Default)]
struct Counts {
    records: usize,
    /// Lines that should be records and are not.
    unreadable: usize,
    /// Diagnostics by severity, notes first.
    by_severity: [usize; 3],
    unreadable_files: usize,
}

impl Counts {
    fn summary(&self) -> String {
        let mut text = counted(self.records, "record", "records");
        // Writing to a string cannot fail.
        if self.unreadable > 0 {
            let lines = counted(self.unreadable, "line", "lines");
            let _ = write!(text, ", {lines} not understood");
        }
        if self.unreadable_files > 0 {
            let files = counted(self.unreadable_files, "file", "files");
            let _ = write!(text, ", {files} not read");
        }
        let [notes, warnings, errors] = self.by_severity;
        let errors = counted(errors, "error", "errors");
        let warnings = counted(warnings, "warning", "warnings");
        let notes = counted(notes, "note", "notes");
        format!("{text}: {errors}, {warnings}, {notes}")
    }

    fn status(&self) -> ExitStatus {
        match self.by_severity {
            _ if self.unreadable_files > 0 => ExitStatus::Failed,
            [0, 0, 0] => ExitStatus::Success,
            [_, _, 0] => ExitStatus::Faulty,
            _ => ExitStatus::Failed,
        }
    }
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
