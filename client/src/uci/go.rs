//! The command `go`: limits and moves to search.

use std::num::IntErrorKind;
use std::time::Duration;

use engine::{Clock, Limits, MAX_PLY, MateSolver};
use movegen::{Color, Move, Position, Word};

use super::position::{fault, find_move};
use crate::engines::lag::Margin;

/// The maximum depth of perft.
const MOST_PERFT: u64 = 100;

/// The keywords of `go`; all other words are values.
const KEYWORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// The arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The remaining time of White and Black.
    remaining: [Option<Duration>; 2],
    /// Their increments.
    increment: [Duration; 2],
    /// The moves until the next time control.
    until_control: Option<u32>,
    move_time: Option<Duration>,
    depth: Option<usize>,
    nodes: Option<u64>,
    /// The number of moves of a mate to search for.
    pub mate: Option<usize>,
    /// The depth of a perft instead of a search.
    pub perft: Option<u32>,
    pub ponder: bool,
    /// Print `bestmove` only when stopped, whatever the other limits are.
    pub infinite: bool,
    /// The moves of `searchmoves`, if given.
    pub moves: Option<Vec<Move>>,
    /// Errors with their columns. Invalid parts are ignored; if no limit is left, the depth is
    /// limited to 1, so that the search ends.
    pub notes: Vec<String>,
}

impl Go {
    /// Reads what follows `go` in a line.
    pub fn read(line: &str, words: &[Word<'_>], position: &Position) -> Self {
        let mut reader = Reader {
            go: Self::default(),
            line,
            words,
        };
        while let Some((word, rest)) = reader.words.split_first() {
            reader.words = rest;
            reader.read_word(word, position);
        }
        let mut go = reader.go;
        go.complete_clock(position.turn());
        go
    }

    /// Whether it asks for a move in a game, which can come from an opening book: within limits, on the own time,
    /// and among all moves.
    pub fn is_game_move(&self) -> bool {
        let is_limited = self.remaining.iter().any(Option::is_some)
            || self.move_time.is_some()
            || self.depth.is_some()
            || self.nodes.is_some();
        let is_plain = self.mate.is_none() && self.perft.is_none() && self.moves.is_none();
        is_limited && is_plain && !self.infinite && !self.ponder
    }

    /// Uses the clock of the other side if that of the side to move is missing, and reports
    /// incomplete clocks.
    fn complete_clock(&mut self, turn: Color) {
        let (mine, other) = (turn as usize, !turn as usize);
        let names = ["wtime", "btime"];
        if self.remaining[mine].is_none() && self.remaining[other].is_some() {
            let (missing, taken) = (names[mine], names[other]);
            let note = format!("{missing} is missing: using {taken} instead");
            self.notes.push(note);
            self.remaining[mine] = self.remaining[other];
        }
        let is_part = self.increment != [Duration::ZERO; 2] || self.until_control.is_some();
        if is_part && self.remaining[mine].is_none() {
            let note = format!("{} is missing", names[mine]);
            self.notes.push(note);
        }
    }

    /// The remaining time and the increment of the side to move.
    pub fn clock(&self, turn: Color) -> Option<(Duration, Duration)> {
        let side = turn as usize;
        self.remaining[side].map(|remaining| (remaining, self.increment[side]))
    }

    /// The limits of the search for the side to move.
    pub fn limits(&self, turn: Color, margin: Margin) -> Limits {
        let clock = self.clock(turn).map(|(remaining, increment)| Clock {
            remaining,
            increment,
            moves_to_go: self.until_control,
            overhead: margin.overhead,
            lag: margin.lag,
        });
        let mut limits = clock.map(|clock| clock.limits()).unwrap_or_default();
        // As in Stockfish, the overhead is only kept in reserve of a clock.
        if let Some(time) = self.move_time {
            let time = time.max(Duration::from_millis(1));
            limits.hard_time = Some(limits.hard_time.map_or(time, |hard| hard.min(time)));
        }
        // A mate is found at the latest at this depth.
        let mate = self.mate.map(|moves| (4 * moves).clamp(1, MAX_PLY));
        limits.depth = self.depth.or(mate);
        limits.nodes = self.nodes;
        if limits == Limits::default() && !self.notes.is_empty() && !self.infinite {
            limits.depth = Some(1);
        }
        limits
    }
}

struct Reader<'a, 'l> {
    go: Go,
    line: &'l str,
    /// The words still to be read.
    words: &'a [Word<'l>],
}

