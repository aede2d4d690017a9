//! The name of an input or output: a file or a standard stream.

use std::convert::Infallible;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A file, or the standard stream for `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stream {
    Standard,
    File(PathBuf),
}

impl FromStr for Stream {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(if text == "-" {
            Self::Standard
        } else {
            Self::File(Path::new(text).to_owned())
        })
    }
}

/// Prints the name as it appears in messages.
impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Standard => f.write_str("-"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

impl Stream {
    /// The file that is to be replaced or made; none for pipes, devices and standard output. The
    /// file behind a link is replaced, not the link.
    pub fn plain_file(&self) -> io::Result<Option<PathBuf>> {
        let Some(name) = self.path_to_write() else {
            return Ok(None);
        };
        let path = follow_links(name);
        match fs::metadata(&path) {
            Ok(metadata) if !metadata.is_file() => Ok(None),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(Some(path)),
        }
    }

    /// The path to write to; none for standard output. A name for standard output must not be taken
    /// for the file that it was redirected to: what `>>` appends to would be replaced.
    pub fn path_to_write(&self) -> Option<&Path> {
        const STANDARD_OUTPUT: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
        match self {
            Self::File(path) if !STANDARD_OUTPUT.iter().any(|name| path == Path::new(name)) => {
                Some(path)
            }
            _ => None,
        }
    }

    pub fn is_regular(&self) -> bool {
        matches!(self, Self::File(path) if path.is_file())
    }
}

/// The file that a path refers to, which need not exist.
fn follow_links(path: &Path) -> PathBuf {
    // Linux's limit on symbolic links.
    const MOST: usize = 40;
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    let mut path = path.to_owned();
    for _ in 0..MOST {
        let Ok(target) = path.read_link() else { break };
        path.pop();
        path.push(target);
    }
    path
}
