//! How long the players of a game may take: for a move, for the answer to a mate, and to come back.

use std::time::Instant;

use movegen::{Color, Position};

use super::{GameReferee, Out, Phase};
use crate::core::ending::{Absence, Ending, Reason};

impl GameReferee {
    /// A side is not there. Its time to come back counts from the first call; the last one says why.
    pub fn absent(&mut self, color: Color, absence: Absence, now: Instant) {
        let since = self.absent[color as usize].map_or(now, |(since, _)| since);
        self.absent[color as usize] = Some((since, absence));
    }

    /// A side is connected again and knows all moves; asks it again if it is to move.
    pub fn reconnected(&mut self, color: Color) -> Vec<Out> {
        self.absent[color as usize] = None;
        if self.is_asked(color) {
            self.ask()
        } else {
            Vec::new()
        }
    }

    /// The next instant at which [`GameReferee::tick`] has something to do.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        if self.is_over() {
            return None;
        }
        let reconnect = self
            .absent
            .iter()
            .flatten()
            .map(|&(since, _)| since + self.rules.reconnect_timeout)
            .min();
        let reply = match &self.phase {
            Phase::AwaitingAcknowledgement { until } => Some(*until),
            Phase::Asked { since, .. } => since.map(|since| match self.clock.flag() {
                Some(flag) => flag + self.rules.time_margin,
                None => since + self.rules.move_timeout,
            }),
            Phase::Idle | Phase::Over => None,
        };
        [reconnect, reply].into_iter().flatten().min()
    }

    /// Applies all timeouts that have passed: mate acknowledgement, clock, move and reconnect timeout.
    pub fn tick(&mut self, now: Instant) -> Vec<Out> {
        if let (Phase::AwaitingAcknowledgement { until }, Some(ending)) =
            (&self.phase, self.decided.clone())
            && *until <= now
        {
            return self.finish(&ending);
        }
        if let Some(out) = self.check_time(now) {
            return out;
        }
        let too_late = |absent: Option<(Instant, Absence)>| {
            let (since, absence) = absent?;
            (since + self.rules.reconnect_timeout <= now).then_some(absence)
        };
        let ending = match self.absent.map(too_late) {
            [None, None] => return Vec::new(),
            [Some(absence), None] => Ending::loss(Color::White, Reason::Absent(absence)),
            [None, Some(absence)] => Ending::loss(Color::Black, Reason::Absent(absence)),
            [Some(absence), Some(_)] => Ending::both_absent(absence),
        };
        self.finish(&ending)
    }

    /// Ends the game if the side to move has used up its time (decisions 79 and 80).
    pub(super) fn check_time(&mut self, now: Instant) -> Option<Vec<Out>> {
        let Phase::Asked {
            since: Some(since), ..
        } = self.phase
        else {
            return None;
        };
        let color = self.game.position().turn();
        let ending = match self.clock.flag() {
            Some(flag) if now >= flag + self.rules.time_margin => {
                if has_bare_king(self.game.position(), !color) {
                    Ending::draw(Reason::TimeAgainstBareKing)
                } else {
                    Ending::loss(color, Reason::Time)
                }
            }
            None if now >= since + self.rules.move_timeout => Ending::loss(color, Reason::Stall),
            _ => return None,
        };
        self.clock.charge(now);
        Some(self.finish(&ending))
    }
}

fn has_bare_king(position: &Position, color: Color) -> bool {
    position.color(color).len() == 1
}
