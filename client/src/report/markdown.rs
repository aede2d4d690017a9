//! A report in Markdown, as GitHub and its kin read it.

use std::fmt::Write;

use super::outline::{Align, Cell, Section, sections};
use super::summary::Report;
use super::terminal::bar;
use super::words::printable;

/// The width of a bar, in letters.
const BAR: usize = 12;

pub fn render(report: &Report) -> String {
    let mut out = "# Report\n".to_owned();
    for section in sections(report) {
        match section {
            Section::Table { title, head, rows } => {
                let _ = writeln!(out, "\n## {}\n", escape(&title));
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
            Section::List { title, items } => {
                let _ = writeln!(out, "\n## {} ({})\n", escape(&title), items.len());
                let items: Vec<_> = items.iter().map(|item| escape(item)).collect();
                let _ = writeln!(out, "{}", items.join(", "));
            }
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

/// A text that means itself.
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
