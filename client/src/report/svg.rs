//! Charts as SVG that stands in a page: colours and fonts come from its style sheet.

use std::fmt::Write;

use super::effort::{Curve, Distribution, Measure};
use super::html::escape;
use super::numbers::round_numbers;

/// The size of a chart in its own units; letters are 12 high.
const WIDTH: f64 = 380.0;
const HEIGHT: f64 = 215.0;
/// What the axes take.
const LEFT: f64 = 42.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 40.0;
const PLOT_WIDTH: f64 = WIDTH - LEFT - RIGHT;
const PLOT_HEIGHT: f64 = HEIGHT - TOP - BOTTOM;
/// The letters of a label take so much.
const LABEL: f64 = 38.0;

/// A chart that is being drawn; a string takes everything, so that nothing can fail.
struct Chart(String);

impl Chart {
    fn new(title: &str) -> Self {
        Self(format!(
            "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">",
            escape(title)
        ))
    }

    fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        let _ = write!(
            self.0,
            "<path class=\"{class}\" d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\"/>"
        );
    }

    fn text(&mut self, class: &str, [x, y]: [f64; 2], text: &str) {
        let text = escape(text);
        let _ = write!(
            self.0,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>"
        );
    }

    /// A rectangle that says what it is when it is pointed at.
    fn bar(&mut self, class: &str, [x, y]: [f64; 2], [width, height]: [f64; 2], what: &str) {
        let what = escape(what);
        let _ = write!(
            self.0,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\"><title>{what}</title></rect>"
        );
    }

    /// The axis of numbers of positions, with lines across the plot; returns what maps them.
    fn counts(&mut self, most: usize) -> impl Fn(usize) -> f64 + use<> {
        let most = most.max(1) as u64;
        let fits = |step: &u64| most.div_ceil(*step) <= 5;
        let step = round_numbers().find(fits).unwrap_or(1);
        let top = most.div_ceil(step) * step;
        let y = move |count: usize| TOP + PLOT_HEIGHT * (1.0 - count as f64 / top as f64);
        for count in (0..=top / step).map(|n| n * step) {
            let at = y(count as usize);
            self.line("grid", [LEFT, at], [WIDTH - RIGHT, at]);
            self.text("end", [LEFT - 6.0, at + 4.0], &short(count));
        }
        y
    }

    /// What the axes are of.
    fn name(&mut self, measure: Measure) {
        let name = match measure {
            Measure::Milliseconds => "seconds",
            _ => measure.word(),
        };
        self.text("middle", [LEFT + PLOT_WIDTH / 2.0, HEIGHT - 6.0], name);
    }

    fn end(mut self) -> String {
        self.0.push_str("</svg>");
        self.0
    }
}

/// A number in few letters: 20k, 1.5M.
fn short(number: u64) -> String {
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    let number = number as f64;
    let unit = units.into_iter().find(|(unit, _)| number >= *unit);
    let (unit, letter) = unit.unwrap_or((1.0, ""));
    let digits = format!("{:.1}", number / unit);
    format!("{}{letter}", digits.trim_end_matches(".0"))
}

/// A label of the axis of a measure.
fn tick(measure: Measure, number: u64) -> String {
    match measure {
        Measure::Milliseconds if number < 1000 => {
            let text = format!("{:.3}", number as f64 / 1000.0);
            let text = text.trim_end_matches('0').trim_end_matches('.');
            text.to_owned()
        }
        Measure::Milliseconds => short(number / 1000),
        _ => short(number),
    }
}

/// The class of a file's colour.
pub fn colour(file: usize) -> String {
    /// So many colours can be told from each other; the page defines them.
    const COLOURS: usize = 8;
    format!("f{}", file % COLOURS)
}

/// A histogram, the bars of the files side by side.
pub fn histogram(distribution: &Distribution, names: &[&str]) -> String {
    let mut chart = Chart::new(&distribution.title());
    let counts = distribution.files.iter().flat_map(|file| &file.counts);
    let y = chart.counts(counts.max().copied().unwrap_or(0));
    let bins = &distribution.bins;
    let slot = PLOT_WIDTH / bins.len() as f64;
    let bar = slot * 0.86 / names.len() as f64;
    let every = (LABEL / slot).ceil() as usize;
    // A bar of one depth has its number below; others have the first of theirs where they begin.
    let is_each = distribution.measure == Measure::Plies && bins[0].from == bins[0].to;
    for (i, &bin) in bins.iter().enumerate() {
        let begin = LEFT + slot * i as f64;
        for (file, (sample, name)) in distribution.files.iter().zip(names).enumerate() {
            let count = sample.counts[i];
            if count > 0 {
                let x = begin + slot * 0.07 + bar * file as f64;
                let range = distribution.measure.range(bin);
                let what = format!("{name}: {count} ({} {range})", distribution.measure.word());
                let size = [bar, y(0) - y(count)];
                chart.bar(&colour(file), [x, y(count)], size, &what);
            }
        }
        if i % every == 0 {
            let middle = if is_each { slot / 2.0 } else { 0.0 };
            let at = [begin + middle, TOP + PLOT_HEIGHT + 16.0];
            chart.text("middle", at, &tick(distribution.measure, bin.from));
        }
    }
    chart.name(distribution.measure);
    chart.end()
}

