//! Messages: a position, and what a referee or a player sends with it.

use movegen::{Move, Position, san};
use smol_str::SmolStr;

use crate::opcode::time::{Clock, MillisecondClock};
use crate::opcode::{LEXICON, PlayerActions, Role};
use crate::parse::limits::MAX_STRING;
use crate::record::operand::Operand;
use crate::record::operation::Operation;
use crate::record::{NoPosition, Record};

/// The move in `sm`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Supplied {
    /// A legal move in the position of the message.
    Move(Move),
    /// Text that is not a legal move (decisions 53 and 54).
    Unplayable(SmolStr),
}

/// A position and what is sent with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Message {
    /// The position; `None` if it is illegal and does not matter (decision 29). Its counters mean
    /// something only if the message has them.
    pub position: Option<Position>,
    /// `hmvc`, if the message has it (decision 49).
    pub halfmove_clock: Option<u16>,
    /// `fmvn`, if the message has it (decision 49).
    pub fullmove_number: Option<u16>,
    /// `sm`: the move that is played in the position.
    pub supplied: Option<Supplied>,
    /// `sv`: the moves that are played from the position on (decision 52).
    pub history: Vec<Move>,
    /// `cc`: the time used by White and by Black, in seconds (decision 83).
    pub clocks: Option<(Clock, Clock)>,
    /// `ctcc`: the same in milliseconds (decision 88).
    pub chess_clocks: Option<(MillisecondClock, MillisecondClock)>,
    /// `rc`: how often the position has occurred (decision 60).
    pub repetitions: Option<u32>,
    /// `draw_accept`, `draw_claim`, `draw_offer`, `draw_reject` and `resign`.
    pub actions: PlayerActions,
    /// `ptp`: PGN tags with their values, in their order (decision 34).
    pub tags: Vec<(SmolStr, SmolStr)>,
    /// `c0`: text for people.
    pub text: Option<SmolStr>,
    /// `tcsi`, `id` or a single tag: the name of the player that signs on (decision 15).
    pub name: Option<SmolStr>,
    /// The analysis of the player: `acd acn acs ce pm pv` (decision 56).
    pub analysis: Vec<Operation>,
    /// `Ping`, a private operation: the seconds between two pings, or 0 without an operand (decision 10).
    pub ping: Option<u32>,
    /// `Term`, a private operation: the referees of an event that another one has taken over (decision 143).
    pub term: Option<Term>,
    /// `Machine`, a private operation: what the player that signs on runs on, in words (decision 145).
    pub machine: Option<SmolStr>,
    /// `Speed`, a private operation: the speed of that machine in nodes a second (decision 145).
    pub speed: Option<u64>,
}

/// The number of a referee of an event, which grows by 1 with each take-over, and the proof that this
/// referee exists. Players pass it on and do not look at the proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The number.
    pub number: u64,
    /// The proof.
    pub proof: SmolStr,
}

impl Term {
    /// The operation that says it.
    #[must_use]
    pub fn operation(&self) -> Operation {
        Operation::new("Term")
            .symbol(self.number)
            .string(&self.proof)
    }

    /// The `Term` of a record. One that has no number counts as none.
    #[must_use]
    pub fn of(record: &Record) -> Option<Self> {
        let operands = &record.get("Term")?.operands;
        Some(Self {
            number: operands.first()?.text().parse().ok()?,
            proof: operands.get(1).map_or("", Operand::text).into(),
        })
    }
}

impl Message {
    /// A message with a position and its counters.
    #[must_use]
    pub fn with_counters(position: &Position) -> Self {
        Self {
            halfmove_clock: Some(position.halfmove_clock()),
            fullmove_number: Some(position.fullmove_number()),
            ..Self::at(position)
        }
    }

    /// A message with a position.
    #[must_use]
    pub fn at(position: &Position) -> Self {
        Self {
            position: Some(*position),
            ..Self::default()
        }
    }

    /// The message with a move.
    #[must_use]
    pub fn playing(mut self, mv: Move) -> Self {
        self.supplied = Some(Supplied::Move(mv));
        self
    }

    /// The message with a text for people.
    #[must_use]
    pub fn saying(mut self, text: &str) -> Self {
        self.text = Some(printable(text));
        self
    }

    /// The supplied move, if it is legal.
    #[must_use]
    pub const fn supplied_move(&self) -> Option<Move> {
        match self.supplied {
            Some(Supplied::Move(mv)) => Some(mv),
            _ => None,
        }
    }

