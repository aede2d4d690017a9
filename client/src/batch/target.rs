//! The target of a test position: moves to find, moves to avoid, and points for moves.

use std::str::FromStr;
use std::time::Duration;

use engine::Progress;
use epd::time::MillisecondClock;
use epd::{OperandError, Operation, Record};
use movegen::{Move, Position, san};

/// The legal moves of `bm` and `am` (decision 135).
#[derive(Debug, PartialEq, Eq)]
pub struct Target {
    best: Option<Vec<Move>>,
    avoid: Option<Vec<Move>>,
}

impl Target {
    /// The target of a record; none if `bm` and `am` are absent or empty, or if the game is over.
    /// Operands that are not legal moves are reported and ignored; if no move of `bm` is legal,
    /// there is no target.
    pub fn of(
        record: &Record,
        position: &Position,
        tell: &mut dyn FnMut(OperandError),
    ) -> Option<Self> {
        if position.count_moves() == 0 {
            return None;
        }
        let mut moves = |opcode| {
            let operation: &Operation = record.get(opcode)?;
            let mut found = Vec::new();
            for mv in operation.each_move(position) {
                match mv {
                    Ok(mv) => found.push(mv),
                    Err(error) => tell(error),
                }
            }
            (!operation.operands.is_empty()).then_some(found)
        };
        let best = moves("bm");
        let avoid = moves("am").filter(|moves| !moves.is_empty());
        let is_lost = best.as_ref().is_some_and(Vec::is_empty);
        (!is_lost && (best.is_some() || avoid.is_some())).then_some(Self { best, avoid })
    }

    /// Whether a move solves the position: it must be in `bm`, if present, and not in `am`
    /// (decision 136).
    pub fn holds(&self, mv: Move) -> bool {
        self.best.as_ref().is_none_or(|moves| moves.contains(&mv))
            && self.avoid.as_ref().is_none_or(|moves| !moves.contains(&mv))
    }

    /// The moves of `bm`.
    pub fn best(&self) -> &[Move] {
        self.best.as_deref().unwrap_or_default()
    }

    /// The moves of `am`.
    pub fn avoid(&self) -> &[Move] {
        self.avoid.as_deref().unwrap_or_default()
    }
}

/// The chosen move of an analysed record: `pm`, or else the first move of `pv`.
pub fn choice(record: &Record, position: &Position) -> Result<Option<Move>, OperandError> {
    if let Some(mv) = record.predicted_move(position)? {
        return Ok(Some(mv));
    }
    let line = record.predicted_variation(position)?;
    Ok(line.and_then(|line| line.first().copied()))
}

/// A point in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    pub time: Duration,
    pub nodes: u64,
    pub depth: u64,
}

impl Moment {
    /// The operations for the depth, nodes and time at which the final answer first became stable.
    pub const TIME: &str = "Sct";
    pub const NODES: &str = "Scn";
    pub const DEPTH: &str = "Scd";

    /// Writes the solution.
    pub fn write(self, record: &mut Record, with_time: bool) {
        let Self { time, nodes, depth } = self;
        record.set(Operation::new(Self::NODES).symbol(nodes));
        record.set(Operation::new(Self::DEPTH).symbol(depth));
        if with_time {
            let seconds = format!("{}.{:03}", time.as_secs(), time.subsec_millis());
            record.set(Operation::new(Self::TIME).symbol(seconds));
        }
    }

    /// The time that [`write`](Self::write) wrote: seconds such as `0.250`, or as earlier versions
    /// wrote it, a clock such as `000.00:00:00.250`.
    pub fn time(record: &Record) -> Result<Option<Duration>, OperandError> {
        let Some(operation) = record.get(Self::TIME) else {
            return Ok(None);
        };
        if let Ok(clock) = operation.value::<MillisecondClock>("") {
            return Ok(Some(clock.duration()));
        }
        let Seconds(time) = operation.value("seconds such as 1.250")?;
        Ok(Some(time))
    }
}

/// Seconds as a decimal number.
struct Seconds(Duration);

impl FromStr for Seconds {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let is_number = text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
        let seconds = text.parse().ok().filter(|_| is_number).ok_or(())?;
        Duration::try_from_secs_f64(seconds)
            .map(Self)
            .map_err(|_| ())
    }
}

/// Follows the best move of a search from iteration to iteration.
#[derive(Debug, Default)]
pub struct Tracker {
    /// The moment since which the best move has been correct.
    since: Option<Moment>,
    /// The number of iterations in a row in which it has been correct.
    streak: usize,
    /// The last iteration, in plies.
    depth: u64,
}

impl Tracker {
    /// Takes in the best line after an iteration; returns for how many iterations in a row the best
    /// move has been correct.
    pub fn see(&mut self, target: &Target, progress: &Progress<'_>) -> usize {
        let moment = Moment {
            time: progress.time,
            nodes: progress.nodes,
            depth: progress.depth as u64,
        };
        let holds = progress.pv.first().is_some_and(|&mv| target.holds(mv));
        // Other engines report an iteration several times.
        let another = moment.depth > self.depth;
        self.depth = moment.depth;
        if holds {
            self.since.get_or_insert(moment);
            self.streak += usize::from(another || self.streak == 0);
        } else {
            (self.since, self.streak) = (None, 0);
        }
        self.streak
    }