impl Reader<'_, '_> {
    fn read_word(&mut self, word: &Word<'_>, position: &Position) {
        // Some interfaces send negative times.
        let milliseconds = |number: i64| Duration::from_millis(number.max(0) as u64);
        match word.text {
            "wtime" => self.go.remaining[0] = self.number(word).map(milliseconds),
            "btime" => self.go.remaining[1] = self.number(word).map(milliseconds),
            "winc" => self.go.increment[0] = self.number(word).map_or(Duration::ZERO, milliseconds),
            "binc" => self.go.increment[1] = self.number(word).map_or(Duration::ZERO, milliseconds),
            "movetime" => self.go.move_time = self.number(word).map(milliseconds),
            "movestogo" => {
                // Some interfaces send 0 if there is no further time control.
                let moves = self.count(word, 0, u64::from(u32::MAX));
                self.go.until_control = moves.filter(|&moves| moves > 0).map(|n| n as u32);
            }
            "depth" => {
                let depth = self.count(word, 1, u64::MAX);
                self.go.depth = depth.map(|depth| depth.min(MAX_PLY as u64) as usize);
            }
            "nodes" => self.go.nodes = self.count(word, 1, u64::MAX),
            "mate" => {
                let moves = self.count(word, 1, u64::MAX);
                let most = MateSolver::MAX_MOVES as u64;
                self.go.mate = moves.map(|moves| moves.min(most) as usize);
            }
            "perft" => self.go.perft = self.count(word, 0, MOST_PERFT).map(|n| n as u32),
            "ponder" => self.go.ponder = true,
            "infinite" => self.go.infinite = true,
            "searchmoves" => self.read_moves(word, position),
            other => self.note(word, &format!("{other:?} is not known after go")),
        }
    }

    fn note(&mut self, word: &Word<'_>, why: &str) {
        self.go.notes.push(fault(self.line, word, why));
    }

