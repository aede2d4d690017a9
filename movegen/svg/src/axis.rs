//! Axes between round numbers.

use maud::{Markup, html};

use crate::chart::{Frame, label, line};

/// 1, 2, 5, 10, 20, 50 ... up to the limit of the type.
pub fn round_numbers() -> impl Iterator<Item = u64> {
    let decades = std::iter::successors(Some(1_u64), |decade| decade.checked_mul(10));
    decades.flat_map(|decade| {
        [1, 2, 5]
            .into_iter()
            .filter_map(move |n| decade.checked_mul(n))
    })
}

/// A linear axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearAxis {
    from: f64,
    to: f64,
    step: f64,
}

impl LinearAxis {
    /// An axis that covers `least` to `most` in at most `most_steps` steps. A step is `finest` times 1, 2, 5,
    /// 10 ...; both ends are multiples of it.
    ///
    /// # Panics
    /// If there is no such axis: `finest` is not above 0, or an end is infinite.
    #[must_use]
    pub fn covering([least, most]: [f64; 2], finest: f64, most_steps: usize) -> Self {
        assert!(finest > 0.0 && least.is_finite() && most.is_finite());
        let ends = |step: f64| [(least / step).floor(), (most / step).ceil()];
        let fits = |step: &f64| {
            let [first, last] = ends(*step);
            last - first <= most_steps.max(2) as f64
        };
        let mut steps = round_numbers().map(|number| number as f64 * finest);
        let step = steps.find(fits).unwrap_or(finest * u64::MAX as f64);
        let [first, last] = ends(step);
        // An axis has at least one step.
        let last = last.max(first + 1.0);
        Self {
            from: first * step,
            to: last * step,
            step,
        }
    }

    /// The numbers that have a grid line.
    pub fn ticks(&self) -> impl Iterator<Item = f64> + use<> {
        let Self { from, to, step } = *self;
        let count = ((to - from) / step).round() as usize;
        (0..=count).map(move |n| from + n as f64 * step)
    }

    fn part(&self, number: f64) -> f64 {
        (number - self.from) / (self.to - self.from)
    }

    /// The place of a number on the x axis of a frame.
    #[must_use]
    pub fn x(&self, frame: &Frame, number: f64) -> f64 {
        frame.left + frame.plot_width() * self.part(number)
    }

    /// The place of a number on the y axis of a frame.
    #[must_use]
    pub fn y(&self, frame: &Frame, number: f64) -> f64 {
        frame.top + frame.plot_height() * (1.0 - self.part(number))
    }

    /// The horizontal grid lines of a y axis, with their labels.
    pub fn y_grid(&self, frame: &Frame, text: impl Fn(f64) -> String) -> Markup {
        let [right, _] = frame.end();
        let left = frame.left;
        html! {
            @for number in self.ticks() {
                @let y = self.y(frame, number);
                (line("grid", [left, y], [right, y]))
                (label("end", [left - 7.0, y + 4.0], &text(number)))
            }
        }
    }

    /// The vertical grid lines of an x axis, with their labels.
    pub fn x_grid(&self, frame: &Frame, text: impl Fn(f64) -> String) -> Markup {
        let ticks = self.ticks();
        html! { @for number in ticks { (x_tick(frame, self.x(frame, number), &text(number))) } }
    }
}

fn x_tick(frame: &Frame, x: f64, text: &str) -> Markup {
    let [_, bottom] = frame.end();
    html! {
        (line("grid", [x, frame.top], [x, bottom]))
        (label("middle", [x, bottom + 20.0], text))
    }
}

/// A logarithmic x axis.
#[derive(Clone, Debug, PartialEq)]
pub struct LogAxis {
    from: f64,
    to: f64,
    ticks: Vec<u64>,
}

impl LogAxis {
    /// An axis that covers `least` to `most`, with at most `most_ticks` ticks if possible. Numbers
    /// below 1 are placed at 1.
    #[must_use]
    pub fn covering([least, most]: [u64; 2], most_ticks: usize) -> Self {
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

    /// The place of a number on the x axis of a frame.
    #[must_use]
    pub fn x(&self, frame: &Frame, number: u64) -> f64 {
        let part = (number.max(1) as f64 / self.from).ln() / (self.to / self.from).ln();
        frame.left + frame.plot_width() * part.clamp(0.0, 1.0)
    }

    /// The vertical grid lines, with their labels.
    pub fn x_grid(&self, frame: &Frame, text: impl Fn(u64) -> String) -> Markup {
        html! {
            @for &number in &self.ticks { (x_tick(frame, self.x(frame, number), &text(number))) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame = Frame::new("small", [380.0, 236.0], 7);

    #[test]
    fn logarithmic_axes_cover_their_numbers() {
        for (least, most) in [(0, 0), (1, 1), (7, 93), (604, 1_000_000), (0, u64::MAX)] {
            let axis = LogAxis::covering([least, most], 7);
            assert!((2..=11).contains(&axis.ticks.len()), "{:?}", axis.ticks);
            assert!(axis.from <= least.max(1) as f64 && most as f64 <= axis.to);
            let x = |number| axis.x(&FRAME, number);
            let places = [FRAME.left, x(least), x(most), FRAME.end()[0]];
            assert!(places.is_sorted(), "{places:?}");
        }
    }

    #[test]
    fn linear_axes_cover_their_numbers() {
        for (least, most, finest, expected) in [
            (0.0, 24.0, 1.0, vec![0.0, 5.0, 10.0, 15.0, 20.0, 25.0]),
            (0.0, 1.0, 1.0, vec![0.0, 1.0]),
            (0.0, 0.0, 1.0, vec![0.0, 1.0]),
            (-2.94, 2.94, 0.5, vec![-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0]),
            (-0.2, 7.0, 1.0, vec![-2.0, 0.0, 2.0, 4.0, 6.0, 8.0]),
        ] {
            let axis = LinearAxis::covering([least, most], finest, 6);
            assert_eq!(axis.ticks().collect::<Vec<_>>(), expected);
            let y = |number| axis.y(&FRAME, number);
            let places = [FRAME.top, y(most), y(least), FRAME.end()[1]];
            assert!(places.is_sorted(), "{places:?}");
        }
    }
}
