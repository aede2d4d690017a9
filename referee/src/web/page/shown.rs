//! What the pages are made of, and which part of it a viewer looks at.

use jiff::Timestamp;
use movegen::Color;

use crate::core::event::view::{EventView, GameView};
use crate::core::text;

/// Which position of a game a viewer looks at, and from which side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// So many half-moves after the start of the game; `None` for the present position.
    pub ply: Option<usize>,
    /// The side below.
    pub side: Color,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            ply: None,
            side: Color::White,
        }
    }
}

impl Look {
    /// The query of a link to this position: empty, or with its question mark.
    pub(super) fn query(self) -> String {
        let ply = self.ply.map(|ply| format!("ply={ply}"));
        let side = (self.side == Color::Black).then(|| "side=black".to_owned());
        let parts: Vec<_> = ply.into_iter().chain(side).collect();
        match parts.as_slice() {
            [] => String::new(),
            parts => format!("?{}", parts.join("&")),
        }
    }
}

/// What the pages are made of.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'v> {
    /// The event, with the games in progress.
    pub view: &'v EventView,
    /// The last finished games, latest last.
    pub finished: &'v [GameView],
    /// The time for clocks that run; `None` if clocks stand still.
    pub now: Option<Timestamp>,
    /// The number of the last event of the stream that is in the view.
    pub seq: u64,
}

impl<'v> Shown<'v> {
    /// A game in progress, or one that has just ended.
    pub(super) fn game(&self, number: usize) -> Option<&'v GameView> {
        let finished = self.finished.iter();
        let mut all = self.view.games.get(&number).into_iter().chain(finished);
        all.find(|game| game.game.game == number)
    }
}

/// The name of a player as the pages show it.
pub(super) fn name(name: &str) -> String {
    match text::shown(name) {
        name if name.is_empty() => "(open)".to_owned(),
        name => name,
    }
}
