//! One rule for the files in which either end keeps secrets.

use std::fs::Metadata;
use std::path::Path;

/// The secret in the text of a password file: its first line, without blanks around it. `None` if there
/// is nothing in it.
///
/// ```
/// use epode_epd::protocol::secret;
/// assert_eq!(secret::first_line("sesame \r\nmore"), Some("sesame"));
/// assert_eq!(secret::first_line(" \nsesame"), None);
/// ```
#[must_use]
pub fn first_line(text: &str) -> Option<&str> {
    let line = text.lines().next().unwrap_or_default().trim();
    (!line.is_empty()).then_some(line)
}

/// A warning if every user of the machine may read a file with a secret.
#[must_use]
pub fn warning(path: &Path, metadata: &Metadata) -> Option<String> {
    let path = path.display();
    is_world_readable(metadata)
        .then(|| format!("every user of this machine can read {path}: chmod 600 {path}"))
}

#[cfg(unix)]
fn is_world_readable(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.mode() & 0o004 != 0
}

/// Such permissions are not known here.
#[cfg(not(unix))]
const fn is_world_readable(_: &Metadata) -> bool {
    false
}
