//! Files that are replaced as a whole.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use anyhow::Context;

/// Replaces a file at once, so that readers never see a part of it, and a power failure leaves the old
/// file or the new one.
pub fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let write = || -> io::Result<()> {
        let temporary = path.with_extension("new");
        let mut file = File::create(&temporary)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        sync_folder(folder)
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Replaces a file that can be computed again: its content need not survive a power failure.
pub fn replace_fast(path: &Path, text: &str) -> anyhow::Result<()> {
    let temporary = path.with_extension("new");
    fs::write(&temporary, text)
        .and_then(|()| fs::rename(&temporary, path))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Makes new names in a folder survive a power failure.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// The system does that by itself.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
