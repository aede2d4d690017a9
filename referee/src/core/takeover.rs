//! When an observer takes over.
//!
//! Two machines that lose each other cannot know whether the other one still runs. Which of them goes on is
//! settled in advance, by `when_cut` in the event file:
//!
//! - `observer`: the referee tells its players of nothing that the observer does not have, so the observer
//!   may take over whenever it has heard nothing for `takeover`.
//! - `primary`: the referee goes on alone after `replicas_timeout`. The observer takes over only if the
//!   referee cannot have done so: the first attempt to connect again was refused, because nobody listens
//!   there any more, before that time was over, and so was every other one for `takeover`.
//!
//! Whatever it says, an observer takes over by itself only if its copy was complete when the connection
//! ended, and if nobody stopped the referee on purpose.

use std::time::{Duration, Instant};

use crate::core::config::WhenCut;

/// Why an observer does not take over by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Its copy is not complete.
    Incomplete,
    /// The referee was stopped on purpose.
    Stopped,
    /// The referee may go on alone.
    Cut,
}

impl Doubt {
    /// The same in words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Incomplete => "this copy of the journal is not complete",
            Self::Stopped => "the referee was stopped on purpose",
            Self::Cut => "the referee may still be running, with its players",
        }
    }
}

/// What an observer knows of its referee.
#[derive(Clone, Debug)]
pub struct Watch {
    when_cut: WhenCut,
    takeover: Duration,
    replicas_timeout: Duration,
    /// When something was last heard of the referee.
    heard: Instant,
    is_connected: bool,
    /// Nobody listened at the referee's address at the first attempt after the connection ended, and at all
    /// others.
    is_refused: bool,
    doubt: Option<Doubt>,
}

impl Watch {
    /// An observer that has not heard of its referee yet.
    #[must_use]
    pub const fn new(
        when_cut: WhenCut,
        takeover: Duration,
        replicas_timeout: Duration,
        now: Instant,
    ) -> Self {
        Self {
            when_cut,
            takeover,
            replicas_timeout,
            heard: now,
            is_connected: false,
            is_refused: false,
            doubt: Some(Doubt::Incomplete),
        }
    }

    /// Sets what the event file says.
    pub const fn set(&mut self, when_cut: WhenCut, takeover: Duration, replicas_timeout: Duration) {
        self.when_cut = when_cut;
        self.takeover = takeover;
        self.replicas_timeout = replicas_timeout;
    }

    /// How long the referee must be gone.
    #[must_use]
    pub const fn takeover(&self) -> Duration {
        self.takeover
    }

    /// Something was heard of the referee.
    pub const fn hear(&mut self, now: Instant) {
        self.heard = now;
        self.is_connected = true;
        self.is_refused = false;
    }

    /// The copy is complete.
    pub const fn catch_up(&mut self) {
        self.doubt = None;
    }

    /// The copy is begun again, or goes on after a pause.
    pub const fn fall_behind(&mut self) {
        self.doubt = Some(Doubt::Incomplete);
    }

    /// The referee was stopped on purpose.
    pub const fn stop(&mut self) {
        self.doubt = Some(Doubt::Stopped);
    }

    /// The referee has ended the connection, and goes on.
    pub fn dismiss(&mut self) {
        if self.when_cut == WhenCut::Primary {
            self.doubt = self.doubt.or(Some(Doubt::Cut));
        }
    }

    /// The referee has said that it goes on without a copy.
    pub const fn go_alone(&mut self) {
        self.doubt = Some(Doubt::Cut);
    }

    /// The connection has ended without a word.
    pub const fn lose(&mut self) {
        self.is_connected = false;
    }

    /// Nobody listens at the referee's address.
    pub fn refused(&mut self, now: Instant) {
        self.is_connected = false;
        // What is on its way does not count: half of the time is left for it.
        if !self.is_refused && now.saturating_duration_since(self.heard) * 2 > self.replicas_timeout
        {
            self.dismiss();
        }
        self.is_refused = true;
    }

    /// The referee's machine does not answer.
    pub fn unreachable(&mut self) {
        self.is_connected = false;
        self.dismiss();
    }

