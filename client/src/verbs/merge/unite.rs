//! The rules by which several records of one position become one.

use engine::Score;
use epd::{Lexicon, Operand, Operation, Record};
use movegen::{Move, Position, San};

use crate::batch::opcodes::is_of_analysis;
use crate::cli::Conflict;

/// Where a record comes from. Places sort by their bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The number of the file among the inputs, from 0.
    pub file: usize,
    pub line: usize,
}

impl Source {
    pub fn to_bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&(self.file as u64).to_be_bytes());
        bytes[8..].copy_from_slice(&(self.line as u64).to_be_bytes());
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let number = |bytes: &[u8]| Some(u64::from_be_bytes(bytes.try_into().ok()?) as usize);
        let (file, line) = bytes.split_at_checked(8)?;
        Some(Self {
            file: number(file)?,
            line: number(line)?,
        })
    }
}

/// Operations of one opcode that contradict each other.
#[derive(Debug)]
pub struct Contradiction {
    pub opcode: String,
    pub first: Source,
    pub later: Source,
    /// Both operations.
    pub texts: String,
}

/// An operation that is not in the united record.
#[derive(Debug, PartialEq, Eq)]
pub struct LeftOut {
    pub source: Source,
    pub text: String,
    reason: Reason,
}

#[derive(Debug, PartialEq, Eq)]
enum Reason {
    /// The operation of this record is there in its place.
    Kept(Source),
    /// The moves of an intersection are those of all records.
    NotInAll,
    /// No comment register is free.
    NoRegister,
}

impl LeftOut {
    pub fn why(&self, name: &impl Fn(Source) -> String) -> String {
        match self.reason {
            Reason::Kept(kept) => format!("that of {} is kept", name(kept)),
            Reason::NotInAll => "not in all records".to_owned(),
            Reason::NoRegister => "no comment register is free".to_owned(),
        }
    }
}

/// The registers for comments.
fn is_comment(opcode: &str) -> bool {
    matches!(opcode.as_bytes(), [b'c', b'0'..=b'9'])
}

/// An operation with its record's place.
type Sourced<'r> = (Source, &'r Operation);

/// Unites the records of a position, of which there is at least one, in the order of the input.
pub fn unite(
    records: Vec<(Source, Record)>,
    conflict: Conflict,
    lexicon: &Lexicon,
) -> Result<(Record, Vec<LeftOut>), Contradiction> {
    if records.len() == 1 {
        let record = records.into_iter().next().map(|(_, record)| record);
        return Ok((
            record.unwrap_or_else(|| Record::new(movegen::Setup::empty())),
            Vec::new(),
        ));
    }
    let position = records[0].1.position().ok();
    let mut united = records[0].1.clone();
    united.retain(|_| false);
    let mut left_out = Vec::new();
    let deepest = deepest(&records);
    for operation in deepest.iter().flat_map(|record| record.operations()) {
        if is_of_analysis(&operation.opcode) {
            united.add(operation.clone());
        }
    }
    let operations = || {
        records.iter().flat_map(|(source, record)| {
            record
                .operations()
                .iter()
                .map(|operation| (*source, operation))
        })
    };
    let mut opcodes: Vec<_> = operations()
        .map(|(_, operation)| operation.opcode.clone())
        .collect();
    opcodes.sort();
    opcodes.dedup();
    for opcode in opcodes
        .iter()
        .filter(|opcode| !is_of_analysis(opcode) && !is_comment(opcode))
    {
        let same: Vec<Sourced<'_>> = operations()
            .filter(|(_, operation)| operation.opcode == *opcode)
            .collect();
        let is_moves = matches!(&**opcode, "am" | "bm");
        match position
            .as_ref()
            .filter(|_| is_moves)
            .and_then(|position| Moves::of(position, &same))
        {
            Some(moves) => moves
                .join(conflict, &same, &mut left_out)?
                .into_iter()
                .for_each(|joined| united.set(joined)),
            None => united.set(choose(conflict, &same, &mut left_out)?),
        }
    }
    comments(
        operations().filter(|(_, operation)| is_comment(&operation.opcode)),
        &mut united,
        &mut left_out,
    );
    united.normalise(lexicon);
    Ok((united, left_out))
}

/// The record with the best analysis: one that found a mate, or else the deepest; the first of several. None has
/// one if none has any of its operations.
fn deepest(records: &[(Source, Record)]) -> Option<&Record> {
    let analysed = records.iter().filter(|(_, record)| {
        record
            .operations()
            .iter()
            .any(|operation| is_of_analysis(&operation.opcode))
    });
    let effort = |record: &Record| {
        let number = |number: Result<Option<u64>, _>| number.ok().flatten().unwrap_or(0);
        let evaluation = record.evaluation().ok().flatten();
        let score = evaluation.and_then(|ce| i16::try_from(ce).ok());
        let is_mate = score.is_some_and(|ce| Score::from_ce(ce).is_mate());
        (is_mate, number(record.depth()), number(record.nodes()))
    };
    // The last of several greatest ones is the first one of the records.
    let analysed = analysed.rev().map(|(_, record)| record);
    analysed.max_by_key(|record| effort(record))
}

