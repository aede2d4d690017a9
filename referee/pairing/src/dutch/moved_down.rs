//! The players moved down into a bracket: who of them is paired there, and with whom.

use super::bracket::Brackets;

impl<const N: usize> Brackets<'_, N> {
    fn is_paired_here(&self, place: usize) -> bool {
        self.mates[place].is_some_and(|mate| self.residents.contains(&mate))
    }

    pub(super) fn pair_moved_down(&mut self) {
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
}
