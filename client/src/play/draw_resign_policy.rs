//! When a player resigns, and when it offers, accepts and claims draws.

/// A score limit, to be met for a number of moves in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streak {
    /// Centipawns.
    pub score: i32,
    /// Moves.
    pub moves: u32,
}

/// The policy and its state; scores are in centipawns from the player's point of view.
#[derive(Clone, Debug, Default)]
pub struct DrawResignPolicy {
    /// Resigns after so many moves at this score or below; never if none.
    resign: Option<Streak>,
    /// Offers a draw after so many moves within this score of equality; never if none.
    offer: Option<Streak>,
    /// The plies before which no draw is offered.
    offer_after: usize,
    /// How far below zero the score must be for a draw to be accepted or claimed.
    contempt: i32,
    lost_moves: u32,
    level_moves: u32,
}

impl DrawResignPolicy {
    pub fn new(
        resign: Option<Streak>,
        offer: Option<Streak>,
        offer_after: usize,
        contempt: i32,
    ) -> Self {
        Self {
            resign,
            offer,
            offer_after,
            contempt,
            ..Self::default()
        }
    }

    /// Resets the counts of moves, for a new game.
    pub const fn forget_moves(&mut self) {
        self.lost_moves = 0;
        self.level_moves = 0;
    }

    /// Whether to resign now; to be called once per move.
    pub fn resigns(&mut self, score: i32) -> bool {
        let Some(streak) = self.resign else {
            return false;
        };
        let lost = score <= streak.score;
        self.lost_moves = if lost { self.lost_moves + 1 } else { 0 };
        self.lost_moves >= streak.moves
    }

    /// Whether a draw is good enough.
    pub const fn accepts_draw(&self, score: i32) -> bool {
        score <= -self.contempt
    }

    /// Whether to offer a draw with this move; to be called once per move.
    pub fn offers_draw(&mut self, score: i32, plies: usize) -> bool {
        let Some(streak) = self.offer else {
            return false;
        };
        let level = score.abs() <= streak.score;
        self.level_moves = if level { self.level_moves + 1 } else { 0 };
        let offers = self.level_moves >= streak.moves && plies >= self.offer_after;
        if offers {
            // Do not repeat the offer with every move.
            self.level_moves = 0;
        }
        offers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_resigns_unless_told_to() {
        let mut policy = DrawResignPolicy::default();
        assert!(!(0..100).any(|_| policy.resigns(-30_000)));
        let streak = Streak {
            score: -500,
            moves: 3,
        };
        let mut policy = DrawResignPolicy::new(Some(streak), None, 0, 0);
        let scores = [-600, -600, -499, -500, -700, -501];
        let resigns: Vec<_> = scores
            .into_iter()
            .map(|score| policy.resigns(score))
            .collect();
        assert_eq!(resigns, [false, false, false, false, false, true]);
    }

    #[test]
    fn draws_are_offered_when_nothing_happens() {
        let streak = Streak {
            score: 10,
            moves: 2,
        };
        let mut policy = DrawResignPolicy::new(None, Some(streak), 4, 0);
        let offers: Vec<_> = (0..9).map(|ply| policy.offers_draw(-10, ply)).collect();
        assert_eq!(
            offers,
            [false, false, false, false, true, false, true, false, true]
        );
        assert!(!DrawResignPolicy::default().offers_draw(0, 100));
    }

    #[test]
    fn contempt_refuses_draws() {
        let policy = DrawResignPolicy::new(None, None, 0, 20);
        assert_eq!(
            [-30, -20, -19, 0, 50].map(|score| policy.accepts_draw(score)),
            [true, true, false, false, false]
        );
        assert!(DrawResignPolicy::default().accepts_draw(0));
    }
}
