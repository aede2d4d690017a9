//! Messages: what a record says as a command of the referee or a request of a player.

use movegen::{Move, Position, san};
use smol_str::SmolStr;

use crate::opcode::time::{Clock, MillisecondClock};
use crate::parse::limits::MAX_STRING;
use crate::record::operation::Operation;
use crate::record::{NoPosition, Record};

/// The operations of an analysis, which a reply may carry for the log (decision 56).
const ANALYSIS: [&str; 6] = ["acd", "acn", "acs", "ce", "pm", "pv"];
/// The bytes that the value of a tag may have (decision 35).
const MAX_VALUE: usize = MAX_STRING;

bitflags::bitflags! {
    /// What a player does besides making a move.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct PlayerActions: u8 {
        /// `draw_accept`
        const ACCEPT_DRAW = 1;
        /// `draw_claim`
        const CLAIM_DRAW = 2;
        /// `draw_offer`
        const OFFER_DRAW = 4;
        /// `draw_reject`
        const REJECT_DRAW = 8;
        /// `resign`
        const RESIGN = 16;
    }
}

/// The opcodes of player actions.
const ACTS: [(&str, PlayerActions); 5] = [
    ("draw_accept", PlayerActions::ACCEPT_DRAW),
    ("draw_claim", PlayerActions::CLAIM_DRAW),
    ("draw_offer", PlayerActions::OFFER_DRAW),
    ("draw_reject", PlayerActions::REJECT_DRAW),
    ("resign", PlayerActions::RESIGN),
];

/// A move as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Supplied {
    /// A legal move in the position sent.
    Move(Move),
    /// A text that is none (decisions 53 and 54).
    Unplayable(SmolStr),
}

/// A position and what is sent with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Message {
    /// The position sent; none if it is illegal where it does not matter (decision 29). Its
    /// counters mean something only if they were sent.
    pub position: Option<Position>,
    /// `hmvc`, if sent (decision 49).
    pub halfmove_clock: Option<u16>,
    /// `fmvn`, if sent (decision 49).
    pub fullmove_number: Option<u16>,
    /// `sm`: the move to be played in the position.
    pub supplied: Option<Supplied>,
    /// `sv`: the moves from the position onward (decision 52).
    pub history: Vec<Move>,
    /// `cc`: the time consumed by White and by Black, in whole seconds (decision 83).
    pub clocks: Option<(Clock, Clock)>,
    /// `ctcc`: the same in milliseconds (decision 88).
    pub chess_clocks: Option<(MillisecondClock, MillisecondClock)>,
    /// `rc`: how often the position occurred (decision 60).
    pub repetitions: Option<u32>,
    /// `draw_offer` and the like, and `resign`.
    pub acts: PlayerActions,
    /// `ptp`: tags of PGN with their values, in their order (decision 34).
    pub tags: Vec<(SmolStr, SmolStr)>,
    /// `c0`: words for people.
    pub text: Option<SmolStr>,
    /// `tcsi`, `id` or a lonely tag: the name of the player that signs on (decision 15).
    pub name: Option<SmolStr>,
    /// What the player thinks of the position: `acd acn acs ce pm pv`.
    pub analysis: Vec<Operation>,
}

/// From the referee to a player (EPD 8.1).
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// The game is over; the position is its last (EPD 8.1.1).
    Conclude(Message),
    /// The referee goes (EPD 8.1.2).
    Disconnect(Message),
    /// A move to be played without an answer (EPD 8.1.3).
    Execute(Message),
    /// Something is wrong (EPD 8.1.4).
    Fault(Message),
    /// Tags of PGN (EPD 8.1.5).
    Inform(Message),
    /// A game begins (EPD 8.1.6).
    Reset(Message),
    /// A move is asked for (EPD 8.1.7).
    Respond(Message),
}

/// From a player to the referee (EPD 8.2).
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Something is wrong (EPD 8.2.1).
    Fault(Message),
    /// The answer to a respond command (EPD 8.2.2).
    Reply(Message),
    /// The player goes (EPD 8.2.3).
    SignOff(Message),
    /// The player comes (EPD 8.2.4).
    SignOn(Message),
}

