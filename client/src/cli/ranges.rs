//! Choices of numbers.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// Numbers and ranges of numbers: `3,7-9,20-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges(Vec<RangeInclusive<usize>>);

impl Ranges {
    pub fn contains(&self, number: usize) -> bool {
        self.0.iter().any(|range| range.contains(&number))
    }

    /// The greatest number that is asked for; none if a range has no end.
    pub fn last(&self) -> Option<usize> {
        let ends = self.0.iter().map(|range| *range.end()).max();
        ends.filter(|&end| end < usize::MAX)
    }

    /// The greatest number that must exist: where the last range begins or ends.
    pub fn greatest(&self) -> usize {
        let named = self.0.iter().map(|range| match *range.end() {
            usize::MAX => *range.start(),
            end => end,
        });
        named.max().unwrap_or(0)
    }
}

impl Ranges {
    /// Ranges of numbers from 0.
    pub fn from_zero(text: &str) -> Result<Self, String> {
        Self::parse(text, 0)
    }

    fn parse(text: &str, least: usize) -> Result<Self, String> {
        let number = |text: &str| match text.parse() {
            Ok(number) if number >= least => Ok(number),
            _ => Err(format!("{text:?} is not a number from {least}")),
        };
        let range = |text: &str| match text.split_once('-') {
            // A negative number, not a range without a beginning.
            None | Some(("", _)) => number(text).map(|number| number..=number),
            Some((first, "")) => Ok(number(first)?..=usize::MAX),
            Some((first, last)) => {
                let (first, last) = (number(first)?, number(last)?);
                if first > last {
                    return Err(format!("{first}-{last} is empty"));
                }
                Ok(first..=last)
            }
        };
        let ranges = text.split(',').map(|text| range(text.trim()));
        Ok(Self(ranges.collect::<Result<_, _>>()?))
    }
}

/// Ranges of numbers from 1.
impl FromStr for Ranges {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(text, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_records() {
        let ranges: Ranges = "3,7-9".parse().expect("ranges");
        let chosen: Vec<_> = (0..30).filter(|&number| ranges.contains(number)).collect();
        assert_eq!(chosen, [3, 7, 8, 9]);
        assert_eq!((ranges.last(), ranges.greatest()), (Some(9), 9));
        let open: Ranges = "2, 5-".parse().expect("ranges");
        assert_eq!((open.last(), open.greatest()), (None, 5));
        for text in ["", "0", "x", "3-2", "1,,2", "-3", "1-x"] {
            assert!(text.parse::<Ranges>().is_err(), "{text}");
        }
    }

    #[test]
    fn negative_numbers_are_none() {
        let error = Ranges::from_zero("-1").expect_err("below zero");
        assert_eq!(error, "\"-1\" is not a number from 0");
    }

    #[test]
    fn ranges_from_zero() {
        let ranges = Ranges::from_zero("0,4-").expect("ranges");
        assert!(ranges.contains(0) && !ranges.contains(3) && ranges.contains(4));
    }
}
