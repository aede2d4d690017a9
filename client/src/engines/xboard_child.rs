//! Another program as an engine, through the protocol of xboard (version 2, and version 1 as far as its
//! engines go).
//!
//! The engine keeps its own board. As long as it agrees with the game, each move is sent as `usermove` and the
//! engine answers; otherwise the game is set up anew in `force` mode, and `go` starts the engine.

mod connection;
mod features;
mod messages;
mod search;

use anyhow::bail;
use engine::{Progress, Signals};
use movegen::Game;

use super::patience::START_PATIENCE;
use super::player::{Effort, Player, SearchResult};
pub use connection::{Purpose, XboardPlayer};
pub use messages::{move_text, read_move};
use search::Search;

impl Player for XboardPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> anyhow::Result<()> {
        self.is_draw_offered = false;
        self.last = SearchResult::default();
        self.start_new()?;
        self.synchronise(START_PATIENCE)?;
        self.is_ready = true;
        Ok(())
    }

    fn offer_draw(&mut self) -> anyhow::Result<()> {
        self.is_draw_offered = true;
        Ok(())
    }

    fn set_lines(&mut self, lines: usize) -> anyhow::Result<()> {
        if lines == 1 {
            return Ok(());
        }
        bail!(
            "{} speaks the protocol of xboard, which has only one line: use --multipv 1",
            self.name
        )
    }

    fn think(
        &mut self,
        game: &Game,
        effort: &Effort,
        signals: &Signals,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> anyhow::Result<SearchResult> {
        if let Some(result) = SearchResult::of_finished(game.position()) {
            return Ok(result);
        }
        if *effort == Effort::Endless {
            return self.ponder(game, signals);
        }
        let before = self.process.processor_time();
        let mut search = Search::new(self, game, effort, signals, observer);
        let mut result = search.run()?;
        let spent = |before| Some(self.process.processor_time()?.saturating_sub(before));
        result.processor_time = before.and_then(spent);
        self.is_draw_offered = false;
        self.last = result.clone();
        Ok(result)
    }
}
