//! Where the stream of events comes from.

mod feed;
mod folder;
mod page;

use std::fmt;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::bail;

pub use self::feed::Feed;

/// What is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The folder of an event.
    Folder(PathBuf),
    /// The address of a referee's page.
    Page(String),
}

impl Target {
    /// What the user wants to watch.
    pub fn read(text: &str) -> anyhow::Result<Self> {
        let path = Path::new(text);
        if path.is_dir() {
            if !path.join("event.toml").exists() && !path.join(folder::EVENTS).exists() {
                bail!(
                    "{text} is no event's folder: it has neither event.toml nor {}",
                    folder::EVENTS
                );
            }
            return Ok(Self::Folder(path.to_owned()));
        }
        if path.exists() {
            bail!("{text} is a file, expected the folder of an event");
        }
        match page::address(text) {
            Some(address) => Ok(Self::Page(address)),
            None => bail!("there is no folder {text}, and it is no address such as HOST:PORT"),
        }
    }

    /// The folder, to which orders can be given.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(path) => Some(path),
            Self::Page(_) => None,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) => write!(f, "{}", path.display()),
            Self::Page(address) => f.write_str(address),
        }
    }
}

/// Follows a stream in a thread of its own, as long as what it tells is taken.
pub fn follow(target: Target, tell: impl Fn(Feed) -> bool + Send + 'static) {
    thread::spawn(move || match target {
        Target::Folder(path) => folder::follow(&path, &tell),
        Target::Page(address) => page::follow(&address, &tell),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_watched_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        let refused = |path: &Path| {
            let text = path.display().to_string();
            Target::read(&text).expect_err("refused").to_string()
        };
        assert!(
            refused(path)
                .ends_with("is no event's folder: it has neither event.toml nor events.jsonl")
        );
        assert!(refused(&path.join("cup")).starts_with("there is no folder"));
        std::fs::write(path.join("event.toml"), "").expect("written");
        assert!(
            refused(&path.join("event.toml"))
                .contains("is a file, expected the folder of an event")
        );
        let page = Target::read("localhost:8080").expect("an address");
        assert_eq!(page, Target::Page("http://localhost:8080".to_owned()));
        let target = Target::read(&path.display().to_string()).expect("a folder");
        assert_eq!(target.folder(), Some(path));
    }
}
