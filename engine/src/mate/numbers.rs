//! Proof and disproof numbers.

/// Lower bounds on the number of leaf nodes that must be decided to decide a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    /// To prove a win of the side to move.
    pub proof: u32,
    /// To disprove it.
    pub disproof: u32,
}

/// Infinity: the number of what is impossible.
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

    /// The numbers of a decided node.
    pub const fn decided(is_won: bool) -> Self {
        if is_won { Self::WON } else { Self::LOST }
    }

    /// Whether the side to move wins; none while that is undecided.
    pub const fn winner(self) -> Option<bool> {
        match (self.proof, self.disproof) {
            (0, _) => Some(true),
            (_, 0) => Some(false),
            _ => None,
        }
    }
}
