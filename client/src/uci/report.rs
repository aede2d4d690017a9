//! Prints the progress of a search and its result.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use engine::{Progress, Score, Wdl};
use movegen::{CastlingMode, Move, Position, UciMove};

use super::output::print_info;
use super::ticker::Ticker;
use crate::io::interface::print;
use crate::think::job::Reporter;

/// How to print a search.
pub struct Style {
    /// Prints the node count of a long search, until `bestmove`.
    pub ticker: Option<Ticker>,
    pub root: Position,
    /// Print `wdl` with every score.
    pub show_wdl: bool,
    /// How castling is printed.
    pub castling_mode: CastlingMode,
    /// Set to the time at which `bestmove` was printed.
    pub answered: Arc<OnceLock<Instant>>,
}

impl Reporter for Style {
    fn progress(&mut self, progress: &Progress<'_>) {
        print(&info(progress, self));
    }

    fn note(&mut self, text: &str) {
        print_info(text);
    }

    fn answer(&mut self, best: Option<Move>, reply: Option<Move>, score: Score) {
        let line: Vec<_> = best.into_iter().chain(reply).collect();
        let mut words = uci_moves(&self.root, &line, self.castling_mode).into_iter();
        let answer = if let Some(best) = words.next() {
            format!("bestmove {best}")
        } else {
            let score = match score.mate_plies() {
                Some(_) => "mate 0",
                None => "cp 0",
            };
            format!("info depth 0 score {score}\nbestmove 0000")
        };
        let answer = words.fold(answer, |answer, reply| format!("{answer} ponder {reply}"));
        self.ticker = None;
        let _ = self.answered.set(Instant::now());
        print(&answer);
    }
}

/// A line of moves in UCI notation.
fn uci_moves(root: &Position, line: &[Move], mode: CastlingMode) -> Vec<String> {
    let mut position = *root;
    let moves = line.iter().map(|&mv| {
        let text = UciMove::of(&position, mv, mode).to_string();
        position.play(mv);
        text
    });
    moves.collect()
}

/// The `info` line of an iteration.
fn info(progress: &Progress<'_>, style: &Style) -> String {
    let root = &style.root;
    let wdl = if style.show_wdl {
        let Wdl { win, draw, loss } = Wdl::of(progress.score, root);
        format!(" wdl {win} {draw} {loss}")
    } else {
        String::new()
    };
    let bound = if progress.is_lower_bound {
        " lowerbound"
    } else {
        ""
    };
    let milliseconds = progress.time.as_millis();
    let rate = progress.nodes as f64 / progress.time.as_secs_f64().max(1e-3);
    let pv = uci_moves(root, progress.pv, style.castling_mode);
    format!(
        "info depth {} seldepth {} multipv {} score {}{bound}{wdl} nodes {} nps {rate:.0} hashfull {} tbhits {} time {milliseconds} pv {}",
        progress.depth,
        progress.selective_depth,
        progress.rank,
        score(progress.score),
        progress.nodes,
        progress.table_permille,
        progress.tablebase_hits,
        pv.join(" ")
    )
}

/// `cp 31`, or `mate 3` in moves.
fn score(score: Score) -> String {
    match score.mate_plies() {
        None => format!("cp {}", score.ce()),
        Some(plies) if score > Score::DRAW => format!("mate {}", plies.div_ceil(2)),
        Some(plies) => format!("mate -{}", plies.div_ceil(2)),
    }
}
