//! The brackets of a round, one after the other.

use crate::criteria::Layout;
use crate::event::Score;
use crate::field::Field;
use crate::matching::Matcher;
use crate::wide::Wide;
use std::ops::Range;

/// The state between brackets. Players are called by their places in the field.
pub(super) struct Brackets<'a, const N: usize> {
    field: &'a Field,
    layout: Layout,
    matcher: Matcher<N>,
    /// The matching of the last solution.
    mates: Vec<Option<usize>>,
    /// By higher, then lower place: the weight by the criteria alone.
    base: Vec<Wide<N>>,
    paired: Vec<bool>,
    bye_score: Option<Score>,
    /// By place: how many players with the score of the bye missed fewer games, for C9.
    missed: Vec<usize>,
    /// Whether the only player left over by this bracket is the one who gets the bye.
    only_bye_floats: bool,
    /// The players moved down into this bracket.
    moved_down: Vec<usize>,
    /// The scoregroup of this bracket.
    residents: Range<usize>,
    /// The scoregroup below.
    next: Range<usize>,
}

impl<'a, const N: usize> Brackets<'a, N> {
    /// `matcher` holds a first solution, which leaves a player with the lowest possible score for the bye.
    pub(super) fn new(
        field: &'a Field,
        layout: Layout,
        matcher: Matcher<N>,
        bye: Option<usize>,
    ) -> Self {
        let size = field.size();
        let mut brackets = Self {
            field,
            layout,
            matcher,
            mates: vec![None; size],
            base: vec![Wide::ZERO; size * size],
            paired: vec![false; size],
            bye_score: bye.map(|place| field.score(place)),
            missed: vec![0; size],
            only_bye_floats: false,
            moved_down: Vec::new(),
            residents: 0..0,
            next: field.groups[0].clone(),
        };
        brackets.read_mates();
        brackets.rank_missed_games();
        brackets.only_bye_floats = brackets.will_only_bye_float();
        if bye.is_some() {
            brackets.set_completion();
        }
        brackets
    }

