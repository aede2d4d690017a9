//! The chart of solved positions as an SVG file of its own, for web pages and documents.

use maud::{Markup, PreEscaped, html};

use super::distribution::Curve;
use super::plots::{self, LEADING};
use super::summary::Report;
use super::title;
use crate::text::printable;

/// Colours and fonts: those of the HTML page, in a light and in a dark scheme.
const STYLE: &str = "
  svg { --paper: #fff; --ink: #1c2024; --soft: #5b6470; --rule: #d9dee4;
    --f0: #2563b0; --f1: #d0661b; --f2: #2f8a57; --f3: #a33c8f;
    --f4: #8a7400; --f5: #0f8b8d; --f6: #b23a48; --f7: #6b5bb5;
    background: var(--paper); font: 12px system-ui, 'DejaVu Sans', sans-serif; }
  @media (prefers-color-scheme: dark) {
    svg { --paper: #14171a; --ink: #e6e9ec; --soft: #a3acb6; --rule: #333a42;
      --f0: #6aa9f4; --f1: #f0964e; --f2: #62c48d; --f3: #dd86cb;
      --f4: #d3bb45; --f5: #4fc3c5; --f6: #ef7f8b; --f7: #a99bf0; }
  }
  text { fill: var(--soft); }
  .title { fill: var(--ink); font-size: 16px; font-weight: 600; }
  .paper { fill: var(--paper); }
  .middle { text-anchor: middle; }
  .end { text-anchor: end; }
  .grid { stroke: var(--rule); }
  .line { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
  .area { opacity: .12; }
  .f0 { fill: var(--f0); } .lf0 { stroke: var(--f0); } .f1 { fill: var(--f1); } .lf1 { stroke: var(--f1); }
  .f2 { fill: var(--f2); } .lf2 { stroke: var(--f2); } .f3 { fill: var(--f3); } .lf3 { stroke: var(--f3); }
  .f4 { fill: var(--f4); } .lf4 { stroke: var(--f4); } .f5 { fill: var(--f5); } .lf5 { stroke: var(--f5); }
  .f6 { fill: var(--f6); } .lf6 { stroke: var(--f6); } .f7 { fill: var(--f7); } .lf7 { stroke: var(--f7); }
";

/// The space around the content, in SVG units.
const MARGIN: f64 = 16.0;
/// The height of the title, and that of each line of the legend.
const TITLE: f64 = 28.0;
const LEGEND: f64 = 18.0;

/// The chart of a report, by time if it is known. None if no file says when its positions were solved.
pub fn render(report: &Report) -> Option<String> {
    let curve = report.curves.first()?;
    let names: Vec<_> = report
        .files
        .iter()
        .map(|file| printable(&file.name))
        .collect();
    let targets = report.files.iter().map(|file| file.score.targets());
    let frame = &LEADING[1];
    let plot = plots::curve(curve, &names, targets.max().unwrap_or(0), frame);
    let top = MARGIN + TITLE + LEGEND * names.len() as f64;
    let width = frame.width + 2.0 * MARGIN;
    let height = top + frame.height + MARGIN;
    let markup = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}"))
            width=(width) height=(height) {
            style { (PreEscaped(STYLE)) }
            rect class="paper" width=(width) height=(height) {}
            text class="title" x=(MARGIN) y=(MARGIN + 14.0) { (title_of(report, curve)) }
            (legend(report, &names))
            g transform=(format!("translate({MARGIN} {top})")) {
                svg width=(frame.width) height=(frame.height) { (plot) }
            }
        }
        "\n"
    };
    Some(markup.into_string())
}

fn title_of(report: &Report, curve: &Curve) -> String {
    format!(
        "{}: {}",
        plots::curve_title(curve),
        printable(&title::title(report))
    )
}

/// The name and the score of each file, beside its colour.
fn legend(report: &Report, names: &[String]) -> Markup {
    html! {
        @for (i, (file, name)) in report.files.iter().zip(names).enumerate() {
            @let y = MARGIN + TITLE + LEGEND * i as f64;
            rect class=(plots::colour(i)) x=(MARGIN) y=(y) width="10" height="10" rx="2" {}
            text x=(MARGIN + 17.0) y=(y + 9.5) {
                (name) ": " (file.score.solved) " of " (file.score.targets()) " solved"
            }
        }
    }
}
