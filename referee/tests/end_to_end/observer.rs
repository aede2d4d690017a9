//! A second referee: who may observe, what is copied, what happens when the network is cut, and who steps down.

mod connections;
mod copies;
mod going_on;

use std::net::SocketAddr;
use std::time::Instant;

use crate::common::nodes::{Node, observer_table};
use crate::common::player::Link;
use crate::common::{LIMIT, event};
use epd::protocol::Command as Order;
use movegen::san::parse_lenient;
use movegen::{Game, San};

const DUEL: &str = "format = \"match\"\ngames_per_pairing = 1\ntime_control = \"600\"";

/// A duel of Ann and Bob with these settings of `[observer]`.
fn duel(settings: &str) -> String {
    event(DUEL, &observer_table(settings), &["Ann", "Bob"])
}

/// A player that makes one move after the other, when the test says so.
struct Player {
    link: Link,
    game: Game,
    /// The operation by which its referee says its term.
    term: Option<String>,
    /// What the referee said last in words.
    text: String,
}

impl Player {
    fn enter(address: SocketAddr, name: &str) -> Self {
        Self::enter_with(address, name, "")
    }

    fn enter_with(address: SocketAddr, name: &str, more: &str) -> Self {
        let mut link = Link::open(address);
        let operations = format!("{more} refreq sign_on; tcsi \"\" {name:?};");
        link.request(Game::default().position(), &operations);
        Self {
            link,
            game: Game::default(),
            term: None,
            text: String::new(),
        }
    }

    /// Reads until it is asked, or told this; false at the end.
    fn hear(&mut self, words: Option<&str>) -> bool {
        let begin = Instant::now();
        while let Some(command) = self.link.command() {
            assert!(begin.elapsed() < LIMIT, "{words:?}: {}", self.text);
            let content = command.message();
            if let Order::Reset(_) = command {
                self.game = Game::new(content.position.expect("a position"));
            }
            if let Some(term) = &content.term {
                self.term = Some(term.operation().to_string());
            }
            if let Some(mv) = content.supplied_move()
                && content.position.as_ref() == Some(self.game.position())
            {
                self.game.play(mv).expect("legal");
            }
            if let Some(text) = &content.text {
                self.text = text.to_string();
            }
            match words {
                Some(words) if self.text == words => return true,
                None if matches!(command, Order::Respond(_)) => return true,
                _ => {}
            }
        }
        false
    }

    /// Waits until it is asked, and plays this.
    #[track_caller]
    fn play(&mut self, san: &str) {
        assert!(self.hear(None), "{}", self.text);
        self.answer(san);
    }

    /// Plays this, having been asked.
    fn answer(&mut self, san: &str) {
        let position = *self.game.position();
        let (mv, _) = parse_lenient(&position, san).expect(san);
        self.game.play(mv).expect(san);
        self.link
            .request(&position, &format!("refreq reply; sm {san};"));
    }

    fn moves(&self) -> Vec<String> {
        let mut position = *self.game.start();
        let moves = self.game.moves().iter().map(|&mv| {
            let san = San::of(&position, mv).to_string();
            position.play(mv);
            san
        });
        moves.collect()
    }
}

/// The number of moves in the journal of a node.
fn plies(node: &Node) -> usize {
    let journal = String::from_utf8(node.read("journal.log")).expect("ASCII");
    journal.matches(" sm ").count()
}
