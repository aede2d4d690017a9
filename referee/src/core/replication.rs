//! Whether a referee may tell its players of what its journal says: with `replicas = 1` only when its
//! observer has a copy.
//!
//! The state is in bytes of the journal. Effects that follow an entry wait until [`Replication::is_settled`]
//! for the length that the journal had then. If the copy does not come within `replicas_timeout`, the
//! referee goes on alone, or stands still with all clocks stopped, as `when_cut` says.

use std::time::{Duration, Instant};

use crate::core::config::{ObserverSettings, WhenCut};

/// What a referee does because of what its observer does not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It goes on without a copy, until an observer has caught up.
    GoAlone,
    /// It stops all games with their clocks.
    StandStill,
    /// It goes on after a standstill.
    GoOn,
}

/// How far a journal and its copy are.
#[derive(Clone, Debug)]
pub struct Replication {
    /// Whether players wait for the copy.
    waits: bool,
    timeout: Duration,
    when_cut: WhenCut,
    /// The length of the journal.
    journal: u64,
    /// How much of it the observer has said that it has.
    copied: u64,
    /// How much the observer must have to be waited for: all that players may have been told before. None once
    /// it has.
    goal: Option<u64>,
    /// Players do not wait for an observer at present.
    is_alone: bool,
    /// When the observer last did what it should, if something is to be copied.
    waiting_since: Option<Instant>,
    stands_still: bool,
}

/// An observer that says that it has what was never written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the observer has {has} bytes of the journal, which has {journal}")]
pub struct TooMuch {
    has: u64,
    journal: u64,
}

impl Replication {
    /// For an event with a journal of this length. A referee that has just taken over `is_alone`.
    #[must_use]
    pub fn new(
        settings: Option<&ObserverSettings>,
        journal: u64,
        is_alone: bool,
        now: Instant,
    ) -> Self {
        let mut replication = Self {
            waits: settings.is_some_and(|settings| settings.replicas > 0),
            timeout: settings.map_or(Duration::ZERO, |settings| settings.replicas_timeout),
            when_cut: settings.map_or(WhenCut::Primary, |settings| settings.when_cut),
            journal,
            copied: 0,
            goal: None,
            is_alone,
            waiting_since: None,
            stands_still: false,
        };
        replication.begin_to_wait(now);
        replication
    }

    fn begin_to_wait(&mut self, now: Instant) {
        if self.holds() {
            self.waiting_since.get_or_insert(now);
        } else {
            self.waiting_since = None;
        }
    }

    /// The journal has grown to this length.
    pub fn journaled(&mut self, length: u64, now: Instant) {
        self.journal = length;
        self.begin_to_wait(now);
    }

    /// An observer is there that has so much of the journal, and that gets the rest.
    pub fn follows(&mut self, from: u64, now: Instant) {
        self.goal = Some(self.journal);
        self.copied = from.min(self.journal);
        self.waiting_since = None;
        self.begin_to_wait(now);
    }

    /// The observer says how much it has. Returns whether its copy has become complete: from now on players are
    /// told of nothing that it does not get.
    pub fn copied(&mut self, length: u64, now: Instant) -> Result<bool, TooMuch> {
        if length > self.journal {
            return Err(TooMuch {
                has: length,
                journal: self.journal,
            });
        }
        if length > self.copied {
            self.copied = length;
            self.waiting_since = None;
        }
        let is_complete = self.goal.is_some_and(|goal| self.copied >= goal);
        if is_complete {
            self.goal = None;
            self.is_alone = false;
        }
        self.begin_to_wait(now);
        Ok(is_complete)
    }

    /// From now on players do not wait for an observer, until one [follows](Self::follows) and has caught up.
    pub const fn go_alone(&mut self) {
        self.is_alone = true;
        self.goal = None;
        self.waiting_since = None;
    }

    /// Whether something that follows the last entry has to wait.
    #[must_use]
    pub const fn holds(&self) -> bool {
        !self.is_settled(self.journal)
    }

    /// Whether players may be told of what the first bytes of the journal say.
    #[must_use]
    pub const fn is_settled(&self, length: u64) -> bool {
        !self.waits || self.is_alone || length <= self.copied
    }

    /// Whether players do not wait for an observer, although they should.
    #[must_use]
    pub const fn is_alone(&self) -> bool {
        self.waits && self.is_alone
    }

    /// Whether all games are stopped.
    #[must_use]
    pub const fn stands_still(&self) -> bool {
        self.stands_still
    }