    /// The value of a tag; the last one if the tag is repeated (decision 36).
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter().rev();
        tags.find(|(tag, _)| tag == name)
            .map(|(_, value)| value.as_str())
    }

    pub(super) fn read(record: &Record, needs_position: bool) -> Result<Self, NoPosition> {
        let position = match record.position() {
            Ok(position) => Some(position),
            Err(error) if needs_position => return Err(error),
            Err(_) => None,
        };
        let count = |opcode| {
            let count = record
                .get(opcode)
                .and_then(|operation| operation.count().ok());
            count.and_then(|count| u16::try_from(count).ok())
        };
        let mut message = Self {
            position,
            halfmove_clock: count("hmvc"),
            fullmove_number: count("fmvn"),
            clocks: record.clocks().ok().flatten(),
            chess_clocks: record.chess_clocks().ok().flatten(),
            repetitions: record.repetitions().ok().flatten(),
            actions: actions_of(record),
            tags: tags_of(record),
            text: record.comment(0).ok().flatten().map(Into::into),
            name: name_of(record),
            analysis: analysis_of(record),
            ping: ping_of(record),
            term: Term::of(record),
            machine: machine_of(record),
            speed: speed_of(record),
            ..Self::default()
        };
        if let Some(position) = &position {
            message.read_moves(record, position);
        }
        Ok(message)
    }

    /// Reads `sm` and `sv`. An illegal move in `sv` counts as an illegal `sm`.
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

    pub(super) fn record(&self) -> Record {
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
        for (opcode, action) in PlayerActions::opcodes() {
            if self.actions.contains(action) {
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
        match self.ping {
            Some(0) => record.set(Operation::new("Ping")),
            Some(seconds) => record.set(Operation::new("Ping").symbol(seconds)),
            None => {}
        }
        if let Some(term) = &self.term {
            record.set(term.operation());
        }
        if let Some(machine) = &self.machine {
            record.set(Operation::new("Machine").string(&printable(machine)));
        }
        if let Some(speed) = self.speed {
            record.set(Operation::new("Speed").symbol(speed));
        }
        record
    }
}

/// The actions of a player. Of actions that exclude each other only one counts (decisions 66, 67 and
/// 70).
fn actions_of(record: &Record) -> PlayerActions {
    let found = PlayerActions::opcodes().filter(|(opcode, _)| record.get(opcode).is_some());
    let mut actions: PlayerActions = found.map(|(_, action)| action).collect();
    if actions.contains(PlayerActions::RESIGN) {
        actions = PlayerActions::RESIGN;
    }
    if actions.contains(PlayerActions::REJECT_DRAW) {
        actions -= PlayerActions::ACCEPT_DRAW;
    }
    if actions.contains(PlayerActions::CLAIM_DRAW) {
        actions -= PlayerActions::OFFER_DRAW;
    }
    actions
}

/// The tags of `ptp`. A tag without a value is left out.
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

/// The name of a player (decision 15).
fn name_of(record: &Record) -> Option<SmolStr> {
    let operand = |opcode, n: usize| {
        let operation = record.get(opcode)?;
        let text = operation.operands.get(n)?.text().trim();
        (!text.is_empty()).then(|| text.into())
    };
    let single_tag = || {
        let alone = record.get("ptp").is_some_and(|ptp| ptp.operands.len() == 2);
        alone.then(|| operand("ptp", 1)).flatten()
    };
    operand("tcsi", 1)
        .or_else(|| operand("id", 0))
        .or_else(single_tag)
}

/// The operations that describe the analysis behind a reply (decision 56).
fn analysis_of(record: &Record) -> Vec<Operation> {
    let analysis = LEXICON.iter().filter(|entry| entry.role == Role::Analysis);
    let operations = analysis.filter_map(|entry| record.get(entry.name));
    operations.cloned().collect()
}

/// The seconds of `Ping`. An operand that is no number counts as none.
fn ping_of(record: &Record) -> Option<u32> {
    let seconds = record.get("Ping")?.operands.first();
    let seconds = seconds.and_then(|seconds| seconds.text().parse().ok());
    Some(seconds.unwrap_or_default())
}

/// What `Machine` says. Nothing but blanks counts as nothing.
fn machine_of(record: &Record) -> Option<SmolStr> {
    let machine = record.get("Machine")?.operands.first()?.text().trim();
    (!machine.is_empty()).then(|| machine.into())
}

/// The nodes a second of `Speed`. 0, and an operand that is no number, count as nothing.
fn speed_of(record: &Record) -> Option<u64> {
    let speed = record.get("Speed")?.operands.first()?.text().parse().ok();
    speed.filter(|&speed| speed > 0)
}

/// Makes a text fit for a string on the wire: printing ASCII characters, no quotes, at most 255 bytes
/// (decisions 5 and 35).
#[must_use]
pub fn printable(text: &str) -> SmolStr {
    let letters = text.chars().filter(|letter| !letter.is_control());
    let letters = letters.map(|letter| match letter {
        '"' => '\'',
        ' '..='~' => letter,
        _ => '?',
    });
    letters.take(MAX_STRING).collect()
}
