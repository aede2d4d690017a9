//! A limit on how often something is logged.

use std::time::{Duration, Instant};

/// At most so many in a second; the rest is counted.
#[derive(Clone, Debug)]
pub struct Quota {
    limit: u32,
    since: Instant,
    used: u32,
    /// How many were over the limit since the last report.
    over: u64,
}

impl Quota {
    /// Allows `limit` a second.
    pub const fn new(limit: u32, now: Instant) -> Self {
        Self {
            limit,
            since: now,
            used: 0,
            over: 0,
        }
    }

    /// Whether one more is within the limit.
    pub fn take(&mut self, now: Instant) -> bool {
        if now.saturating_duration_since(self.since) >= Duration::from_secs(1) {
            (self.since, self.used) = (now, 0);
        }
        let is_within = self.used < self.limit;
        if is_within {
            self.used += 1;
        } else {
            self.over += 1;
        }
        is_within
    }

    /// How many were over the limit, to be reported once their second is over.
    pub fn take_over(&mut self, now: Instant) -> Option<u64> {
        let is_due = self.deadline().is_some_and(|deadline| deadline <= now);
        is_due.then(|| std::mem::take(&mut self.over))
    }

    /// When [`Quota::take_over`] has something to report.
    pub fn deadline(&self) -> Option<Instant> {
        (self.over > 0).then(|| self.since + Duration::from_secs(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_the_limit_is_counted() {
        let begin = Instant::now();
        let mut quota = Quota::new(2, begin);
        let taken: Vec<_> = (0..5).map(|_| quota.take(begin)).collect();
        assert_eq!(taken, [true, true, false, false, false]);
        let second = Duration::from_secs(1);
        assert_eq!(quota.deadline(), Some(begin + second));
        assert_eq!(quota.take_over(begin + second / 2), None);
        assert_eq!(quota.take_over(begin + second), Some(3));
        assert_eq!((quota.deadline(), quota.take(begin + second)), (None, true));
    }
}
