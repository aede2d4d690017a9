//! Commands of the referee and requests of players, and the records that carry them.

use smol_str::SmolStr;
use strum::VariantNames as _;

use super::message::Message;
use crate::opcode::{CommandKind, RequestKind};
use crate::record::operation::Operation;
use crate::record::{NoPosition, Record};

/// The record is not a message from this side (decisions 6 and 7).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProtocolError {
    /// The opcode of the message is missing.
    #[error("no {expected} in the record")]
    Missing {
        /// `refcom` or `refreq`.
        expected: &'static str,
    },
    /// The record has the opcodes of both sides.
    #[error("both refcom and refreq in the record")]
    Both,
    /// The operand is not one of those that the standard has.
    #[error("{opcode} {found:?} is none of {expected}")]
    Unknown {
        /// `refcom` or `refreq`.
        opcode: &'static str,
        /// The operand.
        found: SmolStr,
        /// The operands of the standard.
        expected: String,
    },
    /// The message needs a legal position.
    #[error(transparent)]
    Position(#[from] NoPosition),
}

/// An enum of messages with a variant for each kind, and its conversion from and to records.
macro_rules! messages {
    ($(#[$doc:meta])* $Type:ident, $Kind:ident, $opcode:literal, $other:literal: $($Variant:ident)*) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $Type {
            $(
                #[doc = concat!("See [`", stringify!($Kind), "::", stringify!($Variant), "`].")]
                $Variant(Message),
            )*
        }

        impl $Type {
            /// A message of a kind.
            #[must_use]
            pub const fn new(kind: $Kind, message: Message) -> Self {
                match kind {
                    $($Kind::$Variant => Self::$Variant(message),)*
                }
            }

            /// Reads the message of a record.
            pub fn read(record: &Record) -> Result<Self, ProtocolError> {
                let word = word_of(record, $opcode, $other)?;
                let Ok(kind) = word.parse::<$Kind>() else {
                    return Err(ProtocolError::Unknown {
                        opcode: $opcode,
                        found: word,
                        expected: $Kind::VARIANTS.join(" "),
                    });
                };
                Ok(Self::new(kind, Message::read(record, kind.needs_position())?))
            }

            /// The record that carries the message.
            #[must_use]
            pub fn record(&self) -> Record {
                let mut record = self.message().record();
                record.set(Operation::new($opcode).symbol(self.kind()));
                record
            }

            /// The kind of the message.
            #[must_use]
            pub const fn kind(&self) -> $Kind {
                match self {
                    $(Self::$Variant(_) => $Kind::$Variant,)*
                }
            }

            /// The name of the kind: the operand of the opcode.
            #[must_use]
            pub fn name(&self) -> &'static str {
                self.kind().into()
            }

            /// The position, and what is sent with it.
            #[must_use]
            pub const fn message(&self) -> &Message {
                match self {
                    $(Self::$Variant(message) => message,)*
                }
            }
        }
    };
}

messages! {
    /// A message from the referee to a player (EPD 8.1).
    Command, CommandKind, "refcom", "refreq":
    Conclude Disconnect Execute Fault Inform Reset Respond
}

messages! {
    /// A message from a player to the referee (EPD 8.2).
    Request, RequestKind, "refreq", "refcom":
    Fault Reply SignOff SignOn
}

/// The operand that tells the kind of a message.
fn word_of(
    record: &Record,
    opcode: &'static str,
    other: &'static str,
) -> Result<SmolStr, ProtocolError> {
    if record.get(other).is_some() && record.get(opcode).is_some() {
        return Err(ProtocolError::Both);
    }
    let operation = record.get(opcode);
    let word = operation.and_then(|operation| operation.single().ok());
    match word {
        Some(word) => Ok(word.text().into()),
        None => Err(ProtocolError::Missing { expected: opcode }),
    }
}
