//! What a lexicon says about an opcode.

use super::basetype::Basetype;
use super::role::Role;

/// How many operands an opcode takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Exactly these.
    Exactly(&'static [Basetype]),
    /// One or none.
    Optional(Basetype),
    /// Any number, including none.
    Many(Basetype),
    /// Any number of pairs.
    Pairs(Basetype, Basetype),
}

/// Whether the order of the operands means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// It means nothing: normal form sorts the operands (decision 110).
    Free,
    /// It means something: normal form keeps it.
    Kept,
}

/// How moves among the operands are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// The operands are not moves.
    None,
    /// Each move is played in the position of the record.
    Each,
    /// The first move is played in the position of the record, every other one after the move
    /// before it.
    Variation,
}

/// What is known about an opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LexiconEntry {
    /// The mnemonic. `c#` and `v#` stand for the ten opcodes with a digit, `D#` for those with a
    /// number.
    pub name: &'static str,
    /// The number and the types of the operands.
    pub arity: Arity,
    /// Whether the order of the operands means something.
    pub order: Order,
    /// How moves among the operands are played.
    pub moves: Moves,
    /// What the opcode does in the protocol.
    pub role: Role,
    /// What the operation says.
    pub meaning: &'static str,
    /// Where the opcode is defined.
    pub source: &'static str,
}

impl LexiconEntry {
    /// An entry for an opcode. Operands keep their order, moves are played in the position of the
    /// record, and the protocol does not use the opcode; the other methods change that.
    #[must_use]
    pub const fn new(
        name: &'static str,
        arity: Arity,
        source: &'static str,
        meaning: &'static str,
    ) -> Self {
        let moves = match arity {
            Arity::Exactly([Basetype::Move, ..])
            | Arity::Optional(Basetype::Move)
            | Arity::Many(Basetype::Move) => Moves::Each,
            _ => Moves::None,
        };
        Self {
            name,
            arity,
            order: Order::Kept,
            moves,
            role: Role::Data,
            meaning,
            source,
        }
    }

    /// The entry with operands whose order means nothing.
    #[must_use]
    pub const fn unordered(mut self) -> Self {
        self.order = Order::Free;
        self
    }

    /// The entry with moves that are played one after the other.
    #[must_use]
    pub const fn variation(mut self) -> Self {
        self.moves = Moves::Variation;
        self
    }

    /// The entry with a role in the protocol.
    #[must_use]
    pub const fn role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    /// Whether the opcode takes one string, or one string or none.
    #[must_use]
    pub const fn takes_one_string(&self) -> bool {
        matches!(
            self.arity,
            Arity::Exactly([Basetype::String]) | Arity::Optional(Basetype::String)
        )
    }

    /// Whether the operands are moves.
    #[must_use]
    pub const fn takes_moves(&self) -> bool {
        !matches!(self.moves, Moves::None)
    }
}

impl Arity {
    /// Whether an operation may have this many operands.
    #[must_use]
    pub const fn allows(&self, count: usize) -> bool {
        match self {
            Self::Exactly(types) => count == types.len(),
            Self::Optional(_) => count <= 1,
            Self::Many(_) => true,
            Self::Pairs(..) => count.is_multiple_of(2),
        }
    }

    /// The type of the n-th operand, from 0; `None` if there must not be such an operand.
    #[must_use]
    pub fn basetype(&self, n: usize) -> Option<&Basetype> {
        match self {
            Self::Exactly(types) => types.get(n),
            Self::Optional(basetype) => (n == 0).then_some(basetype),
            Self::Many(basetype) => Some(basetype),
            Self::Pairs(first, second) => Some([first, second][n % 2]),
        }
    }

    /// Describes the expected operands in words.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Exactly([]) => "none".to_owned(),
            Self::Exactly(types) => types
                .iter()
                .map(Basetype::describe)
                .collect::<Vec<_>>()
                .join(", "),
            Self::Optional(basetype) => format!("{} or none", basetype.describe()),
            Self::Many(basetype) => format!("any number: {}", basetype.describe()),
            Self::Pairs(first, second) => {
                format!("pairs: {}, {}", first.describe(), second.describe())
            }
        }
    }
}
