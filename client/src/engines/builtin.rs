//! The built-in engine as a player.

use engine::{Clock, Limits, Progress, Searcher, Signals};
use movegen::Game;

use super::{Effort, Player, Thought};

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
    ) -> anyhow::Result<Thought> {
        let limits = match effort {
            Effort::Fixed(limits) => *limits,
            Effort::Endless => Limits::default(),
            Effort::Clock(watch, overhead) => {
                let side = game.position().turn() as usize;
                let clock = Clock {
                    remaining: watch.remaining[side],
                    increment: watch.increment[side],
                    moves_to_go: watch.moves_to_go,
                    overhead: *overhead,
                };
                clock.limits()
            }
        };
        let outcome = self.search(game, &limits, signals, observer);
        Ok(Thought {
            best: outcome.best,
            pv: outcome.pv,
            score: outcome.score,
            depth: outcome.depth as u64,
            nodes: outcome.nodes,
            time: outcome.time,
            processor_time: outcome.processor_time,
        })
    }
}
