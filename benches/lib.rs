//! What the benches share: nothing yet but their positions.
