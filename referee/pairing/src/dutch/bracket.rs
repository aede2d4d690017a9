//! The state of a round while its brackets are paired, and the weights of the pairs in a bracket.

use crate::criteria::Layout;
use crate::event::Score;
use crate::field::Field;
use crate::matching::Matcher;
use crate::wide::Wide;
use std::ops::Range;

/// The state between brackets. Players are called by their places in the field.
pub(super) struct Brackets<'a, const N: usize> {
    pub(super) field: &'a Field,
    pub(super) layout: Layout,
    pub(super) matcher: Matcher<N>,
    /// The matching of the last solution.
    pub(super) mates: Vec<Option<usize>>,
    /// By higher, then lower place: the weight by the criteria alone.
    pub(super) base: Vec<Wide<N>>,
    pub(super) paired: Vec<bool>,
    pub(super) bye_score: Option<Score>,
    /// By place: how many players with the score of the bye missed fewer games, for C9.
    pub(super) missed: Vec<usize>,
    /// Whether the only player left over by this bracket is the one who gets the bye.
    pub(super) only_bye_floats: bool,
    /// The players moved down into this bracket.
    pub(super) moved_down: Vec<usize>,
    /// The scoregroup of this bracket.
    pub(super) residents: Range<usize>,
    /// The scoregroup below.
    pub(super) next: Range<usize>,
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

    pub(super) fn solve(&mut self) {
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
    pub(super) fn will_only_bye_float(&self) -> bool {
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
    pub(super) fn set_weights(&mut self) {
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

    pub(super) fn put_base(&mut self, higher: usize, lower: usize, weight: Wide<N>) {
        self.base[higher * self.field.size() + lower] = weight;
        self.matcher.set(higher, lower, weight);
    }

    pub(super) fn base(&self, higher: usize, lower: usize) -> Wide<N> {
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
    pub(super) fn favour(&mut self, higher: usize, lower: usize, order: u64) {
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
    pub(super) fn pair_with_first(
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

    pub(super) fn favour_all(
        &mut self,
        higher: usize,
        lowers: impl Iterator<Item = usize>,
        order: u64,
    ) {
        for lower in lowers {
            self.favour(higher, lower, order);
        }
    }
}
