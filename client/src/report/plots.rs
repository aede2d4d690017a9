//! The charts of a report: histograms, and curves of solved positions.

use std::fmt::Write;

use maud::{Markup, html};
use svg::{Frame, LinearAxis, LogAxis, label};

use super::distribution::{Curve, Distribution};
use super::effort::Measure;
use super::words::capital;
use crate::text::{grouped, grouped_count, trimmed};

/// One of several small charts.
pub const SMALL: Frame = Frame::new("small", [380.0, 236.0], 7);
/// The leading chart in three widths, for desktops, tablets and phones, so that the font has the same
/// size on all of them.
pub const LEADING: [Frame; 3] = [
    Frame::new("wide", [1080.0, 420.0], 16),
    Frame::new("medium", [680.0, 360.0], 11),
    Frame::new("narrow", [330.0, 280.0], 6),
];

/// The y axis, which counts positions.
fn counts(most: usize) -> LinearAxis {
    LinearAxis::covering([0.0, most as f64], 1.0, 6)
}

fn count_grid(counts: &LinearAxis, frame: &Frame) -> Markup {
    counts.y_grid(frame, |count| short(count as u64))
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
    let frame = &SMALL;
    let most = distribution.files.iter().flat_map(|file| &file.counts);
    let counts = counts(most.max().copied().unwrap_or(0));
    let Distribution { measure, bins, .. } = distribution;
    let slot = frame.plot_width() / bins.len() as f64;
    let every = (LABEL / slot).ceil() as usize;
    // The label of a single depth is centred below its bar; other labels mark the start of the bin.
    let is_each = *measure == Measure::Plies && bins[0].from == bins[0].to;
    let middle = if is_each { slot / 2.0 } else { 0.0 };
    let [_, bottom] = frame.end();
    let content = html! {
        (count_grid(&counts, frame))
        @for (i, &bin) in bins.iter().enumerate() {
            @let begin = frame.left + slot * i as f64;
            @for (file, (sample, name)) in distribution.files.iter().zip(names).enumerate() {
                @let count = sample.counts[i];
                @if count > 0 {
                    @let bar = slot * 0.86 / names.len() as f64;
                    @let x = begin + slot * 0.07 + bar * file as f64;
                    @let y = counts.y(frame, count as f64);
                    @let positions = grouped_count(count, "position", "positions");
                    @let tip = format!("{name}: {positions}, {} {}", measure.word(), measure.range(bin));
                    (svg::bar(&colour(file), [x, y], [bar, bottom - y], &tip))
                }
            }
            @if i % every == 0 {
                (label("middle", [begin + middle, bottom + 20.0], &tick(*measure, bin.from)))
            }
        }
        (frame.names(measure.axis(), "Positions"))
    };
    frame.chart(&distribution.title(), &content)
}

/// What a curve shows.
pub fn curve_title(curve: &Curve) -> String {
    match curve.measure {
        Measure::Milliseconds => "Positions solved by time".to_owned(),
        measure => format!("Positions solved by {}", measure.word()),
    }
}

/// The number of positions solved by effort, with a line for each file.
pub fn curve(curve: &Curve, names: &[String], targets: usize, frame: &Frame) -> Markup {
    let amounts = || curve.files.iter().flatten().map(|point| point.0);
    let ends = [amounts().min(), amounts().max()].map(|end| end.unwrap_or(1));
    let axis = LogAxis::covering(ends, frame.ticks);
    let counts = counts(targets);
    let [right, bottom] = frame.end();
    let content = html! {
        (count_grid(&counts, frame))
        (axis.x_grid(frame, |number| tick(curve.measure, number)))
        @for (file, (points, name)) in curve.files.iter().zip(names).enumerate() {
            @if let Some(&(_, solved)) = points.last() {
                @let path = steps(points, |number| axis.x(frame, number), |count| counts.y(frame, count as f64));
                @if names.len() == 1 {
                    path class={"area " (colour(file))}
                        d={(path) (format!("H{right:.1}V{bottom:.1}H{:.1}z", axis.x(frame, points[0].0)))} {}
                }
                path class={"line l" (colour(file))} d={(path) (format!("H{right:.1}"))} {
                    title { (name) ": " (grouped(solved)) " solved" }
                }
            }
        }
        (frame.names(&format!("{} for a position, on a logarithmic scale", capital(curve.measure.axis())), "Positions"))
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
}
