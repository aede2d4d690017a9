//! A player's seat: whether its player is connected, in a game, or free for one.

use std::time::{Duration, Instant};

use movegen::Position;

/// How far a player has been informed of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatState {
    /// It has been sent a reset command, or is not connected.
    Reset,
    /// It knows the tags and all moves.
    Playing,
}

/// What the server knows of a player.
#[derive(Clone, Copy, Debug)]
pub struct Seat {
    /// Its connection, if it is connected.
    pub connection: Option<u64>,
    /// The number of the game that it plays.
    pub game: Option<usize>,
    /// How far it has been informed of that game.
    pub state: SeatState,
    /// The end of the pause after a reset or a conclude command (decision 28).
    pub ready: Instant,
    /// Its process, which the referee started, has ended.
    pub has_exited: bool,
    /// The time between reading its last reply and handling it.
    pub lag: Duration,
    /// The position of the respond command that it has not answered yet.
    pub asked: Option<Position>,
    /// A position of a finished game, to which a late reply may still arrive (decision 8).
    pub stale: Option<Position>,
    /// Since when it has been disconnected.
    pub absent_since: Option<Instant>,
}

impl Seat {
    /// A player that has not connected yet.
    pub const fn new(now: Instant) -> Self {
        Self {
            connection: None,
            game: None,
            state: SeatState::Reset,
            ready: now,
            has_exited: false,
            lag: Duration::ZERO,
            asked: None,
            stale: None,
            absent_since: None,
        }
    }

    /// Whether a game can be started with this player. A player whose process has ended forfeits it; one
    /// that has been absent for the reconnect timeout has that time again in its next game
    /// (decision 22).
    pub fn is_free(&self, now: Instant, reconnect_timeout: Duration) -> bool {
        self.game.is_none()
            && match self.connection {
                Some(_) => self.ready <= now,
                None => {
                    self.has_exited
                        || self
                            .absent_since
                            .is_some_and(|since| since + reconnect_timeout <= now)
                }
            }
    }

    /// Whether it is not connected and its process has ended, so that it cannot reconnect.
    pub const fn is_gone_for_good(&self) -> bool {
        self.has_exited && self.connection.is_none()
    }

    /// The next instant at which it becomes ready for something.
    pub fn deadline(&self, now: Instant, reconnect_timeout: Duration) -> Option<Instant> {
        let absent = self.absent_since.filter(|_| self.game.is_none());
        let deadlines = [
            Some(self.ready),
            absent.map(|since| since + reconnect_timeout),
        ];
        deadlines
            .into_iter()
            .flatten()
            .filter(|&deadline| deadline > now)
            .min()
    }

    /// Whether the player is connected and fully informed of this game.
    pub fn is_playing(&self, number: usize) -> bool {
        self.game == Some(number) && self.state == SeatState::Playing && self.connection.is_some()
    }

    /// Ends the player's part in its game; it is free again from `ready` on.
    pub fn leave_game(&mut self, ready: Instant) {
        self.game = None;
        self.state = SeatState::Reset;
        self.ready = ready;
        self.stale = self.asked.take().or(self.stale);
    }
}
