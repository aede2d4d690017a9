//! The remainder of a bracket: the residents who have no player moved down as opponent.

use super::bracket::Brackets;
use crate::wide::Wide;

impl<const N: usize> Brackets<'_, N> {
    /// Whether a player is the first of a pair in the bracket.
    fn leads(&self, place: usize) -> bool {
        self.mates[place].is_some_and(|mate| mate > place && mate < self.residents.end)
    }

    /// Pairs the residents without a player moved down as opponent.
    pub(super) fn pair_remainder(&mut self) {
        self.solve();
        let remainder: Vec<usize> = self
            .residents
            .clone()
            .filter(|&place| !self.paired[place])
            .collect();
        let pairs = remainder.iter().filter(|&&place| self.leads(place)).count();
        let is_natural = remainder[..pairs].iter().all(|&place| self.leads(place));
        if !is_natural {
            self.exchange(&remainder, pairs);
        }
        let leaders: Vec<usize> = remainder
            .iter()
            .copied()
            .filter(|&place| self.leads(place))
            .collect();
        self.fix_leaders(&remainder, &leaders);
        for &place in &leaders {
            self.pair_with_first(
                place,
                remainder.iter().copied().filter(|&lower| lower > place),
                0,
            );
        }
    }

    /// Removes the pairs that do not consist of a leader and somebody below who is none.
    fn fix_leaders(&mut self, remainder: &[usize], leaders: &[usize]) {
        self.matcher.reopen(remainder.iter().copied());
        for (index, &higher) in remainder.iter().enumerate() {
            for &lower in &remainder[index + 1..] {
                let stays = leaders.binary_search(&higher).is_ok()
                    && leaders.binary_search(&lower).is_err();
                let weight = if stays {
                    self.base(higher, lower)
                } else {
                    Wide::ZERO
                };
                self.put_base(higher, lower, weight);
            }
        }
    }

    /// What the order adds for a pair led by the player at `index` of the remainder: fewest exchanges between the upper
    /// and the lower half, then the smallest difference of the exchanged numbers. The lowest bit stays free.
    fn exchange_order(&self, index: usize, pairs: usize) -> u64 {
        let bits = self.layout.count_bits;
        let natural = u64::from(index < pairs);
        (natural << (2 * bits) | ((1 << bits) - 1 - index as u64)) << 1
    }

    /// Adds to the pairs led by one player of the remainder: what the order says, and `extra` (one at most).
    fn favour_leader(&mut self, remainder: &[usize], index: usize, pairs: usize, extra: i64) {
        let order = self.exchange_order(index, pairs).wrapping_add_signed(extra);
        self.favour_all(
            remainder[index],
            remainder[index + 1..].iter().copied(),
            order,
        );
    }

    /// Chooses who leads the pairs of the remainder where not all players of the upper half do.
    fn exchange(&mut self, remainder: &[usize], pairs: usize) {
        self.matcher.reopen(remainder.iter().copied());
        for index in 0..remainder.len() {
            self.favour_leader(remainder, index, pairs, 0);
        }
        self.solve();
        let exchanges = remainder[..pairs]
            .iter()
            .filter(|&&place| !self.leads(place))
            .count();
        self.exchange_upper(remainder, pairs, exchanges);
        self.exchange_lower(remainder, pairs, exchanges);
    }

    /// Chooses who of the upper half goes to the lower one: the last ones possible.
    fn exchange_upper(&mut self, remainder: &[usize], pairs: usize, mut exchanges: usize) {
        for index in (0..pairs).rev() {
            if exchanges == 0 {
                break;
            }
            let place = remainder[index];
            if self.leads(place) {
                self.favour_leader(remainder, index, pairs, -1);
                self.solve();
            }
            if self.leads(place) {
                self.favour_leader(remainder, index, pairs, 0);
            } else {
                exchanges -= 1;
                for &lower in &remainder[index + 1..] {
                    self.put_base(place, lower, Wide::ZERO);
                }
            }
        }
    }

    /// Chooses who of the lower half goes to the upper one: the first ones possible.
    fn exchange_lower(&mut self, remainder: &[usize], pairs: usize, mut exchanges: usize) {
        for index in pairs..remainder.len() {
            // The last one follows from the difference of the numbers.
            if exchanges <= 1 {
                break;
            }
            let place = remainder[index];
            let led = self.leads(place);
            if !led {
                self.favour_leader(remainder, index, pairs, 1);
                self.solve();
            }
            if self.leads(place) {
                exchanges -= 1;
                for &higher in &remainder[..index] {
                    self.put_base(higher, place, Wide::ZERO);
                }
                for lower in self.next.clone() {
                    self.put_base(place, lower, Wide::ZERO);
                }
            }
            if !led {
                self.favour_leader(remainder, index, pairs, 0);
            }
        }
    }
}
