//! What waits for the observer, and which observer there is.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use epd::protocol::Command;
use tokio::sync::oneshot;

use crate::core::event::{Effect, LinkId};
use crate::core::replication::Replication;
use crate::io::message::Answer;

/// An observer that is connected.
pub(super) struct Observer {
    pub link: LinkId,
    pub beat: Duration,
    pub next_beat: Instant,
    /// It has got the files and the beginning of the journal.
    pub is_fed: bool,
    /// What has been written to the journal before it got the beginning.
    pub recent: String,
}

/// An effect that waits for the observer.
pub(super) struct Held {
    /// The length of the journal when it came up.
    pub after: u64,
    pub effect: Effect,
    /// Whoever waits for the answer, if it is one.
    pub asker: Option<oneshot::Sender<Answer>>,
}

/// What there is to know of the observer and of what waits for it.
pub(super) struct Replicator {
    pub state: Replication,
    pub observer: Option<Observer>,
    pub held: VecDeque<Held>,
    /// When players are told again why nothing happens.
    pub next_notice: Instant,
}

impl Replicator {
    pub fn new(state: Replication, now: Instant) -> Self {
        Self {
            state,
            observer: None,
            held: VecDeque::new(),
            next_notice: now,
        }
    }

    /// Whether a connection is that of the observer.
    pub fn is_observer(&self, link: LinkId) -> bool {
        let observer = self.observer.as_ref();
        observer.is_some_and(|observer| observer.link == link)
    }

    /// All games stop: who would have been asked for a move is asked when they go on.
    pub fn drop_questions(&mut self) {
        self.held.retain(|held| match &held.effect {
            Effect::Send { command, .. } => !matches!(**command, Command::Respond(_)),
            _ => true,
        });
    }

    /// A connection has been closed.
    pub fn closed(&mut self, link: LinkId) {
        if self.is_observer(link) {
            self.observer = None;
        }
    }

    /// When there is something to do.
    pub fn deadline(&self) -> Option<Instant> {
        let beat = self.observer.as_ref().map(|observer| observer.next_beat);
        let notice = Some(self.next_notice).filter(|_| self.state.stands_still());
        let all = [beat, self.state.deadline(), notice];
        all.into_iter().flatten().min()
    }

    /// Whether anything waits for the observer.
    pub fn holds(&self) -> bool {
        !self.held.is_empty()
    }

    /// Whether an effect has to wait. Those that no player can notice do not, nor does what is about the
    /// connection of a stranger.
    pub fn must_hold(&self, effect: &Effect, is_player: impl Fn(LinkId) -> bool) -> bool {
        if self.held.is_empty() && !self.state.holds() {
            return false;
        }
        match effect {
            // The arbiter's own screen shows things at once.
            Effect::Say(_) | Effect::Log(..) | Effect::Observe(..) => false,
            Effect::Name(link, _) | Effect::Close(link) | Effect::Send { link, .. } => {
                !self.is_observer(*link)
                    && (is_player(*link) || matches!(effect, Effect::Name(..)) || self.waits(*link))
            }
            _ => true,
        }
    }

    /// Whether something for a connection waits.
    pub fn waits(&self, link: LinkId) -> bool {
        self.held.iter().any(|held| match &held.effect {
            Effect::Name(other, _) | Effect::Close(other) | Effect::Send { link: other, .. } => {
                *other == link
            }
            _ => false,
        })
    }
}
