//! Who has White (C.04.3, article 5).

use crate::event::Colour;
use crate::standing::Standing;

/// The colour of the first player of a pair, of whom neither need be ranked higher.
pub(crate) fn allocate(one: &Standing, two: &Standing, first_colour: Colour) -> Colour {
    by_preference(one, two)
        .or_else(|| by_history(one, two))
        .unwrap_or_else(|| {
            // 5.2.4 and 5.2.5: the higher ranked player decides.
            let one_is_higher = (two.score, one.number) < (one.score, two.number);
            if one_is_higher {
                of_higher(one, first_colour)
            } else {
                of_higher(two, first_colour).other()
            }
        })
}

fn of_higher(player: &Standing, first_colour: Colour) -> Colour {
    player
        .preference
        .unwrap_or(if player.number.is_multiple_of(2) {
            first_colour
        } else {
            first_colour.other()
        })
}

/// 5.2.1 and 5.2.2: both preferences, or else the stronger one.
fn by_preference(one: &Standing, two: &Standing) -> Option<Colour> {
    if !one.shares_preference(two) {
        return one.preference.or(two.preference.map(Colour::other));
    }
    let strength = |player: &Standing| match (player.is_absolute(), player.is_strong()) {
        (true, _) => (2, player.imbalance),
        (false, strong) => (u32::from(strong), 0),
    };
    match strength(one).cmp(&strength(two)) {
        std::cmp::Ordering::Greater => one.preference,
        std::cmp::Ordering::Less => two.preference.map(Colour::other),
        std::cmp::Ordering::Equal => None,
    }
}

/// 5.2.3: the colours alternate from the last round in which they differed.
fn by_history(one: &Standing, two: &Standing) -> Option<Colour> {
    let mut latest = one.colours.iter().rev().zip(two.colours.iter().rev());
    latest
        .find(|(mine, theirs)| mine != theirs)
        .map(|(_, theirs)| *theirs)
}