/// A record is no message of the direction from which it came (decisions 6 and 7).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ProtocolError {
    #[error("no {expected} in the record")]
    Missing { expected: &'static str },
    #[error("both refcom and refreq in the record")]
    Both,
    #[error("{opcode} {found:?} is none of {expected}")]
    Unknown {
        opcode: &'static str,
        found: SmolStr,
        expected: &'static str,
    },
    #[error(transparent)]
    Position(#[from] NoPosition),
}

/// What an enum of messages has in common: the names of its variants and the way to a record.
macro_rules! messages {
    ($Type:ident, $opcode:literal, $other:literal, $all:literal: $($name:literal $Variant:ident $needs_position:literal,)*) => {
        impl $Type {
            /// The message of a record.
            pub fn read(record: &Record) -> Result<Self, ProtocolError> {
                let word = word_of(record, $opcode, $other)?;
                match &*word {
                    $($name => Ok(Self::$Variant(Message::read(record, $needs_position)?)),)*
                    _ => Err(ProtocolError::Unknown {
                        opcode: $opcode,
                        found: word,
                        expected: $all,
                    }),
                }
            }

            /// The record of the message.
            #[must_use]
            pub fn record(&self) -> Record {
                let mut record = self.content().record();
                record.set(Operation::new($opcode).symbol(self.name()));
                record
            }

            /// The operand of the opcode.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$Variant(_) => $name,)*
                }
            }

            /// What the message carries.
            #[must_use]
            pub const fn content(&self) -> &Message {
                match self {
                    $(Self::$Variant(content) => content,)*
                }
            }
        }
    };
}

messages! {
    Command, "refcom", "refreq", "conclude disconnect execute fault inform reset respond":
    "conclude" Conclude false,
    "disconnect" Disconnect false,
    "execute" Execute true,
    "fault" Fault false,
    "inform" Inform false,
    "reset" Reset true,
    "respond" Respond true,
}

messages! {
    Request, "refreq", "refcom", "fault reply sign_off sign_on":
    "fault" Fault false,
    "reply" Reply true,
    "sign_off" SignOff false,
    "sign_on" SignOn false,
}

/// The operand that says what a record is.
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

impl Message {
    /// A position with its counters.
    #[must_use]
    pub fn with_counters(position: &Position) -> Self {
        Self {
            halfmove_clock: Some(position.halfmove_clock()),
            fullmove_number: Some(position.fullmove_number()),
            ..Self::at(position)
        }
    }

    /// A position.
    #[must_use]
    pub fn at(position: &Position) -> Self {
        Self {
            position: Some(*position),
            ..Self::default()
        }
    }

    /// The content with a move.
    #[must_use]
    pub fn playing(mut self, mv: Move) -> Self {
        self.supplied = Some(Supplied::Move(mv));
        self
    }

    /// The content with words for people.
    #[must_use]
    pub fn saying(mut self, text: &str) -> Self {
        self.text = Some(printable(text));
        self
    }

    /// The move supplied, if it is one.
    #[must_use]
    pub const fn supplied_move(&self) -> Option<Move> {
        match self.supplied {
            Some(Supplied::Move(mv)) => Some(mv),
            _ => None,
        }
    }