/// A logarithmic axis between round numbers.
struct Axis {
    from: f64,
    to: f64,
    ticks: Vec<u64>,
}

impl Axis {
    /// Holds two numbers and what is between them. What is less than one stands at one.
    fn new(least: u64, most: u64) -> Self {
        const MOST_TICKS: usize = 7;
        let (least, most) = (least.max(1), most.max(2));
        let begin = round_numbers().take_while(|&number| number <= least).last();
        let begin = begin.unwrap_or(1);
        let mut ticks: Vec<_> = round_numbers()
            .skip_while(|&number| number < begin)
            .take_while(|&number| number < most)
            .collect();
        let end = round_numbers().find(|&number| number >= most);
        ticks.push(end.unwrap_or(u64::MAX));
        let (from, to) = (begin as f64, ticks[ticks.len() - 1] as f64);
        // Powers of ten, then every other one.
        for step in [1, 2] {
            if ticks.len() > MOST_TICKS {
                ticks.retain(|tick| {
                    let power = tick.ilog10();
                    10_u64.pow(power) == *tick && power.is_multiple_of(step)
                });
            }
        }
        Self { from, to, ticks }
    }

    fn x(&self, number: u64) -> f64 {
        let part = (number.max(1) as f64 / self.from).ln() / (self.to / self.from).ln();
        LEFT + PLOT_WIDTH * part.clamp(0.0, 1.0)
    }
}

/// How many positions were solved by when, a line for each file.
pub fn curve(curve: &Curve, names: &[&str]) -> String {
    let mut chart = Chart::new(&format!("solved by {}", curve.measure.word()));
    let points = || curve.files.iter().flatten();
    let solved = points().map(|point| point.1).max().unwrap_or(0);
    let y = chart.counts(solved);
    let amounts = || points().map(|point| point.0);
    let axis = Axis::new(amounts().min().unwrap_or(1), amounts().max().unwrap_or(1));
    for &number in &axis.ticks {
        let x = axis.x(number);
        chart.line("grid", [x, TOP], [x, TOP + PLOT_HEIGHT]);
        let at = [x, TOP + PLOT_HEIGHT + 16.0];
        chart.text("middle", at, &tick(curve.measure, number));
    }
    for (file, (points, name)) in curve.files.iter().zip(names).enumerate() {
        let Some(first) = points.first() else {
            continue;
        };
        let mut path = format!("M{:.1} {:.1}", axis.x(first.0), y(0));
        let mut points = points.iter().peekable();
        while let Some(&(amount, solved)) = points.next() {
            // Steps that are not seen apart are one.
            let next = points.peek().map(|next| axis.x(next.0));
            if next.is_none_or(|next| next - axis.x(amount) >= 0.5) {
                let _ = write!(path, "H{:.1}V{:.1}", axis.x(amount), y(solved));
            }
        }
        let _ = write!(
            chart.0,
            "<path class=\"line l{}\" d=\"{path}H{:.1}\"><title>{}</title></path>",
            colour(file),
            WIDTH - RIGHT,
            escape(name)
        );
    }
    chart.name(curve.measure);
    chart.end()
}

/// A share as one bar: what was solved, of all.
pub fn share(part: f64, file: usize) -> String {
    let part = 100.0 * part.clamp(0.0, 1.0);
    format!(
        "<svg class=\"share\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" \
         aria-hidden=\"true\"><rect class=\"rest\" width=\"100\" height=\"10\"/>\
         <rect class=\"{}\" width=\"{part:.1}\" height=\"10\"/></svg>",
        colour(file)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_few_letters() {
        for (number, expected) in [
            (0, "0"),
            (999, "999"),
            (1000, "1k"),
            (1500, "1.5k"),
            (2_000_000, "2M"),
            (5_000_000_000, "5G"),
        ] {
            assert_eq!(short(number), expected);
        }
        for (milliseconds, expected) in [(0, "0"), (5, "0.005"), (200, "0.2"), (20_000, "20")] {
            assert_eq!(tick(Measure::Milliseconds, milliseconds), expected);
        }
    }

    #[test]
    fn axes_hold_what_they_are_for() {
        for (least, most) in [(0, 0), (1, 1), (7, 93), (604, 1_000_000), (0, u64::MAX)] {
            let axis = Axis::new(least, most);
            assert!((2..=11).contains(&axis.ticks.len()), "{:?}", axis.ticks);
            assert!(axis.from <= least.max(1) as f64 && most as f64 <= axis.to);
            let places = [LEFT, axis.x(least), axis.x(most), LEFT + PLOT_WIDTH];
            assert!(places.is_sorted(), "{places:?}");
        }
    }
}
