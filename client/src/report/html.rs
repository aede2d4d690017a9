//! A report as a self-contained HTML page: conclusion, charts, tables, boards, style sheet and
//! script. [`html!`] escapes all text.
//!
//! The size of a page is limited to a few megabytes: it shows the first boards, the beginning of
//! long lists, and a limited number of records, missed ones first.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use movegen::{Color, Move, Position, san};
use svg::{Arrow, BOARD_STYLE, Board, Frame};

use super::answer::{Answer, Status};
use super::distribution::Curve;
use super::effort::{Measure, Part};
use super::outline::{self, Align, Body, Cell, Section};
use super::plots::{self, LEADING, SMALL};
use super::rows::Row;
use super::summary::Report;
use super::words::{NOTHING, capital};
use super::{conclusion, title};
use crate::text::{grouped, printable};

/// The style of the page, but for that of its boards, [`BOARD_STYLE`].
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The maximum size of the table of records in bytes.
const MOST_OF_TABLE: usize = 1_500_000;

/// The maximum number of rows in the table of records.
const MOST_RECORDS: usize = 5_000;

const NEW_LINE: PreEscaped<&str> = PreEscaped("\n");

/// Renders the page, with at most `boards` boards.
pub fn render(report: &Report, boards: usize) -> String {
    let page = Page {
        report,
        names: report
            .files
            .iter()
            .map(|file| printable(&file.name))
            .collect(),
    };
    let markup = html! {
        (DOCTYPE) (NEW_LINE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (printable(&title::long_title(report))) }
                style { (NEW_LINE) (PreEscaped(STYLE)) (PreEscaped(BOARD_STYLE)) }
            }
            (NEW_LINE)
            body {
                main { (page.content(boards)) }
                script { (NEW_LINE) (PreEscaped(SCRIPT)) }
            }
        }
        (NEW_LINE)
    };
    markup.into_string()
}

struct Page<'r> {
    report: &'r Report,
    /// The names of the files.
    names: Vec<String>,
}

