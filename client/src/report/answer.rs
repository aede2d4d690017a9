//! What a result record says: what was asked, what was answered, and what it took.

use std::time::Duration;

use epd::{OperandError, Record};
use movegen::{Move, Position, San};
use serde::{Serialize, Serializer};

use crate::target::{self, Moment, Points, Target};

/// What became of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Solved,
    Missed,
    /// There was something to find and no move was given: the analysis was given up, or never made.
    Unanswered,
    /// There was nothing to find.
    Untargeted,
}

impl Status {
    /// Whether there was something to find and it was not found.
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

/// What a search took, as far as it is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Effort {
    pub nodes: Option<u64>,
    /// In plies.
    pub depth: Option<u64>,
    pub milliseconds: Option<u64>,
}

/// What was asked.
#[derive(Clone, Debug)]
pub struct Question {
    pub id: Option<String>,
    pub position: Position,
    /// The moves to find and the moves to avoid.
    pub best: Vec<Move>,
    pub avoid: Vec<Move>,
}

/// What a program made of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// Where it stands in its file, from 1.
    pub line: usize,
    pub status: Status,
    /// The move chosen.
    #[serde(rename = "move", serialize_with = "print")]
    pub choice: Option<San>,
    #[serde(skip)]
    pub mv: Option<Move>,
    /// Centipawns for the side to move, as `ce` has them.
    pub ce: Option<i64>,
    /// What the move is worth, and what the best is.
    pub points: Option<u64>,
    pub most_points: Option<u64>,
    /// What the whole search took.
    pub whole: Effort,
    /// What it took until the answer was found for good.
    pub solution: Effort,
}

#[allow(clippy::ref_option, reason = "serde asks for it so")]
fn print<S: Serializer>(san: &Option<San>, serializer: S) -> Result<S::Ok, S::Error> {
    san.map(|san| san.to_string()).serialize(serializer)
}

/// Reads a record whose position is known. What cannot be understood is told, and taken as not said.
pub fn read(
    line: usize,
    record: &Record,
    position: &Position,
    tell: &mut dyn FnMut(OperandError),
) -> (Question, Answer) {
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
    let answer = Answer {
        line,
        status,
        choice: mv.map(|mv| San::of(position, mv)),
        mv,
        ce: or_tell(record.evaluation(), tell),
        points: points
            .as_ref()
            .map(|points| mv.map_or(0, |mv| points.worth(mv))),
        most_points: points.as_ref().map(Points::most),
        whole: whole(record, tell),
        solution: if status == Status::Solved {
            solution(record, tell)
        } else {
            Effort::default()
        },
    };
    let question = Question {
        id: id.map(str::to_owned),
        position: *position,
        best: target.as_ref().map_or(&[][..], Target::best).to_vec(),
        avoid: target.as_ref().map_or(&[][..], Target::avoid).to_vec(),
    };
    (question, answer)
}

/// What the whole search took: the time as `cte` has it, or else as `acs` has it, in whole seconds.
fn whole(record: &Record, tell: &mut dyn FnMut(OperandError)) -> Effort {
    let elapsed = or_tell(record.time_elapsed(), tell).map(|clock| milliseconds(clock.duration()));
    let seconds = or_tell(record.seconds(), tell);
    Effort {
        nodes: or_tell(record.nodes(), tell),
        depth: or_tell(record.depth(), tell),
        milliseconds: elapsed.or(seconds.map(|seconds| seconds.saturating_mul(1000))),
    }
}

/// What it took until the answer was found for good, as pfts says it.
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
        let mut told = Vec::new();
        let (question, answer) = read(7, &record, &position, &mut |error| {
            told.push(error.to_string());
        });
        (question, answer, told)
    }

    /// Decisions 135 and 136.
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
            ("bm; pm Kb1;", Status::Untargeted),
            ("pm Kb1;", Status::Untargeted),
        ] {
            let (_, answer, told) = answer(operations);
            assert_eq!(answer.status, expected, "{operations}");
            assert_eq!((answer.line, told), (7, vec![]));
        }
    }

    #[test]
    fn what_it_took() {
        let (question, answer, told) = answer(
            "Scd 3; Scn 40; Sct 000.00:00:01.250; acd 9; acn 500; acs 2; bm Kb1; \
             c0 \"Kb1=10, Kb2=4\"; ce -5; id \"K.1\"; pm Kb1;",
        );
        assert_eq!(told, Vec::<String>::new());
        assert_eq!(question.id.as_deref(), Some("K.1"));
        assert_eq!((question.best.len(), question.avoid.len()), (1, 0));
        assert_eq!((answer.points, answer.most_points), (Some(10), Some(10)));
        assert_eq!(answer.ce, Some(-5));
        let effort = |nodes, depth, milliseconds| Effort {
            nodes: Some(nodes),
            depth: Some(depth),
            milliseconds: Some(milliseconds),
        };
        assert_eq!(answer.whole, effort(500, 9, 2000));
        assert_eq!(answer.solution, effort(40, 3, 1250));
    }

    /// Milliseconds are more than seconds; a miss has no solution, whatever an earlier search found.
    #[test]
    fn what_counts() {
        let (_, answer, _) = answer("Scn 4; acs 2; bm Kb1; cte 000.00:00:01.600; pm Kb2;");
        assert_eq!(answer.whole.milliseconds, Some(1600));
        assert_eq!(answer.solution, Effort::default());
    }

    #[test]
    fn what_cannot_be_understood_is_told() {
        let (_, answer, told) = answer("Scn x; acd -; acn 1 2; bm Kb1; pm Kb1;");
        assert_eq!(answer.status, Status::Solved);
        assert_eq!(answer.whole, Effort::default());
        assert_eq!(told.len(), 3, "{told:?}");
        for (operations, status) in [
            ("bm Qh5; pm Kb1;", Status::Untargeted),
            ("bm Kb1; pm Qh5;", Status::Unanswered),
        ] {
            let (_, answer, told) = self::answer(operations);
            assert_eq!((answer.status, told.len()), (status, 1));
        }
    }
}
