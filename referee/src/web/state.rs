//! What viewers may know of an event.

use std::collections::BTreeMap;
use std::io;

use jiff::Timestamp;

use super::archive::Archive;
use super::frames::Frames;
use super::metrics::Metrics;
use crate::core::broadcast::{Broadcast, Published};
use crate::core::event::Report;
use crate::core::event::stream::Start;
use crate::core::event::view::{EventView, GameView};

/// When something changed last: the number of the event, and the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The number of the event.
    pub id: u64,
    /// When it was broadcast.
    pub at: Option<Timestamp>,
}

/// So many finished games are kept in memory, for viewers who have been watching them.
const MOST_LATEST: usize = 16;

/// What viewers may know of an event.
#[derive(Debug)]
pub struct State {
    /// The event; its finished games are in the archive.
    pub view: EventView,
    /// The finished games.
    pub archive: Archive,
    /// The last finished games, latest last.
    pub latest: Vec<GameView>,
    /// The latest events.
    pub frames: Frames,
    /// What is measured. Unlike the rest, it is not delayed.
    pub metrics: Metrics,
    /// The rules of the broadcast.
    pub rules: Broadcast,
    /// Whether the whole of `events.jsonl` has been read.
    pub is_ready: bool,
    /// When the referee gave a sign of life.
    pub alive: Timestamp,
    /// Why all games wait, if they do.
    pub waits: Option<String>,
    /// The last change of any game in progress.
    pub live: Change,
    /// The last change of the finished games.
    pub finished: Change,
    /// The last change of the games of each round.
    rounds: BTreeMap<usize, Change>,
    /// The last change of each game.
    games: BTreeMap<usize, Change>,
}

impl State {
    /// The state before the first event.
    pub fn new(rules: Broadcast) -> io::Result<Self> {
        Ok(Self {
            view: EventView::default(),
            archive: Archive::new()?,
            latest: Vec::new(),
            frames: Frames::default(),
            metrics: Metrics::default(),
            rules,
            is_ready: false,
            alive: Timestamp::now(),
            waits: None,
            live: Change::default(),
            finished: Change::default(),
            rounds: BTreeMap::new(),
            games: BTreeMap::new(),
        })
    }

    /// Takes in an event of the broadcast.
    pub fn apply(&mut self, published: &Published) -> io::Result<()> {
        let change = Change {
            id: published.id,
            at: Some(Timestamp::now()),
        };
        self.view.apply(&published.report, &published.at);
        match &published.report {
            Report::Game(game) => self.touch(game.game, change),
            Report::Move { game, .. } | Report::Thinking { game, .. } => self.touch(*game, change),
            Report::Result { game, .. } => {
                self.touch(*game, change);
                self.finished = change;
                if let Some(view) = self.view.take_finished(*game) {
                    let added = self.archive.add(&view, &self.event());
                    self.keep(view);
                    added?;
                }
            }
            Report::Withdrawn { game, .. } => {
                self.touch(*game, change);
                self.finished = change;
                self.archive.remove(*game);
                self.latest.retain(|latest| latest.game.game != *game);
            }
            _ => {}
        }
        self.frames.push(published);
        Ok(())
    }

    /// Keeps a game that has just ended.
    fn keep(&mut self, game: GameView) {
        if self.latest.len() == MOST_LATEST {
            self.latest.remove(0);
        }
        self.latest.push(game);
    }

    fn touch(&mut self, game: usize, change: Change) {
        self.live = change;
        self.games.insert(game, change);
        if let Some(pairing) = self.view.results.pairing(game) {
            self.rounds.insert(pairing.round, change);
        }
    }

    /// What the event is.
    #[must_use]
    pub fn event(&self) -> Start {
        self.view.start.clone().unwrap_or_default()
    }

    /// The last change of a round; `None` if no game of it has begun.
    #[must_use]
    pub fn round(&self, round: usize) -> Option<Change> {
        self.rounds.get(&round).copied()
    }

    /// The last change of a game; `None` if it has not begun.
    #[must_use]
    pub fn change_of(&self, game: usize) -> Option<Change> {
        self.games.get(&game).copied()
    }

    /// A game with all its moves, in progress or finished.
    #[must_use]
    pub fn game(&self, number: usize) -> Option<GameView> {
        let running = self.view.games.get(&number).cloned();
        running.or_else(|| self.archive.game(number))
    }
}
