//! Files that only grow.

use std::fs::{File, OpenOptions};
use std::path::Path;

use anyhow::Context;

/// Opens a file to write at its end; a new one if there is none.
pub(super) fn append(path: &Path) -> anyhow::Result<File> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.with_context(|| format!("cannot write {}", path.display()))
}
