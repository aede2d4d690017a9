//! A report as aligned text, for a terminal.

use std::fmt::Write;

use super::outline::{Align, Body, Cell, sections};
use super::summary::Report;
use super::{conclusion, title};
use crate::text::printable;

/// The width of a bar in characters.
const BAR: usize = 20;
/// The maximum line width of lists and text.
const WIDTH: usize = 100;

pub fn render(report: &Report) -> String {
    let mut out = printable(&title::title(report)) + "\n";
    for file in &report.files {
        if let Some(parts) = title::run(file) {
            let line = format!("  {}: {}", file.name, parts.join(", "));
            let _ = writeln!(out, "{}", printable(&line));
        }
    }
    out.push('\n');
    for sentence in conclusion::sentences(report) {
        wrap(&mut out, "", &sentence);
    }
    for section in sections(report) {
        let _ = writeln!(out, "\n{}", printable(&section.title));
        match &section.body {
            Body::Table { head, rows } => {
                let texts = rows.iter().map(|row| row.iter().map(text).collect());
                let names = head.iter().map(|column| printable(&column.name)).collect();
                let texts: Vec<Vec<String>> = std::iter::once(names).chain(texts).collect();
                let aligns: Vec<_> = head.iter().map(|column| column.align).collect();
                table(&mut out, &texts, &aligns);
            }
            Body::List(items) => list(&mut out, items),
        }
        if let Some(note) = &section.note {
            wrap(&mut out, "  ", note);
        }
    }
    out
}

/// Wraps a text.
fn wrap(out: &mut String, indent: &str, text: &str) {
    let mut line = indent.to_owned();
    for word in printable(text).split_whitespace() {
        let is_begun = line.len() > indent.len();
        if is_begun && line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(out, "{line}");
            line.truncate(indent.len());
        }
        if line.len() > indent.len() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(out, "{line}");
}

fn text(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => printable(text),
        Cell::Bar { part, .. } => bar(*part, BAR),
    }
}

/// A bar of block characters, precise to an eighth of a character. A share above zero is always
/// visible.
pub fn bar(part: f64, width: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (part.clamp(0.0, 1.0) * width as f64 * 8.0).round() as usize;
    let eighths = eighths.max(usize::from(part > 0.0));
    format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8])
}

fn table(out: &mut String, rows: &[Vec<String>], aligns: &[Align]) {
    let width = |text: &String| text.chars().count();
    let widths: Vec<_> = (0..aligns.len())
        .map(|i| rows.iter().map(|row| width(&row[i])).max().unwrap_or(0))
        .collect();
    for row in rows {
        let mut line = String::new();
        for ((text, &width), align) in row.iter().zip(&widths).zip(aligns) {
            let _ = match align {
                Align::Left => write!(line, "  {text:<width$}"),
                Align::Right => write!(line, "  {text:>width$}"),
            };
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

fn list(out: &mut String, items: &[String]) {
    let mut line = String::new();
    for (i, item) in items.iter().enumerate() {
        let item = printable(item);
        let comma = if i + 1 < items.len() { "," } else { "" };
        if !line.is_empty() && line.chars().count() + item.chars().count() + 2 > WIDTH {
            let _ = writeln!(out, " {line}");
            line.clear();
        }
        let _ = write!(line, " {item}{comma}");
    }
    let _ = writeln!(out, " {line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars() {
        for (part, expected) in [
            (0.0, ""),
            (0.001, "▏"),
            (0.5, "██"),
            (0.7, "██▊"),
            (1.0, "████"),
            (7.0, "████"),
        ] {
            assert_eq!(bar(part, 4), expected, "{part}");
        }
    }
}
