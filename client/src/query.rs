//! The language of `epode query`: tests of a record, joined by `and`, `or` and `not`. `epode sort` orders by
//! the same terms.

mod material;
mod parse;
mod pattern;
mod term;
mod token;

use std::fmt;
use std::ops::Range;

use epd::Record;
use movegen::{Bitboard, Piece};

pub use self::material::signature;
pub use self::term::{Facts, Term, Value, phase};

use self::material::Material;
use self::pattern::Pattern;

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

/// Why a text is not a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError {
    text: String,
    /// The bytes of the text that are wrong.
    span: Range<usize>,
    message: String,
}

impl std::error::Error for QueryError {}

/// The message, the query, and a caret below what is wrong.
impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            text,
            span,
            message,
        } = self;
        let before = text[..span.start].chars().count();
        let carets = text[span.clone()].chars().count().max(1);
        writeln!(f, "{message}")?;
        writeln!(f, "  {}", text.replace(['\n', '\t'], " "))?;
        write!(f, "  {:before$}{}", "", "^".repeat(carets))
    }
}

/// A test of a record.
#[derive(Debug)]
enum Test {
    All(Vec<Self>),
    Any(Vec<Self>),
    Not(Box<Self>),
    Flag(Flag),
    /// The record has an operation.
    Has(String),
    Compare {
        term: Term,
        how: Comparison,
        with: Value,
    },
    Material(Material),
    /// A piece stands on one of these squares; any of several.
    Placed(Vec<Piece>, Bitboard),
    Pattern(Pattern),
}

/// What is true or false of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
enum Flag {
    Legal,
    InCheck,
    Checkmate,
    Stalemate,
    /// A legal capture en passant.
    EnPassant,
    Chess960,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Contains,
}

impl Test {
    fn needs_operations(&self) -> bool {
        match self {
            Self::All(tests) | Self::Any(tests) => tests.iter().any(Self::needs_operations),
            Self::Not(test) => test.needs_operations(),
            Self::Has(_) => true,
            Self::Compare { term, .. } => matches!(term, Term::Opcode(_)),
            Self::Flag(_) | Self::Material(_) | Self::Placed(..) | Self::Pattern(_) => false,
        }
    }

    fn holds(&self, facts: &Facts<'_>) -> bool {
        match self {
            Self::All(tests) => tests.iter().all(|test| test.holds(facts)),
            Self::Any(tests) => tests.iter().any(|test| test.holds(facts)),
            Self::Not(test) => !test.holds(facts),
            Self::Flag(flag) => flag.holds(facts),
            Self::Has(opcode) => facts.record.get(opcode).is_some(),
            Self::Compare { term, how, with } => term.any(facts, |value| how.holds(&value, with)),
            Self::Material(material) => material.is_of(&facts.record.setup),
            Self::Placed(pieces, squares) => {
                let board = &facts.record.setup.board;
                squares.into_iter().any(|square| {
                    board[square.index()].is_some_and(|piece| pieces.contains(&piece))
                })
            }
            Self::Pattern(pattern) => pattern.matches(&facts.record.setup),
        }
    }
}

impl Flag {
    fn holds(self, facts: &Facts<'_>) -> bool {
        facts.position().is_some_and(|position| match self {
            Self::Legal => true,
            Self::InCheck => position.is_check(),
            Self::Checkmate => position.is_checkmate(),
            Self::Stalemate => position.is_stalemate(),
            Self::EnPassant => position.legal_en_passant().is_some(),
            Self::Chess960 => position.castling_mode() == movegen::CastlingMode::Chess960,
        })
    }
}

impl Comparison {
    fn holds(self, value: &Value, with: &Value) -> bool {
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

#[cfg(test)]
mod tests;
