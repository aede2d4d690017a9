//! The commands to an engine, and the parser of its `info` lines.

use std::fmt::Write as _;
use std::time::Duration;

use engine::Score;
use movegen::{CastlingMode, Game, Move, Position, UciMove};

use crate::engines::player::Effort;

/// `position` with all moves, so that the engine sees repetitions.
pub fn position_command(game: &Game, mode: CastlingMode) -> String {
    let mut position = *game.start();
    let mut line = format!("position fen {position}");
    for (i, &mv) in game.moves().iter().enumerate() {
        line.push_str(if i == 0 { " moves " } else { " " });
        let _ = write!(line, "{}", UciMove::of(&position, mv, mode));
        position.play(mv);
    }
    line
}

/// `go` with the hard limits; UCI has no soft limits.
pub fn go_command(effort: &Effort) -> String {
    let milliseconds = |time: Duration| time.as_millis().max(1);
    match effort {
        Effort::Endless => "go infinite".to_owned(),
        Effort::Fixed(limits) => {
            let mut line = "go".to_owned();
            if let Some(depth) = limits.depth {
                let _ = write!(line, " depth {depth}");
            }
            if let Some(nodes) = limits.nodes {
                let _ = write!(line, " nodes {nodes}");
            }
            if let Some(time) = limits.hard_time {
                let _ = write!(line, " movetime {}", milliseconds(time));
            }
            if line == "go" {
                line.push_str(" infinite");
            }
            line
        }
        Effort::Clock(clock_state, margin) => {
            let left = clock_state
                .remaining
                .map(|time| milliseconds(time.saturating_sub(margin.total())));
            let increment = clock_state.increment.map(|time| time.as_millis());
            let mut line = format!(
                "go wtime {} btime {} winc {} binc {}",
                left[0], left[1], increment[0], increment[1]
            );
            if let Some(moves) = clock_state.moves_to_go {
                let _ = write!(line, " movestogo {moves}");
            }
            line
        }
    }
}

/// The content of an `info` line.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Info {
    pub depth: usize,
    pub selective_depth: usize,
    /// The rank of the line (`multipv`), from 1.
    pub rank: usize,
    pub nodes: Option<u64>,
    /// The usage of the table in thousandths (`hashfull`).
    pub table_permille: usize,
    /// The score and the legal part of the line, if both are present.
    pub found: Option<(Score, Vec<Move>)>,
    /// The score is only a bound.
    pub is_bound: bool,
    /// The line up to the first move that is not legal, if there is one.
    pub illegal: Option<String>,
}

impl Info {
    /// Reads a line about a position; unknown words are skipped.
    pub fn read(line: &str, position: &Position) -> Self {
        let words: Vec<_> = line.split_whitespace().collect();
        if words.get(1) == Some(&"string") {
            return Self::default();
        }
        let after = |word: &str| {
            let at = words.iter().position(|other| *other == word);
            at.map(|at| at + 1)
        };
        let number = |word: &str| -> Option<i64> { words.get(after(word)?)?.parse().ok() };
        let count = |word: &str| number(word).map(|number| number.max(0) as usize);
        let score = number("cp").map(centipawns).or(number("mate").map(mate));
        let line = after("pv").map_or(&[][..], |at| &words[at..]);
        let moves = playable(line, position);
        let next = line.get(moves.len());
        let is_illegal = next.is_some_and(|word| word.parse::<UciMove>().is_ok());
        Self {
            depth: count("depth").unwrap_or(0),
            selective_depth: count("seldepth").unwrap_or(0),
            rank: count("multipv").unwrap_or(1),
            nodes: number("nodes").map(|nodes| nodes.max(0) as u64),
            table_permille: count("hashfull").unwrap_or(0),
            is_bound: after("upperbound").or(after("lowerbound")).is_some(),
            illegal: is_illegal.then(|| line[..=moves.len()].join(" ")),
            found: score
                .filter(|_| !moves.is_empty())
                .map(|score| (score, moves)),
        }
    }
}

fn centipawns(score: i64) -> Score {
    let limit = i64::from(Score::ORDINARY_LIMIT);
    Score::ordinary(score.clamp(-limit, limit) as i32)
}

/// Converts a mate in moves to the scale of `ce`: 32767 less the plies (EPD 6.7).
fn mate(moves: i64) -> Score {
    let plies = 2 * moves.unsigned_abs().min(380) as usize;
    if moves > 0 {
        Score::mate_in(plies - 1)
    } else {
        Score::mated_in(plies)
    }
}

/// The legal moves at the beginning of a line.
pub fn playable(words: &[&str], position: &Position) -> Vec<Move> {
    let mut position = *position;
    let moves = words.iter().map_while(|word| {
        let mv = word.parse::<UciMove>().ok()?.find(&position).ok()?;
        position.play(mv);
        Some(mv)
    });
    moves.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::lag::Lag;
    use crate::engines::player::ClockState;
    use engine::Limits;

    #[test]
    fn commands() {
        let mut game = Game::default();
        assert!(position_command(&game, CastlingMode::Standard).ends_with(" w KQkq - 0 1"));
        let mv = playable(&["e2e4"], game.position())[0];
        game.play(mv).expect("legal");
        assert!(position_command(&game, CastlingMode::Standard).ends_with(" 0 1 moves e2e4"));
        let clock_state = ClockState {
            remaining: [Duration::from_mins(1), Duration::from_millis(5)],
            increment: [Duration::from_secs(1), Duration::ZERO],
            moves_to_go: Some(7),
        };
        let margin = Lag::default().margin(Duration::from_millis(10));
        assert_eq!(
            go_command(&Effort::Clock(clock_state, margin)),
            "go wtime 59990 btime 1 winc 1000 binc 0 movestogo 7"
        );
        assert_eq!(
            go_command(&Effort::Fixed(Limits::nodes(500))),
            "go nodes 500"
        );
        assert_eq!(go_command(&Effort::Endless), "go infinite");
        assert_eq!(go_command(&Effort::Fixed(Limits::default())), "go infinite");
    }

    #[test]
    fn info_lines() {
        let position = Position::start();
        let info = Info::read(
            "info depth 9 seldepth 12 multipv 2 score cp 31 nodes 1234 nps 1 hashfull 7 pv e2e4 e7e5 xx",
            &position,
        );
        let (score, line) = info.found.as_ref().expect("a score and a line");
        assert_eq!((score.ce(), line.len()), (31, 2));
        assert_eq!((info.depth, info.selective_depth, info.rank), (9, 12, 2));
        assert_eq!((info.nodes, info.table_permille), (Some(1234), 7));
        for (score, ce) in [
            ("mate 3", 32_762),
            ("mate -2", -32_763),
            ("mate 1", 32_766),
            ("mate 0", -32_767),
            ("cp 99999", 30_000),
        ] {
            let line = format!("info depth 1 score {score} pv e2e4");
            let (found, _) = Info::read(&line, &position).found.expect("found");
            assert_eq!(found.ce(), ce);
        }
        for (other, nodes) in [
            ("info score cp 1 pv", None),
            ("info score cp 1 pv e2e5", None),
            ("info string depth 1 score cp 1 nodes 3 pv e2e4", None),
            ("info currmove e2e4", None),
        ] {
            let info = Info::read(other, &position);
            assert_eq!((info.found, info.nodes), (None, nodes), "{other}");
        }
        let info = Info::read("info score cp 1 upperbound nodes 5 pv d2d4", &position);
        assert!(info.is_bound && info.found.is_some());
    }
}
