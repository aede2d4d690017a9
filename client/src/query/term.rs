//! The terms that a query compares.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::fmt;

use epd::{Lexicon, Record};
use movegen::{Color, Piece, Position, Role, San, Setup, san};

use super::material::signature;
use crate::cli::is_opcode_letter;

/// A record, with its position once it is needed.
pub struct Facts<'r> {
    pub record: &'r Record,
    position: OnceCell<Option<Position>>,
}

impl<'r> Facts<'r> {
    pub fn new(record: &'r Record) -> Self {
        let position = OnceCell::new();
        Self { record, position }
    }

    /// The position; none if it is illegal.
    pub fn position(&self) -> Option<&Position> {
        let position = || self.record.position().ok();
        self.position.get_or_init(position).as_ref()
    }
}

/// A property of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    Property(Property),
    /// The number of pieces of this kind.
    Count(Piece),
    /// The operands of an operation.
    Opcode(String),
}

/// A property of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Property {
    /// The number of all pieces, kings and pawns included.
    Pieces,
    /// The number of pawns.
    Pawns,
    Phase,
    LegalMoves,
    /// `white` or `black`.
    Side,
    /// The castling rights as written: `KQkq`.
    Castling,
    /// The material of both sides: `KRPkr`.
    Material,
}

/// The value of a term.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(f64),
    Text(String),
}

