//! Inconsistencies of an event.

use crate::event::{Colour, Event, Round};

impl Event {
    /// The first inconsistency: no games, the lengths of the lists, a result that the number of games does not allow, or
    /// two players who tell different things of their meeting.
    pub fn check(&self) -> Result<(), Fault> {
        if self.games == 0 {
            return Err(Fault {
                player: 0,
                round: 0,
                kind: FaultKind::NoGames,
            });
        }
        for (player, entry) in self.players.iter().enumerate() {
            let known = entry.rounds.len();
            if known < self.paired || known > self.paired + 1 {
                return Err(Fault {
                    player,
                    round: known,
                    kind: FaultKind::Length {
                        paired: self.paired,
                    },
                });
            }
            if known > self.paired && entry.rounds[self.paired].was_paired() {
                return Err(Fault {
                    player,
                    round: self.paired,
                    kind: FaultKind::AlreadyPaired,
                });
            }
            for (round, did) in entry.rounds.iter().enumerate() {
                if let Some(kind) = self.fault_of(player, round, did) {
                    return Err(Fault {
                        player,
                        round,
                        kind,
                    });
                }
            }
        }
        for group in &self.forbidden {
            if let Some(&player) = group
                .players
                .iter()
                .find(|&&player| player >= self.players.len())
            {
                return Err(Fault {
                    player,
                    round: self.paired,
                    kind: FaultKind::NoSuchPlayer(player),
                });
            }
        }
        Ok(())
    }

    fn fault_of(&self, player: usize, round: usize, did: &Round) -> Option<FaultKind> {
        let opponent = did.opponent()?;
        let Some(other) = self.players.get(opponent) else {
            return Some(FaultKind::NoSuchPlayer(opponent));
        };
        if !self.allows(did) {
            return Some(FaultKind::WrongGames(self.games));
        }
        let agrees = opponent != player
            && other
                .rounds
                .get(round)
                .is_some_and(|reply| reply.opponent() == Some(player) && agree(did, reply));
        (!agrees).then_some(FaultKind::OpponentDisagrees(opponent))
    }
}

impl Event {
    /// Whether a result has as many games with each colour as a meeting can have.
    fn allows(&self, did: &Round) -> bool {
        match did {
            Round::Played { .. } => self.games == 1,
            Round::Match {
                colour,
                white,
                black,
                ..
            } => {
                let (first, second) = match colour {
                    Colour::White => (white, black),
                    Colour::Black => (black, white),
                };
                first.games() <= self.games.div_ceil(2)
                    && second.games() <= self.games / 2
                    && first.games() + second.games() > 0
            }
            _ => true,
        }
    }
}

/// Whether two players tell the same of their meeting.
fn agree(one: &Round, two: &Round) -> bool {
    match (one, two) {
        (Round::Played { colour, .. }, Round::Played { colour: other, .. }) => colour != other,
        (
            Round::Match {
                colour,
                white,
                black,
                ..
            },
            Round::Match {
                colour: other,
                white: other_white,
                black: other_black,
                ..
            },
        ) => {
            colour != other && *white == other_black.reversed() && *black == other_white.reversed()
        }
        (
            Round::Forfeit { won, colour, .. },
            Round::Forfeit {
                won: other_won,
                colour: other,
                ..
            },
        ) => !(*won && *other_won) && (colour.is_none() || other.is_none() || colour != other),
        _ => false,
    }
}

/// An inconsistency of an event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{kind}", .kind.place(*.player, *.round))]
pub struct Fault {
    /// The index of the player.
    pub player: usize,
    /// The round, from zero on.
    pub round: usize,
    /// What is wrong.
    pub kind: FaultKind,
}

/// What is wrong with an event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// [`Event::games`] is zero.
    #[error("found 0 games for each meeting, expected 1 or more")]
    NoGames,
    /// The list of rounds of a player has the wrong length.
    #[error(
        "the player's rounds end here, while {paired} rounds were paired (one more entry may announce a bye)"
    )]
    Length {
        /// The rounds paired so far.
        paired: usize,
    },
    /// A game or pairing-allocated bye in the round that is still to be paired.
    #[error(
        "the round is not paired yet, but the player has a game or a pairing-allocated bye in it"
    )]
    AlreadyPaired,
    /// More games than a meeting has with one colour, none at all, or a single game where a meeting has several.
    #[error("found a result that does not fit a meeting of {0} game(s) with alternating colours")]
    WrongGames(u32),
    /// The index of a player beyond the list.
    #[error("there is no player {}", .0 + 1)]
    NoSuchPlayer(usize),
    /// Two players tell different things of their game.
    #[error("player {} has no game against this player with the other colour", .0 + 1)]
    OpponentDisagrees(usize),
}

impl FaultKind {
    /// Where it is, for the message.
    fn place(&self, player: usize, round: usize) -> String {
        match self {
            Self::NoGames => String::new(),
            _ => format!("player {}, round {}: ", player + 1, round + 1),
        }
    }
}
