//! Round robins by Berger tables (FIDE Handbook C.05, Annex 1).

/// Two players who meet; the first has White in their first, third, fifth ... game.
pub(super) type Couple = (usize, usize);

/// The rounds of a round robin, one cycle after the other.
///
/// In each cycle but the last, the last two rounds are swapped, as the Annex recommends. Otherwise some
/// players would have the same colour three times in a row.
pub(super) fn round_robin(players: usize, cycles: usize) -> impl Iterator<Item = Vec<Couple>> {
    (1..=cycles).flat_map(move |cycle| {
        let mut rounds = berger(players);
        let last = rounds.len() - 1;
        if cycle < cycles && last > 0 {
            rounds.swap(last - 1, last);
        }
        rounds
    })
}

/// The rounds of one cycle by Berger tables, as pairs of White and Black; players are counted from 0.
/// With an odd number of players, one has a bye in each round.
#[must_use]
pub fn berger(players: usize) -> Vec<Vec<(usize, usize)>> {
    if players < 2 {
        return Vec::new();
    }
    let even = players.next_multiple_of(2);
    let last = even - 1;
    let round = |number: usize| {
        // All players but the last sit in a ring. One of them, `first`, plays the last player. The
        // others play across: the player k seats after `first` has White against the one k seats
        // before it. From round to round, `first` moves on by half the ring.
        let first = number * (even / 2) % last;
        let leader = if number.is_multiple_of(2) {
            (first, last)
        } else {
            (last, first)
        };
        let across = (1..even / 2).map(|k| ((first + k) % last, (first + last - k) % last));
        let present = |&(white, black): &Couple| white.max(black) < players;
        std::iter::once(leader)
            .chain(across)
            .filter(present)
            .collect()
    };
    (0..last).map(round).collect()
}