    /// The value of a tag; of several the last (decision 36).
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter().rev();
        tags.find(|(tag, _)| tag == name)
            .map(|(_, value)| value.as_str())
    }

    fn read(record: &Record, needs_position: bool) -> Result<Self, ProtocolError> {
        let position = match record.position() {
            Ok(position) => Some(position),
            Err(nowhere) if needs_position => return Err(nowhere.into()),
            Err(_) => None,
        };
        let count = |opcode| {
            let count = record
                .get(opcode)
                .and_then(|operation| operation.count().ok());
            count.and_then(|count| u16::try_from(count).ok())
        };
        let mut content = Self {
            position,
            halfmove_clock: count("hmvc"),
            fullmove_number: count("fmvn"),
            clocks: record.clocks().ok().flatten(),
            chess_clocks: record.chess_clocks().ok().flatten(),
            repetitions: record.repetitions().ok().flatten(),
            acts: acts_of(record),
            tags: tags_of(record),
            text: record.comment(0).ok().flatten().map(Into::into),
            name: name_of(record),
            analysis: analysis_of(record),
            ..Self::default()
        };
        if let Some(position) = &position {
            content.read_moves(record, position);
        }
        Ok(content)
    }

    /// Reads `sm` and `sv`. An `sv` that cannot be played is as bad as such an `sm`.
    fn read_moves(&mut self, record: &Record, position: &Position) {
        let operand = record.get("sm").and_then(|sm| sm.operands.first());
        self.supplied = operand.map(
            |operand| match san::parse_lenient(position, operand.text()) {
                Ok((mv, _)) => Supplied::Move(mv),
                Err(_) => Supplied::Unplayable(operand.text().into()),
            },
        );
        match record.supplied_variation(position) {
            Ok(history) => self.history = history.unwrap_or_default(),
            Err(error) => self.supplied = Some(Supplied::Unplayable(error.to_string().into())),
        }
    }

    fn record(&self) -> Record {
        let position = self.position.unwrap_or_default();
        let mut setup = position.setup();
        (setup.halfmove_clock, setup.fullmove_number) = (0, 1);
        let mut record = Record::new(setup);
        if let Some(count) = self.halfmove_clock {
            record.set_halfmove_clock(count.into());
        }
        if let Some(number) = self.fullmove_number {
            record.set_fullmove_number(number.into());
        }
        match &self.supplied {
            Some(Supplied::Move(mv)) => record.set_supplied_move(&position, *mv),
            Some(Supplied::Unplayable(text)) => record.set(Operation::new("sm").symbol(text)),
            None => {}
        }
        if !self.history.is_empty() {
            record.set_supplied_variation(&position, &self.history);
        }
        if let Some((white, black)) = self.clocks {
            record.set_clocks(white, black);
        }
        if let Some((white, black)) = self.chess_clocks {
            record.set_chess_clocks(white, black);
        }
        if let Some(count) = self.repetitions {
            record.set_repetitions(count);
        }
        for (opcode, act) in ACTS {
            if self.acts.contains(act) {
                record.set(Operation::new(opcode));
            }
        }
        if !self.tags.is_empty() {
            let values = self.tags.iter().map(|(tag, value)| (tag, printable(value)));
            let values: Vec<_> = values.collect();
            record.set_tags(
                values
                    .iter()
                    .map(|(tag, value)| (tag.as_str(), value.as_str())),
            );
        }
        if let Some(text) = &self.text {
            record.set_comment(0, &printable(text));
        }
        if let Some(name) = &self.name {
            record.set_sender("", &printable(name));
        }
        for operation in &self.analysis {
            record.set(operation.clone());
        }
        record
    }
}

/// What a player does; of several things that exclude each other one counts (decisions 66, 67 and
/// 70).
fn acts_of(record: &Record) -> PlayerActions {
    let there = ACTS
        .into_iter()
        .filter(|(opcode, _)| record.get(opcode).is_some());
    let mut acts: PlayerActions = there.map(|(_, act)| act).collect();
    if acts.contains(PlayerActions::RESIGN) {
        acts = PlayerActions::RESIGN;
    }
    if acts.contains(PlayerActions::REJECT_DRAW) {
        acts -= PlayerActions::ACCEPT_DRAW;
    }
    if acts.contains(PlayerActions::CLAIM_DRAW) {
        acts -= PlayerActions::OFFER_DRAW;
    }
    acts
}

/// The tags of `ptp`; one without a value is left out.
fn tags_of(record: &Record) -> Vec<(SmolStr, SmolStr)> {
    let Some(operation) = record.get("ptp") else {
        return Vec::new();
    };
    let (pairs, _) = operation.operands.as_chunks();
    pairs
        .iter()
        .map(|[tag, value]| (tag.text().into(), value.text().into()))
        .collect()
}

/// Who a player says it is (decision 15).
fn name_of(record: &Record) -> Option<SmolStr> {
    let operand = |opcode, n: usize| {
        let operation = record.get(opcode)?;
        let text = operation.operands.get(n)?.text().trim();
        (!text.is_empty()).then(|| text.into())
    };
    let lonely_tag = || {
        let alone = record.get("ptp").is_some_and(|ptp| ptp.operands.len() == 2);
        alone.then(|| operand("ptp", 1)).flatten()
    };
    operand("tcsi", 1)
        .or_else(|| operand("id", 0))
        .or_else(lonely_tag)
}

fn analysis_of(record: &Record) -> Vec<Operation> {
    let operations = ANALYSIS.iter().filter_map(|opcode| record.get(opcode));
    operations.cloned().collect()
}

/// A text as a string may hold it on the wire: printing characters of ASCII, no quote, not too many
/// (decisions 5 and 35).
#[must_use]
pub fn printable(text: &str) -> SmolStr {
    let letters = text.chars().filter(|letter| !letter.is_control());
    let letters = letters.map(|letter| match letter {
        '"' => '\'',
        ' '..='~' => letter,
        _ => '?',
    });
    letters.take(MAX_VALUE).collect()
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
