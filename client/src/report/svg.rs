//! Charts as inline SVG. Colours and fonts come from the style sheet of the page.

use std::fmt::Write;

use maud::{Markup, html};

use super::distribution::{Curve, Distribution};
use super::effort::Measure;
use super::numbers::round_numbers;
use super::words::capital;
use crate::text::{grouped, grouped_count, printable, trimmed};

/// The size of a chart and the margins of its axes, in SVG units. The font size is 12.
#[derive(Clone, Copy)]
pub struct Frame {
    /// The CSS class, which selects the screens that show the chart.
    pub class: &'static str,
    pub width: f64,
    pub height: f64,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    /// The maximum number of ticks on the x axis.
    ticks: usize,
}

impl Frame {
    const fn new(class: &'static str, [width, height]: [f64; 2], ticks: usize) -> Self {
        Self {
            class,
            width,
            height,
            left: 46.0,
            right: 20.0,
            top: 26.0,
            bottom: 42.0,
            ticks,
        }
    }

    /// One of several small charts.
    pub const SMALL: Self = Self::new("small", [380.0, 236.0], 7);
    /// The leading chart in three widths, for desktops, tablets and phones, so that the font has
    /// the same size on all of them.
    pub const LEADING: [Self; 3] = [
        Self::new("wide", [1080.0, 420.0], 16),
        Self::new("medium", [680.0, 360.0], 11),
        Self::new("narrow", [330.0, 280.0], 6),
    ];

    fn plot_width(&self) -> f64 {
        self.width - self.left - self.right
    }

    fn plot_height(&self) -> f64 {
        self.height - self.top - self.bottom
    }

    /// The lower right corner of the plot.
    fn end(&self) -> [f64; 2] {
        [self.width - self.right, self.height - self.bottom]
    }

    fn chart(&self, label: &str, content: &Markup) -> Markup {
        let view = format!("0 0 {} {}", self.width, self.height);
        html! {
            svg class={"chart " (self.class)} viewBox=(view) role="img" aria-label=(printable(label)) {
                (content)
            }
        }
    }

    /// The labels of the axes.
    fn names(&self, amounts: &str) -> Markup {
        let [right, _] = self.end();
        html! {
            text class="name" x=(0) y=(12) { "Positions" }
            text class="name end" x=(right) y=(self.height - 4.0) { (amounts) }
        }
    }
}

/// The y axis, which counts positions.
struct Counts {
    frame: Frame,
    step: u64,
    top: u64,
}

impl Counts {
    fn new(frame: Frame, most: usize) -> Self {
        let most = most.max(1) as u64;
        let fits = |step: &u64| most.div_ceil(*step) <= 6;
        let step = round_numbers().find(fits).unwrap_or(1);
        let top = most.div_ceil(step) * step;
        Self { frame, step, top }
    }

    fn y(&self, count: usize) -> f64 {
        self.frame.top + self.frame.plot_height() * (1.0 - count as f64 / self.top as f64)
    }

    /// The horizontal grid lines, with their labels.
    fn grid(&self) -> Markup {
        let [right, _] = self.frame.end();
        let left = self.frame.left;
        html! {
            @for count in (0..=self.top / self.step).map(|n| n * self.step) {
                @let y = self.y(count as usize);
                (line("grid", [left, y], [right, y]))
                (label("end", [left - 7.0, y + 4.0], &short(count)))
            }
        }
    }
}

fn line(class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) -> Markup {
    html! { path class=(class) d=(format!("M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}")) {} }
}

fn label(class: &str, [x, y]: [f64; 2], text: &str) -> Markup {
    html! { text class=(class) x=(format!("{x:.1}")) y=(format!("{y:.1}")) { (text) } }
}

/// A number on an axis: 2,000, 20k, 1.5M.
fn short(number: u64) -> String {
    if number < 10_000 {
        return grouped(number);
    }
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    let number = number as f64;
    let unit = units.into_iter().find(|(unit, _)| number >= *unit);
    let (unit, letter) = unit.unwrap_or((1.0, ""));
    trimmed(number / unit, 1) + letter
}

/// The label of a tick on the axis of a measure.
fn tick(measure: Measure, number: u64) -> String {
    match measure {
        Measure::Milliseconds if number < 1000 => trimmed(number as f64 / 1000.0, 3),
        Measure::Milliseconds => short(number / 1000),
        _ => short(number),
    }
}

/// The CSS class of the colour of a file.
pub fn colour(file: usize) -> String {
    /// The number of colours in the style sheet.
    const COLOURS: usize = 8;
    format!("f{}", file % COLOURS)
}

