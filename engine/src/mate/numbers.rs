//! Proof and disproof numbers.

/// How much is to be done, at the least, until a node is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    /// Until it is won for its side to move.
    pub proof: u32,
    /// Until it is lost.
    pub disproof: u32,
}

/// What is never done.
pub(super) const NEVER: u32 = 1 << 30;

impl Numbers {
    pub const UNKNOWN: Self = Self {
        proof: 1,
        disproof: 1,
    };
    pub const WON: Self = Self {
        proof: 0,
        disproof: NEVER,
    };
    pub const LOST: Self = Self {
        proof: NEVER,
        disproof: 0,
    };

    /// Won or lost.
    pub const fn decided(is_won: bool) -> Self {
        if is_won { Self::WON } else { Self::LOST }
    }

    /// Whether it is the side to move that wins; none while it is undecided.
    pub const fn winner(self) -> Option<bool> {
        match (self.proof, self.disproof) {
            (0, _) => Some(true),
            (_, 0) => Some(false),
            _ => None,
        }
    }
}
