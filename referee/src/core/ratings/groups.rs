//! Groups of players that are linked both ways.

/// The strongly connected components of a graph (the algorithm of S. R. Kosaraju): each in ascending order.
pub fn linked_both_ways(
    players: usize,
    links: impl Iterator<Item = (usize, usize)>,
) -> Vec<Vec<usize>> {
    let mut forward = vec![Vec::new(); players];
    let mut backward = vec![Vec::new(); players];
    for (from, to) in links {
        forward[from].push(to);
        backward[to].push(from);
    }
    let mut is_seen = vec![false; players];
    let mut finished = Vec::with_capacity(players);
    for player in 0..players {
        visit(player, &forward, &mut is_seen, &mut finished);
    }
    is_seen.fill(false);
    let mut groups = Vec::new();
    for &player in finished.iter().rev() {
        let mut group = Vec::new();
        visit(player, &backward, &mut is_seen, &mut group);
        if !group.is_empty() {
            group.sort_unstable();
            groups.push(group);
        }
    }
    groups
}

/// Visits what can be reached and was not seen; appends each player after all that can be reached from it.
fn visit(start: usize, links: &[Vec<usize>], is_seen: &mut [bool], finished: &mut Vec<usize>) {
    if std::mem::replace(&mut is_seen[start], true) {
        return;
    }
    // A player, and how many of its links were followed.
    let mut path = vec![(start, 0)];
    while let Some((player, followed)) = path.last_mut() {
        if let Some(&next) = links[*player].get(*followed) {
            *followed += 1;
            if !std::mem::replace(&mut is_seen[next], true) {
                path.push((next, 0));
            }
        } else {
            finished.push(*player);
            path.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components() {
        let links = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3), (5, 0)];
        let mut groups = linked_both_ways(7, links.into_iter());
        groups.sort();
        assert_eq!(groups, [vec![0, 1, 2], vec![3, 4], vec![5], vec![6]]);
        assert!(linked_both_ways(0, std::iter::empty()).is_empty());
    }
}
