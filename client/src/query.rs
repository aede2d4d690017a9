//! The language of `epode query`: tests of a record, joined by `and`, `or` and `not`. `epode sort` orders by
//! the same terms.

mod comparison;
mod condition;
mod error;
mod material;
mod parse;
mod pattern;
mod term;
mod token;

use epd::Record;

pub use self::error::QueryError;
pub use self::material::signature;
pub use self::term::{Facts, Term, Value, phase};

use self::condition::Test;

/// A query.
#[derive(Debug)]
pub struct Query(Test);

impl Query {
    /// Reads a query.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        parse::query(text).map(Self)
    }

    /// Whether the operations of a record matter, not only its position.
    pub fn needs_operations(&self) -> bool {
        self.0.needs_operations()
    }

    /// Whether a record passes.
    pub fn matches(&self, record: &Record) -> bool {
        self.0.holds(&Facts::new(record))
    }
}

#[cfg(test)]
mod tests;
