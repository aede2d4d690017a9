//! Move ordering: the [move picker](picker) and the statistics that it sorts by.

pub(crate) mod checks;
pub(crate) mod gravity;
pub(crate) mod history;
pub(crate) mod picker;
pub(crate) mod piece_to;
pub(crate) mod see;