impl Page<'_> {
    fn content(&self, boards: usize) -> Markup {
        let report = self.report;
        html! {
            (self.header())
            (self.leading_chart())
            section class="pair" {
                div { (section(&outline::headline(report))) }
                div { (section(&outline::totals(report))) }
            }
            @if let Some(themes) = outline::themes(report) {
                section { (section(&themes)) }
            }
            @let comparisons = outline::comparisons(report);
            @if !comparisons.is_empty() {
                section { @for each in &comparisons { (section(each)) } }
            }
            (self.charts())
            @if let Some(spreads) = outline::spreads(report) {
                section { (section(&spreads)) }
            }
            (self.boards(boards))
            (self.records())
        }
    }

    /// The title, the description of each run, and the conclusion.
    fn header(&self) -> Markup {
        let runs: Vec<_> = self.report.files.iter().map(title::run).collect();
        let several = self.names.len() > 1;
        html! {
            header {
                h1 { (printable(&title::title(self.report))) }
                @if several || runs.iter().any(Option::is_some) {
                    ul class="runs" {
                        @for (file, (name, run)) in self.names.iter().zip(&runs).enumerate() {
                            li {
                                @if several { (key(file)) }
                                b { (name) }
                                @for part in run.iter().flatten() { span { (printable(part)) } }
                            }
                        }
                    }
                }
                p class="conclusion" {
                    @for sentence in conclusion::sentences(self.report) {
                        span { (printable(&sentence).replace("p = ", "p\u{a0}=\u{a0}")) } " "
                    }
                }
            }
            (NEW_LINE)
        }
    }

    fn legend(&self) -> Markup {
        html! {
            @if self.names.len() > 1 {
                span class="legend" {
                    @for (file, name) in self.names.iter().enumerate() {
                        span { (key(file)) (name) }
                    }
                }
            }
        }
    }

    /// The curve of solved positions, by time if it is known.
    fn leading_chart(&self) -> Markup {
        html! {
            @if let Some(curve) = self.report.curves.first() {
                figure class="leading" {
                    figcaption { h2 { (plots::curve_title(curve)) } (self.legend()) }
                    @for frame in &LEADING { (self.curve(curve, frame)) }
                }
                (NEW_LINE)
            }
        }
    }

    fn curve(&self, curve: &Curve, frame: &Frame) -> Markup {
        let targets = self.report.files.iter().map(|file| file.score.targets());
        plots::curve(curve, &self.names, targets.max().unwrap_or(0), frame)
    }

    fn charts(&self) -> Markup {
        let distributions: Vec<_> = outline::charted(self.report).collect();
        let curves = self.report.curves.get(1..).unwrap_or_default();
        if curves.is_empty() && distributions.is_empty() {
            return html! {};
        }
        html! {
            section {
                h2 { "What searches took" }
                @if self.names.len() > 1 { p class="hint" { (self.legend()) } }
                div class="charts" {
                    @for curve in curves {
                        figure {
                            figcaption { (plots::curve_title(curve)) }
                            (self.curve(curve, &SMALL))
                        }
                    }
                    @for distribution in distributions {
                        figure {
                            figcaption { "Positions by " (distribution.title()) }
                            (plots::histogram(distribution, &self.names))
                        }
                    }
                }
            }
            (NEW_LINE)
        }
    }

    /// The positions that at least one file missed.
    fn boards(&self, most: usize) -> Markup {
        let missed = || self.report.records.iter().filter(|row| row.is_missed());
        let count = missed().count();
        if count == 0 || most == 0 {
            return html! {};
        }
        let shown = count.min(most);
        let of = if shown < count {
            format!("{} of ", grouped(shown))
        } else {
            String::new()
        };
        html! {
            section {
                h2 { "Missed positions (" (of) (grouped(count)) ")" }
                p class="hint" {
                    (arrow_key("best")) "to be found "
                    (arrow_key("wrong")) "chosen, and wrong"
                }
                (svg::shapes(&[Color::White], &[Arrow::Best, Arrow::Wrong]))
                div class="boards" { @for row in missed().take(most) { (self.board(row)) } }
            }
            (NEW_LINE)
        }
    }

    fn board(&self, row: Row<'_>) -> Markup {
        let Some(position) = row.position() else {
            return html! {};
        };
        let turn = capital(&position.turn().to_string());
        html! {
            figure {
                (Board::new(&position, row.fields()).arrows(&arrows(row, &position)).to_markup())
                figcaption {
                    b { (printable(row.id().unwrap_or("no id"))) }
                    " " (turn) " to move: " (row.expected())
                    ul {
                        @for (answer, name) in row.answers().zip(&self.names) {
                            @if let Some(answer) = answer {
                                @let (class, text) = status(Some(answer));
                                @let name = if self.names.len() > 1 { name } else { "chosen" };
                                li { (name) ": " span class=(class) { (text) } }
                            }
                        }
                    }
                }
            }
            (NEW_LINE)
        }
    }

    /// The table of records, which can be sorted by its headings, searched and paged.
    fn records(&self) -> Markup {
        let report = self.report;
        let (rows, all) = (self.rows(), report.records.len());
        let shown = rows.len();
        html! {
            section class="records" {
                h2 { "Records (" (grouped(all)) ")" }
                @if shown < all {
                    p class="hint" {
                        "The table has " (grouped(shown)) " of " (grouped(all))
                        " records, those that were missed before others. "
                        code { "epode report ... -o records.csv" } " writes all."
                    }
                }
                p class="hint" { "Nodes, time and depth are those to the solution." }
                (controls())
                div class="scroll" tabindex="0" role="region" aria-label="Records" {
                    table class="sorts" {
                        thead { tr { (self.record_heads()) } } (NEW_LINE)
                        tbody { @for row in rows { (row) (NEW_LINE) } }
                    }
                }
            }
        }
    }

    /// As many rows as fit: missed records are preferred, and the original order is kept.
    fn rows(&self) -> Vec<Markup> {
        let records = &self.report.records;
        let (mut rows, mut size) = (Vec::new(), 0);
        let measures = self.solution_measures();
        for missed in [true, false] {
            for (i, row) in records
                .iter()
                .enumerate()
                .filter(|(_, row)| row.is_missed() == missed)
            {
                if rows.len() == MOST_RECORDS || size > MOST_OF_TABLE {
                    break;
                }
                let markup = self.record(row, &measures);
                size += markup.0.len();
                rows.push((i, markup));
            }
        }
        rows.sort_by_key(|(i, _)| *i);
        rows.into_iter().map(|(_, markup)| markup).collect()
    }

    fn has_themes(&self) -> bool {
        self.report.themes.len() > 1
    }

    fn solution_measures(&self) -> Vec<Measure> {
        let solutions = self.report.distributions.iter();
        let solutions = solutions.filter(|distribution| distribution.part == Part::Solution);
        solutions.map(|distribution| distribution.measure).collect()
    }

    fn record_heads(&self) -> Markup {
        let head = |name: &str, class: Option<&str>| {
            html! { th class=[class] scope="col" { button type="button" { (name) } } }
        };
        html! {
            (head("id", None))
            @if self.has_themes() { (head("theme", None)) }
            (head("expected", None))
            @for name in &self.names {
                (head(name, None))
                @for measure in self.solution_measures() {
                    (head(measure.word(), Some("number")))
                }
            }
        }
    }

    fn record(&self, row: Row<'_>, measures: &[Measure]) -> Markup {
        let solved = |answer: &Answer| answer.status == Status::Solved;
        let mut answers = row.answers().flatten();
        let first = answers.next().map(solved);
        let kind = match row.is_missed() {
            false => None,
            true if answers.any(|answer| Some(solved(answer)) != first) => Some("differs"),
            true => Some("missed"),
        };
        html! {
            tr data-kind=[kind] {
                td { (printable(row.label())) }
                @if self.has_themes() { td { (printable(row.theme().unwrap_or(NOTHING))) } }
                td { (row.expected()) }
                @for answer in row.answers() {
                    @let (class, text) = status(answer);
                    // Missing answers come last.
                    @let order = answer.map_or(Status::Untargeted as usize + 1, |answer| {
                        answer.status as usize
                    });
                    td class=(class) data-v=(order) { (text) }
                    @for measure in measures {
                        @let effort = answer.map(|answer| answer.effort(Part::Solution));
                        @if let Some(number) = effort.and_then(|effort| measure.of(&effort)) {
                            td class="number" data-v=(number) { (measure.text(number as f64)) }
                        } @else {
                            td class="number" {}
                        }
                    }
                }
            }
        }
    }
}

