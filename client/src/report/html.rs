//! A report as one page that needs nothing else: tables, charts, boards, a style sheet and a few
//! lines of script. It is well-formed as XML, too.

use std::fmt::Write;

use super::answer::{Answer, Status};
use super::board::{self, Arrow};
use super::effort::{Measure, Part};
use super::outline::{self, Align, Cell, Section};
use super::rows::Row;
use super::summary::Report;
use super::svg;
use super::words::{NOTHING, capital, printable};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Draws the page, with so many boards at most.
pub fn render(report: &Report, boards: usize) -> String {
    let names: Vec<_> = report.files.iter().map(|file| file.name.as_str()).collect();
    let title = format!("Report on {}", names.join(", "));
    let mut page = Page(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n<title>{}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>Report</h1>\n",
        escape(&title)
    ));
    if names.len() > 1 {
        page.legend(&names);
    }
    page.section(&outline::headline(report));
    page.section(&outline::totals(report));
    if let Some(themes) = outline::themes(report) {
        page.section(&themes);
    }
    for section in outline::comparisons(report) {
        page.section(&section);
    }
    page.charts(report, &names);
    if let Some(spreads) = outline::spreads(report) {
        page.section(&spreads);
    }
    page.boards(report, boards);
    page.records(report);
    let _ = write!(
        page.0,
        "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    );
    page.0
}

/// A text that means itself, in elements and in attributes.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in printable(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// A page that is being written; a string takes everything, so that nothing can fail.
struct Page(String);

impl Page {
    fn title(&mut self, title: &str) {
        let _ = writeln!(self.0, "<h2>{}</h2>", escape(title));
    }

    /// Which colour is which file.
    fn legend(&mut self, names: &[&str]) {
        self.0.push_str("<p class=\"legend\">");
        for (file, name) in names.iter().enumerate() {
            let class = svg::colour(file);
            let name = escape(name);
            let _ = write!(self.0, "<span><i class=\"{class}\"></i>{name}</span>");
        }
        self.0.push_str("</p>\n");
    }

    fn section(&mut self, section: &Section) {
        match section {
            Section::Table { title, head, rows } => {
                self.title(title);
                self.0
                    .push_str("<div class=\"scroll\"><table>\n<thead><tr>");
                for column in head {
                    let class = class(column.align);
                    let _ = write!(self.0, "<th{class}>{}</th>", escape(&column.name));
                }
                self.0.push_str("</tr></thead>\n<tbody>\n");
                for row in rows {
                    self.row(row, head.iter().map(|column| column.align));
                }
                self.0.push_str("</tbody>\n</table></div>\n");
            }
            Section::List { title, items } => {
                let count = items.len();
                let _ = writeln!(
                    self.0,
                    "<details><summary>{} ({count})</summary><p>{}</p></details>",
                    escape(title),
                    escape(&items.join(", "))
                );
            }
        }
    }

    fn row(&mut self, row: &[Cell], aligns: impl Iterator<Item = Align>) {
        self.0.push_str("<tr>");
        for (cell, align) in row.iter().zip(aligns) {
            let class = class(align);
            let text = match cell {
                Cell::Text(text) => escape(text),
                Cell::Bar { part, file } => svg::share(*part, *file),
            };
            let _ = write!(self.0, "<td{class}>{text}</td>");
        }
        self.0.push_str("</tr>\n");
    }

    fn charts(&mut self, report: &Report, names: &[&str]) {
        let curves = report.curves.iter().map(|curve| {
            let title = format!(
                "Positions solved, by {} spent on each",
                curve.measure.word()
            );
            (title, svg::curve(curve, names))
        });
        let histograms = outline::charted(report).map(|distribution| {
            let title = format!("Positions by {}", distribution.title());
            (title, svg::histogram(distribution, names))
        });
        let charts: Vec<_> = curves.chain(histograms).collect();
        if charts.is_empty() {
            return;
        }
        self.title("Charts");
        self.0.push_str("<div class=\"charts\">\n");
        for (title, chart) in charts {
            let title = escape(&title);
            let _ = writeln!(
                self.0,
                "<figure><figcaption>{title}</figcaption>{chart}</figure>"
            );
        }
        self.0.push_str("</div>\n");
    }

    /// The positions that one file or more missed.
    fn boards(&mut self, report: &Report, most: usize) {
        let rows: Vec<_> = report
            .records
            .iter()
            .filter(|row| row.is_missed())
            .collect();
        if rows.is_empty() || most == 0 {
            return;
        }
        let (count, shown) = (rows.len(), rows.len().min(most));
        self.title(&if shown < count {
            format!("Missed positions ({shown} of {count})")
        } else {
            format!("Missed positions ({count})")
        });
        self.0.push_str(&board::shapes());
        self.0.push_str("<div class=\"boards\">\n");
        for row in &rows[..shown] {
            self.board(report, row);
        }
        self.0.push_str("</div>\n");
    }

