//! The stream of events from `events.jsonl` in an event's folder, also while a referee writes it.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::feed::{Feed, read_event};
use crate::cli::control;

/// The file of the stream.
pub const EVENTS: &str = "events.jsonl";
/// How often the file is looked at.
const PAUSE: Duration = Duration::from_millis(100);
/// After so long without an event it is asked whether a referee is running at all.
const SILENCE: Duration = Duration::from_secs(2);
/// The most that is read at once, in bytes, so that a long event appears bit by bit.
const MAX_READ: u64 = 4 << 20;

/// Follows the stream as long as what it tells is taken.
pub fn follow(directory: &Path, tell: &dyn Fn(Feed) -> bool) {
    let mut tail = Tail::new(directory.join(EVENTS));
    let mut last_state = None;
    let mut referee = Presence::new(directory);
    loop {
        let mut feeds = Vec::new();
        let is_first = tail.offset == 0;
        let read = tail.read(&mut feeds);
        let has_more = matches!(read, Ok(true));
        // What is added is written by somebody; what was there already may be old.
        let state = match read {
            Ok(_) if referee.look(!feeds.is_empty() && !is_first) => Feed::Connected,
            Ok(_) => Feed::Waiting("no referee is running".to_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Feed::Waiting(format!("there is no {EVENTS} yet"))
            }
            Err(error) => Feed::Waiting(format!("{}: {error}", tail.path.display())),
        };
        if last_state.as_ref() != Some(&state) {
            feeds.push(state.clone());
            last_state = Some(state);
        }
        if !feeds.into_iter().all(tell) {
            return;
        }
        if !has_more {
            thread::sleep(PAUSE);
        }
    }
}

/// Whether a referee runs in the folder: one that was killed does not say that it ends.
struct Presence<'a> {
    directory: &'a Path,
    is_running: bool,
    looked: Instant,
}

impl<'a> Presence<'a> {
    fn new(directory: &'a Path) -> Self {
        Self {
            directory,
            is_running: control::is_running(directory),
            looked: Instant::now(),
        }
    }

    /// Looks again if nothing has been written for a while.
    fn look(&mut self, has_written: bool) -> bool {
        if has_written {
            self.is_running = true;
            self.looked = Instant::now();
        } else if self.looked.elapsed() >= SILENCE {
            self.is_running = control::is_running(self.directory);
            self.looked = Instant::now();
        }
        self.is_running
    }
}

/// The part of the file that has been read.
struct Tail {
    path: PathBuf,
    /// The file that it is part of: one with another number is another event's.
    file: Option<u64>,
    /// The end of the last whole line that was read. A line without an end is being written, or was torn
    /// by a crash: a resumed referee cuts it off and writes others.
    offset: u64,
    /// The number of that line.
    line: usize,
}

impl Tail {
    const fn new(path: PathBuf) -> Self {
        Self {
            path,
            file: None,
            offset: 0,
            line: 0,
        }
    }

    /// Reads the whole lines that have been added. Returns whether there may be more.
    fn read(&mut self, feeds: &mut Vec<Feed>) -> io::Result<bool> {
        let mut file = File::open(&self.path)?;
        let metadata = file.metadata()?;
        let number = number(&metadata);
        if self.file.is_some_and(|known| known != number) || metadata.len() < self.offset {
            *self = Self::new(std::mem::take(&mut self.path));
            feeds.push(Feed::Restart);
        }
        self.file = Some(number);
        if metadata.len() == self.offset {
            return Ok(false);
        }
        file.seek(SeekFrom::Start(self.offset))?;
        let mut bytes = Vec::new();
        (&mut file).take(MAX_READ).read_to_end(&mut bytes)?;
        if memchr::memrchr(b'\n', &bytes).is_none() && bytes.len() as u64 == MAX_READ {
            // One very long line.
            file.read_to_end(&mut bytes)?;
        }
        let Some(end) = memchr::memrchr(b'\n', &bytes) else {
            return Ok(false);
        };
        self.read_lines(&bytes[..end], feeds);
        self.offset += end as u64 + 1;
        Ok(self.offset < metadata.len() && bytes.len() as u64 == MAX_READ)
    }

