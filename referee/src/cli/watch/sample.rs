//! An event for tests of the view.

/// Events whose schedule grows.
#[path = "../../core/event/view/rounds/script.rs"]
pub mod script;

/// What the script is made of.
mod types {
    pub use referee::equipment::Conditions;
    pub use referee::event::Report;
    pub use referee::event::stream::{GameReport, Scheduled, Start};
    pub use referee::event::view::EventView;
    pub use referee::schedule::{
        Entrant, Format, Knockout, Ladder, Meeting, Pairing, Plan, Step, Swiss,
    };
}

use referee::event::stream::Stamped;
use referee::event::view::EventView;
use serde_json::{Value, json};

/// When everything in it happened.
pub const AT: &str = "2026-11-23T10:00:00.000Z";

/// An event of the stream.
pub fn event(value: Value) -> Stamped {
    let mut value = value;
    value["at"] = AT.into();
    serde_json::from_value(value).expect("an event of the stream")
}

fn start() -> Value {
    json!({
        "event": "start", "schema": 1, "address": "127.0.0.1:5001", "name": "Autumn Cup", "site": "Here",
        "time_control": "300+3", "variant": "standard", "players": ["Old Ann", "Bob", "王者"], "games": 6,
        "schedule": [[1, 1, 0, 1, 0], [1, 2, 1, 2, 1], [1, 3, 2, 0, 2], [2, 1, 1, 0, 0], [2, 2, 2, 1, 1], [2, 3, 0, 2, 2]],
    })
}

fn game(number: usize, white: &str, black: &str, is_paused: bool) -> Value {
    json!({
        "event": "game", "game": number, "round": "1", "white": white, "black": black, "date": "2026.11.23",
        "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "opening": "Ruy Lopez",
        "opening_moves": ["e4", "e5", "Nf3"], "clocks_ms": [300_000.0, 300_000.0],
        "turn_ms": if is_paused { None } else { Some(0.0) }, "is_paused": is_paused, "moves": [],
    })
}

fn mv(number: usize, player: &str, ply: usize, (san, uci): (&str, &str), eval: i32) -> Value {
    json!({
        "event": "move", "game": number, "player": player, "ply": ply, "san": san, "uci": uci,
        "elapsed_ms": 1500.0, "remaining_ms": 301_500.0, "eval": eval, "depth": 20, "nodes": 1_234_567,
        "pv": [san, "a6"], "lag_ms": 0.1,
    })
}

/// The stream of an event in which one game is over, one in progress, and one paused.
pub fn stream() -> Vec<Stamped> {
    let events = vec![
        start(),
        json!({"event": "sign_on", "player": "Bob", "peer": "127.0.0.1:4242"}),
        game(1, "Old Ann", "Bob", false),
        mv(1, "Bob", 4, ("Nc6", "b8c6"), -20),
        json!({"event": "result", "game": 1, "white": "Old Ann", "black": "Bob", "result": "0-1",
               "termination": "time forfeit", "reason": "Black wins on time", "verdict": "time", "plies": 4}),
        game(2, "Bob", "王者", false),
        mv(2, "王者", 4, ("Nc6", "b8c6"), -20),
        mv(2, "Bob", 5, ("Bb5", "f1b5"), 35),
        game(3, "王者", "Old Ann", true),
        json!({"event": "lost", "player": "Old Ann"}),
    ];
    events.into_iter().map(event).collect()
}

/// What is known after that stream.
pub fn view() -> EventView {
    let mut view = EventView::default();
    for event in stream() {
        view.apply(&event.report, &event.at);
    }
    view
}
