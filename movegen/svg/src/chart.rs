//! The parts of charts. Colours and fonts come from the style sheet of the page or file.

use std::fmt::Write;

use maud::{Markup, html};

use crate::printable;

/// The size of a chart and the margins of its axes, in SVG units. They suit a font size of 12.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The CSS class.
    pub class: &'static str,
    /// The size of the whole chart.
    pub width: f64,
    /// The size of the whole chart.
    pub height: f64,
    /// The margin at the left.
    pub left: f64,
    /// The margin at the right.
    pub right: f64,
    /// The margin above the plot.
    pub top: f64,
    /// The margin below the plot.
    pub bottom: f64,
    /// The maximum number of ticks on the x axis.
    pub ticks: usize,
}

impl Frame {
    /// A frame with space for labels at the left and below, and for the names of both axes.
    #[must_use]
    pub const fn new(class: &'static str, [width, height]: [f64; 2], ticks: usize) -> Self {
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

    /// The width of the plot.
    #[must_use]
    pub fn plot_width(&self) -> f64 {
        self.width - self.left - self.right
    }

    /// The height of the plot.
    #[must_use]
    pub fn plot_height(&self) -> f64 {
        self.height - self.top - self.bottom
    }

    /// The lower right corner of the plot.
    #[must_use]
    pub fn end(&self) -> [f64; 2] {
        [self.width - self.right, self.height - self.bottom]
    }

    /// The chart with its content. `label` is what a screen reader says.
    #[must_use]
    pub fn chart(&self, label: &str, content: &Markup) -> Markup {
        let view = format!("0 0 {} {}", self.width, self.height);
        html! {
            svg class={"chart " (self.class)} viewBox=(view) role="img" aria-label=(printable(label)) {
                (content)
            }
        }
    }

    /// The names of both axes, the one of the y axis above it.
    #[must_use]
    pub fn names(&self, x: &str, y: &str) -> Markup {
        let [right, _] = self.end();
        html! {
            text class="name" x=(0) y=(12) { (y) }
            text class="name end" x=(right) y=(self.height - 4.0) { (x) }
        }
    }
}

/// A straight line.
#[must_use]
pub fn line(class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) -> Markup {
    html! { path class=(class) d=(format!("M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}")) {} }
}

/// A text.
#[must_use]
pub fn label(class: &str, [x, y]: [f64; 2], text: &str) -> Markup {
    html! { text class=(class) x=(format!("{x:.1}")) y=(format!("{y:.1}")) { (text) } }
}

/// A bar from its upper left corner, with a text that appears under the pointer.
#[must_use]
pub fn bar(class: &str, [x, y]: [f64; 2], [width, height]: [f64; 2], tip: &str) -> Markup {
    html! {
        rect class=(class) x=(format!("{x:.1}")) y=(format!("{y:.1}"))
            width=(format!("{width:.1}")) height=(format!("{height:.1}")) {
            title { (tip) }
        }
    }
}

/// The `d` of a path through points; empty without points.
///
/// ```
/// assert_eq!(epode_svg::path_through([[0.0, 1.0], [2.0, 3.25]]), "M0.0 1.0L2.0 3.2");
/// ```
#[must_use]
pub fn path_through(points: impl IntoIterator<Item = [f64; 2]>) -> String {
    let mut path = String::new();
    for (i, [x, y]) in points.into_iter().enumerate() {
        let letter = if i == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{letter}{x:.1} {y:.1}");
    }
    path
}
