//! Tests of a record.

use movegen::{Bitboard, Piece};

use super::comparison::Comparison;
use super::material::Material;
use super::pattern::Pattern;
use super::term::{Facts, Term, Value};

/// A test of a record.
#[derive(Debug)]
pub enum Test {
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
pub enum Flag {
    Legal,
    InCheck,
    Checkmate,
    Stalemate,
    /// A legal capture en passant.
    EnPassant,
    Chess960,
}

impl Test {
    pub fn needs_operations(&self) -> bool {
        match self {
            Self::All(tests) | Self::Any(tests) => tests.iter().any(Self::needs_operations),
            Self::Not(test) => test.needs_operations(),
            Self::Has(_) => true,
            Self::Compare { term, .. } => term.needs_operations(),
            Self::Flag(_) | Self::Material(_) | Self::Placed(..) | Self::Pattern(_) => false,
        }
    }

    pub fn holds(&self, facts: &Facts<'_>) -> bool {
        match self {
            Self::All(tests) => tests.iter().all(|test| test.holds(facts)),
            Self::Any(tests) => tests.iter().any(|test| test.holds(facts)),
            Self::Not(test) => !test.holds(facts),
            Self::Flag(flag) => flag.holds(facts),
            Self::Has(opcode) => facts.record.get(opcode).is_some(),
            Self::Compare { term, how, with } => {
                let san = term.in_san(facts, with);
                let san = san.as_ref().unwrap_or(with);
                term.any(facts, |value| match how {
                    Comparison::Unequal => how.holds(&value, with) && how.holds(&value, san),
                    _ => how.holds(&value, with) || how.holds(&value, san),
                })
            }
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
