//! Reads parameters.
//!
//! A file has a line for each, in the form of `OpenBench`: `name, int|float, value, min, max, c_end, r_end`.
//! The form of fishtest, without the type, is read too; its parameters are whole numbers. Blank lines and
//! what follows a `#` are skipped, and `c_end` and `r_end` may be left out. On the command line a parameter
//! is `name=value,min..max`, and after that `step=C` or `c_end=C`, `r_end=R`, and `int` or `float` if
//! the numbers do not tell which it is.

use std::fmt;

use super::{Kind, Param};

/// What is wrong with the text of a parameter.
#[derive(Debug, PartialEq, Eq)]
pub struct ParamError {
    /// The line and the column, from 1.
    pub line: usize,
    pub column: usize,
    what: String,
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

/// A part of a line, with the column at which it begins.
#[derive(Clone, Copy, Debug)]
struct Field<'t> {
    column: usize,
    text: &'t str,
}

impl<'t> Field<'t> {
    /// The field without the blanks around it.
    fn trimmed(self) -> Self {
        let text = self.text.trim_start();
        let blanks = self.text[..self.text.len() - text.len()].chars().count();
        Self {
            column: self.column + blanks,
            text: text.trim_end(),
        }
    }

    /// The parts between commas.
    fn split(self) -> impl Iterator<Item = Self> {
        let mut column = self.column;
        self.text.split(',').map(move |text| {
            let field = Field { column, text };
            column += text.chars().count() + 1;
            field.trimmed()
        })
    }

    /// The parts before and after a separator, which is at the byte `at`.
    fn cut(self, at: usize, separator: &str) -> (Self, Self) {
        let before = &self.text[..at];
        let after = Self {
            column: self.column + before.chars().count() + separator.len(),
            text: &self.text[at + separator.len()..],
        };
        let before = Self {
            text: before,
            ..self
        };
        (before.trimmed(), after.trimmed())
    }

    fn error(self, what: impl Into<String>) -> ParamError {
        ParamError {
            line: 1,
            column: self.column,
            what: what.into(),
        }
    }

    fn expected(self, what: &str) -> ParamError {
        let found = match self.text {
            "" => "nothing".to_owned(),
            text => format!("{text:?}"),
        };
        self.error(format!("found {found}, expected {what}"))
    }

    fn number(self, what: &str) -> Result<f64, ParamError> {
        let number: Option<f64> = self.text.parse().ok();
        number
            .filter(|number| number.is_finite())
            .ok_or_else(|| self.expected(what))
    }

    fn positive(self, what: &str) -> Result<f64, ParamError> {
        let number = self.number(what)?;
        if number <= 0.0 {
            return Err(self.expected(&format!("{what} above 0")));
        }
        Ok(number)
    }

    fn name(self) -> Result<&'t str, ParamError> {
        if self.text.is_empty() || self.text.contains(char::is_control) {
            return Err(self.expected("the name of an option"));
        }
        Ok(self.text)
    }
}

/// The three numbers that every parameter has, with their places.
struct Numbers<'t> {
    value: Field<'t>,
    min: Field<'t>,
    max: Field<'t>,
}

impl Numbers<'_> {
    /// The kind that the numbers look like.
    fn kind(&self) -> Kind {
        let is_whole = |field: &Field<'_>| field.text.parse::<i64>().is_ok();
        if [&self.value, &self.min, &self.max]
            .into_iter()
            .all(is_whole)
        {
            Kind::Whole
        } else {
            Kind::Real
        }
    }

    /// The parameter, once the numbers are checked.
    fn param(&self, name: &str, kind: Kind) -> Result<Param, ParamError> {
        let read = |field: Field<'_>, what: &str| {
            let number = field.number(what)?;
            if kind == Kind::Whole && number.fract() != 0.0 {
                return Err(field.expected(&format!("{what} that is a whole number")));
            }
            Ok(number)
        };
        let min = read(self.min, "a minimum")?;
        let max = read(self.max, "a maximum")?;
        if max <= min {
            return Err(self
                .max
                .expected(&format!("a maximum above {}", self.min.text)));
        }
        let start = read(self.value, "a value")?;
        if !(min..=max).contains(&start) {
            let (min, max) = (self.min.text, self.max.text);
            return Err(self.value.expected(&format!("a value from {min} to {max}")));
        }
        Ok(Param::new(name, kind, start, [min, max]))
    }
}

/// Reads a parameter of the command line.
pub fn read_argument(text: &str) -> Result<Param, ParamError> {
    const FORM: &str = "NAME=VALUE,MIN..MAX";
    let whole = Field { column: 1, text };
    let at = text.find('=').ok_or_else(|| whole.expected(FORM))?;
    let (name, rest) = whole.cut(at, "=");
    let name = name.name()?;
    let mut fields = rest.split();
    let value = fields.next().unwrap_or(rest);
    let end = Field {
        column: text.chars().count() + 1,
        text: "",
    };
    let range = fields.next().unwrap_or(end);
    let at = range.text.find("..");
    let at = at.ok_or_else(|| range.expected("a range MIN..MAX"))?;
    let (min, max) = range.cut(at, "..");
    let numbers = Numbers { value, min, max };
    let (mut kind, mut c_end, mut r_end) = (numbers.kind(), None, None);
    for field in fields {
        match (field.text, field.text.find('=')) {
            ("int", _) => kind = Kind::Whole,
            ("float", _) => kind = Kind::Real,
            (_, Some(at)) => {
                let (key, number) = field.cut(at, "=");
                match key.text {
                    "step" | "c_end" => c_end = Some(number.positive("a step")?),
                    "r_end" => r_end = Some(number.positive("a learning rate")?),
                    _ => return Err(key.expected("step, c_end or r_end")),
                }
            }
            _ => return Err(field.expected("step=C, c_end=C, r_end=R, int or float")),
        }
    }
    let mut param = numbers.param(name, kind)?;
    param.c_end = c_end.unwrap_or(param.c_end);
    param.r_end = r_end.unwrap_or(param.r_end);
    Ok(param)
}

