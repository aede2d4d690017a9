//! The game: its position, the moves of both sides, draws and resignations.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use engine::Score;
use movegen::{CastlingMode, Color, Game, Move};

use super::command::Fault;
use super::report::result;
use super::{Aim, Role, Session};
use crate::engines::{move_text, read_move};
use crate::io::interface::print;
use crate::think::job::Job;
use crate::uci::position::read_fen;

/// Resign after this many moves in a row with a hopeless score.
const RESIGN_MOVES: u32 = 3;

impl Session {
    pub(super) fn start_game(&mut self) {
        self.stop();
        self.game = Game::default();
        self.mode = CastlingMode::Standard;
        self.role = Role::Player(Color::Black);
        self.clocks.start_game();
        self.is_draw_offered = false;
        (self.score, self.hopeless) = (None, 0);
        self.send(Job::Clear);
    }

    pub(super) fn set_variant(&mut self, name: &str) -> Result<(), Fault> {
        self.mode = match name {
            "normal" => CastlingMode::Standard,
            "fischerandom" => CastlingMode::Chess960,
            _ => return Err(Fault("unknown variant")),
        };
        Ok(())
    }

    pub(super) fn set_board(&mut self, fen: &str) {
        self.stop();
        match read_fen(fen, self.mode) {
            Ok(position) => {
                self.game = Game::new(position);
                self.think();
            }
            Err(why) => print(&format!("tellusererror Illegal position: {why}")),
        }
    }

    pub(super) fn undo(&mut self, moves: usize) -> Result<(), Fault> {
        let Some(left) = self.game.moves().len().checked_sub(moves) else {
            return Err(Fault("no move to undo"));
        };
        self.stop();
        let mut game = Game::new(*self.game.start());
        for &mv in &self.game.moves()[..left] {
            // It was legal before.
            let _ = game.play(mv);
        }
        self.game = game;
        if self.role == Role::Analyst {
            self.think();
        }
        Ok(())
    }

    /// Leaves `force` mode.
    pub(super) fn play(&mut self, side: Color) {
        self.stop();
        self.role = Role::Player(side);
        self.think();
    }

    /// Plays a move of the opponent, or one in `force` mode.
    pub(super) fn take_move(&mut self, text: &str) {
        let turn = self.game.position().turn();
        let is_thinking = matches!(&self.search, Some(search) if search.aim == Aim::Move);
        let found = read_move(text, self.game.position());
        let why = match found {
            _ if is_thinking || self.role == Role::Player(turn) => "it is the engine's turn",
            _ if self.game.position().count_moves() == 0 => "the game is over",
            None => "not a legal move",
            Some(mv) => {
                let _ = self.game.play(mv);
                return self.go_on(mv);
            }
        };
        print(&format!("Illegal move ({why}): {text}"));
    }

    /// Thinks about the position after a move of the opponent.
    fn go_on(&mut self, mv: Move) {
        if let Some(search) = &mut self.search
            && search.aim == Aim::Ponder(mv)
        {
            search.aim = Aim::Move;
            search.started = Instant::now();
            search.signals.pondering.store(false, Relaxed);
            return;
        }
        self.stop();
        if matches!(self.role, Role::Player(_))
            && let Some(result) = result(&self.game)
        {
            print(result);
            return;
        }
        self.think();
    }

    pub(super) fn make_move(&mut self, best: Move, reply: Option<Move>) {
        if std::mem::take(&mut self.is_draw_offered) {
            self.consider_draw();
        }
        let position = *self.game.position();
        let text = move_text(&position, best, self.mode, false);
        let _ = self.game.play(best);
        print(&format!("move {text}"));
        if let Some(result) = result(&self.game) {
            print(result);
            return;
        }
        if let Some(reply) = reply.filter(|_| self.ponders) {
            let mut expected = self.game.clone();
            if expected.play(reply).is_ok() && expected.position().count_moves() > 0 {
                let limits = self.clocks.limits(&expected, self.options.overhead);
                self.start(Aim::Ponder(reply), expected, limits);
            }
        }
    }

    /// Whether to resign instead of moving; only if an option asks for it.
    pub(super) fn resigns(&mut self, score: Score) -> bool {
        let is_hopeless = self.options.resign_score > 0 && score.ce() <= -self.options.resign_score;
        self.hopeless = if is_hopeless { self.hopeless + 1 } else { 0 };
        self.hopeless >= RESIGN_MOVES
    }

    /// Accepts a draw if the last score was not above zero. While the engine thinks, it answers with its move.
    pub(super) fn consider_draw(&mut self) {
        let is_thinking = matches!(&self.search, Some(search) if search.aim == Aim::Move);
        if is_thinking {
            self.is_draw_offered = true;
        } else if self.score.is_some_and(|score| score <= Score::DRAW) {
            print("offer draw");
        }
    }
}
