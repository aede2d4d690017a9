//! Prints the progress of a search and the end of a game.

use std::sync::mpsc::Sender;

use engine::{Progress, Score};
use movegen::{Color, Draw, Game, Move, Position, San};

use crate::think::job::Reporter;

/// What the main loop receives.
pub enum Event {
    Command(String),
    /// A line of the search of this number.
    Progress(u64, Line),
    /// A remark for people.
    Note(String),
    /// The result of the search of this number.
    Answer {
        number: u64,
        best: Option<Move>,
        reply: Option<Move>,
        score: Score,
    },
    /// The end of the input.
    End,
}

/// Sends the reports of a search to the main loop, with the number of the search.
pub struct Messenger {
    pub number: u64,
    pub root: Position,
    pub events: Sender<Event>,
}

/// A line of thinking output, with what the status of an analysis needs.
#[derive(Clone, Debug, Default)]
pub struct Line {
    pub text: String,
    pub depth: usize,
    pub nodes: u64,
    pub best: String,
}

impl Messenger {
    fn send(&self, event: Event) {
        // The main loop may have ended already.
        let _ = self.events.send(event);
    }
}

impl Reporter for Messenger {
    fn progress(&mut self, progress: &Progress<'_>) {
        self.send(Event::Progress(self.number, line(progress, &self.root)));
    }

    fn note(&mut self, text: &str) {
        self.send(Event::Note(text.to_owned()));
    }

    fn answer(&mut self, best: Option<Move>, reply: Option<Move>, score: Score) {
        self.send(Event::Answer {
            number: self.number,
            best,
            reply,
            score,
        });
    }
}

/// `ply score time nodes pv`, with the line in SAN.
fn line(progress: &Progress<'_>, root: &Position) -> Line {
    let mut position = *root;
    let moves = progress.pv.iter().map(|&mv| {
        let san = San::of(&position, mv).to_string();
        position.play(mv);
        san
    });
    let moves: Vec<_> = moves.collect();
    let time = progress.time.as_millis() / 10;
    Line {
        text: format!(
            "{} {} {time} {} {}",
            progress.depth,
            score(progress.score),
            progress.nodes,
            moves.join(" ")
        ),
        depth: progress.depth,
        nodes: progress.nodes,
        best: moves.first().cloned().unwrap_or_default(),
    }
}

/// Centipawns; 100000 and more for a mate in so many moves.
fn score(score: Score) -> i32 {
    const MATE: i32 = 100_000;
    match score.mate_plies() {
        None => score.ce(),
        Some(plies) if score > Score::DRAW => MATE + plies.div_ceil(2) as i32,
        Some(plies) => -MATE - plies.div_ceil(2) as i32,
    }
}

/// The result of a game that is over by the rules, or by a draw that can be claimed.
pub fn result(game: &Game) -> Option<&'static str> {
    let position = game.position();
    if position.is_checkmate() {
        return Some(match position.turn() {
            Color::White => "0-1 {Black mates}",
            Color::Black => "1-0 {White mates}",
        });
    }
    game.draw().map(|draw| match draw {
        Draw::Stalemate => "1/2-1/2 {Stalemate}",
        Draw::InsufficientMaterial => "1/2-1/2 {Insufficient material}",
        Draw::Repetition => "1/2-1/2 {Draw by repetition}",
        Draw::FiftyMoves => "1/2-1/2 {Draw by fifty moves}",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results() {
        for (fen, expected) in [
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Some("1-0 {White mates}")),
            ("7K/6q1/6k1/8/8/8/8/8 w - - 0 1", Some("0-1 {Black mates}")),
            (
                "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
                Some("1/2-1/2 {Stalemate}"),
            ),
            (
                "7k/8/6K1/8/8/8/8/8 b - - 0 1",
                Some("1/2-1/2 {Insufficient material}"),
            ),
            (
                "7k/8/6K1/8/8/8/8/R7 b - - 100 90",
                Some("1/2-1/2 {Draw by fifty moves}"),
            ),
            ("7k/8/6K1/8/8/8/8/R7 b - - 0 1", None),
        ] {
            assert_eq!(
                result(&Game::new(fen.parse().expect(fen))),
                expected,
                "{fen}"
            );
        }
        assert_eq!(score(Score::mate_in(5)), 100_003);
        assert_eq!(score(Score::mated_in(4)), -100_002);
        assert_eq!(score(Score::ordinary(-31)), -31);
    }
}