    /// How long nothing has been heard of the referee.
    #[must_use]
    pub fn silence(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.heard)
    }

    /// Whether the connection is of no use any more: nothing has come for too long.
    #[must_use]
    pub fn is_silent(&self, now: Instant) -> bool {
        self.silence(now) >= self.takeover
    }

    /// Why the observer does not take over by itself, if so.
    #[must_use]
    pub const fn doubt(&self) -> Option<Doubt> {
        self.doubt
    }

    /// Whether the observer takes over now.
    #[must_use]
    pub fn is_due(&self, now: Instant) -> bool {
        self.is_silent(now)
            && self.doubt.is_none()
            && match self.when_cut {
                WhenCut::Observer => true,
                WhenCut::Primary => !self.is_connected && self.is_refused,
            }
    }

    /// Whether the observer takes over at the deadline although nobody has refused a connection.
    #[must_use]
    pub fn is_due_at_deadline(&self) -> bool {
        self.is_due(self.deadline())
    }

    /// When to look again, at the latest.
    #[must_use]
    pub fn deadline(&self) -> Instant {
        self.heard + self.takeover
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn following(when_cut: WhenCut) -> (Watch, Instant) {
        let now = Instant::now();
        let mut watch = Watch::new(when_cut, 5 * SECOND, 2 * SECOND, now);
        assert!(!watch.is_due(now + 9 * SECOND), "no copy");
        watch.hear(now);
        watch.catch_up();
        (watch, now)
    }

    /// The program of the referee is gone, but its machine answers.
    #[test]
    fn nobody_listens_any_more() {
        for when_cut in [WhenCut::Primary, WhenCut::Observer] {
            let (mut watch, now) = following(when_cut);
            watch.lose();
            watch.refused(now + SECOND / 2);
            assert!(!watch.is_due(now + 4 * SECOND));
            watch.refused(now + 4 * SECOND);
            assert_eq!(watch.deadline(), now + 5 * SECOND);
            assert!(watch.is_due(now + 5 * SECOND), "{when_cut:?}");
        }
    }

    #[test]
    fn silence_is_no_proof() {
        for (when_cut, is_due) in [(WhenCut::Primary, false), (WhenCut::Observer, true)] {
            // The connection is open.
            let (watch, now) = following(when_cut);
            assert!(watch.is_silent(now + 5 * SECOND));
            assert_eq!(watch.is_due(now + 5 * SECOND), is_due);
            // One attempt had no answer.
            let (mut watch, now) = following(when_cut);
            watch.lose();
            watch.refused(now);
            watch.unreachable();
            watch.refused(now + SECOND);
            assert_eq!(watch.is_due(now + 9 * SECOND), is_due);
            // The referee had the time to go on alone before it ended.
            let (mut watch, now) = following(when_cut);
            watch.lose();
            watch.refused(now + 3 * SECOND);
            assert_eq!(watch.is_due(now + 9 * SECOND), is_due);
            // It said so.
            let (mut watch, now) = following(when_cut);
            watch.dismiss();
            watch.lose();
            watch.refused(now);
            assert_eq!(watch.is_due(now + 9 * SECOND), is_due);
            // It is all forgotten when the copy is complete again.
            watch.hear(now + 9 * SECOND);
            assert!(watch.doubt().is_none() || when_cut == WhenCut::Primary);
            watch.catch_up();
            watch.lose();
            watch.refused(now + 9 * SECOND);
            assert!(watch.is_due(now + 14 * SECOND));
        }
    }

    #[test]
    fn what_nobody_takes_over() {
        for when_cut in [WhenCut::Primary, WhenCut::Observer] {
            let (mut watch, now) = following(when_cut);
            watch.go_alone();
            watch.refused(now);
            assert!(!watch.is_due(now + 9 * SECOND), "players know more");
            let (mut watch, now) = following(when_cut);
            watch.stop();
            watch.refused(now);
            assert!(!watch.is_due(now + 9 * SECOND), "stopped on purpose");
            assert_eq!(watch.doubt(), Some(Doubt::Stopped));
            let (mut watch, now) = following(when_cut);
            watch.fall_behind();
            watch.refused(now);
            assert!(!watch.is_due(now + 9 * SECOND), "not complete");
        }
    }
}