/// Reads a file of parameters.
pub fn read_file(text: &str) -> Result<Vec<Param>, ParamError> {
    let mut params: Vec<Param> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let at = |error: ParamError| ParamError {
            line: number,
            ..error
        };
        let line = line.split('#').next().unwrap_or_default();
        if line.trim().is_empty() {
            continue;
        }
        let whole = Field {
            column: 1,
            text: line,
        };
        let param = read_line(whole).map_err(at)?;
        if is_repeated(&params, &param) {
            return Err(at(whole
                .trimmed()
                .error(format!("{} is there twice", param.name))));
        }
        params.push(param);
    }
    Ok(params)
}

/// Whether a parameter has the name of an earlier one; names of options are not case-sensitive.
pub fn is_repeated(params: &[Param], param: &Param) -> bool {
    let mut params = params.iter();
    params.any(|other| other.name.eq_ignore_ascii_case(&param.name))
}

fn read_line(line: Field<'_>) -> Result<Param, ParamError> {
    let mut fields = line.split().peekable();
    let name = fields.next().unwrap_or(line).name()?;
    let kind = fields.peek().and_then(|field| match field.text {
        "int" => Some(Kind::Whole),
        "float" => Some(Kind::Real),
        _ => None,
    });
    if kind.is_some() {
        fields.next();
    }
    let end = Field {
        column: line.column + line.text.trim_end().chars().count(),
        text: "",
    };
    if let Some(field) = fields.peek()
        && kind.is_none()
    {
        field.number("int or float, or a value")?;
    }
    let mut next = || fields.next().unwrap_or(end);
    let numbers = Numbers {
        value: next(),
        min: next(),
        max: next(),
    };
    let mut param = numbers.param(name, kind.unwrap_or(Kind::Whole))?;
    if let Some(field) = fields.next() {
        param.c_end = field.positive("a step (c_end)")?;
    }
    if let Some(field) = fields.next() {
        param.r_end = field.positive("a learning rate (r_end)")?;
    }
    match fields.next() {
        None => Ok(param),
        Some(field) => Err(field.expected("the end of the line")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments() {
        for (text, line) in [
            ("M=120,50..250", "M, int, 120, 50, 250, 10, 0.002"),
            (
                "L=0.75,0.2..1.5,step=0.05",
                "L, float, 0.75, 0.2, 1.5, 0.05, 0.002",
            ),
            (
                "Move Overhead = 1, 0 .. 9, float",
                "Move Overhead, float, 1, 0, 9, 0.45, 0.002",
            ),
            ("N=-3,-10..-1,r_end=0.01", "N, int, -3, -10, -1, 0.5, 0.01"),
        ] {
            let param = read_argument(text).expect(text);
            assert_eq!(param.to_string(), line);
            assert_eq!(read_file(line), Ok(vec![param]));
        }
        for (text, column, what) in [
            ("M", 1, "found \"M\", expected NAME=VALUE,MIN..MAX"),
            (
                "=1,2..3",
                1,
                "found nothing, expected the name of an option",
            ),
            ("M=1", 4, "found nothing, expected a range MIN..MAX"),
            ("M=x,0..1", 3, "found \"x\", expected a value"),
            ("M=5,0..4", 3, "found \"5\", expected a value from 0 to 4"),
            ("M=5,6..4", 8, "found \"4\", expected a maximum above 6"),
            (
                "M=5,0..9,stp=1",
                10,
                "found \"stp\", expected step, c_end or r_end",
            ),
            (
                "M=5,0..9,step=0",
                15,
                "found \"0\", expected a step above 0",
            ),
            (
                "M=5,0..9,7",
                10,
                "found \"7\", expected step=C, c_end=C, r_end=R, int or float",
            ),
            (
                "M=5.5,0..9,int",
                3,
                "found \"5.5\", expected a value that is a whole number",
            ),
            ("M=5,0..inf", 8, "found \"inf\", expected a maximum"),
        ] {
            let error = read_argument(text).expect_err(text);
            assert_eq!(
                (error.column, error.to_string().as_str()),
                (column, what),
                "{text}"
            );
        }
    }

    #[test]
    fn files() {
        let text =
            "# from fishtest\nM,120,50,250,12.5,0.002\n\n  L , float , 0.75 , 0.2 , 1.5 # short\n";
        let params = read_file(text).expect("readable");
        let lines: Vec<_> = params.iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "M, int, 120, 50, 250, 12.5, 0.002",
                "L, float, 0.75, 0.2, 1.5, 0.065, 0.002"
            ]
        );
        for (text, place, what) in [
            (
                "\nM, int, 1, 0",
                (2, 13),
                "found nothing, expected a maximum",
            ),
            (
                "M, int, 1, 0, 9, x",
                (1, 18),
                "found \"x\", expected a step (c_end)",
            ),
            (
                "M, int, 1, 0, 9, 1, 1, 1",
                (1, 24),
                "found \"1\", expected the end of the line",
            ),
            (
                "M, real, 1, 0, 9",
                (1, 4),
                "found \"real\", expected int or float, or a value",
            ),
            ("M, 1, 0, 9\n m, 1, 0, 9", (2, 2), "m is there twice"),
        ] {
            let error = read_file(text).expect_err(text);
            assert_eq!(error.to_string(), what);
            assert_eq!((error.line, error.column), place, "{text}");
        }
    }
}
