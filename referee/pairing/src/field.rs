//! The players to pair in one round, in order, and who may meet whom.

use crate::event::{Event, Score};
use crate::standing::{Standing, standings};
use std::ops::Range;

/// The players to pair, by their place in the order of the rules, from zero on.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) players: Vec<Standing>,
    /// The places of each scoregroup, the highest score first.
    pub(crate) groups: Vec<Range<usize>>,
    /// By place: the index of the scoregroup.
    pub(crate) group_of: Vec<usize>,
    met_or_forbidden: Vec<bool>,
}

impl Field {
    pub(crate) fn new(event: &Event) -> Self {
        let players = standings(event);
        let groups = groups(&players);
        let group_of = groups
            .iter()
            .enumerate()
            .flat_map(|(index, range)| range.clone().map(move |_| index))
            .collect();
        let mut field = Self {
            met_or_forbidden: vec![false; players.len() * players.len()],
            players,
            groups,
            group_of,
        };
        field.exclude_meetings(event);
        field
    }

    pub(crate) fn size(&self) -> usize {
        self.players.len()
    }

    pub(crate) fn score(&self, place: usize) -> Score {
        self.players[place].score
    }

    /// Whether two players may be paired: C1, C3 and the forbidden pairs of the event.
    pub(crate) fn may_meet(&self, one: usize, two: usize) -> bool {
        one != two
            && !self.met_or_forbidden[one * self.size() + two]
            && !self.colours_clash(one, two)
    }

    /// C3: two players with the same absolute colour preference do not meet, unless one is a topscorer.
    pub(crate) fn colours_clash(&self, one: usize, two: usize) -> bool {
        let (one, two) = (&self.players[one], &self.players[two]);
        let both_absolute = one.is_absolute() && two.is_absolute() && one.shares_preference(two);
        both_absolute && !one.is_topscorer && !two.is_topscorer
    }

    fn exclude_meetings(&mut self, event: &Event) {
        let mut place_of = vec![None; event.players.len()];
        for (place, standing) in self.players.iter().enumerate() {
            place_of[standing.player] = Some(place);
        }
        for place in 0..self.size() {
            for round in &event.players[self.players[place].player].rounds {
                if round.was_played()
                    && let Some(opponent) = round.opponent()
                    && let Some(other) = place_of[opponent]
                {
                    self.exclude(place, other);
                }
            }
        }
        for group in &event.forbidden {
            if group
                .rounds
                .as_ref()
                .is_some_and(|rounds| !rounds.contains(&event.paired))
            {
                continue;
            }
            let places: Vec<usize> = group
                .players
                .iter()
                .filter_map(|&player| place_of[player])
                .collect();
            for &one in &places {
                for &two in &places {
                    self.exclude(one, two);
                }
            }
        }
    }

    fn exclude(&mut self, one: usize, two: usize) {
        let size = self.size();
        self.met_or_forbidden[one * size + two] = true;
        self.met_or_forbidden[two * size + one] = true;
    }
}

fn groups(players: &[Standing]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (place, player) in players.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if players[group.start].score == player.score => group.end = place + 1,
            _ => groups.push(place..place + 1),
        }
    }
    groups
}
