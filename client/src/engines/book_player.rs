//! A player that plays from an opening book as long as it has moves, and then lets an engine think.

use engine::{Progress, Score, Signals};
use movegen::Game;

use super::opening_book::OpeningBook;
use super::player::{Effort, Player, SearchResult};

/// An engine with an opening book.
pub struct BookPlayer<T> {
    player: Box<dyn Player>,
    book: OpeningBook,
    /// Tells the user which moves come from the book.
    tell: T,
    /// The opponent offers a draw, which only the engine can judge.
    is_draw_offered: bool,
}

impl<T: FnMut(String) + Send> BookPlayer<T> {
    pub fn new(player: Box<dyn Player>, book: OpeningBook, tell: T) -> Self {
        Self {
            player,
            book,
            tell,
            is_draw_offered: false,
        }
    }
}

impl<T: FnMut(String) + Send> Player for BookPlayer<T> {
    fn name(&self) -> &str {
        self.player.name()
    }

    fn new_game(&mut self) -> anyhow::Result<()> {
        self.is_draw_offered = false;
        self.player.new_game()
    }

    fn offer_draw(&mut self) -> anyhow::Result<()> {
        self.is_draw_offered = true;
        self.player.offer_draw()
    }

    fn set_lines(&mut self, lines: usize) -> anyhow::Result<()> {
        self.player.set_lines(lines)
    }

    fn think(
        &mut self,
        game: &Game,
        effort: &Effort,
        signals: &Signals,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> anyhow::Result<SearchResult> {
        let is_draw_offered = std::mem::take(&mut self.is_draw_offered);
        if *effort != Effort::Endless && !is_draw_offered {
            match self.book.choose(game) {
                Ok(Some(chosen)) => {
                    (self.tell)(chosen.to_string());
                    let best = chosen.book_move.mv;
                    // A depth of 0: this is no analysis.
                    return Ok(SearchResult {
                        best: Some(best),
                        pv: vec![best],
                        score: Score::DRAW,
                        ..SearchResult::default()
                    });
                }
                Ok(None) => {}
                Err(error) => (self.tell)(error),
            }
        }
        self.player.think(game, effort, signals, observer)
    }
}
