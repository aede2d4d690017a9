//! A report in GitHub Flavored Markdown.

use std::fmt::Write;

use super::outline::{Align, Body, Cell, sections};
use super::summary::Report;
use super::terminal::bar;
use super::{conclusion, title};
use crate::text::printable;

/// The width of a bar in characters.
const BAR: usize = 12;

pub fn render(report: &Report) -> String {
    let mut out = format!("# {}\n", escape(&title::title(report)));
    let runs = report.files.iter().filter_map(|file| {
        let parts = title::run(file)?.join(", ");
        Some(format!("- {}: {}\n", escape(&file.name), escape(&parts)))
    });
    let runs: String = runs.collect();
    if !runs.is_empty() {
        let _ = write!(out, "\n{runs}");
    }
    let conclusion = conclusion::sentences(report).join(" ");
    let _ = writeln!(out, "\n**{}**", escape(&conclusion));
    for section in sections(report) {
        let _ = writeln!(out, "\n## {}\n", escape(&section.title));
        match &section.body {
            Body::Table { head, rows } => {
                let names = head.iter().map(|column| escape(&column.name));
                line(&mut out, names);
                let rules = head.iter().map(|column| match column.align {
                    Align::Left => "---".to_owned(),
                    Align::Right => "---:".to_owned(),
                });
                line(&mut out, rules);
                for row in rows {
                    line(&mut out, row.iter().map(text));
                }
            }
            Body::List(items) => {
                let items: Vec<_> = items.iter().map(|item| escape(item)).collect();
                let _ = writeln!(out, "{}", items.join(", "));
            }
        }
        if let Some(note) = &section.note {
            let _ = writeln!(out, "\n{}", escape(note));
        }
    }
    out
}

fn line(out: &mut String, cells: impl Iterator<Item = String>) {
    for cell in cells {
        let _ = write!(out, "| {cell} ");
    }
    out.push_str("|\n");
}

fn text(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => escape(text),
        Cell::Bar { part, .. } => bar(*part, BAR),
    }
}

/// Escapes a text so that Markdown shows it unchanged.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in printable(text).chars() {
        if matches!(
            letter,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '|' | '#' | '~'
        ) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_mean_themselves() {
        assert_eq!(escape("a|b *c* <d>"), "a\\|b \\*c\\* \\<d\\>");
        assert_eq!(escape("Qxd8#\n"), "Qxd8\\#\u{FFFD}");
    }
}