/// The key to the colour of a file.
fn key(file: usize) -> Markup {
    html! { i class={"key " (plots::colour(file))} {} }
}

fn arrow_key(class: &str) -> Markup {
    html! { i class={"arrow-key " (class)} {} }
}

/// The controls of the script that searches and pages the table; hidden without scripts.
fn controls() -> Markup {
    html! {
        div class="controls" hidden {
            label { "Search " input type="search" placeholder="id, theme or move"; }
            label {
                "Show "
                select {
                    option value="" { "all" }
                    option value="missed" { "missed by one or more" }
                    option value="differs" { "solved by some only" }
                }
            }
            span class="pages" {
                button type="button" { "Previous" }
                output {}
                button type="button" { "Next" }
            }
        }
    }
}

fn section(section: &Section) -> Markup {
    let title = printable(&section.title);
    let note = html! {
        @if let Some(note) = &section.note { p class="hint" { (printable(note)) } }
    };
    html! {
        @match &section.body {
            Body::Table { head, rows } => {
                h2 { (title) }
                div class="scroll" tabindex="0" role="region" aria-label=(title) {
                    // On a narrow screen each row of a wide table becomes a card.
                    table class=[(head.len() > 4).then_some("cards")] {
                        thead {
                            tr {
                                @for column in head {
                                    th class=[class(column.align)] scope="col" { (printable(&column.name)) }
                                }
                            }
                        }
                        (NEW_LINE)
                        tbody {
                            @for row in rows {
                                tr {
                                    @for (cell, column) in row.iter().zip(head) {
                                        td class=[class(column.align)] data-label=(printable(&column.name)) {
                                            (content(cell))
                                        }
                                    }
                                }
                                (NEW_LINE)
                            }
                        }
                    }
                }
                (note)
            },
            Body::List(items) => details {
                summary { (title) }
                p { (printable(&items.join(", "))) }
                (note)
            },
        }
        (NEW_LINE)
    }
}

fn content(cell: &Cell) -> Markup {
    match cell {
        Cell::Text(text) => html! { (printable(text)) },
        Cell::Bar { part, file } => {
            let width = format!("width:{:.1}%", 100.0 * part.clamp(0.0, 1.0));
            html! { span class="bar" { i class=(plots::colour(*file)) style=(width) {} } }
        }
    }
}

fn class(align: Align) -> Option<&'static str> {
    match align {
        Align::Left => None,
        Align::Right => Some("number"),
    }
}

/// Arrows for the best moves and for wrong choices. A choice made in another position with the same
/// id may not be legal here.
fn arrows(row: Row<'_>, position: &Position) -> Vec<(Move, Arrow)> {
    let find = |text: &str| san::parse(position, text).ok();
    let best = row.best().split_whitespace().filter_map(find);
    let mut arrows: Vec<_> = best.map(|mv| (mv, Arrow::Best)).collect();
    for answer in row.answers().flatten() {
        let choice = answer.choice().filter(|_| answer.status == Status::Missed);
        if let Some(mv) = choice.and_then(find)
            && !arrows.contains(&(mv, Arrow::Wrong))
        {
            arrows.push((mv, Arrow::Wrong));
        }
    }
    arrows
}

/// The CSS class and the text of an answer.
fn status(answer: Option<&Answer>) -> (&'static str, String) {
    let Some(answer) = answer else {
        return ("absent", "not there".to_owned());
    };
    let choice = answer.choice().unwrap_or_default();
    match answer.status {
        Status::Solved => ("solved", format!("\u{2713}\u{a0}{choice}")),
        Status::Missed => ("missed", format!("\u{2717}\u{a0}{choice}")),
        Status::Unanswered => ("missed", "\u{2717}\u{a0}no answer".to_owned()),
        Status::Untargeted => ("absent", choice.to_owned()),
    }
}
