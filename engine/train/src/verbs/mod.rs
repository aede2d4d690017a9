//! The verbs of the command line. Each has a function `run` from its arguments to the exit status.

pub mod datagen;
pub mod train;
pub mod unpack;

use std::path::Path;

use epode_train::games::Blocks;

/// Reports the damaged parts of a file; returns whether there are any.
fn report_damage(path: &Path, blocks: &Blocks) -> bool {
    for damage in blocks.damages() {
        eprintln!("{}: {damage}", path.display());
    }
    !blocks.damages().is_empty()
}
