//! A result record: the question, the answer, and the effort of the search.

use std::time::Duration;

use epd::{OperandError, Record};
use movegen::{Move, Position, San};
use serde::{Serialize, Serializer};

use super::effort::{Effort, Part};
use crate::batch::note;
use crate::batch::opcodes::is_of_analysis;
use crate::batch::target::{self, Moment, Points, Target};

/// The result of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Solved,
    Missed,
    /// The record has a target but no move: the analysis failed, or was never made.
    Unanswered,
    /// The record has no target.
    Untargeted,
}

impl Status {
    /// Whether the record has a target that was not found.
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Missed | Self::Unanswered)
    }

    pub fn word(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Missed => "missed",
            Self::Unanswered => "unanswered",
            Self::Untargeted => "untargeted",
        }
    }
}

/// The position and its target.
#[derive(Clone, Debug)]
pub struct Question {
    pub id: Option<String>,
    pub position: Position,
    /// The moves of `bm` and of `am`.
    pub best: Vec<Move>,
    pub avoid: Vec<Move>,
}

/// The answer of a program. A report can hold millions of these, so a missing number is stored as
/// an extreme value of its type (`MAX`, or `MIN` for `ce`) instead of in an `Option`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Nodes and milliseconds of the solution, then of the whole search.
    amounts: [[u64; 2]; 2],
    /// Depths in plies, in the same order.
    depths: [u32; 2],
    line: u32,
    ce: i32,
    points: u32,
    most_points: u32,
    choice: [u8; 7],
    pub status: Status,
}

/// Several million answers must fit in memory.
const _: () = assert!(size_of::<Option<Answer>>() == 64);

impl Answer {
    /// The line number in the file, from 1.
    pub fn line(&self) -> usize {
        self.line as usize
    }

    /// The chosen move in SAN.
    pub fn choice(&self) -> Option<&str> {
        let len = self.choice.iter().position(|&letter| letter == 0);
        let text = str::from_utf8(&self.choice[..len.unwrap_or(self.choice.len())]);
        text.ok().filter(|text| !text.is_empty())
    }

    /// The score of `ce`: centipawns for the side to move.
    pub fn ce(&self) -> Option<i32> {
        (self.ce != i32::MIN).then_some(self.ce)
    }

    /// The points of the chosen move.
    pub fn points(&self) -> Option<u64> {
        widen(self.points)
    }

    /// The points of the best move.
    pub fn most_points(&self) -> Option<u64> {
        widen(self.most_points)
    }

    /// The effort of a part of the search.
    pub fn effort(&self, part: Part) -> Effort {
        let [nodes, milliseconds] = self.amounts[part as usize];
        let known = |number: u64| (number != u64::MAX).then_some(number);
        Effort {
            nodes: known(nodes),
            depth: widen(self.depths[part as usize]),
            milliseconds: known(milliseconds),
        }
    }
}

/// Stores a number in 32 bits; a number that is too large becomes the largest that fits.
fn narrow(number: Option<u64>) -> u32 {
    number.map_or(u32::MAX, |number| {
        u32::try_from(number).unwrap_or(u32::MAX).min(u32::MAX - 1)
    })
}

fn widen(number: u32) -> Option<u64> {
    (number != u32::MAX).then_some(number.into())
}

/// The text of a move, padded with zeros.
fn letters(san: San) -> [u8; 7] {
    let mut letters = [0; 7];
    for (letter, byte) in letters.iter_mut().zip(san.bytes()) {
        *letter = byte;
    }
    letters
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'a> {
            line: usize,
            status: Status,
            r#move: Option<&'a str>,
            ce: Option<i32>,
            points: Option<u64>,
            most_points: Option<u64>,
            whole: Effort,
            solution: Effort,
        }
        let fields = Fields {
            line: self.line(),
            status: self.status,
            r#move: self.choice(),
            ce: self.ce(),
            points: self.points(),
            most_points: self.most_points(),
            whole: self.effort(Part::Whole),
            solution: self.effort(Part::Solution),
        };
        fields.serialize(serializer)
    }
}

