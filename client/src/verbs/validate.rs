//! `epode validate`: reports errors and deviations in EPD files, as text, JSON lines or SARIF.

mod sarif;

use std::io::{self, IsTerminal, Write};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use anyhow::Context;
use epd::{Diagnostic, Line, LineKind, Mode, Reader, Severity, diagnose};
use serde_json::{Value, json};

use crate::cli::{Format, Stream, Validate};
use crate::exit_status::ExitStatus;
use crate::io::input::{Blocks, reader};
use crate::io::output::StandardOutput;
use crate::text::counted;

/// A diagnostic with its place in a file.
struct LocatedDiagnostic<'a> {
    stream: &'a Stream,
    line: &'a Line<'a>,
    diagnostic: &'a Diagnostic,
}

/// How many diagnostics of each severity, the notes first.
#[derive(Default)]
struct Counts {
    records: usize,
    by_severity: [usize; 3],
}

pub fn run(args: &Validate) -> anyhow::Result<ExitStatus> {
    let reader = reader(args.strict);
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

/// Goes through the records of a file.
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

/// Draws in colour on a terminal.
fn renderer() -> Renderer {
    let renderer = if io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.decor_style(DecorStyle::Ascii)
}

impl LocatedDiagnostic<'_> {
    /// Where it begins and where it ends: line and column each.
    fn places(&self) -> [(usize, usize); 2] {
        let span = self.diagnostic.span;
        [span.start, span.end].map(|offset| self.line.place(offset))
    }

    /// `file:line:column: severity[name]: message`, and the line with the place marked.
    fn text(&self, renderer: &Renderer) -> String {
        let [(line, column), _] = self.places();
        let span = self.diagnostic.span;
        let annotation = AnnotationKind::Primary.span(span.start..span.end);
        let annotation = match self.diagnostic.replacement.as_deref() {
            None => annotation,
            Some(taken) if taken.trim().is_empty() => annotation.label("left out"),
            Some(taken) => annotation.label(format!("taken as {taken}")),
        };
        let snippet = Snippet::source(&*self.line.text)
            .line_start(self.line.number)
            .annotation(annotation);
        let level = match self.diagnostic.severity {
            Severity::Note => Level::NOTE,
            Severity::Warning => Level::WARNING,
            Severity::Error => Level::ERROR,
        };
        let drawn = renderer.render(&[Group::with_level(level).element(snippet)]);
        format!(
            "{}:{line}:{column}: {}\n{drawn}",
            self.stream, self.diagnostic
        )
    }

    fn json(&self) -> Value {
        let [(line, column), (end_line, end_column)] = self.places();
        json!({
            "file": self.stream.to_string(),
            "line": line,
            "column": column,
            "endLine": end_line,
            "endColumn": end_column,
            "severity": self.diagnostic.severity.to_string(),
            "name": self.diagnostic.name,
            "message": self.diagnostic.message,
            "found": self.diagnostic.span.of(&self.line.text),
            "taken": self.diagnostic.replacement.as_deref(),
        })
    }
}