    /// The point from which the best move stayed correct. If it was found only in the last,
    /// unfinished iteration, that is the end of the search.
    pub fn found(&self, end: Moment) -> Moment {
        self.since.unwrap_or(Moment {
            depth: self.depth + 1,
            ..end
        })
    }
}

/// The points for moves, as in the Strategic Test Suite.
#[derive(Debug, PartialEq, Eq)]
pub struct Points(Vec<(Move, u64)>);

impl Points {
    /// Reads `c0 "f5=10, Bf2=5"`, or else moves in `c7` and their points in `c8`. Words that are
    /// not legal moves are ignored; none if no move is left.
    pub fn of(record: &Record, position: &Position) -> Option<Self> {
        let comment = |rank| record.comment(rank).ok().flatten().unwrap_or_default();
        let read = |mv: &str, points: &str| {
            let (mv, _) = san::parse_lenient(position, mv.trim()).ok()?;
            Some((mv, points.trim().parse().ok()?))
        };
        let pairs = comment(0).split([',', ';']);
        let mut points: Vec<_> = pairs
            .filter_map(|pair| pair.rsplit_once('=').and_then(|(mv, n)| read(mv, n)))
            .collect();
        if points.is_empty() {
            let (moves, numbers) = (comment(7).split(' '), comment(8).split(' '));
            points = moves
                .zip(numbers)
                .filter_map(|(mv, n)| read(mv, n))
                .collect();
        }
        (!points.is_empty()).then_some(Self(points))
    }

    /// The points of a move.
    pub fn worth(&self, mv: Move) -> u64 {
        let mut points = self.0.iter();
        points
            .find(|(known, _)| *known == mv)
            .map_or(0, |(_, n)| *n)
    }