    fn read_lines(&mut self, bytes: &[u8], feeds: &mut Vec<Feed>) {
        let mut events = Vec::new();
        for line in bytes.split(|&byte| byte == b'\n') {
            self.line += 1;
            match read_event(line) {
                Ok(event) => events.extend(event),
                Err(why) => {
                    let number = self.line;
                    feeds.push(Feed::Unreadable(format!("{EVENTS}:{number}: {why}")));
                }
            }
        }
        feeds.push(Feed::Events(events));
    }
}

/// What tells a file from another one of the same name.
#[cfg(unix)]
fn number(metadata: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn number(_: &std::fs::Metadata) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use std::fs::{self, OpenOptions};
    use std::io::Write as _;

    use referee::event::Report;

    use super::*;

    fn event(why: &str) -> String {
        format!(r#"{{"seq":1,"event":"paused","why":"{why}","at":"2026-11-23T10:00:00.000Z"}}"#)
    }

    /// A file, and what a follower reads of it next.
    struct Followed {
        folder: tempfile::TempDir,
        tail: Tail,
    }

    impl Followed {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            let tail = Tail::new(folder.path().join(EVENTS));
            Self { folder, tail }
        }

        fn append(&self, text: &str) {
            let path = self.folder.path().join(EVENTS);
            let file = OpenOptions::new().create(true).append(true).open(path);
            file.expect("a file")
                .write_all(text.as_bytes())
                .expect("written");
        }

        /// The reasons of the pauses that are read next; `-` where the event restarts, and what is said of
        /// unreadable lines.
        fn next(&mut self) -> Vec<String> {
            let mut feeds = Vec::new();
            self.tail.read(&mut feeds).expect("read");
            let mut texts = Vec::new();
            for feed in feeds {
                match feed {
                    Feed::Restart => texts.push("-".to_owned()),
                    Feed::Unreadable(text) => texts.push(text),
                    Feed::Events(events) => {
                        texts.extend(events.into_iter().map(|event| match event.report {
                            Report::Paused { why } => why,
                            other => panic!("{other:?}"),
                        }));
                    }
                    other => panic!("{other:?}"),
                }
            }
            texts
        }
    }

    /// A line that is being written is waited for, and one that a crash has torn is forgotten when the
    /// resumed referee has cut it off.
    #[test]
    fn torn_lines_are_waited_for() {
        let mut followed = Followed::new();
        let missing = followed.tail.read(&mut Vec::new()).expect_err("no file");
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        let (one, two) = (event("one"), event("two"));
        followed.append(&format!("{one}\n{}", &two[..20]));
        assert_eq!(followed.next(), ["one"]);
        assert!(followed.next().is_empty());
        followed.append(&format!("{}\n", &two[20..]));
        assert_eq!(followed.next(), ["two"]);
        followed.append(&event("torn")[..30]);
        assert!(followed.next().is_empty());
        let whole = one.len() + two.len() + 2;
        let path = followed.folder.path().join(EVENTS);
        let file = OpenOptions::new().write(true).open(path).expect("a file");
        file.set_len(whole as u64).expect("cut off");
        assert!(followed.next().is_empty());
        followed.append(&format!("{}\n", event("three")));
        assert_eq!(followed.next(), ["three"]);
    }

    #[test]
    fn another_event_in_the_same_folder_is_read_from_its_beginning() {
        let mut followed = Followed::new();
        followed.append(&format!("{}\n", event("a long reason of the first event")));
        assert_eq!(followed.next().len(), 1);
        let path = followed.folder.path().join(EVENTS);
        fs::write(&path, format!("{}\n", event("short"))).expect("written");
        assert_eq!(followed.next(), ["-", "short"]);
    }

    #[test]
    fn unreadable_lines_are_named_and_left_out() {
        let mut followed = Followed::new();
        followed.append(&format!("{}\nnoise\n{}\n", event("one"), event("two")));
        let mut read = followed.next();
        let said = read.remove(0);
        assert!(said.starts_with("events.jsonl:2: "), "{said}");
        assert_eq!(read, ["one", "two"]);
    }
}