/// One of several operations of an opcode; the others that differ are left out.
fn choose(
    conflict: Conflict,
    same: &[Sourced<'_>],
    left_out: &mut Vec<LeftOut>,
) -> Result<Operation, Contradiction> {
    let kept = match conflict {
        Conflict::Last => same[same.len() - 1],
        Conflict::Union | Conflict::Intersection | Conflict::First | Conflict::Error => same[0],
    };
    for &(source, operation) in same
        .iter()
        .filter(|(_, operation)| operation.operands != kept.1.operands)
    {
        if conflict == Conflict::Error {
            return Err(contradiction(kept, (source, operation)));
        }
        left_out.push(LeftOut {
            source,
            text: operation.to_string(),
            reason: Reason::Kept(kept.0),
        });
    }
    Ok(kept.1.clone())
}

fn contradiction(first: Sourced<'_>, later: Sourced<'_>) -> Contradiction {
    Contradiction {
        opcode: first.1.opcode.to_string(),
        first: first.0,
        later: later.0,
        texts: format!("{} {}", first.1, later.1),
    }
}

/// The moves of each of several operations.
struct Moves<'p> {
    position: &'p Position,
    lists: Vec<Vec<Move>>,
}

impl<'p> Moves<'p> {
    /// The moves, if all of them are legal.
    fn of(position: &'p Position, same: &[Sourced<'_>]) -> Option<Self> {
        let lists = same
            .iter()
            .map(|(_, operation)| operation.moves(position).ok());
        let lists = lists.collect::<Option<_>>()?;
        Some(Self { position, lists })
    }

    /// One operation in place of several; none if no moves are left.
    fn join(
        self,
        conflict: Conflict,
        same: &[Sourced<'_>],
        left_out: &mut Vec<LeftOut>,
    ) -> Result<Option<Operation>, Contradiction> {
        let first = &self.lists[0];
        let differs = |list: &Vec<Move>| {
            list.len() != first.len() || list.iter().any(|mv| !first.contains(mv))
        };
        let Some(differing) = self.lists.iter().position(differs) else {
            // The moves keep their spelling.
            return Ok(Some(same[0].1.clone()));
        };
        let moves: Vec<Move> = match conflict {
            Conflict::Error => return Err(contradiction(same[0], same[differing])),
            Conflict::First => first.clone(),
            Conflict::Last => self.lists[self.lists.len() - 1].clone(),
            Conflict::Intersection => {
                let in_all = |mv: &&Move| self.lists.iter().all(|list| list.contains(mv));
                first.iter().filter(in_all).copied().collect()
            }
            Conflict::Union => {
                let mut all: Vec<Move> = Vec::new();
                for &mv in self.lists.iter().flatten() {
                    if !all.contains(&mv) {
                        all.push(mv);
                    }
                }
                all
            }
        };
        for (&(source, operation), list) in same.iter().zip(&self.lists) {
            let missing: Vec<_> = list.iter().filter(|mv| !moves.contains(mv)).collect();
            if missing.is_empty() {
                continue;
            }
            left_out.push(LeftOut {
                source,
                text: self.operation(operation, missing).to_string(),
                reason: match conflict {
                    Conflict::Intersection => Reason::NotInAll,
                    Conflict::Last => Reason::Kept(same[same.len() - 1].0),
                    Conflict::First | Conflict::Union | Conflict::Error => Reason::Kept(same[0].0),
                },
            });
        }
        let joined = self.operation(same[0].1, &moves);
        Ok((!moves.is_empty()).then_some(joined))
    }

    /// An operation with other moves.
    fn operation<'m>(
        &self,
        operation: &Operation,
        moves: impl IntoIterator<Item = &'m Move>,
    ) -> Operation {
        let mut operation = operation.clone();
        let san = |&mv: &Move| Operand::new(San::of(self.position, mv).to_string());
        operation.operands = moves.into_iter().map(san).collect();
        operation
    }
}

/// Gives each different comment a register: its own if that is free.
fn comments<'r>(
    comments: impl Iterator<Item = Sourced<'r>>,
    united: &mut Record,
    left_out: &mut Vec<LeftOut>,
) {
    let mut known = Vec::new();
    for (source, comment) in comments {
        if known.contains(&&comment.operands) {
            continue;
        }
        known.push(&comment.operands);
        let own = std::iter::once(comment.opcode.to_string());
        let registers = (0..10).map(|number| format!("c{number}"));
        let free = own
            .chain(registers)
            .find(|register| united.get(register).is_none());
        let Some(register) = free else {
            left_out.push(LeftOut {
                source,
                text: comment.to_string(),
                reason: Reason::NoRegister,
            });
            continue;
        };
        let mut comment = comment.clone();
        if let Ok(opcode) = register.parse() {
            comment.opcode = opcode;
            united.set(comment);
        }
    }
}