/// A histogram with the bars of the files side by side.
pub fn histogram(distribution: &Distribution, names: &[String]) -> Markup {
    /// The width of a label.
    const LABEL: f64 = 42.0;
    let frame = Frame::SMALL;
    let most = distribution.files.iter().flat_map(|file| &file.counts);
    let counts = Counts::new(frame, most.max().copied().unwrap_or(0));
    let Distribution { measure, bins, .. } = distribution;
    let slot = frame.plot_width() / bins.len() as f64;
    let every = (LABEL / slot).ceil() as usize;
    // The label of a single depth is centred below its bar; other labels mark the start of the bin.
    let is_each = *measure == Measure::Plies && bins[0].from == bins[0].to;
    let middle = if is_each { slot / 2.0 } else { 0.0 };
    let [_, bottom] = frame.end();
    let content = html! {
        (counts.grid())
        @for (i, &bin) in bins.iter().enumerate() {
            @let begin = frame.left + slot * i as f64;
            @for (file, (sample, name)) in distribution.files.iter().zip(names).enumerate() {
                @let count = sample.counts[i];
                @if count > 0 {
                    @let bar = slot * 0.86 / names.len() as f64;
                    @let x = begin + slot * 0.07 + bar * file as f64;
                    @let y = counts.y(count);
                    rect class=(colour(file)) x=(format!("{x:.1}")) y=(format!("{y:.1}"))
                        width=(format!("{bar:.1}")) height=(format!("{:.1}", bottom - y)) {
                        title {
                            (name) ": " (grouped_count(count, "position", "positions")) ", "
                            (measure.word()) " " (measure.range(bin))
                        }
                    }
                }
            }
            @if i % every == 0 {
                (label("middle", [begin + middle, bottom + 20.0], &tick(*measure, bin.from)))
            }
        }
        (frame.names(measure.axis()))
    };
    frame.chart(&distribution.title(), &content)
}

/// A logarithmic axis between round numbers.
struct Axis {
    from: f64,
    to: f64,
    ticks: Vec<u64>,
}

impl Axis {
    /// An axis that covers `least` to `most`, with at most `most_ticks` ticks if possible. Numbers
    /// below 1 are placed at 1.
    fn new(least: u64, most: u64, most_ticks: usize) -> Self {
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
        // Keep only powers of ten; if these are too many, every other one.
        for step in [1, 2] {
            if ticks.len() > most_ticks {
                ticks.retain(|tick| {
                    let power = tick.ilog10();
                    10_u64.pow(power) == *tick && power.is_multiple_of(step)
                });
            }
        }
        Self { from, to, ticks }
    }

    fn x(&self, frame: Frame, number: u64) -> f64 {
        let part = (number.max(1) as f64 / self.from).ln() / (self.to / self.from).ln();
        frame.left + frame.plot_width() * part.clamp(0.0, 1.0)
    }
}

/// What a curve shows.
pub fn curve_title(curve: &Curve) -> String {
    match curve.measure {
        Measure::Milliseconds => "Positions solved by time".to_owned(),
        measure => format!("Positions solved by {}", measure.word()),
    }
}

/// The number of positions solved by effort, with a line for each file.
pub fn curve(curve: &Curve, names: &[String], targets: usize, frame: Frame) -> Markup {
    let amounts = || curve.files.iter().flatten().map(|point| point.0);
    let axis = Axis::new(
        amounts().min().unwrap_or(1),
        amounts().max().unwrap_or(1),
        frame.ticks,
    );
    let counts = Counts::new(frame, targets);
    let [right, bottom] = frame.end();
    let content = html! {
        (counts.grid())
        @for &number in &axis.ticks {
            @let x = axis.x(frame, number);
            (line("grid", [x, frame.top], [x, bottom]))
            (label("middle", [x, bottom + 20.0], &tick(curve.measure, number)))
        }
        @for (file, (points, name)) in curve.files.iter().zip(names).enumerate() {
            @if let Some(&(_, solved)) = points.last() {
                @let path = steps(points, |number| axis.x(frame, number), |count| counts.y(count));
                @if names.len() == 1 {
                    path class={"area " (colour(file))}
                        d={(path) (format!("H{right:.1}V{bottom:.1}H{:.1}z", axis.x(frame, points[0].0)))} {}
                }
                path class={"line l" (colour(file))} d={(path) (format!("H{right:.1}"))} {
                    title { (name) ": " (grouped(solved)) " solved" }
                }
            }
        }
        (frame.names(&format!("{} for a position, on a logarithmic scale", capital(curve.measure.axis()))))
    };
    let names = names.join(", ");
    let title = format!(
        "Positions solved, by {} for each: {names}",
        curve.measure.axis()
    );
    frame.chart(&title, &content)
}

/// A path that steps up wherever another position is solved.
fn steps(points: &[(u64, usize)], x: impl Fn(u64) -> f64, y: impl Fn(usize) -> f64) -> String {
    let mut path = format!("M{:.1} {:.1}", x(points[0].0), y(0));
    let mut points = points.iter().peekable();
    while let Some(&(amount, solved)) = points.next() {
        // Steps too close to be distinguished are merged.
        let next = points.peek().map(|next| x(next.0));
        if next.is_none_or(|next| next - x(amount) >= 0.5) {
            let _ = write!(path, "H{:.1}V{:.1}", x(amount), y(solved));
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_few_letters() {
        for (number, expected) in [
            (0, "0"),
            (999, "999"),
            (1500, "1,500"),
            (15_000, "15k"),
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
            let axis = Axis::new(least, most, 7);
            assert!((2..=11).contains(&axis.ticks.len()), "{:?}", axis.ticks);
            assert!(axis.from <= least.max(1) as f64 && most as f64 <= axis.to);
            let frame = Frame::SMALL;
            let x = |number| axis.x(frame, number);
            let places = [frame.left, x(least), x(most), frame.end()[0]];
            assert!(places.is_sorted(), "{places:?}");
        }
    }
}