/// Reads a record whose position is known. Operands that cannot be read are reported and treated as
/// missing. A record that was given up has no answer: any analysis in it is an older one.
pub fn read(
    line: usize,
    record: &Record,
    position: &Position,
    tell: &mut dyn FnMut(OperandError),
) -> (Question, Answer) {
    let mut unanswered;
    let record = if note::is_in(record) {
        unanswered = record.clone();
        unanswered.retain(|operation| !is_of_analysis(&operation.opcode));
        &unanswered
    } else {
        record
    };
    let id = or_tell(record.id(), tell).filter(|id| !id.is_empty());
    let target = Target::of(record, position, tell);
    let mv = or_tell(target::choice(record, position), tell);
    let points = Points::of(record, position);
    let status = match (&target, mv) {
        (None, _) => Status::Untargeted,
        (Some(_), None) => Status::Unanswered,
        (Some(target), Some(mv)) if target.holds(mv) => Status::Solved,
        (Some(_), Some(_)) => Status::Missed,
    };
    let solution = match status {
        Status::Solved => solution(record, tell),
        _ => Effort::default(),
    };
    let efforts = [solution, whole(record, tell)];
    let known = |number: Option<u64>| number.unwrap_or(u64::MAX);
    let ce = or_tell(record.evaluation(), tell);
    let answer = Answer {
        amounts: efforts.map(|effort| [known(effort.nodes), known(effort.milliseconds)]),
        depths: efforts.map(|effort| narrow(effort.depth)),
        line: u32::try_from(line).unwrap_or(u32::MAX),
        ce: ce.map_or(i32::MIN, |ce| {
            ce.clamp((i32::MIN + 1).into(), i32::MAX.into()) as i32
        }),
        points: narrow(
            points
                .as_ref()
                .map(|points| mv.map_or(0, |mv| points.worth(mv))),
        ),
        most_points: narrow(points.as_ref().map(Points::most)),
        choice: mv.map_or([0; 7], |mv| letters(San::of(position, mv))),
        status,
    };
    let question = Question {
        id: id.map(str::to_owned),
        position: *position,
        best: target.as_ref().map_or(&[][..], Target::best).to_vec(),
        avoid: target.as_ref().map_or(&[][..], Target::avoid).to_vec(),
    };
    (question, answer)
}

/// The effort of the whole search. The time is that of `cte`, or else the whole seconds of `acs`.
fn whole(record: &Record, tell: &mut dyn FnMut(OperandError)) -> Effort {
    let elapsed = or_tell(record.time_elapsed(), tell).map(|clock| milliseconds(clock.duration()));
    let seconds = or_tell(record.seconds(), tell);
    Effort {
        nodes: or_tell(record.nodes(), tell),
        depth: or_tell(record.depth(), tell),
        milliseconds: elapsed.or(seconds.map(|seconds| seconds.saturating_mul(1000))),
    }
}

/// The effort until the final answer first became stable, from the private operations that pfts
/// writes ([`Moment`]).
fn solution(record: &Record, tell: &mut dyn FnMut(OperandError)) -> Effort {
    let mut count = |opcode| {
        let operation = record.get(opcode);
        or_tell(operation.map(epd::Operation::count).transpose(), tell)
    };
    let (nodes, depth) = (count(Moment::NODES), count(Moment::DEPTH));
    let time = or_tell(Moment::time(record), tell);
    Effort {
        nodes,
        depth,
        milliseconds: time.map(milliseconds),
    }
}

const fn milliseconds(time: Duration) -> u64 {
    time.as_millis() as u64
}

