//! Files with passwords.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use epd::protocol::secret;

/// The password in a file, and a warning if others can read it.
pub fn read(path: &Path) -> anyhow::Result<(String, Option<String>)> {
    let text = fs::read_to_string(path);
    let text = text.with_context(|| format!("cannot read {}", path.display()))?;
    let Some(password) = secret::first_line(&text) else {
        bail!("{} has no password in its first line", path.display());
    };
    let metadata = fs::metadata(path).with_context(|| path.display().to_string())?;
    Ok((password.to_owned(), secret::warning(path, &metadata)))
}
