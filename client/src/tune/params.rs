//! The parameters to tune. They are written as in files of `OpenBench`: `name, int|float, value, min, max, c_end,
//! r_end`.

mod parse;

use std::fmt;

use crate::text::trimmed;
pub use parse::{ParamError, is_repeated, read_argument, read_file};

/// The number of decimals that are written and sent to engines, and that of very small numbers.
const DECIMALS: f64 = 6.0;
const MOST_DECIMALS: f64 = 18.0;
/// `c_end` by default, as a part of the range, as in fishtest.
const STEPS_IN_RANGE: f64 = 20.0;
/// `r_end` by default, as in fishtest.
const R_END: f64 = 0.002;
/// The smallest default of `c_end` for whole numbers: below it, both sides often play with the same value.
const LEAST_WHOLE_STEP: f64 = 0.5;

/// What an engine takes as the value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Whole,
    Real,
}

impl Kind {
    const fn word(self) -> &'static str {
        match self {
            Self::Whole => "int",
            Self::Real => "float",
        }
    }
}

/// A parameter with its start value, in the units of the engine's option.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub name: String,
    pub kind: Kind,
    pub start: f64,
    pub min: f64,
    pub max: f64,
    /// The perturbation at the end of the run.
    pub c_end: f64,
    /// The learning rate at the end of the run: a pair of games that one side wins moves the parameter by
    /// `2 * r_end * c_end`.
    pub r_end: f64,
}

impl Param {
    /// A parameter with the default step and learning rate.
    pub fn new(name: &str, kind: Kind, start: f64, [min, max]: [f64; 2]) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            start,
            min,
            max,
            c_end: default_step(kind, [min, max]),
            r_end: R_END,
        }
    }

    /// A value as it is sent to an engine.
    pub fn text(&self, value: f64) -> String {
        match self.kind {
            Kind::Whole => format!("{value:.0}"),
            Kind::Real => number(value),
        }
    }

    /// The same parameter with another start value, rounded if it is a whole number.
    pub fn at(&self, value: f64) -> Self {
        let start = match self.kind {
            Kind::Whole => value.round(),
            Kind::Real => value,
        };
        Self {
            start,
            ..self.clone()
        }
    }
}

/// Prints the line of a file.
impl fmt::Display for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            kind,
            start,
            min,
            max,
            c_end,
            r_end,
        } = self;
        let [start, min, max, c_end, r_end] = [start, min, max, c_end, r_end].map(|&n| number(n));
        let kind = kind.word();
        write!(f, "{name}, {kind}, {start}, {min}, {max}, {c_end}, {r_end}")
    }
}

/// A number without superfluous zeros, with six decimals at most, or six digits if it is small.
pub fn number(value: f64) -> String {
    let magnitude = value.abs().log10().floor();
    let digits = (DECIMALS - 1.0 - magnitude).clamp(DECIMALS, MOST_DECIMALS);
    let text = trimmed(value, digits as usize);
    if text == "-0" { "0".to_owned() } else { text }
}

fn default_step(kind: Kind, [min, max]: [f64; 2]) -> f64 {
    let step = (max - min) / STEPS_IN_RANGE;
    match kind {
        Kind::Whole => step.max(LEAST_WHOLE_STEP),
        Kind::Real => step,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_few_digits() {
        for (value, text) in [
            (0.0, "0"),
            (-1e-30, "0"),
            (1_234.567_891_2, "1234.567891"),
            (2.0 / 3.0, "0.666667"),
            (1.5e-9, "0.0000000015"),
            (-0.000_123_456_7, "-0.000123457"),
        ] {
            assert_eq!(number(value), text);
        }
    }
}
