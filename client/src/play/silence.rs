//! How long a referee may be silent until the connection to it counts as dead (decision 10).

use std::time::{Duration, Instant};

/// A connection on which so many pings should have come, and nothing has, is dead.
const MISSED_PINGS: u32 = 3;
/// A wait that ends so much too late was no wait: this program, or the machine, was suspended.
const SUSPENDED: Duration = Duration::from_secs(1);

/// What is known of the referee's habits.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// How long it may take to answer the sign-on, if there is a limit.
    pub sign_on: Option<Duration>,
    /// The time between two of its pings, if it sends any and we would come back.
    pub ping: Option<Duration>,
}

/// Since when the referee has sent nothing on a connection.
#[derive(Clone, Copy, Debug)]
pub struct Silence {
    since: Instant,
    /// It has never sent anything on it.
    is_first: bool,
}

impl Silence {
    /// A new connection.
    pub const fn new(now: Instant) -> Self {
        Self {
            since: now,
            is_first: true,
        }
    }

    /// The referee has sent something.
    pub const fn end(&mut self, now: Instant) {
        self.since = now;
        self.is_first = false;
    }

    /// How long it may last in all.
    fn limit(&self, patience: Patience) -> Option<Duration> {
        if self.is_first {
            patience.sign_on
        } else {
            patience.ping.map(|ping| ping * MISSED_PINGS)
        }
    }

    /// When it has lasted too long, unless there is no limit.
    pub fn deadline(&self, patience: Patience) -> Option<Instant> {
        self.limit(patience).map(|limit| self.since + limit)
    }

    /// What to tell the user if it has lasted too long. After a suspension, what the referee has sent in
    /// the meantime is yet to be read: the silence begins anew.
    pub fn complaint(&mut self, patience: Patience, now: Instant) -> Option<String> {
        let limit = self.limit(patience)?;
        let over = now.checked_duration_since(self.since + limit)?;
        if over > SUSPENDED {
            self.since = now;
            return None;
        }
        let what = if self.is_first {
            "the referee does not answer the sign-on: nothing"
        } else {
            "nothing"
        };
        Some(format!("{what} has come for {limit:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silences() {
        let begin = Instant::now();
        let after = |seconds: f64| begin + Duration::from_secs_f64(seconds);
        let patience = Patience {
            sign_on: Some(Duration::from_secs(30)),
            ping: Some(Duration::from_secs(5)),
        };
        let mut silence = Silence::new(begin);
        assert_eq!(silence.deadline(patience), Some(after(30.0)));
        assert_eq!(silence.complaint(patience, after(29.9)), None);
        let told = "the referee does not answer the sign-on: nothing has come for 30s";
        assert_eq!(
            silence.complaint(patience, after(30.0)).as_deref(),
            Some(told)
        );
        silence.end(after(10.0));
        assert_eq!(silence.deadline(patience), Some(after(25.0)));
        let told = "nothing has come for 15s";
        assert_eq!(
            silence.complaint(patience, after(25.9)).as_deref(),
            Some(told)
        );
        // Suspended for a minute.
        assert_eq!(silence.complaint(patience, after(85.0)), None);
        assert_eq!(silence.deadline(patience), Some(after(100.0)));
        let endless = Patience {
            sign_on: None,
            ping: None,
        };
        assert_eq!(silence.deadline(endless), None);
        assert_eq!(Silence::new(begin).deadline(endless), None);
    }
}
