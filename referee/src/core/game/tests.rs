//! The referee of one game against replies that a test writes.

mod endings;
mod replies;
mod restoring;
mod telling;
mod time;

use std::time::{Duration, Instant};

use epd::protocol::{Message, Request};
use movegen::{Color, Position};

use super::{GameReferee, Out, Rules};
use crate::core::openings::Opening;

/// A game with a clock and the instants of its events.
struct Board {
    referee: GameReferee,
    now: Instant,
}

impl Board {
    fn with(control: &str, rules: Rules) -> Self {
        Self::from(&Opening::default(), control, rules)
    }

    fn from(opening: &Opening, control: &str, rules: Rules) -> Self {
        let tags = vec![("White".into(), "A".into()), ("Black".into(), "B".into())];
        let controls = [(); 2].map(|()| control.parse().expect(control));
        Self {
            referee: GameReferee::new(opening, controls, rules, tags),
            now: Instant::now(),
        }
    }

    fn new() -> Self {
        Self::with("60", Rules::default())
    }

    fn at(fen: &str) -> Self {
        let opening = Opening {
            start: fen.parse().expect(fen),
            ..Opening::default()
        };
        Self::from(&opening, "60", Rules::default())
    }

    fn turn(&self) -> Color {
        self.referee.game().position().turn()
    }

    /// Asks, as a server does.
    fn ask(&mut self) -> Vec<Out> {
        let out = self.referee.ask();
        self.referee.sent(self.now);
        out
    }

    /// The reply of the side to move to its position, after some milliseconds, with operations.
    fn reply(&mut self, operations: &str, milliseconds: u64) -> Vec<Out> {
        let color = self.turn();
        let content = content(self.referee.game().position(), operations);
        self.send(color, &content, milliseconds)
    }

    fn send(&mut self, color: Color, content: &Message, milliseconds: u64) -> Vec<Out> {
        self.now += Duration::from_millis(milliseconds);
        let out = self.referee.reply(color, content, self.now);
        self.referee.sent(self.now);
        out
    }

    /// Moves without anything else, from the first ask on.
    fn play(&mut self, moves: &str) -> Vec<Out> {
        let mut out = self.ask();
        for text in moves.split_whitespace() {
            out = self.reply(&format!("sm {text};"), 1000);
        }
        out
    }
}

fn content(position: &Position, operations: &str) -> Message {
    let line = format!("{} refreq reply; {operations}", position.setup().fields());
    let record = epd::read(&line, &mut Vec::new()).expect("readable");
    Request::read(&record).expect("a request").message().clone()
}

/// The records that a side is sent, without clocks and counters.
fn told(out: &[Out], color: Color) -> Vec<String> {
    let commands = out.iter().filter_map(|out| match out {
        Out::Send(to, command) if *to == color => Some(command),
        _ => None,
    });
    let bare = commands.map(|command| {
        let mut record = command.record();
        record.retain(|operation| {
            !["cc", "ctcc", "hmvc", "fmvn", "ptp"].contains(&&*operation.opcode)
        });
        record.to_string()
    });
    bare.collect()
}

fn ending(out: &[Out]) -> Option<String> {
    out.iter().find_map(|out| match out {
        Out::Ended(ending) => Some(ending.to_string()),
        _ => None,
    })
}

fn words(out: &[Out], color: Color) -> Vec<&'static str> {
    let sent = out.iter().filter_map(|out| match out {
        Out::Send(to, command) if *to == color => Some(command.name()),
        _ => None,
    });
    sent.collect()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