    fn board(&mut self, report: &Report, row: &Row) {
        let mut arrows: Vec<_> = row.best_moves.iter().map(|&mv| (mv, Arrow::Best)).collect();
        for answer in row.answers.iter().flatten() {
            if let Some(mv) = answer.mv.filter(|_| answer.status == Status::Missed)
                && !arrows.contains(&(mv, Arrow::Wrong))
            {
                arrows.push((mv, Arrow::Wrong));
            }
        }
        // A position that was taken over from elsewhere under the same id may not know the move.
        arrows.retain(|(mv, _)| row.position.is_legal(*mv));
        let turn = capital(&row.position.turn().to_string());
        let board = board::board(&row.position, &arrows, &row.fields);
        let label = row.id.as_deref().unwrap_or("no id");
        let _ = write!(
            self.0,
            "<figure>{board}<figcaption><b>{}</b> {turn} to move: {}<ul>",
            escape(label),
            escape(&row.wanted())
        );
        let several = report.files.len() > 1;
        for (answer, file) in row.answers.iter().zip(&report.files) {
            let Some(answer) = answer else {
                continue;
            };
            let name = if several { &file.name[..] } else { "chosen" };
            let (class, text) = verdict(Some(answer));
            let _ = write!(
                self.0,
                "<li>{}: <span class=\"{class}\">{text}</span></li>",
                escape(name)
            );
        }
        self.0.push_str("</ul></figcaption></figure>\n");
    }

    /// Every record, in a table that is sorted by the heading that is clicked.
    fn records(&mut self, report: &Report) {
        let has_themes = report.themes.len() > 1;
        let solutions = report.distributions.iter();
        let solutions = solutions.filter(|distribution| distribution.part == Part::Solution);
        let measures: Vec<_> = solutions.map(|distribution| distribution.measure).collect();
        self.title("Records");
        let hint = "A click on a heading sorts. Nodes, time and depth are those to the solution.";
        let _ = writeln!(self.0, "<p class=\"hint\">{hint}</p>");
        self.0
            .push_str("<div class=\"scroll\"><table class=\"sorts\">\n<thead><tr>");
        let mut head = |name: &str, align| {
            let class = class(align);
            let name = escape(name);
            let _ = write!(
                self.0,
                "<th{class}><button type=\"button\">{name}</button></th>"
            );
        };
        head("id", Align::Left);
        if has_themes {
            head("theme", Align::Left);
        }
        head("wanted", Align::Left);
        for file in &report.files {
            head(&file.name, Align::Left);
            for measure in &measures {
                head(measure.word(), Align::Right);
            }
        }
        self.0.push_str("</tr></thead>\n<tbody>\n");
        for row in &report.records {
            self.record(row, has_themes, &measures);
        }
        self.0.push_str("</tbody>\n</table></div>\n");
    }

    fn record(&mut self, row: &Row, has_themes: bool, measures: &[Measure]) {
        let theme = has_themes.then(|| row.theme.as_deref().unwrap_or(NOTHING));
        let wanted = row.wanted();
        self.0.push_str("<tr>");
        for word in [Some(row.label()), theme, Some(&wanted)]
            .into_iter()
            .flatten()
        {
            let _ = write!(self.0, "<td>{}</td>", escape(word));
        }
        for answer in &row.answers {
            let (class, text) = verdict(answer.as_ref());
            // Last what is not there.
            let order = answer
                .as_ref()
                .map_or(Status::Untargeted as usize + 1, |answer| {
                    answer.status as usize
                });
            let _ = write!(
                self.0,
                "<td class=\"{class}\" data-v=\"{order}\">{text}</td>"
            );
            for measure in measures {
                let number = answer
                    .as_ref()
                    .and_then(|answer| measure.of(&answer.solution));
                let _ = match number {
                    None => write!(self.0, "<td class=\"number\"></td>"),
                    Some(number) => write!(
                        self.0,
                        "<td class=\"number\" data-v=\"{number}\">{}</td>",
                        measure.text(number as f64)
                    ),
                };
            }
        }
        self.0.push_str("</tr>\n");
    }
}

fn class(align: Align) -> &'static str {
    match align {
        Align::Left => "",
        Align::Right => " class=\"number\"",
    }
}

/// What became of a position: the class of the words, and the words.
fn verdict(answer: Option<&Answer>) -> (&'static str, String) {
    let Some(answer) = answer else {
        return ("absent", "not there".to_owned());
    };
    let choice = answer.choice.map(|san| escape(&san.to_string()));
    let choice = choice.unwrap_or_default();
    match answer.status {
        Status::Solved => ("solved", format!("\u{2713}\u{a0}{choice}")),
        Status::Missed => ("missed", format!("\u{2717}\u{a0}{choice}")),
        Status::Unanswered => ("missed", "\u{2717}\u{a0}no answer".to_owned()),
        Status::Untargeted => ("absent", choice),
    }
}
