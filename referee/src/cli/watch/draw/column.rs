//! A column of the standings.

use ratatui::text::Line;
use ratatui::widgets::Cell;

use super::text::{cut, width};

/// A column of the standings.
pub struct Column {
    pub heading: String,
    pub cells: Vec<String>,
    pub width: usize,
    pub is_left: bool,
    /// The columns with the greatest number give way first; those with 0 stay.
    pub gives_way: usize,
}

impl Column {
    pub fn new(heading: &str, cells: impl Iterator<Item = String>) -> Self {
        let cells: Vec<_> = cells.collect();
        let widths = cells.iter().map(|cell| width(cell));
        Self {
            width: widths.max().unwrap_or(0).max(width(heading)),
            heading: heading.to_owned(),
            cells,
            is_left: false,
            gives_way: 0,
        }
    }

    /// A column of texts, which are flush left.
    pub fn text(heading: &str, cells: impl Iterator<Item = String>) -> Self {
        Self {
            is_left: true,
            ..Self::new(heading, cells)
        }
    }

    /// A column that has this width at least.
    pub fn with_width(mut self, width: usize) -> Self {
        self.width = self.width.max(width);
        self
    }

    pub fn giving_way(mut self, order: usize) -> Self {
        self.gives_way = order;
        self
    }

    pub fn cell(&self, row: usize) -> Cell<'static> {
        self.aligned(cut(&self.cells[row], self.width))
    }

    pub fn aligned(&self, text: String) -> Cell<'static> {
        let line = Line::raw(text);
        Cell::new(if self.is_left {
            line
        } else {
            line.right_aligned()
        })
    }
}
