//! Comparisons of a value with another one.

use super::term::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Contains,
}

impl Comparison {
    pub fn holds(self, value: &Value, with: &Value) -> bool {
        if self == Self::Contains {
            return value.to_string().contains(&with.to_string());
        }
        let order = match (value, with) {
            (Value::Number(one), Value::Number(two)) => one.partial_cmp(two),
            (Value::Text(one), Value::Text(two)) => Some(one.cmp(two)),
            // A number and a text are not equal, and neither is less.
            _ => None,
        };
        match self {
            Self::Equal => order.is_some_and(std::cmp::Ordering::is_eq),
            Self::Unequal => !order.is_some_and(std::cmp::Ordering::is_eq),
            Self::Less => order.is_some_and(std::cmp::Ordering::is_lt),
            Self::LessOrEqual => order.is_some_and(std::cmp::Ordering::is_le),
            Self::Greater => order.is_some_and(std::cmp::Ordering::is_gt),
            Self::GreaterOrEqual => order.is_some_and(std::cmp::Ordering::is_ge),
            Self::Contains => false,
        }
    }
}
