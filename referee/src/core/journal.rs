//! The journal of an event: everything that a resumed event needs, as EPD records, one per line, in
//! order of time (decision 96).
//!
//! - `<start> Game 3; id "King's pawn"; ptp White "A" Black "B" Date "2026.11.21" TimeControl "60+1";
//!   sv e4 e5;` — a game began; `sv` holds the moves of its opening and `id` its name, if it has any. `ptp`
//!   also has what each side runs on, where that is known, and the time controls of both where time is
//!   normalised ([`Conditions::tags`]).
//! - `<position> Game 3; ctcc <White> <Black>; cte <time>; sm Nf3; ce 25; draw_offer;` — a move was
//!   made; `ctcc` is the time that White and Black have used so far, `cte` the time that this move took,
//!   `ce` the mover's evaluation and `draw_offer`, `draw_claim` or `draw_reject` its other action, if
//!   there are any; `Tablebases "1-0"` is the result by which tablebases then ended the game. Every line has the move counters `hmvc` and `fmvn` too.
//! - `<position> Game 3; ptp Result "1-0" Termination "normal"; c0 "...";` — a game ended; `Verdict`
//!   names the fault that decided it, if any.
//! - `<start> Game 3; Withdrawn; c0 "...";` — the result of a finished game was dropped: the game is
//!   played again.
//! - `<position> Game 3; Order "extend 3 black 30s"; By "alice"; Reason "..."; Time "...";` — the arbiter
//!   gave an order that was accepted. `By` and `Reason` say who gave it and why, where known;
//!   an order that is about no game in particular has no `Game`. Characters that a string of EPD cannot
//!   have are written as `\\u{22}`, and what is too long for one string is continued in the next.
//!   [`Ledger::apply`](crate::core::event::Ledger::apply) tells what an order changes. A decision about a
//!   game is followed by the line with its end.
//!
//! - `<start> Board 2 5; Games 2; Players 4 7; Round 3; ptp White "A" Black "B";` — two players were paired, or one
//!   has a bye: a line for each board of a round, here the second of five. `Games` is the number of games that they
//!   play, `Players` their numbers, from 1. The round counts once the line of its last board is there.
//! - `<start> Term 2; Time "...";` — a second referee has taken over the event, with this number (decision 143).
//!
//! A line is written before any player is told of what it says. A last line without its line feed, as
//! a crash in the middle of writing leaves it, is ignored.

use std::time::Duration;

use epd::protocol::{PlayerActions, printable};
use epd::time::MillisecondClock;
use epd::{Operation, Record};
use movegen::pgn::Outcome;
use movegen::{Move, Position};

use crate::core::equipment::Conditions;
use crate::core::event::{GivenOrder, Order};
use crate::core::game::{Moved, clamp_ce};
use crate::core::openings::Opening;
use crate::core::schedule::Meeting;

/// A line of the journal.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A game began.
    Begun {
        /// Its number in the schedule.
        game: usize,
        /// The name of the player of the white pieces.
        white: String,
        /// The name of the player of the black pieces.
        black: String,
        /// Its opening.
        opening: Opening,
        /// The date, for PGN.
        date: String,
        /// Its time control, as in the event file. Journals of earlier versions have none.
        time_control: Option<String>,
        /// What is particular to each side.
        conditions: Conditions,
    },
    /// A move was made.
    Moved {
        /// The number of the game.
        game: usize,
        /// The position before it.
        before: Position,
        /// The move.
        mv: Move,
        /// The time that White and Black have used so far.
        used: [Duration; 2],
        /// The time that the move took.
        elapsed: Duration,
        /// The mover's evaluation, in the units of `ce`.
        eval: Option<i32>,
        /// The mover's other actions, such as a draw offer.
        actions: PlayerActions,
        /// The result by which the tablebases then ended the game, if they did.
        judged: Option<Outcome>,
    },
    /// A game ended.
    Ended {
        /// The number of the game.
        game: usize,
        /// The last position.
        position: Position,
        /// The value of the PGN tag `Result`.
        result: String,
        /// The value of the PGN tag `Termination`.
        termination: String,
        /// The name of the fault that decided it, if any.
        forfeit: Option<String>,
        /// The result and its reason in words.
        text: String,
    },
    /// The result of a finished game was dropped; the game is played again.
    Withdrawn {
        /// The number of the game.
        game: usize,
        /// The starting position.
        position: Position,
        /// Why.
        text: String,
    },
    /// The arbiter gave an order.
    Ordered {
        /// The order, why it was given, and by whom.
        given: GivenOrder,
        /// When, as RFC 3339 has it.
        at: String,
        /// The position of its game; the starting position if it is about none in progress.
        position: Position,
    },
    /// Two players were paired, or one has a bye, in an event whose schedule grows.
    Paired {
        /// Who meets.
        meeting: Meeting,
        /// The names of the players; only the first one of a bye counts.
        names: [String; 2],
        /// The number of the board among those that were paired at once, from 1.
        board: usize,
        /// The number of these boards.
        boards: usize,
    },
    /// Another referee has taken over the event.
    Term {
        /// The number of this referee, from 2: the first one has no entry.
        term: u64,
        /// When, as RFC 3339 has it.
        at: String,
    },
}