fn or_tell<T>(
    value: Result<Option<T>, OperandError>,
    tell: &mut dyn FnMut(OperandError),
) -> Option<T> {
    value.unwrap_or_else(|error| {
        tell(error);
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(operations: &str) -> (Question, Answer, Vec<String>) {
        let line = format!("8/P7/8/8/8/8/5k2/K7 w - - {operations}");
        let record = epd::read(&line, &mut Vec::new()).expect("readable");
        let position = record.position().expect("legal");
        let mut errors = Vec::new();
        let (question, answer) = read(7, &record, &position, &mut |error| {
            errors.push(error.to_string());
        });
        (question, answer, errors)
    }

    /// A record is solved if both `bm` and `am` hold; without them it has no target (decisions 135 and
    /// 136).
    #[test]
    fn statuses() {
        for (operations, expected) in [
            ("bm Kb1; pm Kb1;", Status::Solved),
            ("bm Kb1; pv Kb1 Kf3;", Status::Solved),
            ("bm Kb1; pm Kb2;", Status::Missed),
            ("am Kb1; pm Kb1;", Status::Missed),
            ("am Kb1; pm Kb2;", Status::Solved),
            ("am Kb1; bm Kb1; pm Kb1;", Status::Missed),
            ("bm Kb1;", Status::Unanswered),
            (
                "bm Kb1; c9 \"not analysed: it fell over\";",
                Status::Unanswered,
            ),
            (
                "bm Kb1; c9 \"not analysed: it fell over\"; pm Kb1;",
                Status::Unanswered,
            ),
            ("bm; pm Kb1;", Status::Untargeted),
            ("pm Kb1;", Status::Untargeted),
        ] {
            let (_, answer, errors) = answer(operations);
            assert_eq!(answer.status, expected, "{operations}");
            assert_eq!((answer.line(), errors), (7, vec![]));
        }
    }

    #[test]
    fn what_it_took() {
        let (question, answer, errors) = answer(
            "Scd 3; Scn 40; Sct 000.00:00:01.250; acd 9; acn 500; acs 2; bm Kb1; \
             c0 \"Kb1=10, Kb2=4\"; ce -5; id \"K.1\"; pm Kb1;",
        );
        assert_eq!(errors, Vec::<String>::new());
        assert_eq!(question.id.as_deref(), Some("K.1"));
        assert_eq!((question.best.len(), question.avoid.len()), (1, 0));
        assert_eq!(
            (answer.points(), answer.most_points()),
            (Some(10), Some(10))
        );
        assert_eq!(answer.ce(), Some(-5));
        let effort = |nodes, depth, milliseconds| Effort {
            nodes: Some(nodes),
            depth: Some(depth),
            milliseconds: Some(milliseconds),
        };
        assert_eq!(answer.effort(Part::Whole), effort(500, 9, 2000));
        assert_eq!(answer.effort(Part::Solution), effort(40, 3, 1250));
    }

    /// Milliseconds are preferred to seconds. A missed record has no solution, even if an earlier
    /// search found one.
    #[test]
    fn what_counts() {
        let (_, answer, _) = answer("Scn 4; acs 2; bm Kb1; cte 000.00:00:01.600; pm Kb2;");
        assert_eq!(answer.effort(Part::Whole).milliseconds, Some(1600));
        assert_eq!(answer.effort(Part::Solution), Effort::default());
    }

    #[test]
    fn what_cannot_be_understood_is_told() {
        let (_, answer, errors) = answer("Scn x; acd -; acn 1 2; bm Kb1; pm Kb1;");
        assert_eq!(answer.status, Status::Solved);
        assert_eq!(answer.effort(Part::Whole), Effort::default());
        assert_eq!(errors.len(), 3, "{errors:?}");
        for (operations, status) in [
            ("bm Qh5; pm Kb1;", Status::Untargeted),
            ("bm Kb1; pm Qh5;", Status::Unanswered),
        ] {
            let (_, answer, errors) = self::answer(operations);
            assert_eq!((answer.status, errors.len()), (status, 1));
        }
    }
}
