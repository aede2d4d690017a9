//! The built-in engine as a player.

use engine::{Clock, Limits, Outcome, Progress, Searcher, Signals};
use movegen::Game;

use super::player::{Effort, Player, SearchResult, Wish};
use super::strength::Strength;
use crate::cli::report_bad_tables;

impl Player for Searcher {
    fn name(&self) -> &'static str {
        "Epode"
    }

    fn new_game(&mut self) -> anyhow::Result<()> {
        self.clear();
        Ok(())
    }

    fn set_lines(&mut self, lines: usize) -> anyhow::Result<()> {
        Self::set_lines(self, lines);
        Ok(())
    }

    fn think(
        &mut self,
        game: &Game,
        effort: &Effort,
        signals: &Signals,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> anyhow::Result<SearchResult> {
        let limits = limits(effort, game);
        let outcome = self.search(game, &limits, signals, observer);
        report_damage(self);
        Ok(outcome.into())
    }
}

/// The built-in engine at less than full strength.
pub struct LimitedPlayer {
    pub searcher: Searcher,
    pub strength: Strength,
}

impl Player for LimitedPlayer {
    fn name(&self) -> &str {
        Player::name(&self.searcher)
    }

    fn new_game(&mut self) -> anyhow::Result<()> {
        self.searcher.new_game()
    }

    fn set_lines(&mut self, lines: usize) -> anyhow::Result<()> {
        Player::set_lines(&mut self.searcher, lines)
    }

    fn think(
        &mut self,
        game: &Game,
        effort: &Effort,
        signals: &Signals,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> anyhow::Result<SearchResult> {
        let limits = limits(effort, game);
        let searcher = &mut self.searcher;
        let outcome = self
            .strength
            .search(searcher, game, &limits, signals, observer);
        report_damage(searcher);
        Ok(outcome.into())
    }
}

/// Tells the user which tablebases were found to be damaged in a search.
fn report_damage(searcher: &Searcher) {
    if let Some(probing) = searcher.probing() {
        report_bad_tables(&probing.tablebases);
    }
}

/// The limits of a search.
fn limits(effort: &Effort, game: &Game) -> Limits {
    match effort {
        Effort::Fixed(limits) => *limits,
        Effort::Endless => Limits::default(),
        Effort::Clock(clock_state, margin) => {
            let side = game.position().turn() as usize;
            let clock = Clock {
                remaining: clock_state.remaining[side],
                increment: clock_state.increment[side],
                moves_to_go: clock_state.moves_to_go,
                overhead: margin.overhead,
                lag: margin.lag,
            };
            clock.limits()
        }
    }
}

impl From<Outcome> for SearchResult {
    fn from(outcome: Outcome) -> Self {
        let least_depth = usize::from(outcome.best.is_some());
        Self {
            best: outcome.best,
            pv: outcome.pv,
            score: outcome.score,
            depth: outcome.depth.max(least_depth) as u64,
            nodes: outcome.nodes,
            time: outcome.time,
            processor_time: outcome.processor_time,
            wish: Wish::PlayOn,
            warning: None,
        }
    }
}
