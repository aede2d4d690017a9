//! Searches: for a move, for analysis, and on the opponent's time.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use engine::{Limits, RootMove, Score, Signals};
use movegen::{Game, Move, San};

use super::output::complain;
use super::report::{Line, Messenger, result};
use super::{Aim, Role, Search, Session};
use crate::io::interface::print;
use crate::think::job::{Job, Task};

impl Session {
    /// Starts a search if the engine is to move or analyses. If the game is over, prints the result instead.
    pub(super) fn think(&mut self) {
        if self.game.position().count_moves() == 0 {
            if let (Role::Player(_), Some(result)) = (self.role, result(&self.game)) {
                print(result);
            }
            return;
        }
        let turn = self.game.position().turn();
        let (aim, limits) = match self.role {
            Role::Player(side) if side == turn => {
                if self.moves_from_book() {
                    return;
                }
                let limits = self.clocks.limits(&self.game, self.options.overhead);
                (Aim::Move, limits)
            }
            Role::Analyst => (Aim::Analysis, Limits::default()),
            Role::Player(_) | Role::Referee => return,
        };
        self.start(aim, self.game.clone(), limits);
    }

    /// Plays a move of the opening book; false if it has none.
    fn moves_from_book(&mut self) -> bool {
        match self.options.book.choose(&self.game) {
            Ok(None) => false,
            Err(why) => {
                complain(&why);
                false
            }
            Ok(Some(chosen)) => {
                complain(&chosen.in_mode(&self.game, self.mode).to_string());
                self.clocks.spend(Duration::ZERO);
                self.make_move(chosen.book_move.mv, None);
                true
            }
        }
    }

    pub(super) fn start(&mut self, aim: Aim, game: Game, limits: Limits) {
        self.searches += 1;
        let signals = Arc::new(Signals::default());
        signals
            .pondering
            .store(matches!(aim, Aim::Ponder(_)), Relaxed);
        self.search = Some(Search {
            number: self.searches,
            aim,
            started: Instant::now(),
            signals: Arc::clone(&signals),
            last: Line::default(),
        });
        let reporter = Box::new(Messenger {
            number: self.searches,
            root: *game.position(),
            events: self.events.clone(),
        });
        self.send(Job::Think(Box::new(Task {
            game,
            limits,
            mate: None,
            moves: Vec::new(),
            is_infinite: aim == Aim::Analysis,
            strength: self.options.strength().filter(|_| aim != Aim::Analysis),
            signals,
            reporter,
        })));
    }

    /// Ends the search, whose result is not wanted any more.
    pub(super) fn stop(&mut self) {
        if let Some(search) = self.search.take() {
            search.signals.stop.store(true, Relaxed);
            search.signals.pondering.store(false, Relaxed);
        }
        self.answer_pings();
    }

    pub(super) fn stop_pondering(&mut self) {
        if matches!(&self.search, Some(search) if matches!(search.aim, Aim::Ponder(_))) {
            self.stop();
        }
    }

    /// Ends a search for a move; false if there is none.
    pub(super) fn move_now(&self) -> bool {
        let search = self.search.as_ref();
        let Some(search) = search.filter(|search| search.aim == Aim::Move) else {
            return false;
        };
        search.signals.stop.store(true, Relaxed);
        true
    }

    pub(super) fn show(&mut self, number: u64, line: Line) {
        if let Some(search) = &mut self.search
            && search.number == number
        {
            let is_shown = self.posts && !matches!(search.aim, Aim::Ponder(_));
            if is_shown || search.aim == Aim::Analysis {
                print(&line.text);
            }
            search.last = line;
        }
    }

    /// `stat01: time nodes ply mvleft mvtotal mvname`
    pub(super) fn tell_status(&self) {
        if let Some(search) = &self.search
            && search.aim == Aim::Analysis
        {
            let last = &search.last;
            let time = search.started.elapsed().as_millis() / 10;
            let position = self.game.position();
            let moves = position.count_moves();
            let (depth, left, present) = match search.signals.root_move() {
                Some(RootMove { mv, number, depth }) => {
                    let left = moves.saturating_sub(number as u64);
                    (depth, left, San::of(position, mv).to_string())
                }
                None => (last.depth, 0, last.best.clone()),
            };
            let nodes = last.nodes;
            print(&format!(
                "stat01: {time} {nodes} {depth} {left} {moves} {present}"
            ));
        }
    }

    /// Takes the result of a search.
    pub(super) fn answer(
        &mut self,
        number: u64,
        best: Option<Move>,
        reply: Option<Move>,
        score: Score,
    ) {
        let is_wanted = |search: &Search| search.number == number && search.aim == Aim::Move;
        if !self.search.as_ref().is_some_and(is_wanted) {
            return;
        }
        if let Some(search) = self.search.take() {
            self.clocks.spend(search.started.elapsed());
        }
        self.score = Some(score);
        match best {
            Some(_) if self.resigns(score) => {
                print("resign");
                self.role = Role::Referee;
            }
            Some(best) => self.make_move(best, reply),
            None => {}
        }
        self.answer_pings();
    }
}
