//! How far a schedule has grown.

use crate::core::journal::Entry;
use crate::core::schedule::Meeting;

/// How far a schedule has grown.
#[derive(Clone, Debug)]
pub(super) struct Growth {
    /// The openings in the order in which they are played.
    pub(super) draw: Vec<usize>,
    /// No more games are paired.
    pub(super) is_complete: bool,
    /// Something has happened since it was last looked who can be paired.
    pub(super) has_news: bool,
    /// The first round is paired although places are vacant.
    pub(super) has_begun: bool,
    /// The boards of the journal's last round, while it has not been read to its end.
    pub(super) boards: Vec<Meeting>,
}

impl Growth {
    pub(super) const fn new(draw: Vec<usize>) -> Self {
        Self {
            draw,
            is_complete: false,
            has_news: true,
            has_begun: false,
            boards: Vec::new(),
        }
    }

    pub(super) fn at_the_beginning(&self) -> Self {
        Self::new(self.draw.clone())
    }

    /// Something has happened that may let players be paired.
    pub(super) const fn look_again(&mut self) {
        self.has_news = true;
    }

    /// A result was withdrawn.
    pub(super) const fn reopen(&mut self) {
        (self.is_complete, self.has_news) = (false, true);
    }

    /// The first round is paired although places are vacant.
    pub(super) const fn begin(&mut self) {
        (self.has_begun, self.has_news) = (true, true);
    }
}

/// What was paired.
#[derive(Clone, Debug, PartialEq)]
pub enum Paired {
    /// These players meet. The entries are for the journal.
    Meetings(Vec<Meeting>, Vec<Entry>),
    /// The event ends before its last round, for this reason.
    EndsEarly(String),
}
