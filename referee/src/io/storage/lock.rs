//! One referee or observer in a folder at a time.

use std::fs::{self, File};
use std::path::Path;

use anyhow::{Context, bail};

use super::append::append;

/// The file that a running referee locks.
pub const LOCK: &str = "lock";

/// Keeps other referees and observers out of a folder as long as it exists.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

/// Whether a referee or an observer runs in a folder, which may be one that cannot be written.
#[must_use]
pub fn is_in_use(directory: &Path) -> bool {
    let Ok(file) = File::open(directory.join(LOCK)) else {
        return false;
    };
    matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock))
}

impl FolderLock {
    /// Locks a folder; an error if another referee or observer runs there.
    pub fn take(directory: &Path) -> anyhow::Result<Self> {
        let path = directory.join(LOCK);
        let file = append(&path)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(fs::TryLockError::WouldBlock) => {
                bail!("another referee is running in {}", directory.display())
            }
            Err(fs::TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("cannot lock {}", path.display()))
            }
        }
    }
}
