//! How a line of the journal becomes an entry again.

use std::time::Duration;

use epd::Record;
use epd::protocol::PlayerActions;
use epd::time::MillisecondClock;
use movegen::pgn::Outcome;
use movegen::{Move, Position};

use super::Entry;
use super::text::text_of;
use crate::core::equipment::Conditions;
use crate::core::event::{GivenOrder, Order};
use crate::core::game::clamp_ce;
use crate::core::openings::Opening;
use crate::core::schedule::Meeting;

/// A line that is not an entry of a journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {what}")]
pub struct JournalError {
    /// From 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// Reads a journal; returns its entries, and the number of bytes in whole lines.
pub fn read(text: &[u8]) -> Result<(Vec<Entry>, usize), JournalError> {
    let whole = memchr::memrchr(b'\n', text).map_or(0, |end| end + 1);
    let mut entries = Vec::new();
    for line in epd::Lines::new(&text[..whole], 1) {
        let entry = line
            .read(&epd::Reader::strict(), &mut Vec::new())
            .map_err(|error| error.to_string())
            .and_then(|record| Entry::read(&record));
        entries.push(entry.map_err(|what| JournalError {
            line: line.number,
            what,
        })?);
    }
    Ok((entries, whole))
}

impl Entry {
    fn read(record: &Record) -> Result<Self, String> {
        if let Some(ordered) = Self::read_order(record)? {
            return Ok(ordered);
        }
        if let Some(term) = record.get("Term") {
            let term = term.count().map_err(|error| error.to_string())?;
            let at = text_of(record, "Time")?.ok_or("no Time")?;
            return Ok(Self::Term { term, at });
        }
        if record.get("Board").is_some() {
            return read_paired(record);
        }
        Self::read_of_game(record)
    }

    /// Reads an entry about a game that is no order.
    fn read_of_game(record: &Record) -> Result<Self, String> {
        let game = record.get("Game").ok_or("no game")?;
        let game = game.count().map_err(|error| error.to_string())? as usize;
        let position = record.position().map_err(|error| error.to_string())?;
        let tags = record
            .tags()
            .map_err(|error| error.to_string())?
            .unwrap_or_default();
        let tag = |name: &str| {
            let found = tags.iter().find(|(tag, _)| *tag == name);
            found
                .map(|(_, value)| (*value).to_owned())
                .ok_or(format!("no {name}"))
        };
        let wrong = |error: epd::OperandError| error.to_string();
        if let Some(mv) = record.supplied_move(&position).map_err(wrong)? {
            return Self::read_moved(record, game, position, mv);
        }
        if record.get("Withdrawn").is_some() {
            let text = record.comment(0).map_err(wrong)?;
            return Ok(Self::Withdrawn {
                game,
                position,
                text: text.unwrap_or_default().to_owned(),
            });
        }
        if let Ok(result) = tag("Result") {
            let forfeit = record
                .get("Verdict")
                .and_then(|forfeit| forfeit.operands.first());
            return Ok(Self::Ended {
                game,
                position,
                result,
                termination: tag("Termination")?,
                forfeit: forfeit.map(|forfeit| forfeit.text().to_owned()),
                text: record
                    .comment(0)
                    .map_err(wrong)?
                    .unwrap_or_default()
                    .to_owned(),
            });
        }
        let moves = record.supplied_variation(&position).map_err(wrong)?;
        Ok(Self::Begun {
            game,
            white: tag("White")?,
            black: tag("Black")?,
            opening: Opening {
                start: position,
                moves: moves.unwrap_or_default(),
                name: record.id().map_err(wrong)?.map(str::to_owned),
            },
            date: tag("Date")?,
            time_control: tag("TimeControl").ok(),
            conditions: Conditions::of_tags(|name| tag(name).ok())?,
        })
    }

    fn read_moved(
        record: &Record,
        game: usize,
        before: Position,
        mv: Move,
    ) -> Result<Self, String> {
        let wrong = |error: epd::OperandError| error.to_string();
        let (white, black) = record.chess_clocks().map_err(wrong)?.ok_or("no clocks")?;
        let elapsed = record.time_elapsed().map_err(wrong)?;
        Ok(Self::Moved {
            game,
            before,
            mv,
            used: [white.duration(), black.duration()],
            elapsed: elapsed.map_or(Duration::ZERO, MillisecondClock::duration),
            eval: record.evaluation().map_err(wrong)?.map(clamp_ce),
            actions: PlayerActions::opcodes()
                .filter(|(opcode, _)| record.get(opcode).is_some())
                .map(|(_, action)| action)
                .collect(),
            judged: judged(record)?,
        })
    }

    fn read_order(record: &Record) -> Result<Option<Self>, String> {
        let Some(order) = text_of(record, "Order")? else {
            return Ok(None);
        };
        let order: Order = order.parse().map_err(|error| format!("Order: {error}"))?;
        let given = GivenOrder {
            order,
            reason: text_of(record, "Reason")?,
            by: text_of(record, "By")?,
        };
        Ok(Some(Self::Ordered {
            given,
            at: text_of(record, "Time")?.ok_or("no Time")?,
            position: record.position().map_err(|error| error.to_string())?,
        }))
    }
}

fn read_paired(record: &Record) -> Result<Entry, String> {
    let counts = |opcode: &str| -> Result<Vec<usize>, String> {
        let operation = record.get(opcode).ok_or_else(|| format!("no {opcode}"))?;
        let counts = operation.operands.iter().map(|operand| {
            let text = operand.text();
            text.parse()
                .map_err(|_| format!("{opcode}: {text:?} is not a number"))
        });
        counts.collect()
    };
    let one = |opcode: &str| match counts(opcode)?[..] {
        [count] => Ok(count),
        _ => Err(format!("{opcode}: expected one number")),
    };
    let players = counts("Players")?;
    let (white, black) = match players[..] {
        _ if players.contains(&0) => return Err("Players: expected numbers from 1".to_owned()),
        [white, black] => (white - 1, Some(black - 1)),
        [white] => (white - 1, None),
        _ => return Err("Players: expected one or two numbers".to_owned()),
    };
    let [board, boards] = counts("Board")?[..] else {
        return Err("Board: expected two numbers".to_owned());
    };
    let tags = record.tags().map_err(|error| error.to_string())?;
    let tags = tags.unwrap_or_default();
    let name = |name: &str| {
        let found = tags.iter().find(|(tag, _)| *tag == name);
        found.map_or_else(String::new, |(_, value)| (*value).to_owned())
    };
    Ok(Entry::Paired {
        meeting: Meeting {
            round: one("Round")?,
            white,
            black,
            games: one("Games")?,
        },
        names: [name("White"), name("Black")],
        board,
        boards,
    })
}

/// The result by which the tablebases ended a game after a move, if they did.
fn judged(record: &Record) -> Result<Option<Outcome>, String> {
    let Some(operation) = record.get("Tablebases") else {
        return Ok(None);
    };
    let result = operation.operands.first().map_or("", epd::Operand::text);
    let outcome = result.parse::<Outcome>();
    let outcome = outcome.map_err(|_| format!("Tablebases: {result:?} is not a result"))?;
    Ok(Some(outcome))
}