    /// Pairs everybody, and returns the opponents by place.
    pub(super) fn pair_all(mut self) -> Vec<Option<usize>> {
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

    fn solve(&mut self) {
        self.matcher.solve();
        self.read_mates();
    }

    fn read_mates(&mut self) {
        for (place, mate) in self.mates.iter_mut().enumerate() {
            *mate = self.matcher.mate(place);
        }
    }

    /// Orders the players with the score of the bye by the games that they missed.
    fn rank_missed_games(&mut self) {
        let played = |place: usize| self.field.players[place].colours.len();
        let rivals: Vec<usize> = (0..self.field.size())
            .filter(|&place| Some(self.field.score(place)) == self.bye_score)
            .collect();
        for &place in &rivals {
            self.missed[place] = rivals
                .iter()
                .filter(|&&other| played(other) > played(place))
                .count();
        }
    }

    /// Whether the bracket of `next` leaves over nobody but the player who gets the bye.
    fn will_only_bye_float(&self) -> bool {
        let Some(first) = self.next.clone().next() else {
            return false;
        };
        let score = self.field.score(first);
        let stays =
            |place: usize| self.mates[place].is_none_or(|mate| self.field.score(mate) >= score);
        self.bye_score.is_some_and(|bye| bye >= score)
            && self
                .moved_down
                .iter()
                .copied()
                .chain(self.next.clone())
                .all(stays)
    }

    fn set_completion(&mut self) {
        self.matcher.reopen(0..self.field.size());
        for lower in 0..self.field.size() {
            for higher in 0..lower {
                if self.field.may_meet(higher, lower) {
                    let needs_pair = [higher, lower].map(|place| self.needs_pair(place));
                    self.matcher
                        .set(higher, lower, self.layout.complete(needs_pair));
                }
            }
        }
    }

    /// Whether a player cannot get the bye, by C2 and C5.
    fn needs_pair(&self, place: usize) -> bool {
        self.bye_score.is_none_or(|bye| {
            !self.field.players[place].may_have_bye || self.field.score(place) > bye
        })
    }

    /// Sets the weights among the players of this bracket and the next.
    fn set_weights(&mut self) {
        self.matcher.reopen(
            self.moved_down
                .iter()
                .copied()
                .chain(self.residents.start..self.next.end),
        );
        for (index, &lower) in self.moved_down.iter().enumerate() {
            for &higher in &self.moved_down[..index] {
                self.matcher.set(higher, lower, Wide::ZERO);
            }
        }
        for lower in self.residents.start..self.next.end {
            for index in 0..self.moved_down.len() {
                self.set_base(self.moved_down[index], lower);
            }
            for higher in self.residents.start..lower {
                self.set_base(higher, lower);
            }
        }
    }

    fn set_base(&mut self, higher: usize, lower: usize) {
        let weight = self.weight(higher, lower);
        self.put_base(higher, lower, weight);
    }

    fn put_base(&mut self, higher: usize, lower: usize, weight: Wide<N>) {
        self.base[higher * self.field.size() + lower] = weight;
        self.matcher.set(higher, lower, weight);
    }

    fn base(&self, higher: usize, lower: usize) -> Wide<N> {
        self.base[higher * self.field.size() + lower]
    }

    /// The weight of a pair by the criteria.
    fn weight(&self, higher: usize, lower: usize) -> Wide<N> {
        if !self.field.may_meet(higher, lower) {
            return Wide::ZERO;
        }
        let mut weight = self
            .layout
            .complete([higher, lower].map(|place| self.needs_pair(place)));
        let is_next = lower >= self.residents.end;
        self.layout
            .bracket(&mut weight, self.field.group_of[higher], is_next);
        if self.only_bye_floats {
            self.layout
                .bye_games(&mut weight, self.missed[higher] + self.missed[lower]);
        }
        if !is_next {
            self.layout.quality(&mut weight, self.field, higher, lower);
            weight.add_at(0, self.closeness(higher, lower));
        }
        weight
    }

    /// How close a pair is to the one that the order prefers. It decides nothing, but spares much of the search for that.
    fn closeness(&self, higher: usize, lower: usize) -> u64 {
        let (first, size, above) = (
            self.residents.start,
            self.residents.len(),
            self.moved_down.len(),
        );
        let preferred = match self.moved_down.binary_search(&higher) {
            Ok(index) => first + index,
            Err(_) => higher + size.saturating_sub(above) / 2,
        };
        size.saturating_sub(lower.abs_diff(preferred)) as u64
    }

    /// Sets the weight of a pair to that of the criteria and something for the order, if the two may meet.
    fn favour(&mut self, higher: usize, lower: usize, order: u64) {
        let mut weight = self.base(higher, lower);
        if !weight.is_zero() {
            weight.add_at(self.layout.order, order);
            self.matcher.set(higher, lower, weight);
        }
    }

    fn finish(&mut self, one: usize, two: usize) {
        self.matcher.retire(one, two);
        self.paired[one] = true;
        self.paired[two] = true;
    }

    /// Pairs a player with the first of `candidates` (who come in order) that leaves the rest as good.
    ///
    /// `floor` is what each of these pairs has for the order anyway.
    fn pair_with_first(
        &mut self,
        higher: usize,
        candidates_in_order: impl Iterator<Item = usize>,
        floor: u64,
    ) {
        self.solve();
        let mut one_criterion = Wide::ZERO;
        one_criterion.add_at(self.layout.criteria, 1);
        // Down to the opponent of now, who is possible.
        let mut candidates = Vec::new();
        for lower in candidates_in_order {
            let may_pair = !self.paired[lower] && !self.base(higher, lower).is_zero();
            if may_pair && !self.matcher.costs(higher, lower, one_criterion) {
                candidates.push(lower);
            }
            if self.mates[higher] == Some(lower) {
                break;
            }
        }
        if candidates.len() > 1 {
            for (rank, &lower) in candidates.iter().rev().enumerate() {
                self.favour(higher, lower, floor + 1 + rank as u64);
            }
            self.solve();
        }
        let mate =
            self.mates[higher].expect("the best pairing keeps those paired whom it had paired");
        self.finish(higher, mate);
    }

    // --- Players moved down ------------------------------------------------------------------------------------------

    fn is_paired_here(&self, place: usize) -> bool {
        self.mates[place].is_some_and(|mate| self.residents.contains(&mate))
    }

    fn pair_moved_down(&mut self) {
        // More than all that the order of a player's opponents adds.
        let chosen_bonus = self.residents.len() as u64 + 2;
        for place in self.choose_moved_down(chosen_bonus) {
            self.pair_with_first(place, self.residents.clone(), chosen_bonus);
        }
    }

    /// Who of the players moved down is paired here: as many of each score as now, the first ones possible.
    fn choose_moved_down(&mut self, chosen_bonus: u64) -> Vec<usize> {
        let mut chosen = Vec::new();
        let moved_down = self.moved_down.clone();
        for group in
            moved_down.chunk_by(|&one, &two| self.field.score(one) == self.field.score(two))
        {
            let mut wanted = group
                .iter()
                .filter(|&&place| self.is_paired_here(place))
                .count();
            for (index, &place) in group.iter().enumerate() {
                if wanted == 0 {
                    break;
                }
                let must = group.len() - index <= wanted;
                if !must && !self.is_paired_here(place) {
                    self.favour_all(place, self.residents.clone(), 1);
                    self.solve();
                }
                if must || self.is_paired_here(place) {
                    chosen.push(place);
                    wanted -= 1;
                    self.favour_all(place, self.residents.clone(), chosen_bonus);
                }
            }
        }
        chosen
    }

    fn favour_all(&mut self, higher: usize, lowers: impl Iterator<Item = usize>, order: u64) {
        for lower in lowers {
            self.favour(higher, lower, order);
        }
    }

    // --- The remainder -----------------------------------------------------------------------------------------------

    /// Whether a player is the first of a pair in the bracket.
    fn leads(&self, place: usize) -> bool {
        self.mates[place].is_some_and(|mate| mate > place && mate < self.residents.end)
    }

    /// Pairs the residents without a player moved down as opponent.
    fn pair_remainder(&mut self) {
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