    /// The value after a keyword; none if another keyword follows.
    fn value(&mut self) -> Option<Word<'_>> {
        let (value, rest) = self.words.split_first()?;
        if KEYWORDS.contains(&value.text) {
            return None;
        }
        self.words = rest;
        Some(*value)
    }

    /// The number after a keyword; a number that is too large becomes the largest.
    fn number(&mut self, word: &Word<'_>) -> Option<i64> {
        let name = word.text;
        let Some(value) = self.value() else {
            self.note(word, &format!("{name}: expected a number"));
            return None;
        };
        let (text, column) = (value.text.to_owned(), value.column);
        match text.parse::<i64>().map_err(|error| *error.kind()) {
            Ok(number) => Some(number),
            Err(IntErrorKind::PosOverflow) => Some(i64::MAX),
            Err(IntErrorKind::NegOverflow) => Some(i64::MIN),
            Err(_) => {
                let value = Word {
                    text: &text,
                    column,
                };
                self.note(&value, &format!("{name}: {text:?} is not a number"));
                None
            }
        }
    }

    /// The number after a keyword, if it is within these bounds.
    fn count(&mut self, word: &Word<'_>, least: u64, most: u64) -> Option<u64> {
        let number = self.number(word)?;
        let count = u64::try_from(number).ok();
        let count = count.filter(|count| (least..=most).contains(count));
        if count.is_none() {
            let bounds = match most {
                u64::MAX => format!("{least} or more"),
                most => format!("a number from {least} to {most}"),
            };
            let name = word.text;
            self.note(word, &format!("{name}: {number}: expected {bounds}"));
        }
        count
    }

    /// The moves after `searchmoves`, up to the next keyword.
    fn read_moves(&mut self, word: &Word<'_>, position: &Position) {
        let mut is_empty = true;
        while let Some(&Word { text, column }) = self
            .words
            .first()
            .filter(|word| !KEYWORDS.contains(&word.text))
        {
            self.words = &self.words[1..];
            is_empty = false;
            let moves = self.go.moves.get_or_insert_default();
            match find_move(text, position) {
                Ok(mv) => moves.push(mv),
                Err(why) => {
                    let why = format!("searchmoves: {text:?}: {why}");
                    self.note(&Word { text, column }, &why);
                }
            }
        }
        if is_empty {
            self.note(word, "searchmoves: expected moves");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::lag::Lag;

    fn read(words: &str) -> Go {
        let line = format!("go {words}");
        let words: Vec<_> = movegen::words(&line).skip(1).collect();
        Go::read(&line, &words, &Position::start())
    }

    fn margin(overhead: Duration) -> Margin {
        Lag::default().margin(overhead)
    }

    fn limits(words: &str) -> Limits {
        read(words).limits(Color::White, margin(Duration::from_millis(10)))
    }

    #[test]
    fn limits_of_a_search() {
        assert_eq!(limits("infinite"), Limits::default());
        assert_eq!(limits(""), Limits::default());
        assert_eq!(limits("depth 7 nodes 500").depth, Some(7));
        assert_eq!(limits("nodes 500").nodes, Some(500));
        assert_eq!(
            limits("movetime 100").hard_time,
            Some(Duration::from_millis(100))
        );
        assert_eq!(limits("mate 3").depth, Some(12));
        let clock = limits("wtime 60000 btime -5 winc 1000 binc 0 movestogo 20");
        assert!(clock.optimum_time.expect("set") > Duration::from_secs(1));
        assert!(limits("wtime -5 btime 100").hard_time.expect("set") <= Duration::from_millis(1));
        let go = read("searchmoves e2e4 d2d4 depth 3");
        assert_eq!(
            (go.moves.map(|moves| moves.len()), go.depth),
            (Some(2), Some(3))
        );
        assert_eq!(read("perft 5 searchmoves e2e4").perft, Some(5));
    }

    #[test]
    fn large_numbers_do_no_harm() {
        let most = i64::MAX.to_string();
        let more = format!("{}0", u64::MAX);
        for number in [&most, &more] {
            for word in ["depth", "nodes", "mate", "movetime", "wtime", "winc"] {
                let go = read(&format!("{word} {number} wtime {number} movestogo 1"));
                assert!(go.notes.is_empty(), "{word}: {:?}", go.notes);
                go.limits(Color::White, margin(Duration::from_secs(5)));
            }
        }
        assert_eq!(
            read(&format!("mate {most}")).mate,
            Some(MateSolver::MAX_MOVES)
        );
        assert_eq!(read(&format!("depth {most}")).depth, Some(MAX_PLY));
    }

    /// Each error is reported, and none makes the search endless.
    #[test]
    fn what_is_garbled_is_told_with_its_column() {
        for (words, expected) in [
            ("depth abc", "column 10: depth: \"abc\" is not a number"),
            ("depth", "column 4: depth: expected a number"),
            ("depth -3", "column 4: depth: -3: expected 1 or more"),
            ("depth 0", "column 4: depth: 0: expected 1 or more"),
            ("nodes 1e6", "column 10: nodes: \"1e6\" is not a number"),
            ("mate", "column 4: mate: expected a number"),
            (
                "movetime soon",
                "column 13: movetime: \"soon\" is not a number",
            ),
            ("wtime", "column 4: wtime: expected a number"),
            ("winc 100", "wtime is missing"),
            ("movestogo 4", "wtime is missing"),
            (
                "perft 5000",
                "column 4: perft: 5000: expected a number from 0 to 100",
            ),
            ("searchmoves", "column 4: searchmoves: expected moves"),
            ("tomorrow", "column 4: \"tomorrow\" is not known after go"),
        ] {
            let go = read(words);
            assert_eq!(go.notes, [expected], "{words}");
            assert_eq!(limits(words), Limits::depth(1), "{words}");
        }
        // The next keyword is not taken as a value.
        let go = read("depth nodes 500");
        assert_eq!((go.depth, go.nodes, go.notes.len()), (None, Some(500), 1));
        assert_eq!(limits("tomorrow infinite"), Limits::default());
        let go = read("searchmoves e2e5 e2e4 xx");
        assert_eq!(
            (go.moves.map(|moves| moves.len()), go.notes.len()),
            (Some(1), 2)
        );
    }

    #[test]
    fn the_other_clock_is_better_than_none() {
        let go = read("btime 60000");
        assert_eq!(go.notes, ["wtime is missing: using btime instead"]);
        assert!(
            go.limits(Color::White, margin(Duration::ZERO))
                .hard_time
                .is_some()
        );
    }
}