/// The longest part of a text in one string of a journal.
pub(super) const MAX_PART: usize = 240;

/// The most that an order may take in the journal, so that its line is not too long.
const MAX_ORDER: usize = 3500;

/// Whether an order is too long for a line of the journal.
#[must_use]
pub fn is_too_long(given: &GivenOrder) -> bool {
    let parts = [&given.reason, &given.by].into_iter().flatten();
    let length = parts.map(|part| escaped(part).len()).sum::<usize>();
    length + escaped(&given.order.to_string()).len() > MAX_ORDER
}

/// A text in characters that a string of EPD may have.
pub(super) fn escaped(text: &str) -> String {
    let letters = text.chars().map(|letter| match letter {
        '"' | '\\' => format!("\\u{{{:x}}}", u32::from(letter)),
        ' '..='~' => letter.to_string(),
        _ => format!("\\u{{{:x}}}", u32::from(letter)),
    });
    letters.collect()
}

/// The text that [`escaped`] has written.
pub(super) fn unescaped(text: &str) -> Option<String> {
    let mut found = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\u{") {
        let (code, after) = after.split_once('}')?;
        let code = u32::from_str_radix(code, 16).ok()?;
        found.push_str(before);
        found.push(char::from_u32(code)?);
        rest = after;
    }
    Some(found + rest)
}

/// An operation with a text of any characters and length.
pub(super) fn text_operation(opcode: &'static str, text: &str) -> Operation {
    let text = escaped(text);
    // Escaped text is ASCII.
    let parts = text.as_bytes().chunks(MAX_PART);
    parts.fold(Operation::new(opcode), |operation, part| {
        operation.string(&String::from_utf8_lossy(part))
    })
}

/// The text of an operation that [`text_operation`] has made.
pub(super) fn text_of(record: &Record, opcode: &str) -> Result<Option<String>, String> {
    let Some(operation) = record.get(opcode) else {
        return Ok(None);
    };
    let parts: String = operation.operands.iter().map(epd::Operand::text).collect();
    let text = unescaped(&parts).ok_or_else(|| format!("invalid escape in {opcode}"))?;
    Ok(Some(text))
}

