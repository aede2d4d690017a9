//! The values of tie-breaks.

use crate::event::Score;
use std::fmt;

/// The value of a tie-break for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The tie-break does not apply: there is no tie to break, or nothing to count.
    None,
    /// A rank from one on: the lower, the better.
    Rank(usize),
    /// How many rounds or games.
    Count(u32),
    /// Points, with one decimal.
    Points(Score),
    /// A hundred times a product or an average of points, which have two decimals.
    Hundredths(u64),
    /// A rating or a performance.
    Rating(i32),
}

impl Value {
    /// The number that is shown, if there is one.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // Ranks and points are far below 2^53.
    pub fn number(&self) -> Option<f64> {
        match *self {
            Self::None => None,
            Self::Rank(rank) => Some(rank as f64),
            Self::Count(count) => Some(f64::from(count)),
            Self::Points(points) => Some(f64::from(points.tenths) / 10.0),
            Self::Hundredths(hundredths) => Some(hundredths as f64 / 100.0),
            Self::Rating(rating) => Some(f64::from(rating)),
        }
    }

    /// The higher, the better. Only values of the same tie-break are compared.
    pub(super) fn key(&self) -> i64 {
        match *self {
            Self::None => i64::MIN,
            Self::Rank(rank) => -i64::try_from(rank).unwrap_or(i64::MAX),
            Self::Count(count) => count.into(),
            Self::Points(points) => points.tenths.into(),
            Self::Hundredths(hundredths) => i64::try_from(hundredths).unwrap_or(i64::MAX),
            Self::Rating(rating) => rating.into(),
        }
    }
}

impl fmt::Display for Value {
    /// Points with one decimal, products and averages of points with two, `-` for [`Value::None`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::None => "-".to_owned(),
            Self::Rank(rank) => rank.to_string(),
            Self::Count(count) => count.to_string(),
            Self::Points(points) => points.to_string(),
            Self::Hundredths(hundredths) => format!("{}.{:02}", hundredths / 100, hundredths % 100),
            Self::Rating(rating) => rating.to_string(),
        };
        f.pad(&text)
    }
}
