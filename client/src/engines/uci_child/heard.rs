//! What an engine says in a search, and the result that follows.

use std::time::Duration;

use engine::{Limits, Progress, Score};
use movegen::{Move, Position};

use super::messages::{Info, playable};
use crate::engines::player::{LastingError, SearchResult};

/// What was heard so far.
pub struct Heard<'a> {
    /// The name of the engine.
    name: &'a str,
    position: &'a Position,
    limits: Limits,
    pub result: SearchResult,
    /// The last line of each first move, bounds included.
    lines: Vec<Line>,
}

struct Line {
    score: Score,
    depth: usize,
    moves: Vec<Move>,
}

impl<'a> Heard<'a> {
    pub fn new(name: &'a str, position: &'a Position, limits: Limits) -> Self {
        Self {
            name,
            position,
            limits,
            result: SearchResult::default(),
            lines: Vec::new(),
        }
    }

    /// Takes an `info` line, and reports it to the observer; true if a soft limit is reached.
    pub fn take_info(
        &mut self,
        line: &str,
        time: Duration,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> bool {
        let info = Info::read(line, self.position);
        if let Some(line) = &info.illegal {
            let name = self.name;
            self.warn(|| format!("{name} prints a line that ends with an illegal move: {line}"));
        }
        let result = &mut self.result;
        // The last node count may be in a line without moves.
        result.nodes = info.nodes.unwrap_or(result.nodes);
        let Some((score, pv)) = info.found else {
            return false;
        };
        self.lines.retain(|line| line.moves[0] != pv[0]);
        self.lines.push(Line {
            score,
            depth: info.depth,
            moves: pv.clone(),
        });
        if info.is_bound {
            return false;
        }
        let progress = Progress {
            depth: info.depth,
            rank: info.rank,
            selective_depth: info.selective_depth,
            score,
            is_lower_bound: false,
            pv: &pv,
            nodes: result.nodes,
            time,
            table_permille: info.table_permille,
            tablebase_hits: 0,
        };
        observer(&progress);
        if info.rank > 1 {
            return false;
        }
        let limits = &self.limits;
        let is_enough = limits.soft_time.is_some_and(|soft| time >= soft)
            || limits.soft_nodes.is_some_and(|soft| result.nodes >= soft);
        (result.score, result.depth) = (score, info.depth as u64);
        result.pv = pv;
        is_enough
    }

    /// Takes the move of `bestmove`. If the best line begins with another move, as after a search that was
    /// stopped or at limited strength, the score is that of the last line of this move.
    pub fn take_best(&mut self, word: &str) -> Result<(), LastingError> {
        let Some(&best) = playable(&[word], self.position).first() else {
            let (name, word) = (self.name.to_owned(), word.to_owned());
            return Err(LastingError::IllegalMove { name, word });
        };
        let result = &mut self.result;
        result.best = Some(best);
        if result.pv.first() == Some(&best) {
            result.depth = result.depth.max(1);
            return Ok(());
        }
        let own = self.lines.iter().find(|line| line.moves[0] == best);
        if let Some(own) = own {
            (result.score, result.depth) = (own.score, own.depth.max(1) as u64);
            result.pv.clone_from(&own.moves);
            return Ok(());
        }
        (result.pv, result.depth) = (vec![best], 0);
        if !self.lines.is_empty() {
            let name = self.name;
            self.warn(|| {
                format!(
                    "{name} plays {word}, but prints no line that begins with it: it has no score"
                )
            });
        }
        Ok(())
    }

    /// Keeps a warning, the first of the search.
    fn warn(&mut self, text: impl FnOnce() -> String) {
        self.result.warning.get_or_insert_with(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The score, the depth, the length of the line and the warning after these lines.
    fn heard(infos: &[&str], best: &str) -> (Option<i32>, u64, usize, Option<String>) {
        let position = Position::start();
        let mut heard = Heard::new("X", &position, Limits::default());
        for info in infos {
            heard.take_info(info, Duration::ZERO, &mut |_| ());
        }
        heard.take_best(best).expect("legal");
        let result = heard.result;
        let score = result.evaluation().map(Score::ce);
        (score, result.depth, result.pv.len(), result.warning)
    }

    #[test]
    fn the_score_is_that_of_the_move() {
        let first = "info depth 5 score cp 40 pv e2e4 e7e5";
        let second = "info depth 5 multipv 2 score cp 30 pv d2d4";
        let bound = "info depth 6 score cp 60 lowerbound pv c2c4";
        let infos = [first, second, bound];
        assert_eq!(heard(&infos, "e2e4"), (Some(40), 5, 2, None));
        assert_eq!(heard(&infos, "d2d4"), (Some(30), 5, 1, None));
        assert_eq!(heard(&infos, "c2c4"), (Some(60), 6, 1, None));
        let told = "X plays g1f3, but prints no line that begins with it: it has no score";
        assert_eq!(heard(&infos, "g1f3"), (None, 0, 1, Some(told.to_owned())));
        assert_eq!(heard(&[], "g1f3"), (None, 0, 1, None));
    }

    #[test]
    fn an_illegal_move_in_a_line_is_told() {
        let told = |line: &str| {
            let text = format!("X prints a line that ends with an illegal move: {line}");
            Some(text)
        };
        let infos = [
            "info depth 1 score cp 1 pv e2e4 e2e4 d2d4",
            "info depth 2 score cp 2 pv e2e5",
        ];
        assert_eq!(heard(&infos, "e2e4"), (Some(1), 1, 1, told("e2e4 e2e4")));
        assert_eq!(heard(&infos[1..], "e2e4"), (None, 0, 1, told("e2e5")));
        // What is no move at all may be another part of the message.
        let info = "info pv e2e4 score cp 1 depth 1";
        assert_eq!(heard(&[info], "e2e4"), (Some(1), 1, 1, None));
    }
}
