//! The FIDE Dutch system: bracket by bracket from the highest score down, each one by a matching of maximum weight.
//!
//! All players stay in the graph, those of lower brackets with edges that only say who may meet, so that no choice above
//! leaves players below who cannot be paired. Within a bracket, the weights decide C4 to C21. Among the pairings that
//! are equally good by these, the order of the candidates (article 4) decides, one choice at a time: a small addition
//! to the weights of one player shows whether that choice keeps the rest as good.

mod bracket;
mod moved_down;
mod remainder;

use crate::colours::allocate;
use crate::criteria::Layout;
use crate::event::{Colour, Event};
use crate::faults::Fault;
use crate::field::Field;
use crate::matching::Matcher;
use crate::refusal::{Refusal, explain};
use bracket::Brackets;
use std::cmp::Reverse;

/// A game of a round. Players are indices in [`Event::players`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    /// Who has White.
    pub white: usize,
    /// Who has Black.
    pub black: usize,
}

/// The pairing of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The games, in the order of the boards.
    pub pairs: Vec<Pair>,
    /// Who gets the pairing-allocated bye.
    pub bye: Option<usize>,
}

/// Why a round was not paired.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PairError {
    /// The event contradicts itself.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// All rounds were paired.
    #[error("all {0} rounds of the event were paired")]
    Over(usize),
    /// Fewer than two players are present.
    #[error("round {round}: {present} of {all} players are present; a pairing needs two", round = .round + 1)]
    TooFew {
        /// The round to pair, from zero on.
        round: usize,
        /// How many are present.
        present: usize,
        /// How many players there are.
        all: usize,
    },
    /// The rules leave no pairing.
    #[error("round {round}: the rules leave no pairing: {refusal}", round = .round + 1)]
    Impossible {
        /// The round to pair, from zero on.
        round: usize,
        /// Why.
        refusal: Refusal,
    },
    /// More than [`MOST_PLAYERS`], or too many different scores for the widest weights.
    #[error(
        "{players} players with {scores} different scores are more than can be paired; {MOST_PLAYERS} players can"
    )]
    TooWide {
        /// How many players are present.
        players: usize,
        /// How many different scores they have.
        scores: usize,
    },
}

/// The most players that are paired in a round: with more, the weights of all pairs would take gigabytes.
pub const MOST_PLAYERS: usize = 2_000;

/// Pairs the next round of an event.
pub fn pair(event: &Event) -> Result<Pairing, PairError> {
    event.check()?;
    if event.paired >= event.rounds {
        return Err(PairError::Over(event.rounds));
    }
    let present = (0..event.players.len())
        .filter(|&player| event.is_present(player))
        .count();
    if present < 2 {
        return Err(PairError::TooFew {
            round: event.paired,
            present,
            all: event.players.len(),
        });
    }
    let field = Field::new(event);
    let too_wide = PairError::TooWide {
        players: field.size(),
        scores: field.groups.len(),
    };
    if field.size() > MOST_PLAYERS {
        return Err(too_wide);
    }
    let layout = Layout::new(&field);
    let mates = match layout.bits(field.size()).div_ceil(64) {
        0..=3 => mates::<3>(&field, layout),
        4..=5 => mates::<5>(&field, layout),
        6..=8 => mates::<8>(&field, layout),
        9..=12 => mates::<12>(&field, layout),
        13..=20 => mates::<20>(&field, layout),
        21..=40 => mates::<40>(&field, layout),
        _ => return Err(too_wide),
    };
    let mates = mates.map_err(|refusal| PairError::Impossible {
        round: event.paired,
        refusal,
    })?;
    Ok(publish(event, &field, &mates))
}

/// By place: the place of the opponent.
fn mates<const N: usize>(field: &Field, layout: Layout) -> Result<Vec<Option<usize>>, Refusal> {
    let mut matcher = Matcher::<N>::new(field.size());
    let odd = field.size() % 2 == 1;
    for lower in 0..field.size() {
        for higher in 0..lower {
            if field.may_meet(higher, lower) {
                let weight = if odd {
                    layout.bye_first(field, higher, lower)
                } else {
                    layout.complete([true; 2])
                };
                matcher.set(higher, lower, weight);
            }
        }
    }
    matcher.solve();
    let single: Vec<usize> = (0..field.size())
        .filter(|&place| matcher.mate(place).is_none())
        .collect();
    let is_complete = match single[..] {
        [] => true,
        [place] => field.players[place].may_have_bye,
        _ => false,
    };
    if !is_complete {
        return Err(explain(field, &single));
    }
    let brackets = Brackets::new(field, layout, matcher, single.first().copied());
    Ok(brackets.pair_all())
}

/// Gives the pairs their colours and boards.
fn publish(event: &Event, field: &Field, mates: &[Option<usize>]) -> Pairing {
    let mut bye = None;
    let mut boards = Vec::new();
    for (place, &mate) in mates.iter().enumerate() {
        let standing = &field.players[place];
        let Some(mate) = mate else {
            bye = Some(standing.player);
            continue;
        };
        if place > mate {
            continue;
        }
        let other = &field.players[mate];
        let (white, black) = match allocate(standing, other, event.first_colour) {
            Colour::White => (standing.player, other.player),
            Colour::Black => (other.player, standing.player),
        };
        // Virtual points do not count for the order of the boards.
        let mut two =
            [white, black].map(|player| (Reverse(event.score(player, event.paired)), player));
        two.sort();
        let key = (two[0].0, two[1].0, two[0].1);
        boards.push((key, Pair { white, black }));
    }
    boards.sort_by_key(|&(key, _)| key);
    Pairing {
        pairs: boards.into_iter().map(|(_, pair)| pair).collect(),
        bye,
    }
}

impl<const N: usize> Brackets<'_, N> {
    /// Pairs everybody, and returns the opponents by place.
    fn pair_all(mut self) -> Vec<Option<usize>> {
        for group in 0..self.field.groups.len() {
            self.residents = self.field.groups[group].clone();
            let end = self.residents.end;
            self.next = self
                .field
                .groups
                .get(group + 1)
                .cloned()
                .unwrap_or(end..end);
            self.set_weights();
            self.solve();
            self.pair_moved_down();
            self.pair_remainder();
            let unpaired = |&place: &usize| !self.paired[place];
            self.moved_down = self
                .moved_down
                .iter()
                .copied()
                .chain(self.residents.clone())
                .filter(unpaired)
                .collect();
            self.solve();
            self.only_bye_floats = self.will_only_bye_float();
        }
        self.mates
            .iter()
            .zip(&self.paired)
            .map(|(&mate, &paired)| mate.filter(|_| paired))
            .collect()
    }
}
