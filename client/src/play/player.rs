//! Who finds the moves: the engine of this program, or another one through UCI.

use engine::{Clock, Limits, Searcher, Signals};
use movegen::Game;

use super::session::{Thought, Watch};

/// How long to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// By the clock, of which so much is lost on the way.
    Clock(Watch, std::time::Duration),
    /// The same for every move.
    Fixed(Limits),
    /// Until stopped: on the opponent's time.
    Endless,
}

/// Something that finds moves.
pub trait Player: Send {
    /// Another game begins.
    fn new_game(&mut self) -> anyhow::Result<()>;

    /// Thinks about a game's position until the effort is spent or the signals stop it.
    fn think(&mut self, game: &Game, effort: &Effort, signals: &Signals)
    -> anyhow::Result<Thought>;
}

impl Player for Searcher {
    fn new_game(&mut self) -> anyhow::Result<()> {
        self.clear();
        Ok(())
    }

    fn think(
        &mut self,
        game: &Game,
        effort: &Effort,
        signals: &Signals,
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
        let outcome = self.search(game, &limits, signals, &mut |_| ());
        Ok(Thought {
            best: outcome.best,
            pv: outcome.pv,
            score: outcome.score.ce(),
            depth: outcome.depth as u64,
            nodes: outcome.nodes,
            time: outcome.time,
        })
    }
}
