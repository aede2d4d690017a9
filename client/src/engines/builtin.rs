//! The built-in engine as a player.

use engine::{Clock, Limits, Progress, Searcher, Signals};
use movegen::Game;

use super::player::{Effort, Player, SearchResult};
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
        let limits = match effort {
            Effort::Fixed(limits) => *limits,
            Effort::Endless => Limits::default(),
            Effort::Clock(clock_state, overhead) => {
                let side = game.position().turn() as usize;
                let clock = Clock {
                    remaining: clock_state.remaining[side],
                    increment: clock_state.increment[side],
                    moves_to_go: clock_state.moves_to_go,
                    overhead: *overhead,
                };
                clock.limits()
            }
        };
        let outcome = self.search(game, &limits, signals, observer);
        if let Some(probing) = self.probing() {
            report_bad_tables(&probing.tablebases);
        }
        let least_depth = usize::from(outcome.best.is_some());
        Ok(SearchResult {
            best: outcome.best,
            pv: outcome.pv,
            score: outcome.score,
            depth: outcome.depth.max(least_depth) as u64,
            nodes: outcome.nodes,
            time: outcome.time,
            processor_time: outcome.processor_time,
        })
    }
}
