//! The lines along which sliders move.

/// The two kinds of sliding lines: ranks and files, or diagonals.
#[derive(Clone, Copy)]
pub(crate) enum Lines {
    Orthogonal,
    Diagonal,
}