impl Value {
    /// A number if the text is one.
    pub fn of(text: &str) -> Self {
        match text.parse() {
            Ok(number) if text.bytes().any(|byte| byte.is_ascii_digit()) => Self::Number(number),
            _ => Self::Text(text.to_owned()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// The phase of the game, from 24 with all pieces on the board (more with promoted ones) to 0 with none but kings
/// and pawns: a queen counts 4, a rook 2, a bishop or knight 1.
pub fn phase(setup: &Setup) -> u32 {
    let weight = |piece: &Piece| match piece.role() {
        Role::Queen => 4,
        Role::Rook => 2,
        Role::Bishop | Role::Knight => 1,
        Role::Pawn | Role::King => 0,
    };
    setup.board.iter().flatten().map(weight).sum()
}

/// A move without the signs of check and mate, so that `Qd1+` equals `Qd1`.
fn without_signs(text: &str) -> &str {
    text.trim_end_matches(['+', '#'])
}

impl Term {
    /// A term by its name: a property, the letter of a piece, or an opcode. The error says what is wrong.
    pub fn parse(name: &str) -> Result<Self, String> {
        use strum::VariantNames;
        if let Ok(property) = name.parse() {
            return Ok(Self::Property(property));
        }
        if let [letter] = name.as_bytes() {
            let piece = Piece::from_char(char::from(*letter));
            return piece
                .map(Self::Count)
                .ok_or_else(|| format!("{name:?} is no piece: expected one of KQRBNPkqrbnp"));
        }
        if !name.bytes().all(is_opcode_letter) || name.is_empty() {
            return Err(format!("{name:?} is neither a property nor an opcode"));
        }
        let small = name.to_ascii_lowercase();
        let is_known = |name: &str| {
            name.parse::<Property>().is_ok() || Lexicon::standard().find(name).is_some()
        };
        if small != name && is_known(&small) {
            return Err(format!(
                "{name:?} is neither a property nor an opcode of the standard; {small}? Quote it (\"{name}\") \
                 if your records use it"
            ));
        }
        let is_private = name.starts_with(|first: char| first.is_ascii_uppercase());
        if is_private || Lexicon::standard().find(name).is_some() {
            return Ok(Self::Opcode(name.to_owned()));
        }
        let distance = |other: &&&str| strsim::damerau_levenshtein(name, other);
        let nearest = Property::VARIANTS.iter().min_by_key(distance);
        let hint = nearest
            .filter(|other| distance(other) <= 3)
            .map(|other| format!("; {other}?"));
        let hint =
            hint.unwrap_or_else(|| format!("; quote it (\"{name}\") if your records use it"));
        Err(format!(
            "{name:?} is neither a property nor an opcode of the standard{hint}"
        ))
    }

    /// Whether the operations of a record matter, not only its position.
    pub fn needs_operations(&self) -> bool {
        matches!(self, Self::Opcode(_))
    }

    /// Whether the values of this term are numbers, whatever the record.
    pub fn is_numeric(&self) -> bool {
        match self {
            Self::Property(property) => !matches!(
                property,
                Property::Side | Property::Castling | Property::Material
            ),
            Self::Count(_) => true,
            Self::Opcode(_) => false,
        }
    }

    /// Brings a value into the form in which this term has it.
    pub fn canonical(&self, value: Value) -> Value {
        match (self, value) {
            (Self::Property(Property::Side), Value::Text(side)) => {
                Value::Text(match side.as_str() {
                    "w" | "White" => "white".to_owned(),
                    "b" | "Black" => "black".to_owned(),
                    _ => side,
                })
            }
            (Self::Property(Property::Castling), Value::Text(rights)) => {
                let mut letters: Vec<char> = rights.chars().collect();
                let side = |letter: char| (!letter.eq_ignore_ascii_case(&'k'), Reverse(letter));
                letters.sort_by_key(|&letter| (letter.is_ascii_lowercase(), side(letter)));
                Value::Text(letters.into_iter().collect())
            }
            (Self::Opcode(_), Value::Text(text)) => Value::Text(without_signs(&text).to_owned()),
            (_, value) => value,
        }
    }

    /// A move in coordinates (`d6d1`) in the form in which this operation has it, if it is legal there.
    pub fn in_san(&self, facts: &Facts<'_>, value: &Value) -> Option<Value> {
        let (Self::Opcode(opcode), Value::Text(text)) = (self, value) else {
            return None;
        };
        let is_square = |square: &[u8]| matches!(square, [b'a'..=b'h', b'1'..=b'8']);
        let (from, to) = text.as_bytes().split_at_checked(2)?;
        let is_coordinates = is_square(from) && to.get(..2).is_some_and(is_square);
        if !is_coordinates || !Lexicon::standard().find(opcode)?.takes_moves() {
            return None;
        }
        let position = facts.position()?;
        let (mv, _) = san::parse_lenient(position, text).ok()?;
        Some(Value::Text(
            without_signs(&San::of(position, mv)).to_owned(),
        ))
    }

    /// What is wrong with a value that this term never has.
    pub fn refuse(&self, value: &Value) -> Option<&'static str> {
        let (Self::Property(property), Value::Text(text)) = (self, value) else {
            return None;
        };
        let is_right = |letter| "KQkqABCDEFGHabcdefgh".contains(letter);
        match property {
            Property::Side if !matches!(&**text, "white" | "black") => Some("white or black"),
            Property::Castling if text != "-" && !text.chars().all(is_right) => {
                Some("castling rights such as KQkq or -")
            }
            _ => None,
        }
    }

    /// Whether any of the values passes a test; an operation may have several operands.
    pub fn any(&self, facts: &Facts<'_>, mut test: impl FnMut(Value) -> bool) -> bool {
        let Self::Opcode(opcode) = self else {
            return self.position_value(facts).is_some_and(test);
        };
        let Some(operation) = facts.record.get(opcode) else {
            return false;
        };
        operation
            .operands
            .iter()
            .any(|operand| test(self.canonical(Value::of(operand.text()))))
    }

    /// The first value; none if the record has none.
    pub fn value(&self, facts: &Facts<'_>) -> Option<Value> {
        let mut first = None;
        self.any(facts, |value| {
            first = Some(value);
            true
        });
        first
    }

    fn position_value(&self, facts: &Facts<'_>) -> Option<Value> {
        let setup = &facts.record.setup;
        let count = |test: &dyn Fn(Piece) -> bool| {
            let pieces = setup.board.iter().flatten();
            Value::Number(pieces.filter(|piece| test(**piece)).count() as f64)
        };
        Some(match self {
            Self::Opcode(_) => return None,
            Self::Count(counted) => count(&|piece| piece == *counted),
            Self::Property(Property::Pieces) => count(&|_| true),
            Self::Property(Property::Pawns) => count(&|piece| piece.role() == Role::Pawn),
            Self::Property(Property::Phase) => Value::Number(phase(setup).into()),
            Self::Property(Property::LegalMoves) => {
                Value::Number(facts.position()?.count_moves() as f64)
            }
            Self::Property(Property::Side) => Value::Text(
                match setup.turn {
                    Color::White => "white",
                    Color::Black => "black",
                }
                .to_owned(),
            ),
            Self::Property(Property::Castling) => Value::Text(castling(setup)),
            Self::Property(Property::Material) => Value::Text(signature(setup)),
        })
    }
}

/// The castling field.
fn castling(setup: &Setup) -> String {
    let text = setup.to_string();
    text.split(' ').nth(2).unwrap_or("-").to_owned()
}