    /// When [`Replication::decide`] has something to decide.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        let since = self.waiting_since.filter(|_| !self.stands_still)?;
        Some(since + self.timeout)
    }

    /// What is to be done now, if anything.
    pub fn decide(&mut self, now: Instant) -> Option<Decision> {
        if self.stands_still && !self.holds() {
            self.stands_still = false;
            return Some(Decision::GoOn);
        }
        if self.deadline().is_none_or(|deadline| now < deadline) {
            return None;
        }
        Some(match self.when_cut {
            WhenCut::Primary => {
                self.go_alone();
                Decision::GoAlone
            }
            WhenCut::Observer => {
                self.stands_still = true;
                Decision::StandStill
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::secret::Secret;
    use proptest::prelude::*;

    const TIMEOUT: Duration = Duration::from_secs(2);

    fn settings(replicas: usize, when_cut: WhenCut) -> ObserverSettings {
        ObserverSettings {
            token: Secret::of("x"),
            replicas,
            replicas_timeout: TIMEOUT,
            takeover: Duration::from_secs(5),
            when_cut,
        }
    }

    #[test]
    fn a_copy_lets_the_players_go_on() {
        let now = Instant::now();
        let settings = settings(1, WhenCut::Primary);
        let mut replication = Replication::new(Some(&settings), 0, false, now);
        assert!(!replication.holds());
        replication.journaled(100, now);
        assert!(replication.holds() && replication.is_settled(0) && !replication.is_settled(1));
        replication.follows(0, now);
        assert_eq!(replication.copied(60, now), Ok(false));
        assert!(replication.is_settled(60) && !replication.is_settled(61));
        assert_eq!(replication.copied(100, now), Ok(true));
        assert!(!replication.holds() && replication.deadline().is_none());
        let error = replication.copied(101, now).expect_err("too much");
        let why = "the observer has 101 bytes of the journal, which has 100";
        assert_eq!(error.to_string(), why);
    }

    /// Each step of a copy that takes long counts: only an observer that does nothing is given up.
    #[test]
    fn going_on_alone() {
        let begin = Instant::now();
        let settings = settings(1, WhenCut::Primary);
        let mut replication = Replication::new(Some(&settings), 100, false, begin);
        assert_eq!(replication.deadline(), Some(begin + TIMEOUT));
        assert_eq!(replication.copied(50, begin + TIMEOUT / 2), Ok(false));
        assert_eq!(replication.decide(begin + TIMEOUT), None);
        let late = begin + TIMEOUT * 3 / 2;
        assert_eq!(replication.decide(late), Some(Decision::GoAlone));
        assert!(replication.is_alone() && !replication.holds());
        assert_eq!(replication.decide(late + TIMEOUT), None);
        // What the observer that was given up still says does not count.
        assert_eq!(replication.copied(50, late + TIMEOUT), Ok(false));
        assert!(replication.is_alone());
        // An observer that has what was there when it came is waited for, although there is more by now.
        replication.follows(0, late);
        replication.journaled(150, late);
        assert_eq!(replication.copied(99, late), Ok(false));
        assert!(replication.is_alone() && !replication.holds());
        assert_eq!(replication.copied(100, late), Ok(true));
        assert!(!replication.is_alone() && replication.holds());
        assert_eq!(replication.copied(150, late), Ok(false));
        assert!(!replication.holds());
    }

    #[test]
    fn standing_still() {
        let begin = Instant::now();
        let settings = settings(1, WhenCut::Observer);
        let mut replication = Replication::new(Some(&settings), 100, false, begin);
        let late = begin + TIMEOUT;
        assert_eq!(replication.decide(late), Some(Decision::StandStill));
        assert!(replication.stands_still() && replication.deadline().is_none());
        assert_eq!(replication.decide(late + TIMEOUT), None);
        replication.follows(100, late);
        assert_eq!(replication.decide(late), Some(Decision::GoOn));
        assert!(!replication.stands_still() && !replication.holds());
        // The arbiter may order it too; a referee that has taken over begins like that.
        replication.journaled(200, late);
        replication.go_alone();
        assert!(!replication.holds() && replication.deadline().is_none());
        let replication = Replication::new(Some(&settings), 100, true, begin);
        assert!(!replication.holds());
    }

    #[test]
    fn nobody_waits_without_replicas() {
        let now = Instant::now();
        let settings = settings(0, WhenCut::Primary);
        for settings in [None, Some(&settings)] {
            let mut replication = Replication::new(settings, 7, false, now);
            replication.journaled(9, now);
            assert!(!replication.holds() && replication.deadline().is_none());
            assert!(!replication.is_alone());
        }
    }

    #[derive(Clone, Debug)]
    enum Step {
        Write(u64),
        Copy(u64),
        Follow(u64),
        Wait(u64),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            (1..200_u64).prop_map(Step::Write),
            (0..200_u64).prop_map(Step::Copy),
            (0..200_u64).prop_map(Step::Follow),
            (0..3000_u64).prop_map(Step::Wait),
        ]
    }

    proptest! {
        /// With `when_cut = "observer"` nothing is ever settled that no observer has had. With "primary"
        /// nothing waits for longer than the timeout after the last step of the copy.
        #[test]
        fn what_is_settled_is_copied(steps in prop::collection::vec(step(), 1..200), cut in any::<bool>()) {
            let when_cut = if cut { WhenCut::Observer } else { WhenCut::Primary };
            let settings = settings(1, when_cut);
            let mut now = Instant::now();
            let mut replication = Replication::new(Some(&settings), 0, false, now);
            let (mut length, mut most, mut last_step) = (0, 0, now);
            for step in steps {
                match step {
                    Step::Write(bytes) => {
                        if !replication.holds() {
                            last_step = now;
                        }
                        length += bytes;
                        replication.journaled(length, now);
                    }
                    Step::Copy(bytes) => {
                        let has = replication.copied.saturating_add(bytes);
                        let copied = replication.copied(has, now);
                        prop_assert_eq!(copied.is_ok(), has <= length);
                        if copied == Ok(true) {
                            prop_assert!(!replication.is_alone() && !replication.is_settled(has + 1));
                        }
                        if has <= length {
                            most = most.max(has);
                            if bytes > 0 || copied == Ok(true) {
                                last_step = now;
                            }
                        }
                    }
                    Step::Follow(from) => {
                        replication.follows(from, now);
                        most = most.max(from.min(length));
                        last_step = now;
                    }
                    Step::Wait(milliseconds) => now += Duration::from_millis(milliseconds),
                }
                replication.decide(now);
                match when_cut {
                    WhenCut::Observer => {
                        prop_assert!(!replication.is_settled(most + 1));
                        prop_assert!(!replication.stands_still() || replication.holds());
                    }
                    WhenCut::Primary => {
                        prop_assert!(!replication.holds() || now < last_step + TIMEOUT);
                        prop_assert!(!replication.stands_still());
                    }
                }
            }
        }
    }
}
