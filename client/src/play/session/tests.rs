//! Tests of the decisions that concern a player.

mod clocks;
mod commands;
mod history;
mod laws;
mod replies;
mod tags;

use epd::protocol::frame::Frame;
use movegen::{Move, san};

use super::*;
use crate::engines::SearchResult;
use crate::play::draw_resign_policy::Streak;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -";
const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - -";
/// A double step that can be answered by a capture en passant.
const EN_PASSANT: &str = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6";

/// A session without an engine, with a simulated clock.
struct Seat {
    session: Session,
    now: Instant,
}

impl Seat {
    fn with(policy: DrawResignPolicy) -> Self {
        Self {
            session: Session::new("Epode", policy, false),
            now: Instant::now(),
        }
    }

    /// A player whose game was set up.
    fn new() -> Self {
        let mut seat = Self::with(DrawResignPolicy::default());
        seat.hear(START, "refcom reset;");
        seat
    }

    fn take(&mut self, frame: &Frame) -> Vec<String> {
        let actions = self.session.receive(frame, self.now);
        actions.iter().map(seen).collect()
    }

    /// A record at some position.
    fn hear(&mut self, fields: &str, operations: &str) -> Vec<String> {
        self.take(&Frame::Line(format!("{fields} {operations}")))
    }

    /// A record at our position.
    fn receive(&mut self, operations: &str) -> Vec<String> {
        let fields = self.fields();
        self.hear(&fields, operations)
    }

    fn fields(&self) -> String {
        self.session.game.position().setup().fields().to_string()
    }

    /// A search result: a move, or none for an empty text, and its score.
    fn think(&mut self, text: &str, score: i32) -> Vec<String> {
        self.now += Duration::from_secs(1);
        let result = self.result(text, score);
        let actions = self.session.answer(&result, self.now);
        actions.iter().map(seen).collect()
    }

    fn result(&self, text: &str, score: i32) -> SearchResult {
        let position = self.session.game.position();
        let best = (!text.is_empty()).then(|| san::parse_lenient(position, text).expect(text).0);
        SearchResult {
            best,
            pv: best.into_iter().collect(),
            score: engine::Score::from_ce(score as i16),
            depth: 7,
            nodes: 1234,
            time: Duration::from_millis(1600),
            ..SearchResult::default()
        }
    }

    /// Handles a respond command, and answers with a move.
    fn play(&mut self, operations: &str, text: &str) -> Vec<String> {
        let heard = self.receive(&format!("refcom respond; {operations}"));
        assert_eq!(heard.last().map(String::as_str), Some("think"), "{heard:?}");
        self.think(text, 10)
    }

    /// The moves of the known history.
    fn moves(&self) -> String {
        let moves: Vec<_> = self
            .session
            .game
            .moves()
            .iter()
            .map(Move::to_string)
            .collect();
        assert_eq!(moves.len(), self.session.plies.len());
        moves.join(" ")
    }

    /// The remaining time of White and Black in milliseconds, and the moves to the time control.
    fn clock_state(&self) -> ([u128; 2], Option<u32>) {
        let clock_state = self.session.clock_state().expect("a clock");
        (
            clock_state.remaining.map(|time| time.as_millis()),
            clock_state.moves_to_go,
        )
    }

    /// The counters of our position.
    fn counters(&self) -> (u16, u16) {
        let position = self.session.game.position();
        (position.halfmove_clock(), position.fullmove_number())
    }
}

/// An action as text; for a record its operations without the counters.
fn seen(action: &Action) -> String {
    match action {
        Action::Send(request) => {
            let mut record = request.record();
            record.retain(|operation| !["hmvc", "fmvn"].contains(&&*operation.opcode));
            operations(&record.to_string()).to_owned()
        }
        Action::Abort => "abort".to_owned(),
        Action::Think => "think".to_owned(),
        Action::Ponder => "ponder".to_owned(),
        Action::NewGame => "new game".to_owned(),
        Action::GameOver(played) => format!("game over after {} plies", played.plies.len()),
        Action::Print(text) => format!("tell {text}"),
        Action::Close => "close".to_owned(),
    }
}

/// The operations of a record.
fn operations(line: &str) -> &str {
    line.splitn(5, ' ').last().expect("operations")
}

/// The text of a fault request.
fn fault(why: &str) -> [String; 2] {
    [
        // Decision 106: no quote is inside of another.
        format!("c0 \"{}\"; refreq fault;", why.replace('"', "'")),
        format!("tell fault: {why}"),
    ]
}