/// A line that is not an entry of a journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the journal: {what}")]
pub struct JournalError {
    /// From 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

fn record_at(position: &Position) -> Record {
    let mut setup = position.setup();
    (setup.halfmove_clock, setup.fullmove_number) = (0, 1);
    let mut record = Record::new(setup);
    record.set_halfmove_clock(position.halfmove_clock().into());
    record.set_fullmove_number(position.fullmove_number().into());
    record
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

impl Entry {
    /// The entry for a move.
    #[must_use]
    pub const fn moved(game: usize, moved: &Moved) -> Self {
        Self::Moved {
            game,
            before: moved.before,
            mv: moved.mv,
            used: moved.used,
            elapsed: moved.elapsed,
            eval: moved.eval,
            actions: moved.actions,
            judged: moved.judged,
        }
    }

    /// The line, with its line feed.
    #[must_use]
    pub fn line(&self) -> String {
        let mut record = match self {
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
                if let Some(eval) = eval {
                    record.set_evaluation((*eval).into());
                }
                for (opcode, action) in PlayerActions::opcodes() {
                    if actions.contains(action) {
                        record.set(Operation::new(opcode));
                    }
                }
                if let Some(outcome) = judged {
                    record.set(Operation::new("Tablebases").string(&outcome.to_string()));
                }
                record
            }
            Self::Ended {
                position,
                result,
                termination,
                forfeit,
                text,
                ..
            } => {
                let mut record = record_at(position);
                let tags = [("Result", result.as_str()), ("Termination", termination)];
                record.set_tags(tags);
                record.set_comment(0, &printable(text));
                if let Some(forfeit) = forfeit {
                    record.set(Operation::new("Verdict").symbol(forfeit));
                }
                record
            }
            Self::Withdrawn { position, text, .. } => {
                let mut record = record_at(position);
                record.set(Operation::new("Withdrawn"));
                record.set_comment(0, &printable(text));
                record
            }
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
            Self::Term { term, at } => {
                let mut record = record_at(&Position::start());
                record.set(Operation::new("Term").symbol(term));
                record.set(text_operation("Time", at));
                record
            }
        };
        if let Some(game) = self.game() {
            record.set(Operation::new("Game").symbol(game));
        }
        format!("{record}\n")
    }

    /// The number of the game; an order need not be about a game.
    #[must_use]
    pub const fn game(&self) -> Option<usize> {
        match self {
            Self::Begun { game, .. }
            | Self::Moved { game, .. }
            | Self::Ended { game, .. }
            | Self::Withdrawn { game, .. } => Some(*game),
            Self::Ordered { given, .. } => given.order.game(),
            Self::Paired { .. } | Self::Term { .. } => None,
        }
    }

    /// The number of the game whose result it drops, if it does.
    #[must_use]
    pub const fn withdrawn(&self) -> Option<usize> {
        match self {
            Self::Withdrawn { game, .. } => Some(*game),
            Self::Ordered { given, .. } => match given.order {
                Order::Replay { game } => Some(game),
                _ => None,
            },
            _ => None,
        }
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
            let (white, black) = record.chess_clocks().map_err(wrong)?.ok_or("no clocks")?;
            let elapsed = record.time_elapsed().map_err(wrong)?;
            return Ok(Self::Moved {
                game,
                before: position,
                mv,
                used: [white.duration(), black.duration()],
                elapsed: elapsed.map_or(Duration::ZERO, MillisecondClock::duration),
                eval: record.evaluation().map_err(wrong)?.map(clamp_ce),
                actions: PlayerActions::opcodes()
                    .filter(|(opcode, _)| record.get(opcode).is_some())
                    .map(|(_, action)| action)
                    .collect(),
                judged: judged(record)?,
            });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::equipment::Equipment;
    use crate::core::time_control::Control;
    use movegen::UciMove;

    fn entries() -> Vec<Entry> {
        let start = Position::start();
        let find = |text: &str, position: &Position| {
            text.parse::<UciMove>()
                .expect(text)
                .find(position)
                .expect(text)
        };
        let e4 = find("e2e4", &start);
        let mut after = start;
        after.play(e4);
        vec![
            Entry::Begun {
                game: 3,
                white: "A".to_owned(),
                black: "B 'b'".to_owned(),
                opening: Opening {
                    start,
                    moves: vec![e4],
                    name: Some("King's pawn".to_owned()),
                },
                date: "2026.11.21".to_owned(),
                time_control: Some("60+1".to_owned()),
                conditions: Conditions {
                    equipment: [
                        Equipment::default(),
                        Equipment {
                            machine: Some("abacus, 1 thread".to_owned()),
                            speed: Some(12),
                        },
                    ],
                    time_controls: Some(
                        ["60+1", "120+2"].map(|text| Control(text.parse().expect(text))),
                    ),
                },
            },
            Entry::Moved {
                game: 3,
                before: after,
                mv: find("e7e5", &after),
                used: [Duration::from_millis(1), Duration::from_millis(61_234)],
                elapsed: Duration::from_millis(61_234),
                eval: Some(-15),
                actions: PlayerActions::OFFER_DRAW,
                judged: Some(Outcome::Draw),
            },
            Entry::Ended {
                game: 3,
                position: after,
                result: "1-0".to_owned(),
                termination: "time forfeit".to_owned(),
                forfeit: Some("time".to_owned()),
                text: "White wins: Black loses on time".to_owned(),
            },
            Entry::Withdrawn {
                game: 3,
                position: start,
                text: "to be replayed".to_owned(),
            },
            ordered(
                after,
                "extend 3 black 30s --reason 'the \"network\" \\ was down' --by Björn",
            ),
            ordered(start, &format!("message '{}'", "long ".repeat(200))),
            Entry::Term {
                term: 2,
                at: "2026-11-23T02:46:10.123Z".to_owned(),
            },
            Entry::Paired {
                meeting: Meeting {
                    round: 3,
                    white: 3,
                    black: Some(6),
                    games: 2,
                },
                names: ["A".to_owned(), "B 'b'".to_owned()],
                board: 2,
                boards: 5,
            },
            Entry::Paired {
                meeting: Meeting::bye(3, 0),
                names: ["C".to_owned(), String::new()],
                board: 5,
                boards: 5,
            },
        ]
    }

    fn ordered(position: Position, line: &str) -> Entry {
        Entry::Ordered {
            given: line.parse().expect(line),
            at: "2026-11-23T02:46:10.123Z".to_owned(),
            position,
        }
    }

    #[test]
    fn what_is_written_is_what_is_read() {
        let text: String = entries().iter().map(Entry::line).collect();
        assert_eq!(read(text.as_bytes()), Ok((entries(), text.len())));
        let moved = entries()[1].line();
        assert_eq!(
            moved,
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 Game 3; Tablebases \"1/2-1/2\"; ce -15; \
             ctcc 000.00:00:00.001 000.00:01:01.234; cte 000.00:01:01.234; draw_offer; fmvn 1; hmvc 0; sm e5;\n"
        );
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let paired: Vec<_> = entries()[7..].iter().map(Entry::line).collect();
        let expected = [
            "Board 2 5; Games 2; Players 4 7; Round 3; fmvn 1; hmvc 0; ptp White \"A\" Black \"B 'b'\";",
            "Board 5 5; Games 0; Players 1; Round 3; fmvn 1; hmvc 0; ptp White \"C\";",
        ];
        assert_eq!(paired, expected.map(|line| format!("{start} {line}\n")));
    }

    #[test]
    fn orders_are_lines_of_text() {
        let order = &entries()[4];
        assert_eq!(order.game(), Some(3));
        assert_eq!(
            order.line(),
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 By \"Bj\\u{f6}rn\"; Game 3; \
             Order \"extend 3 black 30s\"; Reason \"the \\u{22}network\\u{22} \\u{5c} was down\"; \
             Time \"2026-11-23T02:46:10.123Z\"; fmvn 1; hmvc 0;\n"
        );
        let Entry::Ordered { given, .. } = &entries()[5] else {
            panic!("an order");
        };
        assert!(!is_too_long(given));
        let longest = format!("message {}", "x".repeat(MAX_ORDER - 8));
        let line = ordered(Position::start(), &longest).line();
        assert!(read(line.as_bytes()).is_ok() && line.len() <= 4095);
        let given = format!("{longest}x").parse().expect("an order");
        assert!(is_too_long(&given));
    }

    /// A crash at any byte loses the line that was being written and nothing else.
    #[test]
    fn a_torn_line_does_not_count() {
        let lines: Vec<_> = entries().iter().map(Entry::line).collect();
        let text = lines.concat();
        for end in 0..=text.len() {
            let (found, whole) = read(&text.as_bytes()[..end]).expect("readable");
            let lengths = lines.iter().scan(0, |sum, line| {
                *sum += line.len();
                Some(*sum)
            });
            let complete = lengths.take_while(|&length| length <= end).count();
            assert_eq!(found, entries()[..complete], "{end}");
            assert_eq!(whole, lines[..complete].concat().len());
        }
    }

    #[test]
    fn lines_that_are_no_entries() {
        for (line, what) in [
            ("nonsense\n", "line 1 of the journal: column 9"),
            (
                "8/8/8/8/8/k7/8/K7 w - - bm Kb1;\n",
                "line 1 of the journal: no game",
            ),
            (
                "8/8/8/8/8/k7/8/K7 w - - Game 1; sm Kb1;\n",
                "line 1 of the journal: no clocks",
            ),
            (
                "8/8/8/8/8/k7/8/K7 w - - Game 1; sm Ka2;\n",
                "line 1 of the journal: sm: Ka2",
            ),
            (
                "8/8/8/8/8/k7/8/K7 w - - Game 1;\n",
                "line 1 of the journal: no White",
            ),
            (
                "8/8/8/8/8/k7/8/K7 w - - Board 1 1; Games 2; Players 0 1; Round 1;\n",
                "line 1 of the journal: Players: expected numbers from 1",
            ),
            (
                "8/8/8/8/8/k7/8/K7 w - - Board 1; Games 2; Players 1 2; Round 1;\n",
                "line 1 of the journal: Board: expected two numbers",
            ),
            (
                "8/8/8/8/8/k7/8/K7 w - - Board 1 1; Games x; Players 1 2; Round 1;\n",
                "line 1 of the journal: Games: \"x\" is not a number",
            ),
            (
                "8/8/8/8/8/k7/8/K7 w - - Order \"sing\"; Time \"x\";\n",
                "line 1 of the journal: Order: unrecognized subcommand 'sing'",
            ),
        ] {
            let error = read(line.as_bytes()).expect_err(line).to_string();
            assert!(error.starts_with(what), "{error}");
        }
    }
}
