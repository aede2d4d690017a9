//! What the diagram of a record shows: arrows, heading and text.

use std::fmt::Write;

use epd::{Operand, Operation, Record};
use movegen::{Color, Move, Position, San};
use svg::{Arrow, Board, Span, describe};

use super::pages::Entry;
use crate::cli::{Diagram, Orientation};

/// The content of a diagram.
pub struct Picture {
    entry: Entry,
    side: Color,
    has_coordinates: bool,
    label: String,
    heading: String,
    arrows: Vec<(Move, Arrow)>,
    notes: Vec<Vec<Span>>,
}

/// The moves that a record names.
#[derive(Default)]
struct Moves {
    best: Vec<Move>,
    avoid: Vec<Move>,
    predicted: Vec<Move>,
    line: Vec<Move>,
}

impl Moves {
    fn of(record: &Record, position: &Position) -> Self {
        let each = |opcode| {
            let operation = record.get(opcode).into_iter();
            let moves = operation.flat_map(|operation| operation.each_move(position));
            moves.flatten().collect::<Vec<_>>()
        };
        Self {
            best: each("bm"),
            avoid: each("am"),
            predicted: each("pm"),
            line: record
                .predicted_variation(position)
                .ok()
                .flatten()
                .unwrap_or_default(),
        }
    }

    /// The arrows, those above others last. Of several between the same squares, the last remains.
    fn arrows(&self, plies_of_line: usize) -> Vec<(Move, Arrow)> {
        let line = &self.line[..plies_of_line.min(self.line.len())];
        let (first, later) = line.split_at(line.len().min(1));
        let groups = [
            (later.iter().rev().copied().collect(), Arrow::Later),
            (first.to_vec(), Arrow::Expected),
            (self.predicted.clone(), Arrow::Expected),
            (self.avoid.clone(), Arrow::Wrong),
            (self.best.clone(), Arrow::Best),
        ];
        let mut arrows: Vec<(Move, Arrow)> = Vec::new();
        for (moves, arrow) in groups {
            for mv in moves {
                arrows.retain(|(other, _)| (other.from(), other.to()) != (mv.from(), mv.to()));
                arrows.push((mv, arrow));
            }
        }
        arrows
    }

    /// The moves in words.
    fn notes(&self, position: &Position) -> Vec<Vec<Span>> {
        let several = |moves: &[Move]| {
            let texts: Vec<_> = moves
                .iter()
                .map(|&mv| San::of(position, mv).to_string())
                .collect();
            texts.join(", ")
        };
        // The line repeats the predicted move.
        let is_repeated = !self.line.is_empty() && self.line.first() == self.predicted.first();
        let predicted = if is_repeated {
            &[]
        } else {
            &self.predicted[..]
        };
        let groups = [
            (&self.best[..], Arrow::Best, "best"),
            (&self.avoid, Arrow::Wrong, "avoid"),
            (predicted, Arrow::Expected, "predicted"),
        ];
        let named = groups.into_iter().filter(|(moves, ..)| !moves.is_empty());
        let targets = named
            .map(|(moves, arrow, word)| Span::about(arrow, format!("{word} {}", several(moves))))
            .collect();
        let mut line = String::from("line");
        let mut current = *position;
        for &mv in &self.line {
            let _ = write!(line, " {}", San::of(&current, mv));
            current.play(mv);
        }
        let mut notes = vec![targets];
        if !self.line.is_empty() {
            notes.push(vec![Span::about(Arrow::Expected, line)]);
        }
        notes
    }
}

impl Picture {
    pub fn new(entry: Entry, args: &Diagram) -> Self {
        let record = &entry.record;
        let turn = record.setup.turn;
        let moves = match &entry.position {
            Some(position) if !args.no_moves => Moves::of(record, position),
            _ => Moves::default(),
        };
        let mut notes = vec![vec![Span::new(to_move(turn, entry.position.as_ref()))]];
        match &entry.position {
            Some(position) => notes.extend(moves.notes(position)),
            None => notes.push(vec![Span::about(
                Arrow::Wrong,
                entry.fault.clone().unwrap_or_default(),
            )]),
        }
        let printed = record.operations().iter();
        let printed = printed.filter(|operation| args.text.has(&operation.opcode));
        notes.extend(printed.map(|operation| vec![Span::new(text(operation))]));
        let heading = heading(&entry);
        let position = entry.position.as_ref().map(describe).unwrap_or_default();
        Self {
            side: match args.orientation {
                Orientation::White => Color::White,
                Orientation::Black => Color::Black,
                Orientation::Mover => turn,
            },
            has_coordinates: !args.no_coordinates,
            label: format!("{heading}. {position}"),
            heading,
            arrows: moves.arrows(args.pv.into()),
            notes,
            entry,
        }
    }

    pub fn diagram(&self) -> svg::Diagram<'_> {
        let board = match &self.entry.position {
            Some(position) => Board::new(position, &self.label),
            None => Board::of_setup(&self.entry.record.setup, &self.label),
        };
        let mut board = board.seen_from(self.side).arrows(&self.arrows).mark_check();
        if let Some(mv) = self.entry.last_move {
            board = board.last_move(mv);
        }
        if !self.has_coordinates {
            board = board.without_coordinates();
        }
        svg::Diagram {
            board,
            turn: self.entry.record.setup.turn,
            heading: &self.heading,
            notes: self.notes.clone(),
        }
    }
}

/// The id, or else the number of the record.
fn heading(entry: &Entry) -> String {
    match entry.record.id() {
        Ok(Some(id)) if !id.trim().is_empty() => id.to_owned(),
        _ => format!("Record {}", entry.number),
    }
}

fn to_move(turn: Color, position: Option<&Position>) -> String {
    let side = match turn {
        Color::White => "White",
        Color::Black => "Black",
    };
    let state = match position {
        Some(position) if position.is_checkmate() => ", checkmate",
        Some(position) if position.is_stalemate() => ", stalemate",
        Some(position) if position.is_check() => ", in check",
        _ => "",
    };
    format!("{side} to move{state}")
}

/// An operation as text: a comment without its opcode, any other with it.
fn text(operation: &Operation) -> String {
    let operands: Vec<_> = operation.operands.iter().map(Operand::text).collect();
    let operands = operands.join(" ");
    match operation.opcode.as_bytes() {
        [b'c', b'0'..=b'9'] => operands,
        _ => format!("{} {operands}", operation.opcode),
    }
}
