//! The criteria of C.04.3 (3.1 to 3.4, and 4 for the order of candidates) as one number per pair.
//!
//! Each criterion has a field of bits, the most important one highest, wide enough for the sum over all pairs. The
//! pairing with the greatest sum is so the best by the first criterion, among those the best by the second, and so on.

use crate::field::Field;
use crate::standing::{Float, Standing};
use crate::wide::Wide;

/// Where the field of each criterion begins, counted from the lowest bit.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// For the choice among equally good pairings. The bits below it prefer the usual choice.
    pub(crate) order: usize,
    /// Where the criteria begin.
    pub(crate) criteria: usize,
    /// C18 to C21, from the last on, with a field for each scoregroup.
    score_of_floats: [usize; 4],
    /// C14 to C17, from the last on.
    floats: [usize; 4],
    /// C10 to C13, from the last on.
    colours: [usize; 4],
    bye_games: usize,
    next_scores: usize,
    next_pairs: usize,
    scores: usize,
    pairs: usize,
    completion: usize,
    /// How many bits count the players of the largest scoregroup.
    pub(crate) count_bits: usize,
    /// By scoregroup: the first bit of its count among all of them.
    group_shift: Vec<usize>,
}

fn bits_for(value: usize) -> usize {
    (usize::BITS - value.leading_zeros()) as usize
}

impl Layout {
    pub(crate) fn new(field: &Field) -> Self {
        let count_bits = field
            .groups
            .iter()
            .map(|group| bits_for(group.len()))
            .max()
            .unwrap_or(1);
        let mut group_shift = vec![0; field.groups.len()];
        let mut all_groups = 0;
        for (index, group) in field.groups.iter().enumerate().rev() {
            group_shift[index] = all_groups;
            all_groups += bits_for(group.len());
        }
        let mut end = 0;
        let mut take = |bits: usize| {
            end += bits;
            end - bits
        };
        Self {
            order: take(2 * count_bits) + 2 * count_bits,
            criteria: take(3 * count_bits + 1) + 3 * count_bits + 1,
            score_of_floats: [(); 4].map(|()| take(all_groups)),
            floats: [(); 4].map(|()| take(count_bits)),
            colours: [(); 4].map(|()| take(count_bits)),
            bye_games: take(2 * count_bits),
            next_scores: take(all_groups),
            next_pairs: take(count_bits),
            scores: take(all_groups),
            pairs: take(count_bits),
            completion: take(0),
            count_bits,
            group_shift,
        }
    }

    /// How many bits the weights need, with headroom for the arithmetic of the matching.
    pub(crate) fn bits(&self, players: usize) -> usize {
        self.completion.max(self.count_bits + 2 * bits_for(players)) + bits_for(2 * players) + 6
    }

    /// C2 and C4: everybody is paired but one who may get the bye.
    pub(crate) fn complete<const N: usize>(&self, needs_pair: [bool; 2]) -> Wide<N> {
        let mut weight = Wide::ZERO;
        weight.add_at(
            self.completion,
            1 + needs_pair.map(u64::from).iter().sum::<u64>(),
        );
        weight
    }

    /// The place of a bye in the first look at a round: C5, then C6 of the first bracket.
    pub(crate) fn bye_first<const N: usize>(
        &self,
        field: &Field,
        higher: usize,
        lower: usize,
    ) -> Wide<N> {
        let players = [higher, lower].map(|place| &field.players[place]);
        let count = field.groups.len();
        let mut weight = Wide::ZERO;
        let position = self
            .completion
            .max(self.count_bits + 2 * bits_for(field.size()));
        weight.add_at(
            position,
            1 + players
                .map(|player| u64::from(!player.may_have_bye))
                .iter()
                .sum::<u64>(),
        );
        // The higher the scores of the paired players, the lower that of the one left over.
        weight.add_at(
            self.count_bits,
            (2 * count - field.group_of[higher] - field.group_of[lower]) as u64,
        );
        weight.add_at(0, u64::from(field.group_of[lower] == 0));
        weight
    }

    /// C6 to C8: the pairs in the bracket of the lower player, whether it is this one or the next.
    pub(crate) fn bracket<const N: usize>(
        &self,
        weight: &mut Wide<N>,
        group: usize,
        is_next: bool,
    ) {
        let (pairs, scores) = if is_next {
            (self.next_pairs, self.next_scores)
        } else {
            (self.pairs, self.scores)
        };
        weight.add_at(pairs, 1);
        weight.add_at(scores + self.group_shift[group], 1);
    }

    /// C9: the more games the player of the bye has missed, the better that the player is paired instead.
    pub(crate) fn bye_games<const N: usize>(&self, weight: &mut Wide<N>, missed: usize) {
        weight.add_at(self.bye_games, missed as u64);
    }

    /// C10 to C21 for a pair in the bracket.
    pub(crate) fn quality<const N: usize>(
        &self,
        weight: &mut Wide<N>,
        field: &Field,
        higher: usize,
        lower: usize,
    ) {
        let (upper, under) = (&field.players[higher], &field.players[lower]);
        for (position, is_good) in self.colours.iter().zip(colour_quality(upper, under)) {
            weight.add_at(*position, u64::from(is_good));
        }
        let shift = [higher, lower].map(|place| self.group_shift[field.group_of[place]]);
        let is_moved_down = upper.score > under.score;
        for back in 0..2 {
            // From the last criterion on: C17, C16 for the round before the last, C15, C14 for the last.
            let at = 2 * (1 - back);
            let avoids_upfloat = !(is_moved_down && under.floats[back] == Float::Up);
            let downfloats =
                [upper, under].map(|player| u64::from(player.floats[back] == Float::Down));
            weight.add_at(self.floats[at], u64::from(avoids_upfloat));
            weight.add_at(
                self.floats[at + 1],
                downfloats[1] + if is_moved_down { 0 } else { downfloats[0] },
            );
            weight.add_at(
                self.score_of_floats[at] + shift[0],
                u64::from(avoids_upfloat),
            );
            weight.add_at(self.score_of_floats[at + 1] + shift[0], downfloats[0]);
            weight.add_at(self.score_of_floats[at + 1] + shift[1], downfloats[1]);
        }
    }
}

/// Whether a pair is good by C13, C12, C11 and C10, in this order.
fn colour_quality(one: &Standing, two: &Standing) -> [bool; 4] {
    let shares = one.shares_preference(two);
    let both_absolute = one.is_absolute() && two.is_absolute();
    let same_strength = one.is_strong() && two.is_strong()
        || one.is_absolute() && two.is_strong()
        || one.is_strong() && two.is_absolute();
    let third_in_a_row = shares && both_absolute && gets_third_in_a_row(one, two);
    [
        !(shares && same_strength),
        !shares,
        !third_in_a_row,
        !(shares && one.imbalance > 1 && two.imbalance > 1),
    ]
}

/// Of two players with the same absolute preference, the one with the smaller colour difference yields. Whether that one
/// would have the same colour three times in a row.
fn gets_third_in_a_row(one: &Standing, two: &Standing) -> bool {
    match one.imbalance.cmp(&two.imbalance) {
        std::cmp::Ordering::Equal => one.repeated.is_some() && one.repeated == two.repeated,
        std::cmp::Ordering::Less => one
            .repeated
            .is_some_and(|colour| one.preference == Some(colour.other())),
        std::cmp::Ordering::Greater => two
            .repeated
            .is_some_and(|colour| two.preference == Some(colour.other())),
    }
}
