//! What tests compare: all that the journal restores.

use std::fmt::Write as _;

use movegen::Color;

use crate::core::event::ledger::Ledger;

impl Ledger {
    /// The numbers of the finished games.
    pub(in crate::core::event) fn finished_numbers(&self) -> Vec<usize> {
        self.results.finished().keys().copied().collect()
    }

    /// All that the journal is to restore, as text.
    pub(in crate::core::event) fn snapshot(&self) -> String {
        let mut text = format!("{:?} {:?}", self.names, self.results.finished());
        let _ = write!(
            text,
            "\n{:?} {:?} {:?} {:?} {:?}",
            self.config.players, self.replaced, self.paused, self.held, self.out
        );
        for (number, game) in &self.running {
            let referee = &game.referee;
            let _ = write!(
                text,
                "\n{number} {} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
                game.date,
                game.conditions,
                referee.game().moves(),
                referee.clock().used(),
                [Color::White, Color::Black].map(|color| referee.clock().remaining(color)),
                [Color::White, Color::Black].map(|color| referee.tags(color)),
                referee.decided(),
                game.plies,
                game.extensions,
            );
        }
        let _ = write!(text, "\n{} {}", self.results.test_snapshot(), self.next);
        let _ = write!(
            text,
            "\n{:?} {:?}",
            self.results.meetings(),
            self.results.ratings()
        );
        text
    }
}
