//! One search: what the engine says until its move.

use std::sync::atomic::Ordering;
use std::time::Instant;

use engine::{Limits, Progress, Score, Signals};
use movegen::{Color, Game, Position};

use super::connection::{Board, PointOfView, Purpose, XboardPlayer};
use super::messages::{Answer, Thinking, read_move};
use crate::engines::patience::{Patience, START_PATIENCE, TICK};
use crate::engines::player::{Effort, LastingError, SearchResult, Wish};

/// A search of one position.
pub struct Search<'a, 'o> {
    player: &'a mut XboardPlayer,
    game: &'a Game,
    effort: &'a Effort,
    limits: Limits,
    signals: &'a Signals,
    observer: &'a mut (dyn FnMut(&Progress<'_>) + 'o),
    patience: Patience,
    started: Instant,
    result: SearchResult,
    /// A soft limit is reached.
    is_sufficient: bool,
    /// The engine has held the game to be over, and was set up without its history.
    has_claimed: bool,
}

impl<'a, 'o> Search<'a, 'o> {
    pub fn new(
        player: &'a mut XboardPlayer,
        game: &'a Game,
        effort: &'a Effort,
        signals: &'a Signals,
        observer: &'a mut (dyn FnMut(&Progress<'_>) + 'o),
    ) -> Self {
        let limits = match effort {
            Effort::Fixed(limits) => *limits,
            Effort::Clock(..) | Effort::Endless => Limits::default(),
        };
        let mut patience = Patience::of(effort, game.position().turn());
        // The protocol has whole seconds; less is measured here.
        if let Some(time) = limits.hard_time.filter(|time| time.subsec_nanos() > 0) {
            patience.search = Some(time);
        }
        let result = SearchResult {
            score: player.last.score,
            ..SearchResult::default()
        };
        Self {
            player,
            game,
            effort,
            limits,
            signals,
            observer,
            patience,
            started: Instant::now(),
            result,
            is_sufficient: false,
            has_claimed: false,
        }
    }

    pub fn run(&mut self) -> anyhow::Result<SearchResult> {
        let is_timed = self.limits.hard_time.is_some()
            && self.limits.depth.is_none()
            && self.limits.nodes.is_none();
        let features = &self.player.features;
        let can_analyse = features.analyze && features.ping;
        if self.player.purpose == Purpose::Analysis && is_timed && can_analyse {
            self.analyse()?;
        } else {
            self.player.ask(self.game, self.effort)?;
            self.listen()?;
        }
        self.result.time = self.started.elapsed();
        Ok(std::mem::take(&mut self.result))
    }

    const fn position(&self) -> &'a Position {
        self.game.position()
    }

    /// Whether the search must end.
    fn must_stop(&self) -> bool {
        let elapsed = self.started.elapsed();
        let is_overdue = self.patience.search.is_some_and(|time| elapsed > time);
        self.is_sufficient || is_overdue || self.signals.stop.load(Ordering::Relaxed)
    }

    /// Reads lines until the engine moves or wants to end the game, and tells it to move when a limit is
    /// exceeded.
    fn listen(&mut self) -> anyhow::Result<()> {
        let mut stopped: Option<Instant> = None;
        loop {
            if stopped.is_none() && self.must_stop() {
                self.player.send("?")?;
                stopped = Some(Instant::now());
            }
            let stop = self.patience.stop;
            if stopped.is_some_and(|since| since.elapsed() > stop) {
                return Err(self
                    .player
                    .give_up(&format!("does not stop within {stop:.1?}")));
            }
            let Some(line) = self.player.receive(TICK)? else {
                continue;
            };
            match Answer::read(&line, self.position()) {
                Answer::Thinking(thinking) => self.take(thinking),
                Answer::Move(word) => return self.take_move(word),
                Answer::OffersDraw => self.result.wish = Wish::Draw,
                Answer::Resigns => {
                    self.result.wish = Wish::Resign;
                    return Ok(());
                }
                Answer::Result(winner) => {
                    if self.claims(winner)? {
                        return Ok(());
                    }
                }
                Answer::Refuses => return Err(self.refusal(&line)),
                Answer::Pong(_) | Answer::Other => {}
            }
        }
    }

    fn refusal(&self, line: &str) -> anyhow::Error {
        let name = self.player.name.clone();
        let answer = crate::text::printable(line);
        LastingError::Refusal { name, answer }.into()
    }

    /// Takes the move of the engine.
    fn take_move(&mut self, word: &str) -> anyhow::Result<()> {
        let Some(best) = read_move(word, self.position()) else {
            let (name, word) = (self.player.name.clone(), word.to_owned());
            return Err(LastingError::IllegalMove { name, word }.into());
        };
        if self.result.pv.first() != Some(&best) {
            self.result.pv = vec![best];
        }
        self.result.best = Some(best);
        self.result.depth = self.result.depth.max(1);
        let mut game = self.game.clone();
        if game.play(best).is_ok() && !self.has_claimed {
            self.player.board = Board::Playing(Box::new(game));
        }
        Ok(())
    }

    /// The engine holds the game to be over before its move. True if it can be: it has lost, or there is a
    /// draw to claim or to accept. If not, it has to find a move without the history of the game.
    fn claims(&mut self, winner: Option<Color>) -> anyhow::Result<bool> {
        let turn = self.position().turn();
        match winner {
            Some(color) if color != turn => self.result.wish = Wish::Resign,
            None if self.game.draw().is_some() || self.player.is_draw_offered => {
                self.result.wish = Wish::Draw;
            }
            _ if self.has_claimed => {
                return Err(self.refusal("the game, which it holds to be over"));
            }
            _ => {
                self.has_claimed = true;
                self.player.board = Board::Unknown;
                self.player.set_up(&Game::new(*self.position()))?;
                self.player.synchronise(self.patience.stop)?;
                self.player.go(self.game, self.effort)?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes a line of thinking output, and reports it.
    fn take(&mut self, mut thinking: Thinking) {
        let is_white_view = self.player.point_of_view == PointOfView::White;
        if is_white_view && self.position().turn() == Color::Black {
            thinking.score = -thinking.score;
        }
        // Some engines have no command for the depth.
        if self
            .limits
            .depth
            .is_some_and(|depth| thinking.depth > depth)
        {
            self.is_sufficient = true;
            return;
        }
        self.result.nodes = thinking.nodes.max(self.result.nodes);
        // Crafty reports a move that is not searched yet with a score out of all bounds.
        let is_bound = thinking.pv.len() == 1
            && thinking.score.ce().abs() == Score::ORDINARY_LIMIT
            && self.result.depth > 0;
        if thinking.pv.is_empty() || is_bound {
            return;
        }
        let progress = Progress {
            depth: thinking.depth,
            rank: 1,
            selective_depth: 0,
            score: thinking.score,
            is_lower_bound: false,
            pv: &thinking.pv,
            nodes: self.result.nodes,
            time: self.started.elapsed(),
            table_permille: 0,
            tablebase_hits: 0,
        };
        (self.observer)(&progress);
        let Limits {
            soft_time,
            soft_nodes,
            ..
        } = self.limits;
        self.is_sufficient |= soft_time.is_some_and(|soft| progress.time >= soft)
            || soft_nodes.is_some_and(|soft| self.result.nodes >= soft);
        self.result.score = thinking.score;
        self.result.depth = thinking.depth as u64;
        self.result.pv = thinking.pv;
    }

    /// Analyses without a move at the end: the best is the first of the last line. An engine that has no line
    /// at the end of the time gets some more.
    fn analyse(&mut self) -> anyhow::Result<()> {
        self.player.set_up(self.game)?;
        self.player.send("analyze")?;
        // Time is measured here, and not by the engine's own clock.
        let time = self.limits.hard_time;
        let last = time.map(|time| time + self.patience.stop);
        self.patience.search = time;
        while !self.must_stop() || self.result.pv.is_empty() {
            if last.is_some_and(|last| self.started.elapsed() > last) {
                let why = format!("has found no line within {:.1?}", last.unwrap_or_default());
                return Err(self.player.give_up(&why));
            }
            let Some(line) = self.player.receive(TICK)? else {
                continue;
            };
            match Answer::read(&line, self.position()) {
                Answer::Thinking(thinking) => self.take(thinking),
                Answer::Refuses => return Err(self.refusal(&line)),
                _ => {}
            }
        }
        self.result.time = self.started.elapsed();
        self.result.best = self.result.pv.first().copied();
        self.player.send("exit")?;
        self.player.synchronise(START_PATIENCE)
    }
}
