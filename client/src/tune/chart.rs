//! The course of the parameters as a file: a small chart for each.

use maud::{Markup, PreEscaped, html};
use svg::{Colour, Frame, LinearAxis, label, light_and_dark, line, path_through};

use super::params::number;
use super::state::State;
use crate::text::{counted, printable, trimmed};

const STYLE: &str = "\
.paper { fill: var(--paper); }
text { font: 12px system-ui, 'DejaVu Sans', sans-serif; fill: var(--soft); }
.title { fill: var(--ink); font-size: 16px; font-weight: 600; }
.name { fill: var(--ink); font-size: 13px; }
.axis { fill: var(--soft); font-size: 12px; }
.middle { text-anchor: middle; }
.end { text-anchor: end; }
.now { fill: var(--line); font-weight: 600; text-anchor: end; }
.grid { stroke: var(--rule); }
.start { stroke: var(--soft); stroke-dasharray: 4 4; }
.course { fill: none; stroke: var(--line); stroke-width: 2; stroke-linejoin: round; }
.dot { fill: var(--line); }
";

const PALETTE: [Colour<'static>; 5] = [
    colour("--paper", "#fff", "#14171a"),
    colour("--ink", "#1c2024", "#e6e9ec"),
    colour("--soft", "#5b6470", "#a3acb6"),
    colour("--rule", "#d9dee4", "#333a42"),
    colour("--line", "#2563b0", "#6aa9f4"),
];

const fn colour(name: &'static str, light: &'static str, dark: &'static str) -> Colour<'static> {
    Colour { name, light, dark }
}

const FRAME: Frame = Frame {
    left: 58.0,
    right: 28.0,
    top: 32.0,
    bottom: 54.0,
    ..Frame::new("small", [380.0, 252.0], 5)
};
const MARGIN: f64 = 16.0;
const TITLE: f64 = 34.0;
/// The most charts beside each other.
const COLUMNS: usize = 3;

/// The chart as an SVG file, in a light scheme or in a dark one as the reader's system has it.
pub fn render(state: &State) -> String {
    let count = state.spsa.params().len();
    // Four are two and two.
    let columns = if count == 4 {
        2
    } else {
        count.clamp(1, COLUMNS)
    };
    let rows = count.div_ceil(columns);
    let width = 2.0 * MARGIN + FRAME.width * columns as f64;
    let height = 2.0 * MARGIN + TITLE + FRAME.height * rows as f64;
    let (done, all) = (state.finished(), state.spsa.iterations());
    let title = format!(
        "{}: {done} of {}",
        printable(&state.head.engine),
        counted(all, "iteration", "iterations")
    );
    let markup = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}"))
            width=(width) height=(height) role="img" aria-label=(title) {
            title { (title) }
            style { (PreEscaped(light_and_dark(STYLE, &PALETTE))) }
            rect class="paper" width=(width) height=(height) {}
            text class="title" x=(MARGIN) y=(MARGIN + 14.0) { (title) }
            @for i in 0..count {
                @let x = MARGIN + FRAME.width * (i % columns) as f64;
                @let y = MARGIN + TITLE + FRAME.height * (i / columns) as f64;
                g transform=(format!("translate({x} {y})")) { (panel(state, i)) }
            }
        }
        "\n"
    };
    markup.into_string()
}

/// The course of a parameter.
fn panel(state: &State, at: usize) -> Markup {
    let param = &state.spsa.params()[at];
    let value = state.spsa.values()[at];
    let values = || state.course.iter().map(|values| values[at]);
    // At least the perturbation is shown, so that noise does not look like a course.
    let least = values()
        .fold(param.start - param.c_end, f64::min)
        .max(param.min);
    let most = values()
        .fold(param.start + param.c_end, f64::max)
        .min(param.max);
    let finest = 10.0_f64.powf((most - least).log10().floor() - 2.0);
    let axis = LinearAxis::covering([least, most], finest, 5);
    let iterations = LinearAxis::covering([0.0, state.finished() as f64], 1.0, FRAME.ticks);
    let decimals = (-finest.log10().floor()).clamp(0.0, 8.0) as usize;
    let last = state.course.len() - 1;
    let point = |n: usize| {
        let value = state.course[n][at];
        [iterations.x(&FRAME, n as f64), axis.y(&FRAME, value)]
    };
    // About as many points as there are units of width.
    let every = (last as f64 / FRAME.plot_width()).ceil().max(1.0) as usize;
    let points = (0..last).step_by(every).chain([last]).map(point);
    let [right, bottom] = FRAME.end();
    let start = axis.y(&FRAME, param.start);
    let [end_x, end_y] = point(last);
    html! {
        (label("name", [0.0, 14.0], &printable(&param.name)))
        (label("now", [right, 14.0], &trimmed(value, decimals)))
        (axis.y_grid(&FRAME, |tick| trimmed(tick, decimals)))
        (iterations.x_grid(&FRAME, number))
        (line("start", [FRAME.left, start], [right, start]))
        path class="course" d=(path_through(points)) {}
        circle class="dot" cx=(format!("{end_x:.1}")) cy=(format!("{end_y:.1}")) r="3" {}
        (label("axis end", [right, bottom + 38.0], "iterations"))
    }
}
