//! Lists that are longer than the screen.

use std::ops::Range;

/// Which of so many lines are seen if the screen has room for some, with the selected one in the middle.
pub fn window(selected: Option<usize>, count: usize, room: usize) -> Range<usize> {
    let most = count.saturating_sub(room);
    let first = selected.unwrap_or(0).saturating_sub(room / 2).min(most);
    first..count.min(first + room)
}
