//! The graphs of a game: evaluations of both sides, and the time for each move.

use maud::{Markup, html};
use movegen::Color;
use svg::{Frame, LinearAxis, line, path_through};

use super::clock::duration;
use super::evaluation::{pawns, text};
use super::replay::{Replay, Scene, Step, side_name};

/// A graph on the page of a game.
const GRAPH: Frame = Frame {
    left: 34.0,
    right: 8.0,
    top: 22.0,
    bottom: 26.0,
    ..Frame::new("graph", [520.0, 190.0], 10)
};

/// The small graph on a card.
const SPARK: Frame = Frame {
    left: 0.0,
    right: 0.0,
    top: 2.0,
    bottom: 2.0,
    ..Frame::new("spark", [240.0, 36.0], 0)
};

/// The CSS class of a side's colour in graphs.
fn class(side: Color) -> &'static str {
    match side {
        Color::White => "of-white",
        Color::Black => "of-black",
    }
}

/// The key to the colours of both sides.
pub fn legend() -> Markup {
    html! {
        span.legend {
            @for side in Color::ALL {
                span { i.key.(class(side)) {} (side_name(side)) }
            }
        }
    }
}

/// The axis of moves, by their numbers.
fn move_axis(replay: &Replay<'_>, frame: &Frame) -> LinearAxis {
    let first = f64::from(replay.start.fullmove_number());
    let last = replay.steps.last().map_or(first, Step::x);
    LinearAxis::covering(
        [first - 1.0, last.max(first + 9.0)],
        1.0,
        frame.ticks.max(2),
    )
}

/// The line of a side's evaluations.
fn course(replay: &Replay<'_>, side: Color, frame: &Frame, axes: [&LinearAxis; 2]) -> String {
    let [x, y] = axes;
    let steps = replay.steps.iter().filter(|step| step.mover() == side);
    let points = steps.filter_map(|step| {
        let pawns = pawns(step.eval()?);
        Some([x.x(frame, step.x()), y.y(frame, pawns)])
    });
    path_through(points)
}

/// The axis of evaluations, at least a pawn to either side.
fn pawn_axis(replay: &Replay<'_>, most_steps: usize) -> LinearAxis {
    let evals = || {
        replay
            .steps
            .iter()
            .filter_map(|step| Some(pawns(step.eval()?)))
    };
    let least = evals().fold(-1.0, f64::min);
    let most = evals().fold(1.0, f64::max);
    LinearAxis::covering([least, most], 1.0, most_steps)
}

/// A vertical line at the position that is shown.
fn cursor(scene: &Scene<'_>, frame: &Frame, x: &LinearAxis) -> Markup {
    let at = scene.last().map(|step| x.x(frame, step.x()));
    let [_, bottom] = frame.end();
    html! {
        @if let Some(at) = at { (line("cursor", [at, frame.top], [at, bottom])) }
    }
}

/// The evaluations of both sides, from White's point of view.
pub fn evaluations(scene: &Scene<'_>) -> Markup {
    let (replay, frame) = (scene.replay, &GRAPH);
    let (x, y) = (move_axis(replay, frame), pawn_axis(replay, 6));
    let [right, _] = frame.end();
    let zero = y.y(frame, 0.0);
    let content = html! {
        (y.y_grid(frame, |pawns| format!("{pawns:+}").replace("+0", "0")))
        (x.x_grid(frame, |number| number.to_string()))
        (line("zero", [frame.left, zero], [right, zero]))
        (cursor(scene, frame, &x))
        @for side in Color::ALL {
            path.line.(class(side)) d=(course(replay, side, frame, [&x, &y])) {}
        }
    };
    let last = |side| {
        let eval = scene.last_thought(side).and_then(Step::eval);
        let eval = eval.map_or_else(|| "none".to_owned(), text);
        format!("{} {eval}", side_name(side))
    };
    let label = format!(
        "Evaluations by move, from White\u{2019}s point of view. Last: {}, {}",
        last(Color::White),
        last(Color::Black)
    );
    frame.chart(&label, &content)
}

/// The evaluations without axes; nothing before the second one.
pub fn spark(replay: &Replay<'_>) -> Markup {
    let frame = &SPARK;
    if replay.steps.iter().filter_map(Step::eval).count() < 2 {
        return html! {};
    }
    let (x, y) = (move_axis(replay, frame), pawn_axis(replay, 2));
    let [right, _] = frame.end();
    let zero = y.y(frame, 0.0);
    let content = html! {
        (line("zero", [0.0, zero], [right, zero]))
        @for side in Color::ALL {
            path.line.(class(side)) d=(course(replay, side, frame, [&x, &y])) {}
        }
    };
    html! {
        svg.spark viewBox=(format!("0 0 {} {}", frame.width, frame.height))
            preserveAspectRatio="none" aria-hidden="true" { (content) }
    }
}

/// The time for each move: White's upwards, Black's downwards.
pub fn times(scene: &Scene<'_>) -> Markup {
    let (replay, frame) = (scene.replay, &GRAPH);
    let times = || {
        replay
            .steps
            .iter()
            .filter_map(|step| Some(step.played?.elapsed_ms))
    };
    let most = times().fold(1.0, f64::max);
    let x = move_axis(replay, frame);
    let y = LinearAxis::covering([-most, most], 1.0, 6);
    let zero = y.y(frame, 0.0);
    let width = (x.x(frame, 2.0) - x.x(frame, 1.0)) * 0.7;
    let content = html! {
        (y.y_grid(frame, |time| seconds(time.abs())))
        (x.x_grid(frame, |number| number.to_string()))
        @for step in &replay.steps {
            @if let Some(played) = step.played {
                @let side = step.mover();
                @let sign = if side == Color::White { 1.0 } else { -1.0 };
                @let top = y.y(frame, (sign * played.elapsed_ms).max(0.0));
                @let height = (y.y(frame, 0.0) - y.y(frame, played.elapsed_ms)).max(0.5);
                @let left = x.x(frame, f64::from(step.before.fullmove_number())) - width / 2.0;
                @let tip = format!("{}: {}", step.numbered(), duration(played.elapsed_ms));
                (svg::bar(class(side), [left, top], [width, height], &tip))
            }
        }
        (line("zero", [frame.left, zero], [frame.end()[0], zero]))
        (cursor(scene, frame, &x))
    };
    let average = |side| {
        let times = replay.steps.iter().filter(|step| step.mover() == side);
        let times: Vec<_> = times
            .filter_map(|step| Some(step.played?.elapsed_ms))
            .collect();
        let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
        format!("{} {}", side_name(side), duration(mean))
    };
    let label = format!(
        "Time for each move. On average: {}, {}",
        average(Color::White),
        average(Color::Black)
    );
    frame.chart(&label, &content)
}

/// A time on an axis: `0`, `0.5s`, `20s`, `5m`.
fn seconds(milliseconds: f64) -> String {
    match milliseconds / 1000.0 {
        seconds if seconds >= 120.0 => format!("{:.0}m", seconds / 60.0),
        0.0 => "0".to_owned(),
        seconds => format!("{seconds}s"),
    }
}
