//! How an entry becomes a line of the journal.

use epd::protocol::{PlayerActions, printable};
use epd::time::MillisecondClock;
use epd::{Operation, Record};
use movegen::Position;
use movegen::pgn::Outcome;

use super::Entry;
use super::text::{escaped, text_operation};
use crate::core::equipment::Conditions;
use crate::core::event::GivenOrder;
use crate::core::openings::Opening;
use crate::core::schedule::Meeting;

/// The most that an order may take in the journal, so that its line is not too long.
pub(super) const MAX_ORDER: usize = 3500;

/// Whether an order is too long for a line of the journal.
#[must_use]
pub fn is_too_long(given: &GivenOrder) -> bool {
    let parts = [&given.reason, &given.by].into_iter().flatten();
    let length = parts.map(|part| escaped(part).len()).sum::<usize>();
    length + escaped(&given.order.to_string()).len() > MAX_ORDER
}

impl Entry {
    /// The line, with its line feed.
    #[must_use]
    pub fn line(&self) -> String {
        let mut record = self.record();
        if let Some(game) = self.game() {
            record.set(Operation::new("Game").symbol(game));
        }
        format!("{record}\n")
    }

    /// The line as a record, without the number of the game.
    fn record(&self) -> Record {
        match self {
            Self::Begun {
                white,
                black,
                opening,
                date,
                time_control,
                conditions,
                ..
            } => begun_record(
                [white, black],
                opening,
                date,
                time_control.as_deref(),
                conditions,
            ),
            Self::Moved {
                before,
                mv,
                used: [white, black],
                elapsed,
                eval,
                actions,
                judged,
                ..
            } => {
                let mut record = record_at(before);
                record
                    .set_chess_clocks(MillisecondClock::new(*white), MillisecondClock::new(*black));
                record.set_time_elapsed(MillisecondClock::new(*elapsed));
                record.set_supplied_move(before, *mv);
                set_comments(&mut record, *eval, *actions, *judged);
                record
            }
            Self::Ended {
                position,
                result,
                termination,
                forfeit,
                text,
                ..
            } => ended_record(position, [result, termination], forfeit.as_deref(), text),
            Self::Withdrawn { position, text, .. } => withdrawn_record(position, text),
            Self::Ordered {
                given,
                at,
                position,
            } => ordered_record(given, at, position),
            Self::Paired {
                meeting,
                names,
                board,
                boards,
            } => paired_record(meeting, names, [*board, *boards]),
            Self::Term { term, at } => term_record(*term, at),
        }
    }
}

fn begun_record(
    [white, black]: [&str; 2],
    opening: &Opening,
    date: &str,
    time_control: Option<&str>,
    conditions: &Conditions,
) -> Record {
    let mut record = record_at(&opening.start);
    let tags = [("White", white), ("Black", black), ("Date", date)];
    let tags = tags
        .into_iter()
        .chain(time_control.map(|control| ("TimeControl", control)));
    let sides = conditions.tags();
    let sides = sides
        .iter()
        .map(|(tag, value)| (tag.as_str(), value.as_str()));
    let tags = tags.chain(sides);
    let tags: Vec<_> = tags.map(|(tag, value)| (tag, printable(value))).collect();
    record.set_tags(tags.iter().map(|(tag, value)| (*tag, value.as_str())));
    record.set_supplied_variation(&opening.start, &opening.moves);
    if let Some(name) = &opening.name {
        record.set_id(&printable(name));
    }
    record
}

/// What a move comes with: the mover's evaluation and its other actions, and the result by the tablebases.
fn set_comments(
    record: &mut Record,
    eval: Option<i32>,
    actions: PlayerActions,
    judged: Option<Outcome>,
) {
    if let Some(eval) = eval {
        record.set_evaluation(eval.into());
    }
    for (opcode, action) in PlayerActions::opcodes() {
        if actions.contains(action) {
            record.set(Operation::new(opcode));
        }
    }
    if let Some(outcome) = judged {
        record.set(Operation::new("Tablebases").string(&outcome.to_string()));
    }
}

fn ended_record(
    position: &Position,
    [result, termination]: [&str; 2],
    forfeit: Option<&str>,
    text: &str,
) -> Record {
    let mut record = record_at(position);
    record.set_tags([("Result", result), ("Termination", termination)]);
    record.set_comment(0, &printable(text));
    if let Some(forfeit) = forfeit {
        record.set(Operation::new("Verdict").symbol(forfeit));
    }
    record
}

fn withdrawn_record(position: &Position, text: &str) -> Record {
    let mut record = record_at(position);
    record.set(Operation::new("Withdrawn"));
    record.set_comment(0, &printable(text));
    record
}

fn ordered_record(given: &GivenOrder, at: &str, position: &Position) -> Record {
    let mut record = record_at(position);
    record.set(text_operation("Order", &given.order.to_string()));
    record.set(text_operation("Time", at));
    if let Some(by) = &given.by {
        record.set(text_operation("By", by));
    }
    if let Some(reason) = &given.reason {
        record.set(text_operation("Reason", reason));
    }
    record
}

fn paired_record(meeting: &Meeting, names: &[String; 2], board: [usize; 2]) -> Record {
    let players = std::iter::once(meeting.white).chain(meeting.black);
    let mut record = record_at(&Position::start());
    let counts = |opcode, counts: &mut dyn Iterator<Item = usize>| {
        counts.fold(Operation::new(opcode), |operation, count| {
            operation.symbol(count)
        })
    };
    record.set(counts("Board", &mut board.into_iter()));
    record.set(counts("Games", &mut std::iter::once(meeting.games)));
    record.set(counts(
        "Players",
        &mut players.clone().map(|player| player + 1),
    ));
    record.set(counts("Round", &mut std::iter::once(meeting.round)));
    let names = names.iter().map(|name| printable(name));
    let tags: Vec<_> = ["White", "Black"]
        .into_iter()
        .zip(names)
        .zip(players)
        .collect();
    let tags = tags.iter().map(|((tag, name), _)| (*tag, name.as_str()));
    record.set_tags(tags);
    record
}

fn term_record(term: u64, at: &str) -> Record {
    let mut record = record_at(&Position::start());
    record.set(Operation::new("Term").symbol(term));
    record.set(text_operation("Time", at));
    record
}

/// A record of a position, with its move counters.
fn record_at(position: &Position) -> Record {
    let mut setup = position.setup();
    (setup.halfmove_clock, setup.fullmove_number) = (0, 1);
    let mut record = Record::new(setup);
    record.set_halfmove_clock(position.halfmove_clock().into());
    record.set_fullmove_number(position.fullmove_number().into());
    record
}