    /// The points of the best move.
    pub fn most(&self) -> u64 {
        self.0.iter().map(|(_, n)| *n).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Score;

    fn record(operations: &str) -> (Record, Position) {
        let line = format!("8/P7/8/8/8/8/5k2/K7 w - - {operations}");
        let record = epd::read(&line, &mut Vec::new()).expect("readable");
        let position = record.position().expect("legal");
        (record, position)
    }

    fn find(position: &Position, text: &str) -> Move {
        san::parse_lenient(position, text).expect(text).0
    }

    #[test]
    fn points_are_read_from_comments() {
        for (operations, king, queen, most) in [
            ("c0 \"Kb1=10, a8=Q=5\";", 10, 5, 10),
            ("c0 \"Kb1=10,a8=Q=5,Kh8=99\";", 10, 5, 10),
            ("c0 \"a8=Q=7\";", 0, 7, 7),
            (
                "c7 \"a8=Q Kb1\"; c8 \"10 3\"; c9 \"a7a8q a1b1\";",
                3,
                10,
                10,
            ),
            ("c7 \"a8=Q Kb1\"; c8 \"10\";", 0, 10, 10),
            ("c0 \"words\"; c7 \"Kb1\"; c8 \"4\";", 4, 0, 4),
        ] {
            let (record, position) = record(operations);
            let points = Points::of(&record, &position).expect("points");
            assert_eq!(points.worth(find(&position, "Kb1")), king, "{operations}");
            assert_eq!(points.worth(find(&position, "a8=Q")), queen, "{operations}");
            assert_eq!(points.most(), most, "{operations}");
        }
        for operations in [
            "",
            "c0 \"Kb1 is = 10\";",
            "c0 \"x=y\";",
            "c0;",
            "c7 \"Kb1\";",
            "c8 \"10\";",
            "c7 \"Kb1\"; c8 \"ten\";",
        ] {
            let (record, position) = record(operations);
            assert_eq!(Points::of(&record, &position), None, "{operations}");
        }
    }

    /// The solution counts from the iteration after which it stayed correct.
    #[test]
    fn the_choice_is_followed() {
        let (record, position) = record("bm Kb1;");
        let target = Target::of(&record, &position, &mut |error| panic!("{error}"));
        let target = target.expect("a target");
        let (right, wrong) = (find(&position, "Kb1"), find(&position, "Kb2"));
        let end = Moment {
            time: Duration::from_millis(99),
            nodes: 990,
            depth: 8,
        };
        let follow = |choices: &[(usize, Move)]| {
            let mut tracker = Tracker::default();
            let streaks = choices.iter().zip(1..).map(|(&(depth, mv), n)| {
                let progress = Progress {
                    depth,
                    rank: 1,
                    selective_depth: depth,
                    score: Score::DRAW,
                    is_lower_bound: false,
                    pv: &[mv],
                    nodes: n * 100,
                    time: Duration::from_millis(n * 10),
                    table_permille: 0,
                    tablebase_hits: 0,
                };
                tracker.see(&target, &progress)
            });
            let streaks: Vec<_> = streaks.collect();
            let found = tracker.found(end);
            (streaks, found.nodes, found.depth)
        };
        let choices = [(1, right), (2, wrong), (3, right), (4, right), (5, right)];
        assert_eq!(follow(&choices), (vec![1, 0, 1, 2, 3], 300, 3));
        // A repeated report does not count as another iteration.
        let choices = [(1, wrong), (2, wrong), (2, right), (2, right), (3, right)];
        assert_eq!(follow(&choices), (vec![0, 0, 1, 1, 2], 300, 2));
        // Found in the unfinished iteration.
        assert_eq!(follow(&[(1, wrong), (2, wrong)]), (vec![0, 0], 990, 3));
        assert_eq!(follow(&[]), (vec![], 990, 1));
    }

    /// A record is solved if both `bm` and `am` hold; without them it has no target (decisions 135 and
    /// 136).
    #[test]
    fn targets() {
        for (operations, king, queen) in [
            ("bm Kb1;", true, false),
            ("am Kb1;", false, true),
            ("am a8=Q; bm Kb1;", true, false),
            ("am Kb1; bm Kb1;", false, false),
        ] {
            let (record, position) = record(operations);
            let target = Target::of(&record, &position, &mut |error| panic!("{error}"));
            let target = target.expect("a target");
            assert_eq!(target.holds(find(&position, "Kb1")), king);
            assert_eq!(target.holds(find(&position, "a8=Q")), queen);
        }
        let (record, position) = record("am; bm;");
        assert_eq!(Target::of(&record, &position, &mut drop), None);
    }

    /// A list with one legal move is a target, however it is written.
    #[test]
    fn a_target_with_one_good_move_is_a_target() {
        for (operations, king, queen, told) in [
            ("bm Kb1, Kb2;", true, false, 0),
            ("bm 1.Kb1!;", true, false, 0),
            ("bm Qh5 Kb1;", true, false, 1),
            ("am Qh5,Kb1,Zz;", false, true, 2),
            ("am Qh5; bm Kb1;", true, false, 1),
            ("bm \"Kb1, Kb2\";", true, false, 0),
        ] {
            let (record, position) = record(operations);
            let mut errors = Vec::new();
            let target = Target::of(&record, &position, &mut |error| errors.push(error));
            let target = target.expect(operations);
            let holds = |text| target.holds(find(&position, text));
            assert_eq!((holds("Kb1"), holds("a8=Q")), (king, queen), "{operations}");
            assert_eq!(errors.len(), told, "{operations}: {errors:?}");
        }
        // The best move is unknown.
        for operations in ["bm Qh5;", "bm Qh5; am Kb1;", "am Zz;"] {
            let (record, position) = record(operations);
            assert_eq!(Target::of(&record, &position, &mut drop), None);
        }
    }

    /// The format of earlier versions is also read.
    #[test]
    fn the_time_is_read_in_both_forms() {
        let moment = |milliseconds| {
            let (mut record, _) = record("");
            let time = Duration::from_millis(milliseconds);
            let (nodes, depth) = (1, 1);
            Moment { time, nodes, depth }.write(&mut record, true);
            record
        };
        for (record, printed, milliseconds) in [
            (moment(4), "Sct 0.004;", Some(4)),
            (moment(61_250), "Sct 61.250;", Some(61_250)),
            (record("Sct 000.00:00:01.250;").0, "Sct 0", Some(1250)),
            (record("").0, "", None),
        ] {
            assert!(record.to_string().contains(printed), "{record}");
            let expected = milliseconds.map(Duration::from_millis);
            assert_eq!(Moment::time(&record), Ok(expected), "{record}");
        }
        for wrong in [
            "Sct x;", "Sct -1;", "Sct;", "Sct 1 2;", "Sct inf;", "Sct 1e3;", "Sct .;",
        ] {
            assert!(Moment::time(&record(wrong).0).is_err(), "{wrong}");
        }
    }

    /// Stalemate has no target, whatever the record says.
    #[test]
    fn where_the_game_is_over_there_is_no_target() {
        let mut record: Record = "7k/5Q2/6K1/8/8/8/8/8 b - - bm Kg8;".parse().expect("exact");
        let position = record.position().expect("legal");
        assert_eq!(Target::of(&record, &position, &mut drop), None);
        record.set(Operation::new("pv"));
        assert_eq!(choice(&record, &position), Ok(None));
    }

    #[test]
    fn the_choice_is_the_predicted_move_or_begins_the_line() {
        for (operations, expected) in [
            ("pm Kb1; pv Kb2 Kf3;", Some("Kb1")),
            ("pv Kb2 Kf3;", Some("Kb2")),
            ("pv; sm Kb1;", None),
            ("", None),
        ] {
            let (record, position) = record(operations);
            let expected = expected.map(|text| find(&position, text));
            assert_eq!(choice(&record, &position), Ok(expected), "{operations}");
        }
        let (record, position) = record("pm Qh5;");
        assert!(choice(&record, &position).is_err());
    }
}
