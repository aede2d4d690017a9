//! The sequential test of an event.

use maud::{Markup, html};
use svg::{Frame, LinearAxis, label, line, path_through};

use crate::core::event::view::EventView;
use crate::core::sprt::{SprtReport, SprtState};

const GRAPH: Frame = Frame {
    left: 40.0,
    right: 64.0,
    ..Frame::new("wide", [1080.0, 300.0], 12)
};
const NARROW: Frame = Frame {
    left: 34.0,
    right: 30.0,
    ..Frame::new("narrow", [360.0, 260.0], 4)
};

/// A longer course is drawn by so many of its points.
const MOST_POINTS: usize = 500;

/// The graph of the test, if the event has one.
pub fn section(view: &EventView) -> Markup {
    let Some(report) = view.results.sprt() else {
        return html! {};
    };
    let course = &view.sprt_course;
    html! {
        section.sprt id="sprt" aria-labelledby="sprt-heading" {
            h2 id="sprt-heading" { "SPRT" }
            p { (words(&report)) }
            @for frame in [&GRAPH, &NARROW] { (graph(&report, course, frame)) }
        }
    }
}

fn words(report: &SprtReport) -> String {
    let [elo0, elo1] = report.test.hypotheses();
    let state = match report.state {
        SprtState::Continue => "not decided yet".to_owned(),
        SprtState::AcceptH0 => format!("H0 accepted: {elo0:+} Elo"),
        SprtState::AcceptH1 => format!("H1 accepted: {elo1:+} Elo"),
    };
    let (llr, lower, upper) = (report.llr, report.lower, report.upper);
    format!(
        "{elo0:+} against {elo1:+} Elo. LLR {llr:.2} between {lower:.2} and {upper:.2}: {state}."
    )
}

fn graph(report: &SprtReport, course: &[f64], frame: &Frame) -> Markup {
    let (lower, upper) = (report.lower, report.upper);
    let least = course.iter().copied().fold(lower, f64::min);
    let most = course.iter().copied().fold(upper, f64::max);
    let y = LinearAxis::covering([least, most], 0.5, 8);
    let games = (course.len() as f64).max(10.0);
    let x = LinearAxis::covering([0.0, games], 1.0, frame.ticks);
    let [right, _] = frame.end();
    let points = points(course).map(|(game, llr)| [x.x(frame, game), y.y(frame, llr)]);
    let content = html! {
        (y.y_grid(frame, |llr| llr.to_string()))
        (x.x_grid(frame, |game| game.to_string()))
        @for (bound, class, name) in [(upper, "upper", "H1"), (lower, "lower", "H0")] {
            @let at = y.y(frame, bound);
            (line(&format!("bound {class}"), [frame.left, at], [right, at]))
            (label(class, [right + 5.0, at + 4.0], name))
        }
        path.line.of-white d=(path_through(points)) {}
        (frame.names("Games", "LLR"))
    };
    let text = format!(
        "Logarithm of the likelihood ratio after each of {} games. {}",
        course.len(),
        words(report)
    );
    frame.chart(&text, &content)
}

/// The points to draw: game and ratio, from the start of the test.
fn points(course: &[f64]) -> impl Iterator<Item = (f64, f64)> {
    let every = course.len().div_ceil(MOST_POINTS).max(1);
    let last = course.len();
    let drawn = move |game: &usize| game.is_multiple_of(every) || *game == last;
    let at = |game: usize| game.checked_sub(1).map_or(0.0, |i| course[i]);
    (0..=last)
        .filter(drawn)
        .map(move |game| (game as f64, at(game)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_courses_are_thinned_out() {
        let course: Vec<f64> = (1..=10_001).map(f64::from).collect();
        let points: Vec<_> = points(&course).collect();
        assert!(points.len() <= MOST_POINTS + 2);
        assert_eq!(
            (points[0], points[points.len() - 1]),
            ((0.0, 0.0), (10_001.0, 10_001.0))
        );
        assert!(points.iter().all(|(game, llr)| (game - llr).abs() < 1e-9));
    }
}
